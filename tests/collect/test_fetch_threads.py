"""What waits for time or names beside a request has threads that are shared and reused."""

import threading
from contextlib import ExitStack
from queue import SimpleQueue

import pytest

from feedsvc.collect.fetch.deadlines import Deadlines
from feedsvc.collect.fetch.exchange import BrokenError, Exchange
from feedsvc.collect.fetch.lookups import IDLE, Lookups
from feedsvc.collect.fetch.resolve import Guard


def running(name: str) -> int:
    return sum(thread.name == name for thread in threading.enumerate())


def test_all_exchanges_are_watched_by_one_thread() -> None:
    """S-12"""
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(Exchange(60).running())
        assert running("deadlines") == 1


def test_each_deadline_is_called_at_its_moment_but_for_those_that_were_cancelled() -> None:
    """S-12: the first one comes while another one is waited for."""
    came: SimpleQueue[str] = SimpleQueue()
    deadlines = Deadlines()
    late = deadlines.after(600, lambda: came.put("late"))
    deadlines.after(0.05, lambda: came.put("second"))
    cancelled = deadlines.after(0.02, lambda: came.put("cancelled"))
    cancelled.cancel()
    deadlines.after(0.01, lambda: came.put("first"))
    assert [came.get(timeout=30), came.get(timeout=30)] == ["first", "second"]
    assert came.empty()
    late.cancel()


def test_threads_of_lookups_are_reused_and_bounded() -> None:
    """S-12: those that hang are left behind, up to a number."""
    lookups = Lookups(IDLE + 4)
    before, done = running("lookup"), threading.Event()
    for _ in range(100):
        assert lookups.run(lambda: None)
        while not lookups.idle:
            pass
    assert running("lookup") == before + 1

    def hang() -> None:
        done.wait(60)

    assert all(lookups.run(hang) for _ in range(IDLE + 4))
    assert not lookups.run(lambda: None), "all of them hang"
    done.set()


def test_a_numeric_address_is_looked_up_by_nobody() -> None:
    """S-04: it is checked all the same."""

    def lookup(host: str, port: int) -> tuple[str, ...]:
        raise AssertionError(host)

    exchange = Exchange(60)
    with exchange.running(), pytest.raises(BrokenError, match="not public"):
        Guard((), lookup).connect("127.0.0.1", 8080, exchange)
