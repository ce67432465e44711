"""Strangers' documents are read in child processes with limits, which are reused and replaced when one dies (X-04).

What comes back is plain data: a ParsedFeed, or an Unread that says why not. A child that runs out of time or memory, or
falls over, costs its own document and nothing else.
"""

import multiprocessing
import os
import resource
import time
from concurrent.futures import TimeoutError as OutOfTimeError
from types import TracebackType
from typing import Any, Self

from msgspec import Struct
from pebble import ProcessExpired, ProcessPool

from feedsvc.collect import parse
from feedsvc.collect.found import ParsedFeed, Received, Unread

_TOO_MUCH = "too-much"


class Limits(Struct, frozen=True):
    """What reading one document may take: seconds of CPU, seconds by the clock, bytes of memory."""

    cpu: int = 5
    wall: float = 10.0
    memory: int = 512 * 1024 * 1024


class Guard:
    """Reads documents; usable from many threads. Children start with the first document; `close` ends them."""

    def __init__(self, workers: int | None = None, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        # A fork server has no threads and no open files of ours that a child could inherit.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["__main__", parse.__name__, __name__])
        self._pool: Any = ProcessPool(
            max_workers=workers or min(os.cpu_count() or 1, 4),
            initializer=_limit_memory,
            initargs=(self._limits.memory,),
            context=context,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def read(self, received: Received) -> ParsedFeed | Unread:
        """Return the feed that a body is, or why nothing of it is read."""
        limits = self._limits
        future = self._pool.schedule(_read, args=(received, limits.cpu), timeout=limits.wall)
        try:
            found: ParsedFeed | Unread = future.result()
        except OutOfTimeError:
            return Unread(_TOO_MUCH, f"refused: reading it took longer than {limits.wall:.0f} seconds")
        except (ProcessExpired, MemoryError):
            message = f"refused: reading it took more than {limits.cpu} seconds of CPU or {limits.memory >> 20} MiB"
            return Unread(_TOO_MUCH, message)
        except Exception as problem:  # whatever a parser raises is about this document alone
            return Unread("malformed", f"no reader makes sense of it: {type(problem).__name__}")
        return found

    def close(self) -> None:
        """End the children at once."""
        self._pool.stop()
        self._pool.join()


def _limit_memory(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(received: Received, cpu: int) -> ParsedFeed | Unread:
    """Read one document; the limit of CPU counts from here, for a child reads many."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + cpu, most))
    return parse.read(received)
