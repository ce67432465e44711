"""`feedsvc explain` answers for whatever is published or kept out, however it is asked for (SO-10)."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feedsvc.cli.main import main
from feedsvc.model import Entry
from feedsvc.settings.load import load
from feedsvc.settings.tree import Source
from feedsvc.store.entries import Seen
from feedsvc.store.store import opened
from tests.store.stores import POLICY, TERMS, entry, poll

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
CONFIG = """
[site]
title = "Warp Notes"
url = "https://warp.example/"
author = { name = "Warp Notes" }
id_authority = "warp.example,2026"
[output]
tags = false
[[feeds]]
name = "posts"
path = ""
limit = 1
[[feeds]]
name = "planet"
include = ["posts", "sources"]
drop = ["webinar"]
[[topics]]
name = "rocm"
match = ["ROCm", "HIP"]
[[sources]]
id = "blog"
url = "https://blog.example/feed"
title = "The Blog"
drop = ["advert"]
content = "title"
[[sources]]
id = "off"
url = "https://off.example/feed"
enabled = false
"""
POSTS = {
    "occupancy.md": "---\ntitle: Occupancy\ndate: 2026-05-02T10:00:00Z\n---\nWords about occupancy.\n",
    "older.md": "---\ntitle: Older\ndate: 2026-05-01T10:00:00Z\n---\nOlder words.\n",
    "draft.md": "---\ntitle: Draft\ndate: 2026-05-01\nslug: soon\ndraft: true\n---\nNot yet.\n",
    "undated.md": "---\ntitle: Undated\n---\nWhen?\n",
    "later.md": "---\ntitle: Later\ndate: 2027-01-01T08:00:00Z\n---\nLater words.\n",
    "twin.md": "---\ntitle: Twin\ndate: 2026-05-01\nslug: occupancy\n---\nSame address.\n",
}
OLD = NOW - timedelta(days=100)


def stranger(key: str, words: str = "Nothing new.", source: str = "blog", **more: object) -> Entry:
    """Return an entry of a source, older than our posts."""
    return entry(key, source, words=words, **{"published": OLD, "updated": OLD, **more})


STORED = {
    "blog": [
        stranger("kept", words="Of ROCm."),
        stranger("sold", words="This is an advert."),
        stranger("shown", words="Come to the webinar."),
        stranger("repost", link="https://warp.example/occupancy/?utm_source=blog"),
        stranger("17", id="tag:warp.example,2026:sources/blog/17", link="https://blog.example/posts/seventeen"),
    ],
    "off": [stranger("quiet", source="off")],
    "left": [stranger("lost", source="left")],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project with posts, and a store that holds entries of sources: one is disabled now and one removed."""
    root = tmp_path_factory.mktemp("project")
    (root / "posts").mkdir()
    (root / "feedsvc.toml").write_text(CONFIG)
    for name, text in POSTS.items():
        (root / "posts" / name).write_text(text)
    store_url = load(root / "feedsvc.toml").store_url
    sources = [Source(id=name, url=f"https://{name}.example/feed") for name in STORED]
    with opened(store_url, TERMS) as store:
        store.sync(sources, POLICY, OLD)
        for lease in store.claim(9, OLD + timedelta(days=1)):
            assert poll(store, lease, OLD + timedelta(days=1), Seen(new=STORED[lease.source]))
        store.sync(sources[:1], POLICY, NOW)
    return root


def asked(place: Path, *arguments: str) -> Result:
    """Run `feedsvc explain` at NOW."""
    environment = {"SOURCE_DATE_EPOCH": str(int(NOW.timestamp()))}
    return CliRunner().invoke(main, ["explain", "--config", str(place / "feedsvc.toml"), *arguments], env=environment)


def lines(place: Path, query: str) -> list[list[str]]:
    """Return the cells of each line of an answer."""
    result = asked(place, query)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return [line.split("\t") for line in result.stdout.splitlines()]


def reasons(place: Path, query: str) -> Iterator[tuple[str, ...]]:
    """Yield feed, rule and words where an entry is kept out."""
    return (tuple(line[1:]) for line in lines(place, query) if line[0] == "not in")


def test_a_post_is_told_whole(place: Path) -> None:
    """SO-10: where it came from, the feeds that hold it, and the others with the rule."""
    assert asked(place, "posts/occupancy.md").stdout == (
        "title\tOccupancy\n"
        "from\tposts/occupancy.md\n"
        "id\ttag:warp.example,2026:occupancy\n"
        "link\thttps://warp.example/occupancy/\n"
        "published\t2026-05-02T10:00:00Z\n"
        "also at\tblog: https://warp.example/occupancy/?utm_source=blog\n"
        "in\tposts\tteaser\thttps://warp.example/\n"
        "in\tplanet\tteaser\thttps://warp.example/planet/\n"
        "not in\ttopics/rocm\tkeep\tit holds none of the words ROCm, HIP\n"
    )


