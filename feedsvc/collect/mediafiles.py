"""Media of an entry: enclosures of every dialect in one list, pictures apart (EC-01)."""

from feedsvc.collect.raw import RawEnclosure, Ref
from feedsvc.collect.xmlnames import Fields, Names, elements, ref, relation, texts
from feedsvc.collect.xmltree import Element, text_of


def enclosures(fields: Fields, names: Names, outside: str) -> tuple[RawEnclosure, ...]:
    """Return RSS enclosures, Atom links to enclosures and media:content, as they were written."""
    plain = (_file(each, "url", outside) for each in elements(fields, "enclosure"))
    linked = (
        _file(each, "href", outside) for each in elements(fields, "link", "atom:link") if relation(each) == "enclosure"
    )
    media = (_file(each, "url", outside) for each in _all(fields, names, "media:content"))
    return (*plain, *linked, *media)


def images(fields: Fields, names: Names, outside: str) -> tuple[Ref, ...]:
    """Return the addresses of pictures that stand for the entry: media:thumbnail, itunes:image."""
    thumbnails = [(each, each.get("url") or text_of(each)) for each in _all(fields, names, "media:thumbnail")]
    covers = [(each, each.get("href") or each.get("url") or text_of(each)) for each in elements(fields, "itunes:image")]
    return tuple(ref(each, address.strip(), outside) for each, address in (*thumbnails, *covers) if address.strip())


def keywords(fields: Fields) -> tuple[str, ...]:
    """Return the words in lists of keywords, which stand in one element with commas between them."""
    return tuple(
        word.strip() for text in texts(fields, "media:keywords", "itunes:keywords") for word in text.split(",")
    )


def _file(element: Element, attribute: str, outside: str) -> RawEnclosure:
    return RawEnclosure(
        ref(element, (element.get(attribute) or element.get("url") or element.get("href") or "").strip(), outside),
        element.get("type", ""),
        element.get("length") or element.get("fileSize") or "",
        element.get("title", ""),
    )


def _all(fields: Fields, names: Names, name: str) -> list[Element]:
    """Return the elements of a name in the entry, in its media groups, and in the media content of both."""
    found = list(elements(fields, name))
    for group in elements(fields, "media:group", "media:content"):
        found += _all(names.fields(group), names, name)
    return found
