"""What the templates are given: a Feed spelled out in words, links and directions, with nothing left to decide.

These names are what a template of one's own can use; docs/pages.md lists them. All strings are plain text and are
escaped by the template; only `Card.teaser` is HTML, clean since text/clean.py.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from feedsvc.model import Enclosure, Entry, Feed, Item, Person, Related, Show
from feedsvc.render.links import MEDIA_TYPES
from feedsvc.render.relative import relative, root, web
from feedsvc.render.shown import ready
from feedsvc.text.teaser import is_right_to_left

MONTHS = "January February March April May June July August September October November December".split()
FORMATS = {"atom": "Atom", "rss": "RSS", "json": "JSON Feed"}
KINDS = {"tag": "Tag", "topic": "Topic", "author": "Author"}
FOREIGN_REL = "nofollow noopener noreferrer ugc"
MOST_TAGS = 8
LETTERS = {"L": "ltr", "R": "rtl", "AL": "rtl"}


class Site(Struct, frozen=True):
    """What a page says of the site around its feed.

    `zone` is where its dates are read off. `subscribe`, `sources` and `outlines` are the paths, below the output
    folder, of the page that explains feeds, of the list of sources and of feeds.opml: "" where there is none.
    """

    title: str
    url: str
    description: str = ""
    zone: tzinfo = UTC
    subscribe: str = ""
    sources: str = ""
    outlines: str = ""


class Link(Struct, frozen=True):
    """Something with a name and, where it leads anywhere, an address; `title` and `type` as HTML means them."""

    text: str
    href: str = ""
    title: str = ""
    type: str = ""
    current: bool = False


class When(Struct, frozen=True):
    """A date for machines (`2026-05-01T12:00:00Z`) and for people (`1 May 2026`)."""

    stamp: str
    words: str


class Card(Struct, frozen=True):
    """An entry of the page; `teaser` is clean HTML, "" where none may be shown."""

    title: Link
    rel: str
    lang: str
    dir: str
    published: When
    updated: When | None
    authors: tuple[Link, ...]
    source: Link | None
    teaser: str
    tags: tuple[Link, ...]
    copies: tuple[Link, ...]
    files: tuple[Link, ...]


class View(Struct, frozen=True):
    """A feed's page. `root` leads to the top of the output folder; `foreign` says that the page is not in English."""

    lang: str
    dir: str
    foreign: bool
    title: str
    heading: str
    kicker: str
    description: str
    canonical: str
    icon: str
    root: str
    home: Link
    updated: When
    formats: tuple[Link, ...]
    alternates: tuple[Link, ...]
    tabs: tuple[Link, ...]
    topics: tuple[Link, ...]
    tags: tuple[Link, ...]
    authors: tuple[Link, ...]
    footer: tuple[Link, ...]
    subscribe: str
    rights: str
    cards: tuple[Card, ...]
    older: Link | None
    newer: Link | None


class _Pages(Struct, frozen=True):
    """Pages of ours by what they are about, without case; a topic holds entries of every origin, a tag own posts."""

    here: str
    own: Mapping[str, str]
    foreign: Mapping[str, str]
    people: Mapping[str, str]

    def way(self, places: Mapping[str, str], label: str) -> str:
        page = places.get(label.casefold())
        return relative(self.here, page) if page else ""


def view(feed: Feed, site: Site) -> View:
    """Return a feed as its page shows it; every address of ours is relative to the page (G2, V-15)."""
    feed = ready(feed)
    top = root(feed.path)
    heading = feed.label if feed.kind in KINDS and feed.label else feed.title
    return View(
        lang=feed.lang,
        dir=direction(feed.lang),
        foreign=feed.lang.split("-")[0].lower() != "en",
        title=_window(feed, site),
        heading=heading,
        kicker=feed.label if feed.current else KINDS.get(feed.kind, ""),
        description=feed.description if feed.description != heading else "",
        canonical=web(feed.page),
        icon=web(feed.icon),
        root=top,
        home=Link(site.title, web(site.url)) if heading != site.title else Link(""),
        updated=when(feed.updated, site.zone),
        formats=tuple(_formats(feed)),
        alternates=tuple(_alternates(feed)),
        tabs=_tabs(feed),
        topics=_others(feed, "topic"),
        tags=_others(feed, "tag"),
        authors=_others(feed, "author"),
        footer=tuple(_footer(site, top)),
        subscribe=top + site.subscribe if site.subscribe else "",
        rights=feed.rights,
        cards=cards(feed, site.zone),
        older=_beside(feed, feed.older, "Older entries"),
        newer=_beside(feed, feed.newer or feed.current, "Newer entries"),
    )


def _window(feed: Feed, site: Site) -> str:
    title = feed.title if site.title in feed.title else f"{feed.title} · {site.title}"
    return f"{title} · {feed.label}" if feed.current else title


def cards(feed: Feed, zone: tzinfo) -> tuple[Card, ...]:
    """Return the entries of a feed as its page shows them, in the order of the feed."""
    pages = _pages(feed)
    return tuple(_card(item, pages, zone) for item in feed.items)


