"""What the headers of an answer say about time: Retry-After, Cache-Control, Age, Expires, Date.

Whatever cannot be read strictly counts as absent: no exception, no earlier poll, no silence of years (F-19). Dates come
in the three forms of RFC 9110 §5.6.7. A date counts from the answer's own `Date`, so that a wrong clock on either side
does no harm (F-14). Seconds throughout.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from feedsvc.patterns import pattern

LONGEST = 10**9
_DIGITS = pattern(r"[0-9]+\Z")
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_DAY = r"(?:[A-Za-z]{3,9})"
_CLOCK = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_DATES = tuple(
    pattern(form + r"\Z")
    for form in (
        rf"{_DAY}, (?P<day>[0-9]{{2}}) (?P<month>[A-Za-z]{{3}}) (?P<year>[0-9]{{4}}) {_CLOCK} (?:GMT|UTC)",
        rf"{_DAY}, (?P<day>[0-9]{{2}})-(?P<month>[A-Za-z]{{3}})-(?P<year>[0-9]{{2}}) {_CLOCK} (?:GMT|UTC)",
        rf"{_DAY} (?P<month>[A-Za-z]{{3}}) (?P<day>[0-9 ][0-9]) {_CLOCK} (?P<year>[0-9]{{4}})",
    )
)


def http_date(text: str) -> datetime | None:
    """Return an HTTP-date, None where it is none."""
    text = text.strip(" \t")
    found = next((match for form in _DATES if (match := form.match(text))), None)
    if found is None:
        return None
    year = int(found["year"])
    if len(found["year"]) == 2:
        year += 1900 if year >= 70 else 2000
    try:
        return datetime(
            year,
            _MONTHS[found["month"].lower()],
            int(found["day"]),
            int(found["hour"]),
            int(found["minute"]),
            min(int(found["second"]), 59),
            tzinfo=UTC,
        )
    except (KeyError, ValueError):
        return None


def delta_seconds(text: str) -> int | None:
    """Return a whole number of seconds, at most LONGEST, None where the text is anything else."""
    text = text.strip(" \t")
    if not _DIGITS.match(text):
        return None
    significant = text.lstrip("0")
    return min(int(significant or "0"), LONGEST) if len(significant) < 12 else LONGEST


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that `Retry-After` asks for, more than 0, or None (F-14, F-19)."""
    text = headers.get("retry-after", "")
    seconds: float | None = delta_seconds(text)
    if seconds is None and (when := http_date(text)):
        seconds = (when - answered(headers, now)).total_seconds()
    return seconds if seconds and seconds > 0 else None


def freshness(headers: Mapping[str, str], now: datetime) -> float:
    """Return for how many seconds an answer stays fresh, 0 where it does not say or says none (F-21)."""
    directives = cache_control(headers.get("cache-control", ""))
    if "no-cache" in directives or "no-store" in directives:
        return 0
    if "max-age" in directives:
        lifetime: float = delta_seconds(directives["max-age"]) or 0
    else:
        expires = http_date(headers.get("expires", ""))
        lifetime = (expires - answered(headers, now)).total_seconds() if expires else 0
    return max(0.0, lifetime - (delta_seconds(headers.get("age", "")) or 0))


def cache_control(text: str) -> Mapping[str, str]:
    """Return directive → argument, names in lower case, the first of equal ones (RFC 9111 §4.2.1)."""
    directives: dict[str, str] = {}
    for part in text.split(","):
        name, _, argument = part.partition("=")
        directives.setdefault(name.strip(" \t").lower(), argument.strip(' \t"'))
    return directives


def answered(headers: Mapping[str, str], now: datetime) -> datetime:
    """Return the answer's own `Date`, else now."""
    return http_date(headers.get("date", "")) or now
