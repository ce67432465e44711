"""Settings, entries and plans for tests of compose."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from feedsvc.compose.feeds import Plan, plan
from feedsvc.compose.merge import key_of
from feedsvc.model import Entry, Feed, Origin, Outline, Text
from feedsvc.settings.defaults import completed
from feedsvc.settings.tree import Author, FeedSettings, Settings, Site, Source

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
START = datetime(2026, 1, 1, tzinfo=UTC)
SITE = Site(
    title="Warp Notes",
    url="https://warp.example/",
    author=Author(name="Warp Notes"),
    description="On warps",
    id_authority="warp.example,2026",
)
PLANET = FeedSettings(name="planet", path="planet", include=("posts", "sources"), limit=60)


def configured(*feeds: FeedSettings, sources: Sequence[Source] = (), site: Site = SITE, **more: object) -> Settings:
    """Return settings as `load` leaves them: with nothing open."""
    return completed(Settings(site=site, feeds=feeds, sources=tuple(sources), **more))  # type: ignore[arg-type]


def source(name: str, **more: object) -> Source:
    return Source(url=f"https://{name}.example/feed", id=name, **more)  # type: ignore[arg-type]


def outline(name: str, home: str | None = None) -> Outline:
    place = f"https://{name}.example/"
    return Outline(name, name.capitalize(), f"{place}feed", place if home is None else home)


def post(key: str, day: float = 0, text: str | None = None, **more: object) -> Entry:
    """Return an own post, so many days after the start; without text it has to be completed."""
    when = START + timedelta(days=day)
    entry = Entry(
        id=f"tag:warp.example,2026:{key}",
        key=key,
        link=f"https://warp.example/{key}/",
        title=key.capitalize(),
        published=when,
        updated=when,
        text=None if text is None else Text(f"<p>{text}</p>"),
        path=f"posts/{key}.md",
    )
    return replace(entry, **more)  # type: ignore[arg-type]


def foreign(name: str, key: str, day: float = 0, text: str = "Words.", **more: object) -> Entry:
    """Return an entry of a source."""
    when = START + timedelta(days=day)
    entry = Entry(
        id=f"tag:{name}.example,2020:{key}",
        key=key,
        link=f"https://{name}.example/{key}",
        title=f"{name} {key}",
        published=when,
        updated=when,
        source=name,
        text=Text(f"<p>{text}</p>"),
        origin=Origin(f"https://{name}.example/", name.capitalize(), f"https://{name}.example/feed"),
    )
    return replace(entry, **more)  # type: ignore[arg-type]


class Completer:
    """Gives posts their text and remembers which were asked for; cannot read those in `broken`."""

    def __init__(self, *broken: str, text: Callable[[Entry], str] = lambda entry: f"Text of {entry.key}.") -> None:
        self.asked: list[str] = []
        self._broken = broken
        self._text = text

    def __call__(self, entry: Entry) -> Entry | None:
        self.asked.append(entry.key)
        return None if entry.key in self._broken else replace(entry, text=Text(f"<p>{self._text(entry)}</p>"))


def planned(
    settings: Settings,
    own: Sequence[Entry] = (),
    strangers: Sequence[Entry] = (),
    complete: Completer | None = None,
    outlines: Sequence[Outline] | None = None,
    thorough: bool = False,
) -> Plan:
    """Return a plan at NOW; sources have their sites at `https://<id>.example/` unless outlines say another."""
    known = [outline(each.id) for each in settings.sources] if outlines is None else outlines
    asked = [key_of(entry) for entry in (*own, *strangers)] if thorough else []
    return plan(settings, own, strangers, known, complete or Completer(), now=NOW, thorough=asked)


def feed_of(made: Plan, name: str) -> Feed:
    return next(feed for feed in made.feeds if feed.name == name)


def keys(made: Plan, name: str = "planet") -> list[str]:
    """Return the keys of the entries of a feed, in order."""
    return [item.entry.key for item in feed_of(made, name).items]
