# mypy: allow-untyped-calls
"""APScheduler on a simulated clock: a month of it in seconds, with the scheduler's own code deciding what runs."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Self

import pytest
from apscheduler.schedulers import base


class Clock:
    """What the scheduler takes for the present."""

    def __init__(self, start: datetime) -> None:
        self.now = start


class Simulated(base.BaseScheduler):
    """A scheduler without a thread: whoever holds it says when it looks."""

    def shutdown(self, wait: bool = True) -> None:
        """End."""
        super().shutdown(wait)

    def wakeup(self) -> None:
        """Do nothing: nobody sleeps."""

    def turn(self) -> float:
        """Run what is due, wait for its end, and return after how many seconds the next is."""
        seconds: float = self._process_jobs()
        self._executors["default"]._pool.submit(time.monotonic).result()
        return seconds


def played(scheduler: Simulated, clock: Clock, end: datetime) -> None:
    """Let the scheduler run until a moment, from one due time to the next."""
    while clock.now < end:
        clock.now += timedelta(seconds=max(scheduler.turn(), 0.001))


@contextmanager
def clock_of(start: datetime, zone: str) -> Iterator[Clock]:
    """Give APScheduler a clock of ours, on a machine that stands in a zone."""
    clock = Clock(start)

    class Present(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            at: Any = clock.now.astimezone(tz)
            return cls.fromtimestamp(at.timestamp(), tz or UTC)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "TZ", zone)
        patch.setattr(base, "datetime", Present)
        time.tzset()
        yield clock
    time.tzset()
