"""The body of an answer: read as it comes, counted raw and decoded, and whole (S-13 to S-18).

At the first limit that is passed the connection is closed and what was read is forgotten: nothing of it is parsed.
"""

import time
from collections.abc import Iterator

from msgspec import Struct

from feedsvc.collect.codings import CodingError, Decoder, decoder_for
from feedsvc.collect.fetch.exchange import BrokenError, Exchange
from feedsvc.collect.fetch.transport import Reply

PIECE = 16_384
RATIO = 100
RATIO_FROM = 1024 * 1024
SLOW_BYTES = 100


class Body(Struct, frozen=True):
    """A whole body: decoded, how many bytes came over the wire, and under which coding."""

    data: bytes
    raw: int
    coding: str


def read_body(reply: Reply, most: int, slow_after: float, exchange: Exchange) -> Body:
    """Read the body of an answer to its end; `most` bounds its bytes, raw and decoded. BrokenError otherwise.

    It is given up when for `slow_after` seconds less than 100 bytes a second came (S-18).
    """
    try:
        decoder = decoder_for(reply.headers.get("content-encoding", ""))
        meter = _Meter(most)
        pieces = [piece for raw in _raw(reply, meter, slow_after, exchange) for piece in _decoded(decoder, raw, meter)]
        if decoder is not None and meter.raw:
            decoder.end()
    except CodingError as error:
        raise BrokenError(error.kind, str(error)) from error
    return Body(b"".join(pieces), meter.raw, decoder.coding if decoder else "")


class _Meter:
    """Counts bytes and refuses what is too much."""

    def __init__(self, most: int) -> None:
        self.raw = self.decoded = 0
        self._most = most

    def came(self, data: bytes) -> None:
        self.raw += len(data)
        self._within(self.raw)

    def gave(self, data: bytes) -> None:
        self.decoded += len(data)
        self._within(self.decoded)
        if self.decoded > RATIO_FROM and self.decoded > RATIO * self.raw:
            raise BrokenError("size", f"refused for its size: it grows to more than {RATIO} times what was sent")

    def _within(self, size: int) -> None:
        if size > self._most:
            raise BrokenError("size", f"refused for its size: more than {self._most:,} bytes (polling.max_bytes)")


def _raw(reply: Reply, meter: _Meter, slow_after: float, exchange: Exchange) -> Iterator[bytes]:
    """Yield raw bytes to the end of the body."""
    began, before = time.monotonic(), 0
    while data := _piece(reply, slow_after, exchange):
        meter.came(data)
        yield data
        now = time.monotonic()
        if now - began >= slow_after:
            if meter.raw - before < SLOW_BYTES * (now - began):
                raise BrokenError("slow", f"less than {SLOW_BYTES} bytes a second")
            began, before = now, meter.raw
    exchange.check()


def _piece(reply: Reply, slow_after: float, exchange: Exchange) -> bytes:
    exchange.allow(slow_after)
    try:
        return reply.read(PIECE)
    except BrokenError as error:
        exchange.check()
        if error.kind == "timeout":
            raise BrokenError("slow", f"nothing came for {slow_after:g} seconds") from error
        kind = "cut" if error.kind == "closed" else error.kind
        raise BrokenError(kind, error.message) from error


def _decoded(decoder: Decoder | None, raw: bytes, meter: _Meter) -> Iterator[bytes]:
    if decoder is None:
        meter.gave(raw)
        yield raw
        return
    piece = decoder.step(raw)
    meter.gave(piece)
    yield piece
    while not decoder.hungry:
        piece = decoder.step(b"")
        meter.gave(piece)
        yield piece
