"""Who may ask which source: claims, and what is done under a lease. One transaction each, given by the caller.

Two claimers never get the same source, nor together more of a host than its limit: each locks the rows of the hosts it
takes from, and passes over those that another one holds (Q-05). In SQLite a transaction that writes locks the whole.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    text,
    update,
)

from feedsvc.collect.pollstate import PollState, State
from feedsvc.store.driven import Driven
from feedsvc.store.rows import STATE, Lease, columns_of, lease_of
from feedsvc.store.schema import EPOCH, HOST, SOURCE, Moment, Words

FARTHEST = timedelta(days=31)
# Both databases read this, and the dialect of PostgreSQL is slow to import.
_MISSING = text("INSERT INTO host (host, next_start_at) VALUES (:host, :at) ON CONFLICT DO NOTHING").bindparams(
    bindparam("host", type_=Words), bindparam("at", type_=Moment)
)
_PAGE = 4
_FREE: dict[str, Any] = {"lease_until": None, "lease_owner": None}
_MINE = update(SOURCE).where(SOURCE.c.id == bindparam("mine"), SOURCE.c.lease_token == bindparam("token"))
_BEGIN = Driven(_MINE, [*STATE, "pushed"])
_BEGIN_AS_EVER = Driven(_MINE, ["last_start", "next_poll_at", "reason", "pushed"])
_END = Driven(_MINE, [*STATE, *_FREE])
_END_WITH_CHANNEL = Driven(_MINE, [*STATE, *_FREE, "channel"])
_TAKE = Driven(update(SOURCE).where(SOURCE.c.id == bindparam("mine")), ["next_poll_at", *_FREE, "lease_token"])
_RELEASE = Driven(_MINE, ["next_poll_at", *_FREE])


PUSHED_APART = timedelta(seconds=60)
"""Least time between the requests to one source that pushes cause, in place of the base (W-05)."""


class Terms(Struct, frozen=True):
    """What a claim keeps to: who claims and for how long, the base, and the limits of hosts (F-11, F-31).

    `host_delay` 0 where one process claims, whose HostGate holds the delay; workers share it through the store.
    """

    owner: str
    lease: timedelta = timedelta(minutes=5)
    interval: timedelta = timedelta(hours=1)
    per_host: int = 1
    host_delay: timedelta = timedelta(0)


class Wanted(Struct, frozen=True):
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
    asking = _asking(wanted.asked, wanted.before is not None, wanted.ids is not None, bool(terms.host_delay))
    told = _told(most, now, terms, wanted)
    alone = connection.dialect.name == "sqlite"
    rows = _first(connection, asking.walk if alone else asking.names, told, terms)
    if rows is None or not alone:
        rows = _ready(connection, asking, told, rows, alone=alone)
    if not rows:
        return []
    until = now + terms.lease
    _take(connection, rows, until, terms.owner)
    _delay(connection, sorted({row.host for row in rows}), now, terms)
    return [lease_of(row, until) for row in rows]


def begin(connection: Connection, lease: Lease, started: PollState) -> bool:
    """Write down that a request begins, before it does (F-11); False where the lease is lost: then do not ask."""
    began = {"last_start": started.last_start, "reason": started.reason}
    if started == replace(lease.state, next_poll=started.next_poll, **began):
        row = {"next_poll_at": started.next_poll, "pushed": False, **began}
        return _update(_BEGIN_AS_EVER, connection, lease, row)
    return _update(_BEGIN, connection, lease, columns_of(started) | {"pushed": False})


def end(connection: Connection, lease: Lease, state: PollState, channel: Mapping[str, Any] | None = None) -> bool:
    """Write a poll's result and free the source; False where the lease is lost: then drop the result (Q-03)."""
    row = columns_of(state) | _FREE
    if channel is None:
        return _update(_END, connection, lease, row)
    return _update(_END_WITH_CHANNEL, connection, lease, row | {"channel": channel})


