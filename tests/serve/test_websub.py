"""WebSub, both sides: hubs hear of our feeds, and their pushes make sources due (polling W-01 to W-08)."""

import hashlib
import hmac
import http.client
import json
import re
import socket
import stat
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from feedsvc.collect.linkheader import links
from feedsvc.publish.websub import GIVEN_UP_AFTER, Publisher
from feedsvc.serve import subscriptions
from feedsvc.serve.callback import answer_hub, echo
from feedsvc.serve.hubs import Hubs
from feedsvc.serve.plan import Offer
from feedsvc.serve.subscriptions import State, Subscription
from tests.installed import feedsvc
from tests.serve.daemons import FEED, Daemon, configure, post, site, until
from tests.servers import Reply, Server

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
HUBS = ("https://a.example/hub", "https://b.example/hub")
TOPICS = ("https://gpu.example/atom.xml", "https://gpu.example/rss.xml")


class Hub:
    """A hub for the publisher: takes forms, and fails where it is told to."""

    def __init__(self) -> None:
        self.forms: list[tuple[str, Mapping[str, str]]] = []
        self.down: set[str] = set()

    def __call__(self, url: str, form: Mapping[str, str]) -> str:
        self.forms.append((url, form))
        return "the server answered 500" if url in self.down else ""


def test_each_changed_document_is_told_to_each_hub_once() -> None:
    """W-07: by its self address."""
    hub, publisher = Hub(), Publisher()
    publisher.changed(HUBS, TOPICS, NOW)
    assert publisher.send(hub, NOW) == []
    assert [(url, form["hub.url"], form["hub.mode"]) for url, form in hub.forms] == [
        (url, topic, "publish") for topic in TOPICS for url in HUBS
    ]
    assert publisher.send(hub, NOW) == []
    assert len(hub.forms) == 4


def test_a_hub_that_fails_is_tried_again_later_and_costs_the_other_nothing() -> None:
    """W-07: back-off."""
    hub, publisher = Hub(), Publisher()
    hub.down = {HUBS[0]}
    publisher.changed(HUBS, TOPICS[:1], NOW)
    (found,) = publisher.send(hub, NOW)
    assert str(found) == (
        "https://a.example/hub: warning: was not told that https://gpu.example/atom.xml changed: "
        "the server answered 500; tried again at 12:01:00 UTC [hub-failed]"
    )
    waits, now = [], NOW
    while publisher.waiting:
        waits.append(publisher.waiting[0].due - now)
        now = publisher.waiting[0].due
        publisher.send(hub, now)
    assert waits == [timedelta(minutes=min(60, 2**tries)) for tries in range(GIVEN_UP_AFTER - 1)]
    assert len([url for url, _ in hub.forms if url == HUBS[0]]) == GIVEN_UP_AFTER


def test_a_dead_hub_is_not_waited_for_once_for_each_feed() -> None:
    """W-07: sixty feeds at a hub that lets every request wait would hold the rest up for half an hour."""
    hub, publisher = Hub(), Publisher()
    hub.down = {HUBS[0]}
    topics = [f"https://gpu.example/{number}/atom.xml" for number in range(60)]
    publisher.changed(HUBS, topics, NOW)
    assert len(publisher.send(hub, NOW)) == 60
    assert [url for url, _ in hub.forms].count(HUBS[0]) == 3
    assert [url for url, _ in hub.forms].count(HUBS[1]) == 60
    assert {ping.due for ping in publisher.waiting} == {NOW + timedelta(minutes=1)}


def test_a_feed_that_changes_again_is_told_at_once_whatever_failed_before() -> None:
    hub, publisher = Hub(), Publisher()
    hub.down = {HUBS[0]}
    publisher.changed(HUBS[:1], TOPICS[:1], NOW)
    publisher.send(hub, NOW)
    publisher.changed(HUBS[:1], TOPICS[:1], NOW)
    assert (publisher.waiting[0].due, publisher.waiting[0].tries) == (NOW, 0)


