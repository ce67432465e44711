"""Bytes of a request → a request: strict, because what a proxy and we read differently is a way in (RFC 9112)."""

import re
from collections.abc import Mapping
from typing import NamedTuple

END = b"\r\n\r\n"
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_HEAD = re.compile(rb"(?:\r\n)?+(%b) ([\x21-\x7e]+) HTTP/1\.([01])((?:\r\n%b:[\t\x20-\x7e\x80-\xff]*+)*+)" % (_TOKEN, _TOKEN))
_LOOKED_AT = tuple(
    (name, f"\r\n{name}:".encode())
    for name in (
        "accept-encoding",
        "connection",
        "content-length",
        "host",
        "if-modified-since",
        "if-none-match",
        "transfer-encoding",
        "x-hub-signature",
    )
)


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


def parse(head: bytes) -> Request:
    """Read the head of a request, without the blank line at its end; MalformedError says what is wrong.

    A request that brings a body ends its connection: nobody here reads it.
    """
    found = _HEAD.fullmatch(head)
    if not found:
        raise MalformedError("not a request of HTTP/1.1")
    headers = _headers(found[4])
    old = found[3] == b"0"
    host = headers.get("host")
    if (host is None and not old) or (host and "," in host):
        raise MalformedError("one Host is needed")
    said = headers.get("connection", "").lower()
    lasting = "keep-alive" in said if old else "close" not in said
    embodied = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
    return Request(found[1].decode(), found[2].decode(), headers, lasting and not embodied, old)


def _headers(lines: bytes) -> dict[str, str]:
    low, headers = lines.lower(), {}
    for name, needle in _LOOKED_AT:
        at = low.find(needle)
        if at >= 0:
            headers[name] = _values(lines, low, needle, at)
    return headers


def _values(lines: bytes, low: bytes, needle: bytes, at: int) -> str:
    """Return the value of a header; of one that comes more than once, all of them as a list (RFC 9110 §5.2)."""
    found = []
    while at >= 0:
        start = at + len(needle)
        end = lines.find(b"\r\n", start)
        found.append(lines[start : end if end >= 0 else None].strip(b" \t"))
        at = low.find(needle, start)
    return b",".join(found).decode("latin-1")
