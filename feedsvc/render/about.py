"""What the pages around the feeds show: the list of sources, and how to subscribe."""

from datetime import datetime, tzinfo
from typing import Literal
from urllib.parse import urljoin

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.model import Feed, Related
from feedsvc.render.links import MEDIA_TYPES
from feedsvc.render.relative import relative, root, web
from feedsvc.render.views import FORMATS, Link, Site, View, When, view, when

GROUPS = {"main": "Feeds", "topic": "By topic", "tag": "By tag", "author": "By author"}


class Source(Struct, frozen=True):
    """A source as its list shows it: `words` say in a sentence how it is doing, `state` gives that a colour."""

    title: str
    url: str
    home: str
    state: Literal["well", "waiting", "failing", "off"]
    words: str
    newest: datetime | None = None


class SourceRow(Struct, frozen=True):
    """A source as the template takes it."""

    home: Link
    feed: str
    state: str
    words: str
    newest: When | None


class Offer(Struct, frozen=True):
    """A feed that one can subscribe to: its page, and its documents with the whole address as their title."""

    page: Link
    formats: tuple[Link, ...]


def around(feed: Feed, site: Site, name: str, title: str) -> View:
    """Return what a page called `name`, at the top of the output folder, shows around its own text."""
    top = urljoin(feed.page, root(feed.path) or "./")
    moved = replace(feed, path="", page=top + name, kind="", items=(), related=_all(feed))
    home = Link(site.title, web(site.url))
    return replace(view(moved, site), title=f"{title} · {site.title}", home=home, description="")


def rows(sources: tuple[Source, ...], zone: tzinfo) -> tuple[SourceRow, ...]:
    """Return the sources in their order, each with its date in words."""
    return tuple(
        SourceRow(
            home=Link(source.title, web(source.home)),
            feed=web(source.url),
            state=source.state,
            words=source.words,
            newest=when(source.newest, zone) if source.newest else None,
        )
        for source in sources
    )


def offers(feed: Feed, page: str) -> tuple[tuple[str, tuple[Offer, ...]], ...]:
    """Return all feeds by kind as a page at the address `page` offers them; the main ones with their addresses.

    Of the others the page alone is named, where their addresses stand: there may be hundreds.
    """
    feeds = _all(feed)
    grouped = ((name, tuple(_offer(one, page) for one in feeds if one.kind == kind)) for kind, name in GROUPS.items())
    return tuple((name, group) for name, group in grouped if group)


def _all(feed: Feed) -> tuple[Related, ...]:
    """Return the related feeds with the feed itself, which may be one of them already."""
    itself = feed.related_as(feed.label or feed.title)
    known = any(other.page == feed.page for other in feed.related)
    return feed.related if known else (itself, *feed.related)


def _offer(feed: Related, page: str) -> Offer:
    formats = feed.urls.items() if feed.kind == "main" else ()
    return Offer(
        Link(feed.title if feed.kind == "main" else feed.label, relative(page, feed.page)),
        tuple(Link(FORMATS[name], relative(page, url), title=url, type=MEDIA_TYPES[name]) for name, url in formats),
    )
