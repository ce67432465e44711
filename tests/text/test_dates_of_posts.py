"""Dates that authors write (D1, D2, D3, D6)."""

from datetime import UTC, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedsvc.text.datepieces import MONTHS
from feedsvc.text.dates import read_post_date

NOON = time(12)
BERLIN = ZoneInfo("Europe/Berlin")
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
SPAN = datetime(1971, 1, 2), datetime(2200, 1, 1)  # noqa: DTZ001 - the zone is drawn apart
INSTANTS = st.datetimes(*SPAN).map(lambda when: when.replace(microsecond=0))
LONG = [name for name in MONTHS if len(name) > 4 or name == "may" or name in {"june", "july"}]


def instant(text: str, zone: ZoneInfo | timezone = UTC) -> str | None:
    read = read_post_date(text, zone, NOON)
    return None if read is None else read.instant.isoformat()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00+00:00"),
        ("2024-05-01t10:00:00z", "2024-05-01T10:00:00+00:00"),
        ("2024-05-01 10:00", "2024-05-01T10:00:00+00:00"),
        ("2024-5-1 8:00:00 -0400", "2024-05-01T12:00:00+00:00"),
        ("2024-05-01T10:00:00.750+02:00", "2024-05-01T08:00:00+00:00"),
        ("2024-05-01 10:00:00 UTC", "2024-05-01T10:00:00+00:00"),
        ("2024-05-01 10:00 GMT", "2024-05-01T10:00:00+00:00"),
        ("\u00a0 2024-04-03\u00a010:49:03 -0400", "2024-04-03T14:49:03+00:00"),
        ("Wed, 01 May 2024 10:00:00 +0530", "2024-05-01T04:30:00+00:00"),
        ("1 May 2024 10:00 EST", "2024-05-01T15:00:00+00:00"),
        ("Wed, 01 May 2024 10:00:00 -0400 (EDT)", "2024-05-01T14:00:00+00:00"),
        ("17 Sep 2024", "2024-09-17T12:00:00+00:00"),
        ("10 Sep, 2024", "2024-09-10T12:00:00+00:00"),
        ("Sept 23 2024", "2024-09-23T12:00:00+00:00"),
        ("September 23, 2024", "2024-09-23T12:00:00+00:00"),
        ("Sep. 3rd, 2024", "2024-09-03T12:00:00+00:00"),
        ("MAY 7 2024", "2024-05-07T12:00:00+00:00"),
        ("Sep 3,2024", "2024-09-03T12:00:00+00:00"),
        ("3 Sep,2024,10:00", "2024-09-03T10:00:00+00:00"),
        ("2024-02-29", "2024-02-29T12:00:00+00:00"),
    ],
)
def test_each_form_that_authors_write_is_read(text: str, expected: str) -> None:
    """D1."""
    assert instant(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "03/04/2026",
        "3.4.2026",
        "2026",
        "2026-05",
        "20260501",
        "2026-W10-1",
        "2026-062",
        "1741000000",
        "2026-05-01 10:00 CET",
        "2026-05-01 10:00 IST",
        "1 May 2026 10:00 CET",
        "1 May 2026 10:00 J",
        "2024-13-01",
        "2026-02-29",
        "2026-02-30",
        "31 June 2026",
        "2026-05-01 24:00",
        "2026-05-01 10:60",
        "2026-05-01 10:00:60",
        "2026-05-01 10:00 +2500",
        "2026-05-01 10",
        "Mon, 17 Sep 2024",
        "1 Mai 2026",
        "yesterday",
        "",
        "2026-05-01 or so",
        "٢٠٢٦-٠٥-٠١",
        "9999-12-31T23:00:00-02:00",
        "May 2026",
        "17 Sep 24",
        "0026-05-01",
        "1May 2026",
    ],
)
def test_what_could_be_read_in_two_ways_or_does_not_exist_is_no_date(text: str) -> None:
    """D2."""
    assert instant(text) is None


def test_a_date_alone_takes_the_default_time_of_the_sites_zone_summer_and_winter() -> None:
    """D3."""
    summer, winter = read_post_date("2025-05-05", BERLIN, NOON), read_post_date("2025-01-05", BERLIN, NOON)
    assert summer is not None
    assert winter is not None
    assert (summer.instant, summer.day_only) == (datetime(2025, 5, 5, 10, tzinfo=UTC), True)
    assert (winter.instant, winter.day_only) == (datetime(2025, 1, 5, 11, tzinfo=UTC), True)


def test_a_time_without_zone_is_of_the_sites_zone_also_where_summer_time_begins_and_ends() -> None:
    """D3: in the hour that is leapt over the clock from before counts, in the hour that comes twice the first."""
    assert instant("2025-04-05 18:30:00", BERLIN) == "2025-04-05T16:30:00+00:00"
    assert instant("2025-03-30 02:30", BERLIN) == "2025-03-30T01:30:00+00:00"
    assert instant("2025-10-26 02:30", BERLIN) == "2025-10-26T00:30:00+00:00"


@given(INSTANTS, OFFSETS, st.sampled_from(["T", " ", "  ", "\u00a0"]), st.sampled_from(["", " ", "\u00a0"]))
def test_every_iso_form_reads_back_as_its_instant(when: datetime, zone: timezone, mark: str, gap: str) -> None:
    """D1, D5."""
    there = when.replace(tzinfo=zone)
    east = there.strftime("%z")
    for written in (east, f"{east[:3]}:{east[3:]}"):
        read = read_post_date(f"{there:%Y-%m-%d}{mark}{there:%H:%M:%S}{gap}{written}", BERLIN, NOON)
        assert read is not None
        assert (read.instant, read.instant.tzinfo, read.day_only) == (there, UTC, False)


@given(INSTANTS, st.sampled_from(LONG), st.sampled_from(["{d} {m} {y}", "{d} {m}, {y}", "{m} {d} {y}", "{m} {d}, {y}"]))
def test_every_date_in_words_reads_back_as_its_day(when: datetime, month: str, form: str) -> None:
    """D1."""
    number, day = MONTHS[month], min(when.day, 28)
    for name in (month, month.title(), month[:3].upper()):
        read = read_post_date(form.format(d=day, m=name, y=f"{when.year:04}"), UTC, NOON)
        assert read is not None
        assert (read.instant, read.day_only) == (datetime(when.year, number, day, 12, tzinfo=UTC), True)


@given(st.text(max_size=60) | st.from_regex(r"[0-9]{1,5}[-/ ][0-9A-Za-z]{1,4}[-/ ,]{1,2}[0-9: +Z]{0,20}"))
def test_no_text_whatsoever_stops_the_reader(text: str) -> None:
    """B7."""
    read = read_post_date(text, BERLIN, NOON)
    assert read is None or (read.instant.tzinfo is UTC and read.instant.microsecond == 0)
