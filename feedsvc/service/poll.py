"""A cycle of polls: every source that is due, or those that somebody asks for; one that fails stops no other.

    claim ──▶ poll_one in a thread ──▶ told, and the next claim

As many sources are claimed ahead as there are threads, for a claim looks at all sources: one that is claimed waits for
one poll at most, so that no lease runs out in a queue. No more of a host than `per_host` are claimed: threads wait for
no host that is busy.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue

from msgspec.structs import replace

from feedsvc.collect.pacing import may_ask
from feedsvc.collect.pollstate import Policy, PollState, State
from feedsvc.collect.waits import spelled
from feedsvc.service.onepoll import Deps, poll_one
from feedsvc.service.polled import Polled, PollReport, Waiting
from feedsvc.store.leases import DUE, Wanted
from feedsvc.store.rows import Lease

Told = Callable[[Polled], None]
_Came = SimpleQueue[Polled | BaseException | None]


def poll(
    deps: Deps,
    concurrency: int,
    wanted: Wanted = DUE,
    told: Told = lambda _: None,
    stop: threading.Event | None = None,
) -> PollReport:
    """Poll what is due, or what is asked for, each source once; StoreError where the store fails.

    `told` is called with each result as it comes, from this thread. `stop` set: nothing new is begun (V-32).
    """
    stop = stop or threading.Event()
    waiting = _waiting(deps, wanted) if wanted.asked else ()
    wanted = replace(wanted, before=deps.clock())
    polled: list[Polled] = []
    came: _Came = SimpleQueue()
    under_way = 0
    with ThreadPoolExecutor(concurrency, thread_name_prefix="poll") as pool:
        try:
            while True:
                if under_way <= concurrency and not stop.is_set():
                    for lease in _claimed(deps, 2 * concurrency - under_way, wanted):
                        pool.submit(_poll_or_release, deps, lease, stop, came)
                        under_way += 1
                if not under_way:
                    break
                for one in _those_that(came):
                    under_way -= 1
                    if isinstance(one, BaseException):
                        raise one
                    if one is not None:
                        polled.append(one)
                        told(one)
        except BaseException as problem:
            pool.shutdown(wait=False, cancel_futures=True)
            # After a fault the next cycle asks as ever; who is to end waits for no turn of a host.
            (deps.fetcher.break_off if isinstance(problem, Exception) else deps.fetcher.close)()
            raise
    deps.fetcher.rest()
    return PollReport(tuple(polled), waiting)


def _claimed(deps: Deps, most: int, wanted: Wanted) -> list[Lease]:
    now = deps.clock()
    leases = deps.store.claim(most, now, wanted)
    if leases:
        for place, until in deps.store.blocks(now).items():
            deps.blocks.block(place, until)
    return leases


def _poll_or_release(deps: Deps, lease: Lease, stop: threading.Event, came: _Came) -> None:
    try:
        if stop.is_set():
            deps.store.release(lease)
            came.put(None)
        else:
            came.put(poll_one(deps, lease))
    except BaseException as problem:
        came.put(problem)


def _those_that(came: _Came) -> list[Polled | BaseException | None]:
    """Wait for one result, and return all that are there then: a claim follows, for as many as possible."""
    found = [came.get()]
    try:
        while True:
            found.append(came.get_nowait())
    except Empty:
        return found


def _waiting(deps: Deps, wanted: Wanted) -> tuple[Waiting, ...]:
    """Return the sources that are asked for and may not be asked yet: they say until when (F-12)."""
    now, found = deps.clock(), []
    for name, state in deps.store.resting(now - timedelta(seconds=deps.policy.interval), now).items():
        if wanted.ids is None or name in wanted.ids:
            until = may_ask(state, deps.policy, now, asked=True)
            if until is None or until > now:
                found.append(Waiting(name, until, _why(state, deps.policy, now)))
    return tuple(found)


def _why(state: PollState, policy: Policy, now: datetime) -> str:
    if state.state is State.GONE:
        return state.reason
    if state.blocked_until and state.blocked_until > now:
        return "its server asked to be left alone until then (Retry-After)"
    return f"asked less than {spelled(policy.interval)} ago (polling.interval)"
