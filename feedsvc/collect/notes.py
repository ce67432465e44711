"""What is found on the way through one post, gathered as diagnostics of its file."""

from feedsvc.model import Diagnostic, Level

_MOST_SHOWN = 60


class Notes:
    """Diagnostics of one file, in the order in which they were found."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._found: list[Diagnostic] = []

    def add(self, level: Level, line: int, message: str, code: str) -> None:
        """Note a fault of the file on a line, from 1."""
        self._found.append(Diagnostic(self.path, line, level, message, code))

    def warn(self, line: int, message: str, code: str) -> None:
        """Note what costs the post nothing but should be mended."""
        self.add(Level.WARNING, line, message, code)

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """Return what was noted so far."""
        return tuple(self._found)


def shown(value: object) -> str:
    """Return a value for a message: quoted, on one line, not longer than a line of text (S-36)."""
    text = value if isinstance(value, str) else "a list" if isinstance(value, tuple) else "a table"
    if not isinstance(value, str):
        return text
    cut = text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
    return '"' + "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in cut) + '"'
