"""Signals as things that are read, so that nothing but a byte happens inside a handler (serving V-32)."""

import os
import select
import signal
import socket
from collections.abc import Callable

HANDLED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Signals:
    """Takes the signals of the daemon from now on; only for the main thread."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()
        for each in (self._read, self._write):
            each.settimeout(0)
        signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        for number in HANDLED:
            signal.signal(number, _nothing)

    def wait(self, seconds: float) -> set[signal.Signals]:
        """Return the signals that came, as soon as one does, or none after so many seconds."""
        if not select.select([self._read], [], [], seconds)[0]:
            return set()
        return {signal.Signals(byte) for byte in self._read.recv(64) if byte in HANDLED}

    def close(self) -> None:
        """Take no more."""
        signal.set_wakeup_fd(-1)
        for each in (self._read, self._write):
            each.close()


def exit_on_next(last: Callable[[], None]) -> None:
    """Let the next signal end this process at once, after `last` (V-32)."""

    def end(number: int, _frame: object) -> None:
        last()
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _nothing(_number: int, _frame: object) -> None:
    """Leave it to the byte that the interpreter writes."""
