"""A feed as Atom (RFC 4287): bytes for `atom.xml`."""

from feedsvc.model import Enclosure, Entry, Feed, Item, Origin, Person
from feedsvc.render import feedgen_adapter, shown
from feedsvc.render.feedgen_adapter import Dialect, Said
from feedsvc.render.links import Link, of_feed
from feedsvc.render.xml import HISTORY, LANG, MEDIA, Element, child, drop, style

# feedgen gives its Atom elements no namespace inside lxml, only an attribute `xmlns`: theirs and ours are plain names.


def render(feed: Feed) -> bytes:
    """Return the Atom document of a feed (A1-A7)."""
    return feedgen_adapter.atom(shown.ready(feed), _DIALECT)


def _said(feed: Feed, item: Item) -> Said:
    """Return what an entry says: content, or summary and alternate link; the teaser also beside the full text (A5).

    An entry without link needs content, so its teaser stands there too (LI-06).
    """
    teaser, content = shown.teaser(item), shown.content(item)
    if not item.entry.link:
        content = content or teaser or shown.pointer(feed, item)
    elif not content:
        teaser = teaser or shown.pointer(feed, item)
    return Said(shown.needed_title(item), teaser, content, item.entry.authors)


def _mend_feed(feed: Feed, root: Element) -> None:
    drop(root, "link")
    before = next((place for place, found in enumerate(root) if found.tag in ("generator", "icon")), len(root))
    for link in reversed(of_feed(feed, "atom")):
        root.insert(before, _link(root, link))
    if feed.current:
        root.insert(before, child(root, f"{{{HISTORY}}}archive"))
    if feed.style:
        style(root, feed.style)


def _mend_entry(item: Item, root: Element) -> None:
    entry = item.entry
    if entry.lang:
        root.set(LANG, entry.lang)
    drop(root, "link", "source")
    if entry.link:
        _link(root, Link("alternate", entry.link))
    for enclosure in entry.enclosures:
        _enclosure(root, enclosure)
    if entry.origin:
        _source(root, entry.origin, entry)
    if entry.image:
        child(root, f"{{{MEDIA}}}content", url=entry.image, medium="image")


def _link(parent: Element, link: Link) -> Element:
    return child(parent, "link", rel=link.rel, type=link.type, href=link.href)


def _enclosure(parent: Element, enclosure: Enclosure) -> None:
    """Write a media file with all that is known of it (A6)."""
    length = None if enclosure.length is None else str(enclosure.length)
    child(
        parent,
        "link",
        rel="enclosure",
        type=enclosure.type,
        length=length,
        title=enclosure.title or None,
        href=enclosure.url,
    )


def _source(parent: Element, origin: Origin, entry: Entry) -> None:
    """Write where a foreign entry came from, as RFC 4287, 4.2.11 wants it (A7, MG-05)."""
    source = child(parent, "source")
    child(source, "id", origin.id)
    child(source, "title", origin.title or origin.url)
    child(source, "updated", shown.instant(origin.updated or entry.updated))
    for author in shown.named(origin.authors):
        _person(source, author)
    if origin.url:
        child(source, "link", rel="self", href=origin.url)
    if origin.home:
        child(source, "link", rel="alternate", href=origin.home)
    if origin.rights:
        child(source, "rights", origin.rights)


def _person(parent: Element, person: Person) -> None:
    author = child(parent, "author")
    child(author, "name", person.name)
    if person.url:
        child(author, "uri", person.url)


_DIALECT = Dialect({"media": MEDIA}, _said, _mend_feed, _mend_entry)
