"""Threads for what knows no timeout: who waits goes on without it when time is over, and the thread is left behind.

One that comes back serves the next call, since to start a thread takes longer than most of them.
"""

import threading
from collections.abc import Callable
from queue import SimpleQueue

IDLE = 16
"""So many threads wait for a next call; more are ended as they come back."""


class Lookups:
    """Runs calls that may never return; at most `most` of them at once. `idle` threads wait for a next one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._under_way = self.idle = 0

    def run(self, call: Callable[[], None]) -> bool:
        """Have something called that raises nothing; False where too many calls are under way."""
        with self._lock:
            if self._under_way >= self._most:
                return False
            self._under_way += 1
            fresh = not self.idle
            self.idle -= not fresh
        self._calls.put(call)
        if fresh:
            threading.Thread(target=self._serve, name="lookup", daemon=True).start()
        return True

    def _serve(self) -> None:
        while True:
            self._calls.get()()
            with self._lock:
                self._under_way -= 1
                if self.idle >= IDLE:
                    return
                self.idle += 1
