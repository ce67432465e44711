"""Titles, names and tags as plain text, whatever they were written in (TI-01 to TI-03, S-22, S-23)."""

import re

from feedsvc.collect.raw import Form, Part
from feedsvc.patterns import pattern
from feedsvc.text.characters import unescape, visible
from feedsvc.text.clean import plain
from feedsvc.text.elements import names
from feedsvc.text.words import within

LONGEST = 2_000
"""So many characters of a title, a name or a tag are read: no title is longer, and many of them are a flood (S-40)."""

_REFERENCE = pattern(r"&(?:#[xX]?[0-9a-fA-F]{1,8}+;?|([A-Za-z][A-Za-z0-9]{1,31}+);)")
_TAG = pattern(r"<(/?)([A-Za-z][A-Za-z0-9]*+)((?:[\s/][^<>]*+)?)>")
_INLINE = names(
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup"
    " tt u var"
)
_BLOCKS = names("p div h1 h2 h3 h4 h5 h6 blockquote pre ul ol li center section article header")
_VOID = names("br img wbr")
_CDATA = pattern(r"\s*+<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)


def one_line(text: str) -> str:
    """Return plain text without what nobody sees, white space single, of a bounded length (TI-03, S-23, S-40)."""
    return within(visible(text), LONGEST).rstrip()


def title_of(part: Part | None) -> str:
    """Return a title as plain text, "" for none."""
    if part is None:
        return ""
    value = without_cdata(part.value)
    if part.form is Form.HTML:
        value = plain(value)
    elif part.form is Form.UNSAID:
        value = _unsaid(value)
    return one_line(value)


def without_cdata(text: str) -> str:
    """Return a text without the CDATA section that it wholly is, written as text (CO-04)."""
    if "<![CDATA[" not in text[:200]:
        return text
    wrapped = _CDATA.fullmatch(text)
    return wrapped[1] if wrapped and "]]>" not in wrapped[1] else text


def _unsaid(text: str) -> str:
    """Return the text of a title of which nobody says what it is (TI-02).

    It is HTML where it holds an entity, or an inline element that is opened and closed; then these elements go, blocks
    around them as well, and references are resolved once. Lone names of tags and arguments of templates are text in
    any case.
    """
    markup = _markup(text, _INLINE) if "<" in text else frozenset[int]()
    if not markup and not _has_entity(text):
        return text
    if "<" in text:
        markup |= _markup(text, _BLOCKS)
    pieces, at = [], 0
    for found in _TAG.finditer(text):
        if found.start() in markup:
            name = found[2].lower()
            pieces += [text[at : found.start()], " " if name == "br" or name in _BLOCKS else ""]
            at = found.end()
    pieces.append(text[at:])
    return unescape("".join(pieces))


def _has_entity(text: str) -> bool:
    return "&" in text and any(
        found[1] is None or unescape(found[0]) != found[0] for found in _REFERENCE.finditer(text)
    )


def _markup(text: str, paired: frozenset[str]) -> frozenset[int]:
    """Return where the tags are that are markup: pairs of these elements, and images and line ends of their own."""
    opened: dict[str, list[int]] = {}
    found: set[int] = set()
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if name in _VOID and not tag[1] and (tag[3].strip() or name == "wbr"):
            found.add(tag.start())
        elif name in paired and not tag[1]:
            opened.setdefault(name, []).append(tag.start())
        elif name in paired and opened.get(name):
            found.update((opened[name].pop(), tag.start()))
    return frozenset(found)
