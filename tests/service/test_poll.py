"""A cycle of polls against a real server and a real store: what is asked, what is kept, what is told."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from feedsvc.collect import parse
from feedsvc.collect.found import ParsedFeed, Received, Unread
from feedsvc.collect.pollstate import State
from feedsvc.errors import StoreError
from feedsvc.service.cycle import deps_of, store_of, terms
from feedsvc.service.onepoll import Deps
from feedsvc.service.poll import poll
from feedsvc.service.polled import Polled, PollReport, Result
from feedsvc.settings.tree import Project
from feedsvc.store.leases import DUE, Wanted
from feedsvc.store.rows import Lease
from feedsvc.store.store import Settled, Store
from tests.servers import Reply, Request, Server
from tests.service.projects import project

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)


def feed(*titles: str, more: str = "") -> bytes:
    items = "".join(
        f"<item><title>{title}</title><link>https://a.example/{title}</link><guid>https://a.example/{title}</guid></item>"
        for title in titles
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>A</title>{more}{items}</channel></rss>'.encode()


@dataclass
class World:
    """A server, a project whose sources are paths on it, and a clock that a test turns."""

    server: Server
    root: Path
    names: tuple[str, ...] = ("a",)
    now: datetime = NOW
    read: Callable[[Received], ParsedFeed | Unread] = parse.read
    polling: dict[str, float] = field(default_factory=dict)
    chance: float = 0.0

    @property
    def project(self) -> Project:
        return project(self.root, {name: self.server.url(f"/{name}") for name in self.names}, **self.polling)

    @contextmanager
    def deps(self) -> Iterator[Deps]:
        here, clock = self.project, lambda: self.now
        with (
            store_of(here, clock) as store,
            deps_of(here, store, clock, self.read, chance=lambda: self.chance) as deps,
        ):
            yield deps

    def poll(self, wanted: Wanted = DUE) -> dict[str, Polled]:
        return {one.source: one for one in self.report(wanted).polled}

    def report(self, wanted: Wanted = DUE) -> PollReport:
        with self.deps() as deps:
            return poll(deps, 8, wanted)

    def store(self) -> AbstractContextManager[Store]:
        return store_of(self.project, lambda: self.now)

    def titles(self) -> list[str | None]:
        with self.store() as store:
            return [entry.title for entry in store.entries()]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with Server() as server:
        yield World(server, tmp_path)


# ---- a document that is the same -----------------------------------------------------------------------------------


def test_an_equal_body_is_not_read_and_its_validators_and_hints_are_taken(world: World) -> None:
    """F-04, F-21: and a body that differs, or is said to mean something else, is read."""
    reads: list[str] = []

    def read(received: Received) -> ParsedFeed | Unread:
        reads.append(received.media_type)
        return parse.read(received)

    world.read = read
    body = feed("one", more="<ttl>240</ttl>")
    answers = [
        Reply(200, {"ETag": '"1"'}, body),
        Reply(200, {"ETag": '"2"', "Cache-Control": "max-age=21600"}, body),
        Reply(200, {"Content-Type": "application/rss+xml"}, body),
        Reply(200, {}, feed("one", "two")),
    ]
    told = []
    for answer in answers:
        world.server.answers["/a"] = answer
        told.append(world.poll(Wanted(asked=True))["a"])
        world.now += 2 * HOUR
    assert [(one.result, one.code, one.new, one.changed) for one in told] == [
        (Result.OK, 200, 1, 0),
        (Result.OK, 200, 0, 0),
        (Result.OK, 200, 0, 0),
        (Result.OK, 200, 1, 0),
    ]
    assert reads == ["", "application/rss+xml", ""]
    sent = [request.header("If-None-Match") for request in world.server.requests]
    assert sent == [None, b'"1"', b'"2"', None], "what the last 200 gave, and nothing that it did not give"
    assert [one.next_poll for one in told][:2] == [NOW + 4 * HOUR, NOW + 8 * HOUR], "ttl, then max-age"


def test_a_body_is_read_again_where_reading_it_again_may_bring_something(world: World) -> None:
    """F-04: after one that came in part or was no feed, and where a date of it lies ahead."""
    reads: list[bytes] = []

    def read(received: Received) -> ParsedFeed | Unread:
        reads.append(received.body)
        return parse.read(received)

    world.read = read
    ahead = feed("one").replace(b"</guid>", b"</guid><pubDate>Mon, 04 May 2027 08:00:00 GMT</pubDate>")
    cut = feed("one", "two")[:-30]
    whole = feed("one")
    for body, again in ((ahead, True), (whole, False), (cut, True), (whole, False), (b"no feed", True)):
        world.server.answers["/a"] = Reply(200, {}, body)
        for wanted in (True, again):
            count = len(reads)
            world.poll(Wanted(asked=True))
            world.now += HOUR
            assert (len(reads) > count) is wanted, body
    assert world.titles() == ["one"]


# ---- one that fails stops no other ---------------------------------------------------------------------------------


def test_a_source_that_fails_stops_no_other(world: World) -> None:
    """OU-01, F-32, F-39"""
    world.names = ("a", "b", "c", "d")
    world.server.answers = {
        "/a": Reply(200, {}, feed("one")),
        "/b": Reply(500),
        "/c": Reply(200, {}, b"<!doctype html><title>Sign in</title>"),
        "/d": Reply(wire="close"),
    }
    done = world.poll()
    assert {name: (str(one.result), one.kind, one.code) for name, one in done.items()} == {
        "a": ("ok", "", 200),
        "b": ("failed", "status", 500),
        "c": ("failed", "no-feed", 200),
        "d": ("failed", "closed", None),
    }
    assert world.titles() == ["one"]


def test_a_reader_that_breaks_costs_its_source_one_poll(world: World) -> None:
    """OU-01: whatever reading raises."""
    world.names = ("a", "b")
    world.server.answers = {"/a": Reply(200, {"ETag": '"1"'}, feed("one")), "/b": Reply(200, {}, feed("two"))}

    def read(received: Received) -> ParsedFeed | Unread:
        if received.name == "a":
            raise ZeroDivisionError("oh")
        return parse.read(received)

    world.read = read
    done = world.poll()
    assert (done["a"].result, done["a"].error) == (Result.FAILED, "reading it failed: ZeroDivisionError: oh")
    assert done["b"].result is Result.OK
    world.now += 25 * HOUR
    world.read = parse.read
    assert world.poll()["a"].new == 1
    assert world.server.requests[-1].header("If-None-Match") is None or world.server.requests[-1].path == "/b"


def test_a_store_that_fails_ends_the_cycle_with_its_error(world: World) -> None:
    """Q-09: that is no fault of a source."""
    world.server.answers = {"/a": Reply(200, {}, feed("one"))}
    with world.deps() as deps:

        def read(received: Received) -> ParsedFeed | Unread:
            deps.store.close()
            (world.root / "var" / "feedsvc.db").write_bytes(b"not a database" * 999)
            return parse.read(received)

        with pytest.raises(StoreError, match="is damaged"):
            poll(replace(deps, read=read), 8)


def test_a_store_that_fails_once_ends_no_later_cycle(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-09: the daemon goes on with the fetcher that it has, once the store is back."""
    world.server.answers["/a"] = Reply(200, {}, feed("one"))

    def locked(*_: object) -> list[Lease]:
        raise StoreError("the database is locked")

    with world.deps() as deps:
        with monkeypatch.context() as patch:
            patch.setattr(Store, "claim", locked)
            with pytest.raises(StoreError, match="locked"):
                poll(deps, 8)
        (done,) = poll(deps, 8).polled
    assert (done.result, done.new) == (Result.OK, 1)


