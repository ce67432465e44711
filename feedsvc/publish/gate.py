"""From a feed to the documents that may go out: rendered, checked, and without the entries that would spoil them.

One bad entry costs itself, in every format alike (K1), and is named; the rest is published (OU-01, OU-03).
"""

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.model import Diagnostic, Document, Entry, Feed, Item, Level
from feedsvc.publish.check import LARGEST, faults
from feedsvc.publish.fault import shortened
from feedsvc.render.formats import FORMATS, Format


class Admitted(Struct, frozen=True):
    """The documents of a feed that are valid, the paths of those that are not, and the errors that say why.

    `feed` is what they say, entries that were left out not among its items. A path that is held back has its last good
    version published further. Warnings are for `check`, not for each build.
    """

    feed: Feed
    documents: tuple[Document, ...]
    held: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def admit(feed: Feed) -> Admitted:
    """Return the documents of a feed in its formats, as far as they are valid.

    Entries that spoil a document are left out of all of them, each with an error that names its post or source.
    """
    admitted = _attempt(feed)
    if not admitted.held:
        return admitted
    kept, left_out = _sound_items(feed)
    again = _attempt(replace(feed, items=kept)) if left_out else admitted
    if any(each.code == "too-large" for each in again.diagnostics):
        lighter, heavy = _light_items(again.feed)
        again = _attempt(replace(feed, items=lighter)) if heavy else again
        left_out = (*left_out, *heavy)
    return replace(again, diagnostics=(*left_out, *again.diagnostics)) if left_out else admitted


def _attempt(feed: Feed) -> Admitted:
    documents: list[Document] = []
    held: list[str] = []
    found: list[Diagnostic] = []
    for made in (FORMATS[name] for name in feed.urls):
        path = _path(feed, made)
        document, wrong = _checked(feed, made, path)
        found += wrong
        if document is None or wrong:
            held.append(path)
        else:
            documents.append(document)
    return Admitted(feed, tuple(documents), tuple(held), tuple(found))


def _path(feed: Feed, made: Format) -> str:
    return f"{feed.path}/{made.file}" if feed.path else made.file


def _checked(feed: Feed, made: Format, path: str) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Return a document and its errors; feedgen and lxml refuse what they can't write with ValueError or TypeError."""
    try:
        body = made.render(feed)
    except (ValueError, TypeError) as problem:
        return None, (Diagnostic(path, None, Level.ERROR, f"can't be written: {problem}", "not-rendered"),)
    document = Document(path, body, made.media_type, feed.urls[made.name], feed.name, feed.updated)
    return document, tuple(each for each in faults(document) if each.level is Level.ERROR)


def _sound_items(feed: Feed) -> tuple[tuple[Item, ...], tuple[Diagnostic, ...]]:
    """Return the items that spoil nothing, and an error for each of the others."""
    kept, left_out, ids = [], [], set()
    for item in feed.items:
        reason = next(_reasons(replace(feed, items=(item,))), None)
        if item.entry.id in ids:
            reason = f"its id {item.entry.id} stands in this feed before"
        if reason is None:
            kept.append(item)
            ids.add(item.entry.id)
        else:
            left_out.append(_left_out(feed, item, reason))
    return tuple(kept), tuple(left_out)


def _light_items(feed: Feed) -> tuple[tuple[Item, ...], tuple[Diagnostic, ...]]:
    """Return the items of a feed that is too large without the largest of strangers, until it is not, and their errors.

    No stranger holds the feed back by what he writes; of our own posts none goes, for their limits are ours to set.
    """
    empty = _size(feed, ())
    sizes = [_size(feed, (item,)) - empty for item in feed.items]
    total, dropped = empty + sum(sizes), set[int]()
    for place in sorted(range(len(sizes)), key=lambda place: (sizes[place], place), reverse=True):
        if total >= LARGEST and not feed.items[place].entry.own:
            total -= sizes[place]
            dropped.add(place)
    kept = tuple(item for place, item in enumerate(feed.items) if place not in dropped)
    return kept, tuple(
        _left_out(feed, feed.items[place], f"{sizes[place]} bytes of a feed that readers refuse at {LARGEST}")
        for place in sorted(dropped)
    )


def _size(feed: Feed, items: Collection[Item]) -> int:
    """Return the bytes of the largest document of a feed with these items."""
    whole = replace(feed, items=tuple(items))
    return max(len(FORMATS[name].render(whole)) for name in feed.urls)


def _left_out(feed: Feed, item: Item, reason: str) -> Diagnostic:
    message = f"entry {shortened(item.title)} is left out of feed {feed.name}: {reason}"
    return Diagnostic(_origin(item.entry), None, Level.ERROR, message, "entry-left-out")


def _reasons(feed: Feed) -> Iterator[str]:
    """Yield what an only entry does wrong, beyond what the feed does wrong without any."""
    for made in (FORMATS[name] for name in feed.urls):
        empty = {each.message for each in _checked(replace(feed, items=()), made, "")[1]}
        for each in _checked(feed, made, "")[1]:
            if each.message not in empty:
                yield each.message


def _origin(entry: Entry) -> str:
    return entry.path or f"{entry.source}:{entry.key}"
