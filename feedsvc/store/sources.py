"""The rows of sources follow the configuration; what is remembered of each, and until when hosts are blocked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, text, update

from feedsvc.collect.pacing import first_poll, for_address
from feedsvc.collect.pollstate import Policy, PollState, State
from feedsvc.settings.tree import Source
from feedsvc.store.driven import Driven
from feedsvc.store.leases import FARTHEST, PUSHED_APART
from feedsvc.store.rows import STATE, columns_of, state_of
from feedsvc.store.schema import BLOCK, ENTRY, SOURCE, Moment, Words

# Both databases read this, and the dialect of PostgreSQL is slow to import.
_BLOCK = text(
    "INSERT INTO block (place, until) VALUES (:place, :until) ON CONFLICT (place) DO UPDATE "
    "SET until = CASE WHEN excluded.until > block.until THEN excluded.until ELSE block.until END"
).bindparams(bindparam("place", type_=Words), bindparam("until", type_=Moment))
_NEW = Driven(insert(SOURCE), ["id", "place", "listed", "lease_token", *STATE])


class Remembered(Struct, frozen=True):
    """A source as the store has it: its state, how many entries, and whether somebody is asking it now.

    `pushed`: a push made it due, which sets its interval aside (W-05).
    """

    id: str
    state: PollState
    entries: int
    leased_until: datetime | None
    pushed: bool = False


def sync(connection: Connection, sources: Sequence[Source], policy: Policy, now: datetime) -> None:
    """Make the rows follow the configuration.

    New sources are asked first one after the other (F-30); one that left, or is not enabled, is not asked and in no
    feed, and all of it is kept, so that it comes back as it was (ID-11). An edited address begins anew (F-36, F-38).
    """
    wanted = [source for source in sources if source.enabled]
    columns = (SOURCE.c.id, SOURCE.c.place, SOURCE.c.listed, SOURCE.c.url, SOURCE.c.last_start, SOURCE.c.lease_token)
    rows = {row.id: row for row in connection.execute(select(*columns))}
    fresh = sum(source.id not in rows for source in wanted)
    _drop(connection, [row.id for row in rows.values() if row.listed], {source.id for source in wanted})
    new: list[dict[str, Any]] = []
    for place, source in enumerate(wanted):
        if source.id not in rows:
            new.append(_new(source, place, first_poll(len(new), fresh, policy, now)))
        elif changes := _changes(rows[source.id], source, place, now):
            connection.execute(update(SOURCE).where(SOURCE.c.id == source.id).values(changes))
    if new:
        _NEW.run_all(connection, new)


def remembered(connection: Connection) -> Mapping[str, Remembered]:
    """Return every source that is configured, in its order."""
    counted = select(ENTRY.c.source, func.count().label("n")).group_by(ENTRY.c.source).subquery()
    wanted = (
        select(SOURCE, func.coalesce(counted.c.n, 0).label("entries"))
        .outerjoin(counted, counted.c.source == SOURCE.c.id)
        .where(SOURCE.c.listed)
        .order_by(SOURCE.c.place)
    )
    return {
        row.id: Remembered(row.id, state_of(row), row.entries, row.lease_until, row.pushed)
        for row in connection.execute(wanted)
    }


def resting(connection: Connection, since: datetime, now: datetime) -> Mapping[str, PollState]:
    """Return the configured sources that may not be asked even if somebody asks for it, in their order (F-12).

    They were asked after `since`, or their server wants to be left alone, or they are gone.
    """
    held = or_(SOURCE.c.last_start > since, SOURCE.c.blocked_until > now, SOURCE.c.state == State.GONE.value)
    wanted = select(SOURCE).where(SOURCE.c.listed, held).order_by(SOURCE.c.place)
    return {row.id: state_of(row) for row in connection.execute(wanted)}


def last_start(connection: Connection, source: str, url: str) -> datetime | None:
    """Return when a source was asked last at an address, None where it never was; it may be gone by now (F-11)."""
    found: datetime | None = connection.scalar(
        select(SOURCE.c.last_start).where(SOURCE.c.id == source, SOURCE.c.url == url)
    )
    return found


def make_due(connection: Connection, source: str, now: datetime) -> bool:
    """Make a pushed source due: a minute after its last request, and not before its block is over (W-05, F-12)."""
    row = connection.execute(select(SOURCE).where(SOURCE.c.id == source, SOURCE.c.listed)).one_or_none()
    if row is None or row.next_poll_at is None:
        return False
    moments = (row.last_start and row.last_start + PUSHED_APART, row.blocked_until)
    due = max((moment for moment in moments if moment and moment <= now + FARTHEST), default=now)
    if row.next_poll_at <= max(due, now):
        return False
    pushed = update(SOURCE).where(SOURCE.c.id == source).values(next_poll_at=max(due, now), pushed=True)
    return connection.execute(pushed).rowcount == 1


def block(connection: Connection, blocks: Mapping[str, datetime]) -> None:
    """Remember until when hosts are not to be asked, by "host:port"; the later of two moments holds (F-18)."""
    connection.execute(_BLOCK, [{"place": place, "until": until} for place, until in sorted(blocks.items())])


def blocks(connection: Connection, now: datetime) -> Mapping[str, datetime]:
    """Return the blocks that still hold; one further away than any can be does not (F-51)."""
    holding = select(BLOCK).where(BLOCK.c.until > now, BLOCK.c.until <= now + FARTHEST)
    return {row.place: row.until for row in connection.execute(holding)}


def drop_blocks(connection: Connection, now: datetime) -> None:
    """Delete the blocks that are over."""
    connection.execute(delete(BLOCK).where((BLOCK.c.until <= now) | (BLOCK.c.until > now + FARTHEST)))


# ---- pieces ------------------------------------------------------------------------------------------------------


def _drop(connection: Connection, listed: Sequence[str], wanted: set[str]) -> None:
    for name in listed:
        if name not in wanted:
            connection.execute(update(SOURCE).where(SOURCE.c.id == name).values(listed=False))


def _new(source: Source, place: int, due: datetime) -> dict[str, Any]:
    begun = columns_of(PollState(source.url, next_poll=due))
    return {"id": source.id, "place": place, "listed": True, "lease_token": 0, **begun}


def _changes(row: Any, source: Source, place: int, now: datetime) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if row.place != place or not row.listed:
        changes = {"place": place, "listed": True}
    if row.url != source.url:
        before = PollState(row.url, last_start=row.last_start)
        anew = replace(for_address(before, source.url), next_poll=now)
        # Another token: an answer from the old address that is under way must not be taken for one of the new.
        changes |= columns_of(anew) | {"lease_token": row.lease_token + 1, "lease_until": None, "lease_owner": None}
    return changes
