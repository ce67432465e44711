"""Names of time zones: the few that a table may settle, and those of the IANA database (DT-03)."""

import re
from datetime import UTC, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from feedsvc.patterns import pattern
from feedsvc.text.datepieces import offset


def _hours(**names: float) -> dict[str, timedelta]:
    return {name: timedelta(hours=hours) for name, hours in names.items()}


RFC_822 = _hours(UT=0, UTC=0, GMT=0, Z=0, EST=-5, EDT=-4, CST=-6, CDT=-5, MST=-7, MDT=-6, PST=-8, PDT=-7)
"""Names that RFC 822 and RFC 2822 §4.3 define."""

NAMED = RFC_822 | _hours(WET=0, WEST=1, CET=1, CEST=2, EET=2, EEST=3, MSK=3, JST=9, KST=9, AEST=10, AEDT=11)
"""Names that feeds use and that have one meaning there (DT-03); others (IST, BST …) have several and are unknown."""

_ZERO_AND_OFFSET = pattern(r"(?:GMT|UTC|UT|Z) ?([+\-\u2212][0-9:]{1,5})", re.IGNORECASE)
_OFFSET_AND_NAME = pattern(r"([+\-\u2212][0-9:]{1,5}) [A-Za-z]{1,5}")
_REGION = pattern(r"[A-Z][A-Za-z_]{1,20}(?:/[A-Za-z0-9_+\-]{1,30}){1,2}")
_ABBREVIATION = pattern(r"[A-Z]{2,5}")


def feed_zone(text: str) -> tuple[tzinfo, str | None] | None:
    """Return the zone that a feed names and, where nobody can know that name, the name itself (counted as UTC).

    None where the text is not a zone at all. `GMT+7` is seven hours east; single letters are UTC. Source: DT-03,
    RFC 2822 §4.3.
    """
    if (east := _numeric(text)) is not None:
        return timezone(east), None
    if (east := NAMED.get(text.upper())) is not None:
        return timezone(east), None
    if len(text) == 1 and text.isascii() and text.isalpha():
        return UTC, None
    if _REGION.fullmatch(text):
        place = _iana(text)
        return (place, None) if place else (UTC, text)
    return (UTC, text) if _ABBREVIATION.fullmatch(text) else None


def _numeric(text: str) -> timedelta | None:
    for shape in (_ZERO_AND_OFFSET, _OFFSET_AND_NAME):
        if found := shape.fullmatch(text):
            return offset(found[1])
    return offset(text)


def _iana(name: str) -> tzinfo | None:
    """Return a zone of the database; a folder or file of another kind below it is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
