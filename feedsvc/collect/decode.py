"""Bytes of a post → its text: UTF-8 or nothing, LF everywhere, only characters that can be published (B1 to B5).

U+FFFD goes with what XML can't carry: it stands for a byte that somebody could not read, and no feed says so (B3).
"""

from msgspec import Struct

from feedsvc.patterns import pattern
from feedsvc.text.characters import windows_quotes

_FORBIDDEN = pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffd-\uffff]")
_C1 = pattern("[\x80-\x9f]+")
_C0_BYTES = bytes(code for code in range(0x20) if code not in b"\t\n\r")
_C1_BYTES = pattern(rb"\xc2[\x80-\x9f]")
_LINE_END = pattern(rb"\r\n|\r|\n")


class Dropped(Struct, frozen=True):
    """A character that was taken out: its line, from 1, and its name (`U+000C`)."""

    line: int
    name: str


class Decoded(Struct, frozen=True):
    """The text of a file with LF line ends, and what had to go."""

    text: str
    dropped: tuple[Dropped, ...] = ()


class BadByte(Struct, frozen=True):
    """The first byte that is no UTF-8: its line, from 1, and its value."""

    line: int
    value: int


def decode(raw: bytes) -> Decoded | BadByte:
    """Return the text of a file, or where it stops being UTF-8: it is never guessed.

    A byte order mark goes, CRLF and CR become LF, what XML can't carry is dropped and named, U+0080-009F become what
    Windows-1252 means by them. Source: B1 to B5.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return BadByte(len(_LINE_END.findall(raw, 0, error.start)) + 1, raw[error.start])
    text = text.lstrip("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    dropped: tuple[Dropped, ...] = ()
    if _may_hold_forbidden(raw):
        dropped = forbidden(text)
        text = publishable(text)
    return Decoded(windows_1252(text) if b"\xc2" in raw and _C1_BYTES.search(raw) else text, dropped)


def forbidden(text: str, line: int = 1) -> tuple[Dropped, ...]:
    """Return what may not be published of a text that begins on `line`, one for each occurrence (B3, B4)."""
    return tuple(
        Dropped(line + text.count("\n", 0, found.start()), f"U+{ord(found[0]):04X}")
        for found in _FORBIDDEN.finditer(text)
    )


def publishable(text: str) -> str:
    """Return the text without what `forbidden` finds in it (B3, B4)."""
    return _FORBIDDEN.sub("", text)


def windows_1252(text: str) -> str:
    """Return the text with raw U+0080-009F as Windows-1252 means them; typed references are left alone (B5)."""
    return _C1.sub(lambda found: windows_quotes(found[0]), text)


def _may_hold_forbidden(raw: bytes) -> bool:
    """Return False where a glance at the bytes excludes it: a regular expression over all text costs ten times that."""
    return len(raw.translate(None, _C0_BYTES)) != len(raw) or b"\xef\xbf" in raw
