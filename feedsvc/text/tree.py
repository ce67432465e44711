"""HTML as a tree and back: the one place where text meets lxml.

A tree is one root element, named `div`, that holds the fragment. lxml's HTML parser moves what it thinks misplaced and
drops what lies deeper than 255, so it is not asked: `balance` writes the fragment as well-formed XML, and that is
parsed.
"""

import re
from typing import TypeAlias

from lxml import etree

from feedsvc.text.balance import balance
from feedsvc.text.elements import VOID

Element: TypeAlias = etree._Element

_XML = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
_VOIDS = re.compile(rf"<({'|'.join(sorted(VOID))})((?: [^<>]*)?)(?<!/)>")
_EMPTY = re.compile(r"<([a-z][a-z0-9]*)((?: [^<>]*)?)/>")


def fragment(html: str) -> Element:
    """Return the tree of a fragment of HTML, whatever it holds: unclosed, surplus, too deep, NUL.

    Clean HTML, which is well-formed but for void elements, takes the short way.
    """
    try:
        return parse_balanced(_VOIDS.sub(r"<\1\2/>", html.replace("&nbsp;", "\xa0")))
    except (etree.XMLSyntaxError, ValueError):
        return parse_balanced(balance(html))


def parse_balanced(markup: str) -> Element:
    """Return the tree of markup that `balance` wrote."""
    return etree.fromstring(f"<div>{markup}</div>", _XML)


def inner(root: Element) -> str:
    """Return what a root holds as HTML: void elements without end tag, all others with one, text escaped."""
    return _EMPTY.sub(_spell, etree.tostring(root, encoding="unicode", with_tail=False))[len("<div>") : -len("</div>")]


def _spell(found: re.Match[str]) -> str:
    name, attributes = found[1], found[2]
    return f"<{name}{attributes}>" if name in VOID else f"<{name}{attributes}></{name}>"
