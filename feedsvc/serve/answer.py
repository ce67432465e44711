"""Method, target and headers → answer: pure, and nothing else can follow from a request (serving V)."""

import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

from feedsvc.patterns import pattern
from feedsvc.serve.documents import Held, Shelf, Variant
from feedsvc.serve.negotiate import coding, instant, tags
from feedsvc.serve.reply import Answer, said

METHODS = frozenset({"GET", "HEAD"})
_AUTHORITY = pattern(r"https?://[^/?#]*", re.IGNORECASE)
_PLAIN = pattern(r"/[A-Za-z0-9._~/-]*")
_BROKEN_ESCAPE = pattern(r"%(?![0-9A-Fa-f]{2})|%2[Ff]")
_BRIEFLY = ("Cache-Control", "public, max-age=60")

NOT_ALLOWED = said(405, "Only GET and HEAD.", ("Allow", "GET, HEAD"))
NOT_FOUND = said(404, "Not found.", _BRIEFLY)
GONE = said(410, "This feed is no longer published.", _BRIEFLY)
NO_CODING = said(406, "Not published in a coding that the request accepts.", ("Vary", "Accept-Encoding"), _BRIEFLY)


def respond(method: str, target: str, headers: Mapping[str, str], shelf: Shelf) -> Answer:
    """Answer a request from a shelf; `headers` by name in lower case, several of one name joined by a comma.

    Only Accept-Encoding, If-None-Match and If-Modified-Since are looked at (V-17); a Range gets the whole (V-07).
    """
    if method not in METHODS:
        return NOT_ALLOWED
    path = _path(target)
    held = shelf.documents.get(path)
    answer = _document(held, headers) if held else _elsewhere(path, shelf)
    return answer if method == "GET" else answer.bare()


def _path(target: str) -> str:
    """Return the path of a request target, decoded once; "" for what no document can have."""
    path = target.partition("?")[0]
    if not path.startswith("/"):
        found = _AUTHORITY.match(path)  # absolute form (RFC 9112 §3.2.2); the host in it is not looked at
        path = path[found.end() :] or "/" if found else ""
    if _PLAIN.fullmatch(path):
        return path
    if _BROKEN_ESCAPE.search(path):
        return ""
    try:
        return unquote_to_bytes(path).decode()
    except UnicodeDecodeError:
        return ""


def _document(held: Held, headers: Mapping[str, str]) -> Answer:
    chosen = coding(headers.get("accept-encoding"), held.offered)
    variant = held.variants[chosen] if chosen else None
    known = headers.get("if-none-match")
    if known is not None:
        same = _same(known, held, variant)
        if same:
            return same.unchanged
    elif "if-modified-since" in headers:
        since = instant(headers["if-modified-since"])
        if variant and since is not None and held.modified <= since:
            return variant.unchanged
    return variant.found if variant else NO_CODING


def _same(known: str, held: Held, variant: Variant | None) -> Variant | None:
    """Return the variant that the client holds: of any coding, the chosen one first (V-01)."""
    if variant and (known == variant.tag or known.strip() == "*"):
        return variant
    found = tags(known)
    if variant and variant.tag in found:
        return variant
    return next((held.tags[tag] for tag in found if tag in held.tags), None)


def _elsewhere(path: str, shelf: Shelf) -> Answer:
    return shelf.moved.get(path) or (GONE if path in shelf.memory.left else NOT_FOUND)
