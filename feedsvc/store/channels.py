"""What is remembered of a source's channel: what Atom `source` and the lists of sources say of it (MG-05)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from feedsvc.model import Origin
from feedsvc.store.entries import origin_of, plain_origin
from feedsvc.store.schema import SOURCE


@dataclass(frozen=True, slots=True)
class Channel:
    """A source's channel as its last good document had it; `hubs` and `topic` are for WebSub (W-01)."""

    origin: Origin
    lang: str | None = None
    hubs: tuple[str, ...] = ()
    topic: str = ""


def plain_channel(channel: Channel) -> dict[str, Any]:
    """Return a channel as plain data."""
    return {
        "origin": plain_origin(channel.origin),
        "lang": channel.lang,
        "hubs": list(channel.hubs),
        "topic": channel.topic,
    }


def channels(connection: Connection) -> Mapping[str, Channel]:
    """Return the channels of the sources that are configured and had a good document, by source."""
    wanted = select(SOURCE.c.id, SOURCE.c.channel).where(SOURCE.c.listed, SOURCE.c.channel.is_not(None))
    return {row.id: channel_of(row.channel) for row in connection.execute(wanted.order_by(SOURCE.c.place))}


def channel_of(plain: Mapping[str, Any]) -> Channel:
    """Return the channel that plain data holds."""
    return Channel(origin_of(plain["origin"]), plain["lang"], tuple(plain["hubs"]), plain["topic"])
