"""The older entries of a feed as archives, from the oldest on (RFC 5005 §4, P0 to P3).

    entries, newest first   12 11 10 9 8 7 6 5 4 3 2 1      limit = 5
    the feed                12 11 10 9 8
    archive 2                        10 9 8 7 6
    archive 1                                  5 4 3 2 1

A full archive never changes but for the way to the next one: there are as many as it takes until the feed holds the
rest. Where the feed does not, because of `per_source`, the newest archive does, and fills up. What both hold is the
same entry under the same id.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from feedsvc.compose.merge import key_of
from feedsvc.model import ARCHIVE, FEED_FILES, Feed, Item


def with_archives(feed: Feed, every: Sequence[Item], size: int) -> tuple[Feed, ...]:
    """Return a feed that knows its newest archive, and its archives, the newest first; `every` are all of its items.

    Items stand in the order of the feed, newest first.
    """
    oldest = every[::-1]
    parts = [oldest[start : start + size][::-1] for start in range(0, len(oldest), size)]
    held = {key_of(item.entry) for item in feed.items}
    if parts and held.issuperset(key_of(item.entry) for item in parts[-1]):
        parts.pop()
    archives = [_archive(feed, number, tuple(part)) for number, part in enumerate(parts, 1)]
    known = [None, *(archive.related_as() for archive in archives), None]
    linked = [replace(archive, older=known[number], newer=known[number + 2]) for number, archive in enumerate(archives)]
    return (replace(feed, older=known[len(archives)]), *reversed(linked))


def _archive(feed: Feed, number: int, items: tuple[Item, ...]) -> Feed:
    """Return an archive: it shares the feed's id (I6), has no hub, and says of sources nothing that changes later."""
    folder = f"{ARCHIVE}/{number}"
    page = f"{feed.page}{folder}/"
    return replace(
        feed,
        name=f"{feed.name}/{folder}",
        kind=ARCHIVE,
        path=f"{feed.path}/{folder}" if feed.path else folder,
        home=page,
        page=page,
        urls={name: page + FEED_FILES[name] for name in feed.urls},
        updated=max(item.entry.updated for item in items),
        items=tuple(map(_lasting, items)),
        hubs=(),
        ttl=None,
        label=f"Archive {number}",
        style=f"../../{feed.style}" if feed.style else "",
        current=feed.related_as(),
    )


def _lasting(item: Item) -> Item:
    """Return an item without the date of its source, which changes with each entry that the source brings (P2)."""
    origin = item.entry.origin
    return replace(item, entry=replace(item.entry, origin=replace(origin, updated=None))) if origin else item
