"""`feedsvc run` as a process of its own, for tests: started, asked, told, ended."""

import http.client
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.installed import command, environment

CONFIG = """\
[site]
title = "GPU"
url = "https://gpu.example/"
author = {{ name = "Ann" }}

[polling]
allow_private = ["127.0.0.0/8"]
interval = "{interval}"
host_delay = "0s"

[serve]
port = 0
admin_port = 0
{more}
"""
POST = "---\ntitle: Post {number}\ndate: {date}\n---\nText number {number}.\n"
FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Far</title><link>https://far.example/</link>
<description>d</description><item><title>From afar</title><link>https://far.example/1</link><guid>https://far.example/1</guid>
<pubDate>Fri, 01 May 2026 12:00:00 GMT</pubDate></item></channel></rss>"""


def site(place: Path, more: str = "", posts: int = 1, interval: str = "1m") -> Path:
    """Write a project with posts; `more` goes to the end of its configuration."""
    (place / "config").mkdir()
    (place / "posts").mkdir()
    configure(place, more, interval)
    for number in range(1, posts + 1):
        post(place, number)
    return place


def configure(place: Path, more: str = "", interval: str = "1m") -> None:
    """Write the configuration."""
    (place / "config/feedsvc.toml").write_text(CONFIG.format(more=more, interval=interval))


def post(place: Path, number: int, date: str = "2026-05-01") -> None:
    """Write a post, whole at once."""
    beside = place / f"posts/.post-{number}"
    beside.write_text(POST.format(number=number, date=date))
    beside.replace(place / f"posts/post-{number}.md")


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something is so; fail after a while."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.05)):
        if true():
            return
        pause.wait(0.05)
    raise AssertionError(f"did not come true within {seconds} s")


class Daemon:
    """A running daemon; `port` and `admin` once it said them, `log` everything it logged, unless to `log_to`."""

    def __init__(self, place: Path, env: Mapping[str, str] | None = None, log_to: int = subprocess.PIPE) -> None:
        self.log: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            command("run"), cwd=place, env=environment(env), stdout=subprocess.PIPE, stderr=log_to
        )
        assert self.process.stdout
        self._reading = threading.Thread(target=self._read)
        self._reading.start()
        self.said: list[str] = []
        while not self.said or "/status" not in self.said[-1]:
            line = self.process.stdout.readline().decode()
            if not line:
                self.kill()
                raise AssertionError(f"did not start: {self.log}")
            self.said.append(line.strip())
        self.port = int(self.said[0].rsplit(":", 1)[1].rstrip("/"))
        self.admin = int(self.said[-1].rsplit(":", 1)[1].removesuffix("/status"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def kill(self) -> None:
        """End it at once, and what it left open here."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reading.join()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    def end(self, number: int = signal.SIGTERM, seconds: float = 12) -> int:
        """Send a signal; return the exit status, which has to come in time."""
        self.process.send_signal(number)
        return self.process.wait(seconds)

    def get(self, path: str = "/atom.xml", *, admin: bool = False, **headers: str) -> tuple[int, str]:
        """Ask the public port, or the admin port."""
        connection = http.client.HTTPConnection("127.0.0.1", self.admin if admin else self.port, timeout=20)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def status(self) -> dict[str, Any]:
        """Return the document of /status by source."""
        return {one["id"]: one for one in json.loads(self.get("/status", admin=True)[1])["sources"]}

    def metric(self, name: str) -> float:
        """Return a sample of /metrics by its whole name with labels; 0 where it is not there yet."""
        lines = self.get("/metrics", admin=True)[1].splitlines()
        return next((float(line.rsplit(" ", 1)[1]) for line in lines if line.rsplit(" ", 1)[0] == name), 0.0)

    def serving(self) -> list[int]:
        """Return the process ids of the serving process."""
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        numbers = [int(word) for path in children for word in path.read_text().split()]
        return [each for each in numbers if b"feedsvc.serve.child" in Path(f"/proc/{each}/cmdline").read_bytes()]

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return what it logged of one kind."""
        return [record for record in self.log if record.get("event") == name]

    def _read(self) -> None:
        for line in self.process.stderr or ():
            try:
                self.log.append(json.loads(line))
            except ValueError:
                self.log.append({"event": "not JSON", "line": line.decode("utf-8", "replace")})


def ends(number: int) -> bool:
    """Return whether a process is gone."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
