"""All cores for one long list: each but the first works in a child that is gone when this returns. An edge."""

import os
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from feedsvc.collect.cache import packed, unpacked

Item = TypeVar("Item")
Result = TypeVar("Result")


def spread(
    work: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item], kind: type[Result], least: int
) -> list[Result]:
    """Return what `work` makes of the items, in their order; `kind` is the type of each result.

    Children are forked where each has `least` items to do, and where no other thread runs that might hold a lock in
    them for ever. What a child does not bring is done here.
    """
    share = max(least, -(-len(items) // _cores()))
    parts = [items[start : start + share] for start in range(0, len(items), share)] if share < len(items) else [items]
    children = [_child(work, part) for part in parts[1:]]
    results = work(parts[0])
    for part, child in zip(parts[1:], children, strict=True):
        brought = unpacked(_brought(*child), list[kind])  # type: ignore[valid-type]
        results += work(part) if brought is None or len(brought) < len(part) else brought
    return results


def _cores() -> int:
    if threading.active_count() > 1 or not hasattr(os, "sched_getaffinity"):
        return 1
    return len(os.sched_getaffinity(0))


def _child(work: Callable[[Sequence[Item]], list[Result]], part: Sequence[Item]) -> tuple[int, int]:
    """Fork a child that writes what it made into a pipe; return its number and the pipe."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    try:  # nothing of the parent's may run here: no handler, no flush
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(packed(work(part)))
    finally:
        os._exit(0)


def _brought(child: int, reading: int) -> bytes:
    with os.fdopen(reading, "rb") as pipe:
        brought = pipe.read()
    os.waitpid(child, 0)
    return brought
