"""JSON Feed 1.0 and 1.1: text → RawFeed (JF-01 to JF-04).

Members that are not known are ignored, null is absent, and a wrong type costs that member, not the entry. Line ends
and controls that stand bare in a string cost nothing, what stands behind the document is no part of it.
"""

import json
from typing import Any

from msgspec import Struct

from feedsvc.collect.found import Kind, Unread
from feedsvc.collect.raw import Form, Part, RawChannel, RawEnclosure, RawEntry, RawFeed, RawPerson, Ref
from feedsvc.collect.scan import ITEMS

Members = dict[str, Any]
VERSION = "jsonfeed.org/version"
_LONGEST_NUMBER = 300


def _number(digits: str) -> int | str:
    """Return a number; one that no machine counts with is the text that it is (JF-02)."""
    return int(digits) if len(digits) <= _LONGEST_NUMBER else digits


_DECODER = json.JSONDecoder(strict=False, parse_int=_number)


class Read(Struct, frozen=True):
    """What a JSON Feed holds, and what stood behind it."""

    feed: RawFeed
    behind: str


def read_json(text: str, url: str) -> Read | Unread:
    """Return what a JSON Feed holds; Unread where the text is no JSON, or another JSON than a feed."""
    try:
        document, end = _DECODER.raw_decode(text)
    except RecursionError:
        return Unread("bomb", "refused: JSON nested to a depth that no feed has")
    except ValueError as problem:
        line = getattr(problem, "lineno", 1)
        return Unread("malformed", f"line {line}: not valid JSON: {getattr(problem, 'msg', problem)}")
    if not isinstance(document, dict) or not _is_feed(document):
        return Unread("no-feed", "JSON, but no JSON Feed: it has neither its version nor items")
    items = _objects(document.get("items"))
    if len(items) > ITEMS:
        return Unread("bomb", f"refused: more than {ITEMS:,} items")
    return Read(_feed(document, items, url), text[end:])


def _is_feed(document: Members) -> bool:
    """Return whether it calls itself a feed or, without version, has title and items: no error has both (F-39)."""
    if VERSION in _string(document, "version"):
        return True
    return isinstance(document.get("items"), list) and bool(_string(document, "title").strip())


def _feed(document: Members, items: list[Members], url: str) -> RawFeed:
    lang = _string(document, "language")
    read = [(item, _entry(item, url, lang)) for item in items]
    return RawFeed(
        kind=Kind.JSON,
        channel=RawChannel(
            id=_string(document, "feed_url").strip(),
            title=_part(document, "title", Form.TEXT),
            url=_ref(document, "feed_url", url),
            home=_ref(document, "home_page_url", url),
            authors=_authors(document, url),
            lang=lang,
            hubs=tuple(ref for hub in _objects(document.get("hubs")) if (ref := _ref(hub, "url", url))),
            description=_part(document, "description", Form.TEXT),
        ),
        entries=tuple(entry for _, entry in read if entry.id),
        dropped=tuple(f"the item {_named(item)} has no id and was left out" for item, entry in read if not entry.id),
    )


def _entry(item: Members, url: str, lang: str) -> RawEntry:
    written = (_part(item, "content_html", Form.HTML), _part(item, "content_text", Form.TEXT))
    content = next((part for part in written if part), None)
    summary = _part(item, "summary", Form.TEXT)
    return RawEntry(
        id=_id(item),
        link=_ref(item, "url", url) or _ref(item, "external_url", url),
        title=_part(item, "title", Form.TEXT),
        content=content or summary,
        summary=summary if content else None,
        published=_dates(item, "date_published"),
        updated=_dates(item, "date_modified"),
        authors=_authors(item, url),
        tags=tuple(tag for tag in _list(item.get("tags")) if isinstance(tag, str)),
        lang=_string(item, "language") or lang,
        images=tuple(ref for name in ("image", "banner_image") if (ref := _ref(item, name, url))),
        enclosures=tuple(_enclosure(each, url) for each in _objects(item.get("attachments"))),
        origin=_origin(item, url),
    )


def _id(item: Members) -> str:
    """Return an id: a number becomes its string (JF-02)."""
    found = item.get("id")
    if isinstance(found, float) and found.is_integer() and abs(found) < 2**53:
        found = int(found)
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return str(found) if is_number else found.strip() if isinstance(found, str) else ""


def _authors(members: Members, url: str) -> tuple[RawPerson, ...]:
    """Return `authors` of 1.1 and `author` of 1.0 (JF-03)."""
    people = _objects(members.get("authors")) or _objects([members.get("author")])
    return tuple(RawPerson(_string(one, "name"), _ref(one, "url", url)) for one in people)


def _enclosure(attachment: Members, url: str) -> RawEnclosure:
    size = attachment.get("size_in_bytes")
    is_size = isinstance(size, int | float) and not isinstance(size, bool) and 0 <= size < 2**53
    return RawEnclosure(
        _ref(attachment, "url", url) or Ref("", url),
        _string(attachment, "mime_type"),
        str(int(size)) if is_size and size is not None else "",
        _string(attachment, "title"),
    )


def _origin(item: Members, url: str) -> RawChannel | None:
    """Return the source that feeds of ours name (MG-06)."""
    extension = item.get("_feedsvc")
    source = extension.get("source") if isinstance(extension, dict) else None
    if not isinstance(source, dict):
        return None
    return RawChannel(
        id=_string(source, "id").strip(),
        title=_part(source, "title", Form.TEXT),
        url=_ref(source, "url", url),
        home=_ref(source, "home_page_url", url),
    )


def _named(item: Members) -> str:
    return repr((_string(item, "title") or _string(item, "url") or "without title")[:80])


def _string(members: Members, name: str) -> str:
    """Return a text, without U+FFFD, which marks what was broken before it came here (EN-03)."""
    found = members.get(name)
    return found.replace("\ufffd", "") if isinstance(found, str) else ""


def _part(members: Members, name: str, form: Form) -> Part | None:
    text = _string(members, name)
    return Part(text, form) if text.strip() else None


def _ref(members: Members, name: str, base: str) -> Ref | None:
    text = _string(members, name).strip()
    return Ref(text, base) if text else None


def _dates(members: Members, name: str) -> tuple[str, ...]:
    text = _string(members, name).strip()
    return (text,) if text else ()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(value: Any) -> list[Members]:
    return [one for one in _list(value) if isinstance(one, dict)]
