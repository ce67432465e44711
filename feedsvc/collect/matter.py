"""Front matter as a value: what the author wrote, with the line of each key (F3).

A scalar is a string exactly as written, whatever YAML or TOML would make of it; None is an explicit null.
"""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from feedsvc.model import Level

Value: TypeAlias = "str | tuple[Value, ...] | Mapping[str, Value] | None"

DEEPEST = 5
LARGEST = 16 * 1024


class PostFault(Exception):  # noqa: N818 - it never leaves this room: read_post turns it into a diagnostic
    """What keeps one post out: message, line in the file, code, and how bad it is."""

    def __init__(self, message: str, line: int, code: str, level: Level = Level.ERROR) -> None:
        super().__init__(message)
        self.message, self.line, self.code, self.level = message, line, code, level


class Field(Struct, frozen=True):
    """A key with its value and its line, counted from the top of the file."""

    key: str
    value: Value
    line: int


class Repair(Struct, frozen=True):
    """A slip that was put right, worth a warning."""

    line: int
    message: str


class FrontMatter(Struct, frozen=True):
    """The fields of a file under their keys in lower case, and the text after them.

    `body_line` is the line of the file on which `body` begins.
    """

    fields: Mapping[str, Field]
    body: str
    body_line: int = 1
    repairs: tuple[Repair, ...] = ()

    def first(self, *keys: str) -> Field | None:
        """Return the field of the first of these keys that has one with a value (null and blank are none)."""
        for key in keys:
            if (field := self.fields.get(key)) and not blank(field.value):
                return field
        return None


def blank(value: Value) -> bool:
    """Return whether a value says nothing: null, an empty list, white space."""
    return not (value.strip() if isinstance(value, str) else value)
