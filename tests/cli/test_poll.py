"""`feedsvc poll`, `update` and `status` from outside: exit status, stdout, stderr (interface, Command line)."""

import fcntl
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.installed import Ran, feedsvc
from tests.postgres import database
from tests.servers import Reply, Server

EIGHT = 1777881600
"""2026-05-04 08:00 UTC."""
FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Warp</title><link>https://warp.example/</link>
<item><title>one</title><link>https://warp.example/1</link></item></channel></rss>"""
HEAD = """
[site]
title = "Planet"
url = "https://planet.example/"
author = { name = "Planet" }
[polling]
allow_private = ["127.0.0.0/8"]
"""


@dataclass
class World:
    root: Path
    server: Server

    def configure(self, *sources: str, more: str = "") -> None:
        listed = (
            f'[[sources]]\nid = "{name}"\nurl = "http://127.0.0.{len(name)}:{self.server.port}/{name}"\n{more}\n'
            for name in sources
        )
        (self.root / "config").mkdir(exist_ok=True)
        (self.root / "posts").mkdir(exist_ok=True)
        (self.root / "config" / "feedsvc.toml").write_text(HEAD + "".join(listed))

    def run(self, *words: str, hours: float = 0, **env: str) -> Ran:
        return feedsvc(*words, cwd=self.root, env={"SOURCE_DATE_EPOCH": str(int(EIGHT + hours * 3600)), **env})


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with Server("0.0.0.0") as server:
        server.answers = {"/warp": Reply(200, {}, FEED), "/bad": Reply(500)}
        made = World(tmp_path, server)
        made.configure("warp", "bad")
        yield made


def test_a_failed_source_is_a_warning_and_status_3_with_strict_only(world: World) -> None:
    """Results on stdout; records and warnings on stderr, one JSON line for each poll where nobody looks (V-28)."""
    ran = world.run("update")
    assert ran.status == 0
    first, second = ran.out.splitlines()
    assert first == "2 polled, 1 new entry, 0 changed, 1 failed"
    assert second.startswith("1 entry in ")
    records = [json.loads(line) for line in ran.err.splitlines() if line.startswith("{")]
    assert {record["source"]: (record["code"], record["level"]) for record in records} == {
        "warp": (200, "info"),
        "bad": (500, "warning"),
    }
    others = [line for line in ran.err.splitlines() if not line.startswith("{")]
    assert others == ["bad: warning: poll failed: the server answered 500 Internal Server Error [status]"]
    assert world.run("update", "--strict", hours=30).status == 3
    assert world.run("poll", hours=60, FEEDSVC_STRICT="1").status == 3
    world.server.answers["/bad"] = Reply(200, {}, FEED)
    assert world.run("poll", "--strict", hours=90).status == 0


def test_polling_what_was_just_polled_says_until_when_and_asks_nobody(world: World) -> None:
    """F-12"""
    world.run("poll")
    asked = len(world.server.requests)
    assert world.run("poll", hours=0.5).out == "nothing is due\n"
    for words in (("poll", "--all"), ("poll", "warp", "bad")):
        ran = world.run(*words, hours=0.5)
        assert ran.status == 0
        assert ran.err.splitlines() == [
            "warp: not before 2026-05-04 09:00:00 UTC: asked less than 1 h ago (polling.interval)",
            "bad: not before 2026-05-04 09:00:00 UTC: asked less than 1 h ago (polling.interval)",
        ]
    assert len(world.server.requests) == asked
    world.run("poll", "warp", hours=1.2)
    assert world.server.paths()[asked:] == ["/warp"]


def test_an_unknown_source_is_a_usage_error_that_names_the_nearest(world: World) -> None:
    ran = world.run("poll", "wrap")
    assert ran.status == 2
    assert "there is no source 'wrap' in the configuration; did you mean 'warp'?" in ran.err
    assert world.server.requests == []


def test_a_disabled_source_is_not_polled_by_name(world: World) -> None:
    world.configure("warp", more="enabled = false")
    ran = world.run("poll", "warp")
    assert ran.status == 2
    assert "source 'warp' is disabled in the configuration" in ran.err


def test_without_sources_there_is_nothing_to_do(world: World) -> None:
    world.configure()
    ran = world.run("poll")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "no sources are configured; `feedsvc sources add URL` adds one\n"
    assert world.run("poll", "--quiet").said == ""
    assert world.run("status").status == 0
    assert json.loads(world.run("status", "--json").out) == {"sources": []}