# ---- what is told --------------------------------------------------------------------------------------------------


def test_a_poll_tells_what_came_and_when_it_is_asked_next_and_why(world: World) -> None:
    """V-28"""
    body = feed("one", "two", more="<ttl>120</ttl>")
    world.server.answers = {"/a": Reply(200, {}, body, "gzip")}
    told: list[Polled] = []
    with world.deps() as deps:
        poll(deps, 8, told=told.append)
    (one,) = told
    record = dict(one.record())
    assert 0 < record.pop("raw") < len(body)  # type: ignore[operator]
    assert record.pop("ms") >= 0  # type: ignore[operator]
    assert record == {
        "source": "a",
        "host": "127.0.0.1",
        "result": "ok",
        "code": 200,
        "decoded": len(body),
        "coding": "gzip",
        "new": 2,
        "changed": 0,
        "state": "ok",
        "next": "2026-05-04T10:00:00Z",
        "reason": "hint: the feed has a ttl, 2 h",
    }


def test_a_failure_is_one_warning_that_names_the_source(world: World) -> None:
    """SO-11"""
    world.server.answers = {"/a": Reply(404)}
    (found,) = world.poll()["a"].diagnostics()
    assert str(found) == "a: warning: poll failed: the server answered 404 Not Found [status]"


def test_an_edited_entry_counts_as_changed_and_a_304_brings_nothing(world: World) -> None:
    """V-28, ID-09"""
    world.server.answers = {"/a": Reply(200, {"ETag": '"1"'}, feed("one"))}
    world.poll()
    world.now += 25 * HOUR
    edited = feed("one").replace(b"<title>one", b"<title>ONE, edited")
    world.server.answers = {"/a": Reply(200, {"ETag": '"2"'}, edited)}
    done = world.poll()["a"]
    assert (done.new, done.changed) == (0, 1)
    world.now += 49 * HOUR
    world.server.answers = {"/a": Reply(304)}
    done = world.poll()["a"]
    assert (done.result, done.code, done.new, done.changed) == (Result.UNCHANGED, 304, 0, 0)
    assert world.titles() == ["ONE, edited"]


