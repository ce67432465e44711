"""Cron lines are read as cron means them, or refused with what to write."""

import pytest
from apscheduler.triggers.cron import CronTrigger
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.settings.cron import cron
from feedsvc.settings.faults import Unfit


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("*/10 * * * *", "*/10 * * * *"),
        ("  30  6 * * MON-fri ", "30 6 * * mon-fri"),
        ("0,30 0-6/2 1,15 jan-jun/2 sat,sun", "0,30 0-6/2 1,15 1-6/2 sat,sun"),
        ("5/20 * 29 feb *", "5/20 * 29 2 *"),
    ],
)
def test_a_cron_line_is_five_fields(written: str, read: str) -> None:
    """T-07, interface, schedule.cron."""
    assert cron(written) == read


@pytest.mark.parametrize(
    ("field", "meant", "write"),
    [
        ("0", "Sunday", "sun"),
        ("7", "Sunday", "sun"),
        ("1", "Monday", "mon"),
        ("1-5", "Monday, Tuesday, Wednesday, Thursday, Friday", "mon-fri"),
        ("0,6", "Saturday, Sunday", "sat,sun"),
        ("0-2", "Monday, Tuesday, Sunday", "mon,tue,sun"),
        ("5-7", "Friday, Saturday, Sunday", "fri-sun"),
        ("*/3", "Wednesday, Saturday, Sunday", "wed,sat,sun"),
        ("6-1", "Monday, Saturday, Sunday", "mon,sat,sun"),
        ("0-6", "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday", "*"),
    ],
)
def test_a_numeric_weekday_is_refused_with_the_day_that_cron_means(field: str, meant: str, write: str) -> None:
    """T-07: `0 0 * * 0` is Sunday in cron and Monday in the ticker; what we advise is itself accepted."""
    with pytest.raises(Unfit) as caught:
        cron(f"0 0 * * {field}")
    assert str(caught.value) == f'has weekdays as numbers: "{field}" is {meant} in cron; write "{write}"'
    assert cron(f"0 0 * * {write}")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "needs five fields"),
        ("@hourly", "needs five fields (minute hour day month weekday), found 1"),
        ("* * * * * *", "needs five fields"),
        ("60 * * * *", 'has a minute out of range in "60": from 0 to 59'),
        ("* 24 * * *", "has a hour out of range"),
        ("* * 0 * *", "has a day out of range"),
        ("* * * 13 *", "has a month out of range"),
        ("30-10 * * * *", "the smaller first"),
        ("*/0 * * * *", "has a step that fits no minute"),
        ("*/90 * * * *", "has a step that fits no minute"),
        ("x * * * *", "has no minute in"),
        ("1,,2 * * * *", "has no minute in"),
        ("* * * foo *", "has no month in"),
        ("* * * * monday", "has no weekday in"),
        ("* * * * sat-mon", "run over the end of the week"),
        ("* * * * mon-fri/2", "has no weekday in"),
        ("0 0 31 2,4 *", "never comes"),
    ],
)
def test_a_line_that_cron_would_not_take_is_refused(written: str, said: str) -> None:
    """Interface, schedule.cron."""
    with pytest.raises(Unfit) as caught:
        cron(written)
    assert said in str(caught.value)


PARTS = st.from_regex(r"(\*|[0-9]{1,2}(-[0-9]{1,2})?)(/[0-9]{1,2})?", fullmatch=True)
FIELDS = st.lists(PARTS, min_size=1, max_size=2).map(",".join)
DAYS = st.sampled_from(["*", "mon", "mon-fri", "sat,sun", "fri-mon", "1", "sun-tue", "mon-sun", "tue-tue"])


@settings(max_examples=200, deadline=None)
@given(st.tuples(FIELDS, FIELDS, FIELDS, FIELDS, DAYS))
def test_what_passes_here_is_taken_by_the_ticker(fields: tuple[str, ...]) -> None:
    """T-07: a line that loads never fails later."""
    try:
        line = cron(" ".join(fields))
    except Unfit:
        return
    assert CronTrigger.from_crontab(line, timezone="UTC")  # type: ignore[no-untyped-call]
