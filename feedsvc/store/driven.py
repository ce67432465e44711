"""Statements that every poll runs: SQLAlchemy spells them once for a database, and they go to its driver from then on.

To run a statement of 25 values takes SQLAlchemy four times as long as SQLite. Types are SQLAlchemy's all the same.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Insert, Select, TypeDecorator, Update
from sqlalchemy.engine import Dialect

Row = Mapping[str, Any]
_Stored = Callable[[Any], Any]


class _Spelled(NamedTuple):
    """A statement as a database takes it: its text, its values in order with what makes stored ones of them."""

    text: str
    values: Sequence[tuple[str, _Stored]]
    positional: bool


class Driven:
    """An INSERT or UPDATE of some columns, or a SELECT, with parameters by name."""

    def __init__(self, statement: Insert | Update | Select[Any], columns: Collection[str] | None = None) -> None:
        self._statement = statement
        self._columns = columns
        self._spelled: dict[str, _Spelled] = {}

    def run(self, connection: Connection, row: Row) -> int:
        """Run it once; return how many rows it changed."""
        spelled = self._of(connection.dialect)
        return connection.exec_driver_sql(spelled.text, _parameters(spelled, row)).rowcount

    def run_all(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it for each of several rows, at least one."""
        spelled = self._of(connection.dialect)
        connection.exec_driver_sql(spelled.text, [_parameters(spelled, row) for row in rows])

    def holds(self, connection: Connection, row: Row) -> bool:
        """Return whether what a SELECT asks is so."""
        spelled = self._of(connection.dialect)
        return bool(connection.exec_driver_sql(spelled.text, _parameters(spelled, row)).scalar())

    def _of(self, dialect: Dialect) -> _Spelled:
        found = self._spelled.get(dialect.name)
        if found is None:
            found = self._spelled[dialect.name] = _spelled(self._statement, self._columns, dialect)
        return found


def _spelled(statement: Insert | Update | Select[Any], columns: Collection[str] | None, dialect: Dialect) -> _Spelled:
    compiled = statement.compile(dialect=dialect, column_keys=None if columns is None else list(columns))
    order = (compiled.positiontup if compiled.positional else list(compiled.binds)) or []
    stored = [(name, _stored(compiled.binds[name].type, dialect)) for name in order]
    return _Spelled(str(compiled), stored, compiled.positional)


def _stored(kind: Any, dialect: Dialect) -> _Stored:
    """Return what makes a value of a type one that this database stores."""
    # The implementation of a type in a database knows more than the type: whether bytes need a wrapper, say.
    inside = kind.impl_instance if isinstance(kind, TypeDecorator) else kind
    found: _Stored | None = inside.dialect_impl(dialect).bind_processor(dialect)
    if not isinstance(kind, TypeDecorator):
        return found or _as_it_is
    if found is None:
        return partial(kind.process_bind_param, dialect=dialect)
    return kind.dialect_impl(dialect).bind_processor(dialect) or _as_it_is


def _parameters(spelled: _Spelled, row: Row) -> Any:
    if spelled.positional:
        return tuple([stored(row[name]) for name, stored in spelled.values])
    return {name: stored(row[name]) for name, stored in spelled.values}


def _as_it_is(value: Any) -> Any:
    return value
