"""The HTTP server: one thread, one epoll, answers that lie ready.

Measured against granian (bench/serve.py): crossing into an event loop and back costs more than these answers do, and
granian drops no reader who stops reading. Nothing here waits for a client: a half request, an idle connection and an
answer that is not fetched each have a time after which the connection is closed (V-40).
"""

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from feedsvc.serve.connection import USUAL, Connection, Limits
from feedsvc.serve.negotiate import http_date
from feedsvc.serve.recall import Reply
from feedsvc.serve.reply import Answer, said
from feedsvc.serve.wire import END, MalformedError

_TOO_LARGE = said(431, "Too many bytes in the headers.")
_BATCH = 16
_PIECES = 3 * _BATCH
_LOOK_SECONDS = 1.0
_ONE_GO = 64 * 1024


class Server:
    """Serves what `respond` answers to heads of requests, until `stop` is called from a signal or another thread.

    `counts` holds answers by status and kind. A connection that `respond` wants handed over goes to `hand_over`, which
    keeps a copy of the socket, with the bytes that were read.
    """

    def __init__(
        self,
        listener: socket.socket,
        respond: Callable[[bytes], Reply],
        limits: Limits = USUAL,
        hand_over: Callable[[socket.socket, bytes], None] | None = None,
    ) -> None:
        self.counts: dict[tuple[int, str], int] = {}
        self._listener, self._respond, self._limits, self._hand_over = listener, respond, limits, hand_over
        self._open: dict[int, Connection] = {}
        self._stopping = False
        self._woken, self._wake = socket.socketpair()
        self._woken.settimeout(0)
        self._wake.settimeout(0)
        listener.settimeout(0)
        self._poll = select.epoll()
        self._poll.register(listener, select.EPOLLIN)
        self._poll.register(self._woken, select.EPOLLIN)
        self._second = 0
        self._tick()

    def stop(self) -> None:
        """End `run` once answers under way are sent; may be called from a signal handler."""
        self._stopping = True
        with suppress(OSError):
            self._wake.send(b".")

    def run(self) -> None:
        """Serve until stopped, then give answers under way their time (V-32)."""
        look = self._now + _LOOK_SECONDS
        while not self._stopping:
            self._turn(_LOOK_SECONDS)
            if self._now >= look:
                self._drop_late()
                look = self._now + _LOOK_SECONDS
        self._drain()

    def _drain(self) -> None:
        # What has come already is under way: closing before it is read would cut it off.
        self._accept()
        self._turn(0)
        self._poll.unregister(self._listener)
        self._listener.close()
        end = time.monotonic() + self._limits.drain_seconds
        while True:
            for connection in [each for each in self._open.values() if not each.out]:
                self._close(connection)
            if not self._open or time.monotonic() > end:
                break
            self._turn(0.1)
        for connection in list(self._open.values()):
            self._close(connection)
        for each in (self._poll, self._woken, self._wake):
            each.close()

    def _tick(self) -> None:
        self._now = time.monotonic()
        second = int(time.time())
        if second != self._second:
            self._second = second
            date = f"Date: {http_date(second)}\r\n".encode()
            self._going = date + b"\r\n"
            self._going_old = date + b"Connection: keep-alive\r\n\r\n"
            self._ending = date + b"Connection: close\r\n\r\n"

    def _turn(self, seconds: float) -> None:
        events = self._poll.poll(seconds)
        self._tick()
        for number, event in events:
            connection = self._open.get(number)
            if connection:
                self._serve(connection, event)
            elif number == self._woken.fileno():
                with suppress(BlockingIOError):
                    self._woken.recv(64)
            elif not self._stopping:
                self._accept()

    def _accept(self) -> None:
        for _ in range(_BATCH):
            try:
                taken, _ = self._listener.accept()
            except BlockingIOError:
                return
            except OSError:  # no descriptor is left, or the client has gone
                self._make_room()
                return
            if len(self._open) >= self._limits.connections:
                self._make_room()
            taken.settimeout(0)
            with suppress(OSError):
                taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open[taken.fileno()] = Connection(taken, self._now + self._limits.head_seconds)
            self._poll.register(taken, select.EPOLLIN)

    def _make_room(self) -> None:
        if self._open:
            self._close(next(iter(self._open.values())))

    def _drop_late(self) -> None:
        for connection in [each for each in self._open.values() if each.deadline < self._now]:
            self._close(connection)

    def _close(self, connection: Connection) -> None:
        self._forget(connection)
        connection.socket.close()

    def _forget(self, connection: Connection) -> None:
        number = connection.socket.fileno()
        del self._open[number]
        self._poll.unregister(number)

    def _serve(self, connection: Connection, event: int) -> None:
        try:
            if connection.out:
                self._send(connection)
            elif event & select.EPOLLIN:
                self._read(connection)
            else:
                self._close(connection)
        except BlockingIOError:  # the event was of an earlier connection with this number
            return
        except OSError:  # the client has gone
            if connection.socket.fileno() in self._open:
                self._close(connection)

    def _read(self, connection: Connection) -> None:
        data = connection.socket.recv(self._limits.head_bytes)
        if not data:
            self._close(connection)
        elif connection.lingers:
            return
        elif connection.pending or data.find(END) != len(data) - len(END) or not self._answer_one(connection, data):
            self._work(connection, connection.pending + data)

    def _answer_one(self, connection: Connection, data: bytes) -> bool:
        """Answer one whole request in one go: the usual case; return whether it was one."""
        try:
            answer, lasting, old = self._respond(data[: -len(END)])
        except MalformedError:
            return False
        if answer is None or old or not lasting or len(answer.body) > _ONE_GO or self._stopping:
            return False
        self._count(answer)
        out = b"".join((answer.head, self._going, answer.body))
        try:
            sent = connection.socket.send(out)
        except BlockingIOError:
            sent = 0
        if sent == len(out):
            connection.deadline = self._now + self._limits.idle_seconds
        else:
            connection.out = [memoryview(out)[sent:]]
            self._wait(connection)
        return True

    def _work(self, connection: Connection, data: bytes) -> None:
        """Answer every whole request in what was read, a batch at most, so that no client fills our memory."""
        fresh = not connection.pending
        while not connection.last and len(connection.out) < _PIECES:
            end = data.find(END)
            if end < 0 or end > self._limits.head_bytes:
                break
            head, data = data[:end], data[end + 4 :]
            if self._answer(connection, head, data):
                return
        connection.pending = data
        if not connection.out and len(data) >= self._limits.head_bytes:
            self._put(connection, _TOO_LARGE, lasting=False)
        if connection.out:
            self._send(connection, first=True)
        elif fresh:
            connection.deadline = self._now + self._limits.head_seconds

    def _answer(self, connection: Connection, head: bytes, rest: bytes) -> bool:
        """Put the answer to one request into the connection; return whether somebody else took the connection."""
        try:
            answer, lasting, old = self._respond(head)
        except MalformedError as problem:
            self._put(connection, said(400, f"Bad request: {problem}."), lasting=False)
            return False
        if answer is not None:
            self._put(connection, answer, lasting=lasting and not self._stopping, old=old)
            return False
        if self._hand_over and not connection.out:
            self._hand_over(connection.socket, head + END + rest)
        self._close(connection)
        return True

    def _count(self, answer: Answer) -> None:
        key = answer.status, answer.kind
        self.counts[key] = self.counts.get(key, 0) + 1

    def _put(self, connection: Connection, answer: Answer, *, lasting: bool, old: bool = False) -> None:
        self._count(answer)
        end = (self._going_old if old else self._going) if lasting else self._ending
        connection.out += (answer.head, end, answer.body) if answer.body else (answer.head, end)
        if not lasting:
            connection.last = True

    def _send(self, connection: Connection, *, first: bool = False) -> None:
        """Send as much as the client takes; go on with its next requests when all of it is out."""
        out = connection.out
        try:
            sent = connection.socket.sendmsg(out)
        except BlockingIOError:
            sent = 0
        for place, piece in enumerate(out):
            if sent < len(piece):
                connection.out = [memoryview(piece)[sent:], *out[place + 1 :]]
                return self._wait(connection) if first else None
            sent -= len(piece)
        connection.out = []
        if not first:
            self._poll.modify(connection.socket, select.EPOLLIN)
        return self._sent(connection)

    def _wait(self, connection: Connection) -> None:
        left, limits = sum(map(len, connection.out)), self._limits
        connection.deadline = self._now + limits.answer_seconds + left / limits.slowest
        self._poll.modify(connection.socket, select.EPOLLOUT)

    def _sent(self, connection: Connection) -> None:
        if connection.last:
            # Closing with bytes unread would reset the connection, and the answer with it: let the client close first.
            connection.lingers = True
            connection.deadline = self._now + self._limits.linger_seconds
            connection.socket.shutdown(socket.SHUT_WR)
        elif connection.pending:
            connection.deadline = self._now + self._limits.head_seconds
            data, connection.pending = connection.pending, b""
            self._work(connection, data)
        else:
            connection.deadline = self._now + self._limits.idle_seconds
