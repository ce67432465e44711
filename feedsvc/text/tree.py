"""HTML as a tree and back: the one place where text meets lxml.

A tree is one root element, named `div`, that holds the fragment. lxml's HTML parser moves what it thinks misplaced and
drops what lies deeper than 255, so it is not asked: `balance` writes the fragment as well-formed XML, and that is
parsed.
"""

import re
from copy import deepcopy
from typing import TypeAlias

from lxml import etree

from feedsvc.patterns import pattern
from feedsvc.text.balance import balance
from feedsvc.text.characters import windows_quotes
from feedsvc.text.elements import VOID, names

Element: TypeAlias = etree._Element

_XML = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
_VOIDS = pattern(rf"<({'|'.join(sorted(VOID))})((?: [^<>]*)?)(?<!/)>")
_PROSE = etree.XPath("descendant::text()[not(ancestor::pre or ancestor::code or ancestor::samp or ancestor::kbd)]")
_PLAIN = names(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a img table thead tbody tr th td hr br sup section"
    " input"
)
_MARKUP_IN_CODE = etree.XPath(
    "boolean(descendant::code/* | descendant::pre/*[not(self::code)]"
    " | descendant::code/comment() | descendant::pre/comment())"
)
# A shortcode, a CDATA section, an instruction and attributes in capitals mean one thing in HTML, another in XML.
_UNUSUAL = pattern(r"\{\{<|<!\[|<\?|<[a-z][a-z0-9]*+(?:[^<>]*?)\s[a-z-]*+[A-Z][A-Za-z-]*+\s*+=")
_EMPTY = pattern(r"<([a-z][a-z0-9]*)((?: [^<>]*)?)/>")


def fragment(html: str) -> Element:
    """Return the tree of a fragment of HTML, whatever it holds: unclosed, surplus, too deep, NUL.

    Clean HTML, which is well-formed but for void elements, takes the short way.
    """
    root = _well_formed(html)
    return parse_balanced(balance(html)) if root is None else root


def read(html: str, *, own: bool = False) -> Element:
    """Return the tree of HTML that anybody may have written, read as `balance` reads it.

    What Markdown makes of a post without raw HTML is well-formed already and takes the short way, ten times faster.
    """
    root = None if _UNUSUAL.search(html) else _well_formed(html)
    return root if root is not None and _is_plain(root) else parse_balanced(balance(html, own=own))


def _well_formed(html: str) -> Element | None:
    try:
        return parse_balanced(_VOIDS.sub(r"<\1\2/>", windows_quotes(html).replace("&nbsp;", "\xa0")))
    except (etree.XMLSyntaxError, ValueError):
        return None


def _is_marker(element: Element) -> bool:
    """Return whether a node is the author's more-marker; comments are among the elements of a tree, by another tag."""
    kind: object = element.tag
    return kind is etree.Comment and (element.text or "").strip() == "more"


def _is_plain(root: Element) -> bool:
    """Return whether a tree holds only what Markdown makes: no other names, and in code nothing but text (CL-01)."""
    for element in root.iterdescendants():
        if element.tag not in _PLAIN and not _is_marker(element):
            return False
        if element.tag in ("img", "input") and not element.attrib:
            return False
    return not _MARKUP_IN_CODE(root)


def parse_balanced(markup: str) -> Element:
    """Return the tree of markup that `balance` wrote."""
    return etree.fromstring(f"<div>{markup}</div>", _XML)


def inner(root: Element) -> str:
    """Return what a root holds as HTML: void elements without end tag, all others with one, text escaped."""
    html = _EMPTY.sub(_spell, etree.tostring(root, encoding="unicode", with_tail=False))
    return html[html.index(">") + 1 : html.rindex("<")]


def words_of(element: Element) -> str:
    """Return the text of an element, its ends trimmed, white space as it stands."""
    return "".join(element.itertext()).strip()


def prose(element: Element) -> str:
    """Return the text of an element without what is code."""
    return "".join(_PROSE(element))


def before_comment(root: Element) -> Element | None:
    """Return a copy of a tree up to its first comment, None when there is none (T10)."""
    if next(root.iter(etree.Comment), None) is None:
        return None
    copy = deepcopy(root)
    step: Element | None = next(copy.iter(etree.Comment))
    comment = step
    while step is not None and step is not copy:
        step.tail = None
        for sibling in list(step.itersiblings()):
            _take_out(sibling)
        step = step.getparent()
    if comment is not None:
        _take_out(comment)
    return copy


def drop_comments(root: Element) -> None:
    """Remove all comments of a tree; the text behind each stays."""
    for comment in list(root.iter(etree.Comment)):
        remove(comment)


def text_before(element: Element) -> str:
    """Return the text between an element and what stands before it in its parent."""
    previous, parent = element.getprevious(), element.getparent()
    if previous is not None:
        return previous.tail or ""
    return "" if parent is None else parent.text or ""


def create(name: str, text: str = "", **attributes: str) -> Element:
    """Return a new element with a text."""
    element = etree.Element(name, attributes)
    element.text = text
    return element


def add_after(element: Element, text: str) -> None:
    """Put a text right behind an element."""
    element.tail = text + (element.tail or "")


def remove(element: Element, gap: str = "") -> None:
    """Remove an element with all that is in it; the text behind it stays, `gap` keeps it apart (CL-03)."""
    _leave_text(element, gap + (element.tail or ""))
    _take_out(element)


def unwrap(element: Element, gap: str = "") -> None:
    """Remove an element, not what is in it; `gap` keeps the words before, in and behind it apart (CL-03)."""
    parent = element.getparent()
    if parent is None:
        return
    children = list(element)
    _leave_text(element, gap + (element.text or ""))
    if children:
        children[-1].tail = (children[-1].tail or "") + gap + (element.tail or "")
    else:
        _leave_text(element, gap + (element.tail or ""))
    place = parent.index(element)
    _take_out(element)
    parent[place:place] = children


def replace(element: Element, other: Element | str) -> None:
    """Put another element, or a text, in the place of an element and all that is in it."""
    if isinstance(other, str):
        _leave_text(element, other + (element.tail or ""))
        _take_out(element)
        return
    parent = element.getparent()
    if parent is not None:
        other.tail = element.tail
        parent.replace(element, other)


def empty(element: Element) -> None:
    """Remove all that is in an element; its attributes and the text behind it stay."""
    element.text = None
    del element[:]


def _leave_text(element: Element, text: str) -> None:
    """Add a text right before an element."""
    previous, parent = element.getprevious(), element.getparent()
    if previous is not None:
        previous.tail = (previous.tail or "") + text
    elif parent is not None:
        parent.text = (parent.text or "") + text


def _take_out(element: Element) -> None:
    """Remove an element together with the text behind it."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _spell(found: re.Match[str]) -> str:
    name, attributes = found[1], found[2]
    return f"<{name}{attributes}>" if name in VOID else f"<{name}{attributes}></{name}>"
