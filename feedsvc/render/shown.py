"""What an item shows, whatever the format: one answer for Atom, RSS and JSON, so that they say the same (K1)."""

from datetime import UTC, datetime
from functools import lru_cache
from html import escape
from typing import Any, TypeVar, cast
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from feedsvc.model import Feed, Item, Person, Show
from feedsvc.text.characters import xml_text

Value = TypeVar("Value")


def ready(feed: Feed) -> Feed:
    """Return the feed as the writers take it: each string fit for XML, each entry with the authors in force for it.

    Authors stand at each entry, since RSS has none at the channel that all readers would know (K1). A text that the
    feed does not show is not there. The last feed is remembered, for each of its documents asks.
    """
    return _ready(_Same(feed))


class _Same:
    """A feed as a key: it is itself and no other, and is not compared piece by piece."""

    __slots__ = ("feed",)

    def __init__(self, feed: Feed) -> None:
        self.feed = feed

    def __hash__(self) -> int:
        return id(self.feed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.feed is self.feed


@lru_cache(maxsize=1)
def _ready(same: _Same) -> Feed:
    feed = carried(replace(same.feed, items=tuple(map(_shown, same.feed.items))))
    items = (replace(item, entry=replace(item.entry, authors=_authors(item, feed))) for item in feed.items)
    return replace(feed, items=tuple(items))


def _shown(item: Item) -> Item:
    return item if item.show is Show.FULL else replace(item, entry=replace(item.entry, text=None))


def carried(value: Value) -> Value:
    """Return a value of the model without what XML 1.0 can't carry, in any of its strings (S-34, B4).

    Own and foreign text is clean long before; one byte that got past would cost a whole feed here.
    """
    return cast(Value, _carried(value))


def _carried(value: Any) -> Any:
    if type(value) is str:
        return xml_text(value)
    if type(value) is tuple:
        return tuple(_carried(each) for each in value)
    if type(value) is dict:
        return {key: _carried(each) for key, each in value.items()}
    changed: dict[str, Any] = {}
    for name in getattr(value, "__struct_fields__", ()):
        old = getattr(value, name)
        new = _carried(old) if old else old
        if new is not old and new != old:
            changed[name] = new
    return replace(value, **changed) if changed else value


def title(item: Item) -> str:
    """Return the title where the format can do without: a foreign entry without one has none (F8, TI-05)."""
    return item.title if item.entry.own else (item.entry.title or "")


def needed_title(item: Item) -> str:
    """Return the title where the format demands one: never blank (A1, TI-05)."""
    return title(item) or item.title or _last_part(item.entry.link) or item.entry.id


def _last_part(link: str | None) -> str:
    parts = urlsplit(link or "")
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc


def teaser(item: Item) -> str:
    """Return the teaser as HTML, "" where the feed shows titles only (MG-13) or there is no text."""
    return "" if item.show is Show.TITLE else item.teaser.html


def content(item: Item) -> str:
    """Return the full text as HTML, "" where the feed does not show it or there is none."""
    text = item.entry.text
    return text.content if text and item.show is Show.FULL else ""


def pointer(feed: Feed, item: Item) -> str:
    """Return the link to the entry as a paragraph, for where a text is demanded and none is shown (A5, T14).

    An entry that has no link either shows its title.
    """
    if item.entry.link:
        return f'<p><a href="{escape(item.entry.link)}">{escape(feed.more, quote=False)}</a></p>'
    return f"<p>{escape(needed_title(item), quote=False)}</p>"


def _authors(item: Item, feed: Feed) -> tuple[Person, ...]:
    """Return the entry's authors; a foreign one never takes those of our feed, and no mail address (MG-07)."""
    entry, origin = item.entry, item.entry.origin
    if entry.own:
        return entry.authors or feed.authors
    source = (origin.authors or (Person(origin.title),)) if origin else ()
    return named(entry.authors or source)


def named(people: tuple[Person, ...]) -> tuple[Person, ...]:
    """Return people of a source: without mail addresses, and only those who have a name."""
    return tuple(replace(each, email="") for each in people if each.name.strip())


def instant(moment: datetime) -> str:
    """Return a date as RFC 3339 in UTC, whole seconds (D5)."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")
