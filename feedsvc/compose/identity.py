"""Which id each entry is published with: no id twice, and no stranger takes ours (ID-07, ID-08, S-38, S-39)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from feedsvc.compose.merge import at_home, story_of
from feedsvc.model import Entry, Outline
from feedsvc.text.urls import foreign_id, is_absolute_uri


def with_own_ids(
    own: Sequence[Entry], foreign: Sequence[Entry], outlines: Sequence[Outline], authority: str
) -> tuple[Entry, ...]:
    """Return the foreign entries with ids that no other entry has, copies of one story at other sources apart.

    Who keeps an id that several claim: we, then who is at home at its link, then who was seen first, whatever date it
    claims; the others get a minted one. The order of the entries decides nothing.
    """
    if not foreign:
        return ()
    holders: dict[str, list[Entry]] = {entry.id: [entry] for entry in own}
    settled: dict[tuple[str, str], str] = {}
    known = {outline.id: outline for outline in outlines}
    homes = {outline.id: story_of(outline.home) for outline in outlines if outline.home}

    def rank(entry: Entry) -> tuple[object, ...]:
        home = at_home(entry, known.get(entry.source))
        return (not home, entry.seen or entry.published, entry.published, entry.source, entry.key)

    for entry in sorted(foreign, key=rank):
        published = entry.id if _may_keep(entry, holders, homes) else _free(minted_for(entry, authority), holders)
        holders.setdefault(published, []).append(entry)
        settled[entry.source, entry.key] = published
    return tuple(replace(entry, id=settled[entry.source, entry.key]) for entry in foreign)


def minted_for(entry: Entry, authority: str) -> str:
    """Return the id that we make for a foreign entry from its source's id and its raw id; it never changes (ID-07)."""
    return foreign_id(authority, entry.source, entry.key)


def _may_keep(entry: Entry, holders: Mapping[str, list[Entry]], homes: Mapping[str, str]) -> bool:
    held = holders.get(entry.id, [])
    return is_absolute_uri(entry.id) and all(_is_copy(entry, other, homes) for other in held)


def _is_copy(entry: Entry, other: Entry, homes: Mapping[str, str]) -> bool:
    """Return whether two entries with one id tell one story: at one link, or in two feeds of one site.

    Those are asked at different times, and only one of them may know yet that the link has changed.
    """
    if other.own or other.source == entry.source or not (entry.link and other.link):
        return False
    home = homes.get(entry.source)
    return story_of(entry.link) == story_of(other.link) or (home is not None and home == homes.get(other.source))


def _free(minted: str, holders: dict[str, list[Entry]]) -> str:
    """Return the minted id, with a number behind where a post of ours or a stranger says the same."""
    free, number = minted, 1
    while free in holders:
        number += 1
        free = f"{minted};{number}"
    return free
