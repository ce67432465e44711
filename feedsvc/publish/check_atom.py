"""What may be wrong with an Atom document (RFC 4287)."""

from collections import Counter
from collections.abc import Iterator

from feedsvc.model import Level
from feedsvc.publish import markup, values
from feedsvc.publish.fault import Fault, error, repeated, shortened, warning
from feedsvc.publish.markup import Place
from feedsvc.render.xml import ATOM, LANG, Element

A = f"{{{ATOM}}}"
XHTML_DIV = "{http://www.w3.org/1999/xhtml}div"
BASE = "{http://www.w3.org/XML/1998/namespace}base"

_NEEDED = ("id", "title", "updated")
_SINGLE = {
    "feed": frozenset({*_NEEDED, "generator", "icon", "logo", "rights", "subtitle"}),
    "source": frozenset({*_NEEDED, "generator", "icon", "logo", "rights", "subtitle"}),
    "entry": frozenset({*_NEEDED, "content", "published", "rights", "source", "summary"}),
}
_KNOWN = {
    "feed": _SINGLE["feed"] | {"author", "category", "contributor", "entry", "link"},
    "source": _SINGLE["source"] | {"author", "category", "contributor", "link"},
    "entry": _SINGLE["entry"] | {"author", "category", "contributor", "link"},
}
_TEXTS = ("title", "subtitle", "summary", "rights", "content")
_CONSTRUCTS = ("text", "html", "xhtml")


def faults(root: Element, url: str) -> Iterator[Fault]:
    """Yield the faults of a feed document; `url` is where it is published, "" where that is not known."""
    if root.tag == f"{A}entry":
        yield from _entry(root, has_author=False)
        return
    entries = root.findall(f"{A}entry")
    yield from _container(root, "feed")
    yield from _self(root, url)
    yield from _misplaced(root)
    has_author = root.find(f"{A}author") is not None
    for entry in entries:
        yield from _entry(entry, has_author)
    ids = [(_text(found), found.sourceline) for entry in entries for found in entry.findall(f"{A}id")]
    yield from repeated(ids, Level.WARNING, "id")
    dates = Counter(_text(found) for entry in entries for found in entry.findall(f"{A}updated"))
    for date, number in dates.items():
        if number > 1:
            message = f"{number} entries have the same updated, {date}: some readers take them for one"
            yield warning(None, "duplicate-updated", message)


def _text(element: Element) -> str:
    return (element.text or "").strip()


def _container(element: Element, name: str) -> Iterator[Fault]:
    """Yield what is wrong with the children that feed, entry and source have in common."""
    children = Counter(str(child.tag).removeprefix(A) for child in element.iterchildren("*"))
    for needed in _NEEDED:
        if not children[needed]:
            missing = warning if name == "source" else error
            code = "incomplete-source" if name == "source" else "missing-element"
            yield missing(element.sourceline, code, f"{name} has no {needed}: add one")
    for single in sorted(_SINGLE[name]):
        if children[single] > 1:
            yield error(element.sourceline, "repeated-element", f"{name} has {children[single]} {single}: keep one")
    for child in element.iterchildren("*"):
        yield from _child(child, str(child.tag).removeprefix(A), name)
    yield from _alternates(element, name)


def _child(child: Element, tag: str, name: str) -> Iterator[Fault]:
    if tag == "id":
        yield from _identifier(child, name)
    elif tag in ("updated", "published"):
        yield from _date(child, tag)
    elif tag in _TEXTS:
        yield from _construct(child, tag)
    elif tag == "link":
        yield from _link(child)
    elif tag in ("author", "contributor"):
        yield from _person(child, tag)
    elif tag == "category":
        yield from _category(child)
    elif tag in ("icon", "logo"):
        yield from _address(child, _text(child), tag)
    elif child.tag == f"{A}{tag}" and tag not in _KNOWN[name]:
        yield error(child.sourceline, "unknown-element", f"{name} holds {tag}, which Atom does not know there")
    language = child.get(LANG)
    if language and not values.is_language(language):
        yield error(child.sourceline, "bad-language", f"xml:lang {shortened(language)} is no language tag")


def _identifier(element: Element, name: str) -> Iterator[Fault]:
    text = element.text or ""
    valid = values.is_feed_id if name == "source" else values.is_iri
    if not valid(text):
        message = f"id {shortened(text)} of {name} is no absolute address: use tag:, urn:uuid: or https:"
        yield error(element.sourceline, "bad-id", message)
    elif not values.is_canonical(text):
        yield warning(element.sourceline, "id-not-canonical", f"id {shortened(text)} is not spelled canonically")


def _date(element: Element, tag: str) -> Iterator[Fault]:
    moment = values.rfc3339(element.text or "")
    if moment is None:
        message = f"{tag} {shortened(element.text)} is no date of RFC 3339, such as 2026-05-01T12:00:00Z"
        yield error(element.sourceline, "bad-date", message)
    elif moment < values.EARLIEST:
        yield warning(element.sourceline, "implausible-date", f"{tag} {element.text} is before 1990")


