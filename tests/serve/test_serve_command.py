"""`feedsvc serve` as a process: addresses on stdout, signals, other sets, no lock."""

import http.client
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.installed import command, environment, feedsvc

CONFIG = """\
[site]
title = "GPU"
url = "https://gpu.example/"
author = { name = "Ann" }

[serve]
port = 0
"""
POST = "---\ntitle: Post {number}\ndate: 2026-05-01\n---\nText number {number}.\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a project with one post, built."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config/feedsvc.toml").write_text(CONFIG)
    (tmp_path / "posts").mkdir()
    write(tmp_path, 1)
    return tmp_path


def write(site: Path, number: int) -> None:
    (site / f"posts/post-{number}.md").write_text(POST.format(number=number))
    built = feedsvc("build", cwd=site)
    assert built.status == 0, built.said


@contextmanager
def served(site: Path, *options: str, **env: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run `feedsvc serve`; yields the process and its port once it says its address."""
    process = subprocess.Popen(
        command("serve", *options), cwd=site, env=environment(env), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        first = process.stdout.readline()
        yield process, int(first.rsplit(":", 1)[1].rstrip("/\n"))
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def get(port: int, path: str = "/atom.xml") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_its_addresses_serves_and_ends_with_0_on_a_signal(site: Path, number: int) -> None:
    """Contract: results on stdout; V-32."""
    with served(site) as (process, port):
        assert get(port)[0] == 200
        assert get(port, "/")[0] == 200
        process.send_signal(number)
        assert process.wait(12) == 0
        assert process.stdout
        assert f"http://127.0.0.1:{port}/atom.xml" in process.stdout.read()


def test_it_takes_no_lock_and_notices_a_new_set(site: Path) -> None:
    """V-39; interface: `serve` takes none."""
    with served(site) as (_, port):
        write(site, 2)
        until(lambda: b"Post 2" in get(port)[1])


def until(true: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(100):
        if true():
            return
        pause.wait(0.05)
    raise AssertionError("did not come true within 5 s")


def test_before_the_first_build_it_serves_404_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "feedsvc.toml").write_text(CONFIG)
    with served(tmp_path, "--config", "feedsvc.toml") as (_, port):
        assert get(port)[0] == 404


def test_flags_and_their_environment_twins_say_where_it_listens(site: Path) -> None:
    with served(site, "--host", "::1", FEEDSVC_PORT="0") as (_, port):
        assert port > 0


def test_a_port_that_is_taken_is_said_in_words(site: Path) -> None:
    with served(site) as (_, port):
        second = feedsvc("serve", "--port", str(port), cwd=site)
    assert second.status == 1
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in second.err
