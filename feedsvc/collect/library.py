"""The folder of posts: an edge, which opens files; what they hold is for posts.py and settle.py to say.

S-30: only regular files of a bounded size are read, never through a link that leads out; a FIFO stops nothing.
"""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from feedsvc.collect.admission import Outcome
from feedsvc.collect.assets import Asset, wanted
from feedsvc.collect.posts import Post, PostRead, PostSite, read_post
from feedsvc.collect.settle import settle
from feedsvc.collect.texts import read_text
from feedsvc.model import Diagnostic, Entry, Level
from feedsvc.settings.tree import Project

LARGEST_POST = 2 * 1024 * 1024
LARGEST_ASSET = 20 * 1024 * 1024
SUFFIXES = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Held:
    """A file of posts/ without entry: what became of it, why, in words, and the id and link it would have."""

    path: str
    key: str
    outcome: Outcome
    reason: str
    line: int = 1
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """What posts/ holds: entries newest first and without text, those that wait soonest first, and the rest.

    `next_due` is the moment at which a scan would give something else though no file changed.
    """

    entries: tuple[Entry, ...]
    waiting: tuple[Entry, ...] = ()
    held: tuple[Held, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    next_due: datetime | None = None

    @property
    def skipped(self) -> int:
        """Return how many files are left out because of a fault, for `--strict`."""
        return sum(held.outcome is Outcome.SKIPPED for held in self.held)


@dataclass(frozen=True, slots=True)
class Completed:
    """An entry with its text, None where its file has changed meanwhile so that it may not be published."""

    entry: Entry | None
    diagnostics: tuple[Diagnostic, ...] = ()


class _Unreadable(Exception):  # noqa: N818 - private: it becomes a diagnostic at once
    """Why a file is not read, in words, with a code."""

    def __init__(self, reason: str, code: str) -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


def scan(project: Project, now: datetime) -> Library:
    """Return what the posts of a project are at a moment. Never raises for what a file holds or is.

    `now` is aware. Diagnostics are in path order. Source: B6, B7, D4, D7, D9, D11, F13, I4, I5, S-30.
    """
    site = PostSite.of(project)
    if not project.posts.is_dir():
        message = "there is no such folder: make it, or name another as posts.directory"
        return Library((), diagnostics=(Diagnostic(site.folder, 1, Level.ERROR, message, "no-posts-folder"),))
    posts: list[Post] = []
    held: list[Held] = []
    found: list[Diagnostic] = []
    for path in sorted(_files(project.posts, "", site, found)):
        read = _read(project.posts, path, site)
        found.extend(read.diagnostics)
        if read.post:
            posts.append(read.post)
        else:
            held.append(Held(read.path, read.key, read.outcome, read.reason, read.line, read.names))
    settled = settle(posts, now)
    held.extend(_rival(each.entry, each.reason) for each in settled.rivals)
    diagnostics = sorted((*found, *settled.diagnostics), key=lambda one: (one.path, one.line or 0))
    return Library(settled.entries, settled.waiting, tuple(held), tuple(diagnostics), settled.next_due)


def _rival(entry: Entry, reason: str) -> Held:
    return Held(entry.path, entry.key, Outcome.SKIPPED, reason, names=(entry.id, entry.link or ""))


def complete(project: Project, entry: Entry) -> Completed:
    """Return an entry of `scan` with its text, read anew from its file: texts are not kept in between.

    Whether it may be published is asked again, for the file may have become a draft since.
    """
    site = PostSite.of(project)
    read = _read(project.posts, _below(entry.path, site), site)
    if read.post is None or read.post.entry.id != entry.id:
        message = f"the file changed while it was read, the post is left out: {read.reason or 'its id is another'}"
        return Completed(None, (*read.diagnostics, Diagnostic(entry.path, 1, Level.WARNING, message, "changed-file")))
    text, diagnostics = read_text(read.post.entry, read.body)
    return Completed(replace(entry, text=text), diagnostics)


def assets(project: Project, entry: Entry) -> tuple[Asset, ...]:
    """Return the media files beside a post that its entry names and that are there to be published with it.

    `entry` has its text. Each is a regular file inside posts/, no link out, not hidden, at most 20 MiB (S-30, S-32).
    """
    site = PostSite.of(project)
    asked = wanted(entry, _below(entry.path, site), project.settings.output.url)
    return tuple(asset for asset in asked if _is_there(project.posts, asset.source))


def read_asset(project: Project, asset: Asset) -> bytes | None:
    """Return the bytes of a media file beside a post, None where it is gone or not to be published."""
    try:
        return _bytes(_real(project.posts, asset.source), LARGEST_ASSET)
    except _Unreadable:
        return None


def _below(path: str, site: PostSite) -> str:
    return path.removeprefix(f"{site.folder}/")


def _files(root: Path, below: str, site: PostSite, found: list[Diagnostic]) -> Iterator[str]:
    """Yield the paths below posts/ that look like posts; hidden files, backups and other types do not (B6).

    Folders that are links are not walked: what lies inside is met where it is, what lies outside is not ours.
    """
    try:
        with os.scandir(root / below) as listing:
            items = list(listing)
    except OSError as error:
        message = f"the folder cannot be read: {os.strerror(error.errno or errno.EIO)}"
        found.append(Diagnostic(f"{site.folder}/{below}".rstrip("/"), 1, Level.ERROR, message, "unreadable-file"))
        return
    for item in items:
        path = f"{below}{item.name}"
        if item.name.startswith("."):
            continue
        if item.is_dir(follow_symlinks=False):
            yield from _files(root, f"{path}/", site, found)
        elif item.is_symlink() and item.is_dir():
            message = "links to folders are not followed: put the folder itself there"
            found.append(Diagnostic(f"{site.folder}/{path}", 1, Level.WARNING, message, "linked-folder"))
        elif item.name.lower().endswith(SUFFIXES):
            yield path


def _read(root: Path, path: str, site: PostSite) -> PostRead:
    try:
        raw = _bytes(_inside(root, path), LARGEST_POST)
        path.encode()
    except _Unreadable as fault:
        return _skipped(path, site, f"the file is not read: {fault.reason}", fault.code)
    except UnicodeEncodeError:
        return _skipped(path, site, "the name of the file is not UTF-8: rename it", "bad-file-name")
    return read_post(raw, path, site)


def _skipped(path: str, site: PostSite, reason: str, code: str) -> PostRead:
    named = f"{site.folder}/{path}".encode(errors="backslashreplace").decode()
    found = Diagnostic(named, 1, Level.ERROR, reason, code)
    return PostRead(named, path, Outcome.SKIPPED, reason=reason, diagnostics=(found,))


def _inside(root: Path, path: str) -> str:
    """Return the place of a file that the walk met, which went through no linked folder. Raises _Unreadable."""
    place = os.path.join(root, path)
    return _real(root, path) if os.path.islink(place) else place


def _real(root: Path, path: str) -> str:
    """Return the real place of a file of posts/. Raises _Unreadable where a link on the way leads out of it."""
    real, home = os.path.realpath(os.path.join(root, path)), os.path.realpath(root)
    if not real.startswith(home + os.sep):
        raise _Unreadable("it is a link to a file outside; put a copy there", "link-outside")
    return real


def _bytes(place: str, largest: int) -> bytes:
    """Return the bytes of a regular file. Raises _Unreadable; never waits, as opening a FIFO would."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise _Unreadable(os.strerror(error.errno or errno.EIO), "unreadable-file") from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise _Unreadable("it is no regular file", "no-regular-file")
        if status.st_size > largest:
            raise _Unreadable(f"it is larger than {largest // 1024**2} MiB", "large-file")
        return _whole(handle, largest)
    finally:
        os.close(handle)


def _whole(handle: int, largest: int) -> bytes:
    """Return what an open file holds; one that grows beyond the limit while it is read is refused too."""
    parts: list[bytes] = []
    size = 0
    while part := os.read(handle, largest + 1 - size):
        parts.append(part)
        size += len(part)
        if size > largest:
            raise _Unreadable(f"it is larger than {largest // 1024**2} MiB", "large-file")
    return b"".join(parts)


def _is_there(root: Path, path: str) -> bool:
    """Return whether a media file is a regular one inside posts/, small enough, and no link leads out on the way."""
    try:
        status = os.stat(_real(root, path))
    except (OSError, _Unreadable):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_ASSET
