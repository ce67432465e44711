"""Which feeds there are: those of the configuration, and one for each tag, author and topic (G1, G2, I6)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from feedsvc.compose.tags import tag_slug
from feedsvc.model import Entry
from feedsvc.settings.tree import FeedSettings, Settings

_Group = tuple[str, list[Entry]]

TAGS, AUTHORS, TOPICS = "tags", "authors", "topics"


class Blueprint(Struct, frozen=True):
    """A feed before its entries are chosen: what it is called, where it lies, and how it chooses from `pool`.

    `id_path` is what its id says behind `feed/`. `settings` may be made for it: a topic keeps its words.
    """

    kind: str
    id_path: str
    path: str
    title: str
    label: str
    settings: FeedSettings
    pool: tuple[Entry, ...]


def blueprints(settings: Settings, entries: Sequence[Entry]) -> tuple[Blueprint, ...]:
    """Return all feeds in the order in which they are listed; `entries` are those of every origin, newest first."""
    own = tuple(entry for entry in entries if entry.own)
    site = settings.site
    tags = _groups(own, lambda entry: entry.tags) if settings.output.tags else {}
    authors = _groups(own, lambda entry: _names(entry, site.author.name)) if settings.output.authors else {}
    return (
        *(_main(settings, feed, entries) for feed in settings.feeds),
        *(_group(settings, "tag", TAGS, slug, group) for slug, group in tags.items()),
        *(_group(settings, "author", AUTHORS, slug, group) for slug, group in authors.items()),
        *(_topics(settings, entries)),
    )


def includes(feed: FeedSettings, entry: Entry) -> bool:
    """Return whether a feed takes entries from where this one comes."""
    if entry.own:
        return "posts" in feed.include
    return "sources" in feed.include or entry.source in feed.include


def _names(entry: Entry, default: str) -> tuple[str, ...]:
    return tuple(author.name for author in entry.authors) or (default,)


def _main(settings: Settings, feed: FeedSettings, entries: Sequence[Entry]) -> Blueprint:
    site = settings.site.title
    is_first = feed is settings.feeds[0]
    path = feed.name if feed.path is None else feed.path
    pool = tuple(entry for entry in entries if includes(feed, entry))
    title = feed.title or (site if is_first else f"{site}: {feed.name}")
    label = feed.title or feed.name.replace("-", " ").capitalize()
    return Blueprint("main", feed.name, path, title, label, feed, pool)


def _group(settings: Settings, kind: str, folder: str, slug: str, group: _Group) -> Blueprint:
    label, pool = group
    path = f"{folder}/{slug}"
    feed = FeedSettings(name=path)
    return Blueprint(kind, path, path, f"{settings.site.title}: {label}", label, feed, tuple(pool))


def _topics(settings: Settings, entries: Sequence[Entry]) -> Iterable[Blueprint]:
    for topic in settings.topics:
        path, label = f"{TOPICS}/{topic.name}", topic.title or topic.name
        feed = FeedSettings(name=path, include=("posts", "sources"), keep=topic.match)
        yield Blueprint("topic", path, path, f"{settings.site.title}: {label}", label, feed, tuple(entries))


def _groups(entries: Sequence[Entry], words: Callable[[Entry], Iterable[str]]) -> dict[str, _Group]:
    """Return entries by the slug of each of their words, slugs in order, with the spelling that was there first."""
    spelled: dict[str, str] = {}
    held: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for slug, word in {tag_slug(word): word for word in words(entry)}.items():
            spelled[slug] = word  # the last one seen is the oldest: a new post renames no feed
            held[slug].append(entry)
    return {slug: (spelled[slug], held[slug]) for slug in sorted(held)}
