"""Why an entry is in a feed, or not, asked of posts and store as they are now; writes nothing (SO-10)."""

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from feedsvc.collect.library import Library, complete, scan
from feedsvc.collect.memory import Memory
from feedsvc.compose.decisions import Reason, Rule
from feedsvc.compose.explain import Explanation, Held, explain
from feedsvc.compose.feeds import Plan, plan
from feedsvc.compose.merge import Key, key_of
from feedsvc.model import ARCHIVE, Entry, Feed, Item, Show
from feedsvc.publish.gate import admit
from feedsvc.service.documents import Foreign
from feedsvc.settings.tree import Project, Settings

_NEAREST = 3
_ALIKE = 0.8


class Answer(Struct, frozen=True):
    """What was found, with the feeds that it speaks of by name; the nearest names where nothing was found."""

    found: tuple[Explanation, ...]
    feeds: Mapping[str, Feed] = field(default_factory=dict)
    nearest: tuple[str, ...] = ()


class Holding(Struct, frozen=True):
    """How much a feed shows of an entry that it holds, and whether it would show more, did the source allow it."""

    show: Show
    by_source: bool


class _Beginning(Struct, frozen=True):
    """What a build would begin with at this moment."""

    project: Project
    now: datetime
    foreign: Foreign
    memory: Memory
    library: Library

    def plan(self, asked: Collection[Key] = ()) -> Plan:
        """Return what a build would decide; filters are asked about the entries in `asked` behind the caps as well."""
        own = (*self.library.entries, *self.library.waiting)
        entries, sources = self.foreign.entries, self.foreign.sources
        return plan(self.project.settings, own, entries, sources, self._whole, now=self.now, thorough=asked)

    def _whole(self, entry: Entry) -> Entry | None:
        return complete(self.project, entry, self.memory).entry if entry.own else self.foreign.whole(entry)


def answer(project: Project, query: str, now: datetime, foreign: Foreign) -> Answer:
    """Return what `feedsvc explain` says: decisions are those of a build at this moment, down to the gate.

    `foreign` may hold entries of sources that are disabled or not configured any more: they are explained as well.
    """
    memory = Memory.of(project)
    library = scan(project, now, memory)
    beginning = _Beginning(project, now, foreign, memory, library)
    held = [Held(each.path, each.reason, each.names, str(each.outcome)) for each in library.held]
    decided = beginning.plan()
    keys = {key_of(each.entry) for each in explain(decided, query) if each.entry}
    if keys:
        decided = beginning.plan(keys)
    found = explain(decided, query, held)
    if not found:
        return Answer((), nearest=_nearest(query, (*library.entries, *library.waiting, *foreign.entries), held))
    feeds = {feed.name: feed for feed in decided.whole}
    return Answer(tuple(_gated(each, feeds) for each in found), feeds)


def holding(settings: Settings, feed: Feed, entry: Entry) -> Holding:
    """Return how a feed shows an entry that it holds (MG-13)."""
    name = feed.name.partition(f"/{ARCHIVE}/")[0]
    wanted = next((each.content for each in settings.feeds if each.name == name), Show.TEASER)
    show = _item(feed, entry).show
    return Holding(show, by_source=show.richness < wanted.richness)


def _item(feed: Feed, entry: Entry) -> Item:
    return next(item for item in feed.items if key_of(item.entry) == key_of(entry))


def _gated(found: Explanation, feeds: Mapping[str, Feed]) -> Explanation:
    """Return an explanation in which no feed holds an entry that the gate would leave out of it (OU-03)."""
    entry = found.entry
    if entry is None:
        return found
    spoiled = [(name, reason) for name in found.feeds for reason in _spoiled(feeds[name], entry)]
    names = {name for name, _ in spoiled}
    kept = tuple(name for name in found.feeds if name not in names)
    return replace(found, feeds=kept, kept_out=(*found.kept_out, *spoiled))


def _spoiled(feed: Feed, entry: Entry) -> Iterator[Reason]:
    """Yield why a feed's documents go out without an entry that the feed holds."""
    gated = admit(feed)
    if all(key_of(item.entry) != key_of(entry) for item in gated.feed.items):
        prefix = f"entry {_item(feed, entry).title!r} is left out of feed {feed.name}: "
        messages = [each.message for each in gated.diagnostics if each.message.startswith(prefix)]
        yield Reason(Rule.INVALID, messages[0].removeprefix(prefix))


def _nearest(query: str, entries: Sequence[Entry], held: Iterable[Held]) -> tuple[str, ...]:
    """Return the names that look most like what was asked for, first by their last part: the first ones are alike."""
    names = {name for entry in entries for name in (entry.path, entry.link, entry.id, entry.key) if name}
    names |= {name for each in held for name in (each.path, *each.names) if name}
    by_end: dict[str, str] = {}
    for name in sorted(names):
        by_end.setdefault(_end(name), name)
    ends = (by_end[end] for end in difflib.get_close_matches(_end(query), by_end, _NEAREST))
    wholes = difflib.get_close_matches(query.strip(), sorted(names), _NEAREST, _ALIKE)
    return tuple(dict.fromkeys((*ends, *wholes)))[:_NEAREST]


def _end(name: str) -> str:
    """Return the last part of a path, an id or an address, without extension."""
    return re.split(r"[/:]", name.strip().rstrip("/"))[-1].removesuffix(".md")
