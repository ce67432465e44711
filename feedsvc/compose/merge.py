"""Who tells the same story, and who tells it first (MG-01 to MG-04, S-39)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from feedsvc.model import Copy, Entry, Outline
from feedsvc.text.urls import canonical

Key = tuple[str, str]

story_of = lru_cache(maxsize=100_000)(canonical)
"""The key of the story at an address; remembered, for each feed asks again."""


class Stories(Struct, frozen=True):
    """Entries of which none is a copy of another, in their order; copies by the key of who won, and who won by copy."""

    entries: tuple[Entry, ...]
    copies: Mapping[Key, tuple[Entry, ...]]
    winners: Mapping[Key, Entry]


def key_of(entry: Entry) -> Key:
    """Return what an entry is known by: its source and its raw id there, never the id alone (ID-01, S-38)."""
    return (entry.source, entry.key)


def without_copies(entries: Sequence[Entry], outlines: Sequence[Outline]) -> Stories:
    """Return the entries without copies at other sources; the original wins: our own post, else by MG-03.

    Entries of one source are never copies of each other, nor are two posts of ours (MG-02).
    """
    copies: dict[Key, tuple[Entry, ...]] = {}
    winners: dict[Key, Entry] = {}
    for told in _told_twice(entries):
        first = _original(told, {outline.id: outline for outline in outlines})
        others = tuple(entry for entry in told if entry.source != first.source)
        copies[key_of(first)] = others
        winners.update((key_of(entry), first) for entry in others)
    if not winners:
        return Stories(tuple(entries), copies, winners)
    return Stories(tuple(entry for entry in entries if key_of(entry) not in winners), copies, winners)


def as_copies(entries: Sequence[Entry], outlines: Sequence[Outline]) -> tuple[Copy, ...]:
    """Return copies as "also at" names them: by source, each source once, in the order of the configuration."""
    held = {entry.source: entry for entry in reversed(entries)}
    named = ((outline, held[outline.id]) for outline in outlines if outline.id in held)
    return tuple(Copy(outline.title, outline.home or entry.link or outline.url) for outline, entry in named)


def _told_twice(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return the groups of entries with one canonical link, or one id, that come from more than one place.

    Only copies of one story have one id (`identity.py`): one may have the link yet that the other had before.
    """
    if all(entry.own for entry in entries):
        return []
    linked = [(story_of(entry.link), entry) for entry in entries if entry.link]
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    for story, entry in linked:
        one, other = _root(first.setdefault(entry.id, story), same), _root(story, same)
        if one != other:
            same[other] = one
    groups: defaultdict[str, list[Entry]] = defaultdict(list)
    for story, entry in linked:
        groups[_root(story, same)].append(entry)
    return [group for group in groups.values() if len({entry.source for entry in group}) > 1]


def _root(story: str, same: Mapping[str, str]) -> str:
    while story in same:
        story = same[story]
    return story


def _original(told: Sequence[Entry], outlines: Mapping[str, Outline]) -> Entry:
    own = next((entry for entry in told if entry.own), None)
    return own or min(told, key=_rank(told, outlines))


def _rank(told: Sequence[Entry], outlines: Mapping[str, Outline]) -> Callable[[Entry], tuple[object, ...]]:
    """Return the order of MG-03: at home, named by others, earliest, first in the configuration."""
    places = {source: place for place, source in enumerate(outlines)}

    def rank(entry: Entry) -> tuple[object, ...]:
        outline = outlines.get(entry.source)
        named = outline is not None and any(_names(other, outline) for other in told)
        place = places.get(entry.source, len(places))
        return (not at_home(entry, outline), not named, entry.published, place, entry.place[1], entry.id, entry.key)

    return rank


def at_home(entry: Entry, outline: Outline | None) -> bool:
    """Return whether an entry's link leads to the site of its source."""
    return outline is not None and bool(entry.link) and _host(outline.home) == _host(entry.link or "")


def _names(entry: Entry, outline: Outline) -> bool:
    """Return whether an entry of another source says that it comes from this one (`atom:source`, RSS `source`)."""
    if entry.source == outline.id or entry.origin is None:
        return False
    said = {story_of(address) for address in (entry.origin.url, entry.origin.home) if address}
    return bool(said & {story_of(address) for address in (outline.url, outline.home) if address})


def _host(address: str) -> str | None:
    """Return the host of an address as stories are compared, None without one."""
    return story_of(address).removeprefix("//").partition("/")[0].partition("?")[0] if address else None
