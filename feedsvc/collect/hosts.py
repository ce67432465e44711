"""Politeness towards hosts: how many requests at once, how far apart, and until when none at all (F-18, F-20, F-31).

Both are shared by all threads of one process. The gate goes by the host that is connected to, since a host is one
machine or one operator; a block goes by exact host and port, since that is who asked for it (F-18).
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

from msgspec import Struct

FARTHEST = timedelta(days=31)


class _Host(Struct):
    """`under_way` counts requests, `waiting` threads; `next_start` is monotonic seconds."""

    under_way: int = 0
    waiting: int = 0
    next_start: float = 0.0


class HostGate:
    """Lets `per_host` requests to one host be under way, their starts `delay` seconds apart (F-31)."""

    def __init__(self, per_host: int = 1, delay: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_host = per_host
        self._delay = delay
        self._clock = clock
        self._hosts: dict[str, _Host] = {}
        self._changed = threading.Condition()
        self._closed = False

    def wait(self, host: str) -> float | None:
        """Return in how many seconds a request to a host may start: 0 now, None when another one has ended."""
        with self._changed:
            found = self._hosts.get(host)
            return 0.0 if found is None else self._wait(found)

    @contextmanager
    def pass_through(self, host: str) -> Iterator[bool]:
        """Wait until a request to a host may start, and count it as under way inside; False after `close`."""
        entered = self._enter(host)
        try:
            yield entered
        finally:
            if entered:
                self._leave(host)

    def begun(self, host: str) -> None:
        """Count the delay from now: a request to a host that was let in goes out only now, or has just been heard."""
        with self._changed:
            if found := self._hosts.get(host):
                found.next_start = self._clock() + self._delay

    def close(self) -> None:
        """Let nobody in any more, and wake those who wait."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _enter(self, host: str) -> bool:
        with self._changed:
            found = self._hosts.setdefault(host, _Host())
            found.waiting += 1
            try:
                while not self._closed and (wait := self._wait(found)) != 0:
                    self._changed.wait(wait)
                if self._closed:
                    return False
                found.under_way += 1
                found.next_start = self._clock() + self._delay
                return True
            finally:
                found.waiting -= 1

    def _leave(self, host: str) -> None:
        with self._changed:
            self._hosts[host].under_way -= 1
            self._forget()
            self._changed.notify_all()

    def _wait(self, found: _Host) -> float | None:
        if found.under_way >= self._per_host:
            return None
        return max(0.0, found.next_start - self._clock())

    def _forget(self) -> None:
        """Drop the hosts that hold nobody up, so that months of running leave nothing behind."""
        for host, found in list(self._hosts.items()):
            if not found.under_way and not found.waiting and self._wait(found) == 0:
                del self._hosts[host]


class HostBlocks:
    """Until when which "host:port" is not to be asked, by its own Retry-After (F-14, F-18)."""

    def __init__(self, known: Mapping[str, datetime] | None = None) -> None:
        self._until = dict(known or {})
        self._lock = threading.Lock()

    def block(self, place: str, until: datetime) -> None:
        """Block a "host:port"; the later of two moments holds."""
        with self._lock:
            self._until[place] = max(until, self._until.get(place, until))

    def until(self, place: str, now: datetime) -> datetime | None:
        """Return until when a "host:port" is blocked, None when it may be asked.

        A moment further away than any block can be is what a clock left behind that has jumped back (F-51).
        """
        with self._lock:
            found = self._until.get(place)
        return found if found and now < found <= now + FARTHEST else None

    def known(self, now: datetime) -> Mapping[str, datetime]:
        """Return the blocks that still hold, to be stored."""
        with self._lock:
            self._until = {place: until for place, until in self._until.items() if now < until <= now + FARTHEST}
            return dict(self._until)
