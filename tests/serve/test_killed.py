"""kill -9 at random points of polls and builds: whole sets, a sound store, nobody asked early (V-20, V-37)."""

import json
import os
import random
import re
import sqlite3
import subprocess
import threading
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from tests.installed import command, environment, feedsvc
from tests.serve.daemons import Daemon, configure, ends, site, until
from tests.servers import Reply, Request, Server

KILLS = int(os.environ.get("FEEDSVC_KILLS", "6"))
"""Points to kill at; the full figure is 200."""
INTERVAL = 60
ITEM = (
    "<item><title>From afar {0}</title><link>https://far.example/{0}</link><guid>https://far.example/{0}</guid></item>"
)
HEAD = '<?xml version="1.0"?><rss version="2.0"><channel><title>Far</title><link>https://far.example/</link>'


def feed(request: Request) -> Reply:
    """Answer with entries that are new each time, and a validator that names them."""
    number = int(request.at * 10)
    items = "".join(ITEM.format(number - back) for back in range(5))
    document = f"{HEAD}<description>d</description>{items}</channel></rss>"
    return Reply(200, {"ETag": f'"{number}"'}, document.encode())


def numbers(place: Path, name: str) -> set[str]:
    """Return the numbers of the sets that a published document holds posts of."""
    return set(re.findall(r"Text number ([0-9]+)", (place / "public" / name).read_text("utf-8")))


def check_set(place: Path) -> None:
    """Hold that what is published is one set: every format with the same posts, every twin of its file's time."""
    if not (place / "public").exists():
        return
    found = [numbers(place, name) for name in ("atom.xml", "rss.xml", "feed.json", "index.html")]
    assert [len(each) for each in found] == [1] * 4
    assert found == found[:1] * 4
    json.loads((place / "public/planet/feed.json").read_text("utf-8"))
    for twin in (place / "public").rglob("*.gz"):
        assert twin.stat().st_mtime == twin.with_suffix("").stat().st_mtime


def check_store(place: Path) -> None:
    """Hold that the store is sound and no validator is newer than the entries that came with it."""
    if not (place / "var/feedsvc.db").exists():
        return
    with closing(sqlite3.connect(place / "var/feedsvc.db")) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        columns = {name for _, name, *_ in store.execute("PRAGMA table_info(source)")}
        if not columns:
            return
        kept = " ".join(str(row) for row in store.execute("SELECT * FROM source"))
        keys = " ".join(str(row) for row in store.execute("SELECT * FROM entry"))
    for number in re.findall(r"\\?\"(\d{4,})\\?\"", kept):
        assert f"far.example/{number}" in keys


def write_posts(place: Path, turn: int) -> None:
    """Write three posts that say their number."""
    for name in (1, 2, 3):
        (place / f"posts/post-{name}.md").write_text(
            f"---\ntitle: Post {name}\ndate: 2026-05-0{name}\n---\nText number {turn}. {'More. ' * 200}\n"
        )


def run_and_kill(place: Path, seconds: float) -> int:
    """Begin an update, kill it after a while; return its exit status, negative for a kill that came in time."""
    process = subprocess.Popen(
        command("update"), cwd=place, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    status = process.wait()
    timer.cancel()
    return status


def test_a_kill_at_any_point_leaves_a_whole_set_a_sound_store_and_nobody_asked_early(tmp_path: Path) -> None:
    """V-20, V-37, F-11."""
    dice = random.Random(KILLS)
    place = site(tmp_path, posts=3)
    killed = 0
    with Server() as server:
        server.answers["/feed"] = feed
        configure(place, f'[[sources]]\nid = "far"\nurl = "{server.url()}"\n')
        for turn in range(KILLS):
            write_posts(place, turn)
            killed += run_and_kill(place, dice.uniform(0.2, 3.5)) < 0
            check_set(place)
            check_store(place)
        last = feedsvc("update", cwd=place)
        assert last.status == 0, last.said
        check_set(place)
        assert numbers(place, "atom.xml") == {str(KILLS - 1)}
        left = [path.name for path in tmp_path.rglob(".feedsvc-new-*")]
        moments = [request.at for request in server.requests]
    assert left == []
    assert all(after - before >= INTERVAL for before, after in pairwise(moments))
    print(f"{killed} of {KILLS} killed in time; the source was asked {len(moments)} times")


def test_a_daemon_killed_at_any_point_leaves_the_same(tmp_path: Path) -> None:
    """V-20, V-33, V-37, F-11: while it builds, polls and serves; its successor goes on."""
    dice = random.Random(KILLS)
    place = site(tmp_path, posts=3)
    with Server() as server:
        server.answers["/feed"] = feed
        configure(place, f'[[sources]]\nid = "far"\nurl = "{server.url()}"\n')
        for turn in range(max(2, KILLS // 3)):
            write_posts(place, turn)
            with Daemon(place) as daemon:
                serving = daemon.serving()
                threading.Event().wait(dice.uniform(0, 1.5))
            until(lambda: all(map(ends, serving)))  # noqa: B023 - asked within this turn
            check_set(place)
            check_store(place)
        write_posts(place, KILLS)
        with Daemon(place) as daemon:
            until(lambda: numbers(place, "atom.xml") == {str(KILLS)})
            until(lambda: f"Text number {KILLS}." in daemon.get()[1])
            assert daemon.end() == 0
        moments = [request.at for request in server.requests]
    assert moments
    assert all(after - before >= INTERVAL for before, after in pairwise(moments))
