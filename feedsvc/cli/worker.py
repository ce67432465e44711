"""`feedsvc worker`: one of many pollers over a store that machines share."""

import os
import signal
import socket
import sys
from pathlib import Path
from threading import Event, Thread

import click

from feedsvc.cli.edges import config_option, lock, project
from feedsvc.cli.logs import event_log, poll_log
from feedsvc.cli.work import present
from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.guard import Guard
from feedsvc.errors import ConfigError
from feedsvc.model import Diagnostic, Level
from feedsvc.serve.signals import Signals, exit_on_next
from feedsvc.serve.tireless import rounds
from feedsvc.service.cycle import deps_of, poll_policy, terms
from feedsvc.service.poll import poll
from feedsvc.settings.tree import Project
from feedsvc.store.store import opened

DRAIN = 10.0
ENDING = frozenset({signal.SIGTERM, signal.SIGINT})


@click.command()
@config_option
def worker(config: Path) -> None:
    """Poll beside other workers, over a PostgreSQL store, until told to stop. Builds and serves nothing."""
    here = project(config)
    if not here.store_url.startswith("postgresql"):
        message = 'store.url is a SQLite file, which one process works on: share a "postgresql://…" store, or use `run`'
        raise ConfigError([Diagnostic(str(config), None, Level.ERROR, message, "not-shared")])
    with lock(here.state, shared=True):
        whole = Worker(here).work()
    if not whole:
        # A thread that waits for a stranger would keep the process; its lease runs out by itself.
        sys.stderr.flush()
        os._exit(0)


class Worker:
    """Polls in a thread of its own, so that signals are heard at once."""

    def __init__(self, here: Project) -> None:
        self._project = here
        self._owner = f"{socket.gethostname()}:{os.getpid()}"
        self._stop = Event()
        self._log = event_log()
        self._fetcher: Fetcher | None = None

    def work(self) -> bool:
        """Work until SIGTERM or SIGINT; False where something under way did not end in time (V-32)."""
        signals = Signals()
        thread = Thread(target=rounds, args=(self._round, self._stop, self._log), name="worker", daemon=True)
        thread.start()
        self._log("info", "worker", owner=self._owner)
        while thread.is_alive() and not signals.wait(1.0) & ENDING:
            pass
        self._stop.set()
        exit_on_next(sys.stderr.flush)
        thread.join(DRAIN)
        if thread.is_alive() and self._fetcher:
            self._fetcher.close()
            thread.join(1.0)
        return not thread.is_alive()

    def _round(self) -> float:
        """Poll what is due; return for how many seconds nothing is."""
        here = self._project
        settings = here.settings
        shared = terms(settings, self._owner, host_delay=settings.polling.host_delay)
        with opened(here.store_url, shared) as store, Guard() as guard:
            store.sync(settings.sources, poll_policy(settings), present())
            with deps_of(here, store, present, guard.read) as deps:
                self._fetcher = deps.fetcher
                log = poll_log()
                while not self._stop.is_set():
                    poll(deps, settings.polling.concurrency, told=log, stop=self._stop)
                    due = store.next_due()
                    rest = 30.0 if due is None else (due - present()).total_seconds()
                    self._stop.wait(min(max(rest, 1.0), 30.0))
        return 0.0
