"""The store of a project as it is held open; nothing here knows of the network, nor of what writes feeds."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta

from feedsvc.collect.pacing import may_ask
from feedsvc.collect.pollstate import Policy, PollState
from feedsvc.errors import StoreError
from feedsvc.service.statuses import Status, statuses
from feedsvc.settings.tree import Project, Settings
from feedsvc.store.connect import exists
from feedsvc.store.leases import Terms
from feedsvc.store.store import Store, opened

Clock = Callable[[], datetime]

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


def statuses_of(project: Project, now: datetime) -> tuple[Status, ...]:
    """Return how each source stands, beside whatever else works on the store; changes nothing."""
    policy = poll_policy(project.settings)
    if not exists(project.store_url):
        return statuses(project.settings, {}, policy, now)
    with opened(project.store_url, read_only=True) as store:
        return statuses(project.settings, store.remembered(), policy, now)


def blocks_of(project: Project, now: datetime) -> Mapping[str, datetime]:
    """Return until when which hosts asked to be left alone (F-18); changes nothing."""
    with _read(project) as store:
        return store.blocks(now) if store else {}


def rests(project: Project, source: str, url: str, now: datetime) -> bool:
    """Return whether a source that comes back was asked too short a time ago to be asked again (F-11)."""
    with _read(project) as store:
        last = store.last_start(source, url) if store else None
    until = may_ask(PollState(url, last_start=last), poll_policy(project.settings), now, asked=True)
    return until is not None and until > now


@contextmanager
def _read(project: Project) -> Iterator[Store | None]:
    """Open a store to read, None where a reader cannot use it yet: whoever writes to it says what is wrong with it."""
    with ExitStack() as stack:
        store = None
        with suppress(StoreError):
            if exists(project.store_url):
                store = stack.enter_context(opened(project.store_url, read_only=True))
        yield store
