"""The links of a feed's own documents, in the order in which each format says them."""

from typing import NamedTuple

from feedsvc.model import Feed

MEDIA_TYPES = {"atom": "application/atom+xml", "rss": "application/rss+xml", "json": "application/feed+json"}


class Link(NamedTuple):
    """A link as Atom knows it."""

    rel: str
    href: str
    type: str | None = None


def of_feed(feed: Feed, own: str) -> tuple[Link, ...]:
    """Return self, the page, the twins in other formats and the hubs (A2, K3); `own` is the format that asks."""
    twins = (Link("alternate", url, MEDIA_TYPES[name]) for name, url in feed.urls.items() if name != own)
    return (
        Link("self", feed.urls[own], MEDIA_TYPES[own]),
        Link("alternate", feed.home, "text/html"),
        *twins,
        *(Link("hub", hub) for hub in feed.hubs),
    )