def test_a_strangers_entry_is_told_whole(place: Path) -> None:
    """SO-10: its source by id, title and address, its raw id, and that the source's `content` shows its title only."""
    assert asked(place, "17").stdout == (
        "title\t17\n"
        "from\tsource blog: The Blog, https://blog.example/feed\n"
        "id\ttag:warp.example,2026:sources/blog/17\n"
        "raw id\t17\n"
        "link\thttps://blog.example/posts/seventeen\n"
        "published\t2026-03-07T12:00:00Z\n"
        "in\tplanet\ttitle\thttps://warp.example/planet/ (content of source blog)\n"
        "not in\tposts\tnot-included\tthe feed does not include where it comes from\n"
        "not in\ttopics/rocm\tkeep\tit holds none of the words ROCm, HIP\n"
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("posts/older.md", ("posts", "limit", "newer entries fill the feed, which takes 1")),
        ("posts/draft.md", ("every feed", "draft", "it is marked as a draft")),
        ("https://warp.example/soon/", ("every feed", "draft", "it is marked as a draft")),
        ("later", ("every feed", "waits", "it waits for its date, 2027-01-01T08:00:00+00:00")),
        (
            "undated.md",
            (
                "every feed",
                "skipped",
                "no date in the front matter or the file's name: add a line such as date: 2026-05-01",
            ),
        ),
        (
            "posts/occupancy",
            ("topics/rocm", "keep", "it holds none of the words ROCm, HIP"),
        ),
        ("sold", ("every feed", "drop", "it holds “advert”, a word of drop (of source blog)")),
        ("shown", ("planet", "drop", "it holds “webinar”, a word of drop")),
        ("repost", ("planet", "duplicate", "it is a copy of posts/occupancy.md")),
        ("quiet", ("every feed", "disabled", "its source off is disabled")),
        ("https://left.example/lost", ("every feed", "removed", "its source left is not in the configuration")),
    ],
)
def test_the_rule_that_kept_an_entry_out_is_named(place: Path, query: str, expected: tuple[str, ...]) -> None:
    """SO-10: filter and word, limit, duplicate and of which, disabled source, draft, future, no date."""
    assert expected in set(reasons(place, query))


def test_a_post_is_named_from_wherever_one_stands(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SO-10: its path, as the shell completes it."""
    (place / "elsewhere").mkdir(exist_ok=True)
    monkeypatch.chdir(place / "elsewhere")
    for query in (str(place / "posts" / "older.md"), "../posts/older.md", "./../posts/older.md"):
        assert lines(place, query)[1] == ["from", "posts/older.md"]
    assert asked(place, "../older.md").exit_code == 1
    monkeypatch.chdir(place / "posts")
    for query in ("older.md", "posts/older.md", "tag:warp.example,2026:older", "https://warp.example/older/"):
        assert lines(place, query)[1] == ["from", "posts/older.md"]


def test_an_address_of_two_posts_and_a_repost_tells_all_three(place: Path) -> None:
    """SO-10, I5: the post that has it, the copy at a source, and the post that is left out for it."""
    told = lines(place, "http://www.warp.example/occupancy?utm_medium=rss")
    assert [line[1] for line in told if line[0] == "title"] == ["Occupancy", "repost", "posts/twin.md"]


def test_the_same_is_told_to_programs(place: Path) -> None:
    """Issue 6.4: `--json`."""
    result = asked(place, "--json", "https://blog.example/shown")
    (found,) = json.loads(result.stdout)["entries"]
    assert (found["id"], found["raw_id"], found["path"]) == ("https://blog.example/shown", "shown", None)
    assert found["source"] == {"id": "blog", "title": "The Blog", "url": "https://blog.example/feed"}
    assert found["feeds"] == []
    assert found["kept_out"][1] == {
        "feed": "planet",
        "rule": "drop",
        "detail": "webinar",
        "reason": "it holds “webinar”, a word of drop",
    }
    (held,) = json.loads(asked(place, "--json", "draft.md").stdout)["entries"]
    assert (held["id"], held["path"], held["kept_out"][0]["feed"]) == (None, "posts/draft.md", None)


def test_an_entry_that_nobody_knows_is_named_with_the_nearest(place: Path) -> None:
    """Exit status 1; what was looked for is shown as text, whatever it holds (S-36)."""
    result = asked(place, "https://warp.example/ocupancy")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "https://warp.example/ocupancy: no post and no stored entry has this path, id or address; "
        "nearest: https://warp.example/occupancy/"
    )
    assert asked(place, "x\x1b]0;y\x07").stderr == (
        "x\\x1b]0;y\\x07: no post and no stored entry has this path, id or address, nor one like it\n"
    )
    assert json.loads(asked(place, "--json", "nobody-knows-this").stdout)["entries"] == []


def test_explaining_writes_nothing_and_needs_no_store(place: Path, tmp_path: Path) -> None:
    """Interface: explain takes no lock."""
    (tmp_path / "feedsvc.toml").write_text(CONFIG)
    (tmp_path / "posts").mkdir()
    (tmp_path / "posts" / "a.md").write_text(POSTS["older.md"])
    before = sorted(tmp_path.rglob("*"))
    assert asked(tmp_path, "a").exit_code == 0
    assert sorted(tmp_path.rglob("*")) == before
