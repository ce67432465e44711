"""What a document brings: entries seen for the first time, entries that changed, and under which ids (ID-01 to ID-12).

Pure: what is stored, what the document says, who else claims an id, and the time go in; what to write comes out.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo

from msgspec import Struct, field
from msgspec.structs import replace

from feedsvc.collect.changes import is_changed
from feedsvc.collect.entrydates import dates_of, first_dates, may_come_true, moment_of
from feedsvc.collect.found import FoundOrigin, ParsedFeed, remark
from feedsvc.collect.matching import Seen, matched
from feedsvc.model import Diagnostic, Entry, Origin
from feedsvc.text.urls import canonical, foreign_id, is_absolute_uri, is_feed_id, minted_id

ARCHIVE = 10
"""So many entries never seen before with one date are an archive that has moved (ID-12)."""

Claims = Callable[[Collection[str]], Iterable[Entry]]
"""Ids → the entries of other sources that are published under one of them."""


class Rules(Struct, frozen=True):
    """What identity needs of the configuration: `site.id_authority`, and the zone of dates that carry none."""

    authority: str
    zone: tzinfo = UTC


class Taken(Struct, frozen=True):
    """What to write: new entries, stored ones with their changes, and the key of every entry in the document.

    `renamed`: keys as they are stored → what they are from now on; the other three are spelled with the latter.
    `lasting`: the same document would bring nothing more later, for all its dates are believed now.
    """

    new: tuple[Entry, ...] = ()
    changed: tuple[Entry, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    keys: frozenset[str] = field(default_factory=frozenset)
    warnings: tuple[Diagnostic, ...] = ()
    lasting: bool = True


def take(
    source: str, known: Sequence[Entry], parsed: ParsedFeed, *, now: datetime, rules: Rules, claims: Claims
) -> Taken:
    """Return what a document of a source brings; `known` are all its stored entries with their texts.

    `now` is stored as the date of entries without one, so it is cut to whole seconds.
    """
    now = now.replace(microsecond=0)
    seen = matched(((found, dates_of(found, rules.zone, now)) for found in parsed.entries), known)
    first = [one for one in seen if one.known is None]
    ids = _ids(source, first, known, rules.authority, claims)
    new = tuple(_first(source, one, ids[one.key], now, rules) for one in first)
    again = (_again(source, one, one.known, now, rules) for one in seen if one.known is not None)
    return Taken(
        new=new,
        changed=tuple(entry for entry in again if entry is not None),
        renamed={one.was: one.key for one in seen if one.was},
        keys=frozenset(one.key for one in seen),
        warnings=tuple(_warnings(source, seen, first, known)),
        lasting=not any(may_come_true(one.dates) or _is_ahead(one.found.origin, rules, now) for one in seen),
    )


def _first(source: str, one: Seen, published_id: str, now: datetime, rules: Rules) -> Entry:
    published, updated = first_dates(one.dates, now)
    return _entry(
        source,
        one,
        rules,
        now,
        Entry(
            id=published_id,
            key=one.key,
            link=None,
            title=None,
            published=published,
            updated=updated,
            source=source,
            place=(0, one.found.place),
        ),
    )


def _again(source: str, one: Seen, before: Entry, now: datetime, rules: Rules) -> Entry | None:
    """Return the stored entry with what has changed; id, `published` and place stay (ID-09, DT-10)."""
    after = _entry(source, one, rules, now, before)
    stated = max(before.published, one.dates.updated) if one.dates.updated else None
    if is_changed(before, after):
        return replace(after, updated=stated or max(before.published, now))
    return replace(before, updated=stated) if stated and stated != before.updated else None


def _entry(source: str, one: Seen, rules: Rules, now: datetime, frame: Entry) -> Entry:
    """Return an entry that says what the document says, in the frame of one that does not move."""
    found = one.found
    return replace(
        frame,
        link=found.link,
        title=found.title,
        text=found.text,
        authors=found.authors,
        tags=found.tags,
        lang=found.lang,
        image=found.image,
        enclosures=found.enclosures,
        origin=_origin(source, found.origin, rules, now) if found.origin else None,
    )


def _origin(source: str, found: FoundOrigin, rules: Rules, now: datetime) -> Origin | None:
    """Return the feed that an entry says it comes from, None where that is nothing (MG-06)."""
    name = found.id or found.url or found.home or found.title
    if not name:
        return None
    return Origin(
        id=found.id if is_feed_id(found.id) else foreign_id(rules.authority, f"{source}:origin", name),
        title=found.title or found.home or found.url or found.id,
        url=found.url,
        home=found.home,
        updated=moment_of(found.updated, rules.zone, now),
        authors=found.authors,
        rights=found.rights,
    )


def _is_ahead(origin: FoundOrigin | None, rules: Rules, now: datetime) -> bool:
    return origin is not None and bool(origin.updated) and moment_of(origin.updated, rules.zone, now) is None


# ---- published ids -----------------------------------------------------------------------------------------------


def _ids(source: str, first: Sequence[Seen], known: Sequence[Entry], authority: str, claims: Claims) -> dict[str, str]:
    """Return the published id of each new entry, by its key: its own where nobody else claims it (ID-07, S-38)."""
    taken = {entry.id for entry in known}
    wanted = {one.raw: one for one in first if _is_its_own(one, authority) and one.raw not in taken}
    foreign = [entry for entry in claims(set(wanted)) if not _is_copy(entry, wanted.get(entry.id))] if wanted else []
    refused = taken | {entry.id for entry in foreign}
    found: dict[str, str] = {}
    for one in first:
        own = wanted.get(one.raw) is one and one.raw not in refused
        found[one.key] = one.raw if own else _free(foreign_id(authority, source, one.key), refused)
        refused.add(found[one.key])
    return found


def _is_its_own(one: Seen, authority: str) -> bool:
    """Return whether the raw id is one that the source gave: an id or a link, no title or digest (ID-02).

    What begins like ours is for us to give, be it to a post that is not written yet (S-38).
    """
    given = one.raw in (one.found.id, one.found.link) and not one.raw.lower().startswith(minted_id(authority, ""))
    return given and not one.shared and is_absolute_uri(one.raw)


def _is_copy(entry: Entry, one: Seen | None) -> bool:
    """Return whether an entry of another source is the same story: then both may have its id (MG-01)."""
    if one is None or not entry.link or not one.found.link:
        return False
    return canonical(entry.link) == canonical(one.found.link)


def _free(minted: str, taken: Collection[str]) -> str:
    free, number = minted, 1
    while free in taken:
        number += 1
        free = f"{minted};{number}"
    return free


# ---- what is odd -------------------------------------------------------------------------------------------------


def _warnings(source: str, seen: Sequence[Seen], first: Sequence[Seen], known: Sequence[Entry]) -> Iterator[Diagnostic]:
    if not seen and known:
        yield remark(source, "its document holds no entries any more; those that it had stay", "no-entries")
    for one in first:
        name = (one.found.title or one.raw)[:80]
        yield from (remark(source, f"the entry {name!r}: {what}", code) for what, code in one.dates.faults)
    dates = Counter(one.dates.published for one in first if one.dates.published)
    for moment, count in dates.most_common(1):
        if count >= ARCHIVE:
            message = (
                f"{count} entries never seen before have one date, {moment:%Y-%m-%d %H:%M}: an archive that has moved"
            )
            yield remark(source, f"{message}; they are kept, and feeds show `per_source` of them", "moved-archive")
