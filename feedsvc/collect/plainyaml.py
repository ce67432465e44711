"""Front matter as nearly all of it is: lines of `key: value` and lists of words, which need no parser of YAML.

What can be read in one way at a glance is read here, ten times as fast; it is what libyaml makes of the same lines, to
the letter. For all else there is `None`, and the parser. No character is let in that YAML reads in a way of its own.
"""

import re

from msgspec import Struct

from feedsvc.collect.matter import Field, Value
from feedsvc.patterns import pattern

_NULLS = frozenset({"null", "Null", "NULL"})


class _Shapes(Struct, frozen=True):
    """A line with a key, a line of a list, and what stands between the commas of a list in brackets."""

    keyed: re.Pattern[str]
    listed: re.Pattern[str]
    items: re.Pattern[str]

    @classmethod
    def of(cls, odd: str, first: str) -> "_Shapes":
        """Return the shapes of lines without `odd` characters whose plain values begin with one of `first`."""
        safe, word = rf"[^{odd}:#]", rf"[^{odd}:#,\[\]{{}}\"']"
        plain = rf"[{first}](?:{safe}|[: ](?={safe}))*+"
        quoted = rf'"(?:[^{odd}"\\]| )*+"' + rf"|'(?:[^{odd}']| )*+'"
        item = rf"[{first}](?:{word}| (?={word}))*+|{quoted}"
        value = rf"(?P<plain>{plain})|(?P<quoted>{quoted})"
        return cls(
            pattern(
                r"(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,63}):"
                rf"(?: +(?:{value}|\[ *(?P<list>(?:{item})(?: *, *(?:{item}))*+)? *(?P<end>\])))? *"
            ),
            pattern(rf"(?P<indent> {{0,8}})- +(?:{value}) *"),
            pattern(item),
        )


_ASCII = _Shapes.of(r"\x00-\x20\x7f", "A-Za-z0-9/")
"""Most front matter is ASCII; to compile expressions about all characters takes longer than to read a hundred posts."""
_ANY = _Shapes.of(
    r"\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff", r"A-Za-z0-9/\u00a1-\u1fff\u3001-\ud7ff"
)


def plain_fields(head: str) -> tuple[Field, ...] | None:
    """Return the fields of front matter that is plain in every line, else None.

    `head` is what stands between the fences, the end of the opening one included: its second line is line 2.
    """
    shapes, lines = _ASCII if head.isascii() else _ANY, head.split("\n")
    if len(lines) < 3 or lines[0] or lines[-1]:
        return None
    fields: dict[str, Field] = {}
    number, last = 1, len(lines) - 1
    while number < last:
        keyed = shapes.keyed.fullmatch(lines[number])
        if keyed is None or keyed["key"] in fields:
            return None
        key, line = keyed["key"], number + 1
        number += 1
        if keyed["plain"] or keyed["quoted"] or keyed["end"]:
            value = _value(keyed, shapes)
        else:
            items = _list(lines, number, shapes)
            number += len(items)
            value = items or None
        fields[key] = Field(key, value, line)
    return tuple(fields.values())


def _value(keyed: re.Match[str], shapes: _Shapes) -> Value:
    if keyed["end"]:
        return tuple(_scalar(item) for item in shapes.items.findall(keyed["list"] or ""))
    return _scalar(keyed["plain"] or keyed["quoted"])


def _scalar(written: str) -> str | None:
    if written[0] in "\"'":
        return written[1:-1]
    return None if written in _NULLS else written


def _list(lines: list[str], start: int, shapes: _Shapes) -> tuple[str | None, ...]:
    """Return the items of a list from a line on, each indented like the first; none where there is no list."""
    items: list[str | None] = []
    indent: str | None = None
    while (item := shapes.listed.fullmatch(lines[start + len(items)])) and indent in (None, item["indent"]):
        indent = item["indent"]
        items.append(_scalar(item["plain"] or item["quoted"]))
    return tuple(items)
