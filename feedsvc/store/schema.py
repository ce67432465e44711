"""The tables of this version of the store.

A source's row is its schedule (Q-01): it is due by `next_poll_at`, which a claim moves behind the lease, so that the
sources of a worker that died come back by themselves. Moments are whole microseconds since 1970: exact, and the same in
both databases. What only pacing reads of a source's past is one JSON text, `memory`; what `status`, claims and
operators ask for are columns.
"""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    event,
    false,
)
from sqlalchemy.engine import Dialect

VERSION = 3
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_PLAIN = json.JSONEncoder(separators=(",", ":"), sort_keys=True)


class Moment(TypeDecorator[datetime]):
    """An aware moment, as microseconds since 1970."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Return the number that is stored."""
        return None if value is None else (value - EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the moment that was stored."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Words(TypeDecorator[str]):
    """Text of strangers without what a database refuses: NUL and lone surrogates."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the text that is stored."""
        return None if value is None else storable(value)


class Json(TypeDecorator[Any]):
    """Plain data as JSON text in ASCII: the same in both databases, and never a pickle (S-44)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the text that is stored."""
        if value is None:
            return None
        return "[]" if value in ([], ()) else _PLAIN.encode(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """Return the data that was stored."""
        return None if value is None else json.loads(value)


def storable(value: str) -> str:
    """Return text without what a database refuses: NUL and lone surrogates."""
    if value.isascii() and "\0" not in value:
        return value
    return value.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def digest(value: str) -> bytes:
    """Return what a text is looked up by: PostgreSQL indexes no text of more than 2,700 bytes, strangers write them."""
    return hashlib.blake2b(storable(value).encode("utf-8"), digest_size=16).digest()


METADATA = MetaData()

VERSIONS = Table("feedsvc_version", METADATA, Column("version", Integer, nullable=False))

SOURCE = Table(
    "source",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("url", Words, nullable=False),
    Column("adopted", Words, nullable=False),
    Column("host", Words, nullable=False),
    Column("next_poll_at", Moment),
    Column("lease_until", Moment),
    Column("lease_owner", Text),
    Column("lease_token", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Words, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("last_start", Moment),
    Column("last_success", Moment),
    Column("last_error", Words, nullable=False),
    Column("last_error_at", Moment),
    Column("blocked_until", Moment),
    Column("validators_url", Words),
    Column("etag", LargeBinary),
    Column("modified", LargeBinary),
    Column("memory", Json, nullable=False),
    Column("channel", Json),
    Column("pushed", Boolean, nullable=False, server_default=false()),
    Index("source_due", "listed", "next_poll_at"),
    Index("source_leased", "lease_until"),
    Index("source_host", "host"),
)
# 48 million updates a day at full load, none HOT as next_poll_at is indexed. As an option of the table it would
# import the dialect of PostgreSQL, for SQLite too.
_ROOM = DDL("ALTER TABLE source SET (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.01)")  # type: ignore[no-untyped-call]
event.listen(SOURCE, "after_create", _ROOM.execute_if(dialect="postgresql"))

ENTRY = Table(
    "entry",
    METADATA,
    Column("source", Text, ForeignKey("source.id"), primary_key=True),
    Column("key_digest", LargeBinary, primary_key=True),
    Column("id_digest", LargeBinary, nullable=False),
    Column("key", Words, nullable=False),
    Column("id", Words, nullable=False),
    Column("link", Words),
    Column("title", Words),
    Column("published", Moment, nullable=False),
    Column("updated", Moment, nullable=False),
    Column("first_seen", Moment, nullable=False),
    Column("gone_since", Moment),
    Column("position", Integer, nullable=False),
    Column("lang", Words),
    Column("image", Words),
    Column("authors", Json, nullable=False),
    Column("tags", Json, nullable=False),
    Column("enclosures", Json, nullable=False),
    Column("origin", Json),
    Column("content", Words, nullable=False),
    Column("summary", Words, nullable=False),
    Column("lead", Words),
    Index("entry_id", "id_digest"),
    Index("entry_gone", "gone_since"),
)

HOST = Table(
    "host",
    METADATA,
    Column("host", Words, primary_key=True),
    Column("next_start_at", Moment, nullable=False),
)

BLOCK = Table(
    "block",
    METADATA,
    Column("place", Words, primary_key=True),
    Column("until", Moment, nullable=False),
)
