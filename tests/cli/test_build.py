"""`feedsvc build` from outside: exit status, what stands after a failure (interface, "Exit status", OU-03)."""

import os
import resource
from pathlib import Path

import pytest

from feedsvc.cli.edges import lock
from feedsvc.errors import LockHeldError
from tests.installed import Ran, feedsvc

CONFIG = """
[site]
title = "Warp Notes"
url = "https://warp.example/"
author = { name = "Warp Notes" }
id_authority = "warp.example,2026"
"""
CLOCK = "1781524800"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    (tmp_path / "posts").mkdir()
    (tmp_path / "config" / "feedsvc.toml").write_text(CONFIG)
    put(tmp_path, "One")
    return tmp_path


def put(root: Path, title: str, name: str = "a.md", extra: str = "") -> None:
    (root / "posts" / name).write_text(f"---\ntitle: {title}\ndate: 2026-05-01\n{extra}---\nWords.\n")


def build(root: Path, *flags: str, **env: str) -> Ran:
    return feedsvc("build", *flags, cwd=root, env={"SOURCE_DATE_EPOCH": CLOCK, **env})


def published(root: Path, *names: str) -> list[bytes]:
    return [(root / "public" / name).read_bytes() for name in names]


def test_one_document_that_may_not_go_out_keeps_its_feed_as_it_was_and_the_others_go_on(root: Path) -> None:
    """Interface "Published files": no set of which one half is new; the command says why and ends with 1 (K1)."""
    top = ("atom.xml", "rss.xml", "feed.json", "index.html", "fragment.html")
    put(root, "One", extra="tags: [cuda]\n")
    assert build(root).status == 0
    before = published(root, *top)
    (root / "config" / "templates").mkdir()
    blank_at_the_top = "{% if page.root %}{% include 'mine.html' %}{% endif %}"
    (root / "config" / "templates" / "feed.html").write_text(blank_at_the_top)
    (root / "config" / "templates" / "mine.html").write_text("<!doctype html><title>T</title>{{ page.cards|length }}")
    put(root, "Two", extra="tags: [cuda]\n")
    ran = build(root)
    assert ran.status == 1
    assert published(root, *top) == before
    assert b"Two" in published(root, "tags/cuda/atom.xml")[0]
    assert "\npublic/index.html: error: " in f"\n{ran.err}"
    assert "the last good version stands: atom.xml, feed.json, fragment.html, index.html, rss.xml" in ran.err


def test_a_skipped_post_changes_the_exit_status_with_strict_only(root: Path) -> None:
    """Interface "Exit status": 3; every flag has an environment twin."""
    put(root, "Bad", name="b.md", extra="date: 2026-05-02\n")
    assert build(root).status == 0
    assert build(root, "--strict").status == 3
    assert build(root, FEEDSVC_STRICT="1").status == 3
    os.unlink(root / "posts" / "b.md")
    assert build(root, "--strict").status == 0


def test_a_folder_of_posts_that_is_gone_empties_no_feed(root: Path) -> None:
    """Interface "Exit status": 1, what was published before still stands. The folder may be a volume not mounted."""
    assert build(root).status == 0
    before = published(root, "atom.xml", "index.html")
    (root / "posts").rename(root / "elsewhere")
    ran = build(root)
    assert (ran.status, ran.err.splitlines()[0]) == (
        1,
        "posts:1: error: there is no such folder: make it, or name another as posts.directory [no-posts-folder]",
    )
    assert published(root, "atom.xml", "index.html") == before


