"""How long to wait, and why: the longest of our own waits, the hints and Retry-After (F-27). Pure.

    wait = max(base, min(adaptive or back-off, max_interval), min(hints, 7 d), min(Retry-After, 31 d))

Jitter comes on top, the result is moved out of skipped hours and days, and last, nothing lies beyond now + 31 d.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from feedsvc.collect.headers import freshness, retry_after
from feedsvc.collect.pollstate import FeedHints, Policy

HINT_MOST = 7 * 86_400.0
FARTHEST = timedelta(days=31)
FIRST_BACK_OFF = 3600.0
BACK_OFF_MOST = 86_400.0
MORE_THAN_A_WEEK = 7 * 86_400.0
_DOUBLINGS = 40


class Wait(Struct, frozen=True):
    """Seconds, and the reason as `status` gives it."""

    seconds: float
    reason: str


class Terms(Struct, frozen=True):
    """What one decision goes by: the policy, the time, and a chance from 0 to below 1, one for each poll."""

    policy: Policy
    now: datetime
    chance: float


def hint_waits(headers: Mapping[str, str], hints: FeedHints, now: datetime) -> Iterable[Wait]:
    """Return the waits that an answer and its feed ask for, each at most 7 days (F-21 to F-26)."""
    asked = (
        (freshness(headers, now), "the server says how long its answer stays fresh"),
        (hints.ttl, "the feed has a ttl"),
        (hints.update, "the feed has an sy:updatePeriod"),
    )
    for seconds, reason in asked:
        capped = min(seconds, HINT_MOST)
        yield Wait(capped, f"hint: {reason}, {spelled(capped)}")


def back_off(errors: int, status: int | None, policy: Policy) -> Wait:
    """Return the wait after so many errors in a row: doubling, from the base, from one hour for 429 and 503.

    F-16, F-32.
    """
    begin, most = (FIRST_BACK_OFF, BACK_OFF_MOST) if status in {429, 503} else (policy.interval, policy.max_interval)
    grown = begin * 2 ** min(max(errors, 1) - 1, _DOUBLINGS)
    seconds = min(grown, most, policy.max_interval)
    times = "1 error" if errors == 1 else f"{errors} errors in a row"
    return Wait(seconds, f"back-off: {times}, {spelled(max(seconds, policy.interval))}")


def asked_to_wait(headers: Mapping[str, str], now: datetime) -> Wait | None:
    """Return the wait of a `Retry-After`, at most 31 days; above 7 days the reason says that this is unusual (F-15)."""
    seconds = retry_after(headers, now)
    if seconds is None:
        return None
    seconds = min(seconds, FARTHEST.total_seconds())
    until = now + timedelta(seconds=seconds)
    unusual = ", more than a week: ask its operator whether that is meant" if seconds > MORE_THAN_A_WEEK else ""
    return Wait(seconds, f"blocked until {until:%Y-%m-%d %H:%M} UTC by Retry-After{unusual}")


def combined(waits: Iterable[Wait], hints: FeedHints, terms: Terms) -> tuple[datetime, str]:
    """Return when to ask next and why: the longest wait, never under the base (F-27, F-30)."""
    policy = terms.policy
    base = Wait(policy.interval, f"interval: {spelled(policy.interval)}")
    longest = max((base, *waits), key=lambda wait: wait.seconds)
    share = policy.jitter * terms.chance
    wished = terms.now + timedelta(seconds=longest.seconds * (1 + share))
    moved = out_of_skipped(wished, hints, share)
    reason = longest.reason if moved == wished else f"{longest.reason}; moved out of skipped hours and days of the feed"
    return min(moved, terms.now + FARTHEST), reason


def out_of_skipped(moment: datetime, hints: FeedHints, share: float = 0.0) -> datetime:
    """Return the moment, or the next one in no skipped hour and on no skipped day (F-25).

    A moment that is moved falls `share` of an hour into the hour, so that not all come at its first second (F-30).
    """
    hours = hints.skip_hours if len(hints.skip_hours) < 24 else frozenset()
    days = hints.skip_days if len(hints.skip_days) < 7 else frozenset()
    found = moment
    while found.weekday() in days or found.hour in hours:
        whole = found.replace(minute=0, second=0, microsecond=0)
        found = whole.replace(hour=0) + timedelta(days=1) if found.weekday() in days else whole + timedelta(hours=1)
    return moment if found is moment else found + timedelta(seconds=min(share * 3600, 3599))


def spelled(seconds: float) -> str:
    """Return a duration as people say it: "45 min", "6 h", "1.5 h", "7 d"."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size * (2 if unit == "d" else 1):
            return f"{round(seconds / size, 1):g} {unit}"
    return f"{seconds:g} s"
