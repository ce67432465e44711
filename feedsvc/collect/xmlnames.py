"""Which element of a feed is which: by namespace and local name, under any prefix (DX-02, DX-03)."""

from collections import defaultdict
from collections.abc import Iterable

from feedsvc.collect.raw import Ref
from feedsvc.collect.xmltree import Element, children, language, split_tag, stated_base, text_of

ATOM = frozenset({"http://www.w3.org/2005/atom", "http://purl.org/atom/ns"})
RSS = frozenset(
    {
        "",
        "http://purl.org/rss/1.0",
        "http://purl.org/net/rss1.1",
        "http://my.netscape.com/rdf/simple/0.9",
        "http://channel.netscape.com/rdf/simple/0.9",
        "http://my.netscape.com/publish/formats/rss-0.91.dtd",
        "http://purl.org/rss/1.0/modules/rss091",
        "http://backend.userland.com/rss",
        "http://backend.userland.com/rss2",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://cyber.law.harvard.edu/rss/rss.html",
        "https://cyber.harvard.edu/rss/rss.html",
    }
)
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns"
XHTML = "http://www.w3.org/1999/xhtml"
_MODULES = {
    **dict.fromkeys(ATOM, "atom"),
    "http://purl.org/dc/elements/1.1": "dc",
    "http://purl.org/dc/elements/1.0": "dc",
    "http://purl.org/dc/terms": "dcterms",
    "http://purl.org/rss/1.0/modules/content": "content",
    "http://purl.org/rss/1.0/modules/syndication": "sy",
    "http://search.yahoo.com/mrss": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    XHTML: "xhtml",
    RDF: "rdf",
}

# A registered relation may be written as its address.
_REGISTRY = "http://www.iana.org/assignments/relation/"

Fields = dict[str, list[Element]]


def normal(namespace: str) -> str:
    """Return a namespace as it is compared: without case, and without the slash or `#` at its end."""
    return namespace.strip().lower().rstrip("/#")


class Names:
    """The names of one document; `core` are the namespaces whose elements are those of the format itself."""

    def __init__(self, core: Iterable[str]) -> None:
        self._core = frozenset(core)
        self._known: dict[str, str] = {}

    def of(self, element: Element) -> str:
        """Return `title` for an element of the format, `dc:date` for one of a module, "" for one nobody knows."""
        tag = str(element.tag)
        name = self._known.get(tag)
        if name is None:
            name = self._known[tag] = self._name(*split_tag(tag))
        return name

    def fields(self, element: Element) -> Fields:
        """Return the children of an element by their names."""
        found: Fields = defaultdict(list)
        for child in children(element):
            name = self.of(child)
            if name:
                found[name].append(child)
        return found

    def _name(self, namespace: str, local: str) -> str:
        space, name = normal(namespace), local.lower()
        if space in self._core:
            return name
        module = _MODULES.get(space)
        return f"{module}:{name}" if module else ""


def elements(fields: Fields, *names: str) -> list[Element]:
    """Return the fields of these names, name by name."""
    # Asked forty times an entry, mostly for what is not there.
    found: list[Element] = []
    for name in names:
        if name in fields:
            found += fields[name]
    return found


def texts(fields: Fields, *names: str) -> tuple[str, ...]:
    """Return the trimmed texts of the fields of these names that are not empty."""
    return tuple([text for element in elements(fields, *names) if (text := text_of(element).strip())])


def first_text(fields: Fields, *names: str) -> str:
    """Return the first of `texts`, "" for none."""
    return next(iter(texts(fields, *names)), "")


def filled(fields: Fields, *names: str) -> Element | None:
    """Return the first field of these names that holds anything: text, or elements."""
    for one in elements(fields, *names):
        if len(one) or (one.text or "").strip():
            return one
    return None


def first(*found: Element | None) -> Element | None:
    """Return the first element that is there: one without children counts as false."""
    return next((one for one in found if one is not None), None)


def ref(element: Element, href: str, outside: str) -> Ref:
    """Return an address that stands in an element, with the base that holds there."""
    return Ref(href, stated_base(element, outside) or outside)


def spoken(fields: Fields, *names: str) -> str:
    """Return the language that holds for the first of these fields that is in one, "" where none is (DX-06)."""
    return next((said for each in elements(fields, *names) if (said := language(each))), "")


def attribute(element: Element, name: str) -> str:
    """Return an attribute of the format, "" where it is not there; case makes no difference, as in names (DX-02)."""
    exact = element.get(name)
    if exact is not None:
        return exact
    return next((str(value) for key, value in element.attrib.items() if str(key).lower() == name.lower()), "")


def relation(link: Element) -> str:
    """Return what a link is to its entry or feed, `alternate` where nothing is said (RFC 4287 §4.2.7.2)."""
    return link.get("rel", "").strip().lower().removeprefix(_REGISTRY) or "alternate"
