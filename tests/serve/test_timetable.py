"""The ticker: what is due when, over a simulated month, and jobs that never run beside themselves."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from feedsvc.serve.jobs import Job
from feedsvc.serve.timetable import Calls, Timetable, build_trigger, longest_wait
from tests.serve.simulated import Simulated, clock_of, played

START = datetime(2026, 10, 10, 0, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def month(seconds: float, cron: str, start: datetime = START) -> list[datetime]:
    """Return every moment at which a build is due in 31 days, as the scheduler asks its trigger for them."""
    trigger, last, now = build_trigger(seconds, cron, start), None, start
    found: list[datetime] = []
    while True:
        following = trigger.get_next_fire_time(last, now)
        if following is None or following > start + timedelta(days=31):
            return found
        found.append(following)
        last, now = following, following + timedelta(milliseconds=5)


@pytest.mark.parametrize("start", [START, datetime(2026, 3, 15, tzinfo=UTC)])
def test_a_month_with_a_change_of_summer_time_loses_no_build_and_doubles_none(start: datetime) -> None:
    """T-06 [#529, #980, #1036, #1059]: both changes, in spring and in autumn."""
    assert {moment.astimezone(BERLIN).utcoffset() for moment in month(600, "", start)} == {
        timedelta(hours=1),
        timedelta(hours=2),
    }
    for seconds, cron in ((600, ""), (0, "*/10 * * * *")):
        found = month(seconds, cron, start)
        assert len(found) in {31 * 144, 31 * 144 + 1}
        assert {after - before for before, after in pairwise(found)} == {timedelta(minutes=10)}


def test_half_past_one_and_half_past_two_come_once_a_day_all_year() -> None:
    """T-06: in local time one of them would come twice in autumn, the other never in spring."""
    for cron in ("30 1 * * *", "30 2 * * *"):
        for start in (START, datetime(2026, 3, 15, tzinfo=UTC)):
            days = [moment.date() for moment in month(0, cron, start)]
            assert len(days) == len(set(days)) == 31


@pytest.mark.parametrize(("start", "cron"), [(START, ""), (datetime(2026, 3, 15, tzinfo=UTC), "*/10 * * * *")])
def test_the_scheduler_itself_loses_and_doubles_nothing_in_a_month(start: datetime, cron: str) -> None:
    """T-02 to T-06: ticks, builds, care, and the very seconds of posts from the future, through both changes."""
    end = start + timedelta(days=31)
    # A post each night in the hour that comes twice, one in the hour that never comes, and one at an odd second.
    nights = [start.astimezone(BERLIN).replace(hour=0) + timedelta(days=day) for day in range(1, 31)]
    posts = sorted(
        {night.replace(hour=hour, minute=30, second=7, fold=fold).astimezone(UTC) for night in nights for hour in (1, 2)
         for fold in (0, 1)} | {night.astimezone(UTC) + timedelta(hours=7, seconds=1007) for night in nights}
    )  # fmt: skip
    ticks, builds, cares, missed = [list[datetime]() for _ in range(4)]
    made: list[Simulated] = []

    def scheduler(**options: object) -> Simulated:
        made.append(Simulated(**options))
        return made[0]

    with clock_of(start, "Europe/Berlin") as clock:

        def build() -> None:
            builds.append(clock.now)
            table.build_at(next((post for post in posts if post > clock.now), None))

        def note(moments: list[datetime]) -> Callable[[], None]:
            return lambda: moments.append(clock.now)

        table = Timetable(Calls(note(ticks), build, note(cares), note(missed)), None, scheduler)
        table.tick_seconds = 240.0  # as short as it is in life would take longer here
        table.start(600, cron, start)
        build()
        played(made[0], clock, end)
        table.end()
    minutes = [start + timedelta(minutes=number) for number in range(31 * 1440)]
    assert on_time(ticks, minutes[::4])
    assert on_time([moment for moment in builds if moment > start], sorted({*minutes[10::10], *posts}))
    assert on_time(cares, minutes[1440::1440])
    assert missed == []


def on_time(found: list[datetime], wanted: list[datetime]) -> bool:
    """Return whether each wanted moment was met once, in its own second, and no other."""
    return [moment.replace(microsecond=0) for moment in found] == wanted


def test_weekdays_are_meant_by_their_names() -> None:
    """T-07."""
    assert {moment.weekday() for moment in month(0, "0 0 * * sun")} == {6}
    assert {moment.weekday() for moment in month(0, "0 0 * * mon-fri")} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("cron", "seconds"),
    [("", 600), ("*/10 * * * *", 600), ("0 8,18 * * *", 14 * 3600), ("0 6 * * mon-fri", 72 * 3600)],
)
def test_the_longest_wait_between_builds_is_known(cron: str, seconds: float) -> None:
    """V-24: what three intervals are."""
    assert longest_wait(600, cron, START) == seconds


