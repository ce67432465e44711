"""Which characters may be published: what XML 1.0 carries, what Windows-1252 meant, what a reference stands for."""

import re
from html.entities import html5

from feedsvc.patterns import pattern

_FORBIDDEN = pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Controls, those of direction, marks of byte order, joints that only a line breaker sees.
_UNSEEN = pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffd]"
)
_C1 = pattern("[\x80-\x9f]")
_REFERENCE = pattern(r"&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([A-Za-z][A-Za-z0-9]{0,31}+)(;?))")
_MARKUP = {"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;"}
_MARKUP_CHARACTERS = pattern('[<>&"]')
_LONGEST_BARE_NAME = 6
_REPLACEMENT = 0xFFFD


def _windows(code: int) -> str:
    """Return what Windows-1252 means by a byte of 80 to 9F, "" for the five it leaves free."""
    return bytes([code]).decode("cp1252", "ignore")


_WINDOWS = {chr(code): _windows(code) for code in range(0x80, 0xA0)}


def xml_text(text: str) -> str:
    """Return the text without what XML 1.0 can't carry; tab, LF and CR stay (S-34, B4)."""
    return text if text.isprintable() else _FORBIDDEN.sub("", text)


def windows_quotes(text: str) -> str:
    """Return the text with U+0080-009F, also as `&#147;`, as the characters that Windows-1252 means by them (B5).

    The five that Windows-1252 leaves free go. Other references are left as they are.
    """
    if not text.isascii():
        text = _C1.sub(lambda found: _WINDOWS[found[0]], text)
    return _REFERENCE.sub(_windows_reference, text) if "&#" in text else text


def visible(text: str) -> str:
    """Return plain text without what nobody sees, white space single (TI-03, S-23)."""
    if not (text.isascii() and text.isprintable() and "&#" not in text):
        text = _UNSEEN.sub("", windows_quotes(xml_text(text)))
    return " ".join(text.split())


def escape(text: str) -> str:
    """Return the text as it stands in HTML and XML, in an element or in double quotes."""
    return _MARKUP_CHARACTERS.sub(lambda found: _MARKUP[found[0]], text)


def unescape(text: str, *, attribute: bool = False) -> str:
    """Return the text with its references resolved, once; what they may not stand for goes (B3, B4).

    `attribute`: a name without semicolon before `=` or a letter is no reference there, `?a=1&copy=2` (HTML 13.2.5.72).
    """
    if "&" not in text:
        return text
    return _REFERENCE.sub(_in_attribute if attribute else _in_text, text)


def _character(code: int) -> str:
    if 0x80 <= code < 0xA0:
        return _WINDOWS[chr(code)]
    return xml_text(chr(code)) if code <= 0x10FFFF and code != _REPLACEMENT else ""


def _code(found: re.Match[str]) -> int | None:
    """Return the number of a numeric reference; one of absurd length is beyond Unicode, whatever it says."""
    digits, base = (found[1], 16) if found[1] else (found[2], 10)
    if not digits:
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits, base) if len(digits) <= 8 else 0x110000


def _windows_reference(found: re.Match[str]) -> str:
    code = _code(found)
    return found[0] if code is None or not 0x80 <= code < 0xA0 else _WINDOWS[chr(code)]


def _in_text(found: re.Match[str]) -> str:
    code = _code(found)
    if code is not None:
        return _character(code)
    name = found[3]
    if found[4]:
        whole = html5.get(name + ";")
        if whole is not None:
            return whole
    for length in range(min(len(name), _LONGEST_BARE_NAME), 1, -1):
        if name[:length] in html5:
            return html5[name[:length]] + name[length:] + found[4]
    return found[0]


def _in_attribute(found: re.Match[str]) -> str:
    if found[3] and not found[4]:
        after = found.string[found.end() : found.end() + 1]
        if after == "=" or found[3] not in html5:
            return found[0]
    return _in_text(found)
