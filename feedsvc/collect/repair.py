"""Text of an XML document → the same document as XML wants it: edges, characters, references (EN-05 to EN-07, DX-03).

`trim` and `tidy` are for every document; `mend` is for one that is not well-formed. All of it is linear.
"""

import re
from collections.abc import Iterator
from html.entities import html5

from msgspec import Struct

from feedsvc.patterns import pattern
from feedsvc.text.characters import escape, xml_text

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
UNDECLARED = "urn:undeclared:"
_NAME = r"[A-Za-z_][\w.\-]*+"
_START = pattern(rf"<\?xml\s|<!DOCTYPE\b|<(?:{_NAME}:)?(?:rss|rdf|feed|opml|channel)(?=[\s/>])", re.IGNORECASE)
_PAGE = pattern(r"<!DOCTYPE\s++html|<(?:html|head|body|script|meta|frameset)(?=[\s/>])", re.IGNORECASE)
_JSON = pattern(r"\{(?=\s*+\"[^\"]*+\"\s*+:)")
_PROLOG = pattern(r"\s*+(?:<\?xml\s[^<>]*+>)?")
_ROOT = pattern(rf"<(?:({_NAME}):)?({_NAME})(?=[\s/>])")
_SKIPPED = pattern(r"<!\[CDATA\[|<!--|<\?")
_ENDS = {"<![CDATA[": "]]>", "<!--": "-->", "<?": "?>"}
_ODD_REFERENCE = pattern(r"&(?!(?:amp|lt|gt|quot|apos);)")
_REFERENCE = pattern(r"&(?:#(?:[xX]([0-9a-fA-F]++)|([0-9]++));?|([A-Za-z][A-Za-z0-9]{0,31}+);)?+")
_REPLACEMENT = 0xFFFD
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_TEXT_MARK = pattern(r"<(?![A-Za-z_:/?!])|</(?![A-Za-z_:])|<!(?!--|\[CDATA\[|DOCTYPE)|]]>")
_PREFIXED = pattern(rf"</?({_NAME}):{_NAME}|[\s\"']({_NAME}):{_NAME}\s*+=")
_DECLARES = pattern(rf"\sxmlns:({_NAME})\s*+=")
_END_OF_TAG = pattern(r"""(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+""")


class Trimmed(Struct, frozen=True):
    """A document from its first to its last character; `before` and `behind` were cut off; `root` as it is spelled.

    `ended`: the end of the root is there.
    """

    text: str
    root: str
    ended: bool
    before: str = ""
    behind: str = ""


def trim(text: str) -> Trimmed | None:
    """Return the document that stands in a text, None where a web page or nothing like a feed does (EN-05)."""
    start = _START.search(text)
    page = _PAGE.search(text)
    if start is None or (page is not None and page.start() <= start.start()):
        return None
    prolog = _PROLOG.match(text, start.start())
    begin = prolog.end() if prolog else start.start()
    root = next((found for found in _tags(text, begin)), None)
    if root is None:
        return None
    name = root[0][1:]
    ends = list(re.finditer(rf"</{re.escape(name)}\s*+>", text, re.IGNORECASE))
    empty = text[: _tag_end(text, root.start()) + 1].endswith("/>") and not ends
    end = ends[-1].end() if ends else _tag_end(text, root.start()) + 1 if empty else len(text)
    body = text[begin:end].lstrip()
    return Trimmed(body, name, bool(ends) or empty, text[: start.start()], text[end:])


def trim_json(text: str) -> Trimmed | None:
    """Return the JSON that a text is, or that stands behind a notice in it; None where XML or a page comes first."""
    text = text.lstrip()
    if text[:1] in ("{", "["):
        return Trimmed(text, "", ended=True)
    start = _JSON.search(text)
    if start is None or any(found.search(text, 0, start.start()) for found in (_START, _PAGE)):
        return None
    return Trimmed(text[start.start() :], "", ended=True, before=text[: start.start()])


