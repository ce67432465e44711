# mypy: allow-untyped-calls
"""When the daemon does what: APScheduler as a ticker (scheduling T-01 to T-11).

Everything is in UTC: in local time 01:30 comes twice in autumn, and 02:30 not at all in spring (T-06). What a job does
is to ask; the work runs in threads of ours (T-08). Due times of sources live in the store, never here (T-02).
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.schedulers.base import BaseScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger
from msgspec import Struct

TICK_SECONDS = 30.0
CARE_SECONDS = 86_400.0
_DEFAULTS = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
# It tells of lost runs by events, which are counted (T-05); its log would be lines of another form among ours.
logging.getLogger("apscheduler").addHandler(logging.NullHandler())
_LOST = EVENT_JOB_ERROR | EVENT_JOB_MAX_INSTANCES | EVENT_JOB_MISSED


class Calls(Struct, frozen=True):
    """What the ticker asks for; each returns at once.

    `missed` is told of a job that did not run as it should (T-05).
    """

    tick: Callable[[], object]
    build: Callable[[], object]
    care: Callable[[], object]
    missed: Callable[[], object]


def build_trigger(seconds: float, cron: str, now: datetime) -> Any:
    """Return when builds come round: a cron line where there is one, with weekdays by name (T-07), else an interval."""
    if cron:
        return CronTrigger.from_crontab(cron, timezone=UTC)
    return _every(seconds, now)


def longest_wait(seconds: float, cron: str, now: datetime) -> float:
    """Return the longest time in seconds between two builds in a row, of the next fifty of a cron line."""
    if not cron:
        return seconds
    trigger, longest, last = build_trigger(seconds, cron, now), 0.0, None
    for _ in range(50):
        following = trigger.get_next_fire_time(last, now if last is None else last + timedelta(seconds=1))
        if following is None:
            break
        longest = max(longest, (following - last).total_seconds() if last else 0.0)
        last = following
    return longest or seconds


class Timetable:
    """The ticker; `watchdog` seconds shorten its tick so that each half of them has one (V-30).

    `scheduler` makes what runs it: a thread that goes by the clock, or something that plays a month in a minute.
    """

    def __init__(
        self,
        calls: Calls,
        watchdog: float | None = None,
        scheduler: Callable[..., BaseScheduler] = BackgroundScheduler,
    ) -> None:
        self.tick_seconds = min(TICK_SECONDS, watchdog / 2) if watchdog else TICK_SECONDS
        self._calls = calls
        self._scheduler = scheduler(
            jobstores={"default": MemoryJobStore()},
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults=_DEFAULTS,
            timezone=UTC,
        )
        self._scheduler.add_listener(lambda _: calls.missed(), _LOST)

    def start(self, seconds: float, cron: str, now: datetime) -> None:
        """Begin: a tick now, the first build and the first care by whoever calls (T-04)."""
        add = self._scheduler.add_job
        add(self._calls.tick, _every(self.tick_seconds, now), id="tick", next_run_time=now)
        add(self._calls.care, _every(CARE_SECONDS, now), id="care")
        add(self._calls.build, build_trigger(seconds, cron, now), id="build")
        self._scheduler.start()

    def build_every(self, seconds: float, cron: str, now: datetime) -> None:
        """Take another rhythm of builds."""
        self._scheduler.reschedule_job("build", trigger=build_trigger(seconds, cron, now))

    def build_at(self, moment: datetime | None) -> None:
        """Build once more at the very second at which a post falls due; None for no post."""
        if moment is None:
            if self._scheduler.get_job("due"):
                self._scheduler.remove_job("due")
        else:
            self._scheduler.add_job(
                self._calls.build, DateTrigger(moment, timezone=UTC), id="due", replace_existing=True
            )

    def clock_jumped(self, seconds: float, cron: str, now: datetime) -> None:
        """Count anew from now: after a jump back the next tick would be as far away as the jump (F-51)."""
        for name, trigger in (("tick", _every(self.tick_seconds, now)), ("care", _every(CARE_SECONDS, now))):
            self._scheduler.reschedule_job(name, trigger=trigger)
        self.build_every(seconds, cron, now)
        self._scheduler.modify_job("tick", next_run_time=now)

    def end(self) -> None:
        """Ask for nothing any more (T-08: its own shutdown has no limit)."""
        self._scheduler.shutdown(wait=False)


def _every(seconds: float, now: datetime) -> IntervalTrigger:
    return IntervalTrigger(seconds=seconds, start_date=now + timedelta(seconds=seconds), timezone=UTC)
