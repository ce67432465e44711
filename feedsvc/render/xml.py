"""XML as the feeds need it: names, elements, spelling of titles, and the guarded way to read a document.

lxml's owner in this room; its exceptions end here.
"""

import re
from typing import TypeAlias

from lxml import etree

from feedsvc.patterns import pattern

Element: TypeAlias = etree._Element

ATOM = "http://www.w3.org/2005/Atom"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
DC = "http://purl.org/dc/elements/1.1/"
HISTORY = "http://purl.org/syndication/history/1.0"
MEDIA = "http://search.yahoo.com/mrss/"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# Elements whose text a reader may take for HTML, and attributes likewise. An element with children is not matched.
_PLAIN = pattern(
    rb"<(title|subtitle|category|name|rights|copyright|source)((?:\s[^<>]*)?)>([^<]+)(?=</\1>)"
    rb'|(<(?:link|category)\s(?:[^<>]*\s)?(?:title|term)=")([^"<>]+)'
)
# Of the descriptions in RSS, the channel's alone is plain text, and it stands before all others.
_DESCRIPTION = pattern(rb"(<channel>.*?<description>)([^<]*)", re.DOTALL)


class UnreadableError(ValueError):
    """A document is not well-formed XML, or is XML that nobody should read; `line` counts from 1."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(" ".join(message.split()))  # some of libxml2's have line ends
        self.line = line


def child(parent: Element, tag: str, content: str | None = None, /, **attributes: str | None) -> Element:
    """Append an element with its text and those attributes that have a value."""
    made = etree.SubElement(parent, tag, {name: value for name, value in attributes.items() if value is not None})
    made.text = content
    return made


def drop(parent: Element, *tags: str) -> None:
    """Remove the children of these names."""
    for element in [found for found in parent if found.tag in tags]:
        parent.remove(element)


def style(root: Element, href: str) -> None:
    """Put the processing instruction of a CSS style sheet before the root (G3, xml-stylesheet)."""
    address = href.replace("&", "&amp;").replace('"', "%22").replace("<", "%3C").replace(">", "%3E")
    root.addprevious(etree.ProcessingInstruction("xml-stylesheet", f'href="{address}" type="text/css"'))


def document(root: Element) -> bytes:
    """Return a whole document: declaration first, UTF-8, an element a line."""
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)


def element(tag: str, **attributes: str) -> Element:
    """Return a root element."""
    return etree.Element(tag, attributes)


def spelled(body: bytes) -> bytes:
    """Return a feed whose plain texts say `&#x3C;` and `&#x26;` for `<` and `&`.

    Read back they are the same; readers that take a title for HTML then show it whole (S6, A4; RSS Best Practices
    Profile, Character Data).
    """
    body = _DESCRIPTION.sub(lambda found: found[1] + _references(found[2]), body, count=1)
    return _PLAIN.sub(_hexadecimal, body)


def _hexadecimal(found: re.Match[bytes]) -> bytes:
    if found[4] is not None:
        return found[4] + _references(found[5])
    return b"<" + found[1] + found[2] + b">" + _references(found[3])


def _references(text: bytes) -> bytes:
    return text.replace(b"&lt;", b"&#x3C;").replace(b"&amp;", b"&#x26;")


def read(body: bytes) -> Element:
    """Return the root of a document from anywhere: no entity is expanded, nothing is fetched (X-02, X-11).

    Raises UnreadableError where it is not well-formed, declares entities, or is deeper than libxml2 allows.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableError(error.msg or "not well-formed", error.lineno or None) from error
    except ValueError as error:
        raise UnreadableError(str(error), None) from error
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise UnreadableError("the document type declares entities: remove the DOCTYPE", None)
    return root
