"""What stands in the output folder and around it, at a glance: is anything another than it was? An edge."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

Found = tuple[str, int, tuple[int, int, int, int, int]]
"""A published file: its path, its type and mode, its device, inode, size, and times of writing and of change."""

_MODE = 0o7777


def published(output: Path) -> tuple[Found, ...]:
    """Return what stands in the output folder and around it: the link, the releases, what a killed run left there."""
    around = (output.parent, output.with_name(f"{output.name}.releases"))
    names = [
        Path(place, name)
        for place in around
        for name in _names(place)
        if name.startswith(".feedsvc") or place != around[0]
    ]
    return tuple(sorted(found for place in (output, *names, *_below(output)) if (found := _found(place))))


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _below(root: Path) -> Iterable[Path]:
    for place, _, names in os.walk(root):
        yield Path(place)
        yield from (Path(place, name) for name in names)


def _found(place: Path) -> Found | None:
    """Return a file, a link or a folder; of a folder the times do not count, for who reads along leaves its mark."""
    try:
        status = os.lstat(place)
    except OSError:
        return None
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        return str(place), mode & _MODE, (0, 0, 0, 0, 0)
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return str(place), mode, (status.st_dev, status.st_ino, status.st_size, *times)