def release(connection: Connection, lease: Lease) -> bool:
    """Give back a source that was not asked: it is due as it was (Q-08)."""
    return _update(_RELEASE, connection, lease, {"next_poll_at": lease.state.next_poll} | _FREE)


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


class _Asking(NamedTuple):
    """The statements of a claim: what waited longest, whole or by name; what rank chooses, of some hosts; by id."""

    walk: Select[Any]
    names: Select[Any]
    chosen: Select[Any]
    chosen_of: Select[Any]
    ready: Select[Any]


@cache
def _asking(asked: bool, before: bool, some: bool, delayed: bool) -> _Asking:
    may = _may_be_asked(asked, before, some)
    of_hosts = and_(may, SOURCE.c.host.in_(bindparam("hosts", expanding=True)))
    of_chosen = SOURCE.c.id.in_(bindparam("chosen", expanding=True))
    ready = select(SOURCE).where(of_chosen, may).with_for_update(skip_locked=True)
    return _Asking(
        _waiting(select(SOURCE), may),
        _waiting(select(SOURCE.c.id, SOURCE.c.host), may),
        _chosen(may, delayed),
        _chosen(of_hosts, delayed),
        ready,
    )


def _told(most: int, now: datetime, terms: Terms, wanted: Wanted) -> dict[str, Any]:
    """Return what the statements of a claim are told."""
    told = {
        "now": now,
        "far": now + FARTHEST,
        "base": now - terms.interval,
        "pushed": now - PUSHED_APART,
        "per_host": terms.per_host,
        "most": most,
        "page": _PAGE * most,
    }
    told |= {"before": wanted.before - timedelta.resolution} if wanted.before is not None else {}
    return told | ({"ids": list(wanted.ids)} if wanted.ids is not None else {})


def _may_be_asked(asked: bool, before: bool, some: bool) -> ColumnElement[bool]:
    """Return the condition of `pacing.may_ask` on a row; a source that is gone has no next time (F-38)."""
    conditions = [
        SOURCE.c.listed,
        or_(
            _past(SOURCE.c.last_start, "base"),
            and_(SOURCE.c.pushed, _past(SOURCE.c.last_start, "pushed")),
        ),
        _past(SOURCE.c.blocked_until, "now"),
        or_(SOURCE.c.lease_until.is_(None), SOURCE.c.lease_until <= _moment("now")),
        SOURCE.c.state != State.GONE.value if asked else SOURCE.c.next_poll_at <= _moment("now"),
    ]
    if before:
        conditions.append(_past(SOURCE.c.last_start, "before"))
    if some:
        conditions.append(SOURCE.c.id.in_(bindparam("ids", expanding=True)))
    return and_(*conditions)


def _past(column: ColumnElement[Any], moment: str) -> ColumnElement[bool]:
    return or_(column.is_(None), column <= _moment(moment), column > _moment("far"))


def _moment(name: str) -> BindParameter[Any]:
    return bindparam(name, type_=Moment)


def _first(
    connection: Connection, walk: Select[Any], told: Mapping[str, Any], terms: Terms
) -> Sequence[Row[Any]] | None:
    """Return what `chosen` of the statements selects, from the few that waited longest; None where these do not tell.

    To rank all that may be asked by their hosts takes a hundred times as long as to walk along an index.
    """
    limit = 1 if terms.host_delay else terms.per_host
    seen: Counter[str] = Counter()
    found: list[Row[Any]] = []
    with connection.execute(walk, told) as rows:
        for row in rows:
            seen[row.host] += 1
            if seen[row.host] <= limit and seen[row.host] + row.busy <= terms.per_host:
                found.append(row)
                if len(found) == told["most"]:
                    return found
    return found if seen.total() < told["page"] else None


