"""`feedsvc run` as a process: polling, building, serving, signals, one instance, what survives a kill."""

import os
import re
import signal
import socket
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.installed import feedsvc
from tests.serve.daemons import FEED, Daemon, configure, ends, post, site, until
from tests.servers import Reply, Server

SOURCE = """
[[sources]]
id = "far"
url = "{url}"
"""
NAMES = {
    "feedsvc_fetch_total",
    "feedsvc_fetch_duration_seconds",
    "feedsvc_fetch_bytes_total",
    "feedsvc_sources",
    "feedsvc_source_overdue_seconds",
    "feedsvc_entries_new_total",
    "feedsvc_parse_duration_seconds",
    "feedsvc_refused_total",
    "feedsvc_build_duration_seconds",
    "feedsvc_build_last_success_timestamp_seconds",
    "feedsvc_serve_requests_total",
    "feedsvc_scheduler_missed_total",
    "feedsvc_build_info",
}


def test_it_builds_serves_tells_how_it_is_and_ends_with_0(tmp_path: Path) -> None:
    """V-24, V-25, V-32; SIGPIPE and SOURCE_DATE_EPOCH change nothing."""
    with Daemon(site(tmp_path), {"SOURCE_DATE_EPOCH": "1000000000"}) as daemon:
        until(lambda: daemon.get()[0] == 200)
        until(lambda: daemon.get("/readyz", admin=True) == (200, "ok\n"))
        assert daemon.get("/healthz", admin=True) == (200, "ok\n")
        assert {daemon.get(path)[0] for path in ("/healthz", "/readyz", "/metrics", "/status")} == {404}
        daemon.process.send_signal(signal.SIGPIPE)
        assert daemon.end(signal.SIGINT) == 0
    assert daemon.events("not JSON") == []


def test_a_second_instance_ends_with_75_and_a_server_may_stand_beside_it(tmp_path: Path) -> None:
    """V-33: before any request."""
    place = site(tmp_path)
    with Server() as server:
        configure(place, SOURCE.format(url=server.url()))
        server.answers["/feed"] = Reply(200, {}, FEED)
        with Daemon(place) as daemon:
            until(lambda: len(server.requests) == 1)
            for name in ("run", "build", "poll", "update"):
                assert feedsvc(name, cwd=place).status == 75
            assert feedsvc("status", "--json", cwd=place).status == 0
            assert daemon.end() == 0
        assert len(server.requests) == 1


def test_a_source_is_polled_built_in_and_told_of(tmp_path: Path) -> None:
    """V-26, V-28, V-29: news make a build; no address and no id is ever a label."""
    with Server() as server:
        server.answers["/feed"] = Reply(200, {}, FEED)
        place = site(tmp_path, SOURCE.format(url=server.url()))
        with Daemon(place) as daemon:
            until(lambda: "From afar" in daemon.get("/planet/atom.xml")[1])
            until(lambda: daemon.status()["far"]["last_success"] is not None)
            far = daemon.status()["far"]
            assert set(far) == {"id", "url", "state", "last_success", "last_error", "next_poll", "reason"}
            assert (far["state"], far["last_error"]) == ("ok", None)
            page = daemon.get("/status", admin=True, Accept="text/html")[1]
            assert far["reason"] in page
            until(lambda: daemon.metric('feedsvc_serve_requests_total{code="200",format="atom"}') >= 1)
            text = daemon.get("/metrics", admin=True)[1]
            assert {re.match(r"# HELP (\S+)", line)[1] for line in text.splitlines() if "# HELP" in line} == NAMES  # type: ignore[index]
            assert daemon.metric('feedsvc_fetch_total{code="200",outcome="ok"}') == 1
            assert daemon.metric('feedsvc_sources{state="ok"}') == 1
            assert "far" not in text
            assert str(server.port) not in text
            (record,) = daemon.events("poll")
            assert record["source"] == "far"
            assert daemon.end() == 0


def test_a_log_that_nobody_reads_stops_no_work(tmp_path: Path) -> None:
    """V-32: SIGPIPE is ignored, what would have been logged with it; the status is the one that was earned."""
    place = site(tmp_path)
    nobody, pipe = os.pipe()
    os.close(nobody)
    with Daemon(place, log_to=pipe) as daemon:
        os.close(pipe)
        until(lambda: daemon.get()[0] == 200)
        post(place, 2)
        until(lambda: "Post 2" in daemon.get()[1])
        post(place, 3)
        until(lambda: "Post 3" in daemon.get()[1])
        assert daemon.get("/readyz", admin=True) == (200, "ok\n")
        assert daemon.end() == 0


