"""What is remembered of a source between polls, and what came of one poll: frozen values that the store keeps.

Times are aware, UTC; durations are seconds.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from feedsvc.collect.answers import Answer, Fetched, NotModified, Validators
from feedsvc.patterns import pattern

_PERIODS = {
    "hourly": 3600.0,
    "daily": 86_400.0,
    "weekly": 7 * 86_400.0,
    "monthly": 30 * 86_400.0,
    "yearly": 365 * 86_400.0,
}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBER = pattern(r"[0-9]{1,9}\Z")


class State(StrEnum):
    """How a source stands, as `status` says it (V-29)."""

    OK = "ok"
    FAILING = "failing"
    BLOCKED = "blocked"
    GONE = "gone"
    DEAD = "dead"


class FeedHints(Struct, frozen=True):
    """What a feed says about when to ask: seconds, hours 0–23 GMT, weekdays 0–6 from Monday (F-24 to F-26)."""

    ttl: float = 0.0
    update: float = 0.0
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()


def feed_hints(
    ttl: str = "", hours: Iterable[str] = (), days: Iterable[str] = (), period: str = "", frequency: str = ""
) -> FeedHints:
    """Read the hints of a feed as they stand in it: RSS `ttl`, every `hour` and `day`, sy:updatePeriod and -Frequency.

    What cannot be read is left out; hour 24 means 0 (F-25); a list that leaves no hour or no day is ignored.
    """
    skipped = frozenset(hour % 24 for text in hours if (hour := _number(text, 24)) is not None)
    names = (text.strip().lower() for text in days)
    closed = frozenset(_DAYS.index(name) for name in names if name in _DAYS)
    often = _number(frequency.strip() or "1") or 1
    return FeedHints(
        ttl=60.0 * (_number(ttl) or 0),
        update=_PERIODS.get(period.strip().lower(), 0.0) / often,
        skip_hours=skipped if len(skipped) < 24 else frozenset(),
        skip_days=closed if len(closed) < 7 else frozenset(),
    )


def _number(text: str, most: int = 10**9) -> int | None:
    text = text.strip()
    return int(text) if _NUMBER.match(text) and int(text) <= most else None


class Policy(Struct, frozen=True):
    """`polling.interval`, `polling.max_interval` and `schedule.jitter`, a share of 1."""

    interval: float = 3600.0
    max_interval: float = 86_400.0
    jitter: float = 0.1


class Outcome(Struct, frozen=True):
    """One poll: the answer, and what reading it brought.

    `fault` says why a body counts as a failed poll, though it arrived ("this is no feed: a web page"); "" for a feed.
    `hints` are those of the document, None where none was read. `new` counts entries seen for the first time.
    """

    answer: Answer
    fault: str = ""
    hints: FeedHints | None = None
    new: int = 0

    @property
    def good(self) -> bool:
        """Return whether the poll succeeded."""
        return isinstance(self.answer, Fetched | NotModified) and not self.fault


class PollState(Struct, frozen=True):
    """A source between polls.

    `url` is the configured address, `adopted` the one that took its place after a lasting redirect (F-36). `next_poll`
    None means at once, but never for a source that is gone. `wait` is the adaptive wait, 0 before the first success;
    `gap` the estimated time between posts, `last_new` when the last ones were first seen. `moving_*` count polls that
    were redirected for good to one place, `gone_*` those answered 410, `missing_since` 404. `unmodified_since`: nothing
    but 304 since then; `refreshed`: when it was last asked without validators because of that (F-09).
    `body` is a digest of the last document, "" where it has to be read again even if it is the same.
    """

    url: str
    state: State = State.OK
    reason: str = "not asked yet"
    next_poll: datetime | None = None
    last_start: datetime | None = None
    last_success: datetime | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    errors: int = 0
    blocked_until: datetime | None = None
    validators: Validators | None = None
    adopted: str = ""
    wait: float = 0.0
    gap: float | None = None
    last_new: datetime | None = None
    moving_to: str = ""
    moving_since: datetime | None = None
    moving_polls: int = 0
    gone_since: datetime | None = None
    gone_polls: int = 0
    missing_since: datetime | None = None
    unmodified_since: datetime | None = None
    refreshed: datetime | None = None
    body: str = ""
    hints: FeedHints = field(default_factory=FeedHints)
