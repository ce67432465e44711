"""`feedsvc build`."""

import sys
from datetime import datetime
from pathlib import Path

import click

from feedsvc.cli.dress import dress
from feedsvc.cli.edges import clock, config_option, lock, project, quiet_option, report, strict_option
from feedsvc.service.build import Built
from feedsvc.service.build import build as run_build
from feedsvc.service.cycle import foreign_of, store_of
from feedsvc.settings.tree import Project


@click.command()
@config_option
@strict_option
@quiet_option
def build(config: Path, strict: bool, quiet: bool) -> None:
    """Make the feeds of posts and stored external entries. Asks no network."""
    here, now = project(config), clock()
    with lock(here.state):
        done = built(here, now)
    report(done.diagnostics)
    if not quiet:
        click.echo(summary(done, here.settings.output.directory))
    if done.held:
        names = ", ".join(done.held)
        click.echo(f"not published, the last good version stands: {names}", err=True)
        sys.exit(1)
    if strict and done.library.skipped:
        sys.exit(3)


def built(here: Project, now: datetime) -> Built:
    """Build from posts and, where there are sources, what the store has of them."""
    if not here.settings.sources:
        return run_build(here, now, dress=dress(here))
    with store_of(here, lambda: now) as store:
        return run_build(here, now, foreign_of(here, store, now), dress(here))


def summary(done: Built, folder: str) -> str:
    """Return one line on what a build did."""
    entries = {item.entry.id for feed in done.plan.feeds for item in feed.items}
    changed, removed = len(done.published.changed), len(done.published.removed)
    waits = f", {len(done.library.waiting)} waiting for their date" if done.library.waiting else ""
    return (
        f"{len(entries)} entries{waits} in {len(done.plan.feeds)} feeds; "
        f"{folder}: {done.documents} files, {changed} changed, {removed} removed"
    )