def test_who_is_told_of_a_set_gets_it(tmp_path: Path) -> None:
    """V-24, V-39: a daemon that says it is ready serves, also over a real folder, whose sets have to settle."""
    for real in (False, True):
        place = tmp_path / str(real)
        place.mkdir()
        site(place)
        if real:
            (place / "public").mkdir()
        with Daemon(place) as daemon:
            until(lambda: daemon.get("/readyz", admin=True)[0] == 200)
            assert daemon.get()[0] == 200
            assert daemon.end() == 0


def test_sigterm_ends_it_in_time_whatever_a_server_drips(tmp_path: Path) -> None:
    """V-32, and V-37: the source was asked, and that it was is remembered."""
    with Server() as server:
        server.answers["/feed"] = Reply(200, {}, FEED, wire="drip-body")
        place = site(tmp_path, SOURCE.format(url=server.url()))
        with Daemon(place) as daemon:
            until(lambda: len(server.requests) == 1)
            began = time.monotonic()
            assert daemon.end() == 0
            assert time.monotonic() - began < 12
            assert daemon.events("poll")[0]["result"] == "stopped"
        with Daemon(place) as again:
            until(lambda: again.get("/readyz", admin=True)[0] == 200)
            assert again.end() == 0
        assert len(server.requests) == 1  # not asked again inside its gap (F-11)


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """V-32."""
    with Server() as server:
        server.answers["/feed"] = Reply(200, {}, FEED, wire="drip-body")
        with Daemon(site(tmp_path, SOURCE.format(url=server.url()))) as daemon:
            until(lambda: len(server.requests) == 1)
            serving = daemon.serving()
            daemon.process.send_signal(signal.SIGTERM)
            until(lambda: not accepts(daemon.port))
            assert daemon.end(signal.SIGTERM, seconds=2) != 0
            until(lambda: all(map(ends, serving)))


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_post_that_changes_is_published_soon(tmp_path: Path) -> None:
    """Interface: after a change in posts/."""
    place = site(tmp_path)
    with Daemon(place) as daemon:
        until(lambda: "Post 1" in daemon.get()[1])
        post(place, 2)
        until(lambda: "Post 2" in daemon.get()[1], 8)
        (place / "posts/post-1.md").unlink()
        until(lambda: "Post 1" not in daemon.get()[1], 8)
        assert daemon.end() == 0


def test_a_post_from_the_future_is_published_at_its_second(tmp_path: Path) -> None:
    """B: neither before nor a tick later."""
    place = site(tmp_path)
    due = (datetime.now(UTC) + timedelta(seconds=6)).replace(microsecond=0)
    post(place, 2, f"{due:%Y-%m-%dT%H:%M:%SZ}")
    with Daemon(place) as daemon:
        until(lambda: "Post 1" in daemon.get()[1])
        assert "Post 2" not in daemon.get()[1] or datetime.now(UTC) >= due
        until(lambda: "Post 2" in daemon.get()[1], 12)
        assert datetime.now(UTC) >= due
        published = datetime.fromtimestamp((place / "public/atom.xml").stat().st_mtime, UTC)
        assert due <= published <= due + timedelta(seconds=1)
        assert daemon.end() == 0


def test_sighup_takes_a_valid_configuration_and_keeps_the_old_one_otherwise(tmp_path: Path) -> None:
    """V-32: it says why."""
    place = site(tmp_path)
    with Daemon(place) as daemon:
        until(lambda: "<title>GPU</title>" in daemon.get()[1])
        good = (place / "config/feedsvc.toml").read_text()
        (place / "config/feedsvc.toml").write_text(good.replace("title", "titel"))
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: bool(daemon.events("configuration not taken; the old one stays")))
        assert "titel" in daemon.events("configuration not taken; the old one stays")[0]["error"]
        assert daemon.get()[0] == 200
        (place / "config/feedsvc.toml").write_text(good.replace('title = "GPU"', 'title = "New"'))
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: "<title>New</title>" in daemon.get()[1])
        assert daemon.end() == 0


def test_a_configuration_that_is_saved_is_taken_by_itself(tmp_path: Path) -> None:
    """Interface: after a change in the configuration."""
    place = site(tmp_path)
    with Daemon(place) as daemon:
        until(lambda: "<title>GPU</title>" in daemon.get()[1])
        serving = daemon.serving()
        text = (place / "config/feedsvc.toml").read_text().replace('title = "GPU"', 'title = "Saved"')
        (place / "config/feedsvc.toml").write_text(text)
        until(lambda: "<title>Saved</title>" in daemon.get()[1])
        assert daemon.serving() == serving  # who is reading is not cut off
        assert daemon.end() == 0


