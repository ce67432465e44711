"""What a reader takes out of a document, before anything of it is cleaned: the one form that all readers write.

    lxml tree ─ rssreader, atomreader ─┐
    JSON ──────── jsonreader ──────────┼─▶ RawFeed ──finish──▶ ParsedFeed
    feedparser ── loose ───────────────┘

Because all pass through here, a source that moves from one reader to another keeps the identity of its entries.
"""

from enum import Enum

from msgspec import Struct, field

from feedsvc.collect.found import Kind
from feedsvc.collect.pollstate import FeedHints


class Form(Enum):
    """How a text is written: plain, HTML, or nobody says (RSS titles, TI-02)."""

    TEXT = "text"
    HTML = "html"
    UNSAID = "unsaid"


class Part(Struct, frozen=True):
    """A text as it was written; `base` is what its addresses resolve against, "" where nothing was stated (LI-05)."""

    value: str
    form: Form
    base: str = ""


class Ref(Struct, frozen=True):
    """An address as it was written, and what it resolves against."""

    href: str
    base: str


class RawEnclosure(Struct, frozen=True):
    """A media file as it was written."""

    ref: Ref
    type: str = ""
    length: str = ""
    title: str = ""


class RawPerson(Struct, frozen=True):
    """An author as written: `name` may be a mail address, or hold one."""

    name: str
    uri: Ref | None = None


class RawChannel(Struct, frozen=True):
    """A feed, or the source of an entry. `url` is the address of the feed, `home` of the site."""

    id: str = ""
    title: Part | None = None
    url: Ref | None = None
    home: Ref | None = None
    updated: str = ""
    authors: tuple[RawPerson, ...] = ()
    rights: Part | None = None
    lang: str = ""
    hubs: tuple[Ref, ...] = ()
    description: Part | None = None


class RawEntry(Struct, frozen=True):
    """An entry; which of several elements counts has been decided, nothing else."""

    id: str = ""
    link: Ref | None = None
    title: Part | None = None
    content: Part | None = None
    summary: Part | None = None
    published: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    authors: tuple[RawPerson, ...] = ()
    tags: tuple[str, ...] = ()
    lang: str = ""
    images: tuple[Ref, ...] = ()
    enclosures: tuple[RawEnclosure, ...] = ()
    origin: RawChannel | None = None


class RawFeed(Struct, frozen=True):
    """A document; `dropped` are entries that its reader had to leave out, each said in words."""

    kind: Kind
    channel: RawChannel
    entries: tuple[RawEntry, ...]
    hints: FeedHints = field(default_factory=FeedHints)
    dropped: tuple[str, ...] = ()