def test_what_a_hub_was_not_told_outlives_the_process(tmp_path: Path) -> None:
    """W-07: from cron each try is a process; a hub that is no longer ours is forgotten."""
    hub, memory = Hub(), tmp_path / "pings.json"
    hub.down = set(HUBS)
    first = Publisher(memory)
    first.changed(HUBS, TOPICS[:1], NOW)
    assert len(first.send(hub, NOW)) == 2
    hub.down = set()
    second = Publisher(memory)
    assert [ping.tries for ping in second.waiting] == [1, 1]
    second.changed(HUBS[1:], (), NOW)
    assert second.send(hub, NOW) == []  # too early
    assert second.send(hub, NOW + timedelta(minutes=1)) == []
    assert [url for url, _ in hub.forms[2:]] == [HUBS[1]]
    assert Publisher(memory).waiting == ()
    memory.write_text("[[1]]")
    assert Publisher(memory).waiting == ()


# ---- the subscriber, as values -----------------------------------------------------------------------------------


def pending() -> Subscription:
    """Return a subscription whose hub was asked a moment ago."""
    return subscriptions.asked(subscriptions.fresh("far", "https://far.example/feed", HUBS[0]), NOW)


def said(mode: str = "subscribe", **more: str) -> dict[str, str]:
    usual = {"topic": "https://far.example/feed", "challenge": "abc", "lease_seconds": "86400", "mode": mode}
    return {f"hub.{name}": value for name, value in {**usual, **more}.items()}


def active(lease: str = "86400") -> Subscription:
    found = subscriptions.confirmed(pending(), said(lease_seconds=lease), NOW)
    assert found
    assert found[0]
    assert found[1] == "abc"
    return found[0]


def test_only_what_was_asked_for_is_confirmed() -> None:
    """W-02: the rest is 404."""
    one = pending()
    assert subscriptions.confirmed(one, said(topic="https://evil.example/"), NOW) is None
    assert subscriptions.confirmed(one, said("unsubscribe"), NOW) is None
    assert subscriptions.confirmed(one, said(challenge=""), NOW) is None
    assert subscriptions.confirmed(one, said("publish"), NOW) is None
    assert subscriptions.confirmed(one, {}, NOW) is None
    never_asked = subscriptions.fresh("far", "https://far.example/feed", HUBS[0])
    assert subscriptions.confirmed(never_asked, said(), NOW) is None
    assert active().state is State.ACTIVE


@pytest.mark.parametrize(
    ("said_lease", "hours"),
    [("86400", 24), ("1", 1), ("0", 1), ("99999999999", 720), ("9" * 40, 240), ("-5", 240), ("", 240), ("x", 240)],
)
def test_a_lease_is_taken_between_an_hour_and_thirty_days(said_lease: str, hours: int) -> None:
    """W-06."""
    assert active(said_lease).until - NOW == timedelta(hours=hours)


def test_a_lease_is_renewed_when_a_tenth_of_it_is_left_and_a_failure_does_not_loop() -> None:
    """W-04 [FreshRSS#1854]."""
    one = active()
    assert not subscriptions.is_due(one, NOW + timedelta(hours=21))
    at = NOW + timedelta(hours=22)
    assert subscriptions.is_due(one, at)
    waits = []
    for _ in range(12):
        one = subscriptions.asked(one, at)
        assert not subscriptions.is_due(one, at)
        waits.append(one.next_try - at)
        at = one.next_try
    assert waits[:3] == [timedelta(minutes=5), timedelta(minutes=10), timedelta(minutes=20)]
    assert waits[-1] == timedelta(days=1)


def test_a_renewal_is_confirmed_and_begins_a_new_lease() -> None:
    """W-04."""
    at = NOW + timedelta(hours=22)
    asked = subscriptions.asked(active(), at)
    found = subscriptions.confirmed(asked, said(), at + timedelta(seconds=1))
    assert found
    assert found[0]
    assert found[0].until == at + timedelta(hours=24, seconds=1)


def test_a_hub_that_denies_is_heard() -> None:
    """W-06."""
    found = subscriptions.confirmed(pending(), said("denied"), NOW)
    assert found
    assert found[0]
    assert found[0].state is State.DENIED
    assert not subscriptions.is_due(found[0], NOW + timedelta(hours=23))