# ---- what somebody asks for ------------------------------------------------------------------------------------------


def test_a_source_that_is_asked_for_says_until_when_it_waits(world: World) -> None:
    """F-12: the base, and a block."""
    world.names = ("a", "b", "c")
    world.server.answers = {
        "/a": Reply(200, {}, feed("one")),
        "/b": Reply(200, {"Cache-Control": "max-age=36000"}, feed("one")),
        "/c": Reply(200, {}, feed("one")),
    }
    world.poll()
    world.now += timedelta(minutes=59)
    assert world.report().waiting == ()
    report = world.report(Wanted(["a"], asked=True))
    assert report.polled == ()
    (waiting,) = report.waiting
    assert str(waiting) == "a: not before 2026-05-04 09:00:00 UTC: asked less than 1 h ago (polling.interval)"
    world.now += timedelta(minutes=1)
    assert set(world.poll(Wanted(["b"], asked=True))) == {"b"}, "a hint is set aside"
    world.server.answers["/c"] = Reply(429, {"Retry-After": "14400"})
    world.poll(Wanted(["c"], asked=True))
    world.now += 2 * HOUR
    (waiting,) = world.report(Wanted(["c"], asked=True)).waiting
    assert str(waiting).startswith("c: not before 2026-05-04 13:00:00 UTC: its server asked to be left alone")


def test_the_block_of_a_host_holds_for_its_other_sources_over_a_restart(world: World) -> None:
    """F-18, F-12: b is asked for by name, on the host and port that said 429 to a."""
    world.names = ("a", "b")
    world.server.answers = {"/a": Reply(200, {}, feed("one")), "/b": Reply(200, {}, feed("one"))}
    world.poll()
    world.now += HOUR
    world.server.answers["/a"] = Reply(429, {"Retry-After": "14400"})
    world.poll(Wanted(["a"], asked=True))
    asked = len(world.server.requests)
    world.now += HOUR
    done = world.poll(Wanted(["b"], asked=True))["b"]
    assert (done.result, done.state, done.next_poll) == (Result.HELD, State.BLOCKED, NOW + 5 * HOUR)
    assert len(world.server.requests) == asked


def test_a_source_that_is_gone_is_never_asked_and_says_why(world: World) -> None:
    """F-38, F-12"""
    world.server.answers = {"/a": Reply(410)}
    for _ in range(8):
        world.poll()
        world.now += 30 * HOUR
    asked = len(world.server.requests)
    (waiting,) = world.report(Wanted(asked=True)).waiting
    assert str(waiting).startswith("a: not asked: gone since 2026-05-04: answers 410 Gone")
    assert len(world.server.requests) == asked


