"""A newcomer's walk, with the program as it is installed: what is typed, and all that is answered (issue 6)."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.installed import command, environment, feedsvc
from tests.servers import Reply, Server

NOON = {"SOURCE_DATE_EPOCH": "1777638600"}  # 2026-05-01T12:30:00Z
MUCH_LATER = {"SOURCE_DATE_EPOCH": "1778000000"}
LATER = {"SOURCE_DATE_EPOCH": "1777728600"}  # a day and an hour after that
POST = """\
---
title: Occupancy is not the goal
date: 2026-05-01T10:00:00Z
tags: [cuda]
---

More warps hide latency only until the memory system is busy.
"""
POLITE = """
[polling]
allow_private = ["127.0.0.0/8"]
host_delay = "0s"

[schedule]
jitter = "0%"
"""
PAGE = b"""<!doctype html><title>Tile by Tile</title>
<link rel="alternate" type="application/atom+xml" title="Tile by Tile" href="/feed.xml">"""
FEED = b"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Tile by Tile</title><id>tag:tiles.example,2020:feed</id><updated>2026-04-30T09:00:00Z</updated>
<link href="/"/><author><name>Toni Tile</name></author>
<entry><title>Swizzle, then store</title><id>tag:tiles.example,2020:swizzle</id><link href="/swizzle/"/>
<published>2026-04-30T09:00:00Z</published><updated>2026-04-30T09:00:00Z</updated>
<summary type="html"><![CDATA[<p>Bank conflicts go when <code>kernel&lt;&lt;&lt;grid, block&gt;&gt;&gt;(x)</code> writes
swizzled tiles.</p>]]></summary></entry>
<entry><title>We are hiring</title><id>tag:tiles.example,2020:jobs</id><link href="/jobs/"/>
<published>2026-04-20T09:00:00Z</published><updated>2026-04-20T09:00:00Z</updated><summary>Come.</summary></entry>
</feed>"""


@pytest.fixture
def blog() -> Iterator[Server]:
    """Serve a blog on loopback: its page names its feed."""
    with Server() as server:
        server.answers["/"] = Reply(200, {"Content-Type": "text/html"}, PAGE)
        server.answers["/feed.xml"] = Reply(200, {"Content-Type": "application/atom+xml", "ETag": '"1"'}, FEED)
        yield server


