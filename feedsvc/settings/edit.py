"""Sources put into a configuration file and taken out of it; every other byte stays as a person wrote it (SO-08).

tomlkit spells values; where they go is cut and pasted by the places of `spots`. tomlkit's own documents take the
comments that stand above a table for the end of the one before: they would move, or go with a source that is removed.
"""

import re
from collections.abc import Sequence

import tomlkit
from msgspec.structs import replace

from feedsvc.errors import ConfigError
from feedsvc.model import Diagnostic, Level, Show
from feedsvc.settings.addresses import address, address_key
from feedsvc.settings.defaults import id_of
from feedsvc.settings.faults import Place, Unfit, dotted, meant, shown
from feedsvc.settings.load import read
from feedsvc.settings.spots import GAP, Spots, spots
from feedsvc.settings.tree import Settings, Source

SOURCES: Place = ("sources",)


def add_source(text: str, source: Source, path_shown: str = "config/feedsvc.toml") -> str:
    """Return a configuration with one more source; see `add_sources`."""
    return add_sources(text, [source], path_shown)


def add_sources(text: str, sources: Sequence[Source], path_shown: str = "config/feedsvc.toml") -> str:
    """Return a configuration with more sources, behind those that it has, else at its end.

    Each id is written down, so that it stays when the address changes. Raises ConfigError where the configuration is
    at fault before or after, and where a source is there already (SO-04).
    """
    there = read(text, path_shown)
    where = spots(text)
    named = [_named(source, path_shown) for source in sources]
    _refuse_doubles(there, named, where, path_shown)
    if not named:
        return text
    rows = len(there.sources)
    if where.starts.get(SOURCES) is not None and _is_inline(where):
        result = _into_array(where, rows, [_inline(source) for source in named], _line_end(text))
    else:
        result = _behind(where, rows, [_table(source, _line_end(text)) for source in named], _line_end(text))
    read(result, path_shown)
    return result


def remove_source(text: str, id: str, path_shown: str = "config/feedsvc.toml") -> str:  # noqa: A002 - the key's name
    """Return a configuration without one source: from its header to its last value; comments around it stay.

    Raises ConfigError where no source has that id, or a feed names it.
    """
    there = read(text, path_shown)
    where = spots(text)
    ids = [source.id for source in there.sources]
    if id not in ids:
        raise _refused(path_shown, None, f"no source has the id {shown(id)}; {meant(id, ids)}", "unknown-source")
    _refuse_named(there, id, where, path_shown)
    index = ids.index(id)
    result = _out_of_array(where, index) if _is_inline(where) else _without_table(where, index)
    read(result, path_shown)
    return result


def _named(source: Source, path_shown: str) -> Source:
    try:
        return replace(source, url=address(source.url), id=id_of(source))
    except Unfit as reason:
        raise _refused(path_shown, None, f"the address of the source {reason}", "bad-value") from None


def _refuse_doubles(there: Settings, named: Sequence[Source], where: Spots, path_shown: str) -> None:
    addresses = {address_key(source.url): (source.id, at) for at, source in enumerate(there.sources)}
    ids = {source.id: at for at, source in enumerate(there.sources)}
    found = []
    for source in named:
        owner, at = addresses.get(address_key(source.url), ("", ids.get(source.id)))
        if at is not None:
            code = "duplicate-address" if owner else "duplicate-id"
            said = f"{shown(source.url, 200)} is here already, as source {shown(owner)}"
            other = f"the id {shown(source.id)} is taken by another source; give another id"
            line = where.line((*SOURCES, at))
            found.append(Diagnostic(path_shown, line, Level.ERROR, said if owner else other, code))
    if found:
        raise ConfigError(found)


def _refuse_named(there: Settings, id: str, where: Spots, path_shown: str) -> None:  # noqa: A002
    for at, feed in enumerate(there.feeds):
        if id in feed.include and where.starts.get(("feeds", at, "include")) is not None:
            place = ("feeds", at, "include", feed.include.index(id))
            message = f"{dotted(place)} names source {shown(id)}; take it out there first"
            raise _refused(path_shown, where.line(place), message, "source-in-use")


def _refused(path_shown: str, line: int | None, message: str, code: str) -> ConfigError:
    return ConfigError([Diagnostic(path_shown, line, Level.ERROR, message, code)])


