"""The store as the rest of the house sees it: each operation is one transaction (scheduling T-12).

    with opened(url, terms) as store:
        store.sync(sources, policy, now)
        for lease in store.claim(16, now):
            started, ask = pacing.begin(lease.state, policy, now)
            if store.start(lease, started):
                …
                store.finish(lease, settle, now)

`now` is the caller's; on PostgreSQL that is `store.time()`, one clock for all workers (Q-02).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct
from sqlalchemy import Connection, func, select, text

from feedsvc.collect.found import FoundChannel
from feedsvc.collect.pollstate import Policy, PollState
from feedsvc.errors import StoreError
from feedsvc.model import Diagnostic, Entry, Text
from feedsvc.settings.tree import Source
from feedsvc.store import channels, entries, leases, sources
from feedsvc.store.channels import plain_channel
from feedsvc.store.connect import Database, connected, translated
from feedsvc.store.entries import Key, Seen
from feedsvc.store.leases import DUE, Terms, Wanted
from feedsvc.store.rows import Lease
from feedsvc.store.sources import Remembered

_IDENTITY_LOCK = 0x6964656E  # "iden"


class Known:
    """What the store knows while a result is settled, inside the transaction that writes it."""

    def __init__(self, connection: Connection, source: str, name: str) -> None:
        self._connection = connection
        self._source = source
        self._name = name
        self.nothing = False

    def entries(self) -> tuple[Entry, ...]:
        """Return all entries of the source with their texts, the oldest first; `nothing` notes that there are none."""
        with translated(self._name):
            found = entries.known(self._connection, self._source)
        self.nothing = not found
        return found

    def channel(self) -> FoundChannel | None:
        """Return what the last good document of the source said of its feed, None where there was none."""
        with translated(self._name):
            return channels.channel(self._connection, self._source)

    def claims(self, ids: Collection[str]) -> tuple[Entry, ...]:
        """Return the entries of other sources that are published under one of these ids (ID-07).

        Until the result is written nobody else can claim one.
        """
        with translated(self._name):
            if self._connection.dialect.name == "postgresql":
                self._connection.execute(select(func.pg_advisory_xact_lock(_IDENTITY_LOCK)))
            return entries.claims(self._connection, self._source, ids)


class Settled(Struct, frozen=True):
    """The result of a poll: the state after it, and what its document brought; `channel` None leaves that as it is.

    `warnings` are not stored: they go back to who asked.
    """

    state: PollState
    seen: Seen = entries.NOTHING
    channel: FoundChannel | None = None
    warnings: tuple[Diagnostic, ...] = ()


Settle = Callable[[Known], Settled]


class Store:
    """An open store; usable from many threads. StoreError where the database fails."""

    def __init__(self, database: Database, terms: Terms) -> None:
        self._database = database
        self._terms = terms

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self._database.close()

    # ---- sources and their leases ----------------------------------------------------------------------------

    def sync(self, wanted: Sequence[Source], policy: Policy, now: datetime) -> None:
        """Make the sources follow the configuration, and undo what a clock wrote that has jumped back."""
        with self._database.writing() as connection:
            leases.repair(connection, now, self._terms)
            sources.drop_blocks(connection, now)
            sources.sync(connection, wanted, policy, now)

    def claim(self, most: int, now: datetime, wanted: Wanted = DUE) -> list[Lease]:
        """Take at most so many sources that may be asked now; each is ours until its lease ends."""
        with self._database.writing() as connection:
            return leases.claim(connection, most, now, self._terms, wanted)

    def start(self, lease: Lease, started: PollState) -> bool:
        """Write down that a request begins; False where the lease is lost: then do not ask (F-11)."""
        return self._database.write(lambda connection: leases.begin(connection, lease, started))

    def finish(self, lease: Lease, settle: Settle, now: datetime) -> Settled | None:
        """Take the result of a poll and return it: state, validators and entries in one transaction (V-37).

        None where the lease is lost: nothing is written, for another one has asked since (Q-03). Results that come at
        one moment share a transaction; `settle` is called again where that one fails.
        """

        def work(connection: Connection) -> Settled | None:
            known = Known(connection, lease.source, self._database.name)
            settled = settle(known)
            channel = plain_channel(settled.channel) if settled.channel else None
            if not leases.end(connection, lease, settled.state, channel):
                return None
            entries.take(connection, lease.source, settled.seen, now, first=known.nothing)
            return settled

        return self._database.write(work)

    def release(self, lease: Lease) -> bool:
        """Give back a source that was not asked."""
        return self._database.write(lambda connection: leases.release(connection, lease))

    def make_due(self, source: str, now: datetime) -> bool:
        """Make a pushed source due, a minute after its last request, its block over; False where it is already."""
        with self._database.writing() as connection:
            return sources.make_due(connection, source, now)

    def next_due(self) -> datetime | None:
        """Return when the next source is due, None where none ever is."""
        with self._database.reading() as connection:
            return leases.next_due(connection)

    def remembered(self) -> Mapping[str, Remembered]:
        """Return every configured source as it stands, in the order of the configuration."""
        with self._database.reading() as connection:
            return sources.remembered(connection)

    def resting(self, since: datetime, now: datetime) -> Mapping[str, PollState]:
        """Return the configured sources asked after `since`, blocked or gone: nobody may ask for them now (F-12)."""
        with self._database.reading() as connection:
            return sources.resting(connection, since, now)

    def last_start(self, source: str, url: str) -> datetime | None:
        """Return when a source was asked last at an address, None where it never was (F-11)."""
        with self._database.reading() as connection:
            return sources.last_start(connection, source, url)

    def block(self, places: Mapping[str, datetime]) -> None:
        """Remember until when hosts are not to be asked, by "host:port" (F-18)."""
        if places:
            with self._database.writing() as connection:
                sources.block(connection, places)

    def blocks(self, now: datetime) -> Mapping[str, datetime]:
        """Return the blocks of hosts that hold."""
        with self._database.reading() as connection:
            return sources.blocks(connection, now)

    # ---- entries ---------------------------------------------------------------------------------------------

    def entries(self, *, every: bool = False) -> tuple[Entry, ...]:
        """Return all entries of the configured sources, without text; `every`: of those that left, too (ID-11)."""
        with self._database.reading() as connection:
            return entries.stored(connection, every=every)

    def texts(self, keys: Collection[Key]) -> Mapping[Key, Text]:
        """Return the texts of entries by (source, key); one that is not there is left out."""
        with self._database.reading() as connection:
            return entries.texts(connection, keys)

    def channels(self) -> Mapping[str, FoundChannel]:
        """Return the channels of the configured sources that had a good document."""
        with self._database.reading() as connection:
            return channels.channels(connection)

    # ---- care ------------------------------------------------------------------------------------------------

    def hold(self, since: datetime, held: Collection[Key], now: datetime) -> None:
        """Count anew how long entries are gone that left their source before `since` and that feeds hold until now."""
        with self._database.writing() as connection:
            entries.hold(connection, since, held, now)

    def forget(self, before: datetime, keep: Collection[Key]) -> int:
        """Delete the entries that left their source before a moment and are in no feed; return how many."""
        with self._database.writing() as connection:
            return entries.forget(connection, before, keep)

    def backup(self, target: Path) -> None:
        """Write a whole copy of a SQLite store to a file that is not there yet (V-38)."""
        with self._database.outside() as connection:
            if connection.dialect.name != "sqlite":
                raise StoreError(f"{self._database.name}: is backed up with pg_dump")
            if target.exists():
                raise StoreError(f"{target}: is there already; a backup replaces nothing")
            connection.execute(text("VACUUM INTO :target"), {"target": str(target)})

    def time(self) -> datetime:
        """Return the time of the database: one clock for all who work on it (Q-02)."""
        with self._database.reading() as connection:
            if connection.dialect.name == "postgresql":
                found: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
                return found.astimezone(UTC)
        return datetime.now(UTC)


def opened(url: str, terms: Terms | None = None, *, read_only: bool = False) -> Store:
    """Open a store; StoreError where it cannot be used, is newer than we are, or is damaged.

    `read_only` changes nothing and can stand beside a process that writes.
    """
    return Store(connected(url, read_only=read_only), terms or Terms("reader", timedelta(0)))
