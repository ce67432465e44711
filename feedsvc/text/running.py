"""The running text of an entry: what a reader reads in one go, in pieces, each with the inline elements around it.

Headings, code blocks, tables, images, notes, scripts and captions are not running text; lists, quotes and definitions
are. Between blocks stands a blank (T2). Whether the page shows more than words is known once all has been read (T4).
"""

from collections.abc import Iterator
from typing import NamedTuple

from feedsvc.patterns import pattern
from feedsvc.text.characters import escape
from feedsvc.text.elements import BLOCK, HEADINGS
from feedsvc.text.references import drop_notes
from feedsvc.text.tree import Element, fragment


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KEPT = _names("a em strong b i u s del ins sub sup code kbd samp var abbr cite q")
_SILENT = HEADINGS | _names("hr script style template noscript head title source track rp")
_SHOWN = _names(
    "pre table img picture video audio iframe object embed svg math canvas figcaption form input button select textarea"
)
_ATTRIBUTES = ("href", "title", "rel", "hreflang", "cite", "datetime", "lang", "dir")
_PREFIX = pattern("^#e[0-9a-f]{10}-(?:[0-9a-f]{10}$)?")
_BLANKS = pattern(r"\s+")
_UNBROKEN = frozenset("\u00a0\u2007\u202f")


class Inline(NamedTuple):
    """An inline element that stays: its name and its start tag. Two that look alike are two."""

    name: str
    tag: str


class Piece(NamedTuple):
    """Text with white space single, a blank in front where one stands there, and the elements it is in, outermost
    first."""

    text: str
    within: tuple[Inline, ...]


class RunningText:
    """The pieces of the running text of clean HTML, once, in order.

    While they are read, `shows_more` becomes true where there is something beside words: a code block, a table, an
    image, a note. `alternative` is the first image's text. `right_to_left`: the block of the first words says so.
    """

    def __init__(self, html: str, link: str | None) -> None:
        self._link = link
        self._root = fragment(html)
        self._blank = self._begun = False
        self._within: list[Inline] = []
        self.alternative = ""
        self.right_to_left = False
        self.shows_more = "#" in html and drop_notes(self._root, link)

    def __iter__(self) -> Iterator[Piece]:
        for text, parent in self._texts():
            piece = self._piece(text, parent)
            if piece is not None:
                yield piece

    def _texts(self) -> Iterator[tuple[str | None, Element]]:
        """Yield each text with the element it stands in; a path instead of recursion, for markup may be deep."""
        element, children = self._root, iter(self._root)
        path = [(element, children)]
        yield element.text, element
        while path:
            element, children = path[-1]
            child = next(children, None)
            if child is None:
                path.pop()
                self._leave(element)
                if path:
                    yield element.tail, path[-1][0]
            elif self._enter(child):
                path.append((child, iter(child)))
                yield child.text, child
            else:
                yield child.tail, element

    def _piece(self, text: str | None, parent: Element) -> Piece | None:
        """Return a text as a piece; what stands bare in a figure is no running text, nor is white space alone."""
        if not text or parent.tag == "figure":
            return None
        bare = text.strip()
        self._blank |= text[0].isspace()
        if not bare:
            return None
        if not self._begun:
            self._note_direction(parent)
        front = " " if self._blank and self._begun else ""
        self._begun, self._blank = True, text[-1].isspace()
        return Piece(front + _single(bare), tuple(self._within))

    def _note_direction(self, parent: Element) -> None:
        said = (step.get("dir") for step in (parent, *parent.iterancestors()) if step.tag in BLOCK)
        self.right_to_left = next((word == "rtl" for word in said if word), False)

    def _enter(self, element: Element) -> bool:
        """Return whether to read what the element holds."""
        name = element.tag if isinstance(element.tag, str) else ""
        self._blank |= name in BLOCK
        if name in _SHOWN:
            self._note_shown(element)
        if not name or name in _SHOWN or name in _SILENT or self._is_of_figure(element):
            return False
        if name in _KEPT and (name != "a" or self._address(element)):
            self._within.append(Inline(name, self._start_tag(element)))
        return True

    def _leave(self, element: Element) -> None:
        name = element.tag
        self._blank |= name in BLOCK
        if name in _KEPT and (name != "a" or self._address(element)):
            self._within.pop()

    def _is_of_figure(self, element: Element) -> bool:
        """Return whether this is the link around a figure's image, or the address of a frame: not running text."""
        parent = element.getparent()
        if parent is None or parent.tag != "figure" or element.tag in BLOCK:
            return False
        for image in element.iter("img"):
            self._note_shown(image)
        self.shows_more = True
        return True

    def _note_shown(self, element: Element) -> None:
        self.shows_more = True
        for image in element.iter("img"):
            self.alternative = self.alternative or _single((image.get("alt") or "").strip())

    def _address(self, anchor: Element) -> str:
        """Return where a link leads; a bare fragment leads to the entry's page, which has no prefixes (C3)."""
        address = anchor.get("href") or ""
        if address.startswith("#"):
            return (self._link + _PREFIX.sub("#", address)).rstrip("#") if self._link else ""
        return address

    def _start_tag(self, element: Element) -> str:
        values = dict(element.attrib)
        if "href" in values:
            values["href"] = self._address(element)
        attributes = [f' {name}="{escape(str(values[name]))}"' for name in _ATTRIBUTES if name in values]
        return "".join(["<", str(element.tag), *attributes, ">"])


def text_of(pieces: list[Piece]) -> str:
    """Return the text of pieces in one."""
    return "".join(piece.text for piece in pieces)


def html_of(pieces: list[Piece], end: int) -> str:
    """Return the first `end` characters of the pieces as HTML: each element closed, none of them empty (T6)."""
    parts: list[str] = []
    around: tuple[Inline, ...] = ()
    for piece in pieces:
        text = piece.text[:end]
        if not text:
            break
        end -= len(text)
        shared = _shared(around, piece.within)
        parts += [f"</{inline.name}>" for inline in reversed(around[shared:])]
        parts.append(" " if text[0] == " " else "")
        parts += [inline.tag for inline in piece.within[shared:]]
        parts.append(escape(text.removeprefix(" ")))
        around = piece.within
    parts += [f"</{inline.name}>" for inline in reversed(around)]
    return "".join(parts)


def _shared(before: tuple[Inline, ...], after: tuple[Inline, ...]) -> int:
    """Return how many of the elements around one piece are around the next as well."""
    length = 0
    while length < min(len(before), len(after)) and before[length] is after[length]:
        length += 1
    return length


def _single(text: str) -> str:
    """Return the text with white space single; a lone no-break space stays what it is."""
    if text.isascii() or _UNBROKEN.isdisjoint(text):
        return " ".join(text.split())
    return _BLANKS.sub(lambda found: found[0] if found[0] in _UNBROKEN else " ", text)
