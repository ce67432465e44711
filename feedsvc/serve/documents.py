"""A published folder as a frozen shelf in memory: every answer that it can give, spelled beforehand (V-39).

A compressed twin is taken for its file's only with the file's own time (V-11: all siblings have one), or where it
holds the same bytes; a new twin beside an old file is never sent.
"""

import os
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct, field

from feedsvc.model import archive_in
from feedsvc.publish.compress import SUFFIXES
from feedsvc.publish.folder import releases
from feedsvc.serve.farewell import Memory, identities, part
from feedsvc.serve.kinds import ATOM, FEEDS, PAGE, Kind, kind_of
from feedsvc.serve.negotiate import IDENTITY, http_date
from feedsvc.serve.reply import NOTHING, Answer, Headers, answer

CACHE = "public, max-age=1800, stale-while-revalidate=600, stale-if-error=86400"
_SHORT_CACHE = "public, max-age=60"
_INDEX = "index.html"
_GZIP = 31
Stamp = tuple[int, int, int]
Fingerprint = tuple[object, ...]


class Public(Struct, frozen=True):
    """What answers say of where they stand: the address of the output folder, with a slash at its end, and our hubs."""

    url: str
    hubs: tuple[str, ...] = ()


class Variant(Struct, frozen=True):
    """One coding of a document: its entity tag and its two answers, 200 and 304."""

    tag: str
    found: Answer
    unchanged: Answer


class Held(Struct, frozen=True):
    """A document: its variants by coding, smallest first in `offered`; `tags` leads from each tag to its variant."""

    kind: Kind
    modified: int
    offered: tuple[str, ...]
    variants: Mapping[str, Variant]
    tags: Mapping[str, Variant]


class Stored(Struct, frozen=True):
    """Bytes of a file with the hash of them; `stamp` is inode, time in nanoseconds and size."""

    stamp: Stamp
    body: bytes
    digest: str

    @property
    def modified(self) -> int:
        """Return the file's time in whole seconds."""
        return self.stamp[1] // 1_000_000_000


class Shelf(Struct, frozen=True):
    """A published set: path as in an address → document, and redirects to folders and to feeds that moved.

    `memory` knows the feeds of this set, and those that are no longer where they were (V-08), also of sets before.
    """

    documents: Mapping[str, Held] = field(default_factory=dict)
    moved: Mapping[str, Answer] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    stored: Mapping[str, Stored] = field(default_factory=dict)

    def feeds(self) -> frozenset[str]:
        """Return the paths of the feeds."""
        return frozenset(path for path, held in self.documents.items() if held.kind in FEEDS)


def fingerprint(output: Path) -> Fingerprint:
    """Return what changes when the published set does; FileNotFoundError when there is none.

    A release is never written to again, so its name and inode tell; of a real folder every file is asked.
    """
    root = Path(os.path.realpath(output, strict=True))  # Path.resolve raises another error for a link to itself
    if output.is_symlink() and root.parent == releases(output).resolve():
        found = root.stat()
        return (str(root), found.st_ino, found.st_mtime_ns)
    return (str(root), *((path, *_stamp(root / path)) for path in _names(root)))


_EMPTY = Shelf()


def load(output: Path, public: Public, now: float, before: Shelf = _EMPTY) -> Shelf:
    """Read a published folder whole; OSError when it changes meanwhile. Unchanged files are taken from `before`.

    `now` (seconds since 1970) bounds Last-Modified, which is never in the future (V-04).
    """
    root = Path(os.path.realpath(output, strict=True))
    stored = dict(_stored(root, before))
    twins = {path + suffix for path in stored for suffix in SUFFIXES.values()}
    plain = {path: one for path, one in stored.items() if path not in twins}
    kinds = {path: kind_of(path, one.body) for path, one in plain.items()}
    documents: dict[str, Held] = {}
    for path in plain:
        held = _held(path, stored, kinds, public, now)
        documents[f"/{path}"] = held
        if Path(path).name == _INDEX:
            documents[f"/{path[: -len(_INDEX)]}"] = held
    now_at = identities((f"/{path}", stored[path].body) for path, kind in kinds.items() if kind is ATOM)
    left = part(before.memory.feeds, before.memory.left, documents.keys(), now_at, now=now)
    elsewhere = {path: _redirect(one.to) for path, one in left.items() if one.to}
    feeds = {f"/{path}": now_at.get(f"/{path}"[: path.rfind("/") + 2], "") for path in plain if kinds[path] in FEEDS}
    memory = Memory(feeds, left)
    return Shelf(documents, {**elsewhere, **_folders(documents)}, memory, stored)


