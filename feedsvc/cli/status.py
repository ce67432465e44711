"""`feedsvc status`."""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from feedsvc.cli.edges import clock, config_option, printable, project
from feedsvc.service.cycle import statuses_of
from feedsvc.service.statuses import Status, document

COLORS = {"ok": "green", "failing": "red", "blocked": "yellow", "dead": "red", "gone": "dim", "disabled": "dim"}


@click.command()
@config_option
@click.option("--json", "as_json", is_flag=True, envvar="FEEDSVC_JSON", show_envvar=True, help="As a JSON document.")
def status(config: Path, as_json: bool) -> None:
    """Show each source: state, last success, last error, next poll and why then. Takes no lock and changes nothing."""
    here, now = project(config), clock()
    found = statuses_of(here, now)
    if as_json:
        click.echo(json.dumps(document(found), ensure_ascii=False, indent=1))
    elif not found:
        click.echo("no sources are configured; `feedsvc sources add URL` adds one")
    elif sys.stdout.isatty():
        Console().print(_table(found))
    else:
        for one in found:
            click.echo("\t".join(_cells(one)))


def _cells(one: Status) -> list[str]:
    said = one.last_error if one.word not in {"ok", "waiting"} and one.last_error else ""
    cells = (one.id, one.word, str(one.entries), _when(one.last_success), said, _when(one.next_poll), one.reason)
    return [printable(cell) or "-" for cell in cells]


def _when(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""


def _table(found: Sequence[Status]) -> Table:
    table = Table("source", "state", "entries", "last success", "last error", "next poll (UTC)", "why then")
    for one in found:
        cells = [Text(cell) for cell in _cells(one)]
        cells[1].stylize(COLORS.get(one.word, ""))
        table.add_row(*cells)
    return table
