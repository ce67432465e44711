"""Bytes of a request → a request: strict, because what a proxy and we read differently is a way in (RFC 9112)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from feedsvc.patterns import pattern

END = b"\r\n\r\n"
Essence = tuple[bytes, ...]
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_START = pattern(rb"(%b) ([\x21-\x7e]+) HTTP/1\.([01])" % _TOKEN)
_LINE = pattern(rb"(%b):[\t\x20-\x7e\x80-\xff]*" % _TOKEN)
_LOOKED_AT = frozenset(
    {
        b"accept-encoding",
        b"connection",
        b"content-length",
        b"host",
        b"if-modified-since",
        b"if-none-match",
        b"transfer-encoding",
        b"x-hub-signature",
    }
)
_LONG_LINE = 512


class MalformedError(Exception):
    """A request that is none; it is answered with 400 and the connection ends."""


class Request(NamedTuple):
    """A request line and the headers that are looked at, by name in lower case; `lasting`: the connection goes on.

    `old` is HTTP/1.0, whose connections last only where both sides say so.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    lasting: bool
    old: bool


def essence(head: bytes) -> Essence:
    """Return the lines of a head on which the answer depends: two requests with the same ones get the same answer.

    `head` is without the blank line at its end. MalformedError for a line that is no header.
    """
    start, *lines = head.removeprefix(b"\r\n").split(b"\r\n")
    return (start, *[line for line in lines if (_matters if len(line) < _LONG_LINE else _judge)(line)])


def parse(lines: Essence) -> Request:
    """Read a request; MalformedError says what is wrong.

    One that brings a body ends its connection: nobody here reads it.
    """
    found = _START.fullmatch(lines[0])
    if not found:
        raise MalformedError("not a request line of HTTP/1.1")
    headers = _headers(lines[1:])
    old = found[3] == b"0"
    host = headers.get("host")
    if (host is None and not old) or (host and "," in host):
        raise MalformedError("one Host is needed")
    said = headers.get("connection", "").lower()
    lasting = "keep-alive" in said if old else "close" not in said
    embodied = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
    return Request(found[1].decode(), found[2].decode(), headers, lasting and not embodied, old)


def _judge(line: bytes) -> bool:
    """Return whether an answer can depend on a header line."""
    found = _LINE.fullmatch(line)
    if not found:
        raise MalformedError("not a header line")
    return found[1].lower() in _LOOKED_AT


_matters = lru_cache(maxsize=4096)(_judge)
"""Readers send the same lines again and again: looking one up costs a tenth of reading it."""


def _headers(lines: Essence) -> dict[str, str]:
    """Return headers by name; one that comes more than once as a list (RFC 9110 §5.2)."""
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode("latin-1").partition(":")
        key, value = name.lower(), value.strip(" \t")
        headers[key] = f"{headers[key]},{value}" if key in headers else value
    return headers
