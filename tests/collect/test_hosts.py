"""Politeness towards hosts: the gate and the blocks (F-18, F-31, F-51)."""

import threading
from datetime import UTC, datetime, timedelta

from feedsvc.collect.hosts import HostBlocks, HostGate

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)


class Hands:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_the_gate_says_how_long_a_host_has_to_be_left_alone() -> None:
    """F-31: starts are `delay` apart, and not more than `per_host` at once; another host is another matter."""
    clock = Hands()
    gate = HostGate(1, 5.0, clock)
    assert gate.wait("a.example") == 0
    with gate.pass_through("a.example") as entered:
        assert entered
        assert gate.wait("a.example") is None
        assert gate.wait("b.example") == 0
    assert gate.wait("a.example") == 5
    clock.time += 4
    assert gate.wait("a.example") == 1
    clock.time += 1
    assert gate.wait("a.example") == 0


def test_more_than_one_may_be_under_way_where_that_is_configured() -> None:
    """F-31"""
    gate = HostGate(2, 0, Hands())
    with gate.pass_through("a.example"):
        assert gate.wait("a.example") == 0
        with gate.pass_through("a.example"):
            assert gate.wait("a.example") is None
        assert gate.wait("a.example") == 0


def test_waiting_threads_enter_one_after_another() -> None:
    """F-31"""
    gate = HostGate(1, 0)
    inside: list[int] = []
    most: list[int] = []

    def enter() -> None:
        with gate.pass_through("a.example"):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=enter) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [1] * 20


def test_a_closed_gate_lets_nobody_in_and_nobody_wait() -> None:
    """V-32"""
    gate = HostGate(1, 0)
    entered: list[bool] = []

    def enter() -> None:
        with gate.pass_through("a.example") as let_in:
            entered.append(let_in)

    with gate.pass_through("a.example"):
        waiting = threading.Thread(target=enter)
        waiting.start()
        gate.close()
        waiting.join(10)
    enter()
    assert entered == [False, False]


def test_a_block_holds_for_its_host_and_port_until_its_time() -> None:
    """F-14, F-18: the later of two moments; nothing wider."""
    blocks = HostBlocks({"a.example:443": NOW + timedelta(hours=1)})
    blocks.block("a.example:443", NOW + timedelta(minutes=1))
    assert blocks.until("a.example:443", NOW) == NOW + timedelta(hours=1)
    for other in ("a.example:80", "www.a.example:443", "b.example:443"):
        assert blocks.until(other, NOW) is None
    assert blocks.until("a.example:443", NOW + timedelta(hours=1)) is None
    assert blocks.known(NOW) == {"a.example:443": NOW + timedelta(hours=1)}
    assert blocks.known(NOW + timedelta(hours=2)) == {}


def test_a_block_of_a_clock_that_ran_ahead_holds_nothing() -> None:
    """F-51: not longer than 31 days."""
    blocks = HostBlocks({"a.example:443": NOW + timedelta(days=200)})
    assert blocks.until("a.example:443", NOW) is None
