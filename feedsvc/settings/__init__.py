"""The configuration file as one frozen value: `tree` says what it holds, `load` reads and checks it."""
