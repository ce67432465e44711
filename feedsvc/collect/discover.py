"""From what a person types, or a page says, to the address of a feed (SO-01 to SO-03)."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlsplit

from msgspec import Struct

from feedsvc.collect.charset import Decoded, decode
from feedsvc.collect.found import Received
from feedsvc.collect.titles import one_line
from feedsvc.collect.xmltree import Element, page
from feedsvc.patterns import pattern
from feedsvc.text.urls import absolute, normal_url

_KINDS = {
    "application/atom+xml": 0,
    "application/feed+json": 1,
    "application/json": 1,
    "application/rss+xml": 2,
    "application/rdf+xml": 2,
    "application/xml": 2,
    "text/xml": 2,
}
"""Type of a link → its rank: Atom, then JSON, then RSS."""

_ASIDE = pattern(r"\bcomments?\b|\boembed\b|wp-json", re.IGNORECASE)
_NOT_SHOWN = frozenset({"template", "script", "style", "noscript", "textarea", "svg", "math"})
_FEED_SCHEME = pattern(r"feed:(?://)?(?=https?://)|feed:(?=//)", re.IGNORECASE)
_BARE = pattern(r"[\w-]+(?:\.[\w-]+)+(?::[0-9]+)?(?:[/?#].*)?", re.DOTALL)


class Candidate(Struct, frozen=True):
    """A feed that a page names. `aside`: of comments, of an embedding service, or in another language than the page."""

    url: str
    title: str
    rank: int
    aside: bool


def asked_address(text: str) -> str | None:
    """Return the address that a person means: `feed:` forms, `&amp;`, blanks and letters of any script are fine.

    None where there is no http or https address in it (SO-01).
    """
    text = _FEED_SCHEME.sub("", unescape(text.strip()) if "&amp;" in text else text.strip())
    if text.startswith("//"):
        text = f"http:{text}"
    if "://" not in text and _BARE.fullmatch(text):
        text = f"https://{text}"
    return normal_url(text)


def candidates(received: Received) -> tuple[Candidate, ...]:
    """Return the feeds that a page names, the best first, each address once (SO-02)."""
    decoded = decode(received)
    root = page(decoded.text) if isinstance(decoded, Decoded) and "<" in decoded.text else None
    if root is None:
        return ()
    base = _base(root, received.url)
    spoken = _primary(root.get("lang", ""))
    found: dict[str, Candidate] = {}
    for link in _links(root):
        url = absolute(base, link.get("href", ""))
        if url is not None and url.startswith("http"):
            found.setdefault(url, _candidate(link, url, spoken))
    return tuple(sorted(found.values(), key=lambda one: (one.aside, one.rank)))


def _links(root: Element) -> Iterator[Element]:
    """Yield links to feeds: `rel` holds alternate as one of its words, in any case, and the type is that of a feed."""
    for link in root.iter("link"):
        words = link.get("rel", "").lower().split()
        kind = link.get("type", "").partition(";")[0].strip().lower()
        hidden = any(step.tag in _NOT_SHOWN for step in link.iterancestors())
        if "alternate" in words and "stylesheet" not in words and kind in _KINDS and link.get("href") and not hidden:
            yield link


def _candidate(link: Element, url: str, spoken: str) -> Candidate:
    title = one_line(link.get("title", ""))
    language = _primary(link.get("hreflang", ""))
    parts = urlsplit(url)
    aside = bool(_ASIDE.search(title) or _ASIDE.search(f"{parts.path}?{parts.query}"))
    strange = bool(language) and language not in (spoken, "x")
    return Candidate(url, title, _KINDS[link.get("type", "").partition(";")[0].strip().lower()], aside or strange)


def _base(root: Element, url: str) -> str:
    """Return what addresses of a page resolve against: its first `<base>`, against the address that answered."""
    first = next((one for one in root.iter("base") if one.get("href")), None)
    stated = None if first is None else absolute(url, first.get("href", ""))
    return stated if stated and stated.startswith("http") else url


def _primary(language: str) -> str:
    return language.strip().lower().replace("_", "-").partition("-")[0]
