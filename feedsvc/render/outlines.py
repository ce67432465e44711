"""Lists of feeds as OPML 2.0: ours for readers, and the sources that we merge."""

from collections.abc import Iterable

from feedsvc.model import Outline, Related
from feedsvc.render.shown import carried
from feedsvc.render.xml import Element, child, document, element

MEDIA_TYPE = "text/x-opml"


def feeds_opml(title: str, feeds: Iterable[Related]) -> bytes:
    """Return the list of the feeds that we publish; of a feed's documents it names the first configured one."""
    outlines = [
        Outline(each.kind, each.title, next(iter(each.urls.values())), each.page, _labels(each))
        for each in feeds
        if each.urls
    ]
    return sources_opml(title, outlines)


def _labels(related: Related) -> tuple[str, ...]:
    return (related.label,) if related.kind != "main" and related.label else ()


def sources_opml(title: str, outlines: Iterable[Outline]) -> bytes:
    """Return a list of feeds that an import reads back the same: titles, addresses, tags (SO-07).

    It holds no date: equal lists are equal bytes (N1). OPML wants an outline in the body, so that an empty list has
    one that is a comment.
    """
    root = element("opml", version="2.0")
    child(child(root, "head"), "title", carried(title))
    body = child(root, "body")
    for outline in outlines:
        _outline(body, carried(outline))
    if not len(body):
        child(body, "outline", text="No feeds", isComment="true")
    return document(root)


def _outline(body: Element, outline: Outline) -> None:
    """Write one feed. A comma parts tags, so that one inside a tag is written as %2C."""
    title = outline.title or outline.url
    child(
        body,
        "outline",
        type="rss",
        text=title,
        title=title,
        xmlUrl=outline.url,
        htmlUrl=outline.home or None,
        category=",".join(tag.replace(",", "%2C") for tag in outline.tags) or None,
    )
