"""What a reader takes out of a document, before anything of it is cleaned: the one form that all readers write.

    lxml tree ─ rssreader, atomreader ─┐
    JSON ──────── jsonreader ──────────┼─▶ RawFeed ──finish──▶ ParsedFeed
    feedparser ── loose ───────────────┘

Because all pass through here, a source that moves from one reader to another keeps the identity of its entries.
"""

from dataclasses import dataclass, field
from enum import Enum

from feedsvc.collect.found import Kind
from feedsvc.collect.pollstate import FeedHints


class Form(Enum):
    """How a text is written: plain, HTML, or nobody says (RSS titles, TI-02)."""

    TEXT = "text"
    HTML = "html"
    UNSAID = "unsaid"


@dataclass(frozen=True, slots=True)
class Part:
    """A text as it was written; `base` is what its addresses resolve against, "" where nothing was stated (LI-05)."""

    value: str
    form: Form
    base: str = ""


@dataclass(frozen=True, slots=True)
class Ref:
    """An address as it was written, and what it resolves against."""

    href: str
    base: str


@dataclass(frozen=True, slots=True)
class RawEnclosure:
    """A media file as it was written."""

    ref: Ref
    type: str = ""
    length: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class RawPerson:
    """An author as written: `name` may be a mail address, or hold one."""

    name: str
    uri: Ref | None = None


@dataclass(frozen=True, slots=True)
class RawChannel:
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


@dataclass(frozen=True, slots=True)
class RawEntry:
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


@dataclass(frozen=True, slots=True)
class RawFeed:
    """A document; `dropped` are entries that its reader had to leave out, each said in words."""

    kind: Kind
    channel: RawChannel
    entries: tuple[RawEntry, ...]
    hints: FeedHints = field(default_factory=FeedHints)
    dropped: tuple[str, ...] = ()
