"""What several threads write at one moment stands in one transaction, and one that fails takes back only its own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Connection

from feedsvc.store.connect import Database, connected


class Counted:
    """A store that counts its transactions, and a first piece of work that holds it until others wait."""

    def __init__(self, place: Path) -> None:
        self.database = connected(f"sqlite:///{place / 'feeds.db'}")
        self.transactions = 0
        self.held = Event()
        writing = self.database.writing

        @contextmanager
        def counted() -> Iterator[Connection]:
            self.transactions += 1
            with writing() as connection:
                yield connection

        assert self.database.together is not None
        self.together = self.database.together
        self.together.writing = counted

    def hold(self, _: Connection, others: int) -> str:
        self.held.set()
        while self.together.waiting < others:
            pass
        return "held"

    def written(self) -> list[str]:
        with self.database.reading() as connection:
            return sorted(row.place for row in connection.exec_driver_sql("SELECT place FROM block"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Counted]:
    found = Counted(tmp_path)
    yield found
    found.database.close()


def write(database: Database, place: str) -> str:
    def work(connection: Connection) -> str:
        connection.exec_driver_sql("INSERT INTO block (place, until) VALUES (?, 1)", (place,))
        if place == "bad":
            raise ZeroDivisionError
        return place

    return database.write(work)


def test_what_waits_is_written_in_one_transaction(store: Counted) -> None:
    names = [f"p{number}" for number in range(6)]
    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(store.database.write, lambda connection: store.hold(connection, len(names)))
        store.held.wait()
        assert list(pool.map(lambda name: write(store.database, name), names)) == names
        assert first.result() == "held"
    assert store.transactions == 2
    assert store.written() == names


def test_a_piece_that_fails_takes_back_its_own_and_no_other(store: Counted) -> None:
    """OU-01"""
    with ThreadPoolExecutor(8) as pool:
        pool.submit(store.database.write, lambda connection: store.hold(connection, 3))
        store.held.wait()
        one, bad, two = (pool.submit(write, store.database, place) for place in ("one", "bad", "two"))
        assert (one.result(), two.result()) == ("one", "two")
        with pytest.raises(ZeroDivisionError):
            bad.result()
    assert store.written() == ["one", "two"]
