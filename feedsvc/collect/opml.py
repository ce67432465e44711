"""Lists of feeds of others, read as far as they go (SO-06, S-37).

OPML in the wild is often no XML: so its outlines are read as tags, one after another, in linear time, and folders are
those that are open. Nothing is expanded and nothing is fetched; a document that declares entities is refused.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.charset import decode
from feedsvc.collect.found import Received, Unread
from feedsvc.collect.repair import tidy
from feedsvc.collect.scan import refuse_subset
from feedsvc.collect.titles import one_line
from feedsvc.model import Diagnostic, Level, Outline
from feedsvc.patterns import pattern
from feedsvc.settings.addresses import address, address_key
from feedsvc.settings.faults import Unfit
from feedsvc.text.characters import unescape

LARGEST = 5 * 1024 * 1024
MOST = 10_000
DEEPEST = 20
NAMED = 100
"""So many outlines that are listed twice are named one by one."""

_TAG = pattern(r"""<(/?)outline\b((?:[^<>"']++|"[^"]{0,5000}+"|'[^']{0,5000}+'|["'])*+)>""", re.IGNORECASE)
_ATTRIBUTE = pattern(r"""([A-Za-z_][\w:.-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_ROOT = pattern(r"<opml\b|<outline\b", re.IGNORECASE)


class Listed(Struct, frozen=True):
    """What a list holds: feeds in its order, each address once, and what was left out, with reasons."""

    feeds: tuple[Outline, ...]
    left_out: tuple[Diagnostic, ...] = ()


class _Tag(Struct, frozen=True):
    """An outline as it stands in the list: its attributes by lower-case name, its folders, its line."""

    said: Mapping[str, str]
    folders: tuple[str, ...]
    line: int
    is_folder: bool


def read_opml(body: bytes, name: str) -> Listed | Unread:
    """Return the feeds of a list; `name` is what diagnostics call it. Folders and categories become tags."""
    if len(body) > LARGEST:
        return Unread("bomb", f"refused: a list of more than {LARGEST >> 20} MiB")
    decoded = decode(Received(name, "", body))
    if isinstance(decoded, Unread):
        return decoded
    refused = refuse_subset(decoded.text)
    if refused:
        return refused
    if not _ROOT.search(decoded.text):
        return Unread("no-feed", "no OPML: there is no outline in it")
    return _read(tidy(_blanked(decoded.text)), name)


def _read(text: str, name: str) -> Listed:
    feeds: dict[str, Outline] = {}
    left_out: list[Diagnostic] = []
    doubles = 0
    for count, tag in enumerate(_outlines(text), 1):
        if count > MOST:
            left_out.append(_left(name, tag, f"the list has more than {MOST:,} outlines: the rest was not read"))
            break
        found = _feed(tag, name)
        if isinstance(found, Outline):
            key = address_key(found.url)
            if key in feeds and (doubles := doubles + 1) <= NAMED:
                left_out.append(_left(name, tag, f"it is listed already, as {feeds[key].url}"))
            feeds[key] = _merged(feeds[key], found) if key in feeds else found
        elif found is not None:
            left_out.append(found)
    return Listed(tuple(feeds.values()), tuple(left_out))


def _outlines(text: str) -> Iterator[_Tag]:
    """Yield the outlines with the folders that are open around them; a list without end tags is flat."""
    opened: list[str] = []
    line, at = 1, 0
    tags = list(_TAG.finditer(text))
    for tag in tags:
        line, at = line + text.count("\n", at, tag.start()), tag.start()
        if tag[1]:
            del opened[-1:]
            continue
        said = {one[1].lower(): one_line(unescape(one[2] or one[3] or "")) for one in _ATTRIBUTE.finditer(tag[2])}
        folder = not tag[2].rstrip().endswith("/")
        yield _Tag(said, tuple(name for name in opened[:DEEPEST] if name), line, folder)
        if folder:
            opened.append("" if said.get("xmlurl") else _title(said))


def _feed(tag: _Tag, name: str) -> Outline | Diagnostic | None:
    """Return the feed of an outline, None for a folder, a diagnostic where it is left out."""
    url = tag.said.get("xmlurl", "")
    if not url:
        return (
            None
            if tag.is_folder and tag.said.get("type", "").lower() not in ("include", "link")
            else _no_feed(tag, name)
        )
    try:
        spelled = address(url.replace(" ", "%20"))
    except Unfit as reason:
        return _left(name, tag, f"its address {reason}")
    return Outline("", _title(tag.said), spelled, _home(tag.said.get("htmlurl", "")), _tags(tag))


def _no_feed(tag: _Tag, name: str) -> Diagnostic:
    kind = tag.said.get("type", "").lower()
    if kind in ("include", "link"):
        return _left(name, tag, f"it is of type {kind}: other lists are not fetched; import them by themselves")
    return _left(name, tag, "it has no xmlUrl")


def _left(name: str, tag: _Tag, why: str) -> Diagnostic:
    words = _title(tag.said) or tag.said.get("xmlurl", "")
    return Diagnostic(name, tag.line, Level.WARNING, f"outline {words[:80]!r} was left out: {why}", "outline-left-out")


def _title(said: Mapping[str, str]) -> str:
    return said.get("title") or said.get("text") or ""


def _home(written: str) -> str:
    try:
        return address(written.replace(" ", "%20")) if written else ""
    except Unfit:
        return ""


def _tags(tag: _Tag) -> tuple[str, ...]:
    """Return folders and categories as tags, each once; a comma inside one is written as %2C."""
    written = [one.replace("%2C", ",").strip().strip("/") for one in tag.said.get("category", "").split(",")]
    found: dict[str, str] = {}
    for word in (*tag.folders, *written):
        if word.strip():
            found.setdefault(word.casefold(), word.strip())
    return tuple(found.values())


def _merged(first: Outline, again: Outline) -> Outline:
    """Return a feed that is listed twice: what the first did not say comes from the second, folders of both count."""
    known = {tag.casefold() for tag in first.tags}
    more = tuple(tag for tag in again.tags if tag.casefold() not in known)
    return replace(first, title=first.title or again.title, home=first.home or again.home, tags=(*first.tags, *more))


def _blanked(text: str) -> str:
    """Return the text with comments blanked, so that lines stay where they are; one that never ends is text."""
    out, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        out += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*out, text[at:]])
