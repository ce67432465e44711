"""From the address that a person gives to a feed that is there, and its first poll (SO-01 to SO-03, F-08).

One GET where the address is that of a feed; where it is a page's, one more for the feed that the page names first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from msgspec import Struct

from feedsvc.collect.answers import Ask, Failed, Fetched, NotModified
from feedsvc.collect.discover import Candidate, candidates
from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.found import ParsedFeed, Received, Unread
from feedsvc.collect.guard import Guard
from feedsvc.collect.hosts import HostBlocks, HostGate
from feedsvc.collect.pacing import PERMANENT
from feedsvc.service.asking import fetch_policy
from feedsvc.service.cycle import deps_of, store_of
from feedsvc.service.held import blocks_of
from feedsvc.service.onepoll import Clock, poll_one
from feedsvc.service.polled import Polled
from feedsvc.settings.tree import Project
from feedsvc.store.leases import Wanted

TRIED = 3
"""So many of the feeds that a page names are asked, until one is a feed (SO-03)."""

Read = Callable[[Received], ParsedFeed | Unread]
IsKnown = Callable[[str], bool]


class Looked(Struct, frozen=True):
    """A feed that is there: `url` is what to configure; `others` are the feeds that its page names besides."""

    url: str
    answer: Fetched
    feed: ParsedFeed
    others: tuple[Candidate, ...] = ()


class Missed(Struct, frozen=True):
    """No feed: why, and the feeds that the page names. `known`: the one that is a source already, "" for none."""

    message: str
    others: tuple[Candidate, ...] = ()
    known: str = ""


Look = Callable[[str, IsKnown], Looked | Missed]


@contextmanager
def looking(project: Project, now: datetime, *, keep: bool) -> Iterator[Look]:
    """Give what looks for a feed, with all the limits of a poll; a host that asked to be left alone is (F-18).

    `keep`: what a host asks for now is remembered, for the next look and for polls.
    """
    polling = project.settings.polling
    before = blocks_of(project, now)
    blocks = HostBlocks(before)
    fetcher = Fetcher(fetch_policy(project.settings), HostGate(polling.per_host, polling.host_delay), blocks)
    with Guard(1) as guard:
        try:
            yield lambda address, known: look(fetcher, guard.read, address, now, known)
        finally:
            fetcher.close()
    found = blocks.known(now)
    if keep and found != before:
        with store_of(project, lambda: now) as store:
            store.block(found)


def look(fetcher: Fetcher, read: Read, address: str, now: datetime, known: IsKnown) -> Looked | Missed:
    """Return the feed at an address, or the best of those that the page there names.

    A feed that is `known`, being a source already, is not asked: that is for its polls (F-11).
    """
    first = _asked(fetcher, read, address, now)
    if not isinstance(first, _Page):
        return first
    named = candidates(first.received)
    if not named:
        return Missed(f"{address}: {first.message}, and it names no feed")
    missed = []
    for candidate in named[:TRIED]:
        if known(candidate.url):
            return Missed(f"{candidate.url} is a source already", named, candidate.url)
        found = _asked(fetcher, read, candidate.url, now)
        if isinstance(found, Looked):
            others = tuple(one for one in named if one != candidate)
            return Looked(found.url, found.answer, found.feed, others)
        missed.append(found.message if isinstance(found, Missed) else f"{candidate.url}: {found.message}")
    return Missed("; ".join([f"{address}: a page, but none of the feeds that it names is one", *missed]), named)


def first_poll(project: Project, source: str, looked: Looked, clock: Clock) -> Polled | None:
    """Store what was found as the first poll of a source that is configured by now; None where it may not be polled."""
    with Guard(1) as guard, store_of(project, clock) as store, deps_of(project, store, clock, guard.read) as deps:
        leases = store.claim(1, clock(), Wanted((source,), asked=True))
        return poll_one(deps, leases[0], looked.answer) if leases else None


class _Page(Struct, frozen=True):
    """A body that is no feed."""

    received: Received
    message: str


def _asked(fetcher: Fetcher, read: Read, address: str, now: datetime) -> Looked | Missed | _Page:
    answer = fetcher.get(Ask(address), now)
    if isinstance(answer, Failed | NotModified):
        return Missed(f"{address}: {answer.message if isinstance(answer, Failed) else 'not modified'}")
    received = Received(address, answer.url, answer.body, answer.headers.get("content-type", ""))
    found = read(received)
    if isinstance(found, Unread):
        return _Page(received, found.message)
    moved = bool(answer.chain) and all(hop.status in PERMANENT for hop in answer.chain)
    return Looked(answer.url if moved else address, answer, found)
