"""The links of a feed's own documents, in the order in which each format says them."""

from collections.abc import Iterator
from typing import NamedTuple

from feedsvc.model import Feed

MEDIA_TYPES = {"atom": "application/atom+xml", "rss": "application/rss+xml", "json": "application/feed+json"}


class Link(NamedTuple):
    """A link as Atom knows it."""

    rel: str
    href: str
    type: str | None = None


def of_feed(feed: Feed, own: str) -> tuple[Link, ...]:
    """Return self, the page, the twins in other formats, the hubs, the archives (A2, K3, P1); `own` is the format."""
    twins = (Link("alternate", url, MEDIA_TYPES[name]) for name, url in feed.urls.items() if name != own)
    return (
        Link("self", feed.urls[own], MEDIA_TYPES[own]),
        Link("alternate", feed.home, "text/html"),
        *twins,
        *(Link("hub", hub) for hub in feed.hubs),
        *_walk(feed, own),
    )


def _walk(feed: Feed, own: str) -> Iterator[Link]:
    """Yield the way from a feed to its archives and back, in one format (RFC 5005 §4)."""
    for rel, other in (("current", feed.current), ("prev-archive", feed.older), ("next-archive", feed.newer)):
        if other:
            yield Link(rel, other.urls[own], MEDIA_TYPES[own])
