"""`feedsvc status`."""

import json
from datetime import datetime
from pathlib import Path

import click

from feedsvc.cli.edges import clock, config_option, json_option, project
from feedsvc.cli.tables import Row, lines, listed, on_terminal
from feedsvc.service.held import statuses_of
from feedsvc.service.statuses import Status, document

HEAD = ("source", "state", "entries", "last success", "next poll (UTC)", "why then")
STYLES = {
    "ok": "green",
    "waiting": "cyan",
    "failing": "red",
    "blocked": "yellow",
    "dead": "red",
    "gone": "dim",
    "disabled": "dim",
}


@click.command()
@config_option
@json_option
def status(config: Path, as_json: bool) -> None:
    """Show each source: state, last success, last error, next poll and why then. Takes no lock and changes nothing."""
    here, now = project(config), clock()
    found = statuses_of(here, now)
    if as_json:
        click.echo(json.dumps(document(found), ensure_ascii=False, indent=1))
    elif not found:
        click.echo("no sources are configured; `feedsvc sources add URL` adds one")
    elif on_terminal():
        listed(HEAD, (for_people(one, now) for one in found), STYLES)
    else:
        lines(map(for_programs, found))


def for_programs(one: Status) -> Row:
    """Return id, state, number of entries, last success, last error, next poll and why then."""
    return (one.id, one.word, str(one.entries), when(one.last_success), error(one), when(one.next_poll), one.reason)


def for_people(one: Status, now: datetime) -> Row:
    """Return the same for a table: the error beside the reason, and a year only where it is another one."""
    why = "; ".join(said for said in (error(one), one.reason) if said)
    return (one.id, one.word, str(one.entries), brief(one.last_success, now), brief(one.next_poll, now), why)


def error(one: Status) -> str:
    """Return the last error of a source that does not answer as it should; what is mended is history."""
    return one.last_error or "" if one.word not in {"ok", "waiting"} else ""


def when(moment: datetime | None) -> str:
    """Return a moment to the minute."""
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""


def brief(moment: datetime | None, now: datetime) -> str:
    """Return a moment to the minute, without this year."""
    return f"{moment:%m-%d %H:%M}" if moment and moment.year == now.year else when(moment)
