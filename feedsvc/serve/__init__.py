"""Published documents on the wire; health, metrics and status; the clock that calls."""
