"""Feeds that are no longer where they were: gone, or at another path (serving V-08).

A feed is known by its Atom id, which never changes: where the same id comes to stand in another folder, the feed has
moved, and readers of all its formats are led there for a year.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct, field

from feedsvc.model import archive_in
from feedsvc.patterns import pattern
from feedsvc.publish import files

YEAR_SECONDS = 366 * 86_400.0
_ID = pattern(rb"<id>([^<]{1,1000})</id>")
_HEAD = 4096


class Left(Struct, frozen=True):
    """A feed's path that is no document any more: where the feed is now, "" for nowhere, and since when."""

    to: str
    since: float


class Memory(Struct, frozen=True):
    """What outlives a server: the feeds of the last set, path → identity of their folder, and what has left."""

    feeds: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, Left] = field(default_factory=dict)


class _Written(Struct, frozen=True):
    feeds: dict[str, str]
    left: dict[str, tuple[str, float]]


def identities(bodies: Iterable[tuple[str, bytes]]) -> Mapping[str, str]:
    """Return folder → id of the Atom feed in it, both as in addresses; `bodies` are paths with their documents.

    The archives of a feed share its id, so the identity of one ends in its place among them.
    """
    found = {}
    for path, body in bodies:
        said = _ID.search(body[:_HEAD])
        if said:
            found[path[: path.rfind("/") + 1]] = said[1].decode("utf-8", "replace") + archive_in(path)
    return found


def part(
    was: Mapping[str, str],
    left: Mapping[str, Left],
    there: Collection[str],
    now_at: Mapping[str, str],
    *,
    now: float,
) -> Mapping[str, Left]:
    """Return what has left after a new set: `was` are the feeds of the old set, path → identity of their folder.

    `left` is what had left before it, `there` are the paths of the new set and `now_at` its identities by folder.
    """
    homes = {identity: folder for folder, identity in now_at.items()}
    found = {path: one for path, one in left.items() if now - one.since < YEAR_SECONDS}
    for path, identity in was.items():
        home = homes.get(identity) if identity else None
        found[path] = Left(f"{home}{path.rpartition('/')[2]}" if home else "", now)
    follow = {path: _onward(one, found, there) for path, one in found.items() if path not in there}
    return dict(sorted(follow.items()))


def _onward(one: Left, found: Mapping[str, Left], there: Collection[str]) -> Left:
    """Return where a feed is now that moved more than once, or that went away after it had moved."""
    to = one.to
    for _ in range(len(found)):
        if not to or to in there:
            break
        to = found[to].to if to in found else ""
    return Left(to if to in there else "", one.since)


def remembered(place: Path) -> Memory:
    """Return what was written down; nothing where nobody can read it."""
    try:
        said = msgspec.json.decode(place.read_bytes(), type=_Written)
        return Memory(said.feeds, {path: Left(to, since) for path, (to, since) in said.left.items()})
    except (OSError, ValueError, RecursionError):
        return Memory()


def remember(place: Path, memory: Memory) -> None:
    """Write down what stands and what has left; a folder that cannot be written is no reason not to serve."""
    left = {path: [one.to, one.since] for path, one in memory.left.items()}
    with suppress(OSError):
        files.replace(place, json.dumps({"feeds": dict(memory.feeds), "left": left}, indent=0).encode(), 0)
