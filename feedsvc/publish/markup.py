"""What may be wrong with the HTML inside a feed: the same for Atom, RSS and JSON."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from feedsvc.patterns import pattern
from feedsvc.publish.fault import Fault, shortened, warning
from feedsvc.publish.values import urlsplit_scheme
from feedsvc.text.tree import Element, fragment

ADDRESSES = frozenset({"href", "src", "poster", "cite", "data", "action", "formaction", "background", "longdesc"})
_ACTIVE = frozenset(
    {"script", "style", "iframe", "frame", "frameset", "object", "embed", "applet", "form", "base", "meta", "link"}
)
_RUNS = frozenset({"javascript", "vbscript"})
_BAD = pattern("[\x80-\x9f\ufffd]")


class Place(NamedTuple):
    """Where a piece of HTML stands: what it is called, its line, and what a relative address could rest on."""

    name: str
    line: int | None
    has_base: bool = False
    fragments: bool = True


def faults(html: str, place: Place) -> Iterator[Fault]:
    """Yield what is wrong with a piece of HTML: relative addresses (C1, C2), what runs (S-19, S-20), bad characters."""
    return iter(()) if _is_sound(html) else _faults(html, place)


@lru_cache(maxsize=1024)
def _is_sound(html: str) -> bool:
    """Return whether nothing is wrong wherever the piece stands: most stand in three formats and several feeds."""
    return next(_faults(html, Place("", None, fragments=False)), None) is None


def _faults(html: str, place: Place) -> Iterator[Fault]:
    yield from characters(html, place)
    if "<" not in html:
        return
    root = fragment(html)
    ids = {element.get("id") for element in root.iter("*")}
    for element in root.iterdescendants("*"):
        if element.tag in _ACTIVE:
            yield warning(
                place.line, "active-content", f"{place.name} holds <{element.tag}>: readers drop it, take it out"
            )
        for name, value in element.attrib.items():
            yield from _attribute(element, str(name), str(value), ids, place)


def characters(text: str, place: Place) -> Iterator[Fault]:
    """Yield the first character that no one meant to write (B3, B5; validator `BadCharacters`)."""
    found = _BAD.search(text)
    if found:
        code = f"U+{ord(found[0]):04X}"
        yield warning(place.line, "bad-character", f"{place.name} holds {code}: a text was read in the wrong encoding")


def _attribute(element: Element, name: str, value: str, ids: set[str | None], place: Place) -> Iterator[Fault]:
    where = f"{name} of <{element.tag!s}> in {place.name}"
    if name.startswith("on") or name == "style":
        yield warning(place.line, "active-content", f"{where}: readers drop it, take it out")
    for address in _addresses(name, value):
        scheme = urlsplit_scheme(address)
        if scheme in _RUNS:
            yield warning(place.line, "active-content", f"{where} is a script: take it out")
        elif not (scheme or place.has_base or (place.fragments and address[:1] == "#" and address[1:] in ids)):
            message = f"{where} is relative, {shortened(address)}: write it with scheme and host"
            yield warning(place.line, "relative-address", message)


def _addresses(name: str, value: str) -> list[str]:
    """Return the addresses that an attribute holds."""
    if name == "srcset":
        return [candidate.split()[0] for candidate in re.split(r"(?<=\d[wx]),|,\s+", value) if candidate.strip(" ,")]
    return [value.strip()] if name in ADDRESSES else []
