"""Pieces that every written date is made of: names, patterns, numbers to a moment.

Names of days and months are English whatever the locale (D6), digits are ASCII, each pattern is linear.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from feedsvc.patterns import pattern

MONTHS = {
    name[:length]: number
    for number, name in enumerate(
        ("january february march april may june july august september october november december".split()),
        start=1,
    )
    for length in (3, len(name))
} | {"sept": 9}

_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {name[:length]: number for number, name in enumerate(_DAYS) for length in (3, len(name))} | {
    "tues": 1,
    "weds": 2,
    "thur": 3,
    "thurs": 3,
}

CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,][0-9]{1,9})?)?"
OFFSET = pattern(r"(?P<sign>[+\-\u2212])(?P<hours>[0-9]{1,2}):?(?P<minutes>[0-9]{2})?")


def one_blank(text: str) -> str:
    """Return the text with each run of white space, NO-BREAK SPACE included, as one blank, none at the ends (D1)."""
    return " ".join(text.split())


def month_number(name: str) -> int | None:
    """Return 1 to 12 for an English month, full or short, also `Sept` and `Sep.`; None for any other word."""
    return MONTHS.get(name.rstrip(".").lower())


def weekday_number(name: str) -> int | None:
    """Return 0 (Monday) to 6 for an English weekday, full or short; None for any other word."""
    return WEEKDAYS.get(name.rstrip(".,").lower())


def offset(text: str) -> timedelta | None:
    """Return what `+02:00`, `-0400`, `+02` say, east positive; None for another text or more than 23:59."""
    found = OFFSET.fullmatch(text)
    if not found:
        return None
    hours, minutes = int(found["hours"]), int(found["minutes"] or 0)
    if hours > 23 or minutes > 59:
        return None
    size = timedelta(hours=hours, minutes=minutes)
    return size if found["sign"] == "+" else -size


def existing(year: int, month: int, day: int) -> date | None:
    """Return the day, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def moment(day: date, clock: timedelta, zone: tzinfo) -> datetime | None:
    """Return the UTC instant of a wall clock in a zone, daylight saving included (D3), whole seconds.

    A wall clock that a change to summer time leaps over counts from before the leap; of a repeated hour it is the
    first. None where the instant leaves the years 1 to 9999.
    """
    try:
        wall = datetime.combine(day, time()) + clock
        return wall.replace(tzinfo=zone).astimezone(UTC).replace(microsecond=0)
    except (OverflowError, ValueError):
        return None
