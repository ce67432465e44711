"""What `poll`, `update` and the daemon share: the store of a project, and all that a cycle of polls works with."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from feedsvc import __version__
from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.fetch.resolve import Lookup, system_lookup
from feedsvc.collect.guard import Guard
from feedsvc.collect.hosts import HostBlocks, HostGate
from feedsvc.service.asking import fetch_policy
from feedsvc.service.held import Clock, poll_policy, statuses_of, store_of, terms
from feedsvc.service.identify import identify_for
from feedsvc.service.onepoll import Deps, Read
from feedsvc.service.poll import Told, poll
from feedsvc.service.polled import PollReport
from feedsvc.settings.tree import Project
from feedsvc.store.leases import Wanted
from feedsvc.store.store import Store

__all__ = ["cycle", "deps_of", "poll_policy", "statuses_of", "store_of", "terms"]

Chance = Callable[[], float]


def cycle(project: Project, store: Store, clock: Clock, wanted: Wanted, told: Told) -> PollReport:
    """Poll once what is due or asked for, with all that takes."""
    with Guard() as guard, deps_of(project, store, clock, guard.read) as deps:
        return poll(deps, project.settings.polling.concurrency, wanted, told)


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
    rules = f"{__version__} {project.settings.site.id_authority} {project.settings.site.timezone}"
    urls = {source.id: source.url for source in project.settings.sources}
    try:
        yield Deps(store, fetcher, blocks, read, identify, poll_policy(project.settings), clock, chance, urls, rules)
    finally:
        fetcher.close()
