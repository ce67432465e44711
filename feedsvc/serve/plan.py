"""What the daemon is told: how its configuration wants it, and the work that others do for it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Protocol

from msgspec import Struct

from feedsvc.serve.documents import Public
from feedsvc.serve.watching import Watched
from feedsvc.service.polled import Polled
from feedsvc.service.statuses import Status


class Made(Struct, frozen=True):
    """What a build did: when the next post falls due, None for none, and the addresses of feeds that changed."""

    due: datetime | None = None
    changed: tuple[str, ...] = ()


class Offer(Struct, frozen=True):
    """What a source says of its hubs: the topic to subscribe to, and who hands it out (W-01)."""

    topic: str
    hubs: tuple[str, ...]


class Work(Protocol):
    """The work of one configuration, open: each function may raise, which costs that run."""

    def poll(self, told: Callable[[Polled], None], stop: Event) -> bool:
        """Poll what is due; return whether it brought news. Begins nothing new once `stop` is set."""

    def build(self) -> Made:
        """Publish what posts and store say."""

    def care(self) -> None:
        """Do what is due once a day."""

    def statuses(self) -> tuple[Status, ...]:
        """Return how each source stands."""

    def offers(self) -> Mapping[str, Offer]:
        """Return the hubs of the sources that have some, by source."""

    def make_due(self, source: str) -> None:
        """Make a source due now, as far as its gap and its blocks allow (W-05)."""

    def post(self, url: str, form: Mapping[str, str]) -> str:
        """Send a form to a hub, through the guard of every request; return what went wrong, "" for nothing."""

    def cut(self) -> None:
        """End requests under way within a second."""

    def close(self) -> None:
        """Close what is open."""


class Plan(Struct, frozen=True):
    """How a configuration wants the daemon; `open` begins its work. Seconds, and `cron` in place of `build_seconds`.

    `callback` is where hubs reach us, "" for nowhere; `hubs` are those that we tell of our own feeds.
    """

    state: Path
    output: Path
    public: Public
    host: str
    port: int
    admin_port: int
    build_seconds: float
    cron: str
    posts: Watched
    config: Watched
    open: Callable[[], Work]
    hubs: tuple[str, ...] = ()
    callback: str = ""


class Log(Protocol):
    """Where records go: an event in few words, with its fields."""

    def __call__(self, level: str, event: str, **fields: object) -> None:
        """Write one record; `level` is info, warning or error."""
