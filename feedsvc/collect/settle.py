"""What a post's dates and place depend on besides its own file: the clock, and its neighbours in posts/.

Pure: posts in path order and `now` in; entries, those that wait, and those that are left out, out.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.posts import Post
from feedsvc.model import Diagnostic, Entry, Level

_SECONDS = 60


class Rival(Struct, frozen=True):
    """A post left out because an earlier one has its id or its address: the entry, and the reason in words."""

    entry: Entry
    reason: str


class Settled(Struct, frozen=True):
    """Entries newest first, those from the future soonest first, those left out, and what is wrong.

    `next_due` is when the next date comes true: a post falls due, or the `updated` of one is no longer in the future.
    """

    entries: tuple[Entry, ...]
    waiting: tuple[Entry, ...]
    rivals: tuple[Rival, ...]
    diagnostics: tuple[Diagnostic, ...]
    next_due: datetime | None


def settle(posts: Sequence[Post], now: datetime) -> Settled:
    """Return the posts with the dates they are published with. `posts` are in path order, `now` is aware.

    Source: D4 (posts of one day differ), D7 (the future waits), D8, D11 (order), I4 and I5 (one id, one address).
    """
    fit: list[Entry] = []
    late: list[tuple[datetime, Diagnostic]] = []
    for post, (published, updated) in zip(posts, _dates(posts), strict=True):
        if updated > now >= published:
            late.append((updated, _future_update(post)))
        stands = published < updated and (updated <= now or published > now)
        fit.append(_dated(post.entry, published, updated if stands else published))
    due = [entry for entry in fit if entry.published <= now]
    waiting = [entry for entry in fit if entry.published > now]
    kept, rivals = _without_rivals(due, waiting)
    coming = [entry.published for entry in kept if entry.published > now] + [when for when, _ in late]
    return Settled(
        entries=tuple(sorted((e for e in kept if e.published <= now), key=_newest_first)),
        waiting=tuple(sorted((e for e in kept if e.published > now), key=lambda e: (e.published, e.id))),
        rivals=tuple(rivals),
        diagnostics=(*(found for _, found in late), *map(_duplicate, rivals)),
        next_due=min(coming, default=None),
    )


def _dated(entry: Entry, published: datetime, updated: datetime) -> Entry:
    if entry.published == published and entry.updated == updated:
        return entry
    return replace(entry, published=published, updated=updated)


def _newest_first(entry: Entry) -> tuple[float, str]:
    return -entry.published.timestamp(), entry.id


def _dates(posts: Sequence[Post]) -> list[tuple[datetime, datetime]]:
    """Return when each was published and updated, the seconds of bare dates drawn; written times stand (D4)."""
    taken = {instant for post in posts if (instant := _written_update(post))}
    dates = []
    for post in posts:
        published = post.published.instant
        if post.published.day_only:
            published = _drawn(published, post.entry.id, taken)
        updated = post.updated.instant if post.updated else published
        if post.updated and post.updated.day_only:
            updated = published if _same_minute(updated, published) else _drawn(updated, post.entry.id, taken)
        dates.append((published, updated))
    return dates


def _written_update(post: Post) -> datetime | None:
    """Return the instant that the entry's `updated` has from its author, to the second, None where it is drawn."""
    said = post.updated or post.published
    return None if said.day_only else said.instant


def _same_minute(one: datetime, other: datetime) -> bool:
    return one.replace(second=0) == other.replace(second=0)


def _drawn(minute: datetime, entry_id: str, taken: set[datetime]) -> datetime:
    """Return a second of the minute: drawn from the id alone, the next free one where another has it.

    Where all sixty are taken the drawn one is used twice: the day must not move.
    """
    first = int.from_bytes(hashlib.sha256(entry_id.encode()).digest()[:4]) % _SECONDS
    start = minute.replace(second=0)
    choices = (start + timedelta(seconds=(first + step) % _SECONDS) for step in range(_SECONDS))
    chosen = next((choice for choice in choices if choice not in taken), start + timedelta(seconds=first))
    taken.add(chosen)
    return chosen


def _future_update(post: Post) -> Diagnostic:
    message = "the date of the update is in the future: it is left aside until then"
    return Diagnostic(post.entry.path, post.updated_line, Level.WARNING, message, "future-update")


def _without_rivals(due: Iterable[Entry], waiting: Iterable[Entry]) -> tuple[list[Entry], list[Rival]]:
    """Return the entries of which no earlier one in path order has the id or address, and the others (I4, I5).

    What still waits takes nothing from what is published now.
    """
    ids: dict[str, Entry] = {}
    links: dict[str, Entry] = {}
    rivals: list[Rival] = []
    for entry in (*due, *waiting):
        link = entry.link or entry.id
        if first := ids.get(entry.id):
            rivals.append(Rival(entry, f"its id {entry.id} is that of {first.path}"))
        elif first := links.get(link):
            rivals.append(Rival(entry, f"its address {link} is that of {first.path}"))
        else:
            ids[entry.id] = links[link] = entry
    return list(ids.values()), rivals


def _duplicate(rival: Rival) -> Diagnostic:
    field = "id" if rival.reason.startswith("its id") else "slug"
    message = f"{rival.reason}: {rival.entry.path} is left out; give it another {field}"
    code = "duplicate-id" if field == "id" else "duplicate-address"
    return Diagnostic(rival.entry.path, 1, Level.ERROR, message, code)
