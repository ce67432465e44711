"""Telling hubs which documents changed: after the swap, and never in its way (polling W-07)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from feedsvc.model import Diagnostic, Level

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP_AFTER = 12
Post = Callable[[str, Mapping[str, str]], str]
"""Sends a form to an address; returns what went wrong, "" for nothing."""


@dataclass(frozen=True, slots=True)
class Ping:
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
    """What hubs have not been told yet; for one thread that sends, while others add."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], Ping] = {}

    @property
    def waiting(self) -> tuple[Ping, ...]:
        """Return what is still to be sent."""
        return tuple(self._waiting.values())

    def changed(self, hubs: Iterable[str], topics: Iterable[str], now: datetime) -> None:
        """Note documents that changed, each by its self address; what was waiting for one of them begins anew."""
        for topic in topics:
            for hub in hubs:
                self._waiting[hub, topic] = Ping(hub, topic, now)

    def send(self, post: Post, now: datetime) -> list[Diagnostic]:
        """Send what is due, one POST a document and hub; return what failed. A failure costs its own ping only."""
        found: list[Diagnostic] = []
        for ping in [each for each in self.waiting if each.due <= now]:
            wrong = post(ping.hub, {"hub.mode": "publish", "hub.url": ping.topic, "hub.topic": ping.topic})
            if self._waiting.get((ping.hub, ping.topic)) is not ping:
                continue  # it changed again meanwhile: the new ping tells of both
            next_try = ping.later(now) if wrong else None
            if next_try:
                self._waiting[ping.hub, ping.topic] = next_try
            else:
                del self._waiting[ping.hub, ping.topic]
            if wrong:
                found.append(_failure(ping, wrong, next_try))
        return found


def _failure(ping: Ping, wrong: str, next_try: Ping | None) -> Diagnostic:
    then = f"tried again at {next_try.due:%H:%M:%S} UTC" if next_try else "given up until the feed changes again"
    message = f"was not told that {ping.topic} changed: {wrong}; {then}"
    return Diagnostic(ping.hub, None, Level.WARNING, message, "hub-failed")
