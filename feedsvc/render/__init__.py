"""A Feed becomes bytes: one file a format; nothing is decided here and no clock is read."""