def test_a_tick_comes_at_once_and_a_due_moment_is_met_to_the_second() -> None:
    """T-02, T-04; interface: a build when a post falls due."""
    ticked, built = threading.Event(), threading.Event()
    moments: list[datetime] = []

    def build() -> None:
        moments.append(datetime.now(UTC))
        built.set()

    table = Timetable(Calls(ticked.set, build, lambda: None, lambda: None))
    table.start(3600, "", datetime.now(UTC))
    due = datetime.now(UTC) + timedelta(seconds=1.5)
    table.build_at(due + timedelta(hours=1))
    table.build_at(due)
    assert ticked.wait(10)
    assert built.wait(10)
    table.end()
    assert timedelta(0) <= moments[0] - due < timedelta(seconds=1)
    assert len(moments) == 1


def test_a_due_moment_can_be_taken_back() -> None:
    built = threading.Event()
    table = Timetable(Calls(lambda: None, built.set, lambda: None, lambda: None))
    table.start(3600, "", datetime.now(UTC))
    table.build_at(datetime.now(UTC) + timedelta(seconds=0.5))
    table.build_at(None)
    assert not built.wait(1)
    table.end()


def test_a_clock_that_jumped_back_does_not_silence_the_ticks() -> None:
    """F-51: ticks that were planned for a time that is far away again come at once."""
    ticks = threading.Semaphore(0)
    table = Timetable(Calls(ticks.release, lambda: None, lambda: None, lambda: None))
    table.start(3600, "", datetime.now(UTC) + timedelta(hours=5))
    table.clock_jumped(3600, "", datetime.now(UTC))
    assert ticks.acquire(timeout=10)
    table.end()


def test_the_watchdog_shortens_the_tick() -> None:
    """V-30: half of WATCHDOG_USEC."""
    calls = Calls(lambda: None, lambda: None, lambda: None, lambda: None)
    assert Timetable(calls, 20.0).tick_seconds == 10.0
    assert Timetable(calls, 600.0).tick_seconds == Timetable(calls).tick_seconds == 30.0


def test_a_job_that_raises_is_told_and_counted_as_missed() -> None:
    """T-05."""
    missed = threading.Event()

    def broken() -> None:
        raise RuntimeError("broken")

    table = Timetable(Calls(broken, lambda: None, lambda: None, missed.set))
    table.start(3600, "", datetime.now(UTC))
    assert missed.wait(10)
    table.end()


# ---- jobs --------------------------------------------------------------------------------------------------------


class Workshop:
    """Work that a test holds up, and that notes when it ran beside itself."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Semaphore(0), threading.Semaphore(0)
        self.at_once = self.most = self.runs = 0
        self.failures: list[str] = []
        self.job = Job("work", self._work, lambda name, problem: self.failures.append(f"{name}: {problem}"))
        self.job.start()

    def _work(self) -> None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.begun.release()
        assert self.go_on.acquire(timeout=20)
        self.at_once -= 1
        self.runs += 1
        if self.runs == 1:
            raise RuntimeError("first")


def test_what_is_asked_for_during_a_run_comes_once_after_it() -> None:
    """T-10: nothing is lost, nothing runs beside itself, and a failure ends one run only."""
    shop = Workshop()
    assert shop.job.ask()
    assert shop.begun.acquire(timeout=20)
    assert [shop.job.ask() for _ in range(5)] == [False] * 5
    shop.go_on.release(2)
    assert shop.begun.acquire(timeout=20)
    shop.job.end()
    assert shop.job.wait(20)
    assert (shop.runs, shop.most, shop.failures) == (2, 1, ["work: first"])


def test_a_job_at_its_end_begins_nothing_and_says_whether_it_came_to_it() -> None:
    """T-08, V-32."""
    shop = Workshop()
    shop.job.ask()
    assert shop.begun.acquire(timeout=20)
    shop.job.end()
    shop.job.ask()
    assert not shop.job.wait(0.05)
    shop.go_on.release()
    assert shop.job.wait(20)
    assert shop.runs == 1


def test_a_paused_job_waits_with_its_next_run() -> None:
    shop = Workshop()
    with shop.job.paused():
        shop.job.ask()
        assert not shop.begun.acquire(timeout=0.1)
    assert shop.begun.acquire(timeout=20)
    shop.go_on.release()
    shop.job.end()
    assert shop.job.wait(20)
