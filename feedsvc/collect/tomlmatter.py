"""TOML front matter, by `tomllib`: every value as its author wrote it, every key with its line (F3, F5)."""

import re
import tomllib
from datetime import date, datetime, time

from feedsvc.collect.matter import DEEPEST, Field, PostFault, Value
from feedsvc.collect.plaintoml import plain_fields
from feedsvc.patterns import pattern

_PLACE = pattern(r"\(at line ([0-9]+), column [0-9]+\)")
_TWICE = ("Cannot overwrite a value", "Duplicate inline table key", "Cannot declare")
_TOKENS = pattern(
    r"""^[ \t]*\[{1,2}[ \t]*(?P<table>[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')|"""
    r"""^[ \t]*(?P<key>[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*[=.]|"""
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|\#[^\n]*',
    re.MULTILINE,
)
"""What may stand before the place of a key: strings and comments are stepped over, they may look like keys."""


def toml_fields(text: str) -> tuple[Field, ...]:
    """Return the fields of TOML whose first line is line 1 of the file.

    Dates of all three kinds become the strings that ISO 8601 has for them; fractions stay as written (`1.10`).
    Raises PostFault.
    """
    plain = plain_fields(text)
    return parsed(text) if plain is None else plain


def parsed(text: str) -> tuple[Field, ...]:
    """Return the fields as `tomllib` reads them."""
    try:
        table = tomllib.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise _fault(str(error), text) from error
    lines = _lines(text)
    return tuple(Field(key, _value(value, lines.get(key, 1), 2), lines.get(key, 1)) for key, value in table.items())


def _fault(message: str, text: str) -> PostFault:
    place = _PLACE.search(message)
    line = int(place[1]) if place else text.rstrip().count("\n") + 1
    what = _PLACE.sub("", message).strip() or "nested too deeply"
    if what.startswith(_TWICE):
        key = text.split("\n")[line - 1].partition("=")[0].strip()
        return PostFault(f"the key `{key}` is given twice: keep one", line, "duplicate-key")
    return PostFault(f"the TOML front matter cannot be read: {what}", line, "bad-front-matter")


def _value(value: object, line: int, depth: int) -> Value:
    if isinstance(value, dict | list) and depth > DEEPEST:
        raise PostFault(f"the front matter nests deeper than {DEEPEST} levels: flatten it", line, "deep-front-matter")
    if isinstance(value, dict):
        return {key: _value(each, line, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return tuple(_value(each, line, depth + 1) for each in value)
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return str(value)


def _lines(text: str) -> dict[str, int]:
    """Return the line on which each top-level key stands first; of a table, that of its header."""
    lines: dict[str, int] = {}
    in_table = False
    for found in _TOKENS.finditer(text):
        name = found["table"] or (None if in_table else found["key"])
        in_table = in_table or found["table"] is not None
        if name:
            lines.setdefault(name.strip("\"'"), text.count("\n", 0, found.start(found.lastgroup or 0)) + 1)
    return lines
