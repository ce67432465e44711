"""A store of an earlier version becomes one of this version; a later one is refused. On both databases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.engine import make_url

from feedsvc.errors import StoreError
from feedsvc.store.schema import VERSION
from feedsvc.store.store import opened
from tests.places import PROJECT
from tests.store.stores import HOUR, NOW, POLICY, TERMS, address, source

KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "var").mkdir(mode=0o700)
    return address(request.param, tmp_path)


@pytest.fixture
def by_hand(url: str) -> Iterator[Engine]:
    """The same database without our code."""
    made = make_url(url)
    engine = create_engine(made.set(drivername="postgresql+psycopg") if made.drivername == "postgresql" else made)
    yield engine
    engine.dispose()


def as_of_version_1(engine: Engine) -> None:
    script = (PROJECT / "tests" / "store" / f"version1.{engine.dialect.name}.sql").read_text()
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)


def shape(engine: Engine) -> dict[str, Any]:
    """Return every table with its columns, keys and indexes."""
    found = inspect(engine)
    return {
        table: (
            [(column["name"], str(column["type"]), column["nullable"]) for column in found.get_columns(table)],
            found.get_pk_constraint(table)["constrained_columns"],
            [key["referred_table"] for key in found.get_foreign_keys(table)],
            sorted((str(index["name"]), tuple(index["column_names"])) for index in found.get_indexes(table)),
        )
        for table in sorted(found.get_table_names())
    }


def test_an_old_store_comes_out_equal_to_a_new_one_and_keeps_what_it_held(
    url: str, by_hand: Engine, tmp_path: Path
) -> None:
    as_of_version_1(by_hand)
    with opened(url, TERMS) as store:
        assert [(found.key, found.title, found.tags) for found in store.entries()] == [("k", "One", ("GPU",))]
        state = store.remembered()["warp"].state
        assert state.validators is not None
        assert (state.url, state.validators.etag, state.wait) == ("https://warp.example/feed", '"1"', 3600.0)
        store.sync([source("warp", "https://warp.example/feed")], POLICY, NOW)
        assert store.remembered()["warp"].state == state
        store.block({"warp.example:443": NOW + HOUR})
        assert len(store.claim(9, NOW + HOUR)) == 1
    fresh = address("sqlite" if by_hand.dialect.name == "sqlite" else "postgres", tmp_path / "fresh")
    opened(fresh, TERMS).close()
    new = create_engine(make_url(fresh).set(drivername=by_hand.url.drivername))
    assert shape(by_hand) == shape(new)
    new.dispose()


def test_a_migration_that_was_made_is_not_made_again(url: str, by_hand: Engine) -> None:
    as_of_version_1(by_hand)
    for _ in range(2):
        opened(url, TERMS).close()
    with by_hand.connect() as connection:
        assert connection.execute(text("SELECT version FROM feedsvc_version")).scalars().all() == [VERSION]


def test_a_store_of_a_later_version_is_refused_and_left_as_it_is(url: str, by_hand: Engine) -> None:
    """StoreError says which versions, and what to do."""
    opened(url, TERMS).close()
    with by_hand.begin() as connection:
        connection.execute(text(f"UPDATE feedsvc_version SET version = {VERSION + 1}"))
    for read_only in (False, True):
        with pytest.raises(StoreError, match=f"of version {VERSION + 1}, this feedsvc knows up to {VERSION}; install"):
            opened(url, TERMS, read_only=read_only)


def test_a_reader_of_an_old_store_changes_nothing(url: str, by_hand: Engine) -> None:
    as_of_version_1(by_hand)
    before = shape(by_hand)
    with pytest.raises(StoreError, match="of an earlier version; `feedsvc update` brings it up to date"):
        opened(url, TERMS, read_only=True)
    assert shape(by_hand) == before


def test_the_tables_of_another_program_are_left_alone(url: str, by_hand: Engine) -> None:
    with by_hand.begin() as connection:
        connection.execute(text("CREATE TABLE entry (guid TEXT)"))
    before = shape(by_hand)
    with pytest.raises(StoreError, match=r"holds tables of another program; .*\[store\] url"):
        opened(url, TERMS)
    assert shape(by_hand) == before
