"""What headers say about time, strictly read (F-14, F-15, F-19, F-21)."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.collect.headers import LONGEST, cache_control, delta_seconds, freshness, http_date, retry_after

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
anything = st.text(st.characters(max_codepoint=255), max_size=60)


def spelled(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    "text",
    [
        "Mon, 04 May 2026 08:00:00 GMT",
        "Monday, 04-May-26 08:00:00 GMT",
        "Mon May  4 08:00:00 2026",
        " Mon, 04 May 2026 08:00:00 UTC ",
    ],
)
def test_the_three_forms_of_a_date_are_read(text: str) -> None:
    """RFC 9110 §5.6.7"""
    assert http_date(text) == NOW


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "-1", "now", "2026-05-04"),
        "Mon, 32 May 2026 08:00:00 GMT",
        "Mon, 04 Mai 2026 08:00:00 GMT",
        "Mon, 04 May 2026 08:00:00 CET",
        "Mon, 04 May 2026 08:00:00 GMT, Mon, 04 May 2026 09:00:00 GMT",
        "Mon, 04 May 0000 08:00:00 GMT",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    """F-19"""
    assert http_date(text) is None


def test_seconds_and_dates_are_taken_and_a_date_counts_from_the_answers_own() -> None:
    """F-14"""
    assert retry_after({"retry-after": " 14400 "}, NOW) == 14_400
    assert retry_after({"retry-after": "00120"}, NOW) == 120
    wrong = NOW - timedelta(days=1)
    answer = {"date": spelled(wrong), "retry-after": spelled(wrong + timedelta(hours=4))}
    assert retry_after(answer, NOW) == 4 * 3600
    assert retry_after({"retry-after": spelled(NOW + timedelta(hours=5))}, NOW) == 5 * 3600


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "-1", "+5", "1.5", "1e3", "later", "60, 120", "60;x", "\u00b2", "1_000", "0x10"),
        "Mon, 04 May 2026 07:00:00 GMT",
        "Sun May  3 08:00:00 2026",
    ],
)
def test_zero_negative_fractions_words_lists_and_the_past_count_as_absent(text: str) -> None:
    """F-19"""
    assert retry_after({"retry-after": text}, NOW) is None


def test_a_number_of_any_length_is_a_number() -> None:
    """F-19: 5,000 digits are no exception."""
    assert delta_seconds("9" * 5000) == LONGEST
    assert delta_seconds("0" * 5000 + "7") == 7
    assert delta_seconds("0") == 0


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, 0),
        ({"cache-control": "public, max-age=21600"}, 21_600),
        ({"cache-control": 'Max-Age="60"'}, 60),
        ({"cache-control": "max-age=60, max-age=600"}, 60),
        ({"cache-control": "max-age=21600", "age": "18000"}, 3600),
        ({"cache-control": "max-age=60", "age": "100"}, 0),
        ({"cache-control": "max-age=60", "age": "-100"}, 60),
        ({"cache-control": "no-store, max-age=21600"}, 0),
        ({"cache-control": "max-age=21600, No-Cache"}, 0),
        ({"cache-control": "s-maxage=21600"}, 0),
        ({"cache-control": "max-age=-5"}, 0),
        ({"cache-control": "max-age=x", "date": spelled(NOW), "expires": spelled(NOW + timedelta(hours=7))}, 0),
        ({"cache-control": "no-cache", "date": spelled(NOW), "expires": spelled(NOW + timedelta(hours=7))}, 0),
        ({"date": spelled(NOW), "expires": spelled(NOW + timedelta(hours=7))}, 7 * 3600),
        ({"date": spelled(NOW - timedelta(hours=1)), "expires": spelled(NOW)}, 3600),
        ({"expires": spelled(NOW + timedelta(hours=7))}, 7 * 3600),
        ({"date": spelled(NOW), "expires": spelled(NOW - timedelta(hours=7))}, 0),
        ({"expires": "0"}, 0),
        ({"expires": "-1"}, 0),
        ({"cache-control": "max-age=60", "date": spelled(NOW), "expires": spelled(NOW + timedelta(hours=9))}, 60),
    ],
)
def test_freshness_is_max_age_less_age_else_expires_less_date(headers: dict[str, str], wait: float) -> None:
    """F-21, RFC 9111 §4.2"""
    assert freshness(headers, NOW) == wait


@settings(deadline=None)
@given(anything, anything, anything, anything, anything)
def test_no_header_raises_or_gives_less_than_nothing(
    retry: str, control: str, expires: str, date: str, age: str
) -> None:
    """F-19"""
    headers = {"retry-after": retry, "cache-control": control, "expires": expires, "date": date, "age": age}
    assert freshness(headers, NOW) >= 0
    found = retry_after(headers, NOW)
    assert found is None or found > 0


@settings(deadline=None)
@given(
    st.from_regex(
        r"(Mon|Monday),? [0-9 ][0-9][ -](Feb|May)[ -][0-9]{2,4} [0-9]{2}:[0-9]{2}:[0-9]{2}( GMT)?", fullmatch=True
    )
)
def test_a_date_that_cannot_be_is_none_and_no_exception(text: str) -> None:
    """F-19: 31 February, hour 25."""
    found = http_date(text)
    assert found is None or found.tzinfo is UTC


@pytest.mark.parametrize("unit", ["a", " ", ",", '"', "=", 'max-age="', "0", "\\"])
def test_long_headers_cost_no_time(unit: str) -> None:
    """S-43: linear in the length; the test's own time limit would end it."""
    text = unit * 65_000
    cache_control(text)
    http_date(text)
    delta_seconds(text)


@settings(deadline=None)
@given(st.integers(0, 3_155_759_999))
def test_every_date_that_is_written_is_read(seconds: int) -> None:
    """F-14: from 1970 to 2069, which two digits can say."""
    whole = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    assert http_date(spelled(whole)) == whole
    assert http_date(f"{whole:%A, %d-%b-%y %H:%M:%S GMT}") == whole
    assert http_date(f"{whole:%a %b} {whole.day:2d} {whole:%H:%M:%S %Y}") == whole
