"""The sequence of a poll and of a build; it decides nothing."""
