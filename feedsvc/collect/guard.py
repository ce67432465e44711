"""Strangers' documents are read in child processes with limits, which are reused and replaced when one dies (X-04).

What comes back is plain data: a ParsedFeed, or an Unread that says why not. A child that runs out of time or memory, or
falls over, costs its own document and nothing else.
"""

import multiprocessing
import os
from queue import SimpleQueue
from threading import Lock
from types import TracebackType
from typing import Self

from feedsvc.collect.child import PROGRAM, Broken, Child, Limits, LostError
from feedsvc.collect.found import ParsedFeed, Received, Unread

__all__ = ["Guard", "Limits"]

_TOO_MUCH = "too-much"
_PRELOADED = ["__main__", PROGRAM.partition(":")[0]]


class Guard:
    """Reads documents; usable from many threads. Children start with the first documents; `close` ends them."""

    def __init__(self, workers: int | None = None, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        # A fork server has no threads and no open files of ours that a child could inherit.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(_PRELOADED)
        self._lock = Lock()
        self._children: set[Child] = set()
        self._closed = False
        # Who reads takes one of them and puts it back; None stands for a child that is still to be started.
        self._free: SimpleQueue[Child | None] = SimpleQueue()
        for _ in range(workers or min(os.cpu_count() or 1, 4)):
            self._free.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def read(self, received: Received) -> ParsedFeed | Unread:
        """Return the feed that a body is, or why nothing of it is read; RuntimeError after `close`."""
        child = self._free.get()
        try:
            child = child or self._started()
            found = child.read(received)
        except (TimeoutError, LostError) as lost:
            self._buried(child)
            child = None
            return self._gone(lost)
        finally:
            self._free.put(child)
        return self._broken(found.name) if isinstance(found, Broken) else found

    def close(self) -> None:
        """End the children at once; who waits for one has an Unread."""
        with self._lock:
            self._closed = True
            for child in self._children:
                child.end()
        for _ in range(self._free.qsize()):
            self._buried(self._free.get())
            self._free.put(None)

    def _started(self) -> Child:
        with self._lock:
            if self._closed:
                raise RuntimeError("the guard is closed")
            child = Child(self._context, self._limits)
            self._children.add(child)
            return child

    def _buried(self, child: Child | None) -> None:
        if child is not None:
            with self._lock:
                self._children.discard(child)
                child.bury()

    def _gone(self, lost: Exception) -> Unread:
        if isinstance(lost, TimeoutError):
            return Unread(_TOO_MUCH, f"refused: reading it took longer than {self._limits.wall:.0f} seconds")
        cpu, memory = self._limits.cpu, self._limits.memory >> 20
        return Unread(_TOO_MUCH, f"refused: reading it took more than {cpu} seconds of CPU or {memory} MiB")

    def _broken(self, name: str) -> Unread:
        if name == MemoryError.__name__:
            return self._gone(LostError())
        return Unread("malformed", f"no reader makes sense of it: {name}")
