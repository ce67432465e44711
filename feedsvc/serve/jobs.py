"""A job with one thread of its own: asked for from anywhere, never beside itself (scheduling T-08, T-10)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread

Failed = Callable[[str, BaseException], None]


class Job:
    """Runs `work` when asked, once more when asked during a run, and never twice at once.

    `failed` is told what `work` raised: a job goes on for months. Threads are daemons: what does not end in time at
    shutdown is left behind (V-32).
    """

    def __init__(self, name: str, work: Callable[[], None], failed: Failed) -> None:
        self.name = name
        self._work, self._failed = work, failed
        self._changed = Condition()
        self._asked = self._ended = self._running = False
        self._turn = Lock()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to wait for somebody to ask."""
        self._thread.start()

    def ask(self) -> bool:
        """Ask for a run; return whether the job was at rest, so that it begins at once."""
        with self._changed:
            rested = not (self._asked or self._running)
            self._asked = True
            self._changed.notify_all()
            return rested

    def end(self) -> None:
        """Begin no run any more."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the last run; return whether it came in time."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hold the job at rest: a run under way ends first, the next begins afterwards."""
        with self._turn:
            yield

    def _run(self) -> None:
        while self._next():
            try:
                with self._turn:
                    self._work()
            except Exception as problem:
                self._failed(self.name, problem)
            finally:
                with self._changed:
                    self._running = False

    def _next(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._asked or self._ended)
            self._asked, self._running = False, not self._ended
            return self._running
