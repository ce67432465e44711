"""`feedsvc sources`: the sources in the configuration file, which keeps its comments and its order (SO-08)."""

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from feedsvc.cli import suggest
from feedsvc.cli.edges import clock, config_option, counted, json_option, lock, printable, project, report
from feedsvc.cli.poll import moments
from feedsvc.cli.tables import listed
from feedsvc.collect.discover import Candidate, asked_address
from feedsvc.collect.found import ParsedFeed, Unread
from feedsvc.collect.opml import LARGEST, read_opml
from feedsvc.collect.waits import spelled
from feedsvc.errors import ConfigError, FeedsvcError, LockHeldError
from feedsvc.model import Diagnostic, Level, Outline
from feedsvc.render.outlines import sources_opml
from feedsvc.service.finding import Looked, first_poll, looking
from feedsvc.service.held import rests
from feedsvc.service.listing import outlines
from feedsvc.settings.addresses import address_key
from feedsvc.settings.defaults import id_of
from feedsvc.settings.edit import add_sources, remove_source
from feedsvc.settings.tree import Project, Source
from feedsvc.text.urls import without_user


@click.group()
def sources() -> None:
    """List, add, remove, test, import and export sources."""


@sources.command("list")
@config_option
@json_option
def list_sources(config: Path, as_json: bool) -> None:
    """List the sources: id, address, title, tags."""
    here = project(config)
    named = {outline.id: outline for outline in outlines(here)}
    if as_json:
        found = [record(one, named[one.id]) for one in here.settings.sources]
        click.echo(json.dumps({"sources": found}, ensure_ascii=False, indent=1))
        return
    if not named:
        click.echo("no sources are configured; `feedsvc sources add URL` adds one", err=True)
    rows = [
        (one.id, one.url, named[one.id].title, ", ".join(one.tags), "" if one.enabled else "disabled")
        for one in here.settings.sources
    ]
    listed(("id", "address", "title", "tags", ""), rows)


@sources.command()
@config_option
@click.argument("url")
@click.option("--id", "name", envvar="FEEDSVC_ID", show_envvar=True, default="", help="Id of the source.")
def add(config: Path, url: str, name: str) -> None:
    """Add the feed at URL, or the one that the page at URL names; beside a running instance, that one asks it."""
    here, now = project(config), clock()
    try:
        with lock(here.state):
            address = _unknown(here, url, refuse_known=True)
            if rests(here, name or _free_id(address, here.settings.sources), address, now):
                wait = spelled(here.settings.polling.interval)
                return _add_unasked(here, url, name, config, f"asked less than {wait} ago (polling.interval)")
            looked = _looked(here, url, refuse_known=True)
            _say_others(looked.url, looked.others)
            source = _added(here, looked.url, name, config)
            click.echo(printable(f"added {source.id}: {looked.url} ({_summary(looked.feed)})"))
            first = first_poll(project(config), source.id, looked, lambda: now)
    except LockHeldError:
        return _add_unasked(here, url, name, config, "another instance is at work here and asks it")
    return report(first.diagnostics() if first else ())


@sources.command()
@config_option
@click.argument("id", shell_complete=suggest.sources)
def remove(config: Path, id: str) -> None:  # noqa: A002 - the argument's name
    """Remove a source; its entries leave every feed at the next build."""
    here = project(config)
    _write(here.config, remove_source(_text(here.config), id, _shown(config)))
    click.echo(f"removed {printable(id)}; its entries leave every feed at the next build")


@sources.command()
@config_option
@click.argument("url")
def test(config: Path, url: str) -> None:
    """Ask URL once and say what feed is there; changes nothing."""
    looked = _looked(project(config), url, refuse_known=False)
    feed = looked.feed
    _say_others(looked.url, looked.others)
    click.echo(printable(f"{looked.url}: {_summary(feed)}"))
    for entry in feed.entries[:10]:
        click.echo(printable(f"  {entry.title or '(no title)'}  {entry.link or '(no link)'}"))
    report(feed.warnings)
    if feed.fault:
        raise FeedsvcError(printable(feed.fault))


@sources.command("import")
@config_option
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_sources(config: Path, file: Path) -> None:
    """Add the feeds of an OPML list; folders become tags. Nothing that is configured already is changed."""
    here = project(config)
    if file.stat().st_size > LARGEST:
        raise FeedsvcError(f"{file}: refused: a list of more than {LARGEST >> 20} MiB")
    found = read_opml(file.read_bytes(), str(file))
    if isinstance(found, Unread):
        raise FeedsvcError(f"{file}: {found.message}")
    new, there = _new(found.feeds, here, str(file))
    _write(here.config, add_sources(_text(here.config), new, _shown(config)))
    report((*found.left_out, *there))
    left = len(found.left_out)
    click.echo(f"{counted(len(new), 'source')} added, {len(there)} here already, {counted(left, 'outline')} left out")


