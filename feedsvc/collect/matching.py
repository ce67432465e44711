"""Which entry of a document is which stored one: the key (source, raw id), and what sources do to ids (ID-01 to ID-06).

A key is the raw id; where one id stands for several entries, link or title follow behind a tab, which no id holds.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.entrydates import EARLIEST, Dates
from feedsvc.collect.found import Found
from feedsvc.model import Entry
from feedsvc.patterns import pattern
from feedsvc.text.urls import canonical

MARK = "\t"
LONGEST = 1_000
_ADDRESS = pattern(r"https?://", re.IGNORECASE)


class Seen(Struct, frozen=True):
    """An entry of a document with its dates and raw id, and the stored one that it is, None for a new one.

    `key` is the one that it has or gets; `shared`: its raw id stands for other entries as well. `was` is the key that
    it had before its source gave it another id, "" where it did not: the next poll knows it by the new one.
    """

    found: Found
    dates: Dates
    raw: str
    key: str
    shared: bool = False
    known: Entry | None = None
    was: str = ""


def matched(entries: Iterable[tuple[Found, Dates]], known: Sequence[Entry]) -> tuple[Seen, ...]:
    """Return the entries of a document, each beside the stored one that it is, in the order of the document."""
    groups: defaultdict[str, list[Seen]] = defaultdict(list)
    for found, dates in entries:
        raw = raw_id(found, dates)
        groups[_same(raw)].append(Seen(found, dates, raw, raw))
    document = {same: _without_repeats(group) for same, group in groups.items()}
    matching = _Matching(known, document)
    seen = [one for same, group in document.items() for one in matching.group(same, group)]
    return tuple(sorted(seen, key=lambda one: one.found.place))


def raw_id(found: Found, dates: Dates) -> str:
    """Return what an entry is known by in its source; it is never dropped for want of an id (ID-02)."""
    raw = found.id or found.link or ""
    if not raw and found.title:
        raw = " ".join([found.title, *([dates.published.isoformat()] if dates.published else [])])
    if not raw or len(raw) > LONGEST:
        text = raw or found.text.content + found.text.summary
        return f"sha256:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"
    return raw


class _Matching:
    """The stored entries of a source, by what they can be known again by; each is matched once."""

    def __init__(self, known: Sequence[Entry], document: Mapping[str, Sequence[Seen]]) -> None:
        self._document = document
        self._by_id: defaultdict[str, list[Entry]] = defaultdict(list)
        self._by_link: defaultdict[str, list[Entry]] = defaultdict(list)
        self._free = {entry.key for entry in known}
        self._keys = set(self._free)
        for entry in known:
            self._by_id[_same(_raw(entry))].append(entry)
        for same, entries in self._by_id.items():
            for entry in entries if same not in document else ():
                if entry.link:
                    self._by_link[canonical(entry.link)].append(entry)
        self._unchanged: dict[int, Entry] = {}
        again = [(self._by_id[same], one) for same, group in document.items() if same in self._by_id for one in group]
        for find in (self._same_title, self._elsewhere):
            for stored, one in again:
                place = one.found.place
                if place not in self._unchanged and (found := find(stored, one)):
                    self._unchanged[place] = found
                    self._free.discard(found.key)

    def group(self, same: str, group: Sequence[Seen]) -> Iterator[Seen]:
        """Yield the entries of one raw id, matched."""
        stored = self._by_id.get(same, [])
        if len(group) == 1 and not stored and not self._by_link and group[0].raw not in self._keys:
            # As nearly all of a new source: nothing stored that it could be, and nobody else in the document.
            self._keys.add(group[0].raw)
            yield group[0]
            return
        left: list[Seen] = []
        for one in group:
            entry = self._unchanged.get(one.found.place)
            if entry:
                yield self._taken(one, entry)
            else:
                left.append(one)
        for one, extended in zip(left, _extended(group, left), strict=True):
            entry, renamed = self._edited(stored, one, group), None
            if entry is None and (renamed := self._renamed(one)) and len(group) == 1 and not stored:
                yield self._anew(one, renamed)
            else:
                entry = entry or renamed
                yield self._taken(one, entry) if entry else self._new(one, stored, group, extended)

    def _taken(self, one: Seen, entry: Entry) -> Seen:
        self._free.discard(entry.key)
        return Seen(one.found, one.dates, one.raw, entry.key, known=entry)

    def _anew(self, one: Seen, entry: Entry) -> Seen:
        """Return the stored entry under the id that its source calls it by now: an edit to come finds it so (ID-09)."""
        self._free.discard(entry.key)
        self._keys.add(one.raw)
        return Seen(one.found, one.dates, one.raw, one.raw, known=replace(entry, key=one.raw), was=entry.key)

    def _same_title(self, stored: Sequence[Entry], one: Seen) -> Entry | None:
        """Return the stored entry of this raw id with the same link and the same title."""
        for entry in stored:
            alike = _story(entry.link) == _story(one.found.link) and _title(entry) == _title(one.found)
            if alike and entry.key in self._free:
                return entry
        return None

    def _elsewhere(self, stored: Sequence[Entry], one: Seen) -> Entry | None:
        """Return the stored entry whose id was another's before: some number the places of a list (ID-04)."""
        if not (stored and one.found.link and one.found.title):
            return None
        link = _story(one.found.link)
        return self._same_story((*self._by_link.get(link, ()), *self._all_by_link.get(link, ())), one)

    @cached_property
    def _all_by_link(self) -> Mapping[str, Sequence[Entry]]:
        there: defaultdict[str, list[Entry]] = defaultdict(list)
        for entries in self._by_id.values():
            for entry in entries:
                there[_story(entry.link)].append(entry)
        return there

    def _edited(self, stored: Sequence[Entry], one: Seen, group: Sequence[Seen]) -> Entry | None:
        """Return the stored entry that has another title or link now (ID-09)."""
        link = _story(one.found.link)
        there = [entry for entry in stored if _story(entry.link) == link]
        # A link that several have tells them apart no more than their id does.
        if len(there) > 1 or sum(_story(other.found.link) == link for other in group) > 1:
            return None
        entry = there[0] if there and link else self._moved(stored, one, group)
        return entry if entry and entry.key in self._free else None

    def _moved(self, stored: Sequence[Entry], one: Seen, group: Sequence[Seen]) -> Entry | None:
        """Return the stored entry whose link changed; another link, title and a later date are another entry (ID-06).

        An id that was shared from the beginning says nothing without its link.
        """
        if len(group) > 1 or all(MARK in entry.key for entry in stored):
            return None
        newest = max(stored, key=lambda entry: entry.published)
        moved = bool(newest.link and one.found.link) and _story(newest.link) != _story(one.found.link)
        later = (one.dates.published or EARLIEST) > newest.published
        reused = moved and _title(newest) != _title(one.found) and later
        return None if reused else newest

    def _renamed(self, one: Seen) -> Entry | None:
        """Return the stored entry whose id has changed: same link, title and date, its old id gone (ID-04).

        Of an entry that has no id the link is enough.
        """
        if not one.found.link:
            return None
        there = self._by_link.get(canonical(one.found.link), ())
        entry = self._same_story(there, one)
        return entry or (there[0] if len(there) == 1 and self._is_its_link(there[0], one) else None)

    def _same_story(self, there: Iterable[Entry], one: Seen) -> Entry | None:
        """Return the stored entry of those at one link that has the same title and date."""
        for entry in there:
            dated = one.dates.published
            same_date = dated is None or dated == entry.published
            if same_date and _title(entry) == _title(one.found) and entry.key in self._free:
                return entry
        return None

    def _is_its_link(self, entry: Entry, one: Seen) -> bool:
        """Return whether two are their link alone (ID-02), what counts readers in it set aside (ID-09).

        Where several entries of a document are at that link, a parameter tells them apart that only looks like one.
        """
        link = _story(one.found.link)
        is_link = not one.found.id and entry.key in self._free and _story(_raw(entry)) == link
        return is_link and self._at_links[link] == 1

    @cached_property
    def _at_links(self) -> Counter[str]:
        """Return how many entries of the document are at each link."""
        return Counter(_story(one.found.link) for group in self._document.values() for one in group)

    def _new(self, one: Seen, stored: Sequence[Entry], group: Sequence[Seen], extended: str) -> Seen:
        shared = len(group) > 1 or bool(stored)
        key = extended if shared else one.raw
        number = 1
        while key in self._keys:
            number += 1
            key = f"{extended}{MARK}{number}"
        self._keys.add(key)
        return Seen(one.found, one.dates, one.raw, key, shared)


