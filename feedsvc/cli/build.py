"""`feedsvc build`."""

import gc
import sys
from datetime import datetime
from pathlib import Path

import click

from feedsvc.cli.busy import busy
from feedsvc.cli.dress import dress
from feedsvc.cli.edges import clock, config_option, counted, lock, project, quiet_option, report, strict_option
from feedsvc.cli.late import late
from feedsvc.collect.posts_folder import listing
from feedsvc.service.standing import Outcome, stands
from feedsvc.settings.tree import Project


@click.command()
@config_option
@strict_option
@quiet_option
def build(config: Path, strict: bool, quiet: bool) -> None:
    """Make the feeds of posts and stored external entries. Asks no network."""
    gc.disable()  # what a build makes lives to its end: to look for garbage meanwhile costs a tenth
    here, now = project(config), clock()
    with lock(here.state), busy("building", quiet=quiet):
        done = built(here, now)
    conclude(done, here, quiet=quiet, strict=strict)


def built(here: Project, now: datetime) -> Outcome:
    """Build from posts and, where there are sources, what the store has of them; what is not needed is not imported."""
    mine = dress(here)
    if here.settings.sources:
        whole: Outcome = late("service.planet").of_all(here, now, mine)
        return whole
    there = listing(here)
    if same := stands(here, now, there, mine):
        return same
    done: Outcome = late("service.build").of_posts(here, now, there, mine)
    return done


def conclude(done: Outcome, here: Project, *, quiet: bool, strict: bool, skipped: bool = False) -> None:
    """Tell what a build did, and end with the exit status of the contract; `skipped`: a source was, before it."""
    report(done.diagnostics)
    if not quiet:
        click.echo(summary(done, here.settings.output.directory))
    if done.held:
        click.echo(f"not published, the last good version stands: {', '.join(done.held)}", err=True)
        sys.exit(1)
    if strict and (skipped or done.skipped):
        sys.exit(3)


def summary(done: Outcome, folder: str) -> str:
    """Return one line on what a build did."""
    waits = f", {done.waiting} waiting for their date" if done.waiting else ""
    return (
        f"{counted(done.entries, 'entry', 'entries')}{waits} in {counted(done.feeds, 'feed')}; "
        f"{folder}: {counted(done.documents, 'file')}, {done.changed} changed, {done.removed} removed"
    )
