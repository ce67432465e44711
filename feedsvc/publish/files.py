"""Whole files or none: every byte that is published goes through here (serving V-18, generating N3)."""

import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from threading import Thread

from feedsvc.errors import PublishError

UNFINISHED = ".feedsvc-new-"
"""Prefix of everything that is not published yet; what bears it is left over from a run that was killed."""
_AT_ONCE = 8


def safe(path: str) -> PurePosixPath:
    """Return a document's path as parts below the output folder; PublishError when it would lead out of it (S-29)."""
    parts = PurePosixPath(path)
    if parts.is_absolute() or not parts.parts or any(part == ".." or "\0" in part for part in parts.parts):
        raise PublishError(f"{path}: refusing to publish outside the output folder")
    return parts


def unfinished(folder: Path) -> Path:
    """Return a new name in a folder that no reader knows."""
    return folder / f"{UNFINISHED}{secrets.token_hex(8)}"


def folder(path: Path) -> None:
    """Make a folder and those above it, readable by everybody whatever the umask."""
    if path.is_dir():
        return
    folder(path.parent)
    path.mkdir(exist_ok=True)
    path.chmod(0o755)


def write(path: Path, body: bytes, mtime: float, mode: int = 0o644) -> None:
    """Write a new file; FileExistsError when something is there. It is on the disk after `flush` only."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(handle, "wb") as out:
        out.write(body)
        out.flush()
        os.fchmod(out.fileno(), mode)
        os.utime(out.fileno(), (mtime, mtime))


def replace(path: Path, body: bytes, mtime: float, mode: int = 0o644) -> None:
    """Put a whole file in place of another in one step; where that fails, on a full disk say, nothing is left of it."""
    beside = unfinished(path.parent)
    try:
        write(beside, body, mtime, mode)
        flush([beside])
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def link(source: Path, target: Path) -> None:
    """Give an unchanged file a second name, or copy it with its time where the file system has no links."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target)


def flush(paths: Sequence[Path]) -> None:
    """Flush files, and folders with their names, so that they survive a power cut; OSError where one cannot be.

    Several at a time: what is asked for together a file system commits together, one by one takes ten times as long.
    """
    failed: list[OSError] = []

    def some(part: Sequence[Path]) -> None:
        try:
            for path in part:
                _flush(path)
        except OSError as problem:
            failed.append(problem)

    threads = [Thread(target=some, args=(paths[start::_AT_ONCE],)) for start in range(min(_AT_ONCE, len(paths)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def below(root: Path) -> Iterator[str]:
    """Yield every file below a folder, as a path with forward slashes, sorted; unfinished ones left out."""
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            if not name.startswith(UNFINISHED):
                yield Path(place, name).relative_to(root).as_posix()


def clear(root: Path) -> None:
    """Remove what an earlier run left unfinished in a folder."""
    for left in root.glob(f"{UNFINISHED}*"):
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def later(now: datetime, old: Path | None) -> float:
    """Return the time of a file that replaces another: now, but a second after the old one at least (V-05).

    Some servers make their ETag of a file's second and size: two versions of equal size within one second must differ.
    """
    try:
        before = old.stat().st_mtime if old else None
    except FileNotFoundError:
        before = None
    stamp = float(int(now.timestamp()))
    return stamp if before is None else max(stamp, float(int(before)) + 1)
