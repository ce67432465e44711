"""What a document of a source says, read once: plain frozen values, the same whichever reader read it.

    Received ──guard──▶ ParsedFeed   a feed: its channel, its entries, its hints
                    └─▶ Unread       no feed, or one that must not be read; the poll failed

Found is an entry as its document says it: nothing here knows what was stored before, nor what time it is. Dates are
texts (identity reads them, for it knows the zone and the clock); everything else is ready to be published: titles and
names plain text, addresses absolute, HTML clean.
"""

from enum import StrEnum

from msgspec import Struct, field

from feedsvc.collect.pollstate import FeedHints
from feedsvc.model import Diagnostic, Enclosure, Level, Person, Text


class Kind(StrEnum):
    """What a document is; its root decides (DX-01)."""

    RSS = "rss"
    RDF = "rdf"
    ATOM = "atom"
    JSON = "json"


class Received(Struct, frozen=True):
    """A body that arrived: `url` is the address that finally answered, `name` what diagnostics call the source.

    `media_type` is the Content-Type with its parameters, "" for none; only its charset is listened to (F-52).
    """

    name: str
    url: str
    body: bytes
    media_type: str = ""


class FoundOrigin(Struct, frozen=True):
    """The feed that an entry says it comes from: Atom `source`, RSS `source` (MG-06). What it does not say is ""."""

    id: str = ""
    title: str = ""
    url: str = ""
    home: str = ""
    updated: str = ""
    authors: tuple[Person, ...] = ()
    rights: str = ""


class FoundChannel(Struct, frozen=True):
    """What a document says of its feed; `id` raw, `url` what it calls its own address, `home` its site, `topic` self.

    `updated` is a date as text, and empty for RSS, whose build date moves with every build.
    """

    id: str = ""
    title: str = ""
    url: str = ""
    home: str = ""
    updated: str = ""
    authors: tuple[Person, ...] = ()
    rights: str = ""
    lang: str | None = None
    hubs: tuple[str, ...] = ()
    description: str = ""


class Found(Struct, frozen=True):
    """An entry as its document says it.

    `id` is the raw id, trimmed, "" where there is none (ID-01). `published` and `updated` are dates as texts, in the
    order in which they are believed (DT-09). `place` counts from 0 in the document. `text` is clean.
    """

    id: str
    link: str | None
    title: str | None
    text: Text
    published: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    authors: tuple[Person, ...] = ()
    tags: tuple[str, ...] = ()
    lang: str | None = None
    image: str | None = None
    enclosures: tuple[Enclosure, ...] = ()
    origin: FoundOrigin | None = None
    place: int = 0


class ParsedFeed(Struct, frozen=True):
    """A document that is a feed.

    `fault` is not "" where its entries may be taken and the poll counts as failed all the same: the document was cut
    short (X-07); then absence says nothing and no validators are kept.
    """

    kind: Kind
    channel: FoundChannel
    entries: tuple[Found, ...]
    hints: FeedHints = field(default_factory=FeedHints)
    warnings: tuple[Diagnostic, ...] = ()
    fault: str = ""


class Unread(Struct, frozen=True):
    """A body of which nothing is read on: a short code, one of CODES, and the same in plain words."""

    code: str
    message: str


CODES = {
    "empty": "a body without anything in it",
    "no-feed": "something else than a feed: a web page, another document",
    "bad-encoding": "declared in an encoding that is not read (X-01)",
    "bomb": "a document that is made to take time or memory (X-02, X-03)",
    "malformed": "a document that no reader can make sense of",
    "too-much": "a document that took more time or memory than a reader gets (X-04)",
}
"""Code of an Unread → what it means."""


def remark(name: str, message: str, code: str) -> Diagnostic:
    """Return a warning about a source, which `name` names (SO-11)."""
    return Diagnostic(name, None, Level.WARNING, message, code)
