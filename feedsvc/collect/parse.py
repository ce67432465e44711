"""A body → a feed, or why it is none. Pure; strangers' documents pass through `guard`, which gives this its limits."""

import re

from msgspec.structs import replace

from feedsvc.collect.atomreader import read_atom
from feedsvc.collect.charset import decode
from feedsvc.collect.finish import finish
from feedsvc.collect.found import ParsedFeed, Received, Unread, remark
from feedsvc.collect.jsonreader import read_json
from feedsvc.collect.loose import read_loose
from feedsvc.collect.raw import RawFeed
from feedsvc.collect.repair import DECLARATION, Trimmed, mend, tidy, trim, trim_json
from feedsvc.collect.rssreader import read_rss
from feedsvc.collect.scan import Scan, refuse_markup, refuse_subset, scan
from feedsvc.collect.xmltree import Element, parse, split_tag
from feedsvc.model import Diagnostic
from feedsvc.patterns import pattern

_COMMENT = pattern(r"<!--.*?-->|<\?[^>]*>|\s+", re.DOTALL)
_LAST_END = pattern(r"</(?:[A-Za-z_][\w.-]*:)?(?:item|entry)\s*>", re.IGNORECASE)
_READERS = {"rss": read_rss, "rdf": read_rss, "channel": read_rss, "feed": read_atom}


def read(received: Received) -> ParsedFeed | Unread:
    """Return the feed that a body is; the body decides, not its media type (F-52, DX-01)."""
    if not received.body.strip(b" \t\r\n\0"):
        return Unread("empty", "the body is empty")
    decoded = decode(received)
    if isinstance(decoded, Unread):
        return decoded
    json = trim_json(decoded.text)
    if json is not None:
        return _read_json(json, received, decoded.warnings)
    document = trim(decoded.text)
    if document is None or document.root.lower().endswith("html"):
        return Unread("no-feed", f"no feed: {_what(decoded.text)}")
    warnings = (*decoded.warnings, *_cut_off(document, received))
    return _read_xml(document, received, warnings)


def _read_json(document: Trimmed, received: Received, warnings: tuple[Diagnostic, ...]) -> ParsedFeed | Unread:
    found = read_json(document.text, received.url)
    if isinstance(found, Unread):
        return found
    return finish(found.feed, received, (*warnings, *_cut_off(replace(document, behind=found.behind), received)))


def _read_xml(document: Trimmed, received: Received, warnings: tuple[Diagnostic, ...]) -> ParsedFeed | Unread:
    text = tidy(document.text)
    data, seen = _scanned(text)
    if seen.fault and seen.refused is None:
        refused = refuse_subset(text[: max(text.find(f"<{document.root}"), 0)])
        if refused:
            return refused
        text = mend(text, document.root)
        data, seen = _scanned(text)
    if seen.refused:
        return seen.refused
    root = None if seen.fault else parse(data)
    if root is not None:
        raw = _raw(root, received.url)
        return raw if isinstance(raw, Unread) else finish(raw, received, warnings)
    if not document.ended:
        return _cut_short(text, seen, received, warnings)
    return _ill_formed(text, seen, received, warnings)


def _scanned(text: str) -> tuple[bytes, Scan]:
    data = (DECLARATION + text).encode("utf-8")
    return data, scan(data)


def _raw(root: Element, url: str) -> RawFeed | Unread:
    name = split_tag(str(root.tag))[1].lower()
    reader = _READERS.get(name)
    if reader is None:
        return Unread("no-feed", f"no feed: an XML document <{name[:40]}>")
    return reader(root, url)


def _ill_formed(text: str, seen: Scan, received: Received, warnings: tuple[Diagnostic, ...]) -> ParsedFeed | Unread:
    """Read what is not well-formed with feedparser; expat has not seen all of it, so markup is refused by its look."""
    refused = refuse_markup(text)
    if refused:
        return refused
    raw = read_loose((DECLARATION + text).encode("utf-8"), received.url)
    if raw is None:
        return Unread("malformed", f"{seen.fault or 'not well-formed'}; no reader makes sense of it")
    said = remark(received.name, f"the document is not well-formed, {seen.fault}: read as far as it goes", "ill-formed")
    return finish(raw, received, (*warnings, said))


def _cut_short(text: str, seen: Scan, received: Received, warnings: tuple[Diagnostic, ...]) -> ParsedFeed | Unread:
    """Take the whole entries of a document without its end; the poll counts as failed all the same (X-07)."""
    fault = f"the document is cut short, {seen.fault.partition(':')[0] or 'its end is missing'}"
    root = parse(seen.whole) if seen.whole else None
    whole: ParsedFeed | Unread
    if root is not None:
        raw = _raw(root, received.url)
        whole = raw if isinstance(raw, Unread) else finish(raw, received, warnings)
    else:
        ends = list(_LAST_END.finditer(text))
        if not ends:
            return Unread("malformed", f"{fault}; it holds no whole entry")
        whole = _ill_formed(text[: ends[-1].end()], seen, received, warnings)
    return replace(whole, fault=fault) if isinstance(whole, ParsedFeed) else whole


def _cut_off(document: Trimmed, received: Received) -> tuple[Diagnostic, ...]:
    """Return a warning where something stood around the document: blank lines, notices of a server (EN-05)."""
    before, behind = (_COMMENT.sub(" ", text[:10_000]).strip() for text in (document.before, document.behind))
    said = [
        f"{text[:60]!r} {where} the document was cut off"
        for text, where in ((before, "before"), (behind, "behind"))
        if text
    ]
    if not before and document.before and document.before.isspace():
        said.append("blank lines before the document were cut off")
    return tuple(remark(received.name, what, "junk") for what in said)


def _what(text: str) -> str:
    """Return what a body seems to be."""
    head = text[:2000].lstrip().lower()
    if "<html" in head or "<!doctype html" in head:
        return "a web page"
    return "an XML document of another kind" if head.startswith("<?xml") else "neither XML nor JSON"
