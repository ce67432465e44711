"""When an entry was published and updated, as far as its source can be believed (DT-06 to DT-10, X-09)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo

from msgspec import Struct

from feedsvc.collect.found import Found
from feedsvc.text.characters import visible
from feedsvc.text.feeddates import read_feed_date

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
AHEAD = timedelta(days=1)
UNBELIEVABLE = "unbelievable-date"


class Dates(Struct, frozen=True):
    """The dates that are believed, None where there is none; `faults` are (what is odd, its code).

    `coming` is an `updated` of the next day: until then nothing was updated, yet an entry without another date waits
    for it (DT-06).
    """

    published: datetime | None
    updated: datetime | None
    faults: tuple[tuple[str, str], ...] = ()
    coming: datetime | None = None


def dates_of(found: Found, zone: tzinfo, now: datetime) -> Dates:
    """Return the dates of an entry; `zone` is that of dates without one (DT-04)."""
    published, faults = _first(found.published, zone, now + AHEAD)
    updated, more = _first(found.updated, zone, now + AHEAD)
    if updated and updated > now:
        return Dates(published, None, (*faults, *more), coming=updated)
    return Dates(published, updated, (*faults, *more))


def may_come_true(dates: Dates) -> bool:
    """Return whether a date is not believed now and may be later: then the same document says something else."""
    return dates.coming is not None or any(code == UNBELIEVABLE for _, code in dates.faults)


def moment_of(text: str, zone: tzinfo, now: datetime) -> datetime | None:
    """Return the date that a feed gives of itself, None where it is not believed."""
    return _first((text,), zone, now)[0] if text else None


def first_dates(dates: Dates, now: datetime) -> tuple[datetime, datetime]:
    """Return `published` and `updated` of an entry that is seen for the first time (DT-07, DT-09)."""
    published = dates.published or dates.updated or dates.coming or now
    return published, max(published, dates.updated or published)


def _first(texts: tuple[str, ...], zone: tzinfo, latest: datetime) -> tuple[datetime | None, list[tuple[str, str]]]:
    """Return the first date that is understood and believed, and what is odd about it and those before it."""
    faults: list[tuple[str, str]] = []
    for text in texts:
        read = read_feed_date(text, zone)
        if read is None:
            faults.append((f"its date {_quoted(text)} is not understood", "bad-date"))
        elif not EARLIEST <= read.instant <= latest:
            faults.append((f"its date {_quoted(text)} is not believed", UNBELIEVABLE))
        else:
            return read.instant, [*faults, *_zone(read.unknown_zone)]
    return None, faults


def _zone(unknown: str | None) -> Iterator[tuple[str, str]]:
    if unknown:
        yield f"its time zone {_quoted(unknown)} is not known: read as UTC", "unknown-zone"


def _quoted(text: str) -> str:
    return repr(visible(text)[:60])
