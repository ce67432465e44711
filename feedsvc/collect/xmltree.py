"""XML and pages of strangers as trees; the one place of this room that knows lxml.

Nothing is fetched, no entity is resolved, no DTD is read (X-11); what is read here has passed `scan`.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from lxml import etree, html

from feedsvc.patterns import pattern
from feedsvc.text.characters import escape
from feedsvc.text.elements import VOID
from feedsvc.text.urls import absolute

Element = etree._Element

XML = "{http://www.w3.org/XML/1998/namespace}"
BASE = f"{XML}base"
LANG = f"{XML}lang"
_NAME = pattern(r"[A-Za-z][A-Za-z0-9-]*")
_LONGEST_BASE = 2_000


def parse(data: bytes) -> Element | None:
    """Return the root of a well-formed document in UTF-8, None where it is not one."""
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def page(text: str) -> Element | None:
    """Return the root of a web page, whatever it holds; None where there is nothing in it."""
    parser = html.HTMLParser(no_network=True, remove_comments=True, huge_tree=False)
    try:
        return html.document_fromstring(text, parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def split_tag(tag: str) -> tuple[str, str]:
    """Return namespace and local name of a tag."""
    namespace, _, local = tag.rpartition("}")
    return namespace[1:], local


def children(element: Element) -> Iterator[Element]:
    """Yield the elements in an element."""
    return (child for child in element if isinstance(child.tag, str))


def text_of(element: Element) -> str:
    """Return the text in an element and all below it, as it stands."""
    return "".join(element.itertext()) if len(element) else element.text or ""


def markup(element: Element) -> str:
    """Return what is in an element as HTML: prefixes gone, void elements without end tag, text escaped (CO-05)."""
    pieces = [escape(element.text or "")]
    _write(element, pieces)
    return "".join(pieces)


def _write(element: Element, pieces: list[str]) -> None:
    for child in element:
        if isinstance(child.tag, str):
            _write_element(child, pieces)
        pieces.append(escape(child.tail or ""))


def _write_element(element: Element, pieces: list[str]) -> None:
    name = split_tag(str(element.tag))[1].lower()
    known = _NAME.fullmatch(name) is not None
    if known:
        pieces.append(f"<{name}{_attributes(element)}>")
    if name not in VOID:
        pieces.append(escape(element.text or ""))
        _write(element, pieces)
        if known:
            pieces.append(f"</{name}>")


def _attributes(element: Element) -> str:
    pairs = ((split_tag(str(name))[1], str(value)) for name, value in element.attrib.items())
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs if _NAME.fullmatch(name))


def is_div(element: Element) -> bool:
    """Return whether an element is the `div` that Atom wraps XHTML in."""
    return split_tag(str(element.tag))[1].lower() == "div"


def stated_base(element: Element, outside: str) -> str:
    """Return the base that `xml:base` states for an element, from the root inwards; "" where none does (LI-04).

    `outside` is what the outermost resolves against. One that leads to nothing like http is set aside (S-20).
    """
    steps = [element, *element.iterancestors()]
    stated = [base for step in reversed(steps) if (base := step.get(BASE)) and len(base) <= _LONGEST_BASE]
    found = ""
    for base in stated:
        resolved = absolute(found or outside, base)
        if resolved is not None and urlsplit(resolved).scheme in ("http", "https"):
            found = resolved
    return found


def language(element: Element) -> str:
    """Return the `xml:lang` that holds for an element, "" where none does."""
    for step in (element, *element.iterancestors()):
        stated = step.get(LANG)
        if stated is not None:
            return stated
    return ""
