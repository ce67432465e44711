"""TOML front matter as nearly all of it is: lines of `key = value`, which need no parser, as of plainyaml.py.

What is read here is what `tomllib` makes of the same lines, to the letter; for all else there is None, and the parser.
"""

from datetime import date, datetime

from feedsvc.collect.matter import Field, Value
from feedsvc.patterns import pattern

_TEXT = r"""\"[^"\\\x00-\x1f\x7f]*+\"|'[^'\x00-\x1f\x7f]*+'"""
_LINE = pattern(
    rf"(?P<key>[A-Za-z0-9_-]+) *= *(?:(?P<text>{_TEXT})|(?P<word>true|false)|(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
    rf"|(?P<moment>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:Z|[+-][0-9]{{2}}:[0-9]{{2}})?)"
    rf"|\[ *(?P<list>(?:{_TEXT})(?: *, *(?:{_TEXT}))*+)? *(?P<end>\])) *"
)
_ITEMS = pattern(_TEXT)
_LONG = ('"""', "'''")
"""Where a text of several lines may begin: two quotes in a row are an empty text, three are not."""


def plain_fields(head: str) -> tuple[Field, ...] | None:
    """Return the fields of front matter that is plain in every line, else None; its first line is line 1."""
    if any(quotes in head for quotes in _LONG):
        return None
    fields: dict[str, Field] = {}
    for number, line in enumerate(head.split("\n"), start=1):
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None or found["key"] in fields:
            return None
        try:
            fields[found["key"]] = Field(found["key"], _value(found.groupdict()), number)
        except ValueError:  # no such day: the parser says it in its words
            return None
    return tuple(fields.values())


def _value(found: dict[str, str | None]) -> Value:
    if text := found["text"]:
        return text[1:-1]
    if found["end"]:
        return tuple(item[1:-1] for item in _ITEMS.findall(found["list"] or ""))
    if day := found["day"]:
        return date.fromisoformat(day).isoformat()
    if moment := found["moment"]:
        return datetime.fromisoformat(moment).isoformat()
    return found["word"]
