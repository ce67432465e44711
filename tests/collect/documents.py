"""Documents for tests, as strangers write them, and what reading them gives."""

from feedsvc.collect.found import Found, ParsedFeed, Received, Unread
from feedsvc.collect.parse import read

URL = "https://warp.example/feed.xml"
NAMESPACES = (
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"'
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    ' xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'
)


def rss(items: str, channel: str = "<link>https://warp.example/</link>", attributes: str = "") -> str:
    """Return an RSS document."""
    return (
        f'<rss version="2.0"{NAMESPACES}{attributes}><channel><title>Warp</title>{channel}<description>d</description>'
        f"{items}</channel></rss>"
    )


def atom(entries: str, feed: str = "", attributes: str = "") -> str:
    """Return an Atom document."""
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom"{attributes}><id>urn:warp:feed</id><title>Warp</title>'
        f"<updated>2026-01-01T00:00:00Z</updated>{feed}{entries}</feed>"
    )


def item(inside: str) -> Found:
    """Return what an RSS item with a title and this inside is read as."""
    return only(rss(f"<item><title>kept</title>{inside}</item>"))


def entry(inside: str, attributes: str = "") -> Found:
    """Return what an Atom entry with an id, a title and this inside is read as."""
    return only(atom(f"<entry><id>urn:warp:1</id><title>kept</title>{inside}</entry>", attributes=attributes))


def answer(document: str | bytes, media_type: str = "", url: str = URL) -> ParsedFeed | Unread:
    """Read a document."""
    body = document.encode() if isinstance(document, str) else document
    return read(Received("warp", url, body, media_type))


def feed(document: str | bytes, media_type: str = "", url: str = URL) -> ParsedFeed:
    """Read a document that is a feed."""
    found = answer(document, media_type, url)
    assert isinstance(found, ParsedFeed), found
    return found


def refused(document: str | bytes, media_type: str = "") -> Unread:
    """Read a document of which nothing is taken."""
    found = answer(document, media_type)
    assert isinstance(found, Unread), found
    return found


def only(document: str | bytes, media_type: str = "") -> Found:
    """Read a document with one entry."""
    (found,) = feed(document, media_type).entries
    return found


def codes(document: str | bytes, media_type: str = "") -> list[str]:
    """Return the codes of what reading a document warns of."""
    return [warning.code for warning in feed(document, media_type).warnings]
