"""What archives keep, and whom they are told of (generating P0 to P3)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from feedsvc.cli.hubs import changed_feeds
from feedsvc.service.cycle import store_of
from feedsvc.service.dressing import PLAIN
from feedsvc.service.planet import built_and_tidied
from feedsvc.store.entries import Seen
from feedsvc.store.store import Settled
from tests.service.projects import project
from tests.store.stores import entry

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
PLANET = '[[feeds]]\nname = "planet"\npath = ""\ninclude = ["sources"]\nlimit = 1\narchive = {}\n'
DROP = 'drop = ["old"]\n'


@pytest.mark.parametrize(("archive", "kept"), [("true", ["new", "old"]), ("false", ["new"])])
def test_an_entry_in_an_archive_is_in_a_feed_and_outlives_retention(
    tmp_path: Path, archive: str, kept: list[str]
) -> None:
    """ID-10, P2: `retention` is of entries that left their source and every feed."""
    here = project(tmp_path, {"a": "https://a.example/feed"}, PLANET.format(archive))
    (tmp_path / "posts").mkdir()
    with store_of(here, lambda: NOW) as store:
        old = entry("old", published=NOW - timedelta(days=9), updated=NOW - timedelta(days=9))
        for seen in (Seen([entry("new", published=NOW, updated=NOW), old], keys=["new", "old"]), Seen(keys=["new"])):
            (lease,) = store.claim(1, NOW)
            assert store.finish(lease, lambda _, lease=lease, seen=seen: Settled(lease.state, seen), NOW)  # type: ignore[misc]
        done = built_and_tidied(here, store, NOW + timedelta(days=800), PLAIN)
        assert [found.key for found in store.entries()] == kept
    formats = ("atom.xml", "feed.json", "rss.xml")
    assert changed_feeds(here, done) == tuple(f"https://planet.example/{name}" for name in formats)
    assert ("archive/1/atom.xml" in done.published.changed) == (archive == "true")


def test_retention_counts_from_when_the_last_feed_let_go(tmp_path: Path) -> None:
    """P2, ID-11: a source that is disabled for a while, or a word too much in `drop`, costs an archive nothing."""
    on, off = (project(tmp_path, {"a": "https://a.example/feed"}, PLANET.format("true") + drop) for drop in ("", DROP))
    (tmp_path / "posts").mkdir()
    with store_of(on, lambda: NOW) as store:
        for seen in (Seen([entry("new"), entry("old")], keys=["new", "old"]), Seen(keys=["new"])):
            (lease,) = store.claim(1, NOW)
            assert store.finish(lease, lambda _, lease=lease, seen=seen: Settled(lease.state, seen), NOW)  # type: ignore[misc]
        for day, here in ((800, on), (801, off), (1500, off), (1501, on)):
            built_and_tidied(here, store, NOW + timedelta(days=day), PLAIN)
        assert {found.key for found in store.entries()} == {"new", "old"}
        for day in (1502, 2300):
            built_and_tidied(off, store, NOW + timedelta(days=day), PLAIN)
        assert {found.key for found in store.entries()} == {"new"}
