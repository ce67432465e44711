"""The frozen values that travel through the house; one Entry type from reading to writing.

Dates are aware, UTC, whole seconds. HTML is clean (text/clean.py) from the moment it is in one of these values.
Titles, names and tags are plain text: no markup, no entities, single blanks. Addresses are absolute http(s) URLs,
percent-encoded once.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from feedsvc.patterns import pattern

FEED_FILES: Mapping[str, str] = MappingProxyType({"atom": "atom.xml", "rss": "rss.xml", "json": "feed.json"})
"""Format of a feed, as the configuration names it → the file that it is published as."""

ARCHIVE = "archive"
"""The folder of a feed that holds its archive documents (RFC 5005 §4), each set in a folder called by its number."""
_IN_ARCHIVE = pattern(rf"(?:^|/)({ARCHIVE}/[0-9]+)/[^/]*\Z")


class Level(StrEnum):
    """How bad a diagnostic is: an error cost something, a warning did not."""

    ERROR = "error"
    WARNING = "warning"


class Diagnostic(Struct, frozen=True, order=True):
    """One thing that is wrong: where, what and what to do. Printed as `path:line: level: message [code]`."""

    path: str
    line: int | None
    level: Level
    message: str
    code: str

    def __str__(self) -> str:
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.level}: {self.message} [{self.code}]"


class Show(StrEnum):
    """How much of an entry a feed shows, from poor to rich."""

    TITLE = "title"
    TEASER = "teaser"
    FULL = "full"

    @property
    def richness(self) -> int:
        """Return 0, 1 or 2; of two wishes the poorer holds (interface, sources.content)."""
        return list(Show).index(self)


class Person(Struct, frozen=True):
    """An author: a name that is never blank, and what else is known."""

    name: str
    email: str = ""
    url: str = ""


class Enclosure(Struct, frozen=True):
    """A media file of an entry; `type` None when it cannot be known, `length` in bytes, None when unknown."""

    url: str
    type: str | None = None
    length: int | None = None
    title: str = ""


class Text(Struct, frozen=True):
    """The written part of an entry, as clean HTML.

    `summary`: the author's own teaser, inline HTML in a post of ours, "" when there is none. `lead`: what stands before
    the author's more-marker, None when there is no marker. `content`: all of it, "" when there is none.
    """

    content: str = ""
    summary: str = ""
    lead: str | None = None


class Origin(Struct, frozen=True):
    """Where a foreign entry came from: what Atom `source`, RSS `source` and JSON `_feedsvc.source` say (MG-05).

    `url` is the address of the feed, `home` of the site. `id` is an absolute URI.
    """

    id: str
    title: str
    url: str
    home: str = ""
    updated: datetime | None = None
    authors: tuple[Person, ...] = ()
    rights: str = ""


class Entry(Struct, frozen=True):
    """A post of ours or an entry of a source.

    `source` is the id of the source, "" for own posts; `key` the raw id within it (for own posts: the path in posts/
    without extension). `id` is what is published. `text` is None while the body has not been read: such an entry can
    be selected, not shown. `path` is the post's file as diagnostics name it (`posts/a.md`). `place` orders entries of
    one date: (source's place in the configuration, place in its document). `show` caps what any feed shows of it.
    `seen` is when the store had it first, None for what it does not have.
    """

    id: str
    key: str
    link: str | None
    title: str | None
    published: datetime
    updated: datetime
    source: str = ""
    text: Text | None = None
    authors: tuple[Person, ...] = ()
    tags: tuple[str, ...] = ()
    lang: str | None = None
    image: str | None = None
    enclosures: tuple[Enclosure, ...] = ()
    origin: Origin | None = None
    show: Show = Show.FULL
    path: str = ""
    place: tuple[int, int] = (0, 0)
    seen: datetime | None = None

    @property
    def own(self) -> bool:
        """Return whether this is one of our own posts."""
        return not self.source


class Teaser(Struct, frozen=True):
    """The short form of an entry.

    `html`: one `<p>` with inline markup, ending in the link `Read more` where there is more to read. `text`: the
    visible text without that link, with its `…` where words were cut. Both are "" where nothing is to be shown.
    """

    html: str
    text: str


class Copy(Struct, frozen=True):
    """The same story at another source (MG-01), for "also at"."""

    title: str
    link: str


class Item(Struct, frozen=True):
    """An entry as one feed shows it; `show` is the poorer of what the feed and the entry allow."""

    entry: Entry
    teaser: Teaser
    show: Show
    title: str
    copies: tuple[Copy, ...] = ()


class Related(Struct, frozen=True):
    """Another feed of ours, as pages, autodiscovery and outlines name it. `kind`: main, tag, author or topic."""

    kind: str
    label: str
    title: str
    page: str
    urls: Mapping[str, str]


class Feed(Struct, frozen=True):
    """A feed with everything its documents will say.

    `path` is its folder below the output folder, "" for the top. `home` is the site or page it describes; `page` the
    address of its index.html. `urls` maps a format's name (atom, rss, json) to the address of its document, in the
    configured order. `updated` is the newest of its items, never the clock (D10). `style` is the address of the style
    sheet of its XML documents, "" for none.

    `older` and `newer` are the archives next to it (RFC 5005 §4). One with `current`, which is the feed that people
    subscribe to, is an archive itself.
    """

    name: str
    kind: str
    id: str
    title: str
    path: str
    home: str
    page: str
    urls: Mapping[str, str]
    updated: datetime
    items: tuple[Item, ...]
    description: str = ""
    lang: str = "en"
    authors: tuple[Person, ...] = ()
    rights: str = ""
    icon: str = ""
    logo: str = ""
    hubs: tuple[str, ...] = ()
    ttl: int | None = None
    more: str = "Read more"
    label: str = ""
    related: tuple[Related, ...] = ()
    style: str = ""
    older: Related | None = None
    newer: Related | None = None
    current: Related | None = None

    def related_as(self, label: str = "") -> Related:
        """Return the feed as pages, autodiscovery and outlines name it, under another label where one is given."""
        return Related(self.kind, label or self.label, self.title, self.page, self.urls)


class Outline(Struct, frozen=True):
    """A source as `sources.opml` and the export list it."""

    id: str
    title: str
    url: str
    home: str = ""
    tags: tuple[str, ...] = ()


class Document(Struct, frozen=True):
    """A file to publish: path below the output folder with forward slashes, bytes, media type without parameters.

    `feed` is the name of the feed it belongs to ("" for site-wide files), `url` where it will be read.
    """

    path: str
    body: bytes
    media_type: str
    url: str
    feed: str = ""
    changed: datetime | None = None


def archive_in(path: str) -> str:
    """Return the part of a document's path that makes it one of an archive, such as `archive/3`, "" for any other."""
    found = _IN_ARCHIVE.search(path)
    return found[1] if found else ""
