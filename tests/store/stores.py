"""Stores for tests: an SQLite file or a PostgreSQL database, sources, entries, and one poll from claim to finish."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from feedsvc.collect.answers import Fetched, NotModified
from feedsvc.collect.pacing import begin, next_poll
from feedsvc.collect.pollstate import Outcome, Policy
from feedsvc.model import Entry, Text
from feedsvc.settings.tree import Source
from feedsvc.store.entries import Seen
from feedsvc.store.leases import Terms
from feedsvc.store.rows import Lease
from feedsvc.store.store import Known, Settle, Settled, Store
from tests.postgres import database

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
POLICY = Policy(jitter=0)
TERMS = Terms("one", per_host=100)


def address(kind: str, place: Path) -> str:
    """Return the address of an empty store of a kind."""
    return f"sqlite:///{place / 'var' / 'feeds.db'}" if kind == "sqlite" else database()


def source(name: str, url: str = "") -> Source:
    """Return a source at a host of its own, or at an address."""
    return Source(id=name, url=url or f"https://{name}.example/feed")


def entry(key: str, name: str = "a", *, words: str = "", **more: object) -> Entry:
    """Return an entry of a source."""
    fields: dict[str, object] = {
        "id": f"https://{name}.example/{key}",
        "key": key,
        "link": f"https://{name}.example/{key}",
        "title": key,
        "published": NOW,
        "updated": NOW,
        "source": name,
        "text": Text(f"<p>{words or key}</p>"),
    }
    return Entry(**fields | more)  # type: ignore[arg-type]


def settle_with(lease: Lease, now: datetime, seen: Seen | None = None) -> Settle:
    """Return what settles a poll: a feed with these entries, or a 304."""
    url = lease.state.url
    answer = NotModified(url, {}) if seen is None else Fetched(url, 200, {}, b"x", 1)

    def settle(_: Known) -> Settled:
        outcome = Outcome(answer, new=len(seen.new) if seen else 0)
        return Settled(next_poll(lease.state, outcome, POLICY, now, 0.0), seen or Seen())

    return settle


def poll(store: Store, lease: Lease, now: datetime, seen: Seen | None = None) -> bool:
    """Take one lease through start and finish."""
    started, _ = begin(lease.state, POLICY, now)
    assert store.start(lease, started)
    return None is not store.finish(lease, settle_with(replace(lease, state=started), now, seen), now)


def ids(leases: Sequence[Lease]) -> list[str]:
    """Return the sources of leases."""
    return [lease.source for lease in leases]
