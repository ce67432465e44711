"""From entries to feeds, each with everything its documents will say; decides, and does nothing else."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.compose.admit import admitted, in_order
from feedsvc.compose.archives import with_archives
from feedsvc.compose.blueprints import Blueprint, blueprints, includes
from feedsvc.compose.choose import choose, every
from feedsvc.compose.decisions import Decision, Reason, Rule
from feedsvc.compose.identity import with_own_ids
from feedsvc.compose.merge import Key, key_of
from feedsvc.compose.reading import Ahead, Complete, Reader, Tease, rules_of, teaser_of
from feedsvc.model import FEED_FILES, Entry, Feed, Item, Outline, Person, Related
from feedsvc.settings.tree import FeedSettings, Settings
from feedsvc.text.teaser import label_for
from feedsvc.text.urls import absolute, minted_id

STYLE = "assets/feed.css"
MINUTES_TO_LIVE = 30
"""What RSS `ttl` says: half an hour, as `Cache-Control` does (serving V-13)."""


def _nothing_ahead(_: Sequence[Entry]) -> None:
    """Make nothing before it is asked for."""


class Plan(Struct, frozen=True):
    """All feeds to publish, main ones first, and each decision that kept an entry out of one (SO-10).

    `archives` hold the older entries of feeds that say `archive = true` (P0).
    """

    feeds: tuple[Feed, ...]
    decisions: tuple[Decision, ...] = ()
    archives: tuple[Feed, ...] = ()

    @property
    def whole(self) -> tuple[Feed, ...]:
        """Return the feeds and their archives."""
        return (*self.feeds, *self.archives)


def plan(
    settings: Settings,
    own: Sequence[Entry],
    foreign: Sequence[Entry],
    sources: Sequence[Outline],
    complete: Complete,
    *,
    now: datetime,
    thorough: Collection[Key] = (),
    reasons: bool = True,
    tease: Tease = teaser_of,
    ahead: Ahead = _nothing_ahead,
) -> Plan:
    """Return the feeds of a configuration over these entries, in whatever order they come.

    `own` may be without text: `complete` is asked for it, once for each entry that a feed shows or whose words decide;
    where it returns None the entry is left out and the next one moves up. `sources` are all sources in the order of
    the configuration. Of entries in `thorough` the decisions name the first rule also where a cap would come before it.
    Without `reasons` the feeds are the same, and there are no decisions: of many posts, few are looked at. `tease` may
    know a teaser from before; `ahead` is told first which entries are likely to be asked for.
    """
    reader = Reader(complete, tease, rules_of(settings), settings.topics)
    configured = {source.id: source for source in settings.sources}
    posts, waiting = admitted(own, configured, reader, now)
    strangers, refused = admitted(foreign, configured, reader, now)
    strangers = with_own_ids(posts, strangers, sources, settings.site.id_authority)
    entries = in_order((*posts, *strangers), settings.sources)
    feeds: list[Feed] = []
    archives: list[Feed] = []
    decisions = [*waiting, *refused] if reasons else []
    prints = blueprints(settings, entries)
    ahead(_likely(prints))
    for blueprint in prints:
        choice = choose(blueprint, reader, sources, thorough=thorough, reasons=reasons)
        decisions += [*_not_included(blueprint, entries), *choice.left_out] if reasons else []
        if choice.items or blueprint.kind in {"main", "topic"}:
            feed = _feed(settings, blueprint, choice.items)
            older = every(blueprint, reader, sources) if blueprint.settings.archive else ()
            first, *others = with_archives(feed, older, blueprint.settings.limit)
            feeds.append(first)
            archives += others
    return Plan(_related(feeds, feeds), tuple(decisions), _related(archives, feeds))


def _likely(prints: Sequence[Blueprint]) -> tuple[Entry, ...]:
    """Return the entries that feeds will hold unless filters or copies say otherwise, each once."""
    firsts = (entry for blueprint in prints for entry in blueprint.pool[: _most(blueprint.settings)])
    return tuple({key_of(entry): entry for entry in firsts}.values())


def _most(feed: FeedSettings) -> int | None:
    return None if feed.archive else feed.limit


def _not_included(blueprint: Blueprint, entries: Sequence[Entry]) -> list[Decision]:
    if blueprint.kind != "main":
        return []
    feed = blueprint.settings
    reason = Reason(Rule.NOT_INCLUDED)
    return [Decision(feed.name, entry, reason) for entry in entries if not includes(feed, entry)]


def _feed(settings: Settings, blueprint: Blueprint, items: tuple[Item, ...]) -> Feed:
    site, base = settings.site, settings.output.url
    page = f"{base}{blueprint.path}/" if blueprint.path else base
    return Feed(
        name=blueprint.settings.name,
        kind=blueprint.kind,
        id=minted_id(site.id_authority, f"feed/{blueprint.id_path}"),
        title=blueprint.title,
        path=blueprint.path,
        home=page if blueprint.path else site.url,
        page=page,
        urls={name: page + FEED_FILES[name] for name in settings.output.formats},
        updated=max((item.entry.updated for item in items), default=_beginning(site.id_authority)),
        items=items,
        description=blueprint.settings.description or (site.description if blueprint.kind == "main" else ""),
        lang=site.language,
        authors=(Person(site.author.name, site.author.email, site.author.url),),
        rights=site.rights,
        icon=_resolved(site.url, site.icon),
        logo=_resolved(site.url, site.logo),
        hubs=settings.websub.hubs,
        ttl=MINUTES_TO_LIVE,
        more=label_for(site.language, rules_of(settings)),
        label=blueprint.label,
        style=_up(blueprint.path) + STYLE,
    )


def _up(path: str) -> str:
    """Return the way from a feed's folder to the top: the style sheet is found wherever the folder is served."""
    return "../" * len(path.split("/")) if path else ""


def _beginning(authority: str) -> datetime:
    """Return the date of a feed without entries: the beginning of the year of its ids, never the clock (D10)."""
    return datetime(int(authority.rpartition(",")[2][:4]), 1, 1, tzinfo=UTC)


def _resolved(base: str, reference: str) -> str:
    return (absolute(base, reference) or "") if reference else ""


def _related(knowing: Sequence[Feed], feeds: Sequence[Feed]) -> tuple[Feed, ...]:
    """Return feeds, each knowing itself, the main ones and the topics, in one order; a main feed knows all (G2).

    A tag's page knows the tags and authors of its own entries only: with all of them, pages would grow as the square
    of the number of tags. So does an archive's, which would change with each new tag.
    """
    listed = [feed.related_as() for feed in feeds]
    return tuple(replace(feed, related=tuple(_known(feed, listed))) for feed in knowing)


def _known(feed: Feed, listed: Sequence[Related]) -> Iterator[Related]:
    main = feed.kind == "main"
    entries = [] if main else [item.entry for item in feed.items]
    labels = {tag.casefold() for entry in entries for tag in entry.tags}
    labels |= {person.name.casefold() for entry in entries for person in entry.authors}
    for one in listed:
        itself = one.page == feed.page
        if itself or main or one.kind in {"main", "topic"} or one.label.casefold() in labels:
            yield one
