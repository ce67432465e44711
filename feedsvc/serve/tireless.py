"""The rounds of a worker, which start over when the database was away (Q-09)."""

from collections.abc import Callable
from threading import Event

from feedsvc.errors import StoreError

LONGEST_REST = 30.0
LONGEST_WAIT = 60.0
Say = Callable[..., None]


def rounds(one: Callable[[], float], stop: Event, log: Say) -> None:
    """Call `one`, which returns seconds to rest, until told to stop.

    Losing the store costs no result that was committed: the next round waits, at most a minute, and opens it anew.
    """
    lost = 0
    while not stop.is_set():
        try:
            pause = min(one(), LONGEST_REST)
            lost = 0
        except StoreError as problem:
            lost += 1
            pause = min(2.0**lost, LONGEST_WAIT)
            log("error", "the store is away", error=str(problem), again_in=pause)
        stop.wait(pause)
