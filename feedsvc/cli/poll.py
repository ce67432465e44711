"""`feedsvc poll`."""

import difflib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import click

from feedsvc.cli import suggest
from feedsvc.cli.edges import (
    clock,
    config_option,
    counted,
    lock,
    printable,
    project,
    quiet_option,
    report,
    strict_option,
    unsaid,
)
from feedsvc.cli.late import late
from feedsvc.cli.logs import poll_log
from feedsvc.collect.pacing import may_ask
from feedsvc.service.cycle import cycle, poll_policy, store_of
from feedsvc.service.onepoll import Clock
from feedsvc.service.polled import Polled, PollReport, Result
from feedsvc.settings.tree import Project
from feedsvc.store.leases import DUE, Wanted
from feedsvc.store.store import Store

NO_SOURCES = "no sources are configured; `feedsvc sources add URL` adds one"


@click.command()
@config_option
@strict_option
@quiet_option
@click.option(
    "--all", "every", is_flag=True, envvar="FEEDSVC_ALL", show_envvar=True, help="Poll all that may be polled now."
)
@click.argument("sources", metavar="[SOURCE]...", nargs=-1, shell_complete=suggest.sources)
def poll(config: Path, strict: bool, quiet: bool, every: bool, sources: tuple[str, ...]) -> None:
    """Poll the sources that are due; with arguments, those sources, as soon as interval and Retry-After allow."""
    here = project(config)
    wanted = chosen(here, every, sources)
    if not here.settings.sources:
        (unsaid if quiet else click.echo)(NO_SOURCES)
        return
    now = moments()
    with lock(here.state), store_of(here, now) as store:
        done = polled(here, store, now, wanted, quiet=quiet)
    if not quiet:
        click.echo(summary(done))
    if strict and any(one.skipped for one in done.polled):
        sys.exit(3)


def chosen(here: Project, every: bool, names: Sequence[str]) -> Wanted:
    """Return what is asked for; a usage error for a source that is not configured."""
    known = {source.id: source for source in here.settings.sources}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name.lower(), known, 1, 0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"there is no source {name!r} in the configuration{hint}")
        if not known[name].enabled:
            raise click.UsageError(f"source {name!r} is disabled in the configuration (enabled = false)")
    if every:
        return Wanted(asked=True)
    return Wanted(names, asked=True) if names else DUE


def moments() -> Clock:
    """Return the clock of a command that polls: what SOURCE_DATE_EPOCH says, else the time, which goes on."""
    if os.environ.get("SOURCE_DATE_EPOCH", "").strip():
        fixed = clock()
        return lambda: fixed
    return lambda: datetime.now(UTC)


def polled(here: Project, store: Store, now: Clock, wanted: Wanted, *, quiet: bool = False) -> PollReport:
    """Run one cycle; each result is logged as it comes, unless `quiet`, and what is wrong is told at the end."""
    shown = not quiet and sys.stderr.isatty()
    due = _due(store, now(), here, wanted) if shown else 0
    with late("cli.progress").progress(due) if due else nullcontext((_still, None)) as (step, write):
        log: Callable[[Polled], None] = unsaid if quiet else poll_log(write)

        def told(one: Polled) -> None:
            log(one)
            step()

        done = cycle(here, store, now, wanted, told)
    for waiting in done.waiting:
        click.echo(printable(str(waiting)), err=True)
    report(found for one in done.polled for found in one.diagnostics())
    return done


def summary(done: PollReport) -> str:
    """Return one line on what a cycle did."""
    new, changed = (sum(getattr(one, name) for one in done.polled) for name in ("new", "changed"))
    failed = sum(one.result is Result.FAILED for one in done.polled)
    parts = [
        f"{len(done.polled)} polled",
        counted(new, "new entry", "new entries"),
        f"{changed} changed",
        f"{failed} failed",
    ]
    return ", ".join(parts if done.polled else ["nothing is due"])


def _due(store: Store, now: datetime, here: Project, wanted: Wanted) -> int:
    policy = poll_policy(here.settings)
    moments = (
        may_ask(found.state, policy, now, asked=wanted.asked)
        for name, found in store.remembered().items()
        if wanted.ids is None or name in wanted.ids
    )
    return sum(moment is not None and moment <= now for moment in moments)


def _still() -> None:
    """Stand for what moves a bar, where there is none."""
