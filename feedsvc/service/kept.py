"""Which documents of a feed stand as they were published, so that only feeds that changed are written and checked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, field

from feedsvc.collect.cache import Cache, digest, program
from feedsvc.model import Document, Feed
from feedsvc.publish.difference import standing
from feedsvc.settings.tree import Project

_NAME = "feeds"


class Published(Struct, frozen=True):
    """A document that was published, by the digest of its bytes: those stand in the output folder."""

    path: str
    digest: bytes
    media_type: str
    url: str
    feed: str
    changed: datetime | None

    @classmethod
    def of(cls, document: Document) -> "Published":
        """Return what is kept of a document."""
        held = sha256(document.body).digest()
        return cls(document.path, held, document.media_type, document.url, document.feed, document.changed)

    def document(self, output: Path) -> Document | None:
        """Return the document, None where other bytes stand there now."""
        body = standing(output, self.path)
        if body is None or sha256(body).digest() != self.digest:
            return None
        return Document(self.path, body, self.media_type, self.url, self.feed, self.changed)


class Kept(Struct):
    """What the last build made of each feed, and what this one makes. Without `cache` nothing is kept.

    A feed is known by all that its documents say; documents that were refused, or lost an entry, are never kept.
    """

    output: Path = Path()
    cache: Cache | None = None
    known: Mapping[bytes, tuple[Published, ...]] = field(default_factory=dict)
    made: dict[bytes, tuple[Published, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, project: Project) -> "Kept":
        """Return what is known of the feeds of a project."""
        cache = Cache(project.state)
        return cls(project.output, cache, cache.load(_NAME, dict[bytes, tuple[Published, ...]], program()) or {})

    def key(self, feed: Feed, *around: object) -> bytes:
        """Return what a feed is known by, b"" where nothing is kept; `around` is what else its documents depend on."""
        try:
            return digest(feed, *around) if self.cache else b""
        except UnicodeEncodeError:
            return b""

    def documents(self, key: bytes) -> tuple[Document, ...] | None:
        """Return the documents of a feed as they stand, None where one does not."""
        known = self.known.get(key)
        documents = [one.document(self.output) for one in known or ()]
        whole = tuple(one for one in documents if one)
        if known is None or len(whole) < len(documents):
            return None
        self.made[key] = known
        return whole

    def learn(self, key: bytes, documents: Sequence[Document]) -> None:
        """Keep the documents of a feed, all of which may go out."""
        if key:
            self.made[key] = tuple(map(Published.of, documents))

    def save(self) -> None:
        """Keep for the next build what was made, once it is published."""
        if self.cache and self.made != self.known:
            self.cache.save(_NAME, self.made, program())
