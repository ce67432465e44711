"""When to ask a source next: pure functions of what is remembered, what came of a poll, the policy and the time.

    may_ask   from when it may be asked          before a poll, and for `poll --all`
    begin     the request and the state to store before it is sent (F-11)
    next_poll the state after it, with the next time and the reason

The table "What an answer does" of the polling rules is `next_poll`.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from feedsvc.collect.answers import Answer, Ask, Failed, Fetched, NotModified, Validators, renewed
from feedsvc.collect.pollstate import Outcome, Policy, PollState, State
from feedsvc.collect.waits import FARTHEST, Terms, Wait, asked_to_wait, back_off, combined, hint_waits, spelled

PERMANENT = frozenset({301, 308})
ADOPT_AFTER = timedelta(days=7)
ADOPT_POLLS = 10
GONE_AFTER = timedelta(days=7)
GONE_POLLS = 3
DEAD_AFTER = timedelta(days=30)
STALE_AFTER = timedelta(days=30)
REFRESH_EVERY = timedelta(hours=24)
NEW_SHARE = 0.3
SLOWER = 1.5
ALL_AT_ONCE = 64


def may_ask(state: PollState, policy: Policy, now: datetime, *, asked: bool = False) -> datetime | None:
    """Return from when a source may be asked, now or earlier when it may; None for one that is gone.

    `asked`: somebody asks for it (`poll --all`, `poll SOURCE`), which sets hints, adaptive waits and back-off aside,
    never the base nor a running Retry-After (F-12). A moment further away than any wait can be was written by a
    clock that has jumped back, and holds nothing up (F-51).
    """
    if state.state is State.GONE:
        return None
    base = state.last_start + timedelta(seconds=policy.interval) if state.last_start else None
    moments = (base, state.blocked_until, None if asked else state.next_poll)
    return max((moment for moment in moments if moment and moment <= now + FARTHEST), default=now)


def begin(state: PollState, policy: Policy, now: datetime) -> tuple[PollState, Ask]:
    """Return the state to store before the request is sent, and the request.

    A crash after that costs no more than the base: the gap is measured from `last_start` (F-11).
    """
    refresh = _wants_refresh(state, now)
    started = replace(
        state,
        last_start=now,
        next_poll=now + timedelta(seconds=policy.interval),
        reason=f"interval: {spelled(policy.interval)}",
        refreshed=now if refresh else state.refreshed,
    )
    return started, Ask(state.adopted or state.url, None if refresh else state.validators)


def _wants_refresh(state: PollState, now: datetime) -> bool:
    """Ask without validators after 30 days of nothing but 304, at most once a day: one of them may be broken (F-09)."""
    if not state.validators or not state.unmodified_since or now - state.unmodified_since < STALE_AFTER:
        return False
    return state.refreshed is None or abs(now - state.refreshed) >= REFRESH_EVERY


def next_poll(state: PollState, outcome: Outcome, policy: Policy, now: datetime, chance: float) -> PollState:
    """Return the state after a poll; `now` is when its answer was read, `chance` from 0 to below 1 (F-30)."""
    answer, terms = outcome.answer, Terms(policy, now, chance)
    if isinstance(answer, Failed) and answer.until is not None:
        return _held(state, answer, answer.until, terms)
    if isinstance(answer, Fetched | NotModified) and not outcome.fault:
        return _succeeded(state, outcome, answer, terms)
    return _failed(state, outcome, terms)


def for_address(state: PollState, url: str) -> PollState:
    """Return the state of a source whose configured address is `url`: another one begins anew (F-36, F-38).

    The time of the last request stays: editing an address is no way around the base (F-11).
    """
    return state if state.url == url else PollState(url, last_start=state.last_start)


def first_poll(place: int, count: int, policy: Policy, now: datetime) -> datetime:
    """Return when the `place`-th (from 0) of `count` new sources is asked first (F-30).

    A few are asked at once; many are spread over the interval.
    """
    if place < ALL_AT_ONCE:
        return now
    return now + timedelta(seconds=policy.interval * (place - ALL_AT_ONCE + 1) / (count - ALL_AT_ONCE + 1))


# ---- the three ways a poll ends ----------------------------------------------------------------------------------


def _held(state: PollState, answer: Failed, until: datetime, terms: Terms) -> PollState:
    """The host had asked to be left alone: no failure of this source, nothing is forgotten (F-18)."""
    wait = Wait((until - terms.now).total_seconds(), answer.message)
    due, reason = combined([wait], state.hints, terms)
    return replace(state, state=State.BLOCKED, blocked_until=until, next_poll=due, reason=reason)


def _succeeded(state: PollState, outcome: Outcome, answer: Fetched | NotModified, terms: Terms) -> PollState:
    policy, now = terms.policy, terms.now
    state = _adapted(_moved(state, answer, now), outcome.new, policy, now)
    hints = state.hints if outcome.hints is None else outcome.hints
    adaptive = Wait(min(state.wait, policy.max_interval), f"adaptive: {spelled(state.wait)} by how often it posts")
    slowed = _slowed(answer, now)
    waits = [adaptive, *hint_waits(answer.headers, hints, now), *slowed]
    due, reason = combined(waits, hints, terms)
    unmodified = isinstance(answer, NotModified)
    return replace(
        state,
        state=State.OK,
        reason=reason,
        next_poll=due,
        last_success=now,
        errors=0,
        blocked_until=_until(slowed, now),
        validators=_validators(state.validators, answer),
        gone_since=None,
        gone_polls=0,
        missing_since=None,
        unmodified_since=_earlier(state.unmodified_since, now) if unmodified else None,
        hints=hints,
    )


def _failed(state: PollState, outcome: Outcome, terms: Terms) -> PollState:
    answer, policy, now = outcome.answer, terms.policy, terms.now
    state = _parting(replace(state, errors=state.errors + 1), answer.status, now)
    slowed = _slowed(answer, now)
    blocked = asked_to_wait(answer.headers, now) if _may_slow(answer.status) else None
    own = blocked or back_off(state.errors, answer.status, policy)
    feed = hint_waits({}, state.hints, now)
    due, reason = combined([own, *slowed, *feed], state.hints, terms)
    kind = answer.kind if isinstance(answer, Failed) else ""
    failed = replace(
        state,
        state=_state_of_failure(state, now, blocked=bool(blocked or slowed)),
        reason=reason,
        next_poll=due,
        last_error=outcome.fault or (answer.message if isinstance(answer, Failed) else ""),
        last_error_at=now,
        blocked_until=_until([blocked, *slowed], now),
        validators=None if kind == "unasked-304" else state.validators,
        moving_to="",
        moving_since=None,
        moving_polls=0,
    )
    return _ended(failed) if failed.state is State.GONE else failed


# ---- pieces ------------------------------------------------------------------------------------------------------


def _validators(kept: Validators | None, answer: Fetched | NotModified) -> Validators | None:
    """A 304 renews what it carries, a part (226) nothing, a whole body everything (F-03, F-05, F-48)."""
    if isinstance(answer, NotModified):
        return renewed(kept or Validators(answer.url), answer.headers)
    if answer.status == 226:
        return kept
    return answer.validators or None


def _may_slow(status: int | None) -> bool:
    """Return whether Retry-After of a failure counts: 429, 503, and a redirect that leads nowhere (F-14)."""
    return status in {429, 503} or (status is not None and 300 <= status < 400)


def _slowed(answer: Answer, now: datetime) -> list[Wait]:
    """Return what redirects on the way asked for by Retry-After (F-14)."""
    return [wait for hop in answer.chain if (wait := asked_to_wait(hop.headers, now))]


def _until(waits: Iterable[Wait | None], now: datetime) -> datetime | None:
    seconds = max((wait.seconds for wait in waits if wait), default=0.0)
    return now + timedelta(seconds=seconds) if seconds else None


def _adapted(state: PollState, new: int, policy: Policy, now: datetime) -> PollState:
    """Learn how often a source posts from when its entries were first seen, never from claimed dates (F-28, F-29)."""
    if not state.wait or not state.last_new:
        return replace(state, wait=policy.interval, last_new=now)
    if not new:
        return replace(state, wait=min(state.wait * SLOWER, max(policy.max_interval, policy.interval)))
    seen = max(0.0, (now - state.last_new).total_seconds()) / new
    gap = seen if state.gap is None else NEW_SHARE * seen + (1 - NEW_SHARE) * state.gap
    return replace(state, wait=max(policy.interval, min(state.wait / 2, gap / 2)), gap=gap, last_new=now)


def _moved(state: PollState, answer: Fetched | NotModified, now: datetime) -> PollState:
    """Count polls redirected for good to one place, and adopt it when that lasted (F-35, F-36)."""
    lasting = bool(answer.chain) and all(hop.status in PERMANENT for hop in answer.chain)
    if not lasting:
        return replace(state, moving_to="", moving_since=None, moving_polls=0)
    same = state.moving_to == answer.url
    since = _earlier(state.moving_since if same else None, now)
    polls = state.moving_polls + 1 if same else 1
    if polls >= ADOPT_POLLS and now - since >= ADOPT_AFTER:
        adopted = "" if answer.url == state.url else answer.url
        return replace(state, adopted=adopted, moving_to="", moving_since=None, moving_polls=0)
    return replace(state, moving_to=answer.url, moving_since=since, moving_polls=polls)


def _parting(state: PollState, status: int | None, now: datetime) -> PollState:
    """Count 410 and 404; another answer ends the count, silence does not (F-38)."""
    if status is None:
        return state
    return replace(
        state,
        gone_since=_earlier(state.gone_since, now) if status == 410 else None,
        gone_polls=state.gone_polls + 1 if status == 410 else 0,
        missing_since=_earlier(state.missing_since, now) if status == 404 else None,
    )


def _state_of_failure(state: PollState, now: datetime, *, blocked: bool) -> State:
    if state.gone_since and state.gone_polls >= GONE_POLLS and now - state.gone_since >= GONE_AFTER:
        return State.GONE
    if blocked:
        return State.BLOCKED
    if state.missing_since and now - state.missing_since >= DEAD_AFTER:
        return State.DEAD
    return State.FAILING


def _ended(state: PollState) -> PollState:
    reason = f"gone since {state.gone_since:%Y-%m-%d}: answers 410 Gone and is not asked any more; edit its address"
    return replace(state, next_poll=None, blocked_until=None, reason=reason)


def _earlier(known: datetime | None, now: datetime) -> datetime:
    return min(known or now, now)
