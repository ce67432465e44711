"""The rounds of a worker, which start over when the database was away (Q-09)."""

import time
from collections.abc import Callable
from threading import Event

from feedsvc.errors import StoreError

LONGEST_REST = 30.0
LONGEST_WAIT = 60.0
Say = Callable[..., None]


def rounds(one: Callable[[], float], stop: Event, log: Say, clock: Callable[[], float] = time.monotonic) -> None:
    """Call `one`, which returns seconds to rest, until told to stop. `clock` gives seconds that never go back.

    Losing the store costs no result that was committed: the next round waits, at most a minute, and opens it anew. Nor
    does anything else end a worker, which works for months: a machine without memory or files for a while, say.
    """
    lost = 0
    while not stop.is_set():
        began = clock()
        try:
            pause = min(one(), LONGEST_REST)
            lost = 0
        except Exception as problem:
            lost = 1 if clock() - began > LONGEST_WAIT else lost + 1
            pause = min(2.0 ** min(lost, 10), LONGEST_WAIT)
            event = "the store is away" if isinstance(problem, StoreError) else "a round failed"
            log("error", event, error=str(problem) or type(problem).__name__, again_in=pause)
        stop.wait(pause)
