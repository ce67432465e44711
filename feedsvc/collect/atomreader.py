"""Atom 1.0 and 0.3, well-formed: tree → RawFeed."""

from collections.abc import Iterator

from feedsvc.collect.found import Kind
from feedsvc.collect.mediafiles import enclosures, images, keywords
from feedsvc.collect.pollstate import feed_hints
from feedsvc.collect.raw import Form, Part, RawChannel, RawEntry, RawFeed, RawPerson, Ref
from feedsvc.collect.xmlnames import (
    ATOM,
    Fields,
    Names,
    elements,
    filled,
    first,
    first_text,
    normal,
    ref,
    relation,
    spoken,
    texts,
)
from feedsvc.collect.xmltree import Element, children, is_div, language, markup, split_tag, stated_base, text_of

_TAGS = ("category", "dc:subject", "media:category")
_LAST = ("itunes:summary", "media:description")
_PLAIN = frozenset({"text", "plain", "text/plain"})
_ESCAPED = frozenset({"html", "text/html"})
_INLINE = frozenset({"xhtml", "application/xhtml+xml"})
_PAGES = ("text/html", "application/xhtml+xml")


def read_atom(root: Element, url: str) -> RawFeed:
    """Return what an Atom document holds; `url` is where it came from. An entry document is a feed of one."""
    names = Names({*ATOM, normal(split_tag(str(root.tag))[0])})
    fields = names.fields(root)
    feed_lang = language(root)
    entries = [each for each in root.iter() if isinstance(each.tag, str) and names.of(each) == "entry"]
    return RawFeed(
        kind=Kind.ATOM,
        channel=_channel(root, fields, url),
        entries=tuple(_entry(each, names, url, feed_lang) for each in entries),
        hints=feed_hints(
            period=first_text(fields, "sy:updateperiod"), frequency=first_text(fields, "sy:updatefrequency")
        ),
    )


def source_of(element: Element, names: Names, url: str) -> RawChannel:
    """Return what an `atom:source` says, which may stand in RSS as well (MG-06)."""
    fields = names.fields(element)
    return _channel(element, {name.removeprefix("atom:"): found for name, found in fields.items()}, url)


def person(element: Element, outside: str) -> RawPerson:
    """Return an author: Atom's has a name and an address in elements of their own, RSS says all in one text."""
    parts = {split_tag(str(child.tag))[1].lower(): child for child in children(element)}
    if not parts:
        return RawPerson(text_of(element))
    name = parts.get("name")
    uri = next((parts[key] for key in ("uri", "url", "homepage") if key in parts), None)
    address = text_of(uri).strip() if uri is not None else ""
    return RawPerson(text_of(name) if name is not None else "", ref(element, address, outside) if address else None)


def text_part(element: Element | None, outside: str) -> Part | None:
    """Return a text construct or a content by its type; None for what is no text here (CO-05)."""
    if element is None or element.get("src"):
        return None
    kind = element.get("type", "text").strip().lower().partition(";")[0].strip()
    mode = element.get("mode", "").strip().lower()
    base = stated_base(element, outside)
    if mode == "base64":
        return None
    if kind in _INLINE or (len(element) and kind in _PLAIN | _ESCAPED):
        return Part(markup(_inside(element)), Form.HTML, base)
    if kind in _ESCAPED:
        return Part(element.text or "", Form.HTML, base)
    return Part(text_of(element), Form.TEXT, base) if kind in _PLAIN else None


def _inside(element: Element) -> Element:
    """Return the `div` that XHTML is wrapped in, where nothing stands beside it; else the element itself."""
    alone = len(element) == 1 and not (element.text or "").strip() and not (element[0].tail or "").strip()
    return element[0] if alone and is_div(element[0]) else element


def _channel(element: Element, fields: Fields, url: str) -> RawChannel:
    return RawChannel(
        id=first_text(fields, "id"),
        title=text_part(filled(fields, "title"), url),
        url=next(_links(fields, ("self",), url), None),
        home=_page(fields, url, ""),
        updated=first_text(fields, "updated", "modified"),
        authors=_authors(fields, url),
        rights=text_part(filled(fields, "rights", "copyright"), url),
        lang=language(element),
        hubs=tuple(_links(fields, ("hub",), url)),
        description=text_part(filled(fields, "subtitle", "tagline"), url),
    )