# ---- gap, hosts, leases ----------------------------------------------------------------------------------------------


def test_a_process_that_dies_between_request_and_result_asks_nobody_again_inside_the_base(world: World) -> None:
    """F-11, V-37: the connection to the store is gone when the answer is there."""
    world.server.answers = {"/a": Reply(200, {"ETag": '"1"'}, feed("one"))}

    class DiedError(BaseException):
        pass

    def read(_: Received) -> ParsedFeed | Unread:
        raise DiedError

    world.read = read
    with pytest.raises(DiedError):
        world.poll()
    world.read = parse.read
    for minutes in (1, 6, 59):
        world.now = NOW + timedelta(minutes=minutes)
        assert world.poll(Wanted(asked=True)) == {}
        assert world.poll() == {}
    world.now = NOW + HOUR
    assert world.poll()["a"].new == 1
    assert world.server.requests[-1].header("If-None-Match") is None, "no validator is newer than its entries"


def test_the_gap_counts_from_the_request_and_not_from_the_wait_for_its_host(world: World) -> None:
    """F-11, F-31: the clock goes on while the host's turn is awaited."""
    world.names = ("a", "b")
    world.polling = {"host_delay": 0.5}
    world.server.answers = {"/a": Reply(200, {}, feed("one")), "/b": Reply(200, {}, feed("one"))}
    here = world.project
    with store_of(here, real) as store, deps_of(here, store, real, parse.read) as deps:
        began = real()
        poll(deps, 8)
        starts = sorted(found.state.last_start or began for found in store.remembered().values())
    first, second = sorted(request.at for request in world.server.requests)
    assert (starts[1] - starts[0]).total_seconds() >= second - first - 0.1


def real() -> datetime:
    return datetime.now(UTC)


def test_sources_of_one_host_come_one_after_the_other_and_hold_no_thread_of_others(world: World) -> None:
    """F-31: per_host 1, and another host is asked meanwhile."""
    with Server("127.0.0.2") as other:
        under_way: list[str] = []

        def slow(request: Request) -> Reply:
            under_way.append(request.path)
            assert len(under_way) == 1
            other_asked.wait(10)
            under_way.remove(request.path)
            return Reply(200, {}, feed("one"))

        other_asked = threading.Event()

        def quick(_: Request) -> Reply:
            other_asked.set()
            return Reply(200, {}, feed("one"))

        names = tuple(f"s{number}" for number in range(6))
        world.server.answers = {f"/{name}": slow for name in names}
        other.answers["/other"] = quick
        here = project(world.root, {**{name: world.server.url(f"/{name}") for name in names}, "z": other.url("/other")})
        clock = lambda: NOW  # noqa: E731
        with store_of(here, clock) as store, deps_of(here, store, clock, parse.read) as deps:
            done = poll(deps, 2)
    assert {one.result for one in done.polled} == {Result.OK}
    assert len(done.polled) == 7


def test_a_lease_outlives_timeout_and_parsing_twice(world: World) -> None:
    """Q-04"""
    world.polling = {"timeout": 600.0}
    assert terms(world.project.settings, "x").lease >= timedelta(seconds=1220)
    world.polling = {}
    assert terms(world.project.settings, "x").lease == timedelta(minutes=5)


def test_a_cycle_asks_each_source_once_however_short_the_base_is(world: World) -> None:
    """F-11: or a cycle that takes longer than `polling.interval` never ends."""
    world.polling = {"interval": 0.0}
    world.server.answers = {"/a": Reply(200, {}, feed("one"))}
    for wanted in (DUE, Wanted(asked=True)):
        world.now += HOUR
        world.server.requests.clear()
        assert len(world.report(wanted).polled) == 1
        assert len(world.server.requests) == 1


def test_a_source_that_was_claimed_and_not_asked_before_a_stop_is_given_back(world: World) -> None:
    """V-32, Q-08: one thread, so that others wait for it."""
    world.names, stop = ("a", "b", "c"), threading.Event()
    world.polling = {"per_host": 9}

    def last(_: Request) -> Reply:
        stop.set()
        return Reply(200, {}, feed("one"))

    world.server.answers = {f"/{name}": last for name in world.names}
    with world.deps() as deps:
        assert len(poll(deps, 1, stop=stop).polled) == 1
    assert len(world.server.requests) == 1
    assert len(world.poll()) == 2, "due as they were"


