"""A child process that reads documents, and how its parent sees it: a document goes in, what came of it comes out.

What goes over the pipe is plain values, pickled by ourselves. A child ends when its parent does, for then the pipe is
closed; it is reused, and its limit of CPU counts from each document anew.
"""

import os
import pickle
import select
import socket
import struct
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pkgutil import resolve_name

from msgspec import Struct

from feedsvc.collect.found import ParsedFeed, Received, Unread

PROGRAM = "feedsvc.collect.reader:work"


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
        self._process = context.Process(target=_begin, args=(theirs, limits), name="reader", daemon=True)
        self._process.start()
        theirs.close()
        _hurry(self._pipe, limits.wall)
        self._coming = select.poll()
        self._coming.register(self._pipe.fileno(), select.POLLIN)

    def read(self, received: Received) -> ParsedFeed | Unread | Broken:
        """Return what comes of a document; TimeoutError or LostError where none does, and the child is of no use."""
        try:
            self._pipe.send_bytes(pickle.dumps(received, pickle.HIGHEST_PROTOCOL))
            if not self._coming.poll(self._wall * 1000):
                raise TimeoutError
            found: ParsedFeed | Unread | Broken = pickle.loads(self._pipe.recv_bytes())  # noqa: S301
        except BlockingIOError as problem:  # it takes no more of a document, or stands still in its answer
            raise TimeoutError from problem
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


def _hurry(pipe: Connection, seconds: float) -> None:
    """Let neither sending nor receiving wait longer than so many seconds: a child may be stopped as well as ended."""
    limit = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
    with socket.socket(fileno=os.dup(pipe.fileno())) as same:
        same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)


def _begin(pipe: Connection, limits: Limits) -> None:
    """Run the program of a child, in the child: the parent would take long to import it, and may never need it."""
    resolve_name(PROGRAM)(pipe, limits)
