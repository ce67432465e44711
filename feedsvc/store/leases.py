"""Who may ask which source: claims, and what is done under a lease. One transaction each, given by the caller.

Two claimers never get the same source, nor together more of a host than its limit: each locks the rows of the hosts it
takes from, and passes over those that another one holds (Q-05). In SQLite a transaction that writes locks the whole.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, func, or_, select, text, update

from feedsvc.collect.pollstate import PollState, State
from feedsvc.store.rows import Lease, columns_of, lease_of
from feedsvc.store.schema import EPOCH, HOST, SOURCE, Moment, Words

FARTHEST = timedelta(days=31)
# Both databases read this, and the dialect of PostgreSQL is slow to import.
_MISSING = text("INSERT INTO host (host, next_start_at) VALUES (:host, :at) ON CONFLICT DO NOTHING").bindparams(
    bindparam("host", type_=Words), bindparam("at", type_=Moment)
)
# Made once: SQLAlchemy takes ten times longer to make a statement than a database to run it.
_MINE = update(SOURCE).where(SOURCE.c.id == bindparam("mine"), SOURCE.c.lease_token == bindparam("token"))
_FREE: dict[str, Any] = {"lease_until": None, "lease_owner": None}


PUSHED_APART = timedelta(seconds=60)
"""Least time between the requests to one source that pushes cause, in place of the base (W-05)."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a claim keeps to: who claims and for how long, the base, and the limits of hosts (F-11, F-31).

    `host_delay` 0 where one process claims, whose HostGate holds the delay; workers share it through the store.
    """

    owner: str
    lease: timedelta = timedelta(minutes=5)
    interval: timedelta = timedelta(hours=1)
    per_host: int = 1
    host_delay: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be claimed: sources that are due, or those that somebody asks for now (F-12).

    `ids` None means all. `asked`: hints, adaptive waits and back-off are set aside, never the base nor a block.
    `before`: only those whose last request began before that, so that a cycle longer than the base comes to its end.
    """

    ids: Collection[str] | None = None
    asked: bool = False
    before: datetime | None = None


DUE = Wanted()


def claim(connection: Connection, most: int, now: datetime, terms: Terms, wanted: Wanted = DUE) -> list[Lease]:
    """Take at most so many sources that may be asked, those that waited longest first (Q-02)."""
    may = _may_be_asked(now, terms, wanted)
    chosen = connection.execute(_chosen(may, most, now, terms)).all()
    if not chosen:
        return []
    hosts = sorted({row.host for row in chosen})
    if connection.dialect.name != "sqlite":
        locked = _locked(connection, hosts)
        chosen = connection.execute(_chosen(and_(may, SOURCE.c.host.in_(locked)), most, now, terms)).all()
    elif terms.host_delay:
        _add_missing(connection, hosts)
    ids = [row.id for row in chosen]
    ready = select(SOURCE).where(SOURCE.c.id.in_(ids), may).with_for_update(skip_locked=True)
    rows = {row.id: row for row in connection.execute(ready)}
    until = now + terms.lease
    _take(connection, list(rows), until, terms.owner)
    _delay(connection, sorted({row.host for row in rows.values()}), now, terms)
    return [lease_of(rows[name], until) for name in ids if name in rows]


def begin(connection: Connection, lease: Lease, started: PollState) -> bool:
    """Write down that a request begins, before it does (F-11); False where the lease is lost: then do not ask."""
    return _update(connection, lease, columns_of(started) | {"pushed": False})


def end(connection: Connection, lease: Lease, state: PollState, **more: Any) -> bool:
    """Write a poll's result and free the source; False where the lease is lost: then drop the result (Q-03)."""
    return _update(connection, lease, columns_of(state) | _FREE | more)


def release(connection: Connection, lease: Lease) -> bool:
    """Give back a source that was not asked: it is due as it was (Q-08)."""
    return _update(connection, lease, {"next_poll_at": lease.state.next_poll} | _FREE)


def repair(connection: Connection, now: datetime, terms: Terms) -> None:
    """Undo what a clock wrote that has jumped back: nothing is further away than it can be (F-51)."""
    far = SOURCE.c.next_poll_at > now + FARTHEST
    connection.execute(update(SOURCE).where(far).values(next_poll_at=now))
    connection.execute(update(SOURCE).where(SOURCE.c.lease_until > now + terms.lease).values(_FREE))
    connection.execute(update(HOST).where(HOST.c.next_start_at > now + terms.host_delay).values(next_start_at=EPOCH))