def _construct(element: Element, tag: str) -> Iterator[Fault]:
    kind = element.get("type", "text")
    if kind not in _CONSTRUCTS and not (tag == "content" and values.is_media_type(kind)):
        yield error(element.sourceline, "bad-type", f"type {shortened(kind)} of {tag}: use text, html or xhtml")
    if kind in ("text", "html") and any(True for _ in element.iterchildren("*")):
        yield error(element.sourceline, "bad-type", f"{tag} of type {kind} holds elements: escape them or say xhtml")
    if kind == "xhtml" and [child.tag for child in element.iterchildren("*")] != [XHTML_DIV]:
        yield error(element.sourceline, "bad-type", f"{tag} of type xhtml holds no single div of XHTML")
    whole = "".join(str(text) for text in element.itertext())
    if tag == "title" and not whole.strip():
        yield warning(element.sourceline, "blank-title", "title is blank: give it words")
    elif tag in ("summary", "content") and not whole.strip() and element.get("src") is None and not len(element):
        yield warning(element.sourceline, "blank-text", f"{tag} is blank: leave it out")
    place = Place(tag, element.sourceline, _has_base(element))
    yield from markup.faults(whole, place) if kind == "html" else markup.characters(whole, place)


def _has_base(element: Element) -> bool:
    return any(each.get(BASE) is not None for each in (element, *element.iterancestors()))


def _link(element: Element) -> Iterator[Fault]:
    href, kind, length = element.get("href"), element.get("type"), element.get("length")
    if href is None:
        yield error(element.sourceline, "bad-link", "link has no href: add one")
    else:
        yield from _address(element, href, "link")
    if kind is not None and not values.is_media_type(kind):
        yield error(element.sourceline, "bad-media-type", f"type {shortened(kind)} of a link is no media type")
    if length is not None and not (length.isascii() and length.isdigit()):
        yield error(element.sourceline, "bad-length", f"length {shortened(length)} of a link is no number")


def _address(element: Element, address: str, tag: str) -> Iterator[Fault]:
    """Yield what is wrong with an address that may rest on `xml:base` or on where the document lies (RFC 4287, 2)."""
    if values.is_iri(address):
        return
    if values.is_reference(address):
        if not _has_base(element):
            message = f"{tag} {shortened(address)} is relative: write it with scheme and host"
            yield warning(element.sourceline, "relative-address", message)
    else:
        yield error(element.sourceline, "bad-link", f"{tag} {shortened(address)} is no address")


def _category(element: Element) -> Iterator[Fault]:
    term, scheme = element.get("term"), element.get("scheme")
    if term is None:
        yield error(element.sourceline, "bad-category", "category has no term: give it one or leave it out")
    elif not term.strip():
        yield warning(element.sourceline, "blank-category", "term of category is blank: leave the category out")
    if scheme is not None and not values.is_iri(scheme):
        yield error(element.sourceline, "bad-category", f"scheme {shortened(scheme)} is no absolute address")


def _person(element: Element, tag: str) -> Iterator[Fault]:
    name, email, uri = (element.find(f"{A}{part}") for part in ("name", "email", "uri"))
    for part in ("name", "uri", "email"):
        if len(element.findall(f"{A}{part}")) > 1:
            yield error(element.sourceline, "repeated-element", f"{tag} has more than one {part}: keep one")
    if name is None or not _text(name):
        yield error(element.sourceline, "bad-person", f"{tag} has no name: add one")
    if uri is not None and not values.is_reference(uri.text or ""):
        yield error(uri.sourceline, "bad-person", f"uri {shortened(uri.text)} of {tag} is no address")
    if email is not None and not values.is_mail(email.text or ""):
        yield error(email.sourceline, "bad-person", f"email {shortened(email.text)} of {tag} is no mail address")


def _alternates(element: Element, name: str) -> Iterator[Fault]:
    seen = Counter(
        (link.get("type", ""), link.get("hreflang", ""))
        for link in element.findall(f"{A}link")
        if link.get("rel", "alternate") == "alternate"
    )
    for (kind, _), number in seen.items():
        if number > 1:
            message = f"{name} has {number} alternate links of type {shortened(kind)}: keep one"
            yield error(element.sourceline, "duplicate-alternate", message)


def _self(root: Element, url: str) -> Iterator[Fault]:
    found = [link for link in root.findall(f"{A}link") if link.get("rel") == "self"]
    if not found:
        yield warning(
            root.sourceline, "missing-self", 'feed has no link rel="self": readers can\'t tell where it lives'
        )
    for link in found[1:]:
        yield warning(link.sourceline, "missing-self", 'feed has a second link rel="self": keep one')
    for link in found[:1]:
        if url and link.get("href") != url:
            message = f"self link {shortened(link.get('href'))} is not where the feed is published, {url}"
            yield error(link.sourceline, "wrong-self", message)


def _misplaced(root: Element) -> Iterator[Fault]:
    """Yield metadata that stands after the first entry (A3)."""
    entered = False
    for child in root.iterchildren("*"):
        entered = entered or child.tag == f"{A}entry"
        if entered and child.tag != f"{A}entry" and str(child.tag).startswith(A):
            name = str(child.tag).removeprefix(A)
            yield warning(child.sourceline, "misplaced-element", f"{name} stands after an entry: move it before")


def _entry(entry: Element, has_author: bool) -> Iterator[Fault]:
    yield from _container(entry, "entry")
    source = entry.find(f"{A}source")
    if source is not None:
        yield from _container(source, "source")
    inherited = source is not None and source.find(f"{A}author") is not None
    if not has_author and not inherited and entry.find(f"{A}author") is None:
        yield error(entry.sourceline, "missing-author", "neither the entry nor its feed has an author: add one")
    content, summary = entry.find(f"{A}content"), entry.find(f"{A}summary")
    linked = any(link.get("rel", "alternate") == "alternate" for link in entry.findall(f"{A}link"))
    if content is None and not linked:
        yield error(entry.sourceline, "missing-content", "entry has neither content nor an alternate link: add one")
    elif content is None and summary is None:
        yield warning(entry.sourceline, "missing-text", "entry has neither summary nor content: readers show nothing")
