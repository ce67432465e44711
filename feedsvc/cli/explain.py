"""`feedsvc explain`: where an entry came from, which feeds hold it, and what kept it out of the others (SO-10)."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath

import click
from msgspec import Struct
from rich.text import Text

from feedsvc.cli import tables
from feedsvc.cli.edges import clock, config_option, json_option, printable, project
from feedsvc.cli.suggest import files
from feedsvc.compose.decisions import Reason, Rule
from feedsvc.compose.explain import Explanation
from feedsvc.errors import FeedsvcError
from feedsvc.model import Entry, Feed
from feedsvc.service.explaining import Answer, answer, holding
from feedsvc.service.stored import stored
from feedsvc.settings.tree import Project, Settings

EVERY = "every feed"
HEAD = ("feed", "", "where, or why not")
STYLES = {"title": "green", "teaser": "green", "full": "green", "no": "yellow"}


class Verdict(Struct, frozen=True):
    """What a feed makes of an entry. `how` is how much it shows, or the code of the rule that kept the entry out."""

    feed: str
    held: bool
    how: str
    words: str
    page: str = ""
    detail: str = ""


@click.command()
@config_option
@json_option
@click.argument("entry", shell_complete=files)
def explain(config: Path, as_json: bool, entry: str) -> None:
    """Say where ENTRY came from, which feeds hold it, and for each that does not, the rule that kept it out.

    ENTRY is an address, an id (as published or as its source wrote it) or the path of a post. Takes no lock and
    changes nothing. Ends with 1 when there is no such entry.
    """
    here, now = project(config), clock()
    with stored(here, now) as foreign:
        known = answer(here, named(here, entry), now, foreign)
    told = [(found, tuple(verdicts(here.settings, found, known.feeds))) for found in known.found]
    if as_json:
        entries = [record(found, feeds) for found, feeds in told]
        click.echo(json.dumps({"query": entry, "entries": entries}, ensure_ascii=False, indent=1))
    else:
        for found, feeds in told:
            tell(found, feeds)
    if not known.found:
        raise FeedsvcError(unknown(entry, known))


def named(here: Project, entry: str) -> str:
    """Return what is asked for; a file in the folder of posts, from wherever one names it, as diagnostics name it."""
    path = Path(os.path.abspath(entry))
    try:
        there = path.is_relative_to(here.posts) and path.is_file()
    except (ValueError, OSError):  # a name that no file can have
        return entry
    folder = PurePosixPath(here.settings.posts.directory)
    return str(folder / path.relative_to(here.posts)) if there else entry


def unknown(query: str, known: Answer) -> str:
    """Return what is said of an entry that is not there: what was looked for, and what is nearest to it."""
    said = f"{printable(query)}: no post and no stored entry has this path, id or address"
    near = ", ".join(map(printable, known.nearest))
    return f"{said}; nearest: {near}" if near else f"{said}, nor one like it"


def tell(found: Explanation, told: Sequence[Verdict]) -> None:
    """Print an explanation: tables on a terminal, else a line with tabs for each fact and each feed."""
    if tables.on_terminal():
        rows = [(each.feed, each.how if each.held else "no", each.words) for each in told]
        title = Text(printable(called(found)), style="bold")
        tables.shown(title, tables.facts(facts(found)), tables.table(HEAD, rows, STYLES))
        return
    tables.lines([("title", called(found)), *facts(found)])
    tables.lines(("in" if each.held else "not in", each.feed, each.how, each.words) for each in told)


def called(found: Explanation) -> str:
    """Return what people call an entry."""
    if found.entry is None:
        return found.held.path if found.held else ""
    return found.entry.title or found.entry.link or found.entry.id


def facts(found: Explanation) -> Iterator[tuple[str, str]]:
    """Yield what is known of an entry, each fact with its name."""
    entry = found.entry
    if entry is None:
        yield "from", found.held.path if found.held else ""
        return
    yield "from", whence(entry)
    yield "id", entry.id
    if entry.key != entry.id and not entry.own:
        yield "raw id", entry.key.partition("\t")[0]
    yield "link", entry.link or "none"
    yield "published", stamp(entry.published)
    if entry.updated != entry.published:
        yield "updated", stamp(entry.updated)
    if entry.tags:
        yield "tags", ", ".join(entry.tags)
    for copy in found.copies:
        yield "also at", f"{copy.source}: {copy.link or copy.id}"


def whence(entry: Entry) -> str:
    """Return where an entry came from: the file of a post, or its source with title and feed."""
    if entry.own:
        return entry.path
    origin = entry.origin
    return f"source {entry.source}" + (f": {origin.title}, {origin.url}" if origin else "")


def verdicts(settings: Settings, found: Explanation, feeds: Mapping[str, Feed]) -> Iterator[Verdict]:
    """Yield what each feed makes of an entry, those that hold it first."""
    entry = found.entry
    if entry is None:
        if found.held:
            yield Verdict(EVERY, held=False, how=found.held.kind, words=found.held.reason)
        return
    for name in found.feeds:
        yield held_by(settings, feeds[name], entry)
    for name, reason in found.kept_out:
        yield Verdict(
            name or EVERY, held=False, how=reason.rule.code, words=why(name, entry, reason), detail=reason.detail
        )


def held_by(settings: Settings, feed: Feed, entry: Entry) -> Verdict:
    """Return how a feed shows an entry, and that its source's `content` is why it shows no more."""
    found = holding(settings, feed, entry)
    words = f"{feed.page} (content of source {entry.source})" if found.by_source else feed.page
    return Verdict(feed.name, held=True, how=str(found.show), words=words, page=feed.page)


def why(feed: str, entry: Entry, reason: Reason) -> str:
    """Return a reason in words; words that keep an entry out of every feed are those of its source."""
    by_source = not feed and reason.rule in {Rule.DROP, Rule.KEEP}
    return f"{reason} (of source {entry.source})" if by_source else str(reason)


def stamp(moment: datetime) -> str:
    """Return a moment as everybody reads it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def record(found: Explanation, told: Sequence[Verdict]) -> dict[str, object]:
    """Return an explanation as programs read it."""
    return {
        **identity(found),
        "feeds": [{"name": each.feed, "page": each.page, "content": each.how} for each in told if each.held],
        "kept_out": [
            {
                "feed": None if each.feed == EVERY else each.feed,
                "rule": each.how,
                "detail": each.detail,
                "reason": each.words,
            }
            for each in told
            if not each.held
        ],
        "copies": [{"source": copy.source, "id": copy.id, "link": copy.link} for copy in found.copies],
    }


def identity(found: Explanation) -> dict[str, object]:
    """Return what an entry is, as programs read it; of a post that is none, its path alone."""
    entry = found.entry
    if entry is None:
        return {"id": None, "path": found.held.path if found.held else None, "source": None}
    origin = entry.origin
    source = {"id": entry.source, "title": origin.title if origin else None, "url": origin.url if origin else None}
    return {
        "id": entry.id,
        "path": entry.path or None,
        "source": None if entry.own else source,
        "raw_id": None if entry.own else entry.key.partition("\t")[0],
        "link": entry.link,
        "title": entry.title,
        "published": stamp(entry.published),
        "updated": stamp(entry.updated),
        "tags": list(entry.tags),
    }
