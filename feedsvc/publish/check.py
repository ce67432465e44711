"""The gate: what is wrong with a document, ours before it goes out, or anyone's (`feedsvc check FILE`).

An error is what a standard forbids; a warning costs some readers something. For our own documents, those that belong
to a feed, some warnings are errors: a cleaned text can't hold them, so that something is wrong with us (OU-03).
"""

import re
from collections.abc import Callable, Iterator

from feedsvc.model import Diagnostic, Document, Level
from feedsvc.patterns import pattern
from feedsvc.publish import check_atom, check_json, check_opml, check_rss
from feedsvc.publish.fault import Fault, error, warning
from feedsvc.render.xml import ATOM, UnreadableError, read

LARGEST = 5_000_000
LARGE = 1_000_000

_OURS = frozenset(
    {
        "active-content",
        "blank-category",
        "blank-title",
        "duplicate-id",
        "incomplete-source",
        "missing-self",
        "null-value",
        "relative-address",
    }
)
_ATOM_ROOTS = (f"{{{ATOM}}}feed", f"{{{ATOM}}}entry")
_OLD_ROOTS = (
    "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}RDF",
    "{http://purl.org/net/rss1.1#}Channel",
    "{http://purl.org/atom/ns#}feed",
)
_DECLARATION = pattern(rb"""<\?xml[^>]*\sencoding=["']([A-Za-z0-9._-]+)["']""")
_MARKUP = pattern(r"<[^<>]*>")
_TITLE = pattern(r"<title[^>]*>([^<]*)</title>", re.IGNORECASE)


def faults(document: Document) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a document, in the order of its lines; nothing: it may be published.

    Feeds (Atom, RSS, JSON), OPML and HTML pages are looked into, by media type, or by their first bytes where that
    says little; of other files only the size counts. `document.url` is what a self link must say; "" leaves it open.
    """
    found = (*_size(document.body), *_content(document))
    levelled = [_levelled(fault, ours=bool(document.feed)) for fault in found]
    levelled.sort(key=lambda fault: fault.line or 0)
    return tuple(Diagnostic(document.path, each.line, each.level, each.message, each.code) for each in levelled)


def _levelled(fault: Fault, *, ours: bool) -> Fault:
    return fault._replace(level=Level.ERROR) if ours and fault.code in _OURS else fault


def _size(body: bytes) -> Iterator[Fault]:
    """Yield what the size costs: validators refuse more than 5,000,000 bytes, usual limits stay below 1 MB (X2)."""
    if not body.strip():
        yield error(None, "empty", "the document is empty")
    elif len(body) >= LARGEST:
        yield error(None, "too-large", f"{len(body)} bytes: readers refuse {LARGEST} and more, lower the limit")
    elif len(body) >= LARGE:
        yield warning(None, "large", f"{len(body)} bytes: every reader fetches them, lower the limit")


def _content(document: Document) -> Iterator[Fault]:
    if document.body.strip() and len(document.body) < LARGEST:
        yield from _KINDS.get(_kind(document), _nothing)(document)


def _kind(document: Document) -> str:
    """Return what a document is taken for: xml, json, html, or "" for a file that nobody looks into."""
    named = document.media_type.lower()
    if named.startswith(("text/css", "text/javascript", "image/")):
        return ""
    for kind in ("json", "html", "xml", "opml"):
        if kind in named and named != "text/xml":
            return "xml" if kind == "opml" else kind
    start = document.body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    return "xml" if start.startswith(b"<") else "json"


def _nothing(_: Document) -> Iterator[Fault]:
    return iter(())


def _xml(document: Document) -> Iterator[Fault]:
    declared = _DECLARATION.match(document.body)
    if declared and declared[1].lower() not in (b"utf-8", b"us-ascii"):
        name = declared[1].decode()
        yield warning(1, "encoding", f"the document is declared {name}: write UTF-8, which each reader knows")
    try:
        root = read(document.body)
    except UnreadableError as problem:
        yield error(problem.line, "not-well-formed", f"not well-formed XML: {problem}")
        return
    if root.getroottree().docinfo.doctype:
        yield warning(1, "doctype", "the document has a DOCTYPE: leave it out")
    if root.tag in _ATOM_ROOTS:
        yield from check_atom.faults(root, document.url)
    elif root.tag == "rss":
        yield from check_rss.faults(root, document.url)
    elif root.tag == "opml":
        yield from check_opml.faults(root)
    elif root.tag in _OLD_ROOTS:
        yield warning(root.sourceline, "old-format", "a feed of an old format: only its well-formedness was checked")
    else:
        yield error(root.sourceline, "not-a-feed", f"{root.tag!s} is the root of no feed and no OPML")


def _json(document: Document) -> Iterator[Fault]:
    text = _decoded(document.body)
    if isinstance(text, Fault):
        yield text
    else:
        yield from check_json.faults(text, document.url)


def _html(document: Document) -> Iterator[Fault]:
    """Yield what is wrong with a page: it must be UTF-8, say something, and have a title unless it is a part (G3)."""
    text = _decoded(document.body)
    if isinstance(text, Fault):
        yield text
        return
    title = _TITLE.search(text)
    whole = text[:512].lstrip().lower().startswith(("<!doctype html", "<html"))
    if whole and (title is None or not title[1].strip()):
        yield error(None, "missing-element", "the page has no title: add one")
    if not _MARKUP.sub("", text).strip():
        yield error(None, "empty", "the page shows nothing")


def _decoded(body: bytes) -> str | Fault:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = body.count(b"\n", 0, problem.start) + 1
        return error(line, "not-utf-8", f"byte {body[problem.start]:#04x} is no UTF-8: save the file as UTF-8")


_KINDS: dict[str, Callable[[Document], Iterator[Fault]]] = {"xml": _xml, "json": _json, "html": _html}