def tidy(text: str) -> str:
    """Return a document without characters that XML forbids, raw or as references, HTML's names as their characters.

    An unknown name and a bare `&` are text; a reference to U+FFFD goes as the character did. CDATA sections keep all
    but the forbidden (EN-03, EN-06, EN-07).
    """
    text = xml_text(text)
    if not _ODD_REFERENCE.search(text):
        return text
    return "".join(
        _forbidden(piece) if skipped else _REFERENCE.sub(_reference, piece) for piece, skipped in _pieces(text)
    )


def mend(text: str, root: str) -> str:
    """Return a document in which `<` that begins nothing is text and every prefix is declared (DX-03)."""
    text = "".join(
        piece if skipped else _TEXT_MARK.sub(lambda found: escape(found[0]), piece) for piece, skipped in _pieces(text)
    )
    return _declare(text, root)


def _declare(text: str, root: str) -> str:
    """Declare on the root every prefix that is used and not declared there, as one that nobody knows."""
    at = text.find(f"<{root}")
    end = _tag_end(text, at)
    if at < 0 or end < 0:
        return text
    used: set[str] = set()
    for piece, skipped in _pieces(text):
        if not skipped:
            used.update(found[1] or found[2] for found in _PREFIXED.finditer(piece))
    there = {found[1] for found in _DECLARES.finditer(text, at, end)}
    missing = sorted(used - there - {"xml", "xmlns"})
    declared = "".join(f' xmlns:{prefix}="{UNDECLARED}{prefix}"' for prefix in missing[:100])
    behind = at + 1 + len(root)
    return text[:behind] + declared + text[behind:]


def _tags(text: str, begin: int) -> Iterator[re.Match[str]]:
    """Yield the start tags from a place on that stand in no comment, instruction or CDATA section."""
    at = begin
    for piece, skipped in _pieces(text[begin:]):
        if not skipped:
            yield from _ROOT.finditer(text, at, at + len(piece))
        at += len(piece)


def _tag_end(text: str, at: int) -> int:
    """Return where the `>` of a start tag is, -1 where there is none."""
    found = _END_OF_TAG.match(text, at + 1)
    return found.end() if found and text.startswith(">", found.end()) else -1


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, and of each whether it is a CDATA section, a comment or an instruction.

    One that is never closed is text. What closes is looked for once only where it is not found: linear.
    """
    at = place = 0
    unclosed: set[str] = set()
    while (opened := _SKIPPED.search(text, place)) is not None:
        mark = opened[0]
        end = -1 if mark in unclosed else text.find(_ENDS[mark], opened.end())
        if end < 0:
            unclosed.add(mark)
            place = opened.end()
            continue
        if opened.start() > at:
            yield text[at : opened.start()], False
        at = place = end + len(_ENDS[mark])
        yield text[opened.start() : at], True
    yield text[at:], False


def _forbidden(piece: str) -> str:
    """Return a piece without references to characters that XML forbids; all else in it is as it was."""
    return _REFERENCE.sub(lambda found: found[0] if _code(found) is None or _allowed(found) else "", piece)


def _reference(found: re.Match[str]) -> str:
    if _code(found) is not None:
        return (found[0] if found[0].endswith(";") else f"{found[0]};") if _allowed(found) else ""
    name = found[3]
    if name is None:
        return "&amp;"
    if name in _XML_NAMES:
        return found[0]
    meant = html5.get(f"{name};")
    return f"&amp;{name};" if meant is None else escape(meant)


def _code(found: re.Match[str]) -> int | None:
    digits, base = (found[1], 16) if found[1] else (found[2], 10)
    if digits is None:
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits, base) if len(digits) <= 8 else 0x110000


def _allowed(found: re.Match[str]) -> bool:
    code = _code(found)
    return code is not None and code <= 0x10FFFF and code != _REPLACEMENT and bool(xml_text(chr(code)))
