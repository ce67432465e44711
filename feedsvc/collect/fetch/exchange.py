"""The time that one poll has left, and the socket that is shut when the time is over or feedsvc stops (S-12).

A timeout of the socket layer is for each operation: a server that drips holds it for ever. So a watcher shuts the
socket, from outside, and whatever blocks on it ends. The handle that is shut is a duplicate: TLS takes the first
socket over and http.client may close it early, the duplicate reaches the connection all the same.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from feedsvc.collect.fetch.deadlines import Deadlines

_deadlines = Deadlines()


class BrokenError(Exception):
    """An exchange that came to nothing; `kind` is one of answers.KINDS, the message is in plain words."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Exchange:
    """One poll: all its hops share `seconds`; time spent waiting for our own politeness is not counted.

    `over` is "" while it may go on, else "timeout" or "stopped". The transport notes in `reused` whether a connection
    served before, in `answered` whether a byte of an answer came; `fresh` forbids it to reuse one. `begun` is called
    when a request goes out, and once more when its answer begins.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.over = ""
        self.reused = False
        self.answered = False
        self.fresh = False
        self.stream: socket.socket | None = None
        self.begun: Callable[[], None] = _nothing
        self._left = seconds
        self._began: float | None = None
        self._lock = threading.Lock()
        self._handle: socket.socket | None = None
        self._interrupt: Callable[[], None] | None = None

    @property
    def left(self) -> float:
        """Return the seconds left, always more than 0."""
        spent = 0.0 if self._began is None else time.monotonic() - self._began
        return max(0.001, self._left - spent)

    @property
    def patience(self) -> float:
        """Return the timeout of one operation on the socket: a little more than is left: the watcher is first."""
        return self.left + 1

    @property
    def spent(self) -> float:
        """Return the seconds that were counted so far."""
        return self.seconds - self.left

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of one hop, and shut its socket when none is left."""
        self.reused = self.answered = False
        self._began = time.monotonic()
        deadline = _deadlines.after(self._left, partial(self.stop, "timeout"))
        try:
            yield
        finally:
            deadline.cancel()
            self._left = self.left
            self._began = None
            self._release()

    def stop(self, why: str) -> None:
        """End it from any thread; `why` is "timeout" or "stopped", and the first reason stands."""
        with self._lock:
            self.over = self.over or why
            if self._handle is not None:
                _shut(self._handle)
            if self._interrupt is not None:
                self._interrupt()

    def check(self) -> None:
        """Raise BrokenError when it is over."""
        if self.over == "timeout":
            raise BrokenError("timeout", f"no whole answer within {self.seconds:g} seconds (polling.timeout)")
        if self.over:
            raise BrokenError("stopped", "not finished: feedsvc is shutting down")

    def watch(self, connection: socket.socket) -> None:
        """Take a connection over as the one to be shut; it stays the caller's to use and to close."""
        handle = socket.fromfd(connection.fileno(), connection.family, connection.type)
        self._release()
        with self._lock:
            self._handle = handle
            if self.over:
                _shut(handle)
        self.check()

    def allow(self, seconds: float) -> None:
        """Let the next operation on the connection take so long, or what is left; the stream may have ended."""
        if self.stream is not None:
            with suppress(OSError):
                self.stream.settimeout(min(seconds, self.patience))

    @contextmanager
    def interrupted_by(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Have `interrupt` called when the exchange is over, for what waits on no socket."""
        with self._lock:
            self._interrupt = interrupt
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._interrupt = None

    def _release(self) -> None:
        with self._lock:
            if self._handle is not None:
                self._handle.close()
            self._handle = None


def _nothing() -> None:
    """Stand for who wants to know when a request goes out, where nobody does."""


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
