"""Elements that may not be published become ones that may: C6, C7, CL-03, T15. Addresses and ids are others' rooms."""

import re
from collections.abc import Callable

from msgspec import Struct

from feedsvc.patterns import pattern
from feedsvc.text.elements import BLOCK, HEADINGS, names
from feedsvc.text.policy import SILENT
from feedsvc.text.tree import Element, create, empty, remove, replace, unwrap, words_of

_RENAMED = {"h1": "h2", "strike": "s", "tt": "code", "acronym": "abbr", "dfn": "em", "listing": "pre", "xmp": "pre"} | {
    "plaintext": "pre",
    "dir": "ul",
    "menu": "ul",
}
_PARAGRAPHS = names(
    "div section article main header footer nav aside address center fieldset form hgroup dialog search body html"
    " legend marquee object"
)
_APART = BLOCK | _PARAGRAPHS | names("option optgroup select button textarea canvas head label output")
_GONE = names("wbr col colgroup area base basefont bgsound link meta param embed track input")
_FRAMES = names("iframe frame")
_NO_PARAGRAPH_IN = HEADINGS | names("p dt summary pre code samp kbd caption")
_HIDDEN_STYLE = pattern(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)", re.IGNORECASE)
_WORTH_SEEING = ("img", "pre", "table", "video", "audio", "picture")
_FORMATTING = names("em strong b i u s del ins sub sup cite q abbr var")
_BLANKS = pattern(r"[ \t\n]+")


class Rewriting(Struct, frozen=True):
    """How the elements of one entry are rewritten.

    `allowed` may stay. `frame` returns the address of what a frame shows, None when there is none to be published.
    `own` keeps the more-marker, and the text of a `title`. `wanted` are the ids that links in the text lead to.
    """

    allowed: frozenset[str]
    frame: Callable[[str], str | None]
    own: bool
    wanted: frozenset[str]

    def apply(self, root: Element) -> None:
        """Rewrite all elements of a tree, the innermost first."""
        for element in reversed(list(root.iterdescendants())):
            name = element.tag
            if not isinstance(name, str):
                if not self.own:
                    remove(element)
            elif name in ("code", "tt") and next(element.iterancestors("code", "tt"), None) is not None:
                unwrap(element)
            elif name in _RENAMED:
                element.tag = _RENAMED[name]
            elif name not in self.allowed:
                self._rewrite(element, name)

    def _rewrite(self, element: Element, name: str) -> None:
        if name in _FRAMES:
            _leave_link(element, self._address(element.get("src") or element.get("data-src")))
        elif name in ("audio", "video"):
            _leave_link(element, self._address(_played(element)))
        elif name in SILENT or (name == "title" and not self.own):
            remove(element)
        elif name == "input" and element.get("type", "").lower() == "checkbox":
            replace(element, "☐" if element.get("checked") is None else "☑")
        elif name in _GONE:
            remove(element)
        elif name == "rt" and not _has_parentheses(element):
            replace(element, f"({words_of(element)})")
        else:
            self._unwrap(element, name)

    def _address(self, address: str | None) -> str | None:
        return self.frame(address) if address and address.strip() else None

    def _unwrap(self, element: Element, name: str) -> None:
        target = element.get("id") or ""
        if name in _PARAGRAPHS and _is_paragraph(element):
            element.tag = "p"
            return
        if target in self.wanted:
            anchor = create("a", id=target)
            anchor.tail, element.text = element.text, None
            element.insert(0, anchor)
        _hand_on_direction(element, inline=name not in _APART)
        unwrap(element, gap="\n" if name in _APART else "")


def drop_hidden(root: Element, html: str) -> None:
    """Remove what readers do not see: `hidden`, `aria-hidden` (T13), `display:none`; pictures and code stay."""
    if "hidden" not in html and "display" not in html:
        return
    for element in list(root.iterdescendants()):
        if isinstance(element.tag, str) and _is_hidden(element) and next(element.iter(*_WORTH_SEEING), None) is None:
            remove(element, gap="\n" if element.tag in BLOCK else "")


def to_inline(root: Element, allowed: frozenset[str]) -> None:
    """Leave inline elements only; what stood in blocks is joined by blanks."""
    for element in reversed(list(root.iterdescendants())):
        if isinstance(element.tag, str) and element.tag in allowed:
            continue
        if isinstance(element.tag, str) and element.tag not in ("img", "source"):
            unwrap(element, gap=" ")
        else:
            remove(element)
    tidy(root)
    for element in root.iter():
        element.text = _BLANKS.sub(" ", element.text) if element.text else element.text
        element.tail = _BLANKS.sub(" ", element.tail) if element.tail else element.tail


