"""What is remembered of a source's channel: as its last good document had it."""

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins
from sqlalchemy import Connection, bindparam, select

from feedsvc.collect.found import FoundChannel
from feedsvc.model import Person
from feedsvc.store.schema import SOURCE

_CHANNEL = select(SOURCE.c.channel).where(SOURCE.c.id == bindparam("of"))


def plain_channel(channel: FoundChannel) -> dict[str, Any]:
    """Return a channel as plain data."""
    plain: dict[str, Any] = to_builtins(channel)
    return plain


def channels(connection: Connection) -> Mapping[str, FoundChannel]:
    """Return the channels of the sources that are configured and had a good document, by source."""
    wanted = select(SOURCE.c.id, SOURCE.c.channel).where(SOURCE.c.listed, SOURCE.c.channel.is_not(None))
    return {row.id: channel_of(row.channel) for row in connection.execute(wanted.order_by(SOURCE.c.place))}


def channel(connection: Connection, source: str) -> FoundChannel | None:
    """Return the channel of a source, None where it never had a good document."""
    plain = connection.scalar(_CHANNEL, {"of": source})
    return channel_of(plain) if plain else None


def channel_of(plain: Mapping[str, Any]) -> FoundChannel:
    """Return the channel that plain data holds."""
    authors = tuple(Person(**person) for person in plain["authors"])
    return FoundChannel(**{**plain, "authors": authors, "hubs": tuple(plain["hubs"])})
