"""Addresses: resolved, spelled one way, compared; nothing here asks the network.

Every address that leaves this module is ASCII, percent-encoded once, without blanks and without a user's name.
"""

import re
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import quote, unquote, urljoin

import idna

from feedsvc.patterns import pattern
from feedsvc.text.characters import xml_text
from feedsvc.text.names import foreign_id, is_absolute_uri, is_feed_id, minted_id, slugify

__all__ = [
    "absolute",
    "canonical",
    "foreign_id",
    "is_absolute_uri",
    "is_feed_id",
    "minted_id",
    "normal_url",
    "slugify",
    "without_user",
]

_SCHEME = pattern(r"([A-Za-z][A-Za-z0-9+.-]*+):")
# Most addresses are spelled as they leave here: lower-case host, plain path without dots.
_USUAL = pattern(r"https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,3}[a-z]{2,20}(?:/(?!\.)[A-Za-z0-9_~.-]*+)++")
# Most relative ones are paths from the root, without dots and empty segments.
_ROOTED = pattern(r"(?:/(?![./])[A-Za-z0-9_~.-]*+)++")
_FIRST_SEGMENT = pattern(r"[^/?#]*+")
_PARTS = pattern(r"(https?)://([^/?#]*+)([^?#]*+)(\?[^#]*+)?(#.*)?", re.IGNORECASE | re.DOTALL)
_AUTHORITY = pattern(r"(\[[0-9A-Fa-f:.]+\]|[^:@\[\]]+)(?::([0-9]{0,5}))?")
_PLAIN_LABELS = pattern(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?")
_USER = pattern(r"//(?:[^/?#\s@]*+@)+")
_LONE_PERCENT = pattern(r"%(?![0-9A-Fa-f]{2})")
_ENCODED = pattern(r"%([0-9A-Fa-f]{2})")
_FAR_BYTES = pattern(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_EDGES = "\ufeff\u200b"
_PATH = "/:@!$&'()*+,;=~%"
_QUERY = _PATH + "?"
_PORTS = {"http": 80, "https": 443}
_MOST = 1024
"""So many of the last addresses are remembered: a document names the same ones again and again."""

_TRACKING = pattern(r"(?:utm_\w*|mc_\w*|fbclid|gclid|ref|source)", re.IGNORECASE)


def absolute(base: str, reference: str) -> str | None:
    """Return a reference resolved against an http(s) base, as a browser would; http, https and mailto only, else None.

    White space around it and line ends inside go; a backslash is no slash here and refuses it (C1, LI-03, S-20).
    """
    if _USUAL.fullmatch(reference):
        return reference
    if _ROOTED.fullmatch(reference) and (root := _root(base)):
        return root + reference
    reference = _trimmed(reference)
    scheme = _SCHEME.match(reference)
    if scheme is None:
        first = _FIRST_SEGMENT.match(reference)
        if first is None or ":" in first[0]:
            return None
        return _normal(_join(base, reference))
    if scheme[1].lower() == "mailto":
        address = _encoded(reference[scheme.end() :], _QUERY)
        return f"mailto:{address}" if address else None
    return _normal(reference)


def normal_url(text: str) -> str | None:
    """Return one http(s) address, trimmed, host in ASCII, percent-encoded once; else None (LI-03, S-01)."""
    return _normal(_trimmed(text))


def without_user(text: str) -> str:
    """Return an address as messages show it: whatever it is, no user name and no password is in it (S-36)."""
    return _USER.sub("//…@", text)


@lru_cache(maxsize=_MOST)
def canonical(url: str) -> str:
    """Return the key under which two addresses of one story are equal (MG-01).

    Scheme, `www.`, default port, trailing slash, fragment, order and tracking parameters are set aside.
    """
    parts = _PARTS.fullmatch(normal_url(url) or "")
    if parts is None:
        return url.strip()
    host = parts[2].removeprefix("www.") if parts[2].count(".") > 1 else parts[2]
    pairs = [pair for pair in (parts[4] or "?")[1:].split("&") if pair and not _TRACKING.fullmatch(pair.split("=")[0])]
    key = f"//{host}{parts[3].rstrip('/')}" + (f"?{'&'.join(sorted(pairs))}" if pairs else "")
    return _ENCODED.sub(_decoded_where_equal, key)


@lru_cache(maxsize=_MOST)
def _root(base: str) -> str | None:
    """Return an address without path, as it is spelled once; None where it has no host."""
    parts = _PARTS.fullmatch(base)
    root = _normal(f"{parts[1]}://{parts[2]}") if parts else None
    return root.removesuffix("/") if root else None


def _trimmed(text: str) -> str:
    """Return an address without what browsers take away first: blanks and controls around, line ends inside."""
    text = xml_text(text).strip().strip(_EDGES).strip()
    return text.replace("\n", "").replace("\r", "").replace("\t", "")


def _join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


def _normal(url: str) -> str | None:
    parts = _PARTS.fullmatch(url)
    if parts is None or "\\" in parts[2] + parts[3]:
        return None
    scheme = parts[1].lower()
    place = _place(scheme, parts[2])
    if place is None:
        return None
    query = "?" + _encoded(parts[4][1:], _QUERY) if parts[4] else ""
    fragment = "#" + _encoded(parts[5][1:], _QUERY) if parts[5] else ""
    return f"{scheme}://{place}{_without_dots(_encoded(parts[3], _PATH)) or '/'}{query}{fragment}"


def _place(scheme: str, authority: str) -> str | None:
    """Return host and port as they are spelled once: lower case, ASCII, no default port; None without a valid host."""
    parts = _AUTHORITY.fullmatch(authority)
    host = _host(parts[1]) if parts else None
    if parts is None or host is None:
        return None
    port = int(parts[2]) if parts[2] else _PORTS[scheme]
    if not 0 < port < 65536:
        return None
    return host if port == _PORTS[scheme] else f"{host}:{port}"


@lru_cache(maxsize=_MOST)
def _host(text: str) -> str | None:
    if text.startswith("["):
        return _ipv6(text)
    # Markdown encodes a name as it does a path; letters of ASCII that are encoded are there to deceive.
    text = _FAR_BYTES.sub(lambda found: unquote(found[0]), text)
    host = text.lower()
    if not host.isascii():
        try:
            host = idna.encode(text, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return None
    if len(host) > 253 or max(map(len, host.split("."))) > 63:
        return None
    return host if _PLAIN_LABELS.fullmatch(host) else None


def _ipv6(text: str) -> str | None:
    try:
        return f"[{IPv6Address(text[1:-1])}]"
    except ValueError:
        return None


def _encoded(text: str, safe: str) -> str:
    """Return the text percent-encoded; what is encoded already stays, a lone `%` is encoded too."""
    return quote(_LONE_PERCENT.sub("%25", text), safe=safe)


def _without_dots(path: str) -> str:
    """Return a path without `.` and `..` (RFC 3986 5.2.4)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _decoded_where_equal(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character.isascii() and (character.isalnum() or character in "-._~") else found[0].upper()