def tidy(root: Element) -> None:
    """Remove what became pointless: links that lead nowhere, empty paragraphs and formatting, sources of nothing."""
    for element in reversed(list(root.iterdescendants())):
        name = element.tag
        if name == "a" and element.get("href") is None and (element.get("id") is None or words_of(element)):
            _unwrap_anchor(element)
        elif name == "source" and _parent_of(element) not in ("picture", "audio", "video"):
            remove(element)
        elif name in ("audio", "video") and element.get("src") is None and element.find("source") is None:
            unwrap(element, gap=" ")
        elif name == "picture" and next(element.iter("img"), None) is None:
            empty(element)
            unwrap(element)
        elif not len(element) and not element.text and element.get("id") is None:
            if name == "p":
                remove(element, gap="\n")
            elif name in _FORMATTING:
                remove(element)


def _unwrap_anchor(anchor: Element) -> None:
    target = anchor.get("id")
    if target is None:
        unwrap(anchor)
        return
    mark = create("a", id=target)
    anchor.insert(0, mark)
    mark.tail, anchor.text = anchor.text, None
    unwrap(anchor)


def _parent_of(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else str(parent.tag)


def _is_hidden(element: Element) -> bool:
    if element.get("aria-hidden", "").lower() == "true" or element.get("hidden") is not None:
        return True
    return "style" in element.attrib and _HIDDEN_STYLE.search(element.get("style", "")) is not None


def _is_paragraph(element: Element) -> bool:
    """Return whether a block holds words or a picture, no other blocks, and stands where a paragraph may stand."""
    if next(element.iterdescendants(*BLOCK - {"br"}), None) is not None:
        return False
    if not words_of(element) and next(element.iter("img"), None) is None:
        return False
    return not any(step.tag in _NO_PARAGRAPH_IN for step in element.iterancestors())


def _hand_on_direction(element: Element, *, inline: bool) -> None:
    """Hand direction and language on: of a block to the blocks inside, of a phrase to the block it fills (T15)."""
    parent = element.getparent()
    for attribute in ("dir", "lang"):
        value = element.get(attribute)
        if value is None:
            continue
        if not inline:
            for child in element:
                if isinstance(child.tag, str) and child.get(attribute) is None:
                    child.set(attribute, value)
        elif parent is not None and parent.get(attribute) is None and words_of(parent) == words_of(element):
            parent.set(attribute, value)


def _has_parentheses(element: Element) -> bool:
    neighbours = (element.getprevious(), element.getnext())
    return any(neighbour is not None and neighbour.tag == "rp" for neighbour in neighbours)


def _played(element: Element) -> str | None:
    """Return the address that audio or video plays, its own or that of the first source."""
    source = element.find("source")
    return element.get("src") or (None if source is None else source.get("src"))


def _leave_link(element: Element, address: str | None) -> None:
    """Put a link in the place of a frame: in a figure, for its address is no running text (C6, T12).

    A paragraph is parted around it, as the frame's box parts it; only in a heading, a cell of code or a phrase it
    stands bare.
    """
    if address is None:
        remove(element)
        return
    link = create("a", address, href=address)
    parent = element.getparent()
    if parent is not None and parent.tag == "p":
        _part(parent, element, _figure(link))
    elif any(step.tag in _NO_PARAGRAPH_IN for step in element.iterancestors()):
        replace(element, link)
    else:
        replace(element, _figure(link))


def _part(paragraph: Element, element: Element, figure: Element) -> None:
    """Put a figure in the place of an element of a paragraph, between what stands before it and what behind it."""
    behind = create("p", element.tail or "", **{str(name): str(value) for name, value in paragraph.attrib.items()})
    behind.attrib.pop("id", None)
    behind.extend(list(element.itersiblings()))
    element.tail = None
    remove(element)
    behind.tail, paragraph.tail = paragraph.tail, "\n"
    paragraph.addnext(figure)
    if len(behind) or (behind.text or "").strip():
        figure.tail = "\n"
        figure.addnext(behind)
    else:
        figure.tail = behind.tail
    if not len(paragraph) and not (paragraph.text or "").strip():
        paragraph.tail = None
        remove(paragraph)


def _figure(link: Element) -> Element:
    figure = create("figure")
    figure.append(link)
    return figure
