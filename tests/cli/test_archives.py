"""`archive = true` from outside: what is published, walked as a feed reader walks it (generating P0 to P3)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import feedparser
import pytest
from lxml import etree

from tests.installed import feedsvc

SITE = "https://warp.example/"
CONFIG = """
[site]
title = "Warp Notes"
url = "https://warp.example/"
author = { name = "Warp Notes" }
id_authority = "warp.example,2026"

[websub]
hubs = ["https://hub.example/"]

[[feeds]]
name = "posts"
path = "notes"
limit = 3
archive = true
content = "full"
"""
HISTORY = "{http://purl.org/syndication/history/1.0}"
ATOM_LINK = "{http://www.w3.org/2005/Atom}link"
Follow = Callable[[bytes], str]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    (tmp_path / "posts").mkdir()
    (tmp_path / "config" / "feedsvc.toml").write_text(CONFIG)
    for day in range(1, 9):
        put(tmp_path, day)
    build(tmp_path)
    return tmp_path


def put(root: Path, day: int, words: str = "Words", extra: str = "") -> None:
    text = f"---\ntitle: Post {day}\ndate: 2026-05-{day:02}\ntags: [gpu, t{day}]\n{extra}---\n{words} {day}.\n"
    (root / "posts" / f"p{day}.md").write_text(text)


def build(root: Path) -> dict[str, bytes]:
    """Build, and return what is published of the feed, but for its twins."""
    ran = feedsvc("build", cwd=root, env={"SOURCE_DATE_EPOCH": "1781524800"})
    assert (ran.status, ran.err) == (0, "")
    return published(root)


def published(root: Path) -> dict[str, bytes]:
    files = (file for file in (root / "public" / "notes").rglob("*") if file.is_file() and file.suffix != ".gz")
    return {file.relative_to(root / "public").as_posix(): file.read_bytes() for file in files}


def walk(root: Path, file: str, follow: Follow) -> Iterator[bytes]:
    """Yield the documents of a format as one leads to the next."""
    address = f"{SITE}notes/{file}"
    while address:
        body = (root / "public" / address.removeprefix(SITE)).read_bytes()
        yield body
        address = follow(body)


def linked(rel: str) -> Follow:
    """Return what finds the link of a relation in an XML document, "" where there is none."""

    def follow(body: bytes) -> str:
        links = etree.fromstring(body).iter(ATOM_LINK)
        return next((str(link.get("href")) for link in links if link.get("rel") == rel), "")

    return follow


def next_url(body: bytes) -> str:
    return str(json.loads(body).get("next_url", ""))


def ids(body: bytes) -> list[str]:
    if body.startswith(b"{"):
        return [item["id"] for item in json.loads(body)["items"]]
    return [entry.id for entry in feedparser.parse(body).entries]


WALKS = [("atom.xml", linked("prev-archive")), ("rss.xml", linked("prev-archive")), ("feed.json", next_url)]


@pytest.mark.parametrize(("file", "follow"), WALKS)
def test_each_format_leads_back_to_the_first_entry(root: Path, file: str, follow: Follow) -> None:
    """P1, P3, K1: all three walk the same way, and entries are the same wherever they stand."""
    bodies = list(walk(root, file, follow))
    numbers = [[name.rpartition("p")[2] for name in ids(body)] for body in bodies]
    assert numbers == [["8", "7", "6"], ["6", "5", "4"], ["3", "2", "1"]]


@pytest.mark.parametrize("file", ["atom.xml", "rss.xml"])
def test_an_archive_says_what_it_is_and_where_it_stands(root: Path, file: str) -> None:
    """P1, P3: `fh:archive`, never `fh:complete`; self, current, both neighbours. K3: no hub tells of an archive."""
    feed, second, first = walk(root, file, linked("prev-archive"))
    assert HISTORY.encode() not in feed
    for number, body in ((2, second), (1, first)):
        tags = [element.tag for element in etree.fromstring(body).iter(f"{HISTORY}*")]
        assert tags == [f"{HISTORY}archive"]
        assert linked("self")(body) == f"{SITE}notes/archive/{number}/{file}"
        assert linked("current")(body) == linked("self")(feed) == f"{SITE}notes/{file}"
        assert (linked("hub")(feed), linked("hub")(body)) == ("https://hub.example/", "")
    assert linked("next-archive")(first) == linked("self")(second)
    assert [linked("next-archive")(second), linked("prev-archive")(first), linked("current")(feed)] == ["", "", ""]


def test_an_entry_is_the_same_in_feed_and_archive(root: Path) -> None:
    """P3"""
    feed, second, _ = walk(root, "atom.xml", linked("prev-archive"))
    entries = [etree.fromstring(body).findall("{*}entry") for body in (feed, second)]
    spelled = [etree.tostring(one, method="c14n", exclusive=True) for one in (entries[0][-1], entries[1][0])]
    assert spelled[0].strip() == spelled[1].strip()
    parsed = [feedparser.parse(body) for body in (feed, second)]
    assert parsed[0].feed.id == parsed[1].feed.id == "tag:warp.example,2026:feed/posts"


def test_new_posts_leave_full_archives_as_they_are(root: Path) -> None:
    """P2, N2: to the byte, pages included; the newest learns of the next one when that comes to be."""
    before = published(root)
    put(root, 9)
    after = build(root)
    archives = [path for path in before if "/archive/" in path]
    assert len(archives) == 8
    assert {path: after[path] for path in archives} == {path: before[path] for path in archives}
    put(root, 10)
    later = build(root)
    assert sorted({path for path in archives if later[path] != after[path]}) == [
        "notes/archive/2/atom.xml",
        "notes/archive/2/index.html",
        "notes/archive/2/rss.xml",
    ]
    assert "notes/archive/3/feed.json" in later


def test_an_edited_post_changes_its_archive_and_a_draft_leaves_it(root: Path) -> None:
    """F13, N2: what is kept out leaves no trace."""
    before = published(root)
    put(root, 2, "Other words")
    after = build(root)
    changed = {path for path in after if after[path] != before[path]}
    assert changed == {f"notes/archive/1/{name}" for name in ("atom.xml", "rss.xml", "feed.json", "index.html")}
    put(root, 2, "Secret", "draft: true\n")
    assert not [path for path, body in build(root).items() if b"Post 2<" in body or b"Secret" in body]


def test_people_walk_through_pages_and_no_list_offers_an_archive(root: Path) -> None:
    """G2, G3: a page for each, with the way back and forth; what one subscribes to is the feed itself."""
    pages = published(root)
    assert b'href="archive/2/">Older entries</a>' in pages["notes/index.html"]
    second = pages["notes/archive/2/index.html"].decode()
    assert '<a rel="prev" href="../../">Newer entries</a>' in second
    assert '<a rel="next" href="../1/">Older entries</a>' in second
    assert 'href="../../atom.xml"' in second
    assert "archive/2/atom.xml" not in second
    for name in ("feeds.opml", "subscribe.html"):
        assert b"archive" not in (root / "public" / name).read_bytes()
    assert "notes/archive/2/fragment.html" not in pages


def test_explain_knows_the_archives(root: Path) -> None:
    """SO-10"""
    ran = feedsvc("explain", "p2.md", cwd=root, env={"SOURCE_DATE_EPOCH": "1781524800"})
    assert "posts/archive/1" in ran.out
    assert ran.status == 0
