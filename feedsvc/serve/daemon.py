"""The daemon: a clock that calls, jobs that work, and a process that serves (serving V-24 to V-33).

Timetable ──asks──▶ Job "poll" ──news──▶ Job "build" ──changed──▶ Job "hubs"
Watcher ───asks──▶ Job "build", Job "reload"
Signals ───▶ this thread, which beats once a second and ends everything
"""

import errno
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import datetime
from itertools import chain, repeat
from signal import Signals as Signal
from threading import Event

from feedsvc.errors import FeedsvcError
from feedsvc.serve.admin import Admin, View
from feedsvc.serve.connection import listen
from feedsvc.serve.hubs import Hubs
from feedsvc.serve.jobs import Job
from feedsvc.serve.metrics import Metrics
from feedsvc.serve.notify import Notifier
from feedsvc.serve.plan import Log, Plan
from feedsvc.serve.readiness import Pulse
from feedsvc.serve.signals import Signals, exit_on_next
from feedsvc.serve.supervise import Served, Supervisor
from feedsvc.serve.timetable import Calls, Timetable, longest_wait
from feedsvc.serve.watching import Watcher, watch_all
from feedsvc.service.statuses import Status

BEAT_SECONDS = 1.0
JUMP_SECONDS = 5.0
DRAIN_SECONDS = 6.0
PORT_SECONDS = 3.0
CUT_SECONDS = 2.0
RETRY_SECONDS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
DELETED = "the folder of the state was deleted, and the store with it; restart"
Clock = Callable[[], datetime]