def test_a_source_that_left_is_unsubscribed_and_that_is_verified() -> None:
    """W-06."""
    (one,) = subscriptions.wanted([active()], {}, NOW)
    assert one.state is State.LEAVING
    assert subscriptions.request(subscriptions.asked(one, NOW), "c")["hub.mode"] == "unsubscribe"
    asked = subscriptions.asked(one, NOW)
    assert subscriptions.confirmed(asked, said("subscribe"), NOW) is None
    assert subscriptions.confirmed(asked, said("unsubscribe"), NOW) == (None, "abc")
    assert subscriptions.wanted([one], {}, NOW + timedelta(days=2)) == ()


def test_subscriptions_follow_what_sources_offer() -> None:
    offers = {"far": ("https://far.example/feed", HUBS[0]), "new": ("https://new.example/feed", HUBS[1])}
    kept, new = subscriptions.wanted([active()], offers, NOW)
    assert (kept.state, new.source, new.state) == (State.ACTIVE, "new", State.PENDING)
    moved = subscriptions.wanted([kept], {"far": ("https://far.example/feed", HUBS[1])}, NOW)
    assert [(one.hub, one.state) for one in moved] == [(HUBS[0], State.LEAVING), (HUBS[1], State.PENDING)]


def test_secrets_and_callbacks_cannot_be_guessed_and_are_short_enough() -> None:
    """W-02, W-03."""
    first, second = (subscriptions.fresh("far", "t", "h") for _ in range(2))
    assert first.token != second.token
    assert first.secret != second.secret
    assert 40 <= len(first.token) < 200
    assert 40 <= len(first.secret) < 200


def test_only_a_good_signature_counts() -> None:
    """W-03: sha256, sha384, sha512; sha1 is not configured."""
    one, body = active(), b"<feed/>"

    def sign(name: str, secret: str = one.secret) -> str:
        return f"{name}={hmac.new(secret.encode(), body, getattr(hashlib, name)).hexdigest()}"

    assert all(subscriptions.is_signed(one, sign(name), body) for name in ("sha256", "sha384", "sha512"))
    assert subscriptions.is_signed(one, sign("sha256").upper().replace("SHA256", "sha256"), body)
    for bad in ("", "sha256", "sha256=", sign("sha1"), sign("sha256", "x"), sign("sha256")[:-1], "md5=x", "sha256=é"):
        assert not subscriptions.is_signed(one, bad, body)
    assert not subscriptions.is_signed(one, sign("sha256"), body + b" ")


def test_pushes_of_one_topic_count_once_a_minute() -> None:
    """W-05."""
    one = subscriptions.pushed(active(), NOW)
    assert one
    assert subscriptions.pushed(one, NOW + timedelta(seconds=59)) is None
    assert subscriptions.pushed(one, NOW + timedelta(seconds=60))
    assert subscriptions.pushed(pending(), NOW) is None
    assert subscriptions.pushed(active(), NOW + timedelta(days=2)) is None


def test_a_subscription_that_was_written_down_is_read_back() -> None:
    one = active()
    assert subscriptions.read(json.dumps([subscriptions.plain(one)]).encode()) == [one]


DAMAGED = [
    b"",
    b"\xff\xfe",
    b"5",
    b"null",
    b"[1]",
    b"[" * 99_999,
    b'{"a": ' * 99_999,
    b'[{"source": "a"}]',
    b'[{"x": ' + b"[" * 99_999,
]


@pytest.mark.parametrize(
    "body", [*DAMAGED, b'[["hub", "topic", "2026-05-01T10:00:00", 1]]', b'[["h", "t", "x", 1e999]]']
)
def test_pings_that_nobody_can_read_are_none(tmp_path: Path, body: bytes) -> None:
    """W-07: a moment without a zone, too, which no other could be compared with."""
    (tmp_path / "pings.json").write_bytes(body)
    assert Publisher(tmp_path / "pings.json").waiting == ()


class Offering:
    """The work of a daemon, as far as subscriptions go."""

    def offers(self) -> dict[str, Offer]:
        return {"far": Offer("https://far.example/feed", ("https://hub.example/",))}

    def post(self, *_: object) -> str:
        return ""


