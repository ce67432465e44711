"""`schedule.cron`: five fields as cron has them, weekdays by name (T-07).

The ticker counts weekdays from Monday, cron from Sunday, so a number there would run on the wrong day: it is refused
with the name that was meant.
"""

import re

from feedsvc.settings.faults import Unfit, shown

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12))
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS_OF_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FULL_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EXAMPLE = 'such as "*/10 * * * *" or "30 6 * * mon-fri"'

PART = r"(?:\*|(?P<first>[0-9]{1,2})(?:-(?P<last>[0-9]{1,2}))?)(?:/(?P<step>[0-9]{1,2}))?"
NUMERIC_DAYS = r"(?:\*|[0-7])(?:-[0-7])?(?:/[0-9]{1,2})?(?:,(?:\*|[0-7])(?:-[0-7])?(?:/[0-9]{1,2})?)*"


def cron(text: str) -> str:
    """Return five fields, a blank between them, in lower case, with months as numbers: what the ticker reads."""
    fields = text.lower().split()
    if len(fields) != 5:
        raise Unfit(f"needs five fields (minute hour day month weekday), found {len(fields)}; {EXAMPLE}")
    fields[3] = _with_numbers(fields[3])
    values = [_numbers(field, *rule) for field, rule in zip(fields, FIELDS, strict=False)]
    _check_weekdays(fields[4])
    if min(values[2]) > max(DAYS_OF_MONTH[month - 1] for month in values[3]):
        raise Unfit(f"never comes: no month named here has a day {min(values[2])}")
    return " ".join(fields)


def _numbers(field: str, name: str, low: int, high: int) -> set[int]:
    """Return all values that a field stands for."""
    return {value for part in field.split(",") for value in _span(part, name, low, high)}


def _with_numbers(months: str) -> str:
    return re.sub(r"[a-z]+", lambda word: str(MONTHS.index(word[0]) + 1) if word[0] in MONTHS else word[0], months)


def _span(part: str, name: str, low: int, high: int) -> range:
    found = re.fullmatch(PART, part)
    if not found:
        raise Unfit(f"has no {name} in {shown(part)}; write *, */10, 5, 5-20 or 1,15, {EXAMPLE}")
    first, last, step = _ends(found, low, high)
    if not low <= first <= last <= high:
        raise Unfit(f"has a {name} out of range in {shown(part)}: from {low} to {high}, the smaller first")
    if found["step"] and not 1 <= step <= last - first:
        raise Unfit(f"has a step that fits no {name} in {shown(part)}")
    return range(first, last + 1, step)


def _ends(found: re.Match[str], low: int, high: int) -> tuple[int, int, int]:
    """Return first, last and step: `5` is one value, `5/10` goes on to the end."""
    first = int(found["first"] or low)
    alone = found["first"] and not found["step"]
    return first, int(found["last"] or (first if alone else high)), int(found["step"] or 1)


def _check_weekdays(field: str) -> None:
    if field == "*":
        return
    if re.fullmatch(NUMERIC_DAYS, field):
        days = _cron_days(field)
        named = ", ".join(FULL_NAMES[day] for day in days)
        raise Unfit(f"has weekdays as numbers: {shown(field)} is {named} in cron; write {shown(_spelled(days))}")
    for part in field.split(","):
        _check_named(part)


def _check_named(part: str) -> None:
    names = part.split("-")
    if len(names) > 2 or any(name not in WEEKDAYS for name in names):
        raise Unfit(f"has no weekday in {shown(part)}; write *, mon, mon-fri or sat,sun")
    if WEEKDAYS.index(names[0]) > WEEKDAYS.index(names[-1]):
        raise Unfit(f"has weekdays that run over the end of the week in {shown(part)}: weeks begin with mon; list them")


def _cron_days(field: str) -> list[int]:
    """Return the weekdays, Monday as 0, that cron takes numbers for: 0 and 7 are Sunday."""
    days = set()
    for part in field.split(","):
        whole, _, step = part.partition("/")
        first, _, last = ("0-6" if whole == "*" else whole).partition("-")
        end = int(last or ("6" if step else first))
        end += 7 if end < int(first) else 0
        days |= {(day - 1) % 7 for day in range(int(first), end + 1, max(1, int(step or 1)))}
    return sorted(days)


def _spelled(days: list[int]) -> str:
    if len(days) == 7:
        return "*"
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return f"{WEEKDAYS[days[0]]}-{WEEKDAYS[days[-1]]}"
    return ",".join(WEEKDAYS[day] for day in days)