def next_due(connection: Connection) -> datetime | None:
    """Return when the next source is due, None where none ever is."""
    found: datetime | None = connection.scalar(select(func.min(SOURCE.c.next_poll_at)).where(SOURCE.c.listed))
    return found


# ---- pieces ------------------------------------------------------------------------------------------------------


def _may_be_asked(now: datetime, terms: Terms, wanted: Wanted) -> ColumnElement[bool]:
    """Return the condition of `pacing.may_ask` on a row; a source that is gone has no next time (F-38)."""
    conditions = [
        SOURCE.c.listed,
        or_(
            _past(SOURCE.c.last_start, now - terms.interval, now),
            and_(SOURCE.c.pushed, _past(SOURCE.c.last_start, now - PUSHED_APART, now)),
        ),
        _past(SOURCE.c.blocked_until, now, now),
        or_(SOURCE.c.lease_until.is_(None), SOURCE.c.lease_until <= now),
    ]
    if wanted.asked:
        conditions.append(SOURCE.c.state != State.GONE.value)
    else:
        conditions.append(SOURCE.c.next_poll_at <= now)
    if wanted.before is not None:
        conditions.append(_past(SOURCE.c.last_start, wanted.before - timedelta.resolution, now))
    if wanted.ids is not None:
        conditions.append(SOURCE.c.id.in_(wanted.ids))
    return and_(*conditions)


def _past(column: ColumnElement[Any], moment: datetime, now: datetime) -> ColumnElement[bool]:
    return or_(column.is_(None), column <= moment, column > now + FARTHEST)


def _chosen(may: ColumnElement[bool], most: int, now: datetime, terms: Terms) -> Select[Any]:
    """Select the first sources that may be asked, no more of a host than may still be under way there."""
    place = func.row_number().over(partition_by=SOURCE.c.host, order_by=(SOURCE.c.next_poll_at, SOURCE.c.id))
    ranked = select(SOURCE.c.id, SOURCE.c.host, SOURCE.c.next_poll_at, place.label("nth")).where(may).subquery()
    leased = SOURCE.c.lease_until > now
    busy = select(SOURCE.c.host, func.count().label("n")).where(leased).group_by(SOURCE.c.host).subquery()
    together = ranked.outerjoin(busy, busy.c.host == ranked.c.host).outerjoin(HOST, HOST.c.host == ranked.c.host)
    allowed = 1 if terms.host_delay else terms.per_host
    return (
        select(ranked.c.id, ranked.c.host)
        .select_from(together)
        .where(
            ranked.c.nth <= allowed,
            ranked.c.nth + func.coalesce(busy.c.n, 0) <= terms.per_host,
            or_(HOST.c.next_start_at.is_(None), HOST.c.next_start_at <= now),
        )
        .order_by(ranked.c.next_poll_at, ranked.c.id)
        .limit(most)
    )


def _locked(connection: Connection, hosts: Sequence[str]) -> Sequence[str]:
    """Lock the rows of hosts, all but those another claimer holds, and return them."""
    _add_missing(connection, hosts)
    wanted = select(HOST.c.host).where(HOST.c.host.in_(hosts)).order_by(HOST.c.host)
    return connection.scalars(wanted.with_for_update(skip_locked=True)).all()


def _add_missing(connection: Connection, hosts: Sequence[str]) -> None:
    connection.execute(_MISSING, [{"host": host, "at": EPOCH} for host in hosts])


def _take(connection: Connection, ids: Sequence[str], until: datetime, owner: str) -> None:
    connection.execute(
        update(SOURCE)
        .where(SOURCE.c.id.in_(ids))
        .values(lease_until=until, lease_owner=owner, lease_token=SOURCE.c.lease_token + 1, next_poll_at=until)
    )


def _delay(connection: Connection, hosts: Sequence[str], now: datetime, terms: Terms) -> None:
    if terms.host_delay:
        connection.execute(update(HOST).where(HOST.c.host.in_(hosts)).values(next_start_at=now + terms.host_delay))


def _update(connection: Connection, lease: Lease, values: dict[str, Any]) -> bool:
    mine = {"mine": lease.source, "token": lease.token}
    return connection.execute(_MINE, values | mine).rowcount == 1
