"""Bytes of a document → text, by what the bytes are and only then by what is said of them (EN-01 to EN-04, X-01)."""

import codecs
import re

from msgspec import Struct

from feedsvc.collect.found import Received, Unread, remark
from feedsvc.model import Diagnostic
from feedsvc.patterns import pattern

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = pattern(rb"""<\?xml\s[^<>]{0,200}?encoding\s{0,20}=\s{0,20}["']\s{0,20}([A-Za-z0-9._:\-]{1,60})""")
_CHARSET = pattern(r"""charset\s{0,20}=\s{0,20}["']?\s{0,20}([A-Za-z0-9._:\-]{1,60})""", re.IGNORECASE)
_HEAD = 2048
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
"""A codec as Python names it → the wider one that documents mean by it (EN-02, WHATWG Encoding)."""

_ALLOWED = pattern(
    r"utf-8|utf-(?:16|32)(?:-[bl]e)?|iso8859-(?:[2-8]|1[03-6])|cp125[0-8]|cp874|koi8-[rtu]|cp932|shift_jis\w*|"
    r"euc_\w+|gb18030|big5\w*|cp949"
)
_HIDES_MARKUP = pattern(r"utf-7|hz|iso2022_\w+|cp037|cp1026|cp1140|cp273|cp424|cp500|cp875|punycode|idna")
"""Codecs in which bytes below 128 are other characters than in ASCII: what is scanned is not what is read (X-01)."""


class Decoded(Struct, frozen=True):
    """The text of a document, without byte order mark and U+FFFD, and what deserves a warning."""

    text: str
    warnings: tuple[Diagnostic, ...] = ()


def decode(received: Received) -> Decoded | Unread:
    """Return the text of a body, Unread where it is declared in an encoding that hides markup from a scan."""
    body = received.body
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _decoded(received, codec, body[len(mark) :])
    wide = _without_mark(body)
    if wide:
        return _decoded(received, wide, body)
    names = _declared(received)
    known = [_lookup(name) for name in names]
    hidden = next((name for name, codec in zip(names, known, strict=True) if codec and _HIDES_MARKUP.match(codec)), "")
    if hidden:
        return Unread("bad-encoding", f"the encoding {hidden} is not read; serve the document as UTF-8")
    unknown = tuple(
        remark(received.name, f"the encoding {name[:40]} is not known and was not listened to", "unknown-encoding")
        for name, codec in zip(names, known, strict=True)
        if codec is None or not _ALLOWED.fullmatch(codec)
    )
    chosen = [codec for codec in known if codec and _ALLOWED.fullmatch(codec)]
    read = _decoded(received, *_chosen(body, chosen))
    return Decoded(read.text, (*unknown, *read.warnings))


def _chosen(body: bytes, declared: list[str]) -> tuple[str, bytes]:
    """Return UTF-8 where the bytes are, but for a few broken sequences; else what is declared, else windows-1252.

    Bytes that mostly are no UTF-8 are not what HTTP says where it says UTF-8 and the document says another name.
    """
    narrow = [codec for codec in declared if not codec.startswith(("utf-16", "utf-32"))]
    others = [codec for codec in narrow if codec != "utf-8"]
    if others or not narrow:
        good, bad = _utf_8(body)
        if not bad or good > bad:
            return "utf-8", body
        narrow = others
    return (narrow[0] if narrow else "cp1252"), body


def _utf_8(body: bytes) -> tuple[int, int]:
    """Return how many characters above 127 there are in the bytes read as UTF-8, and how many broken sequences."""
    try:
        return len(body.decode("utf-8")), 0
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    bad = text.count("\ufffd") - body.count("\ufffd".encode())
    return len(re.findall(r"[^\x00-\x7f]", text)) - bad, bad


def _decoded(received: Received, codec: str, body: bytes) -> Decoded:
    text = body.decode(codec, "replace")
    lost = text.count("\ufffd")
    if not lost:
        return Decoded(text.lstrip("\ufeff"))
    message = f"{lost} characters that are broken or marked as broken were left out; the document was read as {codec}"
    return Decoded(text.replace("\ufffd", "").lstrip("\ufeff"), (remark(received.name, message, "broken-characters"),))


def _without_mark(body: bytes) -> str | None:
    """Return the codec of a document in UTF-16 or UTF-32 without byte order mark, known by its zero bytes (EN-01)."""
    head = body[:128]
    if len(head) < 8:
        return None
    zeros = "".join("0" if 5 * head[start::4].count(0) >= len(head) else "x" for start in range(4))
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be", "x000": "utf-32-le", "000x": "utf-32-be"}.get(zeros)


def _declared(received: Received) -> list[str]:
    """Return the names of encodings that HTTP and the XML declaration give, in that order (EN-01)."""
    said = _CHARSET.search(received.media_type)
    written = _DECLARED.search(received.body[:_HEAD])
    return [*([said[1]] if said else []), *([written[1].decode("ascii")] if written else [])]


def _lookup(name: str) -> str | None:
    """Return the codec for a name as documents mean it, None for a name that nobody knows."""
    try:
        codec = codecs.lookup(
            {"x-sjis": "shift_jis", "x-gbk": "gbk", "unicode-1-1-utf-8": "utf-8"}.get(name.lower(), name)
        )
    except (LookupError, ValueError):
        return None
    return _READ_AS.get(codec.name, codec.name)