def test_an_interrupt_waits_for_no_turn_of_a_host(world: World) -> None:
    """V-32: who interrupts a command does not wait for `host_delay`."""
    world.names, world.polling = ("a", "b"), {"per_host": 9, "host_delay": 3600.0}
    world.server.answers = {f"/{name}": Reply(200, {}, feed("one")) for name in world.names}

    def told(_: Polled) -> None:
        raise KeyboardInterrupt

    with world.deps() as deps:
        late = threading.Timer(30, deps.fetcher.close)
        late.start()
        with pytest.raises(KeyboardInterrupt):
            poll(deps, 8, told=told)
        assert late.is_alive(), "it waited for the other source"
        late.cancel()


def test_nothing_new_is_begun_after_a_stop_and_what_is_under_way_is_ended(world: World) -> None:
    """V-32, Q-08: a poll that is cut off is no failure, and its source keeps its gap."""
    asked, stop = threading.Event(), threading.Event()

    def drip(_: Request) -> Reply:
        asked.set()
        return Reply(200, {}, feed("one"), "drip-body")

    world.names = ("a", "b")
    world.server.answers = {"/a": drip, "/b": drip}
    with world.deps() as deps:

        def end() -> None:
            asked.wait(30)
            stop.set()
            deps.fetcher.close()

        ending = threading.Thread(target=end)
        ending.start()
        done = poll(deps, 8, stop=stop)
        ending.join()
    assert [one.result for one in done.polled] == [Result.STOPPED]
    with world.store() as store:
        states = [found.state for found in store.remembered().values()]
        assert [(state.errors, state.state) for state in states] == [(0, State.OK)] * 2
        assert sorted(state.last_start is None for state in states) == [False, True]
        assert len(store.claim(9, NOW + timedelta(minutes=1))) == 1


# ---- redirects -------------------------------------------------------------------------------------------------------


def test_a_source_that_moved_for_good_says_so_and_where_that_is_one_already(world: World) -> None:
    """F-36, F-37"""
    world.names = ("a", "b")
    world.server.answers = {
        "/a": Reply(301, {"Location": "/b"}),
        "/b": Reply(200, {}, feed("one")),
    }
    said: list[str] = []
    for _ in range(11):
        said += [str(found) for found in world.poll()["a"].diagnostics()]
        world.now += 30 * HOUR
    (moved,) = said
    target = world.server.url("/b")
    assert moved.startswith(
        f"a: warning: moved for good: asked at {target} from now on, which is the address of source b"
    )
    assert moved.endswith("[source-moved]")


def test_a_document_cut_short_gives_its_entries_and_fails(world: World) -> None:
    """X-07: no validators, nothing stored is lost."""
    world.server.answers = {"/a": Reply(200, {"ETag": '"1"'}, feed("one", "two"))}
    world.poll()
    world.now += 25 * HOUR
    cut = feed("three", "four").partition(b"<title>four")[0]
    world.server.answers = {"/a": Reply(200, {"ETag": '"2"'}, cut)}
    done = world.poll()["a"]
    assert (done.result, done.new) == (Result.FAILED, 1)
    world.now += 25 * HOUR
    world.poll()
    assert world.server.requests[-1].header("If-None-Match") == b'"1"'
    assert sorted(map(str, world.titles())) == ["one", "three", "two"]


def test_a_result_that_comes_too_late_is_dropped_and_said(world: World) -> None:
    """Q-03"""
    world.server.answers = {"/a": Reply(200, {}, feed("one"))}
    with world.deps() as deps:

        def read(received: Received) -> ParsedFeed | Unread:
            later = NOW + 2 * HOUR
            (lease,) = deps.store.claim(1, later)
            assert deps.store.finish(lease, lambda _: Settled(replace(lease.state, last_start=later)), later)
            return parse.read(received)

        (done,) = poll(replace(deps, read=read), 8).polled
    assert done.result is Result.LOST
    assert world.titles() == []
