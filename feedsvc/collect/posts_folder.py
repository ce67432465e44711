"""What lies in posts/: which files look like posts, by what one is known again, and its bytes. An edge.

S-30: only regular files of a bounded size are read, never through a link that leads out; a FIFO stops nothing.
"""

import errno
import os
import stat
from hashlib import sha256
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from feedsvc.model import Diagnostic, Level
from feedsvc.settings.tree import Project

SUFFIXES = (".md", ".markdown")

Stamp: TypeAlias = tuple[int, int, int, int, int]
"""A regular file at a moment: device, inode, size, and the nanoseconds of its last writing and of its last change.

The last one nobody can set: whatever is written into a file, or put in its place, it has another stamp. Unless that
happens so soon after that the clock of the file system has not moved on: see `is_young`.
"""

YOUNG = 2_000_000_000
UNREADABLE_FOLDER = "unreadable-posts"
"""The code that says that the folder of posts is there, or was a moment ago, and what lies in it cannot be known."""


class Unreadable(Exception):  # noqa: N818 - it never leaves this room: it becomes a diagnostic at once
    """Why a file is not read, in words, with a code."""

    def __init__(self, reason: str, code: str) -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


class Listed(NamedTuple):
    """A file that looks like a post, by its path below posts/; `stamp` is None where it is no regular file."""

    path: str
    stamp: Stamp | None


class Listing(Struct, frozen=True):
    """The files in path order, and the folders that could not be walked."""

    files: tuple[Listed, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


class Beside(Struct, frozen=True):
    """A file beside the posts that one of them names: its path below posts/, and its stamp where it is there."""

    path: str
    stamp: Stamp | None


class Raw(NamedTuple):
    """The bytes of a file, and what it was when they were read."""

    body: bytes
    stamp: Stamp


def shown(path: str) -> str:
    """Return a path as text, whatever bytes it is made of."""
    return path.encode(errors="backslashreplace").decode()


def listing(project: Project) -> Listing:
    """Return what looks like a post below posts/; opens no file."""
    files: list[Listed] = []
    found: list[Diagnostic] = []
    _walk(str(project.posts), "", str(PurePosixPath(project.settings.posts.directory)), files, found)
    files.sort(key=itemgetter(0))
    return Listing(tuple(files), tuple(found))


def is_young(stamp: Stamp, now: int) -> bool:
    """Return whether a file changed less than two seconds before `now` (ns), or after it where clocks are wrong.

    Then it may change once more and have the same stamp still.
    """
    return max(stamp[3:]) + YOUNG > now


def stamp_of(status: os.stat_result) -> Stamp:
    """Return by what a file is known again."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def stamp_at(place: str) -> Stamp | None:
    """Return the stamp of a regular file, None where there is none; a link is none."""
    try:
        status = os.lstat(place)
    except (OSError, ValueError):
        return None
    return stamp_of(status) if stat.S_ISREG(status.st_mode) else None


def post_file(root: Path, path: str, largest: int) -> Raw:
    """Return a file that `listing` met, which went through no linked folder. Raises Unreadable."""
    place = os.path.join(root, path)
    return whole(real(root, path) if os.path.islink(place) else place, largest)


def real(root: Path, path: str) -> str:
    """Return the real place of a file of posts/. Raises Unreadable where a link on the way leads out of it."""
    there, home = os.path.realpath(os.path.join(root, path)), os.path.realpath(root)
    if not there.startswith(home + os.sep):
        raise Unreadable("it is a link to a file outside; put a copy there", "link-outside")
    return there


def whole(place: str, largest: int) -> Raw:
    """Return the bytes of a regular file. Raises Unreadable; never waits, as opening a FIFO would."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise Unreadable(os.strerror(error.errno or errno.EIO), "unreadable-file") from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("it is no regular file", "no-regular-file")
        if status.st_size > largest:
            raise _large(largest)
        return Raw(_read(handle, status.st_size, largest), stamp_of(status))
    finally:
        os.close(handle)


def is_there(root: Path, path: str, largest: int) -> bool:
    """Return whether a file is a regular one inside posts/, small enough, and no link leads out on the way."""
    try:
        status = os.stat(real(root, path))
    except (OSError, Unreadable):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= largest


def beside(posts: Path, path: str) -> Beside:
    """Return a file beside the posts as it is."""
    try:
        return Beside(path, stamp_of(os.stat(real(posts, path))))
    except (OSError, ValueError, Unreadable):
        return Beside(path, None)


def digest_of(posts: Path, path: str) -> bytes:
    """Return the digest of the bytes of a post, b"" where there are none."""
    try:
        return sha256(whole(os.path.join(posts, path), 1 << 30).body).digest()
    except Unreadable:
        return b""


def _large(largest: int) -> Unreadable:
    return Unreadable(f"it is larger than {largest // 1024**2} MiB", "large-file")


def _read(handle: int, size: int, largest: int) -> bytes:
    """Return what an open file holds; one that grows beyond the limit while it is read is refused too."""
    body = os.read(handle, size + 1)
    if len(body) == size:
        return body
    parts, read = [body], len(body)
    while part := os.read(handle, largest + 1 - read):
        parts.append(part)
        read += len(part)
        if read > largest:
            raise _large(largest)
    return b"".join(parts)


def _walk(root: str, below: str, folder: str, files: list[Listed], found: list[Diagnostic]) -> None:
    """Find the files below posts/ that look like posts; hidden files, backups and other types do not (B6).

    Folders that are links are not walked: what lies inside is met where it is, what lies outside is not ours.
    """
    try:
        with os.scandir(os.path.join(root, below)) as there:
            items = list(there)
    except OSError as error:
        message = f"the folder cannot be read: {os.strerror(error.errno or errno.EIO)}"
        code = "unreadable-file" if below else UNREADABLE_FOLDER
        found.append(Diagnostic(shown(f"{folder}/{below}".rstrip("/")), 1, Level.ERROR, message, code))
        return
    for item in items:
        name = item.name
        if name.startswith("."):
            continue
        if item.is_dir(follow_symlinks=False):
            _walk(root, f"{below}{name}/", folder, files, found)
        elif item.is_symlink() and os.path.isdir(item.path):  # a link to itself is none, and raises nothing here
            message = "links to folders are not followed: put the folder itself there"
            found.append(Diagnostic(shown(f"{folder}/{below}{name}"), 1, Level.WARNING, message, "linked-folder"))
        elif name.lower().endswith(SUFFIXES):
            files.append(Listed(below + name, _stamp(item)))


def _stamp(item: os.DirEntry[str]) -> Stamp | None:
    try:
        status = item.stat(follow_symlinks=False)
    except OSError:
        return None
    return stamp_of(status) if stat.S_ISREG(status.st_mode) else None
