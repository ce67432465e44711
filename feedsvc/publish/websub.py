"""Telling hubs which documents changed: after the swap, and never in its way (polling W-07)."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Struct

from feedsvc.model import Diagnostic, Level
from feedsvc.publish import files

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP_AFTER = 12
ENOUGH = 3
FILE = "pings.json"
_Written = tuple[str, str, Annotated[datetime, msgspec.Meta(tz=True)], int]
Post = Callable[[str, Mapping[str, str]], str]
"""Sends a form to an address; returns what went wrong, "" for nothing."""


class Ping(Struct, frozen=True):
    """A hub that has to hear of a topic: how often it was tried, and when it is next."""

    hub: str
    topic: str
    due: datetime
    tries: int = 0

    def later(self, now: datetime) -> "Ping | None":
        """Return this ping after another failure: waits double from a minute to an hour; None when it is given up."""
        if self.tries + 1 >= GIVEN_UP_AFTER:
            return None
        return Ping(self.hub, self.topic, now + min(LONGEST_WAIT, FIRST_WAIT * 2**self.tries), self.tries + 1)


class Publisher:
    """What hubs have not been told yet; for one thread that sends, while others add.

    `memory` is a file in which that outlives the process; what it cannot hold is only tried by this one.
    """

    def __init__(self, memory: Path | None = None) -> None:
        self._memory = memory
        self._waiting = {(ping.hub, ping.topic): ping for ping in _remembered(memory)}

    @property
    def waiting(self) -> tuple[Ping, ...]:
        """Return what is still to be sent."""
        return tuple(self._waiting.values())

    def changed(self, hubs: Iterable[str], topics: Iterable[str], now: datetime) -> None:
        """Note documents that changed, each by its self address; what was waiting for one of them begins anew.

        What waits for a hub that is none of ours any more is dropped.
        """
        ours = tuple(hubs)
        fresh = [Ping(hub, topic, now) for topic in topics for hub in ours]
        kept = [ping for ping in self.waiting if ping.hub in ours]
        self._waiting = {(ping.hub, ping.topic): ping for ping in (*kept, *fresh)}
        self._remember()

    def send(self, post: Post, now: datetime) -> list[Diagnostic]:
        """Send what is due, one POST a document and hub; return what failed.

        A failure costs its own ping only; a hub that failed three times is not asked for the rest of them.
        """
        found: list[Diagnostic] = []
        failures: Counter[str] = Counter()
        for ping in [each for each in self.waiting if each.due <= now]:
            wrong = _tell(post, ping) if failures[ping.hub] < ENOUGH else f"{ENOUGH} others failed before it"
            failures[ping.hub] += bool(wrong)
            if self._waiting.get((ping.hub, ping.topic)) is not ping:
                continue  # it changed again meanwhile: the new ping tells of both
            next_try = ping.later(now) if wrong else None
            if next_try:
                self._waiting[ping.hub, ping.topic] = next_try
            else:
                del self._waiting[ping.hub, ping.topic]
            if wrong:
                found.append(_failure(ping, wrong, next_try))
        self._remember()
        return found

    def _remember(self) -> None:
        if self._memory and (self._waiting or self._memory.exists()):
            said = [[ping.hub, ping.topic, ping.due.isoformat(), ping.tries] for ping in self.waiting]
            with suppress(OSError):
                files.replace(self._memory, json.dumps(said, indent=0).encode(), 0)


def _tell(post: Post, ping: Ping) -> str:
    return post(ping.hub, {"hub.mode": "publish", "hub.url": ping.topic, "hub.topic": ping.topic})


def _remembered(memory: Path | None) -> list[Ping]:
    """Return the pings that were written down; nothing where nobody can read them."""
    try:
        said = msgspec.json.decode(memory.read_bytes(), type=list[_Written]) if memory else []
        return [Ping(*one) for one in said]
    except (OSError, ValueError):
        return []


def _failure(ping: Ping, wrong: str, next_try: Ping | None) -> Diagnostic:
    then = f"tried again at {next_try.due:%H:%M:%S} UTC" if next_try else "given up until the feed changes again"
    message = f"was not told that {ping.topic} changed: {wrong}; {then}"
    return Diagnostic(ping.hub, None, Level.WARNING, message, "hub-failed")
