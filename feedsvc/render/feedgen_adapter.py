"""feedgen behind one door: the one module that imports it (pinned 1.0.0; tests/render/test_feedgen_traps.py).

feedgen writes what it writes rightly. What it can't say, one feed extension and one entry extension put into the tree
that it made, before it is serialised. Each format gets a generator of its own, since setters of one format overwrite
those of the other.
"""

import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from feedgen.ext.base import BaseEntryExtension, BaseExtension
from feedgen.feed import FeedGenerator
from msgspec import Struct

from feedsvc.model import Enclosure, Feed, Item, Person
from feedsvc.render.xml import HISTORY, Element, spelled

# formatRFC2822 sets the locale of the whole process and sets it back: two at once would leave it changed (D6).
_LOCK = threading.Lock()

_new_generator: Callable[[], Any] = FeedGenerator  # feedgen has no types


class Said(Struct, frozen=True):
    """What feedgen is told of an entry; empty where the format says nothing, or says it by itself."""

    title: str
    summary: str = ""
    content: str = ""
    authors: tuple[Person, ...] = ()
    enclosure: Enclosure | None = None


class Dialect(Struct, frozen=True):
    """What an XML format adds to feedgen: its namespaces, what an entry says, and what is mended in the tree."""

    namespaces: Mapping[str, str]
    said: Callable[[Feed, Item], Said]
    mend_feed: Callable[[Feed, Element], None]
    mend_entry: Callable[[Item, Element], None]


def atom(feed: Feed, dialect: Dialect) -> bytes:
    """Return the Atom document of a feed: the same bytes for the same feed, in any thread and locale."""
    generator = _generator(feed, feed.urls["atom"], dialect)
    if feed.authors:
        generator.author([_person(author) for author in feed.authors])
    if feed.description:
        generator.subtitle(feed.description)
    if feed.icon:
        generator.icon(feed.icon)
    if feed.logo:
        generator.logo(feed.logo)
    return spelled(_locked(lambda: generator.atom_str(pretty=True)))


def rss(feed: Feed, image: str | None, dialect: Dialect) -> bytes:
    """Return the RSS 2.0 document of a feed; `image` is the picture of the channel."""
    generator = _generator(feed, feed.urls["rss"], dialect)
    generator.docs("")
    generator.description(feed.description or feed.title)
    if feed.ttl:
        generator.ttl(feed.ttl)
    if image:
        generator.image(image, title=feed.title, link=feed.home)
    return spelled(_locked(lambda: generator.rss_str(pretty=True)))


def _locked(write: Callable[[], bytes]) -> bytes:
    with _LOCK:
        return write()


class _FeedExtension(BaseExtension):
    """Declares the namespaces and mends the head; feedgen calls it before it adds the entries."""

    feed: Feed
    dialect: Dialect

    def extend_ns(self) -> dict[str, str]:
        return {**self.dialect.namespaces, **({"fh": HISTORY} if self.feed.current else {})}

    def extend_atom(self, feed: Element) -> Element:
        self.dialect.mend_feed(self.feed, feed)
        return feed

    extend_rss = extend_atom


class _EntryExtension(BaseEntryExtension):
    """Mends one entry, after feedgen has written it."""

    item: Item
    dialect: Dialect

    def extend_atom(self, feed: Element) -> Element:
        self.dialect.mend_entry(self.item, feed)
        return feed

    extend_rss = extend_atom


def _generator(feed: Feed, own: str, dialect: Dialect) -> Any:
    """Return a generator that knows all that both formats say; `own` is the address of the document."""
    generator = _new_generator()
    generator.register_extension("feedsvc", _FeedExtension, _EntryExtension)
    generator.feedsvc.feed, generator.feedsvc.dialect = feed, dialect
    generator.id(feed.id)
    generator.title(feed.title)
    generator.updated(_instant(feed.updated))
    generator.language(feed.lang)
    generator.generator("feedsvc")
    if feed.rights:
        generator.rights(feed.rights)
    generator.link(href=own, rel="self")
    generator.link(href=feed.home, rel="alternate")  # last: RSS takes the last one for the site
    for item in feed.items:
        _add(generator, feed, item, dialect)
    return generator


def _add(generator: Any, feed: Feed, item: Item, dialect: Dialect) -> None:
    made = generator.add_entry(order="append")
    made.feedsvc.item, made.feedsvc.dialect = item, dialect
    entry, said = item.entry, dialect.said(feed, item)
    made.id(entry.id)
    made.title(said.title)
    made.updated(_instant(entry.updated))
    made.published(_instant(entry.published))
    if entry.link:
        made.link(href=entry.link, rel="alternate")
    if said.authors:
        made.author([_person(author) for author in said.authors])
    if entry.tags:
        made.category([{"term": tag} for tag in entry.tags])
    _add_texts(made, said)
    _add_media(made, item, said)


def _add_texts(made: Any, said: Said) -> None:
    """Say the texts, summary first: in RSS they become description and content:encoded, in that order (S4)."""
    if said.summary:
        made.summary(said.summary, type="html")
    if said.content:
        made.content(said.content, type="html")


def _add_media(made: Any, item: Item, said: Said) -> None:
    if said.enclosure:
        made.enclosure(said.enclosure.url, str(said.enclosure.length or 0), said.enclosure.type)
    if item.entry.origin and item.entry.origin.url:
        made.source(item.entry.origin.url, item.entry.origin.title or item.entry.origin.url)


def _person(author: Person) -> dict[str, str]:
    fields = {"name": author.name, "email": author.email, "uri": author.url}
    return {key: value for key, value in fields.items() if value}


def _instant(moment: datetime) -> datetime:
    """Return the moment as feedgen needs it: aware, UTC, whole seconds (D5)."""
    return moment.astimezone(UTC).replace(microsecond=0)
