"""One thread that ends whatever is over: a timer of threading is a thread for each, and costs more than a request."""

import threading
import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class Deadline:
    """What is called at its moment, unless it is cancelled first."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """Forget what was to be called; it may be under way already."""
        self.call = None


class Deadlines:
    """Deadlines of any number of threads; its own begins with the first of them and never holds an end up."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Deadline]] = []
        self._changed = threading.Condition()
        self._numbers = count()
        self._thread: threading.Thread | None = None

    def after(self, seconds: float, call: Callable[[], None]) -> Deadline:
        """Have something called, from the thread of all deadlines, in so many seconds."""
        deadline, moment = Deadline(call), time.monotonic() + seconds
        with self._changed:
            heappush(self._waiting, (moment, next(self._numbers), deadline))
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="deadlines", daemon=True)
                self._thread.start()
            elif self._waiting[0][2] is deadline:
                self._changed.notify()
        return deadline

    def _watch(self) -> None:
        while True:
            call = self._next().call
            if call is not None:
                call()

    def _next(self) -> Deadline:
        """Wait for the next deadline that has come; one that was cancelled is dropped as soon as it is the first."""
        with self._changed:
            while True:
                while self._waiting and self._waiting[0][2].call is None:
                    heappop(self._waiting)
                left = self._waiting[0][0] - time.monotonic() if self._waiting else None
                if left is not None and left <= 0:
                    return heappop(self._waiting)[2]
                self._changed.wait(left)
