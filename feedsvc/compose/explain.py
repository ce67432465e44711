"""Where an entry came from, which feeds hold it, and what kept it out of the others (SO-10)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from feedsvc.compose.decisions import Decision, Reason
from feedsvc.compose.feeds import Plan
from feedsvc.compose.merge import Key, key_of, story_of
from feedsvc.model import Entry, Origin
from feedsvc.text.urls import absolute


class Held(Struct, frozen=True):
    """A post that is no entry: its path as diagnostics name it, why, and the ids and links it may be asked for by.

    `kind` is what it is instead, in one word: draft, skipped.
    """

    path: str
    reason: str
    names: tuple[str, ...] = ()
    kind: str = "skipped"


class Explanation(Struct, frozen=True):
    """What is known of one entry: names of the feeds that hold it, and the reason of each feed that does not.

    `copies` are entries of the same story that it stands for (MG-04). A reason under "" holds for every feed. `held`
    says why there is no entry at all; then `entry` is None.
    """

    entry: Entry | None
    feeds: tuple[str, ...] = ()
    kept_out: tuple[tuple[str, Reason], ...] = ()
    copies: tuple[Entry, ...] = ()
    held: Held | None = None


def explain(plan: Plan, query: str, held: Iterable[Held] = ()) -> tuple[Explanation, ...]:
    """Return an explanation for each entry that a query names: an id, a link or a post's path; () for none.

    Ids are taken as published or as the source wrote them, links by the story they lead to, also relative to their
    source's site; paths with or without the folder and the extension.
    """
    query = query.strip()
    if not query:
        return ()
    found = {key_of(entry): entry for entry in _entries(plan) if _is_named(query, entry)}
    posts = (each for each in held if _is_held(query, each))
    return (
        *(_explained(plan, entry, key) for key, entry in sorted(found.items())),
        *(Explanation(None, held=each) for each in posts),
    )


def _entries(plan: Plan) -> Iterable[Entry]:
    yield from (decision.entry for decision in plan.decisions)
    yield from (item.entry for feed in plan.whole for item in feed.items)


def _explained(plan: Plan, entry: Entry, key: Key) -> Explanation:
    feeds = tuple(feed.name for feed in plan.whole if any(key_of(item.entry) == key for item in feed.items))
    won = (each.entry for each in plan.decisions if each.winner is not None and key_of(each.winner) == key)
    copies = {key_of(copy): copy for copy in won}
    return Explanation(entry, feeds, _reasons(plan.decisions, key), tuple(copies.values()))


def _reasons(decisions: Sequence[Decision], key: Key) -> tuple[tuple[str, Reason], ...]:
    return tuple((each.feed, each.reason) for each in decisions if key_of(each.entry) == key)


def _is_named(query: str, entry: Entry) -> bool:
    """Return whether a query names an entry; where ids stand for several, the raw id names them all (ID-05)."""
    raw = entry.key if entry.own else entry.key.partition("\t")[0]
    if query in {entry.id, entry.key, raw} or _is_path(query, entry.path):
        return True
    return bool(entry.link) and _is_link(query, entry.link or "", entry.origin)


def _is_link(query: str, link: str, origin: Origin | None) -> bool:
    if query.startswith("/") and origin is not None:
        query = absolute(origin.home or origin.url, query) or ""
    return "://" in query and story_of(query) == story_of(link)


def _is_held(query: str, held: Held) -> bool:
    return query in held.names or _is_path(query, held.path) or any(_is_link(query, name, None) for name in held.names)


def _is_path(query: str, path: str) -> bool:
    """Return whether a query is the path of a post: whole, below its folder, each without extension as well."""
    query = query.removeprefix("./")
    spelled = {path, path.partition("/")[2]}
    return bool(path) and query in spelled | {name.rpartition(".")[0] for name in spelled}
