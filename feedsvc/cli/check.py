"""`feedsvc check`: configuration, posts, sources and published files, or the feed documents that are named."""

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click

from feedsvc import __version__
from feedsvc.cli.dress import dress
from feedsvc.cli.edges import clock, config_option, counted, printable, project
from feedsvc.cli.tables import Row, listed, on_terminal
from feedsvc.collect.answers import Ask, Failed, Fetched
from feedsvc.collect.fetch import Fetcher, FetchPolicy, user_agent
from feedsvc.collect.hosts import HostBlocks
from feedsvc.errors import ConfigError
from feedsvc.model import Diagnostic, Document, Level
from feedsvc.publish.check import faults
from feedsvc.render.page import compiled
from feedsvc.service import examine
from feedsvc.service.asking import fetch_policy
from feedsvc.service.held import blocks_of
from feedsvc.settings.spots import spots
from feedsvc.settings.tree import Project

HEAD = ("where", "", "what is wrong, and what to do", "code")
STYLES = {"error": "red", "warning": "yellow"}
LARGEST = 64 * 1024 * 1024


@click.command()
@config_option
@click.option(
    "--format",
    "form",
    envvar="FEEDSVC_FORMAT",
    show_envvar=True,
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How diagnostics are printed.",
)
@click.argument("documents", metavar="[FILE or URL]...", nargs=-1)
def check(config: Path, form: str, documents: tuple[str, ...]) -> None:
    """Check configuration, posts and published files; with arguments, those feed documents. Ends with 1 on errors."""
    found = list(named(documents, config) if documents else everything(config))
    if form == "json":
        click.echo(json.dumps([record(each) for each in found], ensure_ascii=False, indent=1))
    elif found and on_terminal():
        listed(HEAD, map(row, found), STYLES)
    else:
        for each in found:
            click.echo(printable(str(each)))
    errors = sum(each.level is Level.ERROR for each in found)
    click.echo(f"{counted(errors, 'error')}, {counted(len(found) - errors, 'warning')}", err=True)
    sys.exit(1 if errors else 0)


def row(found: Diagnostic) -> Row:
    """Return a diagnostic as people read it in a table."""
    where = found.path if found.line is None else f"{found.path}:{found.line}"
    return (where, str(found.level), found.message, found.code)


def record(found: Diagnostic) -> dict[str, object]:
    """Return a diagnostic as programs read it."""
    place = {"path": found.path, "line": found.line}
    return {**place, "level": str(found.level), "message": found.message, "code": found.code}


def everything(config: Path) -> Iterator[Diagnostic]:
    """Yield what is wrong with configuration, posts, published files and machine; touches no network."""
    try:
        here = project(config)
    except ConfigError as refused:
        yield from refused.diagnostics
        return
    yield from authority(here, config)
    yield from unshown(here, config)
    yield from overrides(here)
    yield from examine.posts(here, clock())
    yield from examine.published(here)
    yield from examine.machine(here)


def authority(here: Project, config: Path) -> Iterator[Diagnostic]:
    """Yield a warning where `site.id_authority` is left to its default: it would move with the address (I1)."""
    text = config.read_text("utf-8-sig")
    if not tomllib.loads(text)["site"].get("id_authority"):
        line = spots(text).line(("site",))
        wanted = here.settings.site.id_authority
        message = f'site.id_authority is not written down; add id_authority = "{wanted}", so that ids survive a move'
        yield Diagnostic(str(config), line, Level.WARNING, message, "no-id-authority")


def unshown(here: Project, config: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each source that is polled for nothing: no feed takes its entries, and there is no topic."""
    settings = here.settings
    taken = {name for feed in settings.feeds for name in feed.include}
    if settings.topics or "sources" in taken:
        return
    places = spots(config.read_text("utf-8-sig"))
    for number, source in enumerate(settings.sources):
        if source.enabled and source.id not in taken:
            message = f'no feed takes source {source.id}; write "sources" or its id into include of one of [[feeds]]'
            line = places.line(("sources", number))
            yield Diagnostic(str(config), line, Level.WARNING, message, "source-in-no-feed")


def overrides(here: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with templates and assets of one's own: a build would end for it."""
    try:
        compiled(dress(here).templates)
    except ConfigError as refused:
        yield from refused.diagnostics


def named(documents: tuple[str, ...], config: Path) -> Iterator[Diagnostic]:
    """Yield what is wrong with the feed documents that are named."""
    for name in documents:
        if name.startswith(("http://", "https://")):
            yield from fetched(name, config)
        else:
            yield from local(Path(name))


def local(path: Path) -> Iterator[Diagnostic]:
    """Yield what is wrong with a file."""
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST)
    except OSError as problem:
        reason = f"can't be read: {problem.strerror}"
        yield Diagnostic(str(path), None, Level.ERROR, reason, "unreadable-file")
        return
    yield from faults(Document(str(path), body, "", ""))


def fetched(url: str, config: Path) -> Iterator[Diagnostic]:
    """Yield what is wrong with a document on the network, asked once under the guard of every poll (S-03, F-18)."""
    here, now = project(config) if config.exists() else None, clock()
    policy = fetch_policy(here.settings) if here else FetchPolicy(user_agent(__version__, url))
    fetcher = Fetcher(policy, blocks=HostBlocks(blocks_of(here, now) if here else {}))
    answer = fetcher.get(Ask(url), now)
    if isinstance(answer, Fetched):
        yield from faults(Document(url, answer.body, answer.headers.get("content-type", "").partition(";")[0], ""))
    else:
        reason = answer.message if isinstance(answer, Failed) else "answered 304 to a request without validators"
        yield Diagnostic(url, None, Level.ERROR, f"can't be fetched: {reason}", "not-fetched")
