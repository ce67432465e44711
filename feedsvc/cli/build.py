"""`feedsvc build`."""

import sys
from pathlib import Path

import click

from feedsvc.cli.dress import dress
from feedsvc.cli.edges import clock, config_option, lock, project, report, strict_option
from feedsvc.service.build import Built
from feedsvc.service.build import build as run_build


@click.command()
@config_option
@strict_option
def build(config: Path, strict: bool) -> None:
    """Make the feeds of posts and stored external entries. Asks no network."""
    here, now = project(config), clock()
    with lock(here.state):
        done = run_build(here, now, dress=dress(here))
    report(done.diagnostics)
    click.echo(summary(done, here.settings.output.directory))
    if done.held:
        names = ", ".join(done.held)
        click.echo(f"not published, the last good version stands: {names}", err=True)
        sys.exit(1)
    if strict and done.library.skipped:
        sys.exit(3)


def summary(done: Built, folder: str) -> str:
    """Return one line on what a build did."""
    entries = {item.entry.id for feed in done.plan.feeds for item in feed.items}
    changed, removed = len(done.published.changed), len(done.published.removed)
    waits = f", {len(done.library.waiting)} waiting for their date" if done.library.waiting else ""
    return (
        f"{len(entries)} entries{waits} in {len(done.plan.feeds)} feeds; "
        f"{folder}: {done.documents} files, {changed} changed, {removed} removed"
    )
