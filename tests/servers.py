"""A real HTTP server on a loopback address whose answers a test writes down, faults on the wire included.

    with Server() as server:
        server.answers["/feed"] = Reply(200, {"ETag": '"1"'}, b"<rss/>")
        ...
        assert [request.path for request in server.requests] == ["/feed"]

One port speaks both HTTP and TLS: a connection that begins with a ClientHello is wrapped, with a certificate nobody
vouches for, or, where `authority` is given, with one that it signed. Nothing is sent that the test did not ask for: no
`Date`, no `Server`, no `Content-Type`. `Content-Length` is added where the body has an end and the reply names none.
"""

import functools
import gzip
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import trustme

DRIP_SECONDS = 0.5
BOMB_BYTES = 300_000_000
CUT_BYTES = 12
Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Reply:
    """What the server answers; `headers` a mapping, or pairs where one name comes twice; latin-1 on the wire.

    `wire`: "", drip-headers, drip-body, stall (the body, then nothing), endless, gzip, zlib, raw-deflate, gzip-cut,
    gzip-bomb, short, hang, huge-header, chunked, chunked-cut, close (no answer at all), no-length (the end of the
    connection is the end of the body), raw (`body` is everything that is sent, status line included; then the
    connection closes).
    """

    status: int = 200
    headers: Mapping[str, str] | Pairs = ()
    body: bytes = b""
    wire: str = ""

    def pairs(self) -> list[tuple[str, str]]:
        """Return the headers in order."""
        return list(self.headers.items() if isinstance(self.headers, Mapping) else self.headers)


@dataclass(frozen=True)
class Request:
    """What was asked: `head` is every byte before the body, `headers` its raw fields, `connection` counts from 1.

    `at` is monotonic seconds; `server_name` what TLS was asked for.
    """

    method: str
    path: str
    headers: tuple[tuple[bytes, bytes], ...]
    head: bytes
    body: bytes
    connection: int
    at: float
    server_name: str | None = None

    def header(self, name: str) -> bytes | None:
        """Return the value of a header, None where it was not sent; one that was sent twice fails the test."""
        found = [value for key, value in self.headers if key.lower() == name.lower().encode()]
        assert len(found) < 2, (name, found)
        return found[0] if found else None


Answer = Reply | Callable[[Request], Reply]