@sources.command()
@config_option
def export(config: Path) -> None:
    """Print the enabled sources as OPML 2.0."""
    here = project(config)
    enabled = {source.id for source in here.settings.sources if source.enabled}
    shown = [outline for outline in outlines(here) if outline.id in enabled]
    click.echo(sources_opml(f"Sources of {here.settings.site.title}", shown), nl=False)
    if len(enabled) < len(here.settings.sources):
        click.echo(f"{len(here.settings.sources) - len(enabled)} disabled sources are not in the list", err=True)


def record(source: Source, named: Outline) -> dict[str, object]:
    """Return a source as programs read it: title and home as lists name them."""
    return {
        "id": source.id,
        "url": source.url,
        "title": named.title,
        "home": named.home,
        "content": str(source.content),
        "tags": list(source.tags),
        "enabled": source.enabled,
    }


def _add_unasked(here: Project, url: str, name: str, config: Path, why: str) -> None:
    source = _added(here, _unknown(here, url, refuse_known=True), name, config)
    click.echo(printable(f"added {source.id}: {source.url} (not asked)"))
    click.echo(printable(f"{why}; `feedsvc status` says what came of {source.id}"), err=True)


def _added(here: Project, url: str, name: str, config: Path) -> Source:
    """Write a source into the configuration and return it."""
    source = Source(url=url, id=name or _free_id(url, here.settings.sources))
    _write(here.config, add_sources(_text(here.config), [source], _shown(config)))
    return source


def _looked(here: Project, url: str, *, refuse_known: bool) -> Looked:
    """Return the feed that a person means; `poll` asks what is configured, and keeps to the interval (F-11)."""
    address = _unknown(here, url, refuse_known=refuse_known)
    with looking(here, moments()(), keep=refuse_known) as look:
        found = look(address, lambda candidate: bool(_known(here, candidate)))
    if isinstance(found, Looked):
        return found
    _say_others("", found.others)
    if found.known:
        raise _here_already(here, found.known, refuse_known=refuse_known)
    raise FeedsvcError(printable(found.message))


def _unknown(here: Project, url: str, *, refuse_known: bool) -> str:
    """Return the address that a person means; ConfigError where a source has it (SO-04)."""
    address = asked_address(url)
    if address is None:
        raise click.UsageError(f"{printable(without_user(url))} is no http or https address without user name")
    if _known(here, address):
        raise _here_already(here, address, refuse_known=refuse_known)
    return address


def _here_already(here: Project, address: str, *, refuse_known: bool) -> ConfigError:
    known = _known(here, address)
    hint = "" if refuse_known else f"; `feedsvc poll {known}` asks it"
    message = f"{printable(address)} is here already, as source {known!r}{hint}"
    return ConfigError([Diagnostic(_shown(here.config), None, Level.ERROR, message, "duplicate-address")])


def _known(here: Project, address: str) -> str:
    """Return the id of the source that has an address, "" where none has (SO-04)."""
    key = address_key(address)
    return next((one.id for one in here.settings.sources if address_key(one.url) == key), "")


def _say_others(taken: str, others: Sequence[Candidate]) -> None:
    if taken and others:
        click.echo(printable(f"the page names {len(others) + 1} feeds; taken: {taken}"), err=True)
    for one in others:
        click.echo(printable(f"  not taken: {one.url} {one.title}".rstrip()), err=True)


def _summary(feed: ParsedFeed) -> str:
    title = f"{feed.channel.title!r}, " if feed.channel.title else ""
    return f"{title}{feed.kind.value}, {counted(len(feed.entries), 'entry', 'entries')}"


def _new(feeds: Sequence[Outline], here: Project, file: str) -> tuple[list[Source], list[Diagnostic]]:
    """Return the sources to add, and what is said of those that are here already."""
    new: list[Source] = []
    there: list[Diagnostic] = []
    for feed in feeds:
        known = _known(here, feed.url)
        if known:
            message = f"{feed.url} is here already, as source {known!r}; nothing of it was changed"
            there.append(Diagnostic(file, None, Level.WARNING, message, "duplicate-address"))
            continue
        name = _free_id(feed.url, (*here.settings.sources, *new))
        new.append(Source(url=feed.url, id=name, title=feed.title, home=feed.home, tags=feed.tags))
    return new, there


def _free_id(url: str, sources: Collection[Source]) -> str:
    """Return the id that an address gives, with a number where another source has it (SO-05)."""
    taken = {one.id for one in sources}
    name = id_of(Source(url=url))
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _shown(config: Path) -> str:
    return str(config)


def _text(config: Path) -> str:
    return config.read_bytes().decode("utf-8")


def _write(config: Path, text: str) -> None:
    """Replace the file whole: whoever reads it meanwhile sees the old one or the new one."""
    beside = config.with_name(f".{config.name}.new")
    try:
        beside.write_bytes(text.encode("utf-8"))
        os.chmod(beside, config.stat().st_mode & 0o777)
        os.replace(beside, config.resolve())
    except OSError as reason:
        beside.unlink(missing_ok=True)
        raise FeedsvcError(f"{config}: cannot be written: {reason.strerror}") from reason
