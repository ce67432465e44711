"""requests with connections of our own: the one module that knows requests and urllib3, and where their errors end.

The adapter is used alone, without a Session: no cookies, no netrc, no proxy from the environment, no redirect that is
followed or read (S-08, F-07, F-47). Connections are opened by `resolve.Guard` on the numeric address that was checked,
while Host, SNI and certificate keep the name (S-02), and are reused within a cycle (F-45).
"""

import http.client
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from socket import socket
from typing import Any, cast

import requests
from msgspec import Struct
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, InvalidHeader

from feedsvc.collect.fetch.exchange import BrokenError, Exchange
from feedsvc.collect.fetch.resolve import Guard

POOLS = 64
MAX_INTERIM = 10
_OPAQUE = frozenset({"etag", "last-modified"})
_FOLD = str.maketrans({"\r": None, "\n": None})


class _Current(threading.local):
    """What this thread is at: urllib3 hands a connection no more than host, port and a timeout."""

    exchange: Exchange
    guard: Guard


_current = _Current()


class _Answer(http.client.HTTPResponse):
    """An answer that notes its first byte, and that skips every interim answer (RFC 9110 §15.2), not only 100."""

    def __init__(self, sock: socket, *rest: Any, **named: Any) -> None:
        super().__init__(sock, *rest, **named)
        _current.exchange.stream = sock

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(MAX_INTERIM):
            if self.fp.peek(1):
                _current.exchange.answered = True
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 <= status < 200 or status == http.client.SWITCHING_PROTOCOLS:
                return version, status, reason
            http.client.parse_headers(self.fp)
        raise http.client.HTTPException("too many interim answers")


class _Plain(HTTPConnection):
    response_class = _Answer

    def connect(self) -> None:
        super().connect()
        _current.exchange.begun()

    def _new_conn(self) -> socket:
        return _current.guard.connect(self._dns_host, self.port, _current.exchange)


class _Secure(HTTPSConnection):
    response_class = _Answer

    def connect(self) -> None:
        super().connect()
        _current.exchange.begun()

    def _new_conn(self) -> socket:
        return _current.guard.connect(self._dns_host, self.port, _current.exchange)


def _prepared(connection: Any) -> Any:
    """Note a connection that served before, or give it up where a fresh one is wanted (F-33)."""
    exchange = _current.exchange
    if connection.sock is not None and exchange.fresh:
        connection.close()
    exchange.reused = connection.sock is not None
    if exchange.reused:
        exchange.watch(connection.sock)
        exchange.begun()
    return connection


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain

    def _get_conn(self, timeout: float | None = None) -> Any:
        return _prepared(super()._get_conn(timeout))


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure

    def _get_conn(self, timeout: float | None = None) -> Any:
        return _prepared(super()._get_conn(timeout))


class _Adapter(HTTPAdapter):
    """The adapter of requests over those pools, with one TLS context for all of them."""

    def __init__(self, ca_file: str | None) -> None:
        self._context = ssl.create_default_context(cafile=ca_file or DEFAULT_CA_BUNDLE_PATH)
        super().__init__(pool_connections=POOLS, pool_maxsize=4)

    def init_poolmanager(self, *sizes: Any, **named: Any) -> None:
        super().init_poolmanager(*sizes, ssl_context=self._context, **named)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}

    def cert_verify(self, conn: Any, *_: Any, **__: Any) -> None:
        conn.cert_reqs = "CERT_REQUIRED"

    def build_response(self, _: requests.PreparedRequest, resp: Any) -> requests.Response:
        response = requests.Response()
        response.status_code, response.raw = resp.status, resp
        return response


class Reply(Struct, frozen=True):
    """The head of an answer; its body is still on the wire, raw, in `stream`.

    `headers`: lower-case names, latin-1 values; different values of one name are joined by ", ", and `many` names it.
    """

    status: int
    headers: Mapping[str, str]
    many: frozenset[str]
    stream: BaseHTTPResponse

    def read(self, most: int) -> bytes:
        """Return the next raw bytes, at most so many and at least one, b"" at the end; BrokenError."""
        with _translated():
            return self.stream.read1(most, decode_content=False)

    def done(self) -> None:
        """Leave the connection to the next request where the answer ended, close it where more would come."""
        if self.stream.length_remaining == 0 and "transfer-encoding" not in self.headers:
            self.stream.read1(1, decode_content=False)
        self.stream.close()


