"""Dates in feeds: each form that is understood whole, and none that is understood by half (DT-01 to DT-06).

Whether a date can be believed against the clock (DT-06) is the caller's to say: nothing here knows what time it is.
"""

import re
from datetime import date, datetime, timedelta, tzinfo

from msgspec import Struct

from feedsvc.patterns import pattern
from feedsvc.text.datepieces import CLOCK, existing, moment, month_number, one_blank, weekday_number
from feedsvc.text.zones import feed_zone

_COMMENT = pattern(r" ?\([^()]{0,60}\)")
_HALF = r"(?: ?(?P<half>[AaPp])\.?[Mm](?![A-Za-z])\.?)?"
_ZONE = r"(?: ?(?P<zone>[A-Za-z+\-\u2212][A-Za-z0-9_+\-\u2212:/ ]{0,60}))?"
_TIME = rf"{CLOCK}{_HALF}"
_WEEKDAY = r"(?:(?P<weekday>[A-Za-z]{3,9})\.?(?:, ?| ))?"
_YEAR = r"(?P<year>[0-9]{4}|[0-9]{2,3})"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[A-Za-z]{3,9}\.?)"

_SHAPES = (
    # ISO 8601 extended, RFC 3339, and the same with slashes: the year first, so in one order only
    pattern(
        rf"{_WEEKDAY}(?P<year>[0-9]{{4}})(?P<mark>[\-/])(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})"
        rf"(?:[Tt ]{_TIME}{_ZONE})?"
    ),
    # ISO 8601 basic
    pattern(
        r"(?P<weekday>)?(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})"
        r"(?:[Tt ](?P<hour>[0-9]{2}):?(?P<minute>[0-9]{2})(?::?(?P<second>[0-9]{2})(?:[.,][0-9]{1,9})?)?(?P<half>(?!))?"
        rf"{_ZONE})?"
    ),
    # RFC 822 and 2822: day, month, year; time and zone may be absent
    pattern(rf"{_WEEKDAY}{_DAY},?[ \-]{_MONTH},?[ \-]{_YEAR}(?:,? {_TIME}{_ZONE})?"),
    # the month in front: September 23, 2024
    pattern(rf"{_WEEKDAY}{_MONTH} {_DAY},? (?P<year>[0-9]{{4}})(?:,? {_TIME}{_ZONE})?"),
    # asctime, and date(1) with its zone before the year
    pattern(
        rf"{_WEEKDAY}{_MONTH} {_DAY} {_TIME}(?: (?P<zone>[A-Za-z+\-][A-Za-z0-9:+\-]{{0,9}}))? (?P<year>[0-9]{{4}})"
    ),
)


class FeedDate(Struct, frozen=True):
    """A date of a feed: UTC, whole seconds.

    `day_only`: it had no time of day and stands for midnight of that day in the zone of the site (DT-04).
    `unknown_zone`: a zone that nobody can know, counted as UTC: worth a warning (DT-03).
    """

    instant: datetime
    day_only: bool = False
    unknown_zone: str | None = None


def read_feed_date(text: str, zone: tzinfo) -> FeedDate | None:
    """Return the date that a feed gives, or None where the text is not understood whole.

    `zone` is that of dates without one. A wrong weekday is overlooked, second 60 and hour 24 roll over, two digits of
    a year are of RFC 2822 §4.3. Week dates, ordinal dates, bare years and seconds since the epoch are no dates.
    Source: DT-01 to DT-05.
    """
    if len(text) > 200:
        return None
    plain = one_blank(_COMMENT.sub(" ", text))
    for shape in _SHAPES:
        if found := shape.fullmatch(plain):
            return _assemble(found, zone)
    return None


def _assemble(found: re.Match[str], zone: tzinfo) -> FeedDate | None:
    day = _day(found)
    if day is None or (found["weekday"] and weekday_number(found["weekday"]) is None):
        return None
    if found["hour"] is None:
        midnight = moment(day, timedelta(), zone)
        return FeedDate(midnight, day_only=True) if midnight else None
    named = feed_zone(found["zone"].strip()) if found["zone"] else (zone, None)
    clock = _clock(found)
    if named is None or clock is None:
        return None
    instant = moment(day, clock, named[0])
    return FeedDate(instant, unknown_zone=named[1]) if instant else None


def _day(found: re.Match[str]) -> date | None:
    written = found["month"]
    month = int(written) if written.isdecimal() else month_number(written)
    return existing(_year(found["year"]), month, int(found["day"])) if month else None


def _year(written: str) -> int:
    """Return the year: 00 to 49 are of this century, 50 to 999 count from 1900 (RFC 2822 §4.3)."""
    year = int(written)
    if len(written) == 4:
        return year
    return year + 2000 if len(written) == 2 and year < 50 else year + 1900


def _clock(found: re.Match[str]) -> timedelta | None:
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"] in "Pp" else 0)
    if hour > 24 or minute > 59 or second > 60:
        return None
    return timedelta(hours=hour, minutes=minute, seconds=second)