@functools.cache
def bomb() -> bytes:
    """Return 300 MB of one letter in 300 kB of gzip."""
    packer = zlib.compressobj(9, wbits=31)
    block = b"a" * 1_000_000
    return b"".join(packer.compress(block) for _ in range(BOMB_BYTES // len(block))) + packer.flush()


def raw_deflate(data: bytes) -> bytes:
    """Return a deflate stream without the zlib wrapper, as some servers send."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


CODED: Mapping[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw-deflate": ("deflate", raw_deflate),
    "gzip-cut": ("gzip", lambda body: gzip.compress(body)[:-CUT_BYTES]),
    "gzip-bomb": ("gzip", lambda _: bomb()),
}
BODILESS = frozenset({204, 304})
ENDLESS = frozenset({"endless", "drip-body", "stall", "no-length"})


@dataclass
class Server:
    """The server; `answers` maps a path to a reply or to a function of the request. Unknown paths are 404."""

    host: str = "127.0.0.1"
    authority: trustme.CA | None = None
    names: tuple[str, ...] = ("127.0.0.1", "localhost")
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind((self.host, 0))
        self._listener.listen(128)
        self.port: int = self._listener.getsockname()[1]
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._context: ssl.SSLContext | None = None

    def __enter__(self) -> Self:
        self._spawn(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        _shut(self._listener)
        self.drop()
        for thread in self._threads:
            thread.join(10)
        self._listener.close()

    def url(self, path: str = "/feed", scheme: str = "http") -> str:
        """Return the address of a path on this server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """Return the paths that were asked for, in order."""
        return [request.path for request in self.requests]

    def drop(self) -> None:
        """Close every connection that is open, as a server does that restarts."""
        with self._lock:
            opened = list(self._open)
        for connection in opened:
            _shut(connection)

    def _spawn(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self._open.add(connection)
                number = self.connections
            if self._stop.is_set():
                _shut(connection)
            self._spawn(self._serve, connection, number)

    def _serve(self, connection: socket.socket, number: int) -> None:
        plain = connection
        named: list[str | None] = [None]
        try:
            if connection.recv(1, socket.MSG_PEEK) == b"\x16":
                connection = self._wrapped(connection, named)
                with self._lock:
                    self._open.discard(plain)
                    self._open.add(connection)
            stream = connection.makefile("rb")
            with stream:
                while request := _read(stream, number, named):
                    if not self._answer(connection, request):
                        return
        except (OSError, ValueError):
            return
        finally:
            with self._lock:
                self._open.discard(connection)
                self._open.discard(plain)
            _shut(connection)
            connection.close()

    def _wrapped(self, connection: socket.socket, named: list[str | None]) -> socket.socket:
        with self._lock:
            if self._context is None:
                self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                (self.authority or trustme.CA()).issue_cert(*self.names).configure_cert(self._context)
            context = self._context

        def remember(_: object, name: str | None, __: object) -> None:
            named[0] = name

        context.sni_callback = remember
        return context.wrap_socket(connection, server_side=True)

    def _answer(self, connection: socket.socket, request: Request) -> bool:
        with self._lock:
            self.requests.append(request)
        found = self.answers.get(request.path, Reply(404))
        reply = found if isinstance(found, Reply) else found(request)
        return self._send(connection, request, reply)

    def _send(self, connection: socket.socket, request: Request, reply: Reply) -> bool:
        """Send a reply; return whether the connection lives on."""
        wire = reply.wire
        if wire in {"raw", "close"}:
            connection.sendall(reply.body if wire == "raw" else b"")
            return False
        if wire == "hang":
            self._stop.wait()
            return False
        head, body = _spelled(reply, request)
        if wire == "drip-headers":
            self._drip(connection, head[:-4] + b"\r\nX: " + b"x" * 100_000)
        elif wire == "drip-body":
            connection.sendall(head)
            self._drip(connection, body + b" " * 100_000)
        elif wire == "stall":
            connection.sendall(head + body)
            self._stop.wait()
        elif wire == "endless":
            connection.sendall(head + body)
            while not self._stop.is_set():
                connection.sendall(b" " * 65536)
        else:
            connection.sendall(head + body)
            return wire not in {"short", "no-length", "chunked-cut"}
        return False

    def _drip(self, connection: socket.socket, data: bytes) -> None:
        for place in range(len(data)):
            connection.sendall(data[place : place + 1])
            if self._stop.wait(DRIP_SECONDS):
                return


def _spelled(reply: Reply, request: Request) -> tuple[bytes, bytes]:
    """Return the head and the body of a reply as they go over the wire."""
    headers, body = reply.pairs(), reply.body
    if reply.wire in CODED:
        coding, encode = CODED[reply.wire]
        headers.append(("Content-Encoding", coding))
        body = encode(body)
    if reply.wire == "huge-header":
        headers.append(("X-Huge", "x" * 100_000))
    if reply.wire in {"chunked", "chunked-cut"}:
        headers.append(("Transfer-Encoding", "chunked"))
        body = _chunked(body)[: -7 if reply.wire == "chunked-cut" else None]
    elif not (reply.wire in ENDLESS or reply.status in BODILESS or _has(headers, "content-length")):
        headers.append(("Content-Length", str(len(body) + (100 if reply.wire == "short" else 0))))
    head = f"HTTP/1.1 {reply.status} Said\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
    return head.encode("latin-1"), b"" if request.method == "HEAD" or reply.status in BODILESS else body


def _has(headers: Pairs, name: str) -> bool:
    return any(key.lower() == name for key, _ in headers)


def _chunked(body: bytes) -> bytes:
    pieces = [body[place : place + 1000] for place in range(0, len(body), 1000)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def _read(stream: Iterable[bytes], number: int, named: list[str | None]) -> Request | None:
    """Read one request, None at the end of the connection."""
    lines: list[bytes] = []
    for line in stream:
        lines.append(line)
        if line in {b"\r\n", b"\n"}:
            break
    else:
        return None
    method, path, _ = lines[0].decode("latin-1").split(" ", 2)
    fields = tuple(_field(line) for line in lines[1:-1])
    length = next((int(value) for name, value in fields if name.lower() == b"content-length"), 0)
    body = stream.read(length) if length else b""  # type: ignore[attr-defined]
    return Request(method, path, fields, b"".join(lines), body, number, time.monotonic(), named[0])


def _field(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.rstrip(b"\r\n").partition(b":")
    return name, value.strip(b" \t")


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
