"""RSS 0.9x to 2.0 and RSS 1.0 (RDF), well-formed: tree → RawFeed (DX-01, RD-01)."""

from collections.abc import Iterator

from feedsvc.collect.atomreader import person, source_of
from feedsvc.collect.found import Kind
from feedsvc.collect.mediafiles import enclosures, images, keywords
from feedsvc.collect.pollstate import FeedHints, feed_hints
from feedsvc.collect.raw import Form, Part, RawChannel, RawEntry, RawFeed, RawPerson, Ref
from feedsvc.collect.xmlnames import (
    RDF,
    RSS,
    Fields,
    Names,
    attribute,
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
from feedsvc.collect.xmltree import Element, children, language, markup, split_tag, stated_base, text_of
from feedsvc.text.urls import absolute

_ENTRIES = frozenset({"item", "entry"})
_ORIGINAL = ("feedburner:origlink",)
_PUBLISHED = (
    "published atom:published issued atom:issued pubdate dc:date dcterms:issued created dcterms:created".split()
)
_UPDATED = ("updated", "atom:updated", "modified", "atom:modified", "dcterms:modified")
_SUMMARIES = ("description", "dc:description", "summary", "atom:summary", "dcterms:abstract")
_TEXTS = ("content:encoded", "xhtml:body", "xhtml:div", "atom:content", "description", "atom:summary")
_LAST = ("itunes:summary", "media:description")
_FALSE = frozenset({"false", "0", "no"})


def read_rss(root: Element, url: str) -> RawFeed:
    """Return what an RSS document holds; `url` is where it came from."""
    channel = _channel_of(root)
    names = Names({*RSS, *_space(root), *_space(channel)})
    entries = [each for each in root.iter() if isinstance(each.tag, str) and names.of(each) in _ENTRIES]
    fields = names.fields(channel)
    home = _channel_home(fields, url)
    outside = (absolute(home.base, home.href) if home else None) or url
    read = _Reader(names, outside, language(root) or first_text(fields, "language", "dc:language"))
    return RawFeed(
        kind=Kind.RDF if normal(split_tag(str(root.tag))[0]) == RDF else Kind.RSS,
        channel=_channel(fields, home, url, read.lang, channel),
        entries=tuple(read.entry(each) for each in entries),
        hints=_hints(names, fields),
    )


def _channel_of(root: Element) -> Element:
    if split_tag(str(root.tag))[1].lower() == "channel":
        return root
    return next((child for child in children(root) if split_tag(str(child.tag))[1].lower() == "channel"), root)


def _space(element: Element) -> Iterator[str]:
    """Yield the namespace of an element of the format: its own children are in the same one (DX-02)."""
    space = normal(split_tag(str(element.tag))[0])
    if space != RDF:
        yield space


def _channel_home(fields: Fields, url: str) -> Ref | None:
    for link in elements(fields, "link"):
        text = text_of(link).strip()
        if text:
            return ref(link, text, url)
    return next((one for one in _links(fields, "alternate", url)), None)


def _links(fields: Fields, rel: str, outside: str) -> Iterator[Ref]:
    """Yield the addresses of Atom links of one relation, in the namespace of Atom or in that of the format."""
    for link in elements(fields, "atom:link", "link"):
        href = link.get("href", "").strip()
        if href and relation(link) == rel:
            yield ref(link, href, outside)


def _channel(fields: Fields, home: Ref | None, url: str, lang: str, channel: Element) -> RawChannel:
    signed = texts(fields, "managingeditor", "author", "dc:creator", "itunes:author")
    atom = tuple(person(each, url) for each in elements(fields, "atom:author"))
    rights = filled(fields, "copyright", "dc:rights", "atom:rights", "dcterms:rights")
    return RawChannel(
        id=first_text(fields, "atom:id"),
        title=title_part(filled(fields, "title", "dc:title", "atom:title")),
        url=next(_links(fields, "self", url), None),
        home=home,
        authors=(*(RawPerson(name) for name in signed), *atom),
        rights=title_part(rights),
        lang=lang or language(channel),
        hubs=tuple(_links(fields, "hub", url)),
        description=title_part(filled(fields, "description", "itunes:summary")),
    )


def title_part(element: Element | None) -> Part | None:
    """Return a text of RSS of which nobody says whether it is HTML."""
    return None if element is None else Part(text_of(element), Form.UNSAID)


def _hints(names: Names, fields: Fields) -> FeedHints:
    hours = (
        text_of(hour) for skip in elements(fields, "skiphours") for hour in children(skip) if names.of(hour) == "hour"
    )
    days = (text_of(day) for skip in elements(fields, "skipdays") for day in children(skip) if names.of(day) == "day")
    return feed_hints(
        first_text(fields, "ttl"),
        hours,
        days,
        first_text(fields, "sy:updateperiod"),
        first_text(fields, "sy:updatefrequency"),
    )


class _Reader:
    """Reads the items of one document; `outside` is what addresses resolve against where no `xml:base` is (LI-04)."""

    def __init__(self, names: Names, outside: str, lang: str) -> None:
        self._names = names
        self._outside = outside
        self.lang = lang

    def entry(self, item: Element) -> RawEntry:
        """Return one item."""
        fields = self._names.fields(item)
        guid = filled(fields, "guid")
        content, summary = self._written(fields)
        return RawEntry(
            id=self._id(item, fields, guid),
            link=self._link(fields, guid),
            title=title_part(first(filled(fields, "title", "dc:title", "atom:title"), _elsewhere(fields, self._names))),
            content=content,
            summary=summary,
            published=texts(fields, *_PUBLISHED),
            updated=texts(fields, *_UPDATED),
            authors=self._authors(fields),
            tags=(*texts(fields, "category", "dc:subject", "media:category"), *keywords(fields)),
            lang=spoken(fields, *_TEXTS) or language(item) or first_text(fields, "dc:language") or self.lang,
            images=images(fields, self._names, self._outside),
            enclosures=enclosures(fields, self._names, self._outside),
            origin=self._origin(fields),
        )

    def _id(self, item: Element, fields: Fields, guid: Element | None) -> str:
        about = next((str(value) for name, value in item.attrib.items() if _is_about(str(name))), "")
        return (
            (text_of(guid) if guid is not None else "").strip() or about.strip() or first_text(fields, "id", "atom:id")
        )

    def _link(self, fields: Fields, guid: Element | None) -> Ref | None:
        for link in elements(fields, *_ORIGINAL, "link"):
            text = text_of(link).strip()
            if text:
                return ref(link, text, self._outside)
        if guid is not None and attribute(guid, "isPermaLink").strip().lower() not in _FALSE:
            text = text_of(guid).strip()
            if text.lower().startswith(("http://", "https://")):
                return ref(guid, text, self._outside)
        return next(_links(fields, "alternate", self._outside), None)

    def _written(self, fields: Fields) -> tuple[Part | None, Part | None]:
        """Return full text and summary; the order in the document does not matter (CO-01, CO-03)."""
        whole = self._html(filled(fields, "content:encoded", "xhtml:body", "xhtml:div", "atom:content"))
        short = self._html(filled(fields, *_SUMMARIES))
        if whole or short:
            return whole or short, short if whole else None
        return self._html(first(filled(fields, *_LAST), _in_group(fields, self._names, "media:description"))), None

    def _html(self, element: Element | None) -> Part | None:
        if element is None:
            return None
        value = markup(element) if len(element) else element.text or ""
        return Part(value, Form.HTML, stated_base(element, self._outside))

    def _authors(self, fields: Fields) -> tuple[RawPerson, ...]:
        own = tuple(person(each, self._outside) for each in elements(fields, "author", "atom:author"))
        signed = texts(fields, "dc:creator") or (() if own else texts(fields, "itunes:author"))
        return (*own, *(RawPerson(name) for name in signed))

    def _origin(self, fields: Fields) -> RawChannel | None:
        for source in elements(fields, "source", "atom:source"):
            if next(children(source), None) is not None:
                return source_of(source, self._names, self._outside)
            address = source.get("url", "").strip()
            if address:
                return RawChannel(title=title_part(source), url=ref(source, address, self._outside))
        return None


def _is_about(name: str) -> bool:
    space, local = split_tag(name)
    return local == "about" and normal(space) in (RDF, "")


def _elsewhere(fields: Fields, names: Names) -> Element | None:
    """Return a title that is not the entry's own: only where that has none (TI-04)."""
    if "title" in fields:
        return None
    return first(filled(fields, "itunes:title", "media:title"), _in_group(fields, names, "media:title"))


def _in_group(fields: Fields, names: Names, name: str) -> Element | None:
    groups = (names.fields(group) for group in elements(fields, "media:group", "media:content"))
    return next((found for group in groups if (found := filled(group, name)) is not None), None)