def _extended(group: Sequence[Seen], wanted: Sequence[Seen]) -> list[str]:
    """Return keys extended by the link, and by the title where several entries share that too (ID-05)."""
    links = Counter(_story(one.found.link) for one in group)
    keys = []
    for one in wanted:
        parts = [one.raw, one.found.link or (one.dates.published or EARLIEST).isoformat()]
        parts += [one.found.title or ""] if links[_story(one.found.link)] > 1 else []
        keys.append(MARK.join(parts))
    return keys


def _without_repeats(group: Sequence[Seen]) -> list[Seen]:
    """Return the entries of one id without repeats of link and title: the newer `updated` counts (ID-05)."""
    if len(group) == 1:
        return list(group)
    kept: dict[tuple[str, str], Seen] = {}
    for one in group:
        same = (_story(one.found.link), _title(one.found))
        there = kept.get(same)
        if there is None or _age(one) > _age(there):
            kept[same] = one
    return list(kept.values())


def _age(one: Seen) -> float:
    return (one.dates.updated or one.dates.published or EARLIEST).timestamp()


def _raw(entry: Entry) -> str:
    return entry.key.partition(MARK)[0]


def _same(raw: str) -> str:
    """Return an id as it is compared: http or https and a slash at the end make no difference (ID-03)."""
    return _ADDRESS.sub("//", raw, count=1).rstrip("/") if _ADDRESS.match(raw) else raw


def _story(link: str | None) -> str:
    return canonical(link) if link else ""


def _title(entry: Entry | Found) -> str:
    return (entry.title or "").casefold()
