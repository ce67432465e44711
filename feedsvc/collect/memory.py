"""What is known of the files of posts/ since the last build, so that only those that changed are read.

A file is known again by its stamp (`posts_folder.py`), which no writing leaves as it was. One that was young when it
was read could change once more and keep its stamp: of such a file the digest is kept as well, and it is read again.
Without this folder, or with another program or configuration, everything is read anew and comes out the same.
"""

import os
import time
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias
from zlib import crc32

from msgspec import Struct, field
from msgspec.structs import replace

from feedsvc.collect.assets import Asset
from feedsvc.collect.cache import Cache, digest, program
from feedsvc.collect.posts import PostRead
from feedsvc.collect.posts_folder import Listed, Listing, Raw, Stamp, is_young, listing
from feedsvc.model import Diagnostic, Entry, Teaser, Text
from feedsvc.settings.tree import Project
from feedsvc.text.teaser import TeaserRules

FEW = 1024
PARTS = 16
"""Files in which posts are kept where there are more than FEW, so that one that changed costs a part."""


class Known(Struct, frozen=True):
    """A file as it was read: its stamp; the digest of its bytes where it was young, else none; what came of it."""

    stamp: Stamp
    young: bytes
    read: PostRead


class Told(Struct, frozen=True):
    """The text of a post, what had to go from it, and the files beside the post that it names."""

    text: Text
    diagnostics: tuple[Diagnostic, ...]
    wanted: tuple[Asset, ...]


class KnownText(Struct, frozen=True):
    """A text as it was made from a file with a stamp, and the teaser that was cut from it by some rules."""

    stamp: Stamp
    told: Told
    rules: bytes = b""
    teaser: Teaser | None = None


_Heads: TypeAlias = dict[str, Known]
_Texts: TypeAlias = dict[str, KnownText]


class Memory(Struct):
    """What the last build knew, and what this one learns. Without `cache` it knows nothing and learns nothing."""

    cache: Cache | None = None
    key: bytes = b""
    there: Listing | None = None
    heads: _Heads = field(default_factory=dict)
    texts: _Texts = field(default_factory=dict)
    parts: int = 1
    stale: set[int] = field(default_factory=set)
    asked: _Texts = field(default_factory=dict)
    now: int = 0

    @classmethod
    def of(cls, project: Project, there: Listing | None = None) -> "Memory":
        """Return what is known of the files of a project; `there` is what lies in posts/, where that was asked."""
        there = there or listing(project)
        parts = 1 if len(there.files) <= FEW else PARTS
        memory = cls(Cache(project.state), key_of(project), there, parts=parts, now=time.time_ns())
        memory._load(there.files)
        return memory

    def same(self, file: Listed) -> PostRead | None:
        """Return what came of a file that is as it was, without a look at its bytes; None: it has to be read."""
        known = self.heads.get(file.path)
        return known.read if known and known.stamp == file.stamp and not known.young else None

    def equal(self, path: str, raw: Raw) -> PostRead | None:
        """Return what came of a file that holds the bytes that it held, where that is known."""
        known = self.heads.get(path)
        return known.read if known and known.young and known.young == sha256(raw.body).digest() else None

    def known_by(self, raw: Raw, read: PostRead) -> Known:
        """Return what came of a file with what it is known by."""
        return Known(
            raw.stamp, sha256(raw.body).digest() if self.cache and is_young(raw.stamp, self.now) else b"", read
        )

    def learn(self, path: str, known: Known) -> None:
        """Keep what came of a file."""
        if self.cache:
            self.heads[path] = known
            self.stale.add(self._part(path))

    def text(self, path: str, stamp: Stamp | None) -> Told | None:
        """Return the text of a file that is still the one it was made from."""
        known = self.texts.get(path)
        if known is None or known.stamp != stamp:
            return None
        self.asked[path] = known
        return known.told

    def learn_text(self, path: str, raw: Raw, told: Told) -> None:
        """Keep a text, unless the file was young when it was read."""
        if self.cache and not is_young(raw.stamp, self.now):
            self.asked[path] = KnownText(raw.stamp, told)

    def teaser(self, entry: Entry, rules: TeaserRules) -> Teaser | None:
        """Return the teaser of a post whose text was known, where it was cut by the same rules."""
        known = self.asked.get(entry.path)
        return known.teaser if known and known.rules == _rules(rules) else None

    def learn_teaser(self, entry: Entry, rules: TeaserRules, teaser: Teaser) -> None:
        """Keep the teaser of a post whose text is kept."""
        if known := self.asked.get(entry.path):
            self.asked[entry.path] = replace(known, rules=_rules(rules), teaser=teaser)

    def young(self) -> tuple[tuple[str, bytes], ...]:
        """Return the files that were young when they were read, with the digests of their bytes."""
        return tuple((path, known.young) for path, known in self.heads.items() if known.young)

    def save(self) -> None:
        """Keep for the next build what was learnt; texts that nobody asked for are forgotten."""
        if self.cache is None:
            return
        heads: dict[int, _Heads] = {part: {} for part in sorted(self.stale)}
        for path, known in self.heads.items():
            if (part := self._part(path)) in heads:
                heads[part][path] = known
        for part, those in heads.items():
            self.cache.save(self._name(part), those, self.key)
        if self.asked != self.texts:
            self.cache.save("texts", self.asked, self.key)

    def _load(self, files: Iterable[Listed]) -> None:
        cache = self.cache
        if cache is None:
            return
        for part in range(self.parts):
            found = cache.load(self._name(part), _Heads, self.key) or {}
            self.heads.update(found)
        self.texts = cache.load("texts", _Texts, self.key) or {}
        for path in self.heads.keys() - {file.path for file in files}:
            del self.heads[path]
            self.stale.add(self._part(path))

    def _part(self, path: str) -> int:
        return crc32(path.encode("utf-8", "surrogateescape")) % self.parts

    def _name(self, part: int) -> str:
        return f"posts-{self.parts}-{part}"


@lru_cache(maxsize=4)
def _digest_of(words: int, ellipsis: str, more: tuple[tuple[str, str], ...], site_lang: str) -> bytes:
    return digest(words, ellipsis, more, site_lang)


def _rules(rules: TeaserRules) -> bytes:
    return _digest_of(rules.words, rules.ellipsis, tuple(rules.more.items()), rules.site_lang)


def key_of(project: Project) -> bytes:
    """Return what posts are read with: program, packages, and the settings that decide what comes of a file."""
    site, posts, output = project.settings.site, project.settings.posts, project.settings.output
    return digest(program(), os.fsencode(project.posts), site.url, site.id_authority, site.timezone, posts, output.url)