def _entry(element: Element, names: Names, url: str, feed_lang: str) -> RawEntry:
    fields = names.fields(element)
    lang = language(element) or feed_lang
    content = _written(fields, ("content",), url) or _encoded(fields, url)
    summary = _written(fields, ("summary",), url)
    return RawEntry(
        id=first_text(fields, "id"),
        link=_link(fields, url, lang),
        title=text_part(_titled(fields, names), url),
        content=content or summary or _written(fields, _LAST, url) or _grouped(fields, names, url),
        summary=summary if content else None,
        published=texts(fields, "published", "issued", "dc:date", "created", "dcterms:issued", "dcterms:created"),
        updated=texts(fields, "updated", "modified", "dcterms:modified"),
        authors=_authors(fields, url),
        tags=(*(_tag(each) for each in elements(fields, *_TAGS)), *keywords(fields)),
        lang=spoken(fields, "content", "summary") or lang,
        images=images(fields, names, url),
        enclosures=enclosures(fields, names, url),
        origin=next((source_of(each, names, url) for each in elements(fields, "source")), None),
    )


def _written(fields: Fields, wanted: tuple[str, ...], url: str) -> Part | None:
    parts = (text_part(each, url) for each in elements(fields, *wanted))
    return next((part for part in parts if part is not None and part.value.strip()), None)


def _encoded(fields: Fields, url: str) -> Part | None:
    """Return `content:encoded`, which is HTML wherever it stands (CO-01)."""
    found = filled(fields, "content:encoded")
    return None if found is None else Part(text_of(found), Form.HTML, stated_base(found, url))


def _grouped(fields: Fields, names: Names, url: str) -> Part | None:
    groups = (_written(names.fields(group), ("media:description",), url) for group in elements(fields, "media:group"))
    return next((part for part in groups if part is not None), None)


def _titled(fields: Fields, names: Names) -> Element | None:
    if "title" in fields:
        return filled(fields, "title")
    groups = (filled(names.fields(group), "media:title") for group in elements(fields, "media:group"))
    return first(filled(fields, "dc:title", "media:title", "itunes:title"), *groups)


def _link(fields: Fields, url: str, lang: str) -> Ref | None:
    original = filled(fields, "feedburner:origlink")
    return ref(original, text_of(original).strip(), url) if original is not None else _page(fields, url, lang)


def _page(fields: Fields, url: str, lang: str) -> Ref | None:
    """Return the page: `alternate` with text/html in the entry's language, any `alternate`, no `rel` (LI-01)."""
    alternates = [
        each for each in elements(fields, "link") if each.get("href", "").strip() and relation(each) == "alternate"
    ]
    best = min(alternates, key=lambda each: _rank(each, lang), default=None)
    return None if best is None else ref(best, best.get("href", "").strip(), url)


def _rank(link: Element, lang: str) -> tuple[bool, int, bool]:
    """Return the order of LI-01; a link that does not say its type may be a page, one of another type is none."""
    kind = link.get("type", "").strip().lower().partition(";")[0]
    spoken = link.get("hreflang", "").strip().lower()
    strange = bool(spoken and lang) and spoken.partition("-")[0] != lang.lower().partition("-")[0]
    return (strange, 0 if kind in _PAGES else 2 if kind else 1, not link.get("rel"))


def _links(fields: Fields, rels: tuple[str, ...], url: str) -> Iterator[Ref]:
    for each in elements(fields, "link"):
        href = each.get("href", "").strip()
        if href and relation(each) in rels:
            yield ref(each, href, url)


def _authors(fields: Fields, url: str) -> tuple[RawPerson, ...]:
    own = tuple(person(each, url) for each in elements(fields, "author"))
    return own or tuple(RawPerson(name) for name in texts(fields, "dc:creator"))


def _tag(element: Element) -> str:
    """Return a tag: its term, but where that is an address and has a label, the label."""
    term, label = element.get("term", "").strip(), element.get("label", "").strip()
    if label and (not term or "://" in term):
        return label
    return term or text_of(element).strip()
