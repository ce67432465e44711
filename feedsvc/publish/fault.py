"""What a check finds in a document, before it is known which file that was."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from feedsvc.model import Level


class Fault(NamedTuple):
    """A fault: its line counted from 1, or None; how bad it is; its code; what is wrong and what to do."""

    line: int | None
    level: Level
    code: str
    message: str


def error(line: int | None, code: str, message: str) -> Fault:
    """Return a fault that a standard forbids."""
    return Fault(line, Level.ERROR, code, message)


def warning(line: int | None, code: str, message: str) -> Fault:
    """Return a fault that costs some readers something."""
    return Fault(line, Level.WARNING, code, message)


def repeated(values: Iterable[tuple[str, int | None]], level: Level, what: str) -> Iterator[Fault]:
    """Yield a fault for each id that stood before; `what` is what the format calls an id."""
    seen: dict[str, int | None] = {}
    for value, line in values:
        if value in seen:
            before = f", as in line {seen[value]}" if seen[value] else " before"
            message = f"the {what} {shortened(value)} stands here{before}: give each its own"
            yield Fault(line, level, "duplicate-id", message)
        seen.setdefault(value, line)


def shortened(text: str | None) -> str:
    """Return a value as a message quotes it: one line, at most 80 characters."""
    flat = " ".join((text or "").split())
    return f"'{flat}'" if len(flat) <= 80 else f"'{flat[:79]}…'"