@pytest.mark.parametrize("kind", ["link", "folder", "state is a file"])
def test_a_lock_that_cannot_be_made_is_told_in_words(root: Path, kind: str) -> None:
    """S-31: no link is followed; nobody reads a traceback."""
    if kind == "state is a file":
        (root / "var").write_text("")
    else:
        (root / "var").mkdir()
        (root / "mine").write_text("mine")
        place = root / "var" / "feedsvc.lock"
        place.symlink_to(root / "mine") if kind == "link" else place.mkdir()
    ran = build(root)
    assert ran.status == 1
    assert "feedsvc.lock: can't be made or opened: " in ran.err
    assert len(ran.err.splitlines()) == 1
    assert kind == "state is a file" or (root / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX"},
        {"PYTHONIOENCODING": "latin-1:strict"},
        {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"},
    ],
)
def test_no_locale_changes_a_name_or_stops_a_message(root: Path, locale: dict[str, str]) -> None:
    """N1: the name of a file is part of its id; D6."""
    put(root, "Japanese", name="日本語.md")
    put(root, "Bad", name="ü図.md", extra="date: 2026-05-02\n")
    assert build(root, **locale).status == 0
    assert "tag:warp.example,2026:%E6%97%A5%E6%9C%AC%E8%AA%9E<" in published(root, "atom.xml")[0].decode()
    before = published(root, "atom.xml", "feeds.opml")
    assert build(root).status == 0
    assert published(root, "atom.xml", "feeds.opml") == before
    checked = feedsvc("check", cwd=root, env={"SOURCE_DATE_EPOCH": CLOCK, **locale})
    assert (checked.status, "Traceback" in checked.err) == (1, False)


def test_a_lock_without_room_for_its_number_holds(tmp_path: Path) -> None:
    """V-33: the number inside is for people; where no file may grow, as on a full disk, there is none."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with lock(tmp_path), pytest.raises(LockHeldError, match="another instance"), lock(tmp_path):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


TOO_LONG = "x" * 300
"""A name of which nobody can say whether it is there; to root no folder of others is like that."""


def test_a_folder_of_posts_that_cannot_be_read_empties_no_feed(root: Path) -> None:
    """What was published stands, with sources or without; a planet without such a folder builds."""
    build(root)
    before = published(root, "atom.xml")
    config = root / "config" / "feedsvc.toml"
    for source in ("", '[[sources]]\nid = "a"\nurl = "https://a.example/feed"\n'):
        config.write_text(f'{CONFIG}\n[posts]\ndirectory = "{TOO_LONG}"\n{source}')
        ran = build(root)
        assert (ran.status, published(root, "atom.xml")) == (1, before)
        assert "the folder cannot be read: File name too long" in ran.err
        assert "nothing was published" in ran.err
    config.write_text(f'{CONFIG}\n[posts]\ndirectory = "none"\n{source}')
    assert build(root).status == 0


@pytest.mark.parametrize(
    ("table", "commands", "said"),
    [
        (f'[store]\nurl = "sqlite:///{TOO_LONG}/x.db"', ["status", "sources list", "explain x"], "cannot be opened"),
        (f'[output]\ndirectory = "{TOO_LONG}"', ["build", "check"], "File name too long"),
        (f'[posts]\ndirectory = "{TOO_LONG}"', ["check"], "cannot be read"),
    ],
)
def test_a_place_that_cannot_be_looked_at_is_told_in_words(
    root: Path, table: str, commands: list[str], said: str
) -> None:
    """`status` of a daemon that runs as somebody else ended in a traceback."""
    (root / "config" / "feedsvc.toml").write_text(f"{CONFIG}\n{table}\n")
    for command in commands:
        ran = feedsvc(*command.split(), cwd=root)
        assert (ran.status, said in ran.said, "Traceback" in ran.err) == (1, True, False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_its_owner_alone_may_read_is_told_in_words(root: Path) -> None:
    build(root)
    (root / "config" / "templates").mkdir()
    template = root / "config" / "templates" / "feed.html"
    template.write_text("x")
    for place, command, said in [
        (root / "var", "status", "run this as the user who runs the daemon or cron"),
        (root / "public.releases", "check", "can't be read: Permission denied"),
        (root / "public" / "atom.xml", "check", "public/atom.xml: error: can't be read: Permission denied"),
        (root / "public.releases", "build", "what was published before still stands"),
        (template, "build", "templates/feed.html: error: cannot be read: Permission denied [bad-override]"),
        (root / "config" / "feedsvc.toml", "build", "cannot be read: Permission denied [bad-config]"),
    ]:
        mode = place.stat().st_mode
        place.chmod(0)
        ran = feedsvc(command, cwd=root)
        place.chmod(mode)
        assert said in ran.said
        assert "Traceback" not in ran.err
