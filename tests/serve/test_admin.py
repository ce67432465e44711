"""The admin port: health, metrics, status; who may ask (V-24 to V-29, S-42)."""

import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from feedsvc.collect.pollstate import State
from feedsvc.serve.admin import Admin, View, respond
from feedsvc.serve.metrics import Metrics
from feedsvc.serve.readiness import Pulse
from feedsvc.serve.reply import Answer
from feedsvc.service.polled import Polled, Result
from feedsvc.service.statuses import Status

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
BAD = Status(
    id="far",
    url="https://far.example/<feed>",
    state=State.FAILING,
    word="failing",
    last_success=NOW,
    last_error='the server said "<script>"',
    last_error_at=NOW,
    next_poll=NOW,
    reason="back-off",
    entries=3,
)
VIEW = View(health=lambda: "", ready=lambda: "", metrics=lambda: b"a 1\n", status=lambda: (BAD,))


def get(path: str, view: View = VIEW, method: str = "GET", **headers: str) -> Answer:
    return respond(method, path, {"host": "127.0.0.1:8081", **headers}, view)


def test_health_and_readiness_say_why_not() -> None:
    """V-24: `no-store`, no version."""
    for path in ("/healthz", "/readyz"):
        assert (get(path).status, get(path).body) == (200, b"ok\n")
        ill = View(lambda: "because", lambda: "because", VIEW.metrics, VIEW.status)
        found = get(path, ill)
        assert (found.status, found.body, found.header("Retry-After")) == (503, b"because\n", "30")
        assert found.header("Cache-Control") == get(path).header("Cache-Control") == "no-store"


def test_status_is_json_and_a_page_for_browsers() -> None:
    """V-29: times RFC 3339; what strangers say is escaped."""
    (one,) = json.loads(get("/status").body)["sources"]
    assert one == {
        "id": "far",
        "url": "https://far.example/<feed>",
        "state": "failing",
        "last_success": "2026-05-01T12:00:00Z",
        "last_error": 'the server said "<script>"',
        "next_poll": "2026-05-01T12:00:00Z",
        "reason": "back-off",
    }
    page = get("/status", accept="text/html,*/*")
    assert b"<script>" not in page.body
    assert b"&lt;script&gt;" in page.body
    assert b'href="https://far.example/&lt;feed&gt;"' in page.body
    assert (page.header("Content-Security-Policy") or "").startswith("default-src 'none'")
    assert get("/status.json", accept="text/html").body == get("/status").body


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:8081", 200),
        ("localhost:8081", 200),
        ("[::1]:8081", 200),
        ("", 200),
        ("evil.example", 403),
        ("evil.example:8081", 403),
        ("127.0.0.1.evil.example", 403),
        ("10.0.0.1", 403),
        ("[::", 403),
    ],
)
def test_a_name_that_leads_here_is_refused(host: str, status: int) -> None:
    """S-42: a page on a rebound name reads nothing."""
    assert respond("GET", "/status", {"host": host}, VIEW).status == status


def test_other_paths_and_methods_are_refused() -> None:
    assert get("/").status == get("/atom.xml").status == 404
    assert (get("/healthz", method="POST").status, get("/healthz", method="POST").header("Allow")) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GARBAGE\r\n\r\n", 400),
        (b"GET /healthz HTTP/9.9\r\n\r\n", 505),
        (b"GET /" + b"a" * 65_532, 414),
        (b"GET /healthz HTTP/1.1\r\n" + b"X: a\r\n" * 200 + b"\r\n", 431),
    ],
)
def test_what_is_no_request_gets_an_answer_like_every_other(sent: bytes, status: int) -> None:
    """V-16, V-24: nosniff and a policy on everything, and no version of what answers."""
    admin = Admin(0, VIEW)
    try:
        with socket.create_connection(("127.0.0.1", admin.port), 10) as asking:
            asking.sendall(sent)
            head, _, body = b"".join(iter(lambda: asking.recv(65_536), b"")).partition(b"\r\n\r\n")
    finally:
        admin.end()
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"X-Content-Type-Options: nosniff" in head
    assert b"Content-Security-Policy: default-src 'none'" in head
    assert b"Cache-Control: no-store" in head
    assert b"Python" not in head + body
    assert b"Server:" not in head


def test_a_pulse_is_healthy_while_its_ticks_are_young_and_ready_after_a_build(tmp_path: Path) -> None:
    """V-24."""
    pulse = Pulse()
    assert pulse.health(30) == "the scheduler has not ticked yet"
    assert pulse.tick()
    assert not pulse.tick()
    assert pulse.health(30) == ""
    assert "more than twice" in pulse.health(-1)
    output = tmp_path / "public"
    assert pulse.readiness(output, 600) == "the first build is not done yet"
    pulse.build("the disk is full")
    assert pulse.readiness(output, 600) == "the first build failed: the disk is full"
    pulse.build()
    assert pulse.readiness(output, 600) == ""
    assert "more than three intervals" in pulse.readiness(output, -1)
    assert "cannot be written" in pulse.readiness(tmp_path / "missing/public", 600)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_volume_is_ready_whoever_owns_the_folder_around_it(tmp_path: Path) -> None:
    """V-24: what has to be written is the volume itself."""
    output, pulse = tmp_path / "site/public", Pulse()
    output.mkdir(parents=True)
    pulse.build()
    output.parent.chmod(0o555)
    assert pulse.readiness(output, 600) == ""
    output.chmod(0o555)
    assert "cannot be written" in pulse.readiness(output, 600)
    output.parent.chmod(0o755)


def test_a_textfile_keeps_the_last_success_that_this_run_did_not_have(tmp_path: Path) -> None:
    """V-27: from cron, each run is a process."""
    target = tmp_path / "feedsvc.prom"
    good, failed = Metrics(), Metrics()
    with good.building(lambda: NOW):
        pass
    good.write(target)
    success = "feedsvc_build_last_success_timestamp_seconds 1.7776368e+09"
    assert success in target.read_text()
    with pytest.raises(OSError, match="full"), failed.building(lambda: NOW):
        raise OSError("full")
    failed.write(target)
    assert success in target.read_text()
    assert "feedsvc_build_duration_seconds_count 1.0" in target.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["feedsvc.prom"]


def test_polls_are_counted_by_outcome_and_never_by_source() -> None:
    """V-26."""
    metrics = Metrics()
    metrics.polled(Polled("far", "far.example", Result.OK, 200, raw=10, decoded=30, coding="gzip", new=2))
    metrics.polled(Polled("far", "far.example", Result.FAILED, 200, decoded=30, kind="doctype"))
    metrics.polled(Polled("far", "far.example", Result.FAILED, 500, kind="status"))
    metrics.stand([BAD], NOW)
    text = metrics.text().decode()
    for sample in (
        'feedsvc_fetch_total{code="200",outcome="ok"} 1.0',
        'feedsvc_fetch_bytes_total{coding="gzip"} 10.0',
        'feedsvc_refused_total{reason="doctype"} 1.0',
        'feedsvc_sources{state="failing"} 1.0',
        "feedsvc_entries_new_total 2.0",
    ):
        assert sample in text
    assert "far" not in text
    assert 'reason="status"' not in text
