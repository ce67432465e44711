"""From a feed to the documents that may go out: rendered, checked, and without the entries that would spoil them.

One bad entry costs itself, in every format alike (K1), and is named; the rest is published (OU-01, OU-03).
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.model import Diagnostic, Document, Entry, Feed, Item, Level
from feedsvc.publish.check import faults
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
    if not left_out:
        return admitted
    again = _attempt(replace(feed, items=kept))
    return replace(again, diagnostics=(*left_out, *again.diagnostics))


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
            message = f"entry {item.title!r} is left out of feed {feed.name}: {reason}"
            left_out.append(Diagnostic(_origin(item.entry), None, Level.ERROR, message, "entry-left-out"))
    return tuple(kept), tuple(left_out)


def _reasons(feed: Feed) -> Iterator[str]:
    """Yield what an only entry does wrong, beyond what the feed does wrong without any."""
    for made in (FORMATS[name] for name in feed.urls):
        empty = {each.message for each in _checked(replace(feed, items=()), made, "")[1]}
        for each in _checked(feed, made, "")[1]:
            if each.message not in empty:
                yield each.message


def _origin(entry: Entry) -> str:
    return entry.path or f"{entry.source}:{entry.key}"