@pytest.mark.parametrize("name", ["poll", "update", "build"])
def test_a_folder_that_is_held_ends_with_75_before_any_request(world: World, name: str) -> None:
    """V-33"""
    (world.root / "var").mkdir(mode=0o700)
    with (world.root / "var" / "feedsvc.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = world.run(name)
    assert ran.status == 75
    assert "wait for it or stop it" in ran.err
    assert world.server.requests == []


def test_status_stands_beside_a_process_that_holds_the_lock(world: World) -> None:
    """V-29: the exact document; it takes no lock and changes nothing."""
    before = json.loads(world.run("status", "--json").out)["sources"]
    assert [one["reason"] for one in before] == ["not asked yet", "not asked yet"]
    assert not (world.root / "var").exists()
    world.run("poll")
    with (world.root / "var" / "feedsvc.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = world.run("status", "--json")
    warp, bad = json.loads(ran.out)["sources"]
    assert list(warp) == ["id", "url", "state", "last_success", "last_error", "next_poll", "reason"]
    assert (warp["state"], warp["last_success"], warp["last_error"]) == ("ok", "2026-05-04T08:00:00Z", None)
    assert (bad["state"], bad["last_success"]) == ("failing", None)
    assert bad["last_error"] == "the server answered 500 Internal Server Error"
    assert "2026-05-04T09:00:00Z" <= bad["next_poll"] <= "2026-05-04T09:06:00Z"
    assert bad["reason"] == "interval: 1 h"


def test_a_damaged_store_is_said_and_what_was_published_still_stands(world: World) -> None:
    """V-38, exit status 1."""
    world.run("update")
    published = (world.root / "public" / "planet" / "atom.xml").read_bytes()
    (world.root / "var" / "feedsvc.db").write_bytes(b"no database at all\n" * 99)
    for name in ("update", "build", "poll", "status"):
        ran = world.run(name, hours=30)
        assert ran.status == 1, name
        assert "feedsvc.db: is damaged" in ran.err
        assert "Traceback" not in ran.err
    assert (world.root / "public" / "planet" / "atom.xml").read_bytes() == published


def test_a_build_shows_what_was_polled_and_not_what_left_the_configuration(world: World) -> None:
    """ID-11: at the next build, without a poll; and back again with the same id and date."""
    world.run("poll")
    planet = world.root / "public" / "planet" / "feed.json"

    def items() -> list[dict[str, str]]:
        world.run("build", hours=1)
        return json.loads(planet.read_text())["items"]

    (first,) = items()
    world.configure("bad")
    assert items() == []
    world.configure("bad", "warp")
    (again,) = items()
    assert again == first
    world.configure("warp", more="enabled = false")
    assert items() == []
    assert len(world.server.requests) == 2


def test_what_a_server_says_is_data_in_records_and_on_a_terminal(world: World) -> None:
    """S-36: one record is one line, controls and bidi characters are escaped, nothing is endless."""
    reason = "\x1b[31mred\x07\u202e"
    world.server.answers["/warp"] = Reply(302, {"Location": "http://x.example:1/" + reason.encode().decode("latin-1")})
    ran = world.run("poll")
    assert "\x1b" not in ran.said
    assert "\u202e" not in ran.said
    for line in ran.err.splitlines():
        assert len(line) < 3000
    assert sum(line.startswith("{") for line in ran.err.splitlines()) == 2


def test_a_poll_imports_nothing_that_writes_feeds_or_draws() -> None:
    """Each takes as long as ten polls."""
    slow = {"feedgen", "feedparser", "jinja2", "lxml", "nh3", "regex", "rich"}
    code = f"import sys, feedsvc.cli.poll; print(sorted({slow} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.postgres
def test_all_of_it_works_on_postgresql(world: World) -> None:
    """T-12: one code; the address of the store, which may hold a password, is never shown."""
    url = database()
    config = world.root / "config" / "feedsvc.toml"
    config.write_text(f'{config.read_text()}\n[store]\nurl = "{url}"\n')
    ran = world.run("update")
    assert (ran.status, ran.out.splitlines()[0]) == (0, "2 polled, 1 new entry, 0 changed, 1 failed"), ran.said
    assert [one["state"] for one in json.loads(world.run("status", "--json").out)["sources"]] == ["ok", "failing"]
    assert world.run("build", hours=1).out.startswith("1 entry in ")
    config.write_text(config.read_text().replace(url, "postgresql://me:secret@127.0.0.1:1/nothing"))
    ran = world.run("update")
    assert ran.status == 1
    assert "store 127.0.0.1/nothing: " in ran.err
    assert "secret" not in ran.said
    assert "Traceback" not in ran.said
