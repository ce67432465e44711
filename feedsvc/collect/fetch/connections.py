"""The connections, pools and adapter under `transport`: those of urllib3 and requests, as far as they serve us.

Connections are opened by `resolve.Guard` on the numeric address that was checked, while Host, SNI and certificate keep
the name (S-02), and are reused within a cycle (F-45).
"""

import http.client
import queue
import ssl
import threading
from io import BufferedReader
from socket import socket
from typing import Any, cast
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from feedsvc.collect.fetch.exchange import Exchange
from feedsvc.collect.fetch.head import Head
from feedsvc.collect.fetch.resolve import Guard

POOLS = 64
AT_ONCE = 4
"""Connections to one host that are kept for a next request."""
MAX_INTERIM = 10


class Current(threading.local):
    """What this thread is at: urllib3 hands a connection no more than host, port and a timeout."""

    exchange: Exchange
    guard: Guard


current = Current()


class _Answer(http.client.HTTPResponse):
    """An answer that notes its first byte, skips each interim answer (RFC 9110 §15.2), and lines that are no fields."""

    def __init__(self, sock: socket, *rest: Any, **named: Any) -> None:
        super().__init__(sock, *rest, **named)
        current.exchange.stream = sock

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(MAX_INTERIM):
            if self.fp.peek(1):
                current.exchange.answered = True
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 <= status < 200 or status == http.client.SWITCHING_PROTOCOLS:
                self.fp = cast("BufferedReader", Head(self.fp))
                return version, status, reason
            http.client.parse_headers(self.fp)
        raise http.client.HTTPException("too many interim answers")

    def begin(self) -> None:
        try:
            super().begin()
        finally:
            if isinstance(self.fp, Head):
                self.fp = self.fp.whole


class _Plain(HTTPConnection):
    response_class = _Answer

    def connect(self) -> None:
        super().connect()
        current.exchange.begun()

    def _new_conn(self) -> socket:
        return current.guard.connect(self._dns_host, self.port, current.exchange)


class _Secure(_Plain, HTTPSConnection):
    """The same with TLS: what `_Plain` leaves to the next class is HTTPS there."""


def _prepared(connection: Any) -> Any:
    """Note a connection that served before, or give it up where a fresh one is wanted (F-33)."""
    exchange = current.exchange
    if connection.sock is not None and exchange.fresh:
        connection.close()
    exchange.reused = connection.sock is not None
    if exchange.reused:
        exchange.watch(connection.sock)
        exchange.begun()
    return connection


class _Stack:
    """What a pool needs of a queue: urllib3 never waits for a connection here, and a list is a lock of its own."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: list[Any] = []

    def get(self, **_: Any) -> Any:
        try:
            return self._things.pop()
        except IndexError:
            raise queue.Empty from None

    def put(self, thing: Any, **_: Any) -> None:
        if len(self._things) >= self._most:
            raise queue.Full
        self._things.append(thing)

    def qsize(self) -> int:
        return len(self._things)


class _PlainPool(HTTPConnectionPool):
    ConnectionCls: Any = _Plain
    QueueCls: Any = _Stack

    def _get_conn(self, timeout: float | None = None) -> Any:
        return _prepared(super()._get_conn(timeout))


class _SecurePool(_PlainPool, HTTPSConnectionPool):
    ConnectionCls: Any = _Secure


class Adapter(HTTPAdapter):
    """The adapter of requests over those pools, with one TLS context for all of them."""

    def __init__(self, ca_file: str | None) -> None:
        self._ca_file = ca_file or DEFAULT_CA_BUNDLE_PATH
        self._context: ssl.SSLContext | None = None
        super().__init__(pool_connections=POOLS, pool_maxsize=AT_ONCE)

    def get_connection_with_tls_context(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> Any:
        """Return the pool of an origin; its TLS context is ours, so there is nothing else to tell pools apart by."""
        parts = urlsplit(str(request.url))
        pools = self.poolmanager.pools
        with pools.lock:
            pool = pools.get((parts.scheme, parts.netloc))
            if pool is None:
                pool = pools[parts.scheme, parts.netloc] = self._pool(parts.scheme, parts.hostname, parts.port)
        return pool

    def _pool(self, scheme: str, host: str | None, port: int | None) -> HTTPConnectionPool:
        if not host:
            raise requests.exceptions.InvalidURL("no host")
        if scheme == "https":
            # Made for the first of them: it takes as long as 50 requests.
            self._context = self._context or ssl.create_default_context(cafile=self._ca_file)
            return _SecurePool(host, port or 443, maxsize=AT_ONCE, ssl_context=self._context)
        return _PlainPool(host, port or 80, maxsize=AT_ONCE)

    def request_url(self, request: requests.PreparedRequest, *_: Any) -> str:
        """Return what stands in the request line: there is no proxy."""
        return request.path_url

    def cert_verify(self, conn: Any, *_: Any, **__: Any) -> None:
        conn.cert_reqs = "CERT_REQUIRED"

    def build_response(self, _: requests.PreparedRequest, resp: Any) -> requests.Response:
        response = requests.Response()
        response.status_code, response.raw = resp.status, resp
        return response