def test_a_feed_that_the_configuration_moves_or_drops_is_moved_or_gone(tmp_path: Path) -> None:
    """V-08: though another process serves the new set, and whether the daemon ran meanwhile or not."""
    feed = '[[feeds]]\nname = "{0}"\npath = "{1}"\ninclude = ["posts"]\n'
    all_three = "".join(feed.format(*pair) for pair in (("posts", ""), ("moving", "old"), ("leaving", "bye")))
    place = site(tmp_path, all_three)
    with Daemon(place) as daemon:
        until(lambda: daemon.get("/old/atom.xml")[0] == daemon.get("/bye/atom.xml")[0] == 200)
        configure(place, all_three.replace('"old"', '"new"'))
        until(lambda: daemon.get("/new/atom.xml")[0] == 200)
        assert daemon.get("/old/atom.xml")[0] == 301
        assert daemon.end() == 0
    configure(place, all_three.replace('"old"', '"new"').replace(feed.format("leaving", "bye"), ""))
    with Daemon(place) as daemon:
        until(lambda: daemon.get("/readyz", admin=True)[0] == 200)
        assert [daemon.get(path)[0] for path in ("/old/rss.xml", "/bye/rss.xml", "/never/rss.xml")] == [301, 410, 404]
        assert daemon.end() == 0


def test_what_takes_a_restart_is_said(tmp_path: Path) -> None:
    place = site(tmp_path)
    with Daemon(place) as daemon:
        until(lambda: daemon.get()[0] == 200)
        text = (place / "config/feedsvc.toml").read_text().replace("admin_port = 0", "admin_port = 9")
        (place / "config/feedsvc.toml").write_text(text)
        until(lambda: bool(daemon.events("configuration not taken; the old one stays")))
        assert "admin_port" in daemon.events("configuration not taken; the old one stays")[0]["error"]
        assert daemon.end() == 0


def test_a_serving_process_that_dies_is_started_again(tmp_path: Path) -> None:
    with Daemon(site(tmp_path)) as daemon:
        until(lambda: daemon.get()[0] == 200)
        (serving,) = daemon.serving()
        os.kill(serving, signal.SIGKILL)
        until(lambda: daemon.serving() not in ([], [serving]))
        assert daemon.get()[0] == 200
        assert daemon.events("serving process died and was started again")
        assert daemon.end() == 0


def test_a_daemon_that_is_killed_leaves_no_process_and_no_lock(tmp_path: Path) -> None:
    """V-33: freed by a crash; V-20."""
    place = site(tmp_path)
    with Daemon(place) as daemon:
        until(lambda: daemon.get()[0] == 200)
        serving = daemon.serving()
        daemon.process.kill()
        daemon.process.wait()
        until(lambda: all(map(ends, serving)))
    with Daemon(place) as again:
        until(lambda: again.get()[0] == 200)
        assert again.end() == 0


def test_a_failed_build_is_told_and_the_last_set_stands(tmp_path: Path) -> None:
    """V-20, V-24, V-27."""
    place = site(tmp_path)
    with Daemon(place) as daemon:
        until(lambda: daemon.get("/readyz", admin=True)[0] == 200)
        until(lambda: daemon.get()[0] == 200)
        stamp = daemon.metric("feedsvc_build_last_success_timestamp_seconds")
        (place / "public.releases").rename(place / "away")
        (place / "public.releases").write_text("in the way")
        post(place, 2)
        until(lambda: bool(daemon.events("build failed")))
        assert daemon.get()[0] == 200
        assert daemon.metric("feedsvc_build_last_success_timestamp_seconds") == stamp
        assert daemon.end() == 0


def test_a_taken_port_is_said_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        place = site(tmp_path)
        first = feedsvc("run", "--port", str(port), cwd=place)
        second = feedsvc("run", "--admin-port", str(port), cwd=place)
    assert (first.status, second.status) == (1, 1)
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in first.err
    assert f"cannot listen on serve.admin_port {port}: Address already in use" in second.err


def test_systemd_hears_ready_watchdog_and_stopping(tmp_path: Path) -> None:
    """V-30: READY after the first tick; the abstract space too."""
    for name in (str(tmp_path / "notify"), f"\0feedsvc-test-{os.getpid()}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(name)
            listener.settimeout(20)
            said = name.replace("\0", "@")
            place = tmp_path / ("a" if said.startswith("@") else "b")
            place.mkdir()
            with Daemon(site(place), {"NOTIFY_SOCKET": said, "WATCHDOG_USEC": "1000000"}) as daemon:
                assert listener.recv(1000).startswith(b"READY=1")
                assert [listener.recv(1000) for _ in range(3)] == [b"WATCHDOG=1"] * 3
                assert daemon.end() == 0
                listener.settimeout(0)
                assert any(b"STOPPING=1" in listener.recv(1000) for _ in range(3))
