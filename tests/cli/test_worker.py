"""`feedsvc worker` from outside: several of them over one PostgreSQL store (interface, Command line)."""

import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from tests.installed import command, environment, feedsvc
from tests.postgres import database
from tests.servers import Reply, Server

FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Warp</title><link>https://warp.example/</link>
<item><title>one</title><link>https://warp.example/1</link></item></channel></rss>"""
SOURCES = 12


@pytest.fixture
def server() -> Iterator[Server]:
    with Server("0.0.0.0") as started:
        started.answers = {f"/{n}": Reply(200, {}, FEED) for n in range(SOURCES)}
        yield started


def configure(root: Path, server: Server, store: str) -> None:
    text = (
        '[site]\ntitle = "Planet"\nurl = "https://planet.example/"\nauthor = { name = "Planet" }\n'
        f'[polling]\nallow_private = ["127.0.0.0/8"]\nhost_delay = "0s"\n[store]\nurl = "{store}"\n'
    )
    for n in range(SOURCES):
        text += f'[[sources]]\nid = "s{n}"\nurl = "http://127.0.0.{n + 2}:{server.port}/{n}"\n'
    (root / "config").mkdir()
    (root / "posts").mkdir()
    (root / "config" / "feedsvc.toml").write_text(text)


def lines_of(process: subprocess.Popen[str], lines: Queue[str]) -> Thread:
    """Hand on what a process says, line by line."""

    def read() -> None:
        assert process.stderr
        for line in process.stderr:
            lines.put(line)

    thread = Thread(target=read)
    thread.start()
    return thread


@pytest.mark.postgres
def test_workers_share_the_sources_and_ask_each_once(tmp_path: Path, server: Server) -> None:
    """T-12, Q-02, Q-08: no source twice inside its gap, none left out; SIGTERM ends each with 0."""
    configure(tmp_path, server, database())
    said: Queue[str] = Queue()
    workers = [
        subprocess.Popen(command("worker"), cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    readers = [lines_of(each, said) for each in workers]
    polls: list[str] = []
    try:
        while len(polls) < SOURCES:
            line = said.get(timeout=60)
            if '"event": "poll"' in line:
                polls.append(line)
    finally:
        for each in workers:
            each.send_signal(signal.SIGTERM)
        ends = [each.wait(timeout=30) for each in workers]
        for reader in readers:
            reader.join()
        for each in workers:
            assert each.stderr
            each.stderr.close()
    assert ends == [0, 0]
    assert Counter(request.path for request in server.requests) == {f"/{n}": 1 for n in range(SOURCES)}, polls
    ran = feedsvc("build", cwd=tmp_path)
    assert ran.status == 0, ran.said


def test_a_worker_wants_a_store_that_can_be_shared(tmp_path: Path, server: Server) -> None:
    """V-36: SQLite is one process's."""
    configure(tmp_path, server, "sqlite:///var/feedsvc.db")
    ran = feedsvc("worker", cwd=tmp_path)
    assert ran.status == 2
    assert "store.url is a SQLite file" in ran.err
