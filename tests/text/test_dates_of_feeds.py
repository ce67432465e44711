"""Dates that feeds give (DT-01 to DT-05)."""

from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedsvc.text.dates import FeedDate, read_feed_date

BERLIN = ZoneInfo("Europe/Berlin")
SPAN = datetime(1990, 1, 2), datetime(2049, 1, 1)  # noqa: DTZ001 - the zone is drawn apart
INSTANTS = st.datetimes(*SPAN).map(lambda when: when.replace(microsecond=0))
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def instant(text: str) -> str | None:
    read = read_feed_date(text, BERLIN)
    return None if read is None else f"{read.instant:%Y-%m-%dT%H:%M:%S}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00"),
        ("01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00"),
        ("Mon, 01 May 2024 10:00 +0200", "2024-05-01T08:00:00"),
        ("Wed,01 May 24 10:00 PST", "2024-05-01T18:00:00"),
        ("Wednesday, 1 September 99 10:00:00 EDT", "1999-09-01T14:00:00"),
        ("Wed, 01 Sept 2004 10:00:00 -0800 (PST)", "2004-09-01T18:00:00"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37"),
        ("Fri, 01 Jan 103 10:00:00 GMT", "2003-01-01T10:00:00"),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00"),
        ("2024-05-01T10:00:00.123456789+05:30", "2024-05-01T04:30:00"),
        ("2024-05-01 10:00:00 +0000 UTC", "2024-05-01T10:00:00"),
        ("20240501T100000Z", "2024-05-01T10:00:00"),
        ("20240501T1000+0200", "2024-05-01T08:00:00"),
        ("2024/05/01 10:00:00 EST", "2024-05-01T15:00:00"),
        ("Wed May  1 10:00:00 2024", "2024-05-01T08:00:00"),
        ("Wed May  1 10:00:00 PDT 2024", "2024-05-01T17:00:00"),
        ("May 1, 2024 10:00 PM", "2024-05-01T20:00:00"),
        ("1 May 2024 12:00 AM GMT", "2024-05-01T00:00:00"),
        ("Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00"),
        ("2016-12-31T24:00:00Z", "2017-01-01T00:00:00"),
        ("Wed, 01 May 2024 10:00:00", "2024-05-01T08:00:00"),
    ],
)
def test_each_form_that_feeds_use_is_read(text: str, expected: str) -> None:
    """DT-01, DT-04."""
    assert instant(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2025-W10-1",
        "2025-062",
        "2025062",
        "1741000000",
        "1741000000000",
        "2024",
        "2024-05",
        "12/31/1999",
        "03 Apr 02 1500 GMT",
        "Seg, 24 Set 2018 19:18:49 -0300",
        "Xyz, 24 Sep 2018 19:18:49 -0300",
        "1 May 2024 10:00 Uhr",
        "1 May 2024 10:00 GMT maybe",
        "30 Feb 2024 10:00 GMT",
        "2024-05-01T10:61:00Z",
        "2024-05-01T25:00:00Z",
        "2024-05-01T10:00:00+9900",
        "May 1, 2024 13:00 PM",
        "2017-06-13T03:18:00+00:0",
        "",
        "   ",
        "x" * 300,
        "2024-05-01T10:00:00Zulu",
        "2024-05-01 10:00 a/b",
    ],
)
def test_what_is_not_understood_whole_is_no_date(text: str) -> None:
    """DT-02, DT-05, DT-06."""
    assert instant(text) is None


@pytest.mark.parametrize(
    ("zone", "east"),
    [
        ("UT", 0),
        ("UTC", 0),
        ("gmt", 0),
        ("Z", 0),
        ("A", 0),
        ("EST", -5),
        ("PDT", -7),
        ("CET", 1),
        ("CEST", 2),
        ("WEST", 1),
        ("EET", 2),
        ("MSK", 3),
        ("JST", 9),
        ("AEDT", 11),
        ("GMT+7", 7),
        ("GMT-7", -7),
        ("UTC+02:00", 2),
        ("GMT +0200", 2),
        ("+0530", 5.5),
        ("-05:00", -5),
        ("+02", 2),
        ("Europe/Berlin", 2),
        ("America/New_York", -4),
        ("Etc/GMT+7", -7),
        ("-0800 PST", -8),
    ],
)
def test_zones_are_read_by_number_by_table_and_by_place(zone: str, east: float) -> None:
    """DT-03: `GMT+7` is seven hours east, as written."""
    midday = datetime(2024, 5, 1, 12, tzinfo=UTC) - timedelta(hours=east)
    assert read_feed_date(f"1 May 2024 12:00 {zone}", UTC) == FeedDate(midday)


@pytest.mark.parametrize("zone", ["IST", "BST", "XYZ", "Mars/Olympus", "America/Argentina"])
def test_a_zone_that_nobody_can_know_counts_as_utc_and_is_named(zone: str) -> None:
    """DT-03."""
    expected = FeedDate(datetime(2024, 5, 1, 12, tzinfo=UTC), unknown_zone=zone)
    assert read_feed_date(f"1 May 2024 12:00 {zone}", BERLIN) == expected


@pytest.mark.parametrize("text", ["2024-05-01", "20240501", "1 May 2024", "May 1, 2024"])
def test_a_date_without_time_is_midnight_of_the_site(text: str) -> None:
    """DT-04."""
    assert read_feed_date(text, BERLIN) == FeedDate(datetime(2024, 4, 30, 22, tzinfo=UTC), day_only=True)


@given(INSTANTS, OFFSETS)
def test_every_written_form_reads_back_as_its_instant(when: datetime, zone: timezone) -> None:
    """DT-01, DT-03."""
    there = when.replace(tzinfo=zone)
    mail = format_datetime(there)
    east = there.strftime("%z")
    forms = (
        mail,
        mail.replace(", ", ","),
        mail.partition(", ")[2],
        mail.replace(f" {there.year} ", f" {there.year % 100:02} "),
        f"{mail} (a remark)",
        there.isoformat(),
        f"{there:%Y%m%dT%H%M%S}{east}",
        f"{there:%Y-%m-%d %H:%M:%S}{east}",
        f"{there:%b} {there.day}, {there:%Y %H:%M:%S} GMT{east}",
    )
    for form in forms:
        assert read_feed_date(form, BERLIN) == FeedDate(there.astimezone(UTC)), form


@given(
    st.text(max_size=80)
    | st.from_regex(r"[A-Za-z]{0,9},? ?[0-9]{1,8}[-/ T][0-9A-Za-z]{1,9}[-/ ,:]{1,2}[0-9A-Z: +/-]{0,40}")
)
def test_no_text_whatsoever_stops_the_reader(text: str) -> None:
    """DT-02: never an exception, and whole seconds of UTC or nothing."""
    read = read_feed_date(text, BERLIN)
    assert read is None or (read.instant.tzinfo is UTC and read.instant.microsecond == 0)
