"""The cheap look at a document before any parser that builds something of it: expat counts, and nothing is built.

Bombs are refused (X-02, X-03); where the document is not well-formed is said, and where its last whole entry ends.
"""

import re
from typing import Any
from xml.parsers import expat

from msgspec import Struct

from feedsvc.collect.found import Unread
from feedsvc.patterns import pattern
from feedsvc.text.elements import VOID

ATTRIBUTES = 200
DEPTH = 200
ITEMS = 5_000
AUTHOR = 1_000
_PEOPLE = frozenset({"author", "creator", "managingeditor", "webmaster", "publisher"})
_ENTRIES = frozenset({"item", "entry"})
_TAG_NAME = pattern(rb"<([^\s/>]+)")
_NAMED = r"<(?:[\w.\-]++:)?"
_LONG_AUTHOR = pattern(
    rf"{_NAMED}(?:{'|'.join(sorted(_PEOPLE))})(?:\s[^<>]*+)?>\s*+(?:{_NAMED}name(?:\s[^<>]*+)?>)?+\s*+(?:<!\[CDATA\[)?+"
    rf"[^<]{{{AUTHOR + 1}}}",
    re.IGNORECASE,
)
_ANY_TAG = pattern(r"<(/?)([A-Za-z_][\w.\-:]*+)([^<>]*+)>")
_ATTRIBUTE = pattern(r"=\s*+[\"']")
_SUBSET = pattern(r"<!DOCTYPE[^<>\[]*+\[", re.IGNORECASE)
_ENTITY = pattern(r"<!ENTITY\b", re.IGNORECASE)


class Scan(Struct, frozen=True):
    """What the look found.

    `refused` says why nothing is to be read on. `fault` says where the document stops being well-formed, "" where it
    is. `whole` is the document up to its last whole entry, closed, None where it holds none.
    """

    refused: Unread | None = None
    fault: str = ""
    whole: bytes | None = None


class _StopError(Exception):
    """Ends a scan; carries why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.unread = Unread("bomb", f"refused: {message}")


def refuse_subset(text: str) -> Unread | None:
    """Return why a document is not read that declares something of its own, in any spelling (X-02)."""
    if _ENTITY.search(text):
        return _StopError("an entity declaration; documents with a DTD of their own are not read").unread
    if _SUBSET.search(text):
        return _StopError("a DOCTYPE with an internal subset").unread
    return None


def refuse_markup(text: str) -> Unread | None:
    """Return why a document that is not well-formed is not read: expat cannot vouch for all of it (X-02, X-03)."""
    refused = refuse_subset(text)
    if refused is None and _LONG_AUTHOR.search(text):
        return _too_long_author().unread
    return refused or _refuse_tags(text)


def _refuse_tags(text: str) -> Unread | None:
    """Count attributes, entries and depth by the look of tags; depth begins anew with each entry."""
    depth = items = 0
    for tag in _ANY_TAG.finditer(text):
        name = tag[2].rpartition(":")[2].lower()
        if tag[1]:
            depth -= 1
            continue
        if len(tag[3]) > 3 * ATTRIBUTES and len(_ATTRIBUTE.findall(tag[3])) > ATTRIBUTES:
            return _too_many_attributes(len(_ATTRIBUTE.findall(tag[3]))).unread
        if name in _ENTRIES:
            items, depth = items + 1, 0
        elif name not in VOID and not tag[3].endswith("/"):
            depth = max(depth, 0) + 1
        if items > ITEMS or depth > DEPTH:
            return (_too_many_items() if items > ITEMS else _too_deep()).unread
    return None


def _too_many_attributes(count: int) -> _StopError:
    return _StopError(f"{count:,} attributes on one element; at most {ATTRIBUTES} attributes are read")


def _too_deep() -> _StopError:
    return _StopError(f"elements nested deeper than {DEPTH}: the depth of no feed")


def _too_many_items() -> _StopError:
    return _StopError(f"more than {ITEMS:,} items")


def _too_long_author() -> _StopError:
    return _StopError(f"an author of more than {AUTHOR:,} characters")


def scan(data: bytes) -> Scan:
    """Look through a document in UTF-8."""
    watch = _Watch(data)
    try:
        watch.parser.Parse(data, True)  # noqa: FBT003 - expat's signature
    except _StopError as stopped:
        return Scan(refused=stopped.unread)
    except expat.ExpatError as problem:
        if watch.subset:
            return Scan(refused=_StopError("a DOCTYPE with an internal subset").unread)
        return Scan(None, f"line {problem.lineno}: {expat.ErrorString(problem.code)}", watch.whole())
    return Scan()


class _Watch:
    """The handlers of one scan."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.subset = False
        self.parser = expat.ParserCreate("utf-8", "\n")
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EndDoctypeDeclHandler = self._doctype_end
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartNamespaceDeclHandler = self._declaration
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self._open: list[int] = []
        self._declared = 0
        self._items = 0
        self._letters = 0
        self._author = 0
        self._last: tuple[list[int], int] | None = None

    def whole(self) -> bytes | None:
        """Return the document up to its last whole entry, with the end tags that then are missing (X-07)."""
        if self._last is None:
            return None
        opened, at = self._last
        end = self.data.index(b">", at) + 1
        names = [found[1] for place in reversed(opened) if (found := _TAG_NAME.match(self.data, place))]
        return self.data[:end] + b"".join(b"</" + name + b">" for name in names)

    def _doctype(self, _name: str, _system: str | None, _public: str | None, subset: bool) -> None:
        self.subset = bool(subset)

    def _doctype_end(self) -> None:
        if self.subset:
            raise _StopError("a DOCTYPE with an internal subset")

    def _entity(self, *_said: Any) -> None:
        raise _StopError("an entity declaration; documents with a DTD of their own are not read")

    def _declaration(self, *_said: Any) -> None:
        self._declared += 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open.append(self.parser.CurrentByteIndex)
        count, self._declared = len(attributes) + self._declared, 0
        if count > ATTRIBUTES:
            raise _too_many_attributes(count)
        if len(self._open) > DEPTH:
            raise _too_deep()
        local = name[name.rfind("\n") + 1 :].lower()
        if local in _ENTRIES:
            self._items += 1
            if self._items > ITEMS:
                raise _too_many_items()
        elif local in _PEOPLE and not self._author:
            self._author, self._letters = len(self._open), 0
            self.parser.CharacterDataHandler = self._text

    def _end(self, name: str) -> None:
        if self._author == len(self._open):
            self._author = 0
            self.parser.CharacterDataHandler = None
        self._open.pop()
        if name[name.rfind("\n") + 1 :].lower() in _ENTRIES:
            self._last = (list(self._open), self.parser.CurrentByteIndex)

    def _text(self, text: str) -> None:
        self._letters += len(text)
        if self._letters > AUTHOR:
            raise _too_long_author()
