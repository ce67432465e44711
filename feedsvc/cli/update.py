"""`feedsvc update`: poll, then build; the line for cron."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from feedsvc.cli.build import conclude
from feedsvc.cli.busy import busy
from feedsvc.cli.dress import dress
from feedsvc.cli.edges import config_option, lock, project, quiet_option, strict_option, unsaid
from feedsvc.cli.hubs import tell_hubs
from feedsvc.cli.poll import moments, polled
from feedsvc.cli.poll import summary as poll_summary
from feedsvc.errors import FeedsvcError
from feedsvc.serve.metrics import Metrics
from feedsvc.service.build import outcome
from feedsvc.service.cycle import poll_policy, store_of
from feedsvc.service.onepoll import Clock
from feedsvc.service.planet import built_and_tidied
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
            done = built_and_tidied(here, store, now().replace(microsecond=0), dress(here))
        tell_hubs(here, done, store, now)
    conclude(outcome(done), here, quiet=quiet, strict=strict, skipped=skipped)


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
