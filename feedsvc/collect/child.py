"""A child process that reads documents, and how its parent sees it: a document goes in, what came of it comes out.

What goes over the pipe is plain values, pickled by ourselves. A child ends when its parent does, for then the pipe is
closed; it is reused, and its limit of CPU counts from each document anew.
"""

import gc
import pickle
import resource
import select
import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

from msgspec import Struct

from feedsvc.collect import parse
from feedsvc.collect.found import ParsedFeed, Received, Unread


class Limits(Struct, frozen=True):
    """What reading one document may take: seconds of CPU, seconds by the clock, bytes of memory."""

    cpu: int = 5
    wall: float = 10.0
    memory: int = 512 * 1024 * 1024


class Broken(Struct, frozen=True):
    """What a reader raised, by the name of its class."""

    name: str


class LostError(Exception):
    """A child has ended, or was ended, before it answered."""


class Child:
    """One child; for one thread at a time, but for `end`."""

    def __init__(self, context: ForkServerContext, limits: Limits) -> None:
        self._wall = limits.wall
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, limits), name="reader", daemon=True)
        self._process.start()
        theirs.close()
        self._coming = select.poll()
        self._coming.register(self._pipe.fileno(), select.POLLIN)

    def read(self, received: Received) -> ParsedFeed | Unread | Broken:
        """Return what comes of a document; TimeoutError or LostError where none does, and the child is of no use."""
        try:
            self._pipe.send_bytes(pickle.dumps(received, pickle.HIGHEST_PROTOCOL))
            if not self._coming.poll(self._wall * 1000):
                raise TimeoutError
            found: ParsedFeed | Unread | Broken = pickle.loads(self._pipe.recv_bytes())  # noqa: S301
        except (EOFError, ConnectionError) as problem:
            raise LostError from problem
        return found

    def end(self) -> None:
        """End it at once; who waits for an answer gets LostError."""
        self._process.kill()

    def bury(self) -> None:
        """End it, and leave nothing of it behind."""
        self.end()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _work(pipe: Connection, limits: Limits) -> None:
    """Read documents until the parent has no more."""
    gc.freeze()  # what was imported stays: there is nothing to look for in it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears of it, and ends us
    resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        try:
            asked = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(asked, limits))


def _answer(asked: bytes, limits: Limits) -> bytes:
    """Read one document; the limit of CPU counts from here, for a child reads many."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + limits.cpu, most))
    try:
        return pickle.dumps(parse.read(pickle.loads(asked)), pickle.HIGHEST_PROTOCOL)  # noqa: S301
    except Exception as problem:  # whatever a parser raises is about this document alone
        return pickle.dumps(Broken(_name(problem, limits.memory)))


def _name(problem: Exception, memory: int) -> str:
    """Return what kind of fault it is: where no more memory is to be had, lxml calls it by all kinds of names."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return MemoryError.__name__ if used > memory // 2 else type(problem).__name__
