"""A feed as RSS 2.0 with the Best Practices Profile: bytes for `rss.xml`."""

import re
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from feedsvc.model import Enclosure, Feed, Item
from feedsvc.patterns import pattern
from feedsvc.render import feedgen_adapter, shown
from feedsvc.render.feedgen_adapter import Dialect, Said
from feedsvc.render.links import of_feed
from feedsvc.render.xml import ATOM, DC, HISTORY, LANG, MEDIA, Element, child, style
from feedsvc.text.addresses import absolute_fragments

# The validator takes no host of one name, such as `https://media/`, for the address of an enclosure (OU-03).
_FULL = pattern(r"https?://(?:[a-z0-9-]+\.)+[a-z0-9][a-z0-9-]*+(?::[0-9]+)?(?:/|$)", re.IGNORECASE)
_PICTURES = (".png", ".gif", ".jpg", ".jpeg", "")


def render(feed: Feed) -> bytes:
    """Return the RSS document of a feed (S1-S8)."""
    feed = shown.ready(feed)
    return feedgen_adapter.rss(feed, _picture(feed), _DIALECT)


def _picture(feed: Feed) -> str | None:
    """Return the channel's image: readers know GIF, JPEG and PNG (S7)."""
    known = (url for url in (feed.logo, feed.icon) if url and _suffix(url) in _PICTURES)
    return next(known, None)


def _suffix(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).suffix.lower()


def _said(feed: Feed, item: Item) -> Said:
    """Return what an item says: a title, or a description where it has none (TI-05, RSS 2.0)."""
    title, description = shown.title(item), _html(shown.teaser(item), item)
    if not title and not description:
        description = shown.pointer(feed, item)
    return Said(title, description, _html(shown.content(item), item), enclosure=_enclosure(item))


def _html(html: str, item: Item) -> str:
    """Return HTML whose fragments lead to the entry's page: RSS has no base to resolve them against (C2)."""
    link = item.entry.link
    return absolute_fragments(html, link) if link else html


def _enclosure(item: Item) -> Enclosure | None:
    """Return the one enclosure that readers take: the first whose type is known, at a full address (S5, EC-03)."""
    return next((each for each in item.entry.enclosures if each.type and _FULL.match(each.url)), None)


def _mend_feed(feed: Feed, root: Element) -> None:
    channel = root[0]
    own = next(found for found in channel if found.tag == f"{{{ATOM}}}link")
    for link in reversed(of_feed(feed, "rss")[2:]):
        own.addnext(child(channel, f"{{{ATOM}}}link", rel=link.rel, type=link.type, href=link.href))
    own.set("type", "application/rss+xml")
    if feed.current:
        own.addprevious(child(channel, f"{{{HISTORY}}}archive"))
    if feed.style:
        style(root, feed.style)


def _mend_entry(item: Item, root: Element) -> None:
    entry = item.entry
    if entry.lang:
        root.set(LANG, entry.lang)
    for author in entry.authors:
        child(root, f"{{{DC}}}creator", author.name)
    if entry.image:
        child(root, f"{{{MEDIA}}}content", url=entry.image, medium="image")


_DIALECT = Dialect({"dc": DC, "media": MEDIA}, _said, _mend_feed, _mend_entry)
