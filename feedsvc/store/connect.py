"""Opening a store, and its transactions; the exceptions of SQLAlchemy end here, as StoreError.

SQLite: one connection that writes and checkpoints (V-36); readers are opened read-only, which never do. Writes begin
with BEGIN IMMEDIATE, and what waits for that connection is written together. PostgreSQL: one pool; the driver is
psycopg.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DisconnectionError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import QueuePool

from feedsvc.errors import StoreError
from feedsvc.store.migrate import check_version, prepare
from feedsvc.store.together import Together

Result = TypeVar("Result")
SQLITE = "sqlite:///"
BUSY_SECONDS = 5.0
POOL = 8
_OUTSIDE = "feedsvc_outside"
_PRAGMAS = ("foreign_keys = ON", "trusted_schema = OFF", "mmap_size = 0", "synchronous = NORMAL")


class Database:
    """A store that is open: `name` as people are told it, and the ways to work in it."""

    def __init__(self, name: str, writer: Engine, reader: Engine) -> None:
        self.name = name
        self._writer = writer
        self._reader = reader
        self.together = Together(self.writing) if writer.dialect.name == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read in one transaction."""
        with translated(self.name), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write in one transaction; an exception inside takes all of it back."""
        with translated(self.name), self._writer.begin() as connection:
            yield connection

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run a piece of work in a transaction, with what other threads want to write at this moment.

        It may be run twice. In PostgreSQL each has its own: two that hold several rows could wait for each other.
        """
        if self.together is not None:
            return self.together.run(work)
        with self.writing() as connection:
            return work(connection)

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """Work outside of any transaction: for VACUUM."""
        with translated(self.name), self._writer.connect() as connection:
            yield connection.execution_options(**{_OUTSIDE: True})

    def close(self) -> None:
        """Close every connection; SQLite folds its journal into the file."""
        self._reader.dispose()
        self._writer.dispose()


def connected(url: str, *, read_only: bool = False) -> Database:
    """Open a store, bring it to this version and check it; StoreError says what is wrong and what to do."""
    on_file = url.startswith(SQLITE)
    database = _sqlite(Path(url.removeprefix(SQLITE)), read_only) if on_file else _postgresql(url)
    try:
        if read_only:
            with database.reading() as connection:
                check_version(connection, database.name)
        else:
            _made_ready(database)
    except BaseException:
        database.close()
        raise
    return database


def exists(url: str) -> bool:
    """Return whether a store may be there: a file that is not was never written to.

    StoreError where nobody can tell, as in a folder that only its owner may enter.
    """
    path = Path(url.removeprefix(SQLITE))
    try:
        return not url.startswith(SQLITE) or path.exists()
    except OSError as problem:
        raise _unopened(path, problem) from None


def _made_ready(database: Database) -> None:
    with database.writing() as connection:
        if connection.dialect.name == "sqlite":
            _quick_check(connection, database.name)
        prepare(connection, database.name)


def _quick_check(connection: Connection, name: str) -> None:
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        raise StoreError(_damaged(name, str(found).rpartition("\n")[2]))


def _sqlite(path: Path, read_only: bool) -> Database:
    name = f"store {path}"
    try:
        if not read_only:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as problem:
        raise _unopened(path, problem) from None
    reader = _engine(path, "ro", POOL)
    return Database(name, reader if read_only else _engine(path, "rw", 1), reader)


def _unopened(path: Path, problem: OSError) -> StoreError:
    hint = "; run this as the user who runs the daemon or cron" if isinstance(problem, PermissionError) else ""
    return StoreError(f"store {path}: cannot be opened: {problem.strerror}{hint}")


def _engine(path: Path, mode: str, size: int) -> Engine:
    address = f"{path.absolute().as_uri()}?mode={mode}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        for pragma in (*_PRAGMAS, *(["journal_mode = WAL"] if mode == "rw" else [])):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    engine = create_engine(
        "sqlite+pysqlite://",
        creator=connect,
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=0,
        pool_timeout=60,
    )
    begin = "BEGIN IMMEDIATE" if mode == "rw" else "BEGIN"

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if not connection.get_execution_options().get(_OUTSIDE):
            connection.exec_driver_sql(begin)

    return engine


def _postgresql(url: str) -> Database:
    try:
        address = make_url(url).set(drivername="postgresql+psycopg")
        engine = create_engine(
            address,
            pool_size=POOL,
            max_overflow=0,
            pool_timeout=60,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 5},
        )
    except (ArgumentError, NoSuchModuleError):
        raise StoreError("[store] url is not the address of a PostgreSQL database") from None
    except ImportError:
        raise StoreError("a PostgreSQL store needs psycopg: pip install 'feedsvc[scale]'") from None
    return Database(f"store {address.host or 'PostgreSQL'}/{address.database}", engine, engine)


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn what SQLAlchemy raises for a database that fails into StoreError; what is a bug of ours stays one."""
    try:
        yield
    except (OperationalError, InterfaceError, PoolTimeoutError, DisconnectionError) as problem:
        raise StoreError(_told(name, _first_line(problem))) from problem
    except DatabaseError as problem:
        # Its subclasses tell of faults of ours; the class itself is what sqlite3 raises for a damaged file.
        if type(problem) is not DatabaseError:
            raise
        raise StoreError(_told(name, _first_line(problem))) from problem


def _told(name: str, reason: str) -> str:
    if "malformed" in reason or "not a database" in reason:
        return _damaged(name, reason)
    return f"{name}: {reason}"


def _damaged(name: str, reason: str) -> str:
    return (
        f"{name}: is damaged ({reason}); put back a backup, or move the file away: posts need no store, and "
        "sources are asked anew"
    )


def _first_line(problem: Exception) -> str:
    return str(getattr(problem, "orig", None) or problem).strip().partition("\n")[0]
