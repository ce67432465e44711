"""What a feed holds of what it could hold: copies, filters, caps, in the sequence of MG-10."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from feedsvc.compose.admit import poorer
from feedsvc.compose.blueprints import Blueprint
from feedsvc.compose.decisions import Decision, Reason, Rule
from feedsvc.compose.merge import Key, as_copies, key_of, without_copies
from feedsvc.compose.reading import Reader, Told
from feedsvc.compose.select import filtered
from feedsvc.compose.tags import share_a_tag
from feedsvc.model import Copy, Entry, Item, Outline, Show
from feedsvc.settings.tree import FeedSettings
from feedsvc.text.teaser import opening


class Choice(Struct, frozen=True):
    """The items of a feed in order, and why each other entry of its pool is none of them."""

    items: tuple[Item, ...]
    left_out: tuple[Decision, ...]


def choose(
    blueprint: Blueprint,
    reader: Reader,
    outlines: Sequence[Outline],
    *,
    thorough: Collection[Key] = (),
    reasons: bool = True,
) -> Choice:
    """Return what a feed holds. Text is asked for only until the feed is full, and where words decide.

    The filters are asked about the entries in `thorough` beyond the caps as well: the same items, and the first reason.
    Without `reasons` nobody is told why an entry stays out, and nothing is asked of those behind the last item.
    """
    feed = blueprint.settings
    stories = without_copies(blueprint.pool, outlines)
    items: list[Item] = []
    left_out = _copies(feed, blueprint.pool, stories.winners) if reasons else []
    taken: Counter[str] = Counter()
    for entry in stories.entries:
        if len(items) == feed.limit and not reasons:
            break
        capped = _cap(entry, feed, taken, len(items))
        chosen = capped if capped and key_of(entry) not in thorough else _passed(entry, feed, reader)
        reason = chosen if isinstance(chosen, Reason) else capped
        if isinstance(chosen, Told) and reason is None:
            taken[entry.source] += 1
            items.append(_item(chosen, feed.content, as_copies(stories.copies.get(key_of(entry), ()), outlines)))
        elif reason is not None and reasons:
            left_out.append(Decision(feed.name, entry, reason))
    return Choice(tuple(items), tuple(left_out))


def every(blueprint: Blueprint, reader: Reader, outlines: Sequence[Outline]) -> tuple[Item, ...]:
    """Return all that a feed would hold without caps, in order: what its archives are made of (P1)."""
    feed, stories = blueprint.settings, without_copies(blueprint.pool, outlines)
    passed = ((entry, _passed(entry, feed, reader)) for entry in stories.entries)
    return tuple(
        _item(told, feed.content, as_copies(stories.copies.get(key_of(entry), ()), outlines))
        for entry, told in passed
        if isinstance(told, Told)
    )


def _cap(entry: Entry, feed: FeedSettings, taken: Counter[str], number: int) -> Reason | None:
    """Return the cap that an entry would break: `per_source`, which our own posts have not, then `limit`."""
    if not entry.own and feed.per_source is not None and taken[entry.source] >= feed.per_source:
        return Reason(Rule.PER_SOURCE, str(feed.per_source))
    return Reason(Rule.LIMIT, str(feed.limit)) if number >= feed.limit else None


def _passed(entry: Entry, feed: FeedSettings, reader: Reader) -> Told | Reason:
    """Return what is told of an entry that passes the feed's filters, else why it does not."""
    if feed.tags and not share_a_tag(feed.tags, (*entry.tags, *reader.topics)):
        return Reason(Rule.TAGS, ", ".join(feed.tags))
    told = reader.told(entry)
    if told is None:
        return Reason(Rule.UNREADABLE)
    if feed.tags and not share_a_tag(feed.tags, told.entry.tags):
        return Reason(Rule.TAGS, ", ".join(feed.tags))
    return filtered(told.fields, feed.keep, feed.drop) or told


def _item(told: Told, content: Show, copies: tuple[Copy, ...]) -> Item:
    show = poorer(content, told.entry.show)
    title = told.entry.title or ("" if show is Show.TITLE else opening(told.teaser))
    return Item(told.entry, told.teaser, show, title, copies)


def _copies(feed: FeedSettings, pool: Sequence[Entry], winners: Mapping[Key, Entry]) -> list[Decision]:
    return [_copy(feed, entry, winners) for entry in pool if key_of(entry) in winners] if winners else []


def _copy(feed: FeedSettings, entry: Entry, winners: Mapping[Key, Entry]) -> Decision:
    winner = winners[key_of(entry)]
    reason = Reason(Rule.DUPLICATE, winner.path or winner.link or winner.id)
    return Decision(feed.name, entry, reason, winner)