def test_a_newcomer_walks_from_nothing_to_a_planet_that_is_served(tmp_path: Path, blog: Server) -> None:
    """Issue 6, "How it is shown"; output is compared whole, ports aside."""
    walk = Walk(tmp_path, blog.port)

    assert walk("init", "notes", "--title", "Warp Notes", "--url", "https://warp.example/", "--author", "Ada") == (
        "notes/config/feedsvc.toml\n"
        "notes/posts/a-first-post.md\n"
        "! Next: set title, url and id_authority in notes/config/feedsvc.toml, then `feedsvc build`.\n"
    )
    walk.place = tmp_path / "notes"
    (walk.place / "posts" / "occupancy.md").write_text(POST)
    assert walk("build") == "2 entries in 3 feeds; public: 20 files, 20 changed, 0 removed\n"
    assert walk("build") == "2 entries in 3 feeds; public: 20 files, 0 changed, 0 removed\n"
    assert without_machine(walk("check")) == ""

    config = walk.place / "config" / "feedsvc.toml"
    config.write_text(config.read_text() + POLITE)
    assert walk("sources", "add", "http://127.0.0.1:PORT/", "--id", "tiles") == (
        "added tiles: http://127.0.0.1:PORT/feed.xml ('Tile by Tile', atom, 2 entries)\n"
    )
    assert walk("sources", "list") == "tiles\thttp://127.0.0.1:PORT/feed.xml\tTile by Tile\t-\t-\n"
    assert walk("status") == "tiles\tok\t2\t2026-05-01 12:30\t-\t2026-05-01 13:30\tinterval: 1 h\n"

    walk.clock = LATER
    blog.answers["/feed.xml"] = Reply(304, {"ETag": '"1"'})
    assert walk.quietly("update") == (
        "1 polled, 0 new entries, 0 changed, 0 failed\n4 entries in 4 feeds; public: 27 files, 12 changed, 0 removed\n"
    )
    assert walk("explain", "http://127.0.0.1:PORT/swizzle/") == (
        "title\tSwizzle, then store\n"
        "from\tsource tiles: Tile by Tile, http://127.0.0.1:PORT/feed.xml\n"
        "id\ttag:tiles.example,2020:swizzle\n"
        "link\thttp://127.0.0.1:PORT/swizzle/\n"
        "published\t2026-04-30T09:00:00Z\n"
        "in\tplanet\tteaser\thttps://warp.example/planet/\n"
        "not in\tposts\tnot-included\tthe feed does not include where it comes from\n"
    )
    assert walk("explain", "posts/occupancy.md") == (
        "title\tOccupancy is not the goal\n"
        "from\tposts/occupancy.md\n"
        "id\ttag:warp.example,2026:occupancy\n"
        "link\thttps://warp.example/occupancy/\n"
        "published\t2026-05-01T10:00:00Z\n"
        "tags\tcuda\n"
        "in\tposts\tteaser\thttps://warp.example/\n"
        "in\tplanet\tteaser\thttps://warp.example/planet/\n"
        "in\ttags/cuda\tteaser\thttps://warp.example/tags/cuda/\n"
    )
    walk.clock = MUCH_LATER
    assert walk("update", "--quiet") == ""
    assert [request.path for request in blog.requests] == ["/", *["/feed.xml"] * 3]
    page, atom, json, sources = served(walk.place, "/planet/", "/planet/atom.xml", "/planet/feed.json", "/sources.html")
    assert all("Swizzle, then store" in body for body in (page, atom, json))
    assert "kernel&lt;&lt;&lt;grid, block&gt;&gt;&gt;(x)" in page
    assert all(name in page for name in ("Toni Tile", "Tile by Tile", "30 April 2026"))
    assert "Tile by Tile" in sources
    assert "Answers as it should." in sources


class Walk:
    """Runs commands one after another; the answer is stdout, then the lines of stderr with a mark before each."""

    def __init__(self, place: Path, port: int) -> None:
        self.place, self.clock = place, NOON
        self._host = f"127.0.0.1:{port}"

    def __call__(self, *words: str) -> str:
        """Run a command that has to end well."""
        ran = feedsvc(*(word.replace("127.0.0.1:PORT", self._host) for word in words), cwd=self.place, env=self.clock)
        assert ran.status == 0, ran.said
        told = ran.out + "".join(f"! {line}\n" for line in ran.err.splitlines())
        return told.replace(self._host, "127.0.0.1:PORT")

    def quietly(self, *words: str) -> str:
        """Run a command that also writes log records, which are not looked at."""
        return "".join(line for line in self(*words).splitlines(keepends=True) if not line.startswith("! {"))


def without_machine(told: str) -> str:
    """Return what `check` says of the project: what the machine lacks is another matter."""
    lines = told.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("machine: warning: ", "! 0 errors, ")))


def served(place: Path, *paths: str) -> list[str]:
    """Serve the published folder as its user would, and return what stands at each path."""
    line = command("serve", "--port", "0")
    env = environment({"PYTHONUNBUFFERED": "1"})
    with subprocess.Popen(
        line, cwd=place, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        assert first.startswith("Serving public at http://127.0.0.1:")
        root = first.split()[-1].rstrip("/")
        found = [read(root + path) for path in paths]
        os.kill(running.pid, signal.SIGTERM)
        _, said = running.communicate(timeout=30)
    assert (running.returncode, said) == (0, "")
    return found


def read(url: str) -> str:
    """Return what stands at an address."""
    with urlopen(url, timeout=10) as answer:
        assert answer.status == 200
        body: bytes = answer.read()
    return body.decode()
