"""One request of a hub, on a connection that the serving process handed over: read with limits, answered, closed."""

import socket
import time
from collections.abc import Callable
from urllib.parse import parse_qsl

from msgspec import Struct

from feedsvc.serve.reply import NOTHING, PLAIN, Answer, answer, said
from feedsvc.serve.wire import END, MalformedError, essence, parse

LARGEST = 1024 * 1024
SECONDS = 10.0
LINGER_SECONDS = 2.0
_LONGEST_LINE = 1024
_MOST_FIELDS = 20


class Call(Struct, frozen=True):
    """What a hub sent: the last part of the path, the query, and for a push its body with the signature's header."""

    token: str
    query: dict[str, str]
    push: bool = False
    signature: str = ""
    body: bytes = b""


NOT_OURS = said(404, "Not found.", ("Cache-Control", "no-store"))
NEITHER = said(405, "Only GET and POST.", ("Allow", "GET, POST"))
TOO_LARGE = said(413, "At most 1 MiB.")


class RefusedError(Exception):
    """A request that gets an answer of its own: to nobody, of another method, or a push of more than 1 MiB (W-05)."""

    def __init__(self, reply: Answer) -> None:
        super().__init__(reply.status)
        self.reply = reply


def answer_hub(
    connection: socket.socket,
    data: bytes,
    path: str,
    known: Callable[[str], bool],
    respond: Callable[[Call], Answer],
) -> None:
    """Read a request of which `data` has come already, answer it and close the connection.

    `known` says whether an address is one of ours: for another one no body is waited for (V-40).
    """
    with connection:
        reader = _Reader(connection, data)
        try:
            found = respond(_read(reader, path, known))
        except MalformedError as problem:
            found = said(400, f"Bad request: {problem}.")
        except RefusedError as refused:
            found = refused.reply
        except OSError:
            return
        reader.send(found.head + b"Connection: close\r\n\r\n" + found.body)


def echo(challenge: str) -> Answer:
    """Return what confirms a subscription: the challenge as text, and as nothing else (W-02)."""
    headers = ("Content-Type", PLAIN), ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", NOTHING)
    return answer(200, (*headers, ("Cache-Control", "no-store")), challenge.encode("utf-8", "replace"))


def _read(reader: "_Reader", path: str, known: Callable[[str], bool]) -> Call:
    request = parse(essence(reader.until(END)))
    token, _, query = request.target.removeprefix(path).partition("?")
    if not known(token):
        raise RefusedError(NOT_OURS)
    if request.method == "GET":
        return Call(token, _fields(query))
    if request.method != "POST":
        raise RefusedError(NEITHER)
    headers = request.headers
    body = reader.chunked() if "transfer-encoding" in headers else reader.exactly(headers.get("content-length", "0"))
    return Call(token, {}, push=True, signature=headers.get("x-hub-signature", ""), body=body)


def _fields(query: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError as problem:
        raise MalformedError(f"more than {_MOST_FIELDS} fields in the query") from problem


class _Reader:
    """Bytes of a connection, within one deadline for all of it."""

    def __init__(self, connection: socket.socket, data: bytes) -> None:
        self._connection, self._data = connection, data
        self._end = time.monotonic() + SECONDS

    def send(self, data: bytes) -> None:
        """Send everything, or as much as the deadline allows; who got it has a moment to close first."""
        try:
            self._connection.settimeout(max(0.1, self._end - time.monotonic()))
            self._connection.sendall(data)
            self._connection.shutdown(socket.SHUT_WR)
            self._end = time.monotonic() + LINGER_SECONDS
            while True:
                self._data = b""
                self._more()
        except OSError:
            return

    def until(self, mark: bytes) -> bytes:
        """Return what comes before a mark, without it."""
        while (at := self._data.find(mark)) < 0:
            if len(self._data) > _LONGEST_LINE:
                raise MalformedError("a line too long")
            self._more()
        found, self._data = self._data[:at], self._data[at + len(mark) :]
        return found

    def exactly(self, said_length: str) -> bytes:
        """Return so many bytes."""
        if not said_length.isdecimal() or len(said_length) > 10:
            raise MalformedError("no length that can be read")
        length = int(said_length)
        if length > LARGEST:
            raise RefusedError(TOO_LARGE)
        while len(self._data) < length:
            self._more()
        found, self._data = self._data[:length], self._data[length:]
        return found

    def chunked(self) -> bytes:
        """Return a body that came in chunks (RFC 9112 §7.1)."""
        body = b""
        while True:
            size = self.until(b"\r\n").partition(b";")[0].strip()
            if not 0 < len(size) <= 8 or size.strip(b"0123456789abcdefABCDEF"):
                raise MalformedError("not a chunk")
            if not int(size, 16):
                return body
            if len(body) + int(size, 16) > LARGEST:
                raise RefusedError(TOO_LARGE)
            body += self.exactly(str(int(size, 16)))
            self.until(b"\r\n")

    def _more(self) -> None:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        data = self._connection.recv(65536)
        if not data:
            raise ConnectionError
        self._data += data