def _names(root: Path) -> Iterator[str]:
    """Yield the files below a folder by path; nothing hidden, and no name that no address of ours can have."""
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name).relative_to(root).as_posix()
            plain = not name.startswith(".") and path.isprintable() and "\\" not in path
            if plain and stat.S_ISREG(Path(place, name).lstat().st_mode):
                yield path


def _stored(root: Path, before: Shelf) -> Iterator[tuple[str, Stored]]:
    """Yield the files; one that we may not read is none: it takes no other with it."""
    for path in _names(root):
        with suppress(PermissionError):
            yield path, _read(root / path, before.stored.get(path))


def _stamp(path: Path) -> Stamp:
    found = path.lstat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _read(path: Path, before: Stored | None) -> Stored:
    if before and before.stamp == _stamp(path):
        return before
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        body = file.read()
    return Stored((found.st_ino, found.st_mtime_ns, found.st_size), body, blake2b(body, digest_size=16).hexdigest())


def _held(path: str, stored: Mapping[str, Stored], kinds: Mapping[str, Kind], public: Public, now: float) -> Held:
    plain, kind = stored[path], kinds[path]
    modified = int(min(plain.modified, now))
    fixed = _fixed(kind, modified, _links(path, kinds, public))
    found = {IDENTITY: _variant(plain, fixed, kind, "", "")}
    for coding, suffix in SUFFIXES.items():
        twin = stored.get(path + suffix)
        if twin and (twin.stamp[1] == plain.stamp[1] or (coding == "gzip" and _unpacked(twin.body) == plain.body)):
            found[coding] = _variant(twin, fixed, kind, coding, suffix)
    offered = tuple(sorted(found, key=lambda coding: (len(found[coding].found.body), coding)))
    return Held(kind, modified, offered, found, {variant.tag: variant for variant in found.values()})


def _variant(stored: Stored, fixed: Headers, kind: Kind, coding: str, suffix: str) -> Variant:
    tag = f'"{stored.digest}{suffix.replace(".", "-")}"'
    coded = (("Content-Encoding", coding),) if coding else ()
    content = (("Content-Type", kind.media_type), *coded, ("Accept-Ranges", "none"))
    headers = (("ETag", tag), *fixed)
    found = answer(200, (*content, *headers), stored.body, kind.name)
    return Variant(tag, found, answer(304, headers, kind=kind.name))


def _fixed(kind: Kind, modified: int, links: str) -> Headers:
    """Return the headers that 200 and 304 share (V-03, V-13 to V-16)."""
    cors = ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "ETag, Last-Modified")
    return (
        ("Last-Modified", http_date(modified)),
        ("Cache-Control", CACHE),
        ("Vary", "Accept-Encoding"),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", kind.policy),
        *(cors if kind.shared else ()),
        *((("Link", links),) if links else ()),
    )


def _links(path: str, kinds: Mapping[str, Kind], public: Public) -> str:
    """Return the Link header of a document: itself; a feed's hubs; a page's feeds (V-15)."""
    kind, folder = kinds[path], path[: path.rfind("/") + 1]
    if not kind.shared and kind is not PAGE:
        return ""
    index = kind is PAGE and path == folder + _INDEX
    links = [(folder if index else path, "self", kind)]
    if index:
        twins = sorted(name for name in kinds if name.startswith(folder) and "/" not in name[len(folder) :])
        links += [(name, "alternate", kinds[name]) for name in twins if kinds[name] in FEEDS]
    spelled = [f'<{public.url}{quote(at)}>; rel="{rel}"; type="{of.plain_type}"' for at, rel, of in links]
    hubs = public.hubs if kind in FEEDS and not archive_in(path) else ()
    return ", ".join([*spelled, *(f'<{hub}>; rel="hub"' for hub in hubs)])


def _folders(documents: Mapping[str, Held]) -> Mapping[str, Answer]:
    """Return folder without its slash → the way to it."""
    return {
        path[:-1]: _redirect(path)
        for path in documents
        if path.endswith("/") and path != "/" and path[:-1] not in documents
    }


def _redirect(path: str) -> Answer:
    """Return the way to a path: relative, made of our own path, never of the request (S-41)."""
    policies = ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", NOTHING)
    return answer(301, (("Location", quote(path)), ("Cache-Control", _SHORT_CACHE), *policies))


def _unpacked(body: bytes) -> bytes | None:
    try:
        return zlib.decompress(body, wbits=_GZIP)
    except zlib.error:
        return None
