"""Readers hammering while sets are published: none of them sees half a file, a mixed set, or an old one after a new."""

import gzip
import http.client
import os
import re
import threading
from pathlib import Path

from feedsvc.serve.keeper import Keeper
from tests.serve.folders import PUBLIC, put
from tests.serve.test_http import serving

REBUILDS = int(os.environ.get("FEEDSVC_REBUILDS", "150"))
"""Sets to publish; the full figure is 1,000."""
PATHS = ("/atom.xml", "/rss.xml", "/feed.json", "/")
CODINGS = ("gzip", "identity")


def files(number: int) -> dict[str, str]:
    """Return a set in which every file says its number from the first byte to the last, and sizes differ."""
    text = f"<{number:05}>" * (300 + number % 7)
    return {"atom.xml": f"<feed>{text}", "rss.xml": f"<rss>{text}", "feed.json": text, "index.html": text}


class Reader(threading.Thread):
    """Reads one document after another and notes what it must not see."""

    def __init__(self, port: int, done: threading.Event) -> None:
        super().__init__()
        self.reads, self.newest, self.wrong = 0, 0, list[str]()
        self._port, self._done = port, done

    def run(self) -> None:
        """Read on one connection until told to stop."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        tags: dict[tuple[str, str], str] = {}
        while not self._done.is_set():
            path, coding = PATHS[self.reads % len(PATHS)], CODINGS[self.reads // len(PATHS) % len(CODINGS)]
            known = {"If-None-Match": tags[path, coding]} if self.reads % 3 and (path, coding) in tags else {}
            connection.request("GET", path, headers={"Accept-Encoding": coding, **known})
            answer = connection.getresponse()
            body = answer.read()
            self.reads += 1
            if answer.status == 200:
                tags[path, coding] = answer.headers["ETag"]
                self._judge(path, gzip.decompress(body) if "Content-Encoding" in answer.headers else body)
        connection.close()

    def _judge(self, path: str, body: bytes) -> None:
        numbers = {int(found) for found in re.findall(rb"<([0-9]{5})>", body)}
        if len(numbers) != 1 or not body.endswith(b">"):
            self.wrong.append(f"{path}: torn: {sorted(numbers)[:5]}")
        elif min(numbers) < self.newest:
            self.wrong.append(f"{path}: set {min(numbers)} after {self.newest}")
        self.newest = max(self.newest, *numbers)


def test_no_reader_sees_a_torn_or_mixed_set(tmp_path: Path) -> None:
    """V-18, V-19, V-39: 0 torn, 0 mixed, and every reader gets to the last set."""
    keeper = Keeper(put(tmp_path, files(0)), PUBLIC)
    keeper.look(settled=True)
    done, looked = threading.Event(), threading.Event()

    def look() -> None:
        while not looked.is_set():
            keeper.look()

    with serving(keeper) as (_, port):
        looking = threading.Thread(target=look)
        readers = [Reader(port, done) for _ in range(3)]
        for thread in (looking, *readers):
            thread.start()
        for number in range(1, REBUILDS + 1):
            put(tmp_path, files(number), later=number)
        looked.set()
        looking.join()
        keeper.look()
        target = {reader: reader.reads + 2 * len(PATHS) * len(CODINGS) for reader in readers}
        while any(reader.reads < target[reader] and reader.is_alive() for reader in readers):
            done.wait(0.01)
        done.set()
        for reader in readers:
            reader.join()
    assert [reader.wrong for reader in readers] == [[], [], []]
    assert {reader.newest for reader in readers} == {REBUILDS}
    print(f"{sum(reader.reads for reader in readers)} reads through {REBUILDS} rebuilds: 0 torn, 0 mixed")
