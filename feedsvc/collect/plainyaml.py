"""Front matter as nearly all of it is: lines of `key: value` and lists of words, which need no parser of YAML.

What can be read in one way at a glance is read here, ten times as fast; it is what libyaml makes of the same lines, to
the letter. For all else there is `None`, and the parser. No character is let in that YAML reads in a way of its own.
"""

import re

from feedsvc.collect.matter import Field, Value
from feedsvc.patterns import pattern

_ODD = r"\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_SAFE = rf"[^{_ODD}:#]"
_WORD = rf"[^{_ODD}:#,\[\]{{}}\"']"
_FIRST = r"[A-Za-z0-9/\u00a1-\u1fff\u3001-\ud7ff]"
_PLAIN = rf"{_FIRST}(?:{_SAFE}|[: ](?={_SAFE}))*+"
_QUOTED = rf'"(?:[^{_ODD}"\\]| )*+"' + rf"|'(?:[^{_ODD}']| )*+'"
_ITEM = rf"{_FIRST}(?:{_WORD}| (?={_WORD}))*+|{_QUOTED}"
_LIST = rf"(?:{_ITEM})(?: *, *(?:{_ITEM}))*+"
_KEYED = pattern(
    rf"(?P<key>[A-Za-z_][A-Za-z0-9_-]{{0,63}}):"
    rf"(?: +(?:(?P<plain>{_PLAIN})|(?P<quoted>{_QUOTED})|\[ *(?P<list>{_LIST})? *(?P<end>\])))? *"
)
_LISTED = pattern(rf"(?P<indent> {{0,8}})- +(?:(?P<plain>{_PLAIN})|(?P<quoted>{_QUOTED})) *")
_ITEMS = pattern(_ITEM)
_NULLS = frozenset({"null", "Null", "NULL"})


def plain_fields(head: str) -> tuple[Field, ...] | None:
    """Return the fields of front matter that is plain in every line, else None.

    `head` is what stands between the fences, the end of the opening one included: its second line is line 2.
    """
    lines = head.split("\n")
    if len(lines) < 3 or lines[0] or lines[-1]:
        return None
    fields: dict[str, Field] = {}
    number, last = 1, len(lines) - 1
    while number < last:
        keyed = _KEYED.fullmatch(lines[number])
        if keyed is None or keyed["key"] in fields:
            return None
        key, line = keyed["key"], number + 1
        number += 1
        if keyed["plain"] or keyed["quoted"] or keyed["end"]:
            value = _value(keyed)
        else:
            items = _list(lines, number)
            number += len(items)
            value = items or None
        fields[key] = Field(key, value, line)
    return tuple(fields.values())


def _value(keyed: re.Match[str]) -> Value:
    if keyed["end"]:
        return tuple(_scalar(item) for item in _ITEMS.findall(keyed["list"] or ""))
    return _scalar(keyed["plain"] or keyed["quoted"])


def _scalar(written: str) -> str | None:
    if written[0] in "\"'":
        return written[1:-1]
    return None if written in _NULLS else written


def _list(lines: list[str], start: int) -> tuple[str | None, ...]:
    """Return the items of a list from a line on, each indented like the first; none where there is no list."""
    items: list[str | None] = []
    indent: str | None = None
    while (item := _LISTED.fullmatch(lines[start + len(items)])) and indent in (None, item["indent"]):
        indent = item["indent"]
        items.append(_scalar(item["plain"] or item["quoted"]))
    return tuple(items)
