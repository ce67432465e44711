"""`feedsvc update`: poll, then build; the line for cron."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import click

from feedsvc.cli.build import summary as build_summary
from feedsvc.cli.busy import busy
from feedsvc.cli.dress import dress
from feedsvc.cli.edges import config_option, lock, project, quiet_option, report, strict_option, unsaid
from feedsvc.cli.hubs import tell_hubs
from feedsvc.cli.poll import moments, polled
from feedsvc.cli.poll import summary as poll_summary
from feedsvc.errors import FeedsvcError
from feedsvc.serve.metrics import Metrics
from feedsvc.service.build import Built, build, outcome
from feedsvc.service.cycle import foreign_of, poll_policy, store_of
from feedsvc.service.onepoll import Clock
from feedsvc.service.polled import Polled
from feedsvc.service.statuses import statuses
from feedsvc.settings.tree import Project
from feedsvc.store.leases import DUE
from feedsvc.store.store import Store


@click.command()
@config_option
@strict_option
@quiet_option
@click.option(
    "--metrics",
    envvar="FEEDSVC_METRICS",
    show_envvar=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write metrics to this file, for the textfile collector of Prometheus' node exporter.",
)
def update(config: Path, strict: bool, quiet: bool, metrics: Path | None) -> None:
    """Poll the sources that are due, then build."""
    here, now = project(config), moments()
    tell = click.echo if not quiet else unsaid
    skipped = False
    with lock(here.state), store_of(here, now) as store, counting(metrics) as counted:
        if here.settings.sources:
            cycle = polled(here, store, now, DUE, quiet=quiet)
            tell(poll_summary(cycle))
            skipped = any(one.skipped for one in cycle.polled)
            count(here, store, cycle.polled, counted, now)
        with counted.building(now), busy("building", quiet=quiet):
            done = built(here, store, now)
        tell_hubs(here, done, now)
    report(done.diagnostics)
    tell(build_summary(outcome(done), here.settings.output.directory))
    if done.held:
        click.echo(f"not published, the last good version stands: {', '.join(done.held)}", err=True)
        sys.exit(1)
    if strict and (skipped or done.library.skipped):
        sys.exit(3)


@contextmanager
def counting(target: Path | None) -> Iterator[Metrics]:
    """Count what is done meanwhile, and write it down at the end, however that comes (V-27)."""
    counted = Metrics()
    try:
        yield counted
    finally:
        if target:
            _write(counted, target)


def _write(counted: Metrics, target: Path) -> None:
    try:
        counted.write(target)
    except OSError as problem:
        raise FeedsvcError(f"{target}: metrics could not be written: {problem.strerror}") from problem


def count(here: Project, store: Store, done: Iterable[Polled], counted: Metrics, now: Clock) -> None:
    """Count polls, and how the sources stand after them."""
    for one in done:
        counted.polled(one)
    moment = now()
    counted.stand(statuses(here.settings, store.remembered(), poll_policy(here.settings), moment), moment)


def built(here: Project, store: Store, now: Clock) -> Built:
    """Build from posts and store, then forget what left its source and every feed for longer than `retention`."""
    moment = now().replace(microsecond=0)
    done = build(here, moment, foreign_of(here, store, moment), dress=dress(here))
    keep = {(item.entry.source, item.entry.key) for feed in done.plan.feeds for item in feed.items}
    store.forget(moment - timedelta(seconds=here.settings.store.retention), keep)
    return done
