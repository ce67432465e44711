"""A feed as JSON Feed 1.1: bytes for `feed.json`."""

from collections.abc import Mapping
from typing import Any

from msgspec import json

from feedsvc.model import Enclosure, Feed, Item, Origin, Person, Show
from feedsvc.render import shown

VERSION = "https://jsonfeed.org/version/1.1"
UNKNOWN = "application/octet-stream"


def render(feed: Feed) -> bytes:
    """Return the JSON document of a feed (J1-J5): members in a fixed order, none without a value."""
    feed = shown.ready(feed)
    said = {
        "version": VERSION,
        "title": feed.title,
        "home_page_url": feed.home,
        "feed_url": feed.urls["json"],
        "description": feed.description,
        "next_url": feed.older and feed.older.urls["json"],
        "icon": feed.icon,
        "language": feed.lang,
        "authors": [_person(author) for author in feed.authors],
        "hubs": [{"type": "WebSub", "url": hub} for hub in feed.hubs],
    }
    document = {**_present(said), "items": [_item(item) for item in feed.items]}
    return json.format(json.encode(document), indent=1) + b"\n"


def _present(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in (None, "", [])}


def _item(item: Item) -> dict[str, Any]:
    entry = item.entry
    said = {
        "id": entry.id,
        "url": entry.link,
        "title": shown.title(item),
        "summary": "" if item.show is Show.TITLE else item.teaser.text,
        "image": entry.image,
        "date_published": shown.instant(entry.published),
        "date_modified": shown.instant(entry.updated),
        "authors": [_person(author) for author in entry.authors],
        "tags": list(entry.tags),
        "language": entry.lang,
        "attachments": [_attachment(each) for each in entry.enclosures],
        "_feedsvc": {"source": _source(entry.origin)} if entry.origin else None,
    }
    return {**_present(said), "content_html": shown.content(item) or shown.teaser(item)}


def _person(person: Person) -> dict[str, str]:
    return _present({"name": person.name, "url": person.url})


def _attachment(enclosure: Enclosure) -> dict[str, Any]:
    said = {
        "url": enclosure.url,
        "mime_type": enclosure.type or UNKNOWN,
        "title": enclosure.title,
        "size_in_bytes": enclosure.length,
    }
    return _present(said)


def _source(origin: Origin) -> dict[str, str]:
    said = {"id": origin.id, "title": origin.title, "url": origin.url, "home_page_url": origin.home}
    return _present(said)
