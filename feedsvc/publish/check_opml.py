"""What may be wrong with a list of feeds (OPML 2.0)."""

from collections.abc import Iterator

from feedsvc.publish import values
from feedsvc.publish.fault import Fault, error, shortened, warning
from feedsvc.render.xml import Element

_VERSIONS = ("2.0", "1.1", "1.0")


def faults(root: Element) -> Iterator[Fault]:
    """Yield the faults of a document."""
    if root.get("version") not in _VERSIONS:
        yield error(root.sourceline, "bad-version", f"version {shortened(root.get('version'))} of opml: write 2.0")
    if root.find("head") is None:
        yield error(root.sourceline, "missing-element", "opml has no head: add one with a title")
    for name in ("dateCreated", "dateModified"):
        date = root.findtext(f"head/{name}")
        if date is not None and values.rfc822(date.strip()) is None:
            message = f"{name} {shortened(date)} is no date of RFC 822, such as Fri, 01 May 2026 12:00:00 +0000"
            yield error(root.sourceline, "bad-date", message)
    body = root.find("body")
    if body is None or body.find("outline") is None:
        yield error(root.sourceline, "missing-element", "opml has no body with an outline: add one")
        return
    for outline in body.iter("outline"):
        yield from _outline(outline)


def _outline(outline: Element) -> Iterator[Fault]:
    if outline.get("text") is None:
        yield error(outline.sourceline, "missing-element", "outline has no text: add it")
    if outline.get("type", "").lower() == "rss":
        if outline.get("xmlUrl") is None:
            yield error(outline.sourceline, "missing-element", "outline of type rss has no xmlUrl: add it")
        if outline.get("title") is None:
            yield warning(outline.sourceline, "missing-element", "outline of type rss has no title: add it")
    elif outline.get("xmlUrl") is not None:
        yield warning(outline.sourceline, "missing-element", 'outline with xmlUrl has no type="rss": add it')
    for name in ("xmlUrl", "htmlUrl"):
        address = outline.get(name)
        if address is not None and not values.is_web_address(address):
            yield error(outline.sourceline, "bad-link", f"{name} {shortened(address)} is no web address")
