"""The redirect loop: each hop passes the same guard, and whatever comes of it is a value (F-34, S-03, S-09)."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.address import Network, check_url, host_and_port, host_of
from feedsvc.collect.answers import Answer, Ask, Failed, Fetched, NotModified, Posted
from feedsvc.collect.fetch.body import read_body
from feedsvc.collect.fetch.exchange import BrokenError, Exchange
from feedsvc.collect.fetch.resolve import Guard, Lookup, system_lookup
from feedsvc.collect.fetch.transport import Reply, Transport
from feedsvc.collect.fetch.walk import Walk, named
from feedsvc.collect.headers import retry_after
from feedsvc.collect.hosts import FARTHEST, HostBlocks, HostGate

READ = frozenset({200, 203, 226})
Result = TypeVar("Result")
Finish = Callable[[Walk, Reply, Exchange], Result]


class FetchPolicy(Struct, frozen=True):
    """What every request keeps to: `[polling]` of the configuration, seconds and bytes.

    A body is given up when for `slow_after` seconds less than 100 bytes a second came. `ca_file` is a bundle of
    certificate authorities in place of the one of requests.
    """

    user_agent: str
    timeout: float = 30.0
    max_bytes: int = 10 * 1024 * 1024
    allow_private: tuple[Network, ...] = ()
    ca_file: str | None = None
    slow_after: float = 10.0


def user_agent(version: str, contact: str) -> str:
    """Return the User-Agent (F-41); ValueError when the contact would break the header (S-35)."""
    if set(contact) & {"\r", "\n", "\0"}:
        raise ValueError("polling.contact must not hold line breaks or NUL")
    return f"feedsvc/{version} (+{contact})"


class Fetcher:
    """Asks; usable from many threads. `close` ends everything under way within a second.

    `gate` and `blocks` are shared with whoever else asks in this process; `lookup` turns a name into addresses.
    """

    def __init__(
        self,
        policy: FetchPolicy,
        gate: HostGate | None = None,
        blocks: HostBlocks | None = None,
        lookup: Lookup = system_lookup,
    ) -> None:
        self._policy = policy
        self._user_agent = policy.user_agent.encode("utf-8")
        self._gate = gate or HostGate(delay=0)
        self._blocks = blocks or HostBlocks()
        self._transport = Transport(Guard(policy.allow_private, lookup), policy.ca_file)
        self._under_way: set[Exchange] = set()
        self._lock = threading.Lock()
        self._closed = False

    def get(self, ask: Ask, now: datetime) -> Answer:
        """Ask once, following redirects; never raises for what a server does.

        `now` is the wall clock at the start: Retry-After and the blocks of hosts count from it.
        """
        return self._walked(Walk(ask.url, now, ask.validators), self._answer)

    def post(self, url: str, form: Mapping[str, str], now: datetime) -> Posted | Failed:
        """Send a form under the same protections (W-07, W-08); only 307 and 308 send it on. The body is not read."""
        return self._walked(Walk(url, now, form=urlencode(form).encode("ascii")), self._posted)

    def rest(self) -> None:
        """Close the connections that wait for a next request: a cycle is over (F-45)."""
        self._transport.rest()

    def close(self) -> None:
        """End what is under way and refuse what comes; may be called from any thread, more than once."""
        with self._lock:
            self._closed = True
        self._gate.close()
        self.break_off()

    def break_off(self) -> None:
        """End what is under way: a cycle failed; what comes is asked as ever. May be called from any thread."""
        with self._lock:
            under_way = list(self._under_way)
        for exchange in under_way:
            exchange.stop("stopped")
        self._transport.rest()

    @contextmanager
    def _exchange(self) -> Iterator[Exchange]:
        exchange = Exchange(self._policy.timeout)
        with self._lock:
            self._under_way.add(exchange)
            if self._closed:
                exchange.stop("stopped")
        try:
            yield exchange
        finally:
            with self._lock:
                self._under_way.discard(exchange)

    def _walked(self, walk: Walk, finish: Finish[Result]) -> Result | Failed:
        with self._exchange() as exchange:
            while True:
                try:
                    ended = self._hop(walk, exchange, finish)
                except BrokenError as failure:
                    return walk.failed(failure.kind, failure.message, seconds=exchange.spent)
                if not isinstance(ended, Walk):
                    return ended
                walk = ended

    def _hop(self, walk: Walk, exchange: Exchange, finish: Finish[Result]) -> Result | Failed | Walk:
        exchange.check()
        if reason := check_url(walk.url):
            raise BrokenError("bad-address", f"not asked: {reason}")
        with self._gate.pass_through(host_of(walk.url)) as entered:
            if not entered:
                exchange.stop("stopped")
            exchange.check()
            if until := self._blocks.until(host_and_port(walk.url), walk.now):
                return _held(walk, until, exchange)
            exchange.begun = partial(self._gate.begun, host_of(walk.url))
            with exchange.running():
                return self._asked(walk, exchange, finish)

    def _asked(self, walk: Walk, exchange: Exchange, finish: Finish[Result]) -> Result | Failed | Walk:
        reply = self._transport.send(walk.method, walk.url, walk.headers(self._user_agent), exchange, walk.form)
        try:
            self._note_block(walk, reply)
            if walk.leads_on(reply.status):
                return walk.onward(reply)
            return finish(walk, reply, exchange)
        except BrokenError as failure:
            return walk.failed(failure.kind, failure.message, reply, exchange.spent)
        finally:
            reply.done()

    def _note_block(self, walk: Walk, reply: Reply) -> None:
        """Block the host while this request still counts as under way, so that none slips in between (F-18)."""
        seconds = retry_after(reply.headers, walk.now) if reply.status in {429, 503} else None
        if seconds:
            until = walk.now + timedelta(seconds=min(seconds, FARTHEST.total_seconds()))
            self._blocks.block(host_and_port(walk.url), until)

    def _answer(self, walk: Walk, reply: Reply, exchange: Exchange) -> Answer:
        if reply.status == 304:
            if not walk.conditional:
                raise BrokenError("unasked-304", "the server answered 304 Not Modified, though no validator was sent")
            return NotModified(walk.url, reply.headers, walk.chain, exchange.spent)
        if reply.status not in READ:
            raise BrokenError("status", f"the server answered {named(reply.status)}")
        body = read_body(reply, self._policy.max_bytes, self._policy.slow_after, exchange)
        if not body.data:
            raise BrokenError("empty", "the answer has an empty body")
        seconds = exchange.spent
        return Fetched(walk.url, reply.status, reply.headers, body.data, body.raw, body.coding, walk.chain, seconds)

    def _posted(self, walk: Walk, reply: Reply, _: Exchange) -> Posted:
        if not 200 <= reply.status < 300:
            raise BrokenError("status", f"the server answered {named(reply.status)}")
        return Posted(walk.url, reply.status, reply.headers)


def _held(walk: Walk, until: datetime, exchange: Exchange) -> Failed:
    place = host_and_port(walk.url)
    message = f"not asked: {place} asked to be left alone until {until:%Y-%m-%d %H:%M:%S} UTC (Retry-After)"
    return replace(walk.failed("held", message, seconds=exchange.spent), until=until)