def _card(item: Item, pages: _Pages, zone: tzinfo) -> Card:
    """Return an entry as a page shows it; of one whose source allows the title alone, no text goes in (MG-13)."""
    entry, told = item.entry, item.show is not Show.TITLE
    published, updated = when(entry.published, zone), when(entry.updated, zone)
    source = Link(entry.origin.title, web(entry.origin.home)) if entry.origin else None
    authors = tuple(_author(person, pages) for person in entry.authors)
    return Card(
        title=Link(item.title or f"Note of {published.words}", web(entry.link)),
        rel="" if entry.own else FOREIGN_REL,
        lang=entry.lang or "",
        dir=direction(entry.lang, f"{item.title} {item.teaser.text if told else ''}"),
        published=published,
        updated=updated if updated.words != published.words else None,
        authors=tuple(author for author in authors if source is None or author.text != source.text),
        source=source,
        teaser=item.teaser.html if told else "",
        tags=_tags(entry, pages),
        copies=tuple(Link(copy.title, web(copy.link)) for copy in item.copies),
        files=tuple(_file(enclosure) for enclosure in entry.enclosures if told and web(enclosure.url)),
    )


def when(moment: datetime, zone: tzinfo) -> When:
    """Return an aware date for machines in UTC and for people in `zone`, in words that follow no locale (D6)."""
    stamp = moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    local = moment.astimezone(zone)
    return When(stamp, f"{local.day} {MONTHS[local.month - 1]} {local.year}")


def direction(lang: str | None, text: str = "") -> str:
    """Return `rtl` or `ltr`: as its language is written, where the text bears that out; else as its first letter runs.

    So an Arabic title that begins with "CUDA" runs to the left, and an English entry of an Arabic feed does not (T15).
    """
    ways = (LETTERS[kind] for kind in map(unicodedata.bidirectional, text) if kind in LETTERS)
    if is_right_to_left(lang):
        return "rtl" if "rtl" in (found := set(ways)) or not found else "ltr"
    return next(ways, "ltr")


def _formats(feed: Feed) -> Iterable[Link]:
    """Yield the documents of a feed; an archive's page offers those of its feed, for nothing new comes into it."""
    for name, address in (feed.current or feed).urls.items():
        words = FORMATS[name]
        yield Link(words, relative(feed.page, address), title=f"{feed.title} ({words})", type=MEDIA_TYPES[name])


def _alternates(feed: Feed) -> Iterable[Link]:
    """Each format of this feed, then each other feed once: in its first format, so that many tags stay light."""
    yield from _formats(feed)
    offered = (feed.current or feed).page
    for other in feed.related:
        name, address = next(iter(other.urls.items()), ("", ""))
        if name in FORMATS and other.page != offered:
            yield Link(other.label, relative(feed.page, address), title=other.title, type=MEDIA_TYPES[name])


def _tabs(feed: Feed) -> tuple[Link, ...]:
    """The main feeds, this one among them; none where there is nothing to choose between."""
    tabs = _others(feed, "main")
    if feed.kind == "main" and not any(tab.current for tab in tabs):
        tabs = (Link(feed.label or feed.title, "./", title=feed.title, current=True), *tabs)
    return tabs if [tab for tab in tabs if not tab.current] else ()


def _beside(feed: Feed, other: Related | None, words: str) -> Link | None:
    return Link(words, relative(feed.page, other.page), title=other.label) if other else None


def _others(feed: Feed, kind: str) -> tuple[Link, ...]:
    return tuple(_other(feed, other) for other in feed.related if other.kind == kind)


def _other(feed: Feed, other: Related) -> Link:
    current = other.page == feed.page
    return Link(other.label or other.title, relative(feed.page, other.page), title=other.title, current=current)


def _pages(feed: Feed) -> _Pages:
    by_kind = {kind: {one.label.casefold(): one.page for one in feed.related if one.kind == kind} for kind in KINDS}
    tags, topics = by_kind["tag"], by_kind["topic"]
    return _Pages(feed.page, own={**topics, **tags}, foreign={**tags, **topics}, people=by_kind["author"])


def _author(person: Person, pages: _Pages) -> Link:
    return Link(person.name, pages.way(pages.people, person.name) or web(person.url))


def _tags(entry: Entry, pages: _Pages) -> tuple[Link, ...]:
    """Return the tags that lead somewhere, then others, as many as a reader looks at."""
    places = pages.own if entry.own else pages.foreign
    links = [Link(tag, pages.way(places, tag)) for tag in entry.tags]
    return tuple(sorted(links, key=lambda link: not link.href)[:MOST_TAGS])


def _file(enclosure: Enclosure) -> Link:
    kind = (enclosure.type or "").split("/")[0]
    words = [kind if kind in {"audio", "video", "image"} else "file"]
    words += [_size(enclosure.length)] if enclosure.length else []
    name = unquote(urlsplit(enclosure.url).path.rsplit("/", 1)[-1], errors="ignore")
    return Link(enclosure.title or name or "File", enclosure.url, title=", ".join(words), type=enclosure.type or "")


def _size(length: int) -> str:
    """Return a length in words; of a small file in kB, for it would have 0.0 MB."""
    return f"{length / 1_000_000:.1f} MB" if length >= 100_000 else f"{max(length / 1000, 0.1):.1f} kB"


def _footer(site: Site, top: str) -> Iterable[Link]:
    named = (("How to subscribe", site.subscribe), ("All sources", site.sources), ("All feeds (OPML)", site.outlines))
    return (Link(words, top + path) for words, path in named if path)