def _ready(
    connection: Connection, asking: _Asking, told: Mapping[str, Any], first: Sequence[Row[Any]] | None, *, alone: bool
) -> Sequence[Row[Any]]:
    """Return the rows of what is chosen, whole, in its order; where others claim too, of hosts none of them holds."""
    chosen = connection.execute(asking.chosen, told).all() if first is None else first
    if chosen and not alone:
        locked = _locked(connection, sorted({row.host for row in chosen}))
        chosen = connection.execute(asking.chosen_of, {**told, "hosts": locked}).all()
    ids = [row.id for row in chosen]
    rows = {row.id: row for row in connection.execute(asking.ready, {**told, "chosen": ids})} if ids else {}
    return [rows[name] for name in ids if name in rows]


def _waiting(columns: Select[Any], may: ColumnElement[bool]) -> Select[Any]:
    """Select the sources that waited longest, of hosts that are not at their limit, and how many are asked there."""
    other = SOURCE.alias()
    asked = select(func.count()).where(other.c.host == SOURCE.c.host, other.c.lease_until > _moment("now"))
    busy = asked.scalar_subquery()
    closed = select(HOST.c.host).where(HOST.c.host == SOURCE.c.host, HOST.c.next_start_at > _moment("now"))
    return (
        columns.add_columns(busy.label("busy"))
        .where(may, ~closed.exists(), busy < bindparam("per_host", type_=Integer))
        .order_by(SOURCE.c.next_poll_at, SOURCE.c.id)
        .limit(bindparam("page", type_=Integer))
    )


def _chosen(may: ColumnElement[bool], delayed: bool) -> Select[Any]:
    """Select the first sources that may be asked, no more of a host than may still be under way there."""
    place = func.row_number().over(partition_by=SOURCE.c.host, order_by=(SOURCE.c.next_poll_at, SOURCE.c.id))
    ranked = select(SOURCE.c.id, SOURCE.c.host, SOURCE.c.next_poll_at, place.label("nth")).where(may).subquery()
    leased = SOURCE.c.lease_until > _moment("now")
    busy = select(SOURCE.c.host, func.count().label("n")).where(leased).group_by(SOURCE.c.host).subquery()
    together = ranked.outerjoin(busy, busy.c.host == ranked.c.host).outerjoin(HOST, HOST.c.host == ranked.c.host)
    per_host = bindparam("per_host", type_=Integer)
    return (
        select(ranked.c.id, ranked.c.host)
        .select_from(together)
        .where(
            ranked.c.nth <= (1 if delayed else per_host),
            ranked.c.nth + func.coalesce(busy.c.n, 0) <= per_host,
            or_(HOST.c.next_start_at.is_(None), HOST.c.next_start_at <= _moment("now")),
        )
        .order_by(ranked.c.next_poll_at, ranked.c.id)
        .limit(bindparam("most", type_=Integer))
    )


def _locked(connection: Connection, hosts: Sequence[str]) -> Sequence[str]:
    """Lock the rows of hosts, all but those another claimer holds, and return them."""
    _add_missing(connection, hosts)
    wanted = select(HOST.c.host).where(HOST.c.host.in_(hosts)).order_by(HOST.c.host)
    return connection.scalars(wanted.with_for_update(skip_locked=True)).all()


def _add_missing(connection: Connection, hosts: Sequence[str]) -> None:
    connection.execute(_MISSING, [{"host": host, "at": EPOCH} for host in hosts])


def _take(connection: Connection, rows: Sequence[Row[Any]], until: datetime, owner: str) -> None:
    taken = {"lease_until": until, "lease_owner": owner, "next_poll_at": until}
    _TAKE.run_all(connection, [taken | {"mine": row.id, "lease_token": row.lease_token + 1} for row in rows])


def _delay(connection: Connection, hosts: Sequence[str], now: datetime, terms: Terms) -> None:
    if terms.host_delay:
        _add_missing(connection, hosts)
        connection.execute(update(HOST).where(HOST.c.host.in_(hosts)).values(next_start_at=now + terms.host_delay))


def _update(statement: Driven, connection: Connection, lease: Lease, row: dict[str, Any]) -> bool:
    return statement.run(connection, row | {"mine": lease.source, "token": lease.token}) == 1
