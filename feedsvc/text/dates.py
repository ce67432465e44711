"""Dates in front matter: only what can be read in one way (D1, D2, D3).

Dates in feeds are read more kindly: `read_feed_date` of text/feeddates.py, offered here as well.
"""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from msgspec import Struct

from feedsvc.patterns import pattern
from feedsvc.text.datepieces import CLOCK, existing, moment, month_number, offset, one_blank, weekday_number
from feedsvc.text.feeddates import FeedDate, read_feed_date
from feedsvc.text.zones import RFC_822

__all__ = ["FeedDate", "PostDate", "read_feed_date", "read_post_date"]

_ZONE = r"(?: ?(?P<zone>[Zz]|UTC|GMT|[+\-\u2212][0-9]{2}:?(?:[0-9]{2})?))?"
_MAIL_ZONE = r"(?: (?P<zone>[A-Za-z]{1,3}|[+\-\u2212][0-9]{2}:?(?:[0-9]{2})?))?(?: \([A-Za-z ]{1,40}\))?"
_WEEKDAY = r"(?:(?P<weekday>[A-Za-z]{3,9})\.?(?:, ?| ))?"
_YEAR = r"(?P<year>[0-9]{4})"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[A-Za-z]{3,9}\.?)"

_FIRST_YEAR = 1000
"""Years before are slips of the pen, and RSS would write them with three digits (D5)."""
_COMMA = "(?:, ?| )"

_ISO = pattern(rf"{_YEAR}-(?P<month>[0-9]{{1,2}})-(?P<day>[0-9]{{1,2}})(?:(?:[Tt]| ){CLOCK}{_ZONE})?")
# As it is written most often, which needs no pieces.
_EXACT = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_WORDS = (
    pattern(rf"{_WEEKDAY}{_DAY}{_COMMA}{_MONTH}{_COMMA}{_YEAR}(?:{_COMMA}{CLOCK}{_MAIL_ZONE})?"),
    pattern(rf"{_WEEKDAY}{_MONTH}{_COMMA}{_DAY}{_COMMA}{_YEAR}(?:{_COMMA}{CLOCK}{_MAIL_ZONE})?"),
)


class PostDate(Struct, frozen=True):
    """A date of a post: UTC, whole seconds; `day_only` where the author wrote no time of day (D4)."""

    instant: datetime
    day_only: bool


def read_post_date(text: str, zone: tzinfo, default: time) -> PostDate | None:
    """Return the date that an author wrote, or None where it is none, or could be read in two ways.

    Read: ISO 8601 with `T` or blank; RFC 2822; day, English month and year in words. `zone` is that of dates without
    one, `default` the time of day of dates without time. A weekday that is wrong for its day makes it no date.
    Source: D1, D2, D3.
    """
    if _EXACT.fullmatch(text):
        with suppress(ValueError):
            instant = datetime.fromisoformat(text)
            return PostDate(instant, day_only=False) if instant.year >= _FIRST_YEAR else None
    plain = one_blank(text)
    if found := _ISO.fullmatch(plain):
        return _assemble(found, int(found["month"]), _iso_zone(found["zone"], zone), default)
    for shape in _WORDS:
        if found := shape.fullmatch(plain):
            return _from_words(found, zone, default)
    return None


def _from_words(found: re.Match[str], zone: tzinfo, default: time) -> PostDate | None:
    month = month_number(found["month"])
    read = _assemble(found, month, _mail_zone(found["zone"], zone), default) if month else None
    if read is None or found["weekday"] is None:
        return read
    day = existing(int(found["year"]), month or 0, int(found["day"]))
    return read if day and weekday_number(found["weekday"]) == day.weekday() else None


def _assemble(found: re.Match[str], month: int, zone: tzinfo | None, default: time) -> PostDate | None:
    day = existing(int(found["year"]), month, int(found["day"]))
    if day is None or zone is None:
        return None
    if found["hour"] is None:
        return _dated(day, default, zone, day_only=True)
    try:
        clock = time(int(found["hour"]), int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None
    return _dated(day, clock, zone, day_only=False)


def _dated(day: date, clock: time, zone: tzinfo, *, day_only: bool) -> PostDate | None:
    since_midnight = timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)
    instant = moment(day, since_midnight, zone)
    return PostDate(instant, day_only) if instant and instant.year >= _FIRST_YEAR else None


def _iso_zone(written: str | None, zone: tzinfo) -> tzinfo | None:
    if written is None:
        return zone
    if written.upper() in {"Z", "UTC", "GMT"}:
        return UTC
    east = offset(written)
    return None if east is None else timezone(east)


def _mail_zone(written: str | None, zone: tzinfo) -> tzinfo | None:
    """Return the zone of an RFC 2822 date: its few names are defined there (§4.3), so they are no guess."""
    if written and (east := RFC_822.get(written.upper())) is not None:
        return timezone(east)
    return _iso_zone(written, zone)
