"""Entries of strangers: what is known of a source, what a build takes, and what is kept for how long.

A build needs the fields of every candidate, and the text only of those that it shows: two queries.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

from msgspec import Struct, field, to_builtins
from sqlalchemy import Connection, and_, bindparam, delete, exists, insert, select, tuple_, update

from feedsvc.model import Enclosure, Entry, Origin, Person, Text
from feedsvc.store.driven import Driven
from feedsvc.store.schema import ENTRY, SOURCE, digest

Key = tuple[str, str]
"""What an entry is known by: the id of its source and its raw id there (ID-01)."""

TEXT = (ENTRY.c.content, ENTRY.c.summary, ENTRY.c.lead)
FIELDS = tuple(column for column in ENTRY.c if column not in TEXT)
_AT_ONCE = 500
# Made once: SQLAlchemy takes longer to make a statement than a database to run it.
_KNOWN = (
    select(ENTRY)
    .where(ENTRY.c.source == bindparam("of"))
    .order_by(ENTRY.c.first_seen, ENTRY.c.position, ENTRY.c.key_digest)
)
_ANY = Driven(select(exists().where(ENTRY.c.source == bindparam("of"))))
_FEW = tuple(f"id{number}" for number in range(32))
_CLAIMED = Driven(
    select(exists().where(ENTRY.c.id_digest.in_([bindparam(name) for name in _FEW]), ENTRY.c.source != bindparam("of")))
)
_CLAIMS = select(*FIELDS).where(
    ENTRY.c.id_digest.in_(bindparam("ids", expanding=True)), ENTRY.c.source != bindparam("of")
)
_THERE = select(ENTRY.c.key_digest, ENTRY.c.gone_since).where(ENTRY.c.source == bindparam("of"))
_LASTING = frozenset({"source", "key_digest", "first_seen", "gone_since"})
_INSERT = Driven(insert(ENTRY), ENTRY.c.keys())
_CHANGE = Driven(
    update(ENTRY).where(ENTRY.c.source == bindparam("of"), ENTRY.c.key_digest == bindparam("under")),
    [column.name for column in ENTRY.c if column.name not in _LASTING],
)


class Seen(Struct, frozen=True):
    """What a document of a source brought: entries seen for the first time, entries that changed, and every key in it.

    `keys` None: it says nothing of what is absent, as a part (226) or a document cut short (F-48, X-07). `renamed`:
    keys as they are stored → what they are from now on, in `changed` and `keys` already (ID-04).
    """

    new: Sequence[Entry] = ()
    changed: Sequence[Entry] = ()
    keys: Collection[str] | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)


NOTHING = Seen()


def known(connection: Connection, source: str) -> tuple[Entry, ...]:
    """Return all entries of a source with their texts, the oldest first."""
    if not _ANY.holds(connection, {"of": source}):
        return ()
    return tuple(_entry(row, 0, _text(row)) for row in connection.execute(_KNOWN, {"of": source}))


def claims(connection: Connection, source: str, ids: Collection[str]) -> tuple[Entry, ...]:
    """Return the entries of other sources that are published under one of these ids, without text (ID-07)."""
    found = []
    for some in _batches(sorted(digest(name) for name in ids)):
        if len(some) <= len(_FEW):
            # Nearly always nobody claims one: that is asked first, in the shape that is spelled already.
            same = dict(zip_longest(_FEW, some, fillvalue=some[0]))
            if not _CLAIMED.holds(connection, same | {"of": source}):
                continue
        rows = connection.execute(_CLAIMS, {"ids": some, "of": source})
        found += [_entry(row, 0, None) for row in rows]
    return tuple(found)


def stored(connection: Connection, *, every: bool) -> tuple[Entry, ...]:
    """Return the entries of the sources that are configured, or of every one, without text, by source and place.

    ID-10, ID-11.
    """
    wanted = (
        select(*FIELDS, SOURCE.c.place)
        .join(SOURCE, SOURCE.c.id == ENTRY.c.source)
        .where(SOURCE.c.listed | every)
        .order_by(SOURCE.c.place, ENTRY.c.first_seen, ENTRY.c.position, ENTRY.c.key_digest)
    )
    return tuple(_entry(row, row.place, None, row.first_seen) for row in connection.execute(wanted))


def texts(connection: Connection, keys: Collection[Key]) -> Mapping[Key, Text]:
    """Return the texts of entries; one that is not there is left out."""
    found = {}
    for some in _batches(sorted(keys)):
        pairs = [(source, digest(key)) for source, key in some]
        wanted = select(ENTRY.c.source, ENTRY.c.key, *TEXT).where(tuple_(ENTRY.c.source, ENTRY.c.key_digest).in_(pairs))
        found.update({(row.source, row.key): _text(row) for row in connection.execute(wanted)})
    return found


def take(connection: Connection, source: str, seen: Seen, now: datetime, *, first: bool = False) -> None:
    """Write what a document brought; what left it is kept, and when that was seen (ID-10).

    `first`: nothing of the source is stored yet, so nothing can have left it.
    """
    if seen.new:
        begun = {"source": source, "first_seen": now, "gone_since": None}
        rows = {row["key_digest"]: row | begun for row in map(_columns, seen.new)}
        _INSERT.run_all(connection, list(rows.values()))
    for was, key in seen.renamed.items():
        mine = and_(ENTRY.c.source == source, ENTRY.c.key_digest == digest(was))
        connection.execute(update(ENTRY).where(mine).values(key=key, key_digest=digest(key)))
    for entry in seen.changed:
        row = _columns(entry)
        _CHANGE.run(connection, row | {"of": source, "under": row["key_digest"]})
    if seen.keys is not None and not (first and {entry.key for entry in seen.new} <= set(seen.keys)):
        _mark_gone(connection, source, {digest(key) for key in seen.keys}, now)


def hold(connection: Connection, since: datetime, held: Collection[Key], now: datetime) -> None:
    """Count anew, from now on, how long entries are gone that left their source before `since` and that feeds hold."""
    there = set(held)
    for some in _batches([row for key, row in _gone(connection, since) if key in there]):
        mine = tuple_(ENTRY.c.source, ENTRY.c.key_digest).in_(some)
        connection.execute(update(ENTRY).where(mine).values(gone_since=now))


def forget(connection: Connection, before: datetime, keep: Collection[Key]) -> int:
    """Delete entries that left their source before a moment and stand in no feed; return how many."""
    kept = set(keep)
    gone = [row for key, row in _gone(connection, before) if key not in kept]
    for some in _batches(gone):
        connection.execute(delete(ENTRY).where(tuple_(ENTRY.c.source, ENTRY.c.key_digest).in_(some)))
    return len(gone)


# ---- pieces ------------------------------------------------------------------------------------------------------


def _gone(connection: Connection, before: datetime) -> Iterator[tuple[Key, tuple[str, bytes]]]:
    """Yield the entries that left their source before a moment, each with what finds its row."""
    left = select(ENTRY.c.source, ENTRY.c.key, ENTRY.c.key_digest).where(ENTRY.c.gone_since < before)
    for row in connection.execute(left):
        yield (row.source, row.key), (row.source, row.key_digest)


def _mark_gone(connection: Connection, source: str, there: Collection[bytes], now: datetime) -> None:
    """Write only rows that change: most polls see what they saw before."""
    rows = connection.execute(_THERE, {"of": source}).all()
    left = [row.key_digest for row in rows if row.gone_since is None and bytes(row.key_digest) not in there]
    back = [row.key_digest for row in rows if row.gone_since is not None and bytes(row.key_digest) in there]
    for keys, moment in ((left, now), (back, None)):
        for some in _batches(keys):
            mine = and_(ENTRY.c.source == source, ENTRY.c.key_digest.in_(some))
            connection.execute(update(ENTRY).where(mine).values(gone_since=moment))


def _columns(entry: Entry) -> dict[str, Any]:
    text = entry.text or Text()
    return {
        "key": entry.key,
        "key_digest": digest(entry.key),
        "id": entry.id,
        "id_digest": digest(entry.id),
        "link": entry.link,
        "title": entry.title,
        "published": entry.published,
        "updated": entry.updated,
        "position": entry.place[1],
        "lang": entry.lang,
        "image": entry.image,
        "authors": to_builtins(entry.authors),
        "tags": list(entry.tags),
        "enclosures": to_builtins(entry.enclosures),
        "origin": plain_origin(entry.origin) if entry.origin else None,
        "content": text.content,
        "summary": text.summary,
        "lead": text.lead,
    }


def _entry(row: Any, place: int, text: Text | None, seen: datetime | None = None) -> Entry:
    return Entry(
        id=row.id,
        key=row.key,
        link=row.link,
        title=row.title,
        published=row.published,
        updated=row.updated,
        source=row.source,
        text=text,
        authors=tuple(Person(**person) for person in row.authors),
        tags=tuple(row.tags),
        lang=row.lang,
        image=row.image,
        enclosures=tuple(Enclosure(**enclosure) for enclosure in row.enclosures),
        origin=origin_of(row.origin) if row.origin else None,
        place=(place, row.position),
        seen=seen,
    )


def _text(row: Any) -> Text:
    return Text(row.content, row.summary, row.lead)


def plain_origin(origin: Origin) -> dict[str, Any]:
    """Return an origin as plain data."""
    plain: dict[str, Any] = to_builtins(origin)
    return plain | {"updated": origin.updated.isoformat() if origin.updated else None}


def origin_of(plain: Mapping[str, Any]) -> Origin:
    """Return the origin that plain data holds."""
    updated = datetime.fromisoformat(plain["updated"]) if plain["updated"] else None
    authors = tuple(Person(**person) for person in plain["authors"])
    return Origin(**{**plain, "updated": updated, "authors": authors})


def _batches(things: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for place in range(0, len(things), _AT_ONCE):
        yield things[place : place + _AT_ONCE]