class Daemon:
    """Runs one plan after another until a signal ends it; FeedsvcError when it cannot begin."""

    def __init__(
        self,
        plan: Plan,
        load: Callable[[], Plan],
        *,
        log: Log,
        clock: Clock,
        environment: Mapping[str, str],
        metrics: Metrics,
        held: Callable[[], bool] = lambda: True,
    ) -> None:
        self._plan, self._load, self._log, self._clock, self._metrics = plan, load, log, clock, metrics
        self._notifier = Notifier(environment)
        self._pulse, self._stop = Pulse(), Event()
        calls = Calls(self._tick, self._ask("build"), self._ask("care"), metrics.missed)
        self._timetable = Timetable(calls, self._notifier.watchdog)
        listener = _listening(plan.host, plan.port)
        self._admin = self._admin_on(plan.admin_port)
        self._work = plan.open()
        self._jobs = {
            name: Job(name, work, self._job_failed)
            for name, work in (
                ("poll", self._poll),
                ("build", self._build),
                ("care", self._care),
                ("reload", self._reload),
                ("hubs", self._tell_hubs),
            )
        }
        self._hubs = Hubs(plan, self._work, log, clock, again=self._ask("hubs"), poll=self._ask("poll"))
        self._supervisor = Supervisor(listener, metrics.served, self._hubs.called)
        self._watchers: tuple[Watcher, ...] = ()
        self._offset, self._trouble, self._held = 0.0, "", held

    @property
    def listener(self) -> socket.socket:
        """Return where the public server listens."""
        return self._supervisor.listener

    @property
    def admin_port(self) -> int:
        """Return where the operator asks."""
        return self._admin.port

    def run(self, ready: Callable[[], None]) -> bool:
        """Run until SIGTERM or SIGINT; return whether everything came to its end. `ready` is called once it serves."""
        signals = Signals()
        self._supervisor.serve(self._served())
        for job in self._jobs.values():
            job.start()
        now, self._offset = self._clock(), self._drift()
        self._jobs["build"].ask()
        self._timetable.start(self._plan.build_seconds, self._plan.cron, now)
        self._watch()
        ready()
        while not (came := signals.wait(BEAT_SECONDS)) & {Signal.SIGTERM, Signal.SIGINT}:
            if Signal.SIGHUP in came:
                self._jobs["reload"].ask()
            self._beat()
        exit_on_next(self._supervisor.kill)
        signals.close()
        return self._end()

    # ---- what is asked for -----------------------------------------------------------------------------------

    def _ask(self, name: str) -> Callable[[], object]:
        return lambda: self._jobs[name].ask()  # noqa: PLW0108 - the jobs come to be after the timetable

    def _tick(self) -> None:
        if self._pulse.tick():
            self._notifier.say("READY=1", "STATUS=running")
        self._notifier.say("WATCHDOG=1")
        if not self._jobs["poll"].ask():
            self._metrics.missed()
        self._jobs["hubs"].ask()

    def _beat(self) -> None:
        self._revive()
        drift = self._drift()
        if abs(drift - self._offset) > JUMP_SECONDS:
            self._log("warning", "the clock jumped", seconds=round(drift - self._offset))
            self._timetable.clock_jumped(self._plan.build_seconds, self._plan.cron, self._clock())
            self._jobs["build"].ask()
        self._offset = drift

    def _revive(self) -> None:
        """Start the serving process again if it died; where that cannot be now, each beat tries and the first tells."""
        try:
            revived, trouble = self._supervisor.revive(), ""
        except (OSError, RuntimeError) as problem:
            revived, trouble = False, str(problem)
        if revived:
            self._log("error", "serving process died and was started again")
        elif trouble and trouble != self._trouble:
            self._log("error", "serving process died and cannot be started again yet", error=trouble)
        self._trouble = trouble

    def _drift(self) -> float:
        return self._clock().timestamp() - time.monotonic()

    # ---- the jobs --------------------------------------------------------------------------------------------

    def _poll(self) -> None:
        if not self._held():
            raise FeedsvcError(DELETED)
        if self._work.poll(self._metrics.polled, self._stop):
            self._jobs["build"].ask()

    def _build(self) -> None:
        if self._stop.is_set():
            return
        try:
            with self._metrics.building(self._clock):
                made = self._work.build()
        except Exception as problem:
            self._pulse.build(str(problem) or type(problem).__name__)
            raise
        self._supervisor.look()
        self._pulse.build()
        self._timetable.build_at(made.due)
        self._hubs.changed(made.changed)

    def _care(self) -> None:
        self._work.care()

    def _tell_hubs(self) -> None:
        self._hubs.work()

    def _statuses(self) -> tuple[Status, ...]:
        return self._work.statuses()

    def _job_failed(self, name: str, problem: BaseException) -> None:
        self._log("error", f"{name} failed", error=str(problem) or type(problem).__name__, kind=type(problem).__name__)

    def _reload(self) -> None:
        """Take the new configuration if it is valid, else keep the old one and say why (V-32)."""
        try:
            plan = self._load()
            self._check(plan)
        except FeedsvcError as problem:
            self._log("error", "configuration not taken; the old one stays", error=str(problem))
            return
        with ExitStack() as still:
            for name in ("poll", "build", "care", "hubs"):
                still.enter_context(self._jobs[name].paused())
            if self._stop.is_set() or not self._swap(plan):
                return
            self._timetable.build_every(plan.build_seconds, plan.cron, self._clock())
            self._supervisor.serve(self._served())
            self._watch()
        self._log("info", "configuration taken")
        for name in ("build", "poll"):
            self._jobs[name].ask()

    def _check(self, plan: Plan) -> None:
        """Refuse what only a new start can do: the lock, the ports and the state are of this one."""
        fixed = ("state", "host", "port", "admin_port")
        other = [name for name in fixed if getattr(plan, name) != getattr(self._plan, name)]
        if other:
            raise FeedsvcError(f"{', '.join(other)} changed; that takes a restart")

    def _swap(self, plan: Plan) -> bool:
        """Close the work of the old plan and open the new one's: the store has one owner at a time (V-36).

        Where neither can be opened, a database is away say, both are tried until one can; meanwhile nothing is done.
        """
        self._work.close()
        for wait in chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1])):
            for each in (plan, self._plan):
                try:
                    self._work, self._plan = each.open(), each
                except Exception as problem:
                    kept = "the old one stays" if each is plan else "the old one cannot be opened again, both are tried"
                    self._log("error", f"configuration not taken; {kept}", error=str(problem) or type(problem).__name__)
                else:
                    self._hubs.follow(each, self._work)
                    return each is plan
            if self._stop.wait(wait):
                break
        return False

    # ---- around them -----------------------------------------------------------------------------------------

    def _served(self) -> Served:
        return Served(self._plan.output, self._plan.state, self._plan.public, self._hubs.path)

    def _watch(self) -> None:
        for watcher in self._watchers:
            watcher.end()
        plan = self._plan
        self._watchers = (
            *watch_all([plan.posts], self._ask("build")),
            *watch_all([plan.config], self._ask("reload")),
        )

    def _admin_on(self, port: int) -> Admin:
        view = View(
            health=lambda: self._pulse.health(self._timetable.tick_seconds),
            ready=self._ready,
            metrics=self._text,
            status=self._statuses,
        )
        try:
            return Admin(port, view)
        except OSError as problem:
            raise FeedsvcError(f"cannot listen on serve.admin_port {port}: {problem.strerror}") from problem

    def _ready(self) -> str:
        plan = self._plan
        longest = longest_wait(plan.build_seconds, plan.cron, self._clock())
        wrong = self._pulse.readiness(plan.output, longest) if self._held() else DELETED
        if not wrong:
            self._work.statuses()  # raises where the store does not answer
        return wrong or ("" if self._supervisor.alive() else "the serving process does not run")

    def _text(self) -> bytes:
        try:
            self._metrics.stand(self._work.statuses(), self._clock())
        except FeedsvcError:  # the store is away: that is when the rest is asked for
            self._metrics.unknown()
        return self._metrics.text()

    def _end(self) -> bool:
        """Drain within 10 s whatever a server is dripping (V-32)."""
        began = time.monotonic()
        self._notifier.say("STOPPING=1", "STATUS=finishing what is under way")
        self._stop.set()
        self._timetable.end()
        self._supervisor.ask_to_end()
        for watcher in self._watchers:
            watcher.end()
        for job in self._jobs.values():
            job.end()
        self._jobs["poll"].wait(DRAIN_SECONDS)
        self._work.cut()
        last = began + DRAIN_SECONDS + CUT_SECONDS
        done = [job.wait(max(0.1, last - time.monotonic())) for job in self._jobs.values()]
        self._supervisor.end(max(0.5, last - time.monotonic()))
        self._admin.end()
        if all(done):
            self._work.close()
        return all(done)


def _listening(host: str, port: int) -> socket.socket:
    """Listen; a daemon that was killed a moment ago leaves a process that lets go of the port when it notices."""
    end = time.monotonic() + PORT_SECONDS
    while True:
        try:
            return listen(host, port)
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE or time.monotonic() > end:
                raise FeedsvcError(f"cannot listen on {host} port {port}: {problem.strerror}") from problem
        time.sleep(0.1)