def _is_inline(where: Spots) -> bool:
    """Return whether sources are one array, `sources = […]`, rather than tables."""
    return not where.text.startswith("[", where.starts[SOURCES])


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _pairs(source: Source) -> list[str]:
    """Return the keys of a source that say more than their default."""
    values: dict[str, object] = {"id": source.id, "url": source.url}
    values |= {key: text for key in ("title", "home") if (text := getattr(source, key))}
    values |= {"content": source.content.value} if source.content is not Show.TEASER else {}
    values |= {key: list(words) for key in ("keep", "drop", "tags") if (words := getattr(source, key))}
    values |= {} if source.enabled else {"enabled": False}
    return [f"{key} = {tomlkit.item(value).as_string()}" for key, value in values.items()]


def _table(source: Source, line_end: str) -> str:
    return "".join(row + line_end for row in ["[[sources]]", *_pairs(source)])


def _inline(source: Source) -> str:
    return f"{{ {', '.join(_pairs(source))} }}"


def _behind(where: Spots, rows: int, tables: Sequence[str], line_end: str) -> str:
    """Put tables behind the line on which the last source ends, before all that is said of what comes next."""
    text = where.text
    at = _end_of_table(text, where.ends[(*SOURCES, rows - 1)]) if rows else len(text)
    before = line_end if at and not text.endswith("\n", 0, at) else ""
    gap = line_end if text[:at].strip() else ""
    return text[:at] + before + "".join(gap + table for table in tables) + text[at:]


def _end_of_table(text: str, at: int) -> int:
    """Return the end of the last value's line, or of comments right below it that belong to nothing else."""
    line = below = _next_line(text, at)
    while re.match(r"[ \t]*#", text[below : _next_line(text, below)]):
        below = _next_line(text, below)
    return line if text[below : _next_line(text, below)].strip() else below


def _into_array(where: Spots, rows: int, items: Sequence[str], line_end: str) -> str:
    text = where.text
    if not rows:
        return _into_empty_array(where, items, line_end)
    last, end = where.starts[(*SOURCES, rows - 1)], where.ends[(*SOURCES, rows - 1)]
    indent = text[_line_start(text, last) : last]
    comma = _comma(text, end)
    at = end if comma is None else comma + 1
    if indent.strip():
        joined = "".join(f" {item}," if comma is not None else f", {item}" for item in items)
        return text[:at] + joined + text[at:]
    rest = re.compile(r"[ \t]*(?:#[^\r\n]*)?").match(text, at)
    stop = rest.end() if rest else at
    joined = f",{line_end}{indent}".join(items) + ("" if comma is None else ",")
    return text[:end] + ("," if comma is None else "") + text[end:stop] + line_end + indent + joined + text[stop:]


def _into_empty_array(where: Spots, items: Sequence[str], line_end: str) -> str:
    text = where.text
    close = where.ends[SOURCES] - 1
    start = _line_start(text, close)
    if text[start:close].strip() or start < where.starts[SOURCES]:
        return text[:close] + ", ".join(items) + text[close:]
    return text[:start] + "".join(f"  {item},{line_end}" for item in items) + text[start:]


def _without_table(where: Spots, index: int) -> str:
    """Cut from the header to the end of the line of the last value, with one of two blank lines around."""
    text = where.text
    start = _line_start(text, where.starts[(*SOURCES, index)])
    end = _next_line(text, where.ends[(*SOURCES, index)])
    before = _line_start(text, start - 1) if start else 0
    behind = _next_line(text, end)
    if start and not text[before:start].strip() and not text[end:behind].strip():
        start = before
    elif not start and not text[end:behind].strip():
        end = behind
    return text[:start] + text[end:]


def _out_of_array(where: Spots, index: int) -> str:
    """Cut one element and the comma that parted it from its neighbour."""
    text = where.text
    start, end = where.starts[(*SOURCES, index)], where.ends[(*SOURCES, index)]
    comma = _comma(text, end)
    if comma is not None:
        return _cut(text[:comma] + text[comma + 1 :], start, end)
    parting = _comma(text, where.ends[(*SOURCES, index - 1)]) if index else None
    shorter = _cut(text, start, end)
    return shorter if parting is None else shorter[:parting] + shorter[parting + 1 :]


def _cut(text: str, start: int, end: int) -> str:
    """Cut a span: with its whole line where nothing else is on it, else with the blanks behind it."""
    line, after = _line_start(text, start), _next_line(text, end)
    if not text[line:start].strip() and not text[end:after].strip():
        return text[:line] + text[after:]
    rest = text[end:].lstrip(" \t")
    return (text[:start].rstrip(" \t") if rest.startswith("]") else text[:start]) + rest


def _comma(text: str, at: int) -> int | None:
    """Return where the comma behind an element is, past comments and line ends."""
    gap = re.compile(GAP).match(text, at)
    behind = gap.end() if gap else at
    return behind if text.startswith(",", behind) else None


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _next_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1