class Transport:
    """Sends one request over one connection; usable from many threads."""

    def __init__(self, guard: Guard, ca_file: str | None = None) -> None:
        self._guard = guard
        self._adapter = _Adapter(ca_file)

    def send(
        self, method: str, url: str, headers: Mapping[str, bytes], exchange: Exchange, form: bytes | None = None
    ) -> Reply:
        """Return the head of the answer to one request; BrokenError when none comes.

        It is sent once more where a connection that served before was closed before any byte of an answer (F-33).
        """
        _current.exchange, _current.guard = exchange, self._guard
        request = _request(method, url, headers, form)
        try:
            return self._sent(request, exchange)
        except BrokenError:
            exchange.check()
            if not exchange.reused or exchange.answered:
                raise
        exchange.fresh = True
        try:
            return self._sent(request, exchange)
        finally:
            exchange.fresh = False

    def _sent(self, request: requests.PreparedRequest, exchange: Exchange) -> Reply:
        with _translated(exchange):
            answer = self._adapter.send(request, stream=True, timeout=exchange.patience)
        # The server has counted from somewhere before this: so it sees the whole delay, however slow the way to it is.
        exchange.begun()
        stream: BaseHTTPResponse = answer.raw
        values: dict[str, dict[str, None]] = {}
        for name, value in stream.headers.iteritems():
            values.setdefault(name.lower(), {})[value.translate(_FOLD)] = None
        # Two different validators are not made into a third one (F-01).
        headers = {name: next(iter(said)) if name in _OPAQUE else ", ".join(said) for name, said in values.items()}
        return Reply(stream.status, headers, frozenset(name for name, said in values.items() if len(said) > 1), stream)

    def rest(self) -> None:
        """Close the connections that nobody uses: the cycle is over."""
        self._adapter.close()


def _request(method: str, url: str, headers: Mapping[str, bytes], form: bytes | None) -> requests.PreparedRequest:
    request = requests.PreparedRequest()
    try:
        request.prepare(method=method, url=url, data=form)
    except (requests.exceptions.RequestException, UnicodeError, ValueError) as error:
        raise BrokenError("bad-address", f"not asked: {url[:200]} is no valid address ({error})") from error
    # Past the check of requests, which refuses validators that begin with a vertical tab: they go back as they came.
    request.headers.update(cast("Mapping[str, str]", headers))
    return request


_TRANSLATION: tuple[tuple[tuple[type[BaseException], ...], str, str], ...] = (
    ((requests.exceptions.InvalidHeader, InvalidHeader), "bad-answer", "the answer contradicts itself"),
    ((ssl.SSLError, requests.exceptions.SSLError), "tls", "the certificate or the encryption is not in order"),
    ((http.client.RemoteDisconnected,), "closed", "the server closed the connection without an answer"),
    ((http.client.IncompleteRead,), "cut", "the body is cut short"),
    ((http.client.HTTPException,), "bad-answer", "the answer is not HTTP or is beyond its limits"),
    ((TimeoutError, requests.exceptions.Timeout), "timeout", "the server fell silent"),
    ((ConnectionError, OSError), "closed", "the connection broke"),
)


@contextmanager
def _translated(exchange: Exchange | None = None) -> Iterator[None]:
    """Turn what requests, urllib3, http.client and ssl raise into a BrokenError, its cause chained."""
    try:
        yield
    except (requests.exceptions.RequestException, HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        if exchange is not None:
            exchange.check()
        raise _meaning(error) from error


def _meaning(error: BaseException) -> BrokenError:
    causes = list(_causes(error))
    for kinds, kind, message in _TRANSLATION:
        for cause in reversed(causes):
            if isinstance(cause, kinds):
                return BrokenError(kind, f"{message} ({_said(cause)})")
    return BrokenError("bad-answer", f"the answer cannot be read ({_said(causes[-1])})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it wraps: as its cause, as `reason` (urllib3) or as an argument."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        found = waiting.pop()
        if isinstance(found, BaseException) and id(found) not in seen:
            seen.add(id(found))
            yield found
            waiting += [*found.args, getattr(found, "reason", None), found.__cause__, found.__context__]


def _said(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:200]
