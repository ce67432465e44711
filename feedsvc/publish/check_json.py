"""What may be wrong with a JSON Feed (jsonfeed.org, version 1.1)."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from feedsvc.model import Level
from feedsvc.publish import markup, values
from feedsvc.publish.fault import Fault, error, repeated, shortened, warning
from feedsvc.publish.markup import Place

VERSIONS = ("https://jsonfeed.org/version/1.1", "https://jsonfeed.org/version/1")

_FEED = frozenset(
    "version title home_page_url feed_url description user_comment next_url icon favicon author authors language "
    "expired hubs items".split()
)
_ITEM = frozenset(
    "id url external_url title content_html content_text summary image banner_image date_published date_modified "
    "author authors tags language attachments".split()
)
_ADDRESSES = frozenset({"home_page_url", "feed_url", "next_url", "icon", "favicon", "url", "external_url", "image"})
_NUMBERS = frozenset({"size_in_bytes", "duration_in_seconds"})
_WORDS = frozenset({"title", "description", "summary", "content_html", "content_text", "language", "name"})


class Where(NamedTuple):
    """Which object of the document is looked at: its name in messages, its line."""

    name: str
    line: int | None


def faults(text: str, url: str) -> Iterator[Fault]:
    """Yield the faults of a document; `url` is where it is published, "" where that is not known."""
    try:
        feed = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as problem:
        yield error(problem.lineno, "not-well-formed", f"not JSON: {problem.msg} in column {problem.colno}")
        return
    except RecursionError:
        yield error(None, "not-well-formed", "not JSON that anyone reads: nested too deep")
        return
    except ValueError as problem:
        yield error(None, "not-well-formed", f"not JSON that anyone reads: {problem}")
        return
    if not isinstance(feed, dict):
        yield error(1, "not-a-feed", "the document is no JSON object: a JSON Feed is one")
        return
    yield from _feed(feed, Where("feed", 1), url)
    yield from _items(feed.get("items"), text)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _quoted(value: Any) -> str:
    """Return a value as a message quotes it; of lists and objects only what they are."""
    if isinstance(value, list | dict):
        return "(a list)" if isinstance(value, list) else "(an object)"
    return shortened(str(value))


def _feed(feed: Mapping[str, Any], where: Where, url: str) -> Iterator[Fault]:
    if feed.get("version") not in VERSIONS:
        message = f"version {_quoted(feed.get('version'))} is not known: write {VERSIONS[0]}"
        yield error(1, "bad-version", message)
    if not feed.get("title"):
        yield error(1, "missing-element", "feed has no title: add one")
    if not isinstance(feed.get("items"), list):
        yield error(1, "missing-element", "feed has no list of items: add one, be it empty")
    yield from _members(feed, where, _FEED)
    own = feed.get("feed_url")
    if own is None:
        yield warning(1, "missing-self", "feed has no feed_url: readers can't tell where it lives")
    elif url and own != url:
        yield error(1, "wrong-self", f"feed_url {_quoted(own)} is not where the feed is published, {url}")
    if own is not None and feed.get("next_url") == own:
        yield error(1, "bad-link", "next_url is the feed itself: leave it out")
    yield from _objects(feed.get("hubs"), "hubs", ("type", "url"), where)


def _items(items: Any, text: str) -> Iterator[Fault]:
    ids: list[tuple[str, int | None]] = []
    position, row = 0, 1
    for item in items if isinstance(items, list) else ():
        if not isinstance(item, dict):
            yield error(None, "bad-member", "an item is no JSON object")
            continue
        own = item.get("id")
        found = text.find(json.dumps(own, ensure_ascii=False), position) if isinstance(own, str) else -1
        if found >= 0:
            position, row = found, row + text.count("\n", position, found)
        line = row if found >= 0 else None
        yield from _item(item, Where("item", line))
        if isinstance(own, str):
            ids.append((own, line))
    yield from repeated(ids, Level.ERROR, "id")


def _item(item: Mapping[str, Any], where: Where) -> Iterator[Fault]:
    found = item.get("id")
    if not isinstance(found, str) or not found.strip():
        yield error(where.line, "bad-id", f"id {_quoted(found)} of an item is no string: give it one")
    if not isinstance(item.get("content_html"), str) and not isinstance(item.get("content_text"), str):
        yield error(where.line, "missing-content", "item has neither content_html nor content_text: add one")
    yield from _members(item, where, _ITEM)
    for name in ("date_published", "date_modified"):
        if name in item and (not isinstance(item[name], str) or values.rfc3339(item[name]) is None):
            message = f"{name} {_quoted(item[name])} is no date of RFC 3339, such as 2026-05-01T12:00:00Z"
            yield error(where.line, "bad-date", message)
    yield from _objects(item.get("attachments"), "attachments", ("url", "mime_type"), where)
    tags = item.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        yield error(where.line, "bad-member", "tags is no list of strings")
    if isinstance(item.get("content_html"), str):
        yield from markup.faults(item["content_html"], Place("content_html", where.line))
    for name in ("title", "summary", "content_text"):
        if isinstance(item.get(name), str):
            yield from markup.characters(item[name], Place(name, where.line))


def _members(found: Mapping[str, Any], where: Where, known: frozenset[str]) -> Iterator[Fault]:
    """Yield what is wrong with single members, whatever object they stand in."""
    for name, value in found.items():
        if value is None:
            yield warning(where.line, "null-value", f"{name} of {where.name} is null: leave it out")
        elif name.startswith("_"):
            if "." in name:
                yield error(where.line, "bad-member", f"{name} of {where.name}: the name of an extension has no dot")
        elif name not in known:
            yield warning(where.line, "unknown-element", f"{where.name} holds {name}, which JSON Feed does not know")
        else:
            yield from _member(name, value, where)
    yield from _authors(found, where)


def _member(name: str, value: Any, where: Where) -> Iterator[Fault]:
    kinds: tuple[tuple[frozenset[str], Callable[[Any], bool], str], ...] = (
        (_ADDRESSES, lambda v: isinstance(v, str) and values.is_iri(v), "absolute address"),
        (_NUMBERS, lambda v: isinstance(v, int | float) and not isinstance(v, bool) and v >= 0, "number"),
        (_WORDS, lambda v: isinstance(v, str), "string"),
        (frozenset({"mime_type"}), lambda v: isinstance(v, str) and values.is_media_type(v), "media type"),
    )
    for names, is_right, what in kinds:
        if name in names and not is_right(value):
            code = "bad-link" if names is _ADDRESSES else "bad-member"
            yield error(where.line, code, f"{name} {_quoted(value)} of {where.name} is no {what}")
    if name == "language" and isinstance(value, str) and not values.is_language(value):
        yield error(where.line, "bad-language", f"language {shortened(value)} is no language tag")


def _objects(found: Any, name: str, needed: tuple[str, ...], where: Where) -> Iterator[Fault]:
    """Yield what is wrong with a list of objects that must have certain members."""
    if found is None:
        return
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        yield error(where.line, "bad-member", f"{name} of {where.name} is no list of objects")
        return
    for each in found:
        for missing in (member for member in needed if not each.get(member)):
            yield error(where.line, "bad-member", f"one of {name} has no {missing}: add it")
        for member, value in each.items():
            yield from _member(member, value, Where(f"one of {name}", where.line))


def _authors(found: Mapping[str, Any], where: Where) -> Iterator[Fault]:
    authors = found.get("authors")
    if authors is None:
        return
    if not isinstance(authors, list) or not all(isinstance(each, dict) for each in authors):
        yield error(where.line, "bad-person", f"authors of {where.name} is no list of objects")
        return
    for author in authors:
        if not any(author.get(name) for name in ("name", "url", "avatar")):
            yield error(where.line, "bad-person", f"an author of {where.name} has neither name nor url: add one")
