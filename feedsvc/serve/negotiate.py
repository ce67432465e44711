"""What a request's headers choose: a coding, or 304; nothing else (serving V-01, V-02, V-10, V-17)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

from feedsvc.patterns import pattern

IDENTITY = "identity"
_ALIASES = {"x-gzip": "gzip"}
_WEIGHT = pattern(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
_TAG = pattern(r'(?:W/)?("[^"]*")')
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_DATES = tuple(
    pattern(form, re.IGNORECASE)
    for form in (
        rf"[a-z]{{3}}, (?P<day>[0-9]{{2}}) (?P<month>[a-z]{{3}}) (?P<year>[0-9]{{4}}) {_CLOCK} GMT",
        rf"[a-z]{{6,9}}, (?P<day>[0-9]{{2}})-(?P<month>[a-z]{{3}})-(?P<year>[0-9]{{2}}) {_CLOCK} GMT",
        rf"[a-z]{{3}} (?P<month>[a-z]{{3}}) (?P<day>[0-9 ][0-9]) {_CLOCK} (?P<year>[0-9]{{4}})",
    )
)
"""The three forms of an HTTP-date (RFC 9110 §5.6.7); a recipient takes them all."""


def weights(accepted: str) -> Mapping[str, float]:
    """Return coding → weight of an Accept-Encoding header, in lower case.

    A weight nobody can read counts as none, and of a coding that is named twice the lower weight holds.
    """
    found: dict[str, float] = {}
    for part in accepted.lower().split(","):
        coding, *parameters = (piece.strip() for piece in part.split(";"))
        if coding:
            name = _ALIASES.get(coding, coding)
            found[name] = min(_weight(parameters), found.get(name, 1.0))
    return found


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            value = value.strip()
            return float(value) if _WEIGHT.fullmatch(value) else 0.0
    return 1.0


@lru_cache(maxsize=512)
def coding(accepted: str | None, offered: tuple[str, ...]) -> str | None:
    """Return the coding of those offered (best first) that a request wants most, None when it takes none of them.

    Without the header nothing is compressed: who does not ask may not be able to read it. Where identity is not named
    it is welcome after everything that is. (RFC 9110 §12.5.3)
    """
    if accepted is None:
        return IDENTITY
    wanted = weights(accepted)
    rest = wanted.get("*", 0.0)
    least = wanted.get("*", 1.0)
    best, height = None, 0.0
    for name in offered:
        unnamed = (0.0001 if least else 0.0) if name == IDENTITY else rest
        weight = wanted.get(name, unnamed)
        if weight > height:
            best, height = name, weight
    return best


def tags(header: str) -> tuple[str, ...]:
    """Return the entity tags of an If-None-Match header with the sign of weakness taken off: `"a"` for `W/"a"`."""
    return tuple(_TAG.findall(header))


@lru_cache(maxsize=512)
def instant(text: str) -> int | None:
    """Return an HTTP-date as seconds since 1970, None when it is none (RFC 9110 §5.6.7)."""
    found = next((match for form in _DATES if (match := form.fullmatch(text))), None)
    if found is None or found["month"].lower() not in _MONTHS:
        return None
    year = int(found["year"])
    if len(found["year"]) == 2:
        year += 2000 if year < 70 else 1900
    clock = int(found["hour"]), int(found["minute"]), min(int(found["second"]), 59)
    try:
        at = datetime(year, _MONTHS.index(found["month"].lower()) + 1, int(found["day"]), *clock, tzinfo=UTC)
    except ValueError:
        return None
    return int(at.timestamp())


def http_date(seconds: int) -> str:
    """Return a time as an IMF-fixdate, whatever the locale."""
    at = datetime.fromtimestamp(seconds, UTC)
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[at.weekday()]
    return f"{day}, {at.day:02} {_MONTHS[at.month - 1].title()} {at.year:04} {at:%H:%M:%S} GMT"
