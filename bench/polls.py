"""Polls: 1,000 sources on loopback that are all new, and the same again, all of them answering 304."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.contest import Contender, Line, contest, environment, feedsvc, run
from bench.peers import Missing, find
from bench.sources import urls

NUMBER = 1000
PORT = 8700
SECONDS = 1800
INTERVAL = 2  # seconds: twice polling.interval of the project below; a source may be asked again only then
CONFIG = """
[site]
title = "Bench"
url = "https://bench.example/"
id_authority = "bench.example,2026"
author = { name = "Bench" }

[polling]
interval = "1s"
host_delay = "0s"
allow_private = ["127.0.0.0/8"]
"""
READER = """
import sys
from reader import make_reader
reader = make_reader("reader.sqlite")
for url in open("urls").read().split():
    reader.add_feed(url, exist_ok=True)
reader.update_feeds(workers=16, scheduled=False)  # its schedule would let it ask nobody within the hour
"""


def new(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:  # noqa: ARG001 - a row's signature
    """All new: fetched, parsed, cleaned, stored."""
    yield from _row("1,000 sources, all new", "≤ 0.10 × reader, ≤ 0.25 × newsboat", scratch, rounds, again=False)


def unchanged(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:  # noqa: ARG001
    """All 304."""
    yield from _row("1,000 sources, all 304", "≤ 0.5 × reader", scratch, rounds, again=True)


def _row(row: str, reach: str, scratch: Path, rounds: int, *, again: bool) -> Iterator[Line]:
    with serving():
        contenders = [_ours(scratch, again=again)]
        for name in ("reader", "newsboat"):
            try:
                contenders.append(_peer(name, scratch, again=again))
            except Missing as why:
                print(f"  {why}", file=sys.stderr)
                yield Line(row, str(why), "", "", "")
        if again:
            for one in contenders:
                one.before(-1)
                run(one)
        yield from contest(row, reach, contenders, max(1, rounds // 3))


@contextmanager
def serving() -> Iterator[None]:
    """Serve the sources in a process of their own."""
    command = [
        sys.executable,
        "-m",
        "bench.sources",
        "--number",
        str(NUMBER),
        "--seconds",
        str(SECONDS),
        "--port",
        str(PORT),
    ]
    with subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        try:
            if server.stdout is None or server.stdout.readline() != b"ready\n":
                raise RuntimeError("the sources do not listen")
            yield
        finally:
            if server.stdin:
                server.stdin.close()
            server.wait(30)


def _ours(scratch: Path, *, again: bool) -> Contender:
    here = scratch / "planet"
    (here / "config").mkdir(parents=True, exist_ok=True)
    listed = "".join(f'\n[[sources]]\nid = "s{place}"\nurl = "{url}"\n' for place, url in enumerate(urls(NUMBER, PORT)))
    (here / "config" / "feedsvc.toml").write_text(CONFIG + listed)
    return Contender("feedsvc", feedsvc("poll", "--all"), here, _between(here / "var", again=again))


def _between(state: Path, *, again: bool) -> Callable[[int], None]:
    """Return what comes before a turn: all is forgotten, or so long a wait that all may be asked again."""

    def before(turn: int) -> None:
        if not again or turn < 0:
            shutil.rmtree(state, ignore_errors=True)
            for file in state.parent.glob("*.sqlite*"):
                file.unlink()
        else:
            time.sleep(INTERVAL)

    return before


def _peer(name: str, scratch: Path, *, again: bool) -> Contender:
    peer = find(name, scratch)
    folder = scratch / name
    folder.mkdir(exist_ok=True)
    (folder / "urls").write_text("\n".join(urls(NUMBER, PORT)) + "\n")
    if name == "reader":
        (folder / "poll.py").write_text(READER)
        command = [*peer.command, "poll.py"]
    else:
        (folder / "config").write_text("reload-threads 16\n")
        command = [*peer.command, "-u", "urls", "-c", "news.sqlite", "-C", "config", "-x", "reload"]
    return Contender(f"{peer.name} {peer.version}", command, folder, _between(folder / "none", again=again))
