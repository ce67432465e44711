"""Where a key stands in a TOML document: for messages about it, and for edits that leave all else as it is.

The text has been read by tomllib before, so the scan may trust its grammar. It is run only when there is something to
point at: a good configuration is never scanned.
"""

import re
import tomllib

import msgspec

from feedsvc.settings.faults import Place

BYTE_ORDER_MARK = "\ufeff"
# Patterns are compiled when they are first used: a good configuration pays nothing for them.
GAP = r"(?:[ \t\r\n]|#[^\n]*)*"
KEY = r"""[ \t]*(?:([A-Za-z0-9_-]+)|("(?:[^"\\\n]|\\.)*"|'[^'\n]*'))[ \t]*"""
# The end of a multi-line string is the last three of up to five quotes.
SCALAR = (
    r'''"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}'''
    r"""|'''[\s\S]*?'{3,5}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
    r"""|[^,\]}#\r\n]*[^,\]}#\r\n\t ]"""
)


class Spots(msgspec.Struct, frozen=True):
    """Offsets, in characters, of each key, table and element of an array.

    `starts` points at a key, at the bracket of a table's header, or at an element; `ends` behind its value, of a table
    behind its last value. What stands between and around (blanks, comments, commas) is no part of them.
    """

    text: str
    starts: dict[Place, int] = msgspec.field(default_factory=dict)
    ends: dict[Place, int] = msgspec.field(default_factory=dict)

    def line(self, place: Place) -> int:
        """Return the line, from 1, of a key, or of the nearest table around one that is not there."""
        while place and place not in self.starts:
            place = place[:-1]
        return self.text.count("\n", 0, self.starts.get(place, 0)) + 1


def spots(text: str) -> Spots:
    """Return the places of a TOML 1.0 document that tomllib reads."""
    found = Spots(text)
    _Scan(found).document()
    return found


class _Scan:
    """One pass over a document; methods take an offset and return the one behind what they read."""

    def __init__(self, found: Spots) -> None:
        self.text = found.text
        self.found = found
        self.lengths: dict[Place, int] = {}
        self.gaps, self.keys, self.scalars = re.compile(GAP), re.compile(KEY), re.compile(SCALAR)

    def document(self) -> None:
        """Read headers and pairs to the end."""
        home: Place = ()
        at = self.gap(len(BYTE_ORDER_MARK) if self.text.startswith(BYTE_ORDER_MARK) else 0)
        while at < len(self.text):
            if self.text[at] == "[":
                home, at = self.header(at)
            else:
                at = self.pair(at, home)
            self.found.ends[home] = at
            at = self.gap(at)

    def gap(self, at: int) -> int:
        """Pass blanks, line ends and comments."""
        found = self.gaps.match(self.text, at)
        return found.end() if found else at

    def header(self, start: int) -> tuple[Place, int]:
        """Read `[a.b]` or `[[a.b]]`; return the table that it opens."""
        brackets = 2 if self.text.startswith("[[", start) else 1
        key, at = self.key(start + brackets)
        place = self.inside(key[:-1], start)
        if brackets == 1:
            place = self.inside(key, start)
        else:
            array = (*place, key[-1])
            self.found.starts.setdefault(array, start)
            place = (*array, self.lengths.get(array, 0))
            self.lengths[array] = self.lengths.get(array, 0) + 1
        self.found.starts[place] = start
        return place, at + brackets

    def inside(self, key: tuple[str, ...], start: int) -> Place:
        """Return the place of a header's key: in the last element of each array of tables on its way."""
        place: Place = ()
        for part in key:
            place = (*place, part)
            self.found.starts.setdefault(place, start)
            if place in self.lengths:
                place = (*place, self.lengths[place] - 1)
        return place

    def pair(self, start: int, home: Place) -> int:
        """Read a key, = and its value."""
        key, at = self.key(start)
        place = home
        for part in key:
            place = (*place, part)
            self.found.starts.setdefault(place, start)
        return self.value(self.gap(at + 1), place)

    def key(self, at: int) -> tuple[tuple[str, ...], int]:
        """Read a key with its dots."""
        parts: list[str] = []
        while found := self.keys.match(self.text, at):
            parts.append(found[1] or _unquoted(found[2]))
            at = found.end()
            if self.text[at] != ".":
                break
            at += 1
        return tuple(parts), at

    def value(self, start: int, place: Place) -> int:
        """Read a value of any type."""
        if self.text[start] == "[":
            at = self.elements(start, place)
        elif self.text[start] == "{":
            at = self.members(start, place)
        else:
            found = self.scalars.match(self.text, start)
            at = found.end() if found else start + 1
        self.found.ends[place] = at
        return at

    def elements(self, start: int, place: Place) -> int:
        """Read an array."""
        at = self.gap(start + 1)
        index = 0
        while self.text[at] != "]":
            self.found.starts[(*place, index)] = at
            at = self.gap(self.value(at, (*place, index)))
            index += 1
            at = self.gap(at + 1) if self.text[at] == "," else at
        return at + 1

    def members(self, start: int, place: Place) -> int:
        """Read an inline table."""
        at = self.gap(start + 1)
        while self.text[at] != "}":
            at = self.gap(self.pair(at, place))
            at = self.gap(at + 1) if self.text[at] == "," else at
        return at + 1


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    return str(tomllib.loads(f"key = {key}")["key"])
