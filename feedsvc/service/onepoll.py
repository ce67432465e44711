"""One poll of one source under its lease: begin, ask, read, settle. Whatever a server does wrong is a value."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from feedsvc.collect.address import host_of
from feedsvc.collect.answers import Answer, Failed, Fetched
from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.found import FoundChannel, ParsedFeed, Received, Unread
from feedsvc.collect.hosts import HostBlocks
from feedsvc.collect.linkheader import links
from feedsvc.collect.pacing import begin, next_poll
from feedsvc.collect.pollstate import Outcome, Policy, PollState
from feedsvc.model import Diagnostic, Level
from feedsvc.service.polled import Polled, Result
from feedsvc.store.entries import Seen
from feedsvc.store.rows import Lease
from feedsvc.store.store import Known, Settle, Settled, Store

PART = 226
_BLOCKING = frozenset({429, 503})


class Taken(Struct, frozen=True):
    """What identity makes of a document: what is new, what changed, every key in it, and what is odd (ID-01 to 12).

    `lasting`: the same document would bring nothing more later.
    """

    seen: Seen
    warnings: tuple[Diagnostic, ...] = ()
    lasting: bool = True


Clock = Callable[[], datetime]
Read = Callable[[Received], ParsedFeed | Unread]
Identify = Callable[[str, Known, ParsedFeed, datetime], Taken]


class Deps(Struct, frozen=True):
    """What a poll works with; shared by all threads of a cycle.

    `chance` gives a number from 0 to below 1 for each poll (F-30); `urls` are the configured addresses by source;
    `rules` is a text that is another one when the same document would be taken in another way.
    """

    store: Store
    fetcher: Fetcher
    blocks: HostBlocks
    read: Read
    identify: Identify
    policy: Policy
    clock: Clock
    chance: Callable[[], float]
    urls: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""


class _Came(Struct, frozen=True):
    """What came of a request: `started` is the state it began with.

    `read` is None where there was no body to read, or the same as before; `digest` tells bodies apart, "" for none.
    """

    source: str
    started: PollState
    answer: Answer
    read: ParsedFeed | Unread | None
    digest: str
    now: datetime


def poll_one(deps: Deps, lease: Lease, had: Answer | None = None) -> Polled:
    """Ask a source and take what comes; nothing is asked before its start is written down (F-11).

    `had` is an answer that is there already: the one GET of `sources add` is the first poll (F-08).
    """
    began = deps.clock()
    started, ask = begin(lease.state, deps.policy, began)
    if not deps.store.start(lease, started):
        return Polled(lease.source, host_of(ask.url), Result.LOST)
    answer = had or deps.fetcher.get(ask, began)
    now = deps.clock()
    # The host's turn may have come later than `began`: the gap is measured from the request itself.
    started = replace(started, last_start=max(began, now - timedelta(seconds=answer.seconds)))
    if answer.status in _BLOCKING:
        deps.store.block(deps.blocks.known(now))
    digest = _digest(answer, deps.rules)
    same = bool(digest) and digest == started.body
    came = _Came(lease.source, started, answer, None if same else _read(deps, lease.source, answer), digest, now)
    return _polled(came, deps.store.finish(lease, _settle(deps, came), now))


def _digest(answer: Answer, rules: str) -> str:
    """Return a digest of all that decides what comes of a whole document, so that an equal one is not read (F-04)."""
    if not isinstance(answer, Fetched) or answer.status == PART:
        return ""
    said = [rules, answer.url, *(answer.headers.get(name, "") for name in ("content-type", "link"))]
    return hashlib.sha256(json.dumps(said).encode("ascii") + answer.body).hexdigest()


def _read(deps: Deps, source: str, answer: Answer) -> ParsedFeed | Unread | None:
    """Read a body; a fault of ours in reading it costs this source one poll and no other source anything."""
    if not isinstance(answer, Fetched):
        return None
    try:
        return deps.read(Received(source, answer.url, answer.body, answer.headers.get("content-type", "")))
    except Exception as bug:
        return Unread("malformed", f"reading it failed: {type(bug).__name__}: {bug}")


def _settle(deps: Deps, came: _Came) -> Settle:
    """Return what is decided inside the transaction that writes it."""

    def after(outcome: Outcome) -> PollState:
        return next_poll(came.started, outcome, deps.policy, came.now, deps.chance())

    def settle(known: Known) -> Settled:
        read, answer = came.read, came.answer
        if isinstance(answer, Failed) and answer.kind == "stopped":
            return Settled(came.started)
        if not isinstance(read, ParsedFeed):
            state = after(Outcome(answer, read.message if read else ""))
            return Settled(state, warnings=_adoption(deps, came, state))
        taken = deps.identify(came.source, known, read, came.now.replace(microsecond=0))
        state = after(Outcome(answer, read.fault, read.hints, len(taken.seen.new)))
        whole = not read.fault and answer.status != PART
        seen = taken.seen if whole else replace(taken.seen, keys=None)
        warnings = (*read.warnings, *taken.warnings, *_adoption(deps, came, state))
        channel = _dated(known, _heard(read.channel, answer), taken.seen) if whole else None
        kept = came.digest if whole and taken.lasting else ""
        return Settled(replace(state, body=kept), seen, channel, warnings)

    return settle


def _dated(known: Known, channel: FoundChannel, seen: Seen) -> FoundChannel:
    """Return a channel dated by the last document that brought anything: many say the hour of each build (OU-06)."""
    if seen.new or seen.changed:
        return channel
    before = known.channel()
    return before if before and replace(channel, updated=before.updated) == before else channel


def _heard(channel: FoundChannel, answer: Answer) -> FoundChannel:
    """Return a channel with the hubs and the topic of a Link header, which go before those of the document (W-01)."""
    header = answer.headers.get("link", "")
    hubs = tuple(links(header, answer.url, "hub"))
    return replace(channel, hubs=hubs, url=next(links(header, answer.url, "self"), channel.url)) if hubs else channel


def _adoption(deps: Deps, came: _Came, state: PollState) -> tuple[Diagnostic, ...]:
    """Say that a source has moved for good, and whether it is one now that is there already (F-36, F-37)."""
    if not state.adopted or state.adopted == came.started.adopted:
        return ()
    other = next((name for name, url in deps.urls.items() if url == state.adopted and name != came.source), None)
    twice = f", which is the address of source {other} already: remove one of them" if other else ""
    message = f"moved for good: asked at {state.adopted} from now on{twice}; write that address into the configuration"
    return (Diagnostic(came.source, None, Level.WARNING, message, "source-moved"),)


def _polled(came: _Came, settled: Settled | None) -> Polled:
    answer, host = came.answer, host_of(came.answer.url)
    if settled is None:
        return Polled(came.source, host, Result.LOST, answer.status, seconds=answer.seconds)
    kind, error = _fault(answer, came.read)
    result = _result(answer, kind)
    body = answer if isinstance(answer, Fetched) else None
    return Polled(
        source=came.source,
        host=host,
        result=result,
        code=answer.status,
        raw=body.raw if body else 0,
        decoded=len(body.body) if body else 0,
        coding=body.coding if body else "",
        seconds=answer.seconds,
        new=len(settled.seen.new),
        changed=len(settled.seen.changed),
        state=settled.state.state,
        next_poll=settled.state.next_poll,
        reason=settled.state.reason,
        kind=kind,
        error=error,
        warnings=settled.warnings,
    )


def _fault(answer: Answer, read: ParsedFeed | Unread | None) -> tuple[str, str]:
    if isinstance(answer, Failed):
        return answer.kind, answer.message
    if isinstance(read, Unread):
        return read.code, read.message
    return ("cut-short", read.fault) if read and read.fault else ("", "")


def _result(answer: Answer, kind: str) -> Result:
    if kind in {"held", "stopped"}:
        return Result(kind)
    if kind:
        return Result.FAILED
    return Result.OK if isinstance(answer, Fetched) else Result.UNCHANGED
