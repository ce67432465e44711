"""One process that serves one folder until it is told to stop."""

import resource
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Thread

from feedsvc.serve.connection import USUAL, Limits
from feedsvc.serve.http import Server
from feedsvc.serve.keeper import Keeper

_SPARE_FILES = 64
_SWITCH_SECONDS = 0.0005


def limits() -> Limits:
    """Return the limits of the server, with as many connections as this process may open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return Limits(connections=max(_SPARE_FILES, min(USUAL.connections, soft - _SPARE_FILES)))


def serve_until_stopped(server: Server, keeper: Keeper, signals: Sequence[signal.Signals]) -> None:
    """Serve until one of these signals; answers under way are finished, a second signal ends at once (V-32)."""

    def stop(_number: int, _frame: object) -> None:
        for number in signals:
            signal.signal(number, signal.SIG_DFL)
        server.stop()

    for number in signals:
        signal.signal(number, stop)
    # The thread that reads a new set must not hold answers up for 5 ms each time (the interpreter's default).
    sys.setswitchinterval(_SWITCH_SECONDS)
    ended = Event()
    watching = Thread(target=keeper.watch, args=(ended,), name="keeper", daemon=True)
    watching.start()
    server.run()
    ended.set()
