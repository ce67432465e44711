"""The command line: the only reader of the configuration file, the environment and the clock; it wires everything."""
