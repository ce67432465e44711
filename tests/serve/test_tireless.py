"""A worker goes on, whatever a round of it meets (scheduling Q-09)."""

from collections.abc import Callable
from threading import Event

from feedsvc.errors import StoreError
from feedsvc.serve.tireless import rounds


class Stop(Event):
    """Comes true after a number of waits, each of which takes no time; `waited` are their seconds."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self.waited = most, list[float]()

    def wait(self, timeout: float | None = None) -> bool:
        self.waited.append(timeout or 0.0)
        if len(self.waited) >= self._most:
            self.set()
        return self.is_set()


def failing(*problems: Exception | None) -> Callable[[], float]:
    """Return rounds that raise these in turn, the last one ever after; None is a round without fault."""
    left = list(problems)

    def one() -> float:
        problem = left.pop(0) if len(left) > 1 else left[0]
        if problem:
            raise problem
        return 5.0

    return one


def quiet(*_: object, **__: object) -> None:
    """Log nothing."""


def test_a_store_that_is_away_for_days_is_asked_again_every_minute() -> None:
    """Q-09: also after so many times that no number holds two to the power of them."""
    stop = Stop(5000)
    rounds(failing(StoreError("away")), stop, quiet)
    assert stop.waited[:7] == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    assert set(stop.waited[7:]) == {60.0}


def test_no_fault_ends_the_rounds_and_each_is_told_by_its_name() -> None:
    """Q-09: a machine without files or threads for a while, and a fault of ours."""
    told: list[tuple[str, object]] = []

    def log(_: str, event: str, **fields: object) -> None:
        told.append((event, fields["error"]))

    stop = Stop(4)
    rounds(failing(OSError(24, "Too many open files"), RuntimeError(), StoreError("away"), None), stop, log)
    assert told == [
        ("a round failed", "[Errno 24] Too many open files"),
        ("a round failed", "RuntimeError"),
        ("the store is away", "away"),
    ]
    assert stop.waited == [2.0, 4.0, 8.0, 5.0]


def test_a_loss_after_a_long_time_of_work_is_the_first_one_again() -> None:
    moments = iter([0.0, 1.0, 3.0, 90_000.0, 90_002.0, 90_003.0])
    stop = Stop(3)
    rounds(failing(StoreError("away")), stop, quiet, lambda: next(moments))
    assert stop.waited == [2.0, 2.0, 4.0]
