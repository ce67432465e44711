"""What a build takes from the store: origins, authors, texts when they are asked for."""

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from feedsvc.collect.found import FoundChannel
from feedsvc.model import Entry, Origin, Person, Text
from feedsvc.service.cycle import store_of
from feedsvc.service.foreign import Texts, foreign_of
from feedsvc.settings.tree import Project
from feedsvc.store.entries import Key, Seen
from feedsvc.store.store import Settled, Store
from tests.service.projects import project
from tests.store.stores import entry

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)


@pytest.fixture
def here(tmp_path: Path) -> Project:
    return project(tmp_path, {"a": "https://a.example/feed", "b": "https://b.example/feed"})


@pytest.fixture
def store(here: Project) -> Iterator[Store]:
    with store_of(here, lambda: NOW) as found:
        yield found


def fill(store: Store, channel: FoundChannel | None, *entries: Entry) -> None:
    """Give source `a` a channel and entries."""
    lease = next(one for one in store.claim(9, NOW) if one.source == "a")
    assert store.finish(lease, lambda _: Settled(lease.state, Seen(entries), channel), NOW)


def test_an_entry_says_where_it_comes_from(here: Project, store: Store) -> None:
    """MG-05, MG-07: the channel as its last good document had it; its authors where the entry has none."""
    channel = FoundChannel(
        id="urn:planet",
        title="A",
        home="https://a.example/",
        updated="Mon, 04 May 2026 07:00:00 GMT",
        authors=(Person("Ada"),),
        rights="r",
    )
    fill(store, channel, entry("one"))
    (found,) = foreign_of(here, store, NOW).entries
    updated = NOW - timedelta(hours=1)
    assert found.origin == Origin(
        "urn:planet", "A", "https://a.example/feed", "https://a.example/", updated, (Person("Ada"),), "r"
    )
    assert found.authors == (Person("Ada"),)
    assert found.text is None


@pytest.mark.parametrize(
    ("own", "theirs", "channel", "wanted"),
    [
        (("E",), ("S",), ("F",), "E"),
        ((), ("S",), ("F",), "S"),
        ((), (), ("F",), "F"),
        ((), (), (), "Their feed"),
    ],
)
def test_the_author_is_the_nearest_one_there_is(
    here: Project, store: Store, own: tuple[str, ...], theirs: tuple[str, ...], channel: tuple[str, ...], wanted: str
) -> None:
    """MG-07: the entry's; else its source's; else the feed's; else the title of the source."""
    origin = Origin("urn:o", "Their feed", "https://o.example/", authors=people(theirs))
    fill(store, FoundChannel(title="A", authors=people(channel)), entry("one", authors=people(own), origin=origin))
    (found,) = foreign_of(here, store, NOW).entries
    assert [person.name for person in found.authors] == [wanted]
    assert found.origin == origin


def people(names: tuple[str, ...]) -> tuple[Person, ...]:
    return tuple(Person(name) for name in names)


@pytest.mark.parametrize("raw", ["", "just words", "javascript:alert(1)"])
def test_a_feed_without_a_usable_id_gets_a_stable_one(here: Project, store: Store, raw: str) -> None:
    """MG-05"""
    fill(store, FoundChannel(id=raw, title="A"), entry("one"))
    (found,) = foreign_of(here, store, NOW).entries
    assert found.origin is not None
    assert found.origin.id == "tag:planet.example,2026:sources/a"


def test_a_channel_from_tomorrow_has_no_date(here: Project, store: Store) -> None:
    """DT-11: nothing in the output is later than now."""
    fill(store, FoundChannel(title="A", updated="2027-01-01T00:00:00Z"), entry("one"))
    (found,) = foreign_of(here, store, NOW).entries
    assert found.origin is not None
    assert found.origin.updated is None


def test_every_source_is_listed_and_the_public_is_not_told_why_one_fails(here: Project, store: Store) -> None:
    """S-07: the words for a refused, a closed and a wrong address are the same."""
    fill(store, FoundChannel(title="A", home="https://a.example/"), entry("one"))
    found = foreign_of(here, store, NOW)
    assert [(one.id, one.title, one.url, one.home) for one in found.sources] == [
        ("a", "A", "https://a.example/feed", "https://a.example/"),
        ("b", "b", "https://b.example/feed", ""),
    ]
    assert [(one.title, one.state) for one in found.known] == [("A", "waiting"), ("b", "waiting")]
    assert found.known[0].newest == entry("one").published


class Counting:
    """A store that counts how often texts are read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0

    def texts(self, keys: Collection[Key]) -> Mapping[Key, Text]:
        self.reads += 1
        return self._store.texts(keys)


def test_texts_are_read_when_they_are_asked_for_and_many_at_once(here: Project, store: Store) -> None:
    made = [entry(f"e{number:03}", published=NOW - timedelta(hours=number)) for number in range(450)]
    fill(store, None, *made)
    entries = foreign_of(here, store, NOW).entries
    counting = Counting(store)
    texts = Texts(counting, entries)
    whole = [texts.whole(found) for found in sorted(entries, key=lambda found: found.published, reverse=True)]
    assert [found.text for found in whole if found] == [found.text for found in made]
    assert counting.reads == 3
    assert texts.whole(entry("nobody")) is None
