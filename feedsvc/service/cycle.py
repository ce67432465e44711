"""What `poll`, `update` and the daemon share: the store of a project, and all that a cycle of polls works with."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.fetch.resolve import Lookup, system_lookup
from feedsvc.collect.guard import Guard
from feedsvc.collect.hosts import HostBlocks, HostGate
from feedsvc.collect.pollstate import Policy
from feedsvc.service.asking import fetch_policy
from feedsvc.service.documents import Foreign
from feedsvc.service.foreign import foreign
from feedsvc.service.identify import identify_for
from feedsvc.service.onepoll import Clock, Deps, Read
from feedsvc.service.poll import Told, poll
from feedsvc.service.polled import PollReport
from feedsvc.service.statuses import Status, statuses
from feedsvc.settings.tree import Project, Settings
from feedsvc.store.connect import exists
from feedsvc.store.leases import Terms, Wanted
from feedsvc.store.store import Store, opened

Chance = Callable[[], float]
READING = 20.0
LEAST_LEASE = timedelta(minutes=5)


def poll_policy(settings: Settings) -> Policy:
    """Return when sources are asked: `[polling]` and `schedule.jitter`."""
    polling = settings.polling
    return Policy(polling.interval, polling.max_interval, settings.schedule.jitter)


def terms(settings: Settings, owner: str, *, host_delay: float = 0.0) -> Terms:
    """Return what claims keep to; a lease outlives timeout and parsing more than twice (Q-04).

    `host_delay` only for workers, whose store holds it; one process has its HostGate.
    """
    polling = settings.polling
    spent = timedelta(seconds=2 * (polling.timeout + READING) + polling.host_delay)
    interval = timedelta(seconds=polling.interval)
    return Terms(owner, max(LEAST_LEASE, spent), interval, polling.per_host, timedelta(seconds=host_delay))


@contextmanager
def store_of(project: Project, clock: Clock, owner: str = "feedsvc") -> Iterator[Store]:
    """Open the store of a project with its sources as the configuration has them; StoreError where it can't be used."""
    with opened(project.store_url, terms(project.settings, owner)) as store:
        store.sync(project.settings.sources, poll_policy(project.settings), clock())
        yield store


def cycle(project: Project, store: Store, clock: Clock, wanted: Wanted, told: Told) -> PollReport:
    """Poll once what is due or asked for, with all that takes."""
    with Guard() as guard, deps_of(project, store, clock, guard.read) as deps:
        return poll(deps, project.settings.polling.concurrency, wanted, told)


def foreign_of(project: Project, store: Store, now: datetime) -> Foreign:
    """Return what a build takes from the store."""
    found = statuses(project.settings, store.remembered(), poll_policy(project.settings), now)
    return foreign(project.settings, store, found, now)


def statuses_of(project: Project, now: datetime) -> tuple[Status, ...]:
    """Return how each source stands, beside whatever else works on the store; changes nothing."""
    policy = poll_policy(project.settings)
    if not exists(project.store_url):
        return statuses(project.settings, {}, policy, now)
    with opened(project.store_url, read_only=True) as store:
        return statuses(project.settings, store.remembered(), policy, now)


@contextmanager
def deps_of(
    project: Project,
    store: Store,
    clock: Clock,
    read: Read,
    *,
    lookup: Lookup = system_lookup,
    chance: Chance = random.random,
) -> Iterator[Deps]:
    """Make ready what a cycle works with; requests that are under way at the end are ended."""
    polling = project.settings.polling
    identify = identify_for(project.settings)
    blocks = HostBlocks(store.blocks(clock()))
    gate = HostGate(polling.per_host, polling.host_delay)
    fetcher = Fetcher(fetch_policy(project.settings), gate, blocks, lookup)
    urls = {source.id: source.url for source in project.settings.sources}
    try:
        yield Deps(store, fetcher, blocks, read, identify, poll_policy(project.settings), clock, chance, urls)
    finally:
        fetcher.close()
