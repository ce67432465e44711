"""Which feeds there are, which entries each holds, and why."""