@pytest.mark.parametrize("body", [*DAMAGED, json.dumps([subscriptions.plain(active())]).replace("+00:00", "").encode()])
def test_subscriptions_that_nobody_can_read_are_asked_for_anew(tmp_path: Path, body: bytes) -> None:
    """S-31: in a file that only its owner reads, and beside it nothing is left."""
    (tmp_path / "websub.json").write_bytes(body)
    plan = SimpleNamespace(state=tmp_path, callback="https://gpu.example/hub", hubs=())
    hubs = Hubs(plan, Offering(), lambda *_, **__: None, lambda: NOW, again=list, poll=list)  # type: ignore[arg-type]
    hubs.work()
    assert [one["source"] for one in json.loads((tmp_path / "websub.json").read_bytes())] == ["far"]
    assert stat.S_IMODE((tmp_path / "websub.json").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["websub.json"]


@pytest.mark.parametrize(
    ("header", "hubs"),
    [
        ('<https://h.example/>; rel="hub"', ["https://h.example/"]),
        ("<https://h.example/>; rel=hub", ["https://h.example/"]),
        ('</hub>; REL="self hub", <x>; rel=next', ["https://far.example/hub"]),
        ('<https://h.example/a,b>; title="x, y"; rel="hub", <https://i.example/>;rel=hub', None),
        ('<javascript:alert(1)>; rel="hub"', []),
        ("nonsense", []),
        ("<" * 50_000, []),
        ("<a>;" * 50_000, []),
    ],
)
def test_hubs_are_read_from_link_headers(header: str, hubs: list[str] | None) -> None:
    """W-01 (RFC 8288), S-43."""
    found = list(links(header, "https://far.example/feed", "hub"))
    assert found == (["https://h.example/a,b", "https://i.example/"] if hubs is None else hubs)


# ---- one request of a hub ------------------------------------------------------------------------------------------


def heard(request: bytes, behind: Callable[[socket.socket], object]) -> tuple[bytes, float]:
    """Return what a request is answered where no callback but `mine` is known, and how long that took to the end.

    `behind` does what its sender does next.
    """
    ours, theirs = socket.socketpair()
    sending = threading.Thread(target=behind, args=(theirs,))
    sending.start()
    began = time.monotonic()
    answer_hub(ours, request, "/websub/", lambda token: token == "mine", lambda call: echo(call.token))
    took = time.monotonic() - began
    answered = theirs.recv(65_536)
    sending.join()
    theirs.close()
    return answered, took


def leave(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_WR)


def drip(connection: socket.socket) -> None:
    pause = threading.Event()
    with suppress(OSError):
        for _ in range(30):
            connection.sendall(b"x")
            pause.wait(0.2)


def test_who_drips_on_behind_an_answer_is_dropped() -> None:
    """V-40: a few of them would keep every hub out for ever."""
    answered, took = heard(b"GET /websub/mine HTTP/1.1\r\nHost: x\r\n\r\n", drip)
    assert answered.startswith(b"HTTP/1.1 200 ")
    assert took < 4


def test_a_push_to_nobody_is_refused_before_its_body_has_come() -> None:
    """V-40, W-02: who knows no callback's address holds no hub up."""
    half = b"POST /websub/%b HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf"
    answered, took = heard(half % b"nobody", leave)
    assert answered.startswith(b"HTTP/1.1 404 ")
    assert took < 4


def test_a_query_of_too_many_fields_is_a_bad_request() -> None:
    """W-02: it has an answer, and no thread dies of it."""
    query = b"&".join(b"hub.a%d=1" % number for number in range(30))
    answered, _ = heard(b"GET /websub/mine?%b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % query, leave)
    assert answered.startswith(b"HTTP/1.1 400 ")


# ---- with a daemon -----------------------------------------------------------------------------------------------

WEBSUB = """
[websub]
hubs = [{hubs}]
callback_url = "{callback}"
"""


def test_the_daemon_tells_its_hubs_what_changed_and_a_dead_hub_blocks_nothing(tmp_path: Path) -> None:
    """W-07: after the swap; each address equals the self link."""
    with Server() as server:
        server.answers["/hub"] = Reply(204)
        server.answers["/down"] = Reply(500)
        urls = ", ".join(f'"{server.url(path)}"' for path in ("/down", "/hub"))
        with Daemon(site(tmp_path, WEBSUB.format(hubs=urls, callback=""))) as daemon:
            until(lambda: len([one for one in server.requests if one.path == "/hub"]) >= 3)
            assert server.url("/hub") in daemon.get()[1]
            told = {parse_qs(one.body.decode())["hub.url"][0] for one in server.requests if one.path == "/hub"}
            mine = re.findall(r'href="([^"]*)" rel="self"|rel="self"[^>]*href="([^"]*)"', daemon.get()[1])
            assert {url for pair in mine for url in pair if url} <= told
            assert {"https://gpu.example/atom.xml", "https://gpu.example/rss.xml"} <= told
            until(lambda: bool(daemon.events("hub failed")))
            assert daemon.end() == 0


def test_update_tells_the_hubs_what_it_published_and_build_asks_no_network(tmp_path: Path) -> None:
    """W-07; interface: `build` touches no network."""
    with Server() as server:
        server.answers["/hub"] = Reply(204)
        place = site(tmp_path, WEBSUB.format(hubs=f'"{server.url("/hub")}", "{server.url("/down")}"', callback=""))
        assert feedsvc("build", cwd=place).status == 0
        assert server.requests == []
        post(place, 2)
        done = feedsvc("update", cwd=place)
        assert done.status == 0
        assert "was not told that https://gpu.example/atom.xml changed" in done.err
        told = {parse_qs(one.body.decode())["hub.url"][0] for one in server.requests if one.path == "/hub"}
        assert {"https://gpu.example/atom.xml", "https://gpu.example/rss.xml", "https://gpu.example/feed.json"} <= told
        asked_before = len(server.requests)
        assert feedsvc("update", cwd=place).status == 0
        assert len(server.requests) == asked_before  # nothing changed, and what failed waits a minute


def test_a_hub_is_left_alone_as_long_as_its_host_asked_for(tmp_path: Path) -> None:
    """F-14, F-18: over runs, whether its host said so to a poll or to a ping, and for polls as well."""
    with Server() as busy, Server("127.0.0.2") as server:
        busy.answers["/hub"] = Reply(503, {"Retry-After": "86400"})
        server.answers = {"/feed": Reply(429, {"Retry-After": "86400"}), "/hub": Reply(204)}
        more = WEBSUB.format(hubs=f'"{busy.url("/hub")}", "{server.url("/hub")}"', callback="")
        place = site(tmp_path, f'\n[[sources]]\nid = "far"\nurl = "{server.url()}"\n{more}')
        for hours, posts in ((0, 1), (2, 2)):
            post(place, posts)
            done = feedsvc("update", cwd=place, env={"SOURCE_DATE_EPOCH": str(1_781_524_800 + hours * 3600)})
            assert done.status == 0, done.said
            assert "asked to be left alone until" in done.err
        assert (busy.paths(), server.paths()) == (["/hub"], ["/feed"])


def test_the_daemon_leaves_a_hub_alone_that_asked_for_it_after_a_restart_too(tmp_path: Path) -> None:
    """F-14: an hour's block is not forgotten with the process."""
    with Server() as server:
        server.answers["/hub"] = Reply(429, {"Retry-After": "3600"})
        place = site(tmp_path, WEBSUB.format(hubs=f'"{server.url("/hub")}"', callback=""))
        for number in (1, 2):
            post(place, number)
            with Daemon(place) as daemon:
                until(lambda daemon=daemon: bool(daemon.events("hub failed")))
                assert daemon.end() == 0
        assert server.paths() == ["/hub"]


def call(
    port: int, target: str, body: bytes | None = None, method: str = "", **headers: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method or ("GET" if body is None else "POST"), target, body, headers)
    answer = connection.getresponse()
    answer.read_all = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_a_source_with_a_hub_is_subscribed_to_and_its_signed_push_makes_it_due(tmp_path: Path) -> None:
    """W-01: the header goes before the document; W-02, W-03, W-05."""
    with Server() as server:
        header = {"Link": f'<{server.url("/hub")}>; rel="hub", <{server.url("/feed")}>; rel="self"'}
        wrong = b'<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="https://other.example/"/>'
        server.answers["/feed"] = Reply(200, header, FEED.replace(b"<channel>", b"<channel>" + wrong))
        server.answers["/hub"] = Reply(202)
        more = f'\n[[sources]]\nid = "far"\nurl = "{server.url()}"\n'
        more += WEBSUB.format(hubs="", callback="https://gpu.example/websub")
        site(tmp_path, more, interval="1h")
        with Daemon(tmp_path, {"WATCHDOG_USEC": "1000000"}) as daemon:
            until(lambda: "/hub" in server.paths())
            form = asked(server)
            assert (form["hub.mode"], form["hub.topic"]) == ("subscribe", server.url())
            path = urlsplit(form["hub.callback"]).path
            assert path.startswith("/websub/")
            verify = f"{path}?hub.mode=subscribe&hub.topic={quote(server.url(), safe='')}&hub.lease_seconds=86400"
            assert call(daemon.port, f"{verify}&hub.challenge=").status == 404
            assert call(daemon.port, verify.replace("feed", "food") + "&hub.challenge=1").status == 404
            found = call(daemon.port, f"{verify}&hub.challenge=%3Cb%3Eyes")
            assert (found.status, found.read_all) == (200, b"<b>yes")  # type: ignore[attr-defined]
            assert found.headers["Content-Type"].startswith("text/plain")
            assert found.headers["X-Content-Type-Options"] == "nosniff"
            assert found.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert call(daemon.port, f"{verify}&hub.challenge=again").status == 404  # nothing is pending any more
            assert call(daemon.port, "/websub/" + "x" * 43).status == 404
            assert call(daemon.port, "/websub/" + "x" * 43, b"<feed/>").status == 404
            assert call(daemon.port, path, b"<feed/>", "PUT").status == 405
            until(lambda: daemon.status()["far"]["next_poll"] is not None)
            before = daemon.status()["far"]["next_poll"]
            assert call(daemon.port, path, b"<feed/>", **{"X-Hub-Signature": "sha256=00"}).status == 202
            assert daemon.status()["far"]["next_poll"] == before
            assert call(daemon.port, path, b"x" * (1024 * 1024 + 1)).status == 413
            good = hmac.new(form["hub.secret"].encode(), b"<feed/>", hashlib.sha256).hexdigest()
            assert call(daemon.port, path, b"<feed/>", **{"X-Hub-Signature": f"sha256={good}"}).status == 202
            until(lambda: daemon.status()["far"]["next_poll"] != before)
            far = daemon.status()["far"]
            asked_at = datetime.fromisoformat(far["last_success"])
            assert datetime.fromisoformat(far["next_poll"]) - asked_at <= timedelta(seconds=61)
            assert far["reason"] == "push: its hub has news"
            assert call(daemon.port, path, b"<feed/>", **{"X-Hub-Signature": f"sha256={good}"}).status == 202
            assert daemon.status()["far"] == far  # a replay changes nothing
            configure(tmp_path, more.replace('id = "far"', 'id = "other"'), interval="1h")
            until(lambda: [form["hub.mode"] for form in all_asked(server)][1:] == ["unsubscribe", "subscribe"])
            leave = f"{verify.replace('=subscribe', '=unsubscribe')}&hub.challenge=bye"
            assert call(daemon.port, leave).status == 200
            assert call(daemon.port, leave).status == 404
            assert daemon.end() == 0
        secret = tmp_path / "var/websub.json"
        assert secret.stat().st_mode & 0o777 == 0o600
        assert form["hub.secret"] not in secret.read_text()  # forgotten with its subscription


def test_a_callback_at_the_top_of_the_site_leaves_its_documents_to_readers(tmp_path: Path) -> None:
    """W-02, V-17: what is no callback's address is answered like everything else."""
    with Daemon(site(tmp_path, WEBSUB.format(hubs="", callback="https://gpu.example/"))) as daemon:
        until(lambda: daemon.get()[0] == 200)
        assert call(daemon.port, "/" + "x" * 43).status == 404
        assert daemon.end() == 0


def asked(server: Server) -> dict[str, str]:
    """Return the form that the hub was sent."""
    (form,) = all_asked(server)
    return form


def all_asked(server: Server) -> list[dict[str, str]]:
    """Return the forms that the hub was sent."""
    bodies = [one.body.decode() for one in server.requests if one.path == "/hub"]
    return [{name: values[0] for name, values in parse_qs(body).items()} for body in bodies]
