"""What may be in any feed: what is due, of sources that are configured and enabled, and passes their words."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from feedsvc.compose.decisions import Decision, Reason, Rule
from feedsvc.compose.reading import Reader
from feedsvc.compose.select import filtered
from feedsvc.compose.tags import with_tags
from feedsvc.model import Entry, Show
from feedsvc.settings.tree import Source


def admitted(
    entries: Iterable[Entry], sources: Mapping[str, Source], reader: Reader, now: datetime
) -> tuple[tuple[Entry, ...], tuple[Decision, ...]]:
    """Return the entries that feeds may choose from, as their source's settings make them, and what stays out."""
    held: list[Entry] = []
    refused: list[Decision] = []
    for entry in entries:
        source = sources.get(entry.source)
        known = _as_configured(_believed(entry, now), source)
        reason = _refusal(known, source, reader, now)
        if reason is None:
            held.append(known)
        else:
            refused.append(Decision("", known, reason))
    return tuple(held), tuple(refused)


def in_order(entries: Iterable[Entry], sources: Sequence[Source]) -> tuple[Entry, ...]:
    """Return entries newest first; ties by order in the configuration, place in the document, id (D11, MG-09)."""
    places = {source.id: place for place, source in enumerate(sources)}

    def rank(entry: Entry) -> tuple[float, int, int, str, str]:
        place = -1 if entry.own else places.get(entry.source, len(places))
        return (-entry.published.timestamp(), place, entry.place[1], entry.id, entry.key)

    return tuple(sorted(entries, key=rank))


def poorer(one: Show, other: Show) -> Show:
    """Return the one of two wishes that shows less: it holds (MG-13)."""
    return min(one, other, key=lambda show: show.richness)


def _believed(entry: Entry, now: datetime) -> Entry:
    """Return the entry with an `updated` that lies between its date and now, else its date (D8, DT-09, DT-11)."""
    if entry.published <= entry.updated <= now:
        return entry
    return replace(entry, updated=entry.published)


def _as_configured(entry: Entry, source: Source | None) -> Entry:
    """Return a foreign entry with its source's tags, title and cap; all hold at once, without a poll (MG-08, MG-13)."""
    if source is None:
        return entry
    origin = entry.origin
    if origin is not None and source.title and origin.url == source.url:
        origin = replace(origin, title=source.title)
    return replace(
        entry,
        tags=with_tags(entry.tags, source.tags),
        show=poorer(entry.show, source.content),
        origin=origin,
    )


def _refusal(entry: Entry, source: Source | None, reader: Reader, now: datetime) -> Reason | None:
    if entry.published > now:
        return Reason(Rule.WAITS, entry.published.isoformat())
    if entry.own:
        return None
    if source is None:
        return Reason(Rule.REMOVED, entry.source)
    if not source.enabled:
        return Reason(Rule.DISABLED, source.id)
    if not source.keep and not source.drop:
        return None
    told = reader.told(entry)
    return filtered(told.fields, source.keep, source.drop) if told else Reason(Rule.UNREADABLE)
