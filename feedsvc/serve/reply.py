"""An answer as a value: status, headers, body, and the head as it goes over the wire."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.patterns import pattern

_BREAKS = pattern(r"[\r\n\0]")
_BODILESS = frozenset({204, 304})
NOTHING = "default-src 'none'; frame-ancestors 'none'"
PLAIN = "text/plain; charset=utf-8"
Headers = tuple[tuple[str, str], ...]


class Answer(Struct, frozen=True):
    """What goes back: `kind` names the document in metrics, `head` is the status line and the headers as bytes.

    Content-Length is among the headers, also where a HEAD leaves the body out. `head` ends with a line's end, so that
    Date and Connection, which no document knows, can follow.
    """

    status: int
    headers: Headers
    body: bytes = b""
    kind: str = "none"
    head: bytes = b""

    def header(self, name: str) -> str | None:
        """Return the value of a header, None where the answer has none of that name."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def bare(self) -> Self:
        """Return this answer for HEAD: the same head, no body (V-07)."""
        return replace(self, body=b"")


def answer(status: int, headers: Sequence[tuple[str, str]], body: bytes = b"", kind: str = "none") -> Answer:
    """Return an answer with its head spelled; ValueError for a header with CR, LF or NUL in it (S-35)."""
    lines = tuple(headers) + (() if status in _BODILESS else (("Content-Length", str(len(body))),))
    for name, value in lines:
        if _BREAKS.search(value):
            raise ValueError(f"{name}: a line break or NUL in a header: {value!r}")
    text = "".join(f"{name}: {value}\r\n" for name, value in lines)
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{text}"
    return Answer(status, lines, body, kind, head.encode("latin-1", "replace"))


def said(status: int, text: str, *headers: tuple[str, str]) -> Answer:
    """Return an answer of one line of text, with the policies that every answer has (V-16)."""
    policies = (("Content-Type", PLAIN), ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", NOTHING))
    return answer(status, (*policies, *headers), f"{text}\n".encode())
