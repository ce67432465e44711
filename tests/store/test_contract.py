"""What every store does, on an SQLite file and on PostgreSQL: one suite for both (T-12, T-13)."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from feedsvc.collect.answers import Validators
from feedsvc.collect.found import FoundChannel
from feedsvc.collect.pacing import begin
from feedsvc.collect.pollstate import FeedHints, PollState, State
from feedsvc.model import Enclosure, Entry, Origin, Person, Text
from feedsvc.settings.tree import Source
from feedsvc.store.entries import Seen
from feedsvc.store.leases import Wanted
from feedsvc.store.store import Known, Settled, Store, opened
from tests.places import PROJECT
from tests.store.stores import HOUR, MINUTE, NOW, POLICY, TERMS, address, entry, ids, poll, settle_with, source

LEASE = TERMS.lease
KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return address(request.param, tmp_path)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with opened(url, TERMS) as found:
        yield found


def three(store: Store) -> None:
    store.sync([source("a"), source("b"), source("c")], POLICY, NOW)


# ---- claims --------------------------------------------------------------------------------------------------------


def test_a_claim_takes_what_is_due_and_nothing_twice_inside_a_lease(store: Store) -> None:
    """Q-02"""
    three(store)
    assert ids(store.claim(2, NOW)) == ["a", "b"]
    assert ids(store.claim(9, NOW)) == ["c"]
    assert store.claim(9, NOW + LEASE - timedelta(seconds=1)) == []


def test_what_waited_longest_is_claimed_first(store: Store) -> None:
    """Q-02"""
    three(store)
    for lease in store.claim(3, NOW):
        poll(store, lease, NOW + {"a": 3, "b": 1, "c": 2}[lease.source] * HOUR)
    assert ids(store.claim(2, NOW + 9 * HOUR)) == ["b", "c"]


def test_the_sources_of_a_claimer_that_died_come_back_when_its_lease_ends(store: Store) -> None:
    """Q-02, Q-08: no source is lost; its start was not written, so nobody asked."""
    three(store)
    first = store.claim(9, NOW)
    again = store.claim(9, NOW + LEASE)
    assert sorted(ids(again)) == ["a", "b", "c"]
    assert [lease.token for lease in again] == [lease.token + 1 for lease in first]


def test_a_source_whose_request_began_is_not_asked_again_inside_the_base_after_a_crash(store: Store) -> None:
    """F-11"""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    started, _ = begin(lease.state, POLICY, NOW)
    assert store.start(lease, started)
    assert store.claim(9, NOW + LEASE) == []
    assert store.claim(9, NOW + HOUR - timedelta(microseconds=1)) == []
    assert ids(store.claim(9, NOW + HOUR)) == ["a"]


def test_a_start_is_kept_whole_also_one_that_asks_for_all_of_a_source_once_more(store: Store) -> None:
    """F-09, F-11"""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    stale = replace(
        lease.state, validators=Validators(lease.state.url, '"a"', None), unmodified_since=NOW - 31 * 24 * HOUR
    )
    assert store.finish(lease, lambda _: Settled(replace(stale, next_poll=NOW)), NOW)
    for refreshed in (NOW, None):
        (lease,) = store.claim(1, NOW)
        started, ask = begin(lease.state, POLICY, NOW)
        assert (started.refreshed, ask.validators is None) == (NOW, refreshed is not None)
        assert store.start(lease, started)
        assert store.remembered()["a"].state == started
        assert store.finish(lease, lambda _: Settled(replace(stale, next_poll=NOW, refreshed=NOW)), NOW)


def test_who_may_not_be_asked_even_if_somebody_asks_is_told(store: Store) -> None:
    """F-12, F-14, F-38"""
    store.sync([source(name) for name in "abcde"], POLICY, NOW)
    states = {
        "a": {"last_start": NOW - HOUR},
        "b": {"last_start": NOW - HOUR + timedelta(microseconds=1)},
        "c": {"blocked_until": NOW + HOUR},
        "d": {"state": State.GONE, "next_poll": None},
        "e": {"blocked_until": NOW, "next_poll": NOW + 9 * HOUR},
    }
    for lease in store.claim(9, NOW):
        state = replace(lease.state, **states[lease.source])
        assert store.finish(lease, lambda _, state=state: Settled(state), NOW)
    assert list(store.resting(NOW - HOUR, NOW)) == ["b", "c", "d"]
    assert store.resting(NOW - HOUR, NOW)["d"].state is State.GONE


def test_a_late_result_is_refused_and_changes_nothing(store: Store) -> None:
    """Q-03: the fencing token."""
    store.sync([source("a")], POLICY, NOW)
    (late,) = store.claim(1, NOW)
    (second,) = store.claim(1, NOW + LEASE)
    assert poll(store, second, NOW + LEASE, Seen([entry("second")]))
    before = store.remembered()
    later = NOW + 2 * LEASE
    assert not store.start(late, begin(late.state, POLICY, later)[0])
    assert not store.finish(late, settle_with(late, later, Seen([entry("late")])), later)
    assert not store.release(late)
    assert [found.key for found in store.entries()] == ["second"]
    assert store.remembered() == before


def test_a_late_result_is_taken_while_nobody_else_has_claimed(store: Store) -> None:
    """Q-03: what counts is the token, not the time."""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    assert poll(store, lease, NOW + 3 * LEASE, Seen([entry("one")]))


def test_a_source_given_back_is_due_as_it_was(store: Store) -> None:
    """Q-08"""
    three(store)
    before = store.remembered()
    for lease in store.claim(9, NOW):
        assert store.release(lease)
    assert store.remembered() == before
    assert ids(store.claim(9, NOW)) == ["a", "b", "c"]


def test_two_claimers_in_parallel_share_all_and_take_nothing_twice(url: str) -> None:
    """T-12"""
    names = [f"s{number:03}" for number in range(60)]
    with opened(url, TERMS) as store:
        store.sync([source(name) for name in names], POLICY, NOW)

        def work(_: int) -> list[str]:
            taken: list[str] = []
            while leases := store.claim(5, NOW):
                for lease in leases:
                    assert poll(store, lease, NOW, Seen([entry("one", lease.source)]))
                    taken.append(lease.source)
            return taken

        with ThreadPoolExecutor(4) as pool:
            taken = [name for some in pool.map(work, range(4)) for name in some]
        taken += ids(store.claim(99, NOW))
        assert sorted(taken) == names
        assert len(store.entries()) == len(names)


WORKER = """
import sys
from datetime import datetime, timedelta
from feedsvc.collect.found import FoundChannel
from feedsvc.collect.pacing import begin
from feedsvc.collect.pollstate import Policy
from feedsvc.store.leases import Terms
from feedsvc.store.store import opened
store = opened(sys.argv[1], Terms("doomed", per_host=100))
now = datetime.fromisoformat(sys.argv[2])
asked, waiting = store.claim(2, now)
assert store.start(asked, begin(asked.state, Policy(), now)[0])
print(asked.source, waiting.source, flush=True)
sys.stdin.read()
"""


def test_a_worker_that_is_killed_loses_nothing_and_asks_nobody_twice_in_the_base(url: str) -> None:
    """T-12, V-37: one process claims, begins a request and is killed; another one goes on."""
    with opened(url, TERMS) as store:
        three(store)
    command = [sys.executable, "-c", WORKER, url, NOW.isoformat()]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as doomed:
        assert doomed.stdout is not None
        asked, waiting = doomed.stdout.readline().decode().split()
        doomed.kill()
    with opened(url, TERMS) as store:
        assert ids(store.claim(9, NOW)) == ["c"]
        assert ids(store.claim(9, NOW + LEASE)) == [waiting, "c"]
        assert asked in ids(store.claim(9, NOW + HOUR))


# ---- hosts ---------------------------------------------------------------------------------------------------------


def of_one_host(count: int) -> list[Source]:
    return [source(f"s{number}", f"https://one.example/{number}") for number in range(count)]


def test_no_more_sources_of_a_host_are_leased_than_its_limit(url: str) -> None:
    """F-31, Q-05"""
    with opened(url, replace(TERMS, per_host=2)) as store:
        store.sync([*of_one_host(5), source("other")], POLICY, NOW)
        first = {lease.source: lease for lease in store.claim(9, NOW)}
        assert sorted(first) == ["other", "s0", "s1"]
        assert store.claim(9, NOW) == []
        assert poll(store, first["s0"], NOW, Seen())
        assert ids(store.claim(9, NOW)) == ["s2"]


def test_what_waits_behind_many_sources_of_one_host_is_claimed_as_well(url: str) -> None:
    """F-31, Q-02"""
    with opened(url, replace(TERMS, per_host=1)) as store:
        store.sync([*of_one_host(30), source("x"), source("y")], POLICY, NOW)
        assert ids(store.claim(2, NOW)) == ["s0", "x"]
        assert ids(store.claim(2, NOW)) == ["y"]


def test_claimers_in_parallel_hold_the_limit_of_a_host_together(url: str) -> None:
    """F-31, T-12: each claims all the time; at no moment are two sources of the host leased."""
    with opened(url, replace(TERMS, per_host=1)) as store:
        store.sync(of_one_host(12), POLICY, NOW)
        under_way: list[str] = []

        def work(_: int) -> int:
            done = 0
            while any(found.state.last_success is None for found in store.remembered().values()):
                for lease in store.claim(3, NOW):
                    under_way.append(lease.source)
                    assert len(under_way) == 1, under_way
                    under_way.remove(lease.source)
                    assert poll(store, lease, NOW)
                    done += 1
            return done

        with ThreadPoolExecutor(3) as pool:
            assert sum(pool.map(work, range(3))) == 12


def test_starts_at_a_host_are_its_delay_apart_over_all_claimers(url: str) -> None:
    """F-31, Q-05: for workers the store holds the delay."""
    terms = replace(TERMS, per_host=2, host_delay=timedelta(seconds=10))
    with opened(url, terms) as store, opened(url, replace(terms, owner="two")) as other:
        store.sync(of_one_host(3), POLICY, NOW)
        assert ids(store.claim(9, NOW)) == ["s0"]
        assert other.claim(9, NOW + timedelta(seconds=9)) == []
        assert ids(other.claim(9, NOW + timedelta(seconds=10))) == ["s1"]


def test_blocks_of_hosts_are_kept_and_the_later_moment_holds(store: Store) -> None:
    """F-18, F-51"""
    store.block({"a.example:443": NOW + HOUR, "b.example:80": NOW + HOUR})
    store.block({"a.example:443": NOW + 2 * HOUR, "c.example:80": NOW + timedelta(days=40)})
    store.block({"a.example:443": NOW + HOUR})
    assert store.blocks(NOW) == {"a.example:443": NOW + 2 * HOUR, "b.example:80": NOW + HOUR}
    assert store.blocks(NOW + HOUR) == {"a.example:443": NOW + 2 * HOUR}


# ---- what somebody asks for ------------------------------------------------------------------------------------------


def test_asking_for_sources_sets_their_waits_aside_but_not_the_base(store: Store) -> None:
    """F-12, F-11"""
    three(store)
    for lease in store.claim(9, NOW):
        state = replace(lease.state, last_start=NOW, next_poll=NOW + 20 * HOUR)
        assert store.finish(lease, lambda _, state=state: Settled(state), NOW)
    assert store.claim(9, NOW + 2 * HOUR) == []
    assert store.claim(9, NOW + HOUR - timedelta(seconds=1), Wanted(asked=True)) == []
    assert ids(store.claim(9, NOW + HOUR, Wanted(["b"], asked=True))) == ["b"]
    assert sorted(ids(store.claim(9, NOW + HOUR, Wanted(asked=True)))) == ["a", "c"]


def test_asking_for_sources_sets_neither_a_block_nor_an_end_aside(store: Store) -> None:
    """F-12, F-38"""
    three(store)
    states = {
        "a": {"blocked_until": NOW + 9 * HOUR, "next_poll": NOW + 9 * HOUR, "state": State.BLOCKED},
        "b": {"state": State.GONE, "next_poll": None},
        "c": {"next_poll": NOW + 9 * HOUR},
    }
    for lease in store.claim(9, NOW):
        state = replace(lease.state, **states[lease.source])
        assert store.finish(lease, lambda _, state=state: Settled(state), NOW)
    assert ids(store.claim(9, NOW + HOUR, Wanted(asked=True))) == ["c"]
    assert ids(store.claim(9, NOW + 99 * HOUR)) == ["c", "a"]
    assert store.next_due() == NOW + 99 * HOUR + LEASE


# ---- sources follow the configuration --------------------------------------------------------------------------------


def test_everything_that_is_remembered_of_a_source_comes_back_as_it_was(store: Store) -> None:
    """F-01, V-37: validators are bytes, moments are exact."""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    moments = (NOW + timedelta(days=number, microseconds=number) for number in range(1, 99))
    every_byte = "".join(chr(number) for number in range(1, 256) if number not in {10, 13})
    state = PollState(
        url="https://a.example/feed",
        state=State.FAILING,
        reason="back-off: 3 errors in a row, 4 h",
        next_poll=next(moments),
        last_start=next(moments),
        last_success=next(moments),
        last_error="the server answered 500 Internal Server Error",
        last_error_at=next(moments),
        errors=3,
        blocked_until=next(moments),
        validators=Validators("https://a.example/feed", every_byte, None),
        adopted="https://new.example/feed",
        wait=5400.5,
        gap=86_400.25,
        last_new=next(moments),
        moving_to="https://new.example/other",
        moving_since=next(moments),
        moving_polls=4,
        gone_since=next(moments),
        gone_polls=2,
        missing_since=next(moments),
        unmodified_since=next(moments),
        refreshed=next(moments),
        hints=FeedHints(3600.0, 7200.0, frozenset({1, 2, 23}), frozenset({0, 6})),
    )
    assert store.finish(lease, lambda _: Settled(state), NOW)
    assert store.remembered()["a"].state == state
    bare = PollState("https://a.example/feed", next_poll=NOW + HOUR)
    (lease,) = store.claim(1, NOW + timedelta(days=50))
    assert store.finish(lease, lambda _: Settled(bare), NOW)
    assert store.remembered()["a"].state == bare


def test_a_source_that_is_removed_or_disabled_is_not_asked_and_not_listed_and_comes_back_as_it_was(
    store: Store,
) -> None:
    """ID-11"""
    three(store)
    for lease in store.claim(9, NOW):
        poll(store, lease, NOW, Seen([entry("one", lease.source)]))
    before = store.entries()
    store.sync([source("a"), Source(id="b", url="https://b.example/feed", enabled=False)], POLICY, NOW)
    assert [found.source for found in store.entries()] == ["a"]
    assert [found.source for found in store.entries(every=True)] == ["a", "b", "c"]
    assert list(store.remembered()) == ["a"]
    assert ids(store.claim(9, NOW + 99 * HOUR)) == ["a"]
    store.sync([source("c"), source("b"), source("a")], POLICY, NOW)
    assert [found.source for found in store.entries()] == ["c", "b", "a"]
    turned = [replace(found, place=(2 - found.place[0], found.place[1])) for found in before]
    assert sorted(store.entries(), key=by_source) == turned


def test_a_removed_source_is_not_asked_again_inside_the_base_when_it_comes_back(store: Store) -> None:
    """F-11, ID-11"""
    three(store)
    for lease in store.claim(9, NOW):
        poll(store, lease, NOW)
    store.sync([], POLICY, NOW)
    assert store.last_start("a", source("a").url) == NOW
    assert store.last_start("a", "https://new.example/feed") is None
    store.sync([source("a")], POLICY, NOW + timedelta(minutes=1))
    assert store.claim(9, NOW + timedelta(minutes=2)) == []


def test_an_edited_address_begins_anew_but_keeps_the_base_and_its_entries(store: Store) -> None:
    """F-11, F-36, F-38, ID-07"""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    gone = replace(
        lease.state, last_start=NOW, state=State.GONE, next_poll=None, adopted="https://x.example/", errors=7
    )
    assert store.finish(lease, lambda _: Settled(gone, Seen([entry("one")])), NOW)
    moved = source("a", "https://new.example/feed")
    store.sync([moved], POLICY, NOW + timedelta(minutes=1))
    state = store.remembered()["a"].state
    assert (state.url, state.adopted, state.errors, state.state) == ("https://new.example/feed", "", 0, State.OK)
    assert store.claim(9, NOW + HOUR - timedelta(seconds=1)) == []
    assert ids(store.claim(9, NOW + HOUR)) == ["a"]
    assert [found.key for found in store.entries()] == ["one"]


def test_a_result_of_the_old_address_is_refused_after_an_edit(store: Store) -> None:
    """Q-03, F-05: validators of one address are never those of another."""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    store.sync([source("a", "https://new.example/feed")], POLICY, NOW)
    assert not store.finish(lease, settle_with(lease, NOW, Seen([entry("old")])), NOW)


def test_many_new_sources_are_spread_over_the_interval(store: Store) -> None:
    """F-30"""
    store.sync([source(f"s{number:03}") for number in range(200)], POLICY, NOW)
    due = [found.state.next_poll or NOW for found in store.remembered().values()]
    assert len(set(due)) > 130
    assert max(due) < NOW + HOUR
    assert len(store.claim(999, NOW)) == due.count(NOW)


def test_a_longer_base_holds_at_once_for_what_was_planned_under_a_shorter_one(url: str) -> None:
    """F-11"""
    with opened(url, TERMS) as store:
        store.sync([source("a")], POLICY, NOW)
        (lease,) = store.claim(1, NOW)
        poll(store, lease, NOW)
    with opened(url, replace(TERMS, interval=6 * HOUR)) as store:
        assert store.claim(9, NOW + 5 * HOUR) == []
        assert ids(store.claim(9, NOW + 6 * HOUR)) == ["a"]


def test_a_clock_that_ran_ahead_silences_nobody_for_longer_than_a_month(store: Store) -> None:
    """F-51"""
    three(store)
    ahead = NOW + timedelta(days=200)
    first, second, _ = store.claim(9, ahead)
    poll(store, first, ahead)
    store.sync([source("a"), source("b"), source("c")], POLICY, NOW)
    assert sorted(ids(store.claim(9, NOW))) == ["a", "b", "c"]
    assert store.release(second) is False


def test_a_push_sets_the_base_aside_but_for_a_minute_between_requests(store: Store) -> None:
    """W-05: the push is spent by the request that it causes; after it the base holds again (F-11)."""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    asked = replace(lease.state, last_start=NOW, next_poll=NOW + 20 * HOUR)
    assert store.finish(lease, lambda _: Settled(asked), NOW)
    assert store.claim(9, NOW + 20 * MINUTE) == []
    assert store.make_due("a", NOW + timedelta(seconds=10))
    assert not store.make_due("nobody", NOW)
    assert store.claim(9, NOW + timedelta(seconds=59)) == []
    (lease,) = store.claim(9, NOW + MINUTE)
    begun = replace(lease.state, last_start=NOW + MINUTE, next_poll=NOW + MINUTE)
    assert store.start(lease, begun)
    assert store.finish(lease, lambda _: Settled(begun), NOW + MINUTE)
    assert store.claim(9, NOW + 5 * MINUTE) == []
    assert ids(store.claim(9, NOW + HOUR + MINUTE)) == ["a"]


def test_a_push_does_not_end_a_block(store: Store) -> None:
    """W-05, F-12: a running Retry-After holds."""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)
    blocked = replace(lease.state, last_start=NOW, next_poll=NOW + 5 * HOUR, blocked_until=NOW + 5 * HOUR)
    assert store.finish(lease, lambda _: Settled(blocked), NOW)
    assert not store.make_due("a", NOW + MINUTE)
    assert store.claim(9, NOW + 4 * HOUR) == []
    assert ids(store.claim(9, NOW + 5 * HOUR)) == ["a"]


# ---- entries ---------------------------------------------------------------------------------------------------------


def full() -> Entry:
    return entry(
        "k",
        text=Text("<p>whole</p>", "short", "lead"),
        authors=(Person("Ada", "ada@a.example", "https://ada.example/"), Person("Bo")),
        tags=("GPU", "C++"),
        lang="de",
        image="https://a.example/i.png",
        enclosures=(Enclosure("https://a.example/e.mp3", "audio/mpeg", 5, "e"), Enclosure("https://a.example/f")),
        origin=Origin("urn:o", "O", "https://o.example/feed", "https://o.example/", NOW, (Person("Q"),), "r"),
        place=(0, 4),
        link=None,
        title=None,
    )


def take(store: Store, now: datetime, seen: Seen, channel: FoundChannel | None = None) -> None:
    (lease,) = store.claim(1, now, Wanted(["a"], asked=True))
    state = replace(lease.state, last_start=now, next_poll=now + HOUR)
    assert store.finish(lease, lambda _: Settled(state, seen, channel), now)


def test_an_entry_comes_back_whole_and_its_text_when_it_is_asked_for(store: Store) -> None:
    """ID-01"""
    store.sync([source("a")], POLICY, NOW)
    whole = full()
    take(store, NOW, Seen([whole, entry("other")]))
    found = {one.key: one for one in store.entries()}
    assert found["k"] == replace(whole, text=None, seen=NOW)
    assert store.texts([("a", "k"), ("a", "nobody")]) == {("a", "k"): Text("<p>whole</p>", "short", "lead")}
    (lease,) = store.claim(1, NOW + HOUR)

    def settle(known: Known) -> Settled:
        assert known.entries()[0].text is not None
        assert {one.key: one for one in known.entries()}["k"] == whole
        return Settled(lease.state)

    assert store.finish(lease, settle, NOW + HOUR)


def test_a_changed_entry_is_changed_in_place_and_others_are_left(store: Store) -> None:
    """ID-09"""
    store.sync([source("a")], POLICY, NOW)
    take(store, NOW, Seen(in_order("one", "two")))
    take(store, NOW + HOUR, Seen(changed=[entry("one", words="edited", title="T", place=(0, 0))]))
    assert store.texts([("a", "one"), ("a", "two")]) == {
        ("a", "one"): Text("<p>edited</p>"),
        ("a", "two"): Text("<p>two</p>"),
    }
    assert [found.title for found in store.entries()] == ["T", "two"]


def test_an_entry_that_its_source_calls_by_another_id_stays_the_one_it_was(store: Store) -> None:
    """ID-04: known by the new one from then on, an edit in the same document included."""
    store.sync([source("a")], POLICY, NOW)
    take(store, NOW, Seen(in_order("one", "two"), keys=["one", "two"]))
    first = store.entries()
    edited = entry("uuid:1", id=first[0].id, title="Edited", words="edited", place=(0, 0))
    take(store, NOW + HOUR, Seen(changed=[edited], keys=["uuid:1", "two"], renamed={"one": "uuid:1"}))
    one, two = store.entries()
    assert (one.key, one.id, one.title, one.published) == ("uuid:1", first[0].id, "Edited", first[0].published)
    assert two == first[1]
    assert store.texts([("a", "one"), ("a", "uuid:1")]) == {("a", "uuid:1"): edited.text}
    assert store.forget(NOW + 9 * HOUR, keep=[]) == 0


def test_an_entry_that_left_its_document_stays_until_retention_ends_and_no_feed_holds_it(store: Store) -> None:
    """ID-10, store.retention"""
    store.sync([source("a")], POLICY, NOW)
    take(store, NOW, Seen(in_order("one", "two", "three"), keys=["one", "two", "three"]))
    take(store, NOW + HOUR, Seen(keys=["three"]))
    take(store, NOW + 2 * HOUR, Seen(keys=["two", "three"]))
    take(store, NOW + 3 * HOUR, Seen())
    assert len(store.entries()) == 3
    assert store.forget(NOW + HOUR, []) == 0
    assert store.forget(NOW + 9 * HOUR, [("a", "one")]) == 0
    assert store.forget(NOW + 9 * HOUR, []) == 1
    assert [found.key for found in store.entries()] == ["two", "three"]


def test_what_a_database_refuses_in_text_costs_itself_alone(store: Store) -> None:
    """X-08, OU-01: NUL, lone surrogates, and ids of any length."""
    store.sync([source("a")], POLICY, NOW)
    long = "k" * 20_000
    take(store, NOW, Seen([entry("nul", title="a\0b\ud800c"), entry(long), entry(long)], keys=["nul", long]))
    assert {found.key: found.title for found in store.entries()} == {"nul": "abc", long: long}
    assert store.texts([("a", long)]) == {("a", long): Text(f"<p>{long}</p>")}


def test_ids_that_other_sources_claim_are_found(store: Store) -> None:
    """ID-07, S-38"""
    store.sync([source("a"), source("b")], POLICY, NOW)
    take(store, NOW, Seen([entry("one")]))
    (lease,) = store.claim(1, NOW, Wanted(["b"]))

    def settle(known: Known) -> Settled:
        assert known.entries() == ()
        assert [found.source for found in known.claims({"https://a.example/one", "https://a.example/two"})] == ["a"]
        many = {f"https://a.example/{number}" for number in range(600)}
        assert [found.key for found in known.claims({*many, "https://a.example/one"})] == ["one"]
        assert known.claims(many) == known.claims({"https://a.example/two"}) == ()
        return Settled(lease.state)

    assert store.finish(lease, settle, NOW)


def test_entries_and_validators_are_written_together_or_not_at_all(store: Store) -> None:
    """V-37: what settles the poll fails, so nothing of it is there."""
    store.sync([source("a")], POLICY, NOW)
    (lease,) = store.claim(1, NOW)

    def settle(_: Known) -> Settled:
        raise ZeroDivisionError

    before = store.remembered()
    with pytest.raises(ZeroDivisionError):
        store.finish(lease, settle, NOW)
    assert store.remembered() == before


def test_a_channel_is_kept_until_the_next_one_is_told(store: Store) -> None:
    """MG-05"""
    store.sync([source("a"), source("b")], POLICY, NOW)
    channel = FoundChannel(
        id="urn:c",
        title="C",
        url="https://a.example/feed",
        home="https://a.example/",
        updated="2026-05-04T08:00:00Z",
        authors=(Person("Ada"),),
        rights="r",
        lang="de",
        hubs=("https://hub.example/",),
        description="d",
    )
    take(store, NOW, Seen(), channel)
    take(store, NOW + HOUR, Seen())
    assert store.channels() == {"a": channel}


def test_the_time_of_the_store_is_aware_and_about_now(store: Store) -> None:
    """Q-02"""
    assert abs(store.time() - datetime.now(UTC)) < timedelta(minutes=1)


# ---- pieces ----------------------------------------------------------------------------------------------------------


def in_order(*keys: str) -> list[Entry]:
    return [entry(key, place=(0, place)) for place, key in enumerate(keys)]


def by_source(found: Entry) -> str:
    return found.source
