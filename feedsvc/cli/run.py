"""`feedsvc run`: the daemon."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from feedsvc.cli.edges import config_option, lock, project
from feedsvc.cli.logs import event_log, poll_log, to
from feedsvc.cli.serve import host_option, port_option, welcome
from feedsvc.cli.work import OpenWork, present
from feedsvc.serve.daemon import Daemon
from feedsvc.serve.documents import Public
from feedsvc.serve.keeper import Keeper
from feedsvc.serve.metrics import Metrics
from feedsvc.serve.plan import Plan, Work
from feedsvc.serve.watching import Watched
from feedsvc.settings.tree import Project


@click.command()
@config_option
@host_option
@port_option
@click.option(
    "--admin-port",
    envvar="FEEDSVC_ADMIN_PORT",
    show_envvar=True,
    type=click.IntRange(0, 65535),
    help="Port of health, metrics and status; 0 takes a free one.  [default: serve.admin_port]",
)
def run(config: Path, host: str | None, port: int | None, admin_port: int | None) -> None:
    """Poll, build and serve until told to stop. Ends with Ctrl-C; SIGHUP takes a new configuration."""
    metrics, log, log_poll = Metrics(), event_log(), poll_log()

    def load() -> Plan:
        here = project(config)
        return plan_of(here, host, port, admin_port, lambda: OpenWork(here, metrics, log, log_poll))

    first = load()
    with lock(first.state) as held:
        daemon = Daemon(first, load, log=log, clock=present, environment=os.environ, metrics=metrics, held=held)
        keeper = Keeper(first.output, first.public)
        keeper.look(settled=True)

        def ready() -> None:
            say = to(sys.stdout)
            say(welcome(first.output.name, daemon.listener, keeper.shelf))
            say(f"Status at http://127.0.0.1:{daemon.admin_port}/status")

        whole = daemon.run(ready)
    if not whole:
        # A thread that waits for a stranger would keep the process: it is left behind, nothing it does counts (V-32).
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def plan_of(
    here: Project, host: str | None, port: int | None, admin_port: int | None, opened: Callable[[], Work]
) -> Plan:
    """Return how a configuration wants the daemon; flags go before it."""
    settings, serving = here.settings, here.settings.serve
    return Plan(
        state=here.state,
        output=here.output,
        public=Public(settings.output.url, settings.websub.hubs),
        host=host or serving.host,
        port=serving.port if port is None else port,
        admin_port=serving.admin_port if admin_port is None else admin_port,
        build_seconds=settings.schedule.build,
        cron=settings.schedule.cron,
        posts=Watched(here.posts, deep=True),
        config=Watched(here.config.parent, deep=False, names=frozenset({here.config.name})),
        open=opened,
        hubs=settings.websub.hubs,
        callback=settings.websub.callback_url,
    )
