"""Addresses in markup: each absolute, each of a scheme that may be published (C1, C2, C9, S-20, LI-05)."""

from msgspec import Struct, field

from feedsvc.patterns import pattern
from feedsvc.text.notes import lookup
from feedsvc.text.policy import is_picture
from feedsvc.text.tree import Element, remove, replace
from feedsvc.text.urls import absolute

_CANDIDATE = pattern(r"[\s,]*+([^\s,][^\s]*+)(?:\s++([^,\s]++))?[^,]*+,?")
_DESCRIPTOR = pattern(r"[0-9]{1,6}(?:\.[0-9]{1,4})?[wx]")
_LAZY = ("data-src", "data-lazy-src", "data-original", "data-orig-file", "data-canonical-src")
_FRAGMENT = pattern(r'(<a (?:[^<>"]|"[^"]*")*?href=")(#[^"]*")')


class Addresses(Struct):
    """What addresses of one entry resolve against: its link and the ids in its text; and what could not be kept.

    `ids` maps an id of the text to the id that is published.
    """

    link: str | None
    ids: dict[str, str]
    refused: list[str] = field(default_factory=list)

    def resolve(self, root: Element) -> None:
        """Make all addresses in a tree absolute; what has none that may be published loses it, its text stays."""
        for element in list(root.iterdescendants()):
            read = _BY_NAME.get(element.tag) if isinstance(element.tag, str) else None
            if read is not None:
                read(self, element)

    def web(self, address: str) -> str | None:
        """Return an address as one for http or https, or None; that it was refused is remembered."""
        resolved = absolute(self.link or "", address)
        if resolved is None or resolved.startswith("mailto:"):
            self._refuse(address)
            return None
        return resolved

    def fragment(self, name: str) -> str | None:
        """Return where a link to a fragment leads: to its target in the text, else to the page of the entry (C2)."""
        published = lookup(self.ids, name)
        if published is not None:
            return f"#{published}"
        return absolute(self.link, f"#{name}") if self.link else None

    def _refuse(self, address: str) -> None:
        if address.strip():
            self.refused.append(address.strip()[:200])

    def _anchor(self, element: Element) -> None:
        address = element.get("href")
        if address is None:
            return
        address = address.strip()
        found = self.fragment(address[1:]) if len(address) > 1 and address[0] == "#" else self._place(address)
        if found is None:
            del element.attrib["href"]
        else:
            element.set("href", found)

    def _place(self, address: str) -> str | None:
        found = absolute(self.link or "", address)
        if found is None:
            self._refuse(address)
        return found

    def _image(self, element: Element) -> None:
        candidates = self._candidates(element)
        source = element.get("src", "").strip()
        lazy = next((value for name in _LAZY if (value := element.get(name, "").strip())), "")
        if lazy and (not source or source.startswith("data:")):
            source = lazy
        found = source if is_picture(source) else self.web(source) if source else None
        found = found or (candidates[0].partition(" ")[0] if candidates else None)
        if found is None:
            replace(element, element.get("alt", ""))
        else:
            element.set("src", found)

    def _source(self, element: Element) -> None:
        candidates = self._candidates(element)
        self._set(element, "src")
        if not candidates and element.get("src") is None:
            remove(element)

    def _played(self, element: Element) -> None:
        self._set(element, "src")
        self._set(element, "poster")
        element.set("controls", "")

    def _cited(self, element: Element) -> None:
        self._set(element, "cite")

    def _set(self, element: Element, attribute: str) -> None:
        address = element.get(attribute)
        if address is None:
            return
        found = self.web(address) if address.strip() else None
        if found is None:
            del element.attrib[attribute]
        else:
            element.set(attribute, found)

    def _candidates(self, element: Element) -> list[str]:
        """Make each candidate of a `srcset` absolute by itself; those that may not be published go (S-20)."""
        text = element.get("srcset") or element.get("data-srcset") or ""
        kept = [self._candidate(*parts) for parts in _split(text)]
        candidates = [candidate for candidate in kept if candidate]
        if candidates:
            element.set("srcset", ", ".join(candidates))
        else:
            element.attrib.pop("srcset", None)
        return candidates

    def _candidate(self, address: str, descriptor: str) -> str:
        found = self.web(address)
        if found is None:
            return ""
        # A comma at the end of an address would end the candidate; the list is written with blanks, so encode it.
        found = found[:-1] + "%2C" if found.endswith(",") else found
        return f"{found} {descriptor}" if _DESCRIPTOR.fullmatch(descriptor) else found


def absolute_fragments(html: str, link: str) -> str:
    """Return clean HTML in which links to a fragment lead to the entry's page: RSS has no other way (C2)."""
    base = link.partition("#")[0].replace("&", "&amp;").replace('"', "%22")
    return _FRAGMENT.sub(lambda found: f"{found[1]}{base}{found[2]}", html) if 'href="#' in html else html


def _split(srcset: str) -> list[tuple[str, str]]:
    """Split a `srcset` as HTML does: an address ends at white space; a comma at its end ends the candidate."""
    found = []
    position = 0
    while position < len(srcset):
        match = _CANDIDATE.match(srcset, position)
        if match is None:
            break
        address, descriptor = match[1], match[2] or ""
        if address.endswith(","):
            address, descriptor = address.rstrip(","), ""
            position = match.end(1)
        else:
            position = match.end()
        found.append((address, descriptor))
    return found


_BY_NAME = {
    "a": Addresses._anchor,
    "img": Addresses._image,
    "source": Addresses._source,
    "audio": Addresses._played,
    "video": Addresses._played,
    "blockquote": Addresses._cited,
    "q": Addresses._cited,
    "del": Addresses._cited,
    "ins": Addresses._cited,
}
