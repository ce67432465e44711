"""requests with connections of our own (`connections`): here its errors and those of urllib3 end.

The adapter is used alone, without a Session: no cookies, no netrc, no proxy from the environment, no redirect that is
followed or read (S-08, F-07, F-47).
"""

import http.client
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import requests
from msgspec import Struct
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError, InvalidHeader

from feedsvc.collect.fetch.connections import Adapter, current
from feedsvc.collect.fetch.exchange import BrokenError, Exchange
from feedsvc.collect.fetch.resolve import Guard

_OPAQUE = frozenset({"etag", "last-modified"})
_FOLD = str.maketrans({"\r": None, "\n": None})


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
        self._adapter = Adapter(ca_file)

    def send(
        self, method: str, url: str, headers: Mapping[str, bytes], exchange: Exchange, form: bytes | None = None
    ) -> Reply:
        """Return the head of the answer to one request; BrokenError when none comes.

        It is sent once more where a connection that served before was closed before any byte of an answer (F-33).
        """
        current.exchange, current.guard = exchange, self._guard
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
        if form is None:
            # What `prepare` does besides is about cookies, passwords and hooks, of which there are none.
            request.prepare_method(method)
            request.prepare_url(url, None)
            request.prepare_headers(None)
        else:
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
