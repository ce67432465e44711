"""From any earlier version of the store to this one, in one transaction; a later one is refused.

A new database gets the tables of this version at once. An older one goes through MIGRATIONS, one version at a time,
and comes out equal to a new one: a test compares the two.
"""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, func, insert, inspect, select, text, update
from sqlalchemy.schema import CreateColumn

from feedsvc.errors import StoreError
from feedsvc.store.schema import BLOCK, HOST, METADATA, SOURCE, VERSION, VERSIONS

_LOCK = 0x6665656473  # "feeds"


def _to_2(connection: Connection) -> None:
    """Limits and blocks of hosts outlive a process and are shared by all workers (F-18, Q-05)."""
    METADATA.create_all(connection, [HOST, BLOCK])


def _to_3(connection: Connection) -> None:
    """A push of a hub is remembered until the request that it causes (W-05)."""
    column = CreateColumn(SOURCE.c.pushed).compile(dialect=connection.dialect)
    connection.execute(text(f"ALTER TABLE source ADD COLUMN {column}"))


MIGRATIONS: Mapping[int, Callable[[Connection], None]] = {1: _to_2, 2: _to_3}
"""Version → what makes the next one of it."""


def prepare(connection: Connection, name: str) -> None:
    """Make the tables of this version stand; StoreError where the store is newer or another program's."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    version = version_of(connection, name)
    if version is None:
        METADATA.create_all(connection)
        connection.execute(insert(VERSIONS).values(version=VERSION))
    elif version < VERSION:
        for step in range(version, VERSION):
            MIGRATIONS[step](connection)
        connection.execute(update(VERSIONS).values(version=VERSION))


def check_version(connection: Connection, name: str) -> None:
    """Refuse a store that is not of this version: a reader changes nothing."""
    version = version_of(connection, name)
    if version is None or version < VERSION:
        raise StoreError(f"{name}: the store is of an earlier version; `feedsvc update` brings it up to date")


def version_of(connection: Connection, name: str) -> int | None:
    """Return the version of a store, None for a new one; StoreError where it cannot be used."""
    tables = set(inspect(connection).get_table_names())
    if VERSIONS.name not in tables:
        if tables & {table.name for table in METADATA.sorted_tables}:
            raise StoreError(f"{name}: holds tables of another program; give feedsvc a store of its own ([store] url)")
        return None
    version = connection.scalar(select(VERSIONS.c.version))
    if version is None or not 1 <= version <= VERSION:
        raise StoreError(
            f"{name}: the store is of version {version}, this feedsvc knows up to {VERSION}; install the newer feedsvc "
            "that wrote it, or put back a backup"
        )
    return int(version)
