"""Bombs cost neither memory nor time: measured in a process of its own (S-08, S-13, S-14)."""

import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from feedsvc.collect.codings import brotli, zstd
from tests.places import CASES, PROJECT
from tests.servers import Reply, Server

MOST_MB = 100
ZEROS = 300_000_000
PROBE = """
import sys, threading, time
from datetime import UTC, datetime
from ipaddress import ip_network
import psutil
from feedsvc.collect.answers import Ask, Failed
from feedsvc.collect.fetch import Fetcher, FetchPolicy

fetcher = Fetcher(FetchPolicy("probe", allow_private=(ip_network("127.0.0.0/8"),)))
process, done, peak = psutil.Process(), threading.Event(), [0]

def watch():
    while not done.wait(0.001):
        peak[0] = max(peak[0], process.memory_info().rss)

watching = threading.Thread(target=watch)
watching.start()
answer = fetcher.get(Ask(sys.argv[1]), datetime.now(UTC))
done.set()
watching.join()
print(answer.kind if isinstance(answer, Failed) else "fetched", max(peak[0], process.memory_info().rss) // 2**20)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        running.answers |= {
            "/gzip": Reply(200, {}, b"", "gzip-bomb"),
            "/endless": Reply(200, {}, b"", "endless"),
            "/redirect": Reply(302, {"Location": "/good"}, b"", "gzip-bomb"),
            "/missing": Reply(404, {}, b"", "gzip-bomb"),
            "/good": Reply(200, {}, b"<rss/>"),
            "/zlib": Reply(200, {"Content-Encoding": "deflate"}, zlib.compress(bytes(20_000_000))),
            "/20mb": coded("gzip", "bomb-20-mb.gz"),
            "/twice": coded("gzip, gzip", "bomb-gzip-in-gzip.gz"),
            "/cut": coded("gzip", "gzip-cut-short.gz"),
            "/chunk-line": Reply(200, {"Transfer-Encoding": "chunked"}, b"5;" + b"x" * 50_000_000, "no-length"),
        }
        if brotli is not None:
            running.answers["/br"] = Reply(200, {"Content-Encoding": "br"}, brotli.compress(bytes(ZEROS), quality=3))
        if zstd is not None:
            running.answers["/zstd"] = Reply(200, {"Content-Encoding": "zstd"}, zstd.compress(bytes(ZEROS)))
        yield running


def coded(coding: str, name: str) -> Reply:
    headers = {"Content-Encoding": coding, "Content-Type": "application/rss+xml"}
    return Reply(200, headers, Path(CASES / "hostile" / name).read_bytes())


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/gzip", "size"),
        ("/endless", "size"),
        ("/redirect", "fetched"),
        ("/missing", "status"),
        ("/zlib", "size"),
        ("/20mb", "size"),
        ("/twice", "coding"),
        ("/cut", "cut"),
        ("/chunk-line", "bad-answer"),
        ("/br", "size"),
        ("/zstd", "size"),
    ],
)
def test_a_bomb_costs_little_memory_and_little_time(server: Server, path: str, outcome: str) -> None:
    """S-08, S-13 to S-16: under 100 MB for the whole process, within the deadline of 30 s."""
    if path not in server.answers:
        pytest.skip("the extra codings is not installed")
    began = time.monotonic()
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, server.url(path)],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        check=False,
        timeout=60,
    )
    found, peak = probe.stdout.split()
    assert found == outcome
    assert int(peak) < MOST_MB
    assert time.monotonic() - began < 30
