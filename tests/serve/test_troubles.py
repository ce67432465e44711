"""The daemon where the machine or the database fails it: it waits, says so, and goes on (serving V-32)."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from feedsvc.cli.edges import lock
from feedsvc.errors import FeedsvcError, StoreError
from feedsvc.serve import daemon as module
from feedsvc.serve.daemon import Daemon
from feedsvc.serve.documents import Public
from feedsvc.serve.metrics import Metrics
from feedsvc.serve.plan import Plan, Work
from feedsvc.serve.watching import Watched

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


class House:
    """A daemon that does not run, and what it logged."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.log: list[tuple[str, str, dict[str, object]]] = []
        self.first = self.plan(lambda: self.work("first"))
        self.lock = lock(place)
        self.daemon: Any = Daemon(
            self.first,
            lambda: self.first,
            log=self._note,
            clock=lambda: NOW,
            environment={},
            metrics=Metrics(),
            held=self.lock.__enter__(),
        )

    def work(self, name: str) -> Work:
        """Return work that knows its name, and can be closed."""
        made: Any = SimpleNamespace(name=name, close=lambda: None)
        return made  # type: ignore[no-any-return]

    def plan(self, opened: Callable[[], Work]) -> Plan:
        """Return a plan whose work is opened in this way."""
        watched = Watched(self.place, deep=False)
        public = Public("https://gpu.example/")
        return Plan(
            self.place, self.place / "public", public, "127.0.0.1", 0, 0, 600, "", watched, watched, open=opened
        )

    def _note(self, level: str, event: str, **fields: object) -> None:
        self.log.append((level, event, fields))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.daemon._admin.end()
    made.daemon.listener.close()
    made.lock.__exit__(None, None, None)


def test_a_store_that_is_away_when_the_configuration_changes_is_waited_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V-32, Q-09: the old work is closed by then, and nothing would ever be polled with it."""
    monkeypatch.setattr(module, "RETRY_SECONDS", (0.0,))
    away = iter([True] * 5 + [False] * 5)

    def opened() -> Work:
        if next(away):
            raise StoreError("store: the database is away")
        return house.work("second")

    second = house.plan(opened)
    house.daemon._plan = house.plan(opened)
    assert house.daemon._swap(second) is False
    assert (house.daemon._work.name, house.daemon._plan is second) == ("second", False)
    assert [event for _, event, _ in house.log][-2:] == [
        "configuration not taken; the old one cannot be opened again, both are tried",
        "configuration not taken; the old one stays",
    ]


def test_the_end_does_not_wait_for_a_store_that_is_away(house: House) -> None:
    """V-32."""

    def opened() -> Work:
        raise StoreError("store: the database is away")

    house.daemon._plan = house.plan(opened)
    house.daemon._stop.set()
    assert house.daemon._swap(house.plan(opened)) is False


def test_metrics_are_told_while_the_store_is_away(house: House) -> None:
    """V-26: that builds fail as well, and when the last good one was; of the sources nobody knows."""

    def away() -> None:
        raise StoreError("store: the database is away")

    house.daemon._work.statuses = away
    told = house.daemon._text().decode().splitlines()
    assert {"feedsvc_source_overdue_seconds NaN", 'feedsvc_sources{state="ok"} NaN'} < set(told)
    assert "feedsvc_build_last_success_timestamp_seconds 0.0" in told


def test_who_lost_the_folder_of_the_state_says_so_and_asks_nobody(house: House) -> None:
    """V-24, V-33: another instance may hold it by now, and what a deleted store takes is lost."""
    shutil.rmtree(house.place)
    assert "the folder of the state was deleted" in house.daemon._ready()
    with pytest.raises(FeedsvcError, match="restart"):
        house.daemon._poll()


def test_a_serving_process_that_cannot_be_started_now_is_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V-32: a machine without processes or files for a while ends no daemon, and is told of once."""
    with monkeypatch.context() as patch:
        patch.setattr("feedsvc.serve.supervise.subprocess.Popen", _none_left)
        with pytest.raises(OSError, match="temporarily unavailable"):
            house.daemon._supervisor.serve(house.daemon._served())
        files = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            house.daemon._revive()
        assert len(os.listdir("/proc/self/fd")) == files
    house.daemon._revive()
    assert house.daemon._supervisor.alive()
    house.daemon._supervisor.end(0.0)
    told = [event for _, event, _ in house.log if "serving process" in event]
    assert told == [
        "serving process died and cannot be started again yet",
        "serving process died and was started again",
    ]


def _none_left(*_: object, **__: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")
