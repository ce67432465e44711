"""When to ask next: the table of polling.md, F-09 to F-39 and F-51, as pure functions."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feedsvc.collect.answers import Answer, Failed, Fetched, Hop, NotModified, Validators
from feedsvc.collect.pacing import begin, first_poll, for_address, may_ask, next_poll
from feedsvc.collect.pollstate import FeedHints, Outcome, Policy, PollState, State, feed_hints
from feedsvc.collect.waits import out_of_skipped, spelled

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
URL = "https://blog.example/feed"
NEW = "https://new.example/feed"
POLICY = Policy()
FRESH = PollState(URL)
KEPT = Validators(URL, '"1"', "yesterday")
Headers = Mapping[str, str]


def feed(headers: Headers | None = None, chain: tuple[Hop, ...] = (), url: str = URL, status: int = 200) -> Fetched:
    return Fetched(url, status, headers or {}, b"<rss/>", 6, chain=chain)


def unmodified(headers: Headers | None = None, chain: tuple[Hop, ...] = (), url: str = URL) -> NotModified:
    return NotModified(url, headers or {}, chain)


def failure(status: int | None = None, headers: Headers | None = None, kind: str = "status") -> Failed:
    return Failed(kind, f"the server answered {status}", URL, status, headers or {})


def after(
    state: PollState, answer: Answer, now: datetime = NOW, chance: float = 0.0, policy: Policy = POLICY, new: int = 0,
    hints: FeedHints | None = None, fault: str = "",
) -> PollState:  # fmt: skip
    started, _ = begin(state, policy, now)
    return next_poll(started, Outcome(answer, fault, hints, new), policy, now, chance)


def wait(state: PollState, now: datetime = NOW) -> timedelta:
    assert state.next_poll is not None
    return state.next_poll - now


# ---- validators (F-03, F-04, F-06, F-10, F-48) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "fault", "kept"),
    [
        (feed({"etag": '"2"'}), "", Validators(URL, '"2"')),
        (feed({"last-modified": "x"}, status=203), "", Validators(URL, None, "x")),
        (feed({}), "", None),
        (feed({"etag": '"2"'}), "this is no feed", KEPT),
        (feed({"etag": '"2"'}, status=226), "", KEPT),
        (unmodified({"etag": '"2"'}), "", Validators(URL, '"2"', "yesterday")),
        (unmodified({}), "", KEPT),
        (failure(304, {"etag": '"2"'}, "unasked-304"), "", None),
        (failure(500, {"etag": '"2"'}), "", KEPT),
        (failure(None, kind="cut"), "", KEPT),
        (failure(410), "", KEPT),
        (failure(429), "", KEPT),
    ],
)
def test_validators_are_replaced_renewed_kept_or_cleared(answer: Answer, fault: str, kept: Validators | None) -> None:
    """F-03, F-04, F-06, F-10, F-48 and the table "What an answer does"."""
    assert after(replace(FRESH, validators=KEPT), answer, fault=fault).validators == kept


def test_a_source_that_says_304_for_a_month_is_asked_once_without_validators() -> None:
    """F-09: at most once in 24 h, and a whole answer ends it."""
    state = replace(FRESH, validators=KEPT, last_success=NOW)
    for day in range(31):
        state, ask = begin(state, POLICY, NOW + day * DAY)
        assert ask.validators == (KEPT if day < 30 else None)
        state = next_poll(state, Outcome(unmodified() if day < 30 else failure(500)), POLICY, NOW + day * DAY, 0)
    state, ask = begin(state, POLICY, NOW + 30 * DAY + 23 * HOUR)
    assert ask.validators == KEPT
    state, ask = begin(state, POLICY, NOW + 31 * DAY)
    assert ask.validators is None
    state = next_poll(state, Outcome(feed({"etag": '"2"'})), POLICY, NOW + 31 * DAY, 0)
    assert begin(state, POLICY, NOW + 40 * DAY)[1].validators == Validators(URL, '"2"')


# ---- the base (F-11, F-12, F-51) ---------------------------------------------------------------------------------


def test_a_request_that_was_begun_and_never_finished_costs_the_base() -> None:
    """F-11: a crash between request and commit."""
    started, ask = begin(FRESH, POLICY, NOW)
    assert ask.url == URL
    assert may_ask(started, POLICY, NOW) == NOW + HOUR
    assert may_ask(started, POLICY, NOW, asked=True) == NOW + HOUR


def test_asking_by_hand_sets_hints_and_back_off_aside_but_no_base_and_no_block() -> None:
    """F-12"""
    hinted = after(FRESH, feed({"cache-control": "max-age=36000"}))
    failing = after(replace(FRESH, errors=5), failure(500))
    blocked = after(FRESH, failure(429, {"retry-after": "14400"}))
    for state in (hinted, failing):
        assert (may_ask(state, POLICY, NOW) or NOW) > NOW + HOUR
        assert may_ask(state, POLICY, NOW, asked=True) == NOW + HOUR
    assert may_ask(blocked, POLICY, NOW, asked=True) == NOW + 4 * HOUR
    assert "2026-05-04 12:00" in blocked.reason


def test_a_clock_that_jumped_back_silences_nobody_for_more_than_a_month() -> None:
    """F-51: what was written by a clock that ran ahead is not believed."""
    ahead = after(FRESH, failure(503, {"retry-after": "999999"}), NOW + 200 * DAY)
    assert may_ask(ahead, POLICY, NOW) == NOW
    near = after(FRESH, feed(), NOW + 20 * DAY)
    assert NOW < (may_ask(near, POLICY, NOW) or NOW) <= NOW + 31 * DAY
    again = after(ahead, feed(), NOW, new=1)
    assert wait(again) == HOUR


def test_another_address_begins_anew_but_not_sooner_than_the_base() -> None:
    """F-11, F-36, F-38"""
    gone = replace(FRESH, state=State.GONE, last_start=NOW, adopted=NEW, validators=KEPT)
    edited = for_address(gone, "https://other.example/")
    assert edited == PollState("https://other.example/", last_start=NOW)
    assert may_ask(edited, POLICY, NOW) == NOW + HOUR
    assert for_address(gone, URL) == gone


# ---- Retry-After and back-off (F-14 to F-17, F-32, F-39) ---------------------------------------------------------


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("text", "hours"), [("14400", 4), ("86400", 24), ("60", 1), ("Mon, 04 May 2026 13:00:00 GMT", 5)]
)
def test_retry_after_is_kept_to_and_never_under_the_base(status: int, text: str, hours: int) -> None:
    """F-14, F-15"""
    state = after(FRESH, failure(status, {"retry-after": text}))
    assert (state.state, wait(state)) == (State.BLOCKED, hours * HOUR)


def test_a_retry_after_of_weeks_is_capped_at_a_month_and_remarked_upon() -> None:
    """F-15"""
    state = after(FRESH, failure(429, {"retry-after": str(90 * 86_400)}), chance=0.9)
    assert wait(state) == 31 * DAY
    assert "more than a week" in state.reason
    assert "more than a week" not in after(FRESH, failure(429, {"retry-after": "86400"})).reason


@pytest.mark.parametrize("status", [429, 503])
def test_without_retry_after_the_wait_doubles_from_an_hour_to_a_day_and_never_ends(status: int) -> None:
    """F-16, F-17"""
    state, waits = FRESH, []
    policy = Policy(interval=600)
    for _ in range(60):
        state = after(state, failure(status), policy=policy)
        waits.append(wait(state) / HOUR)
    assert waits[:7] == [1, 2, 4, 8, 16, 24, 24]
    assert waits[-1] == 24
    assert state.state is State.FAILING


@pytest.mark.parametrize("answer", [failure(500), failure(401), failure(404), failure(None, kind="dns"), failure(204)])
def test_errors_double_the_wait_until_a_success(answer: Failed) -> None:
    """F-32, F-39"""
    state, waits = FRESH, []
    for _ in range(8):
        state = after(state, answer)
        waits.append(wait(state) / HOUR)
    assert waits == [1, 2, 4, 8, 16, 24, 24, 24]
    assert state.last_error == answer.message
    assert "8 errors in a row" in state.reason
    good = after(state, feed())
    assert (good.errors, good.state, wait(good)) == (0, State.OK, HOUR)


def test_a_body_that_is_no_feed_is_a_failed_poll() -> None:
    """F-39"""
    state = after(FRESH, feed(), fault="this is no feed: a web page")
    assert (state.state, state.last_error) == (State.FAILING, "this is no feed: a web page")


def test_retry_after_of_a_redirect_counts_and_of_a_success_does_not() -> None:
    """F-14"""
    hop = Hop(URL, 302, {"retry-after": "14400"})
    assert wait(after(FRESH, feed(chain=(hop,), url=NEW))) == 4 * HOUR
    assert wait(after(FRESH, feed({"retry-after": "864000"}))) == HOUR


@pytest.mark.parametrize(("status", "kind"), [(302, "redirects"), (300, "status"), (307, "redirects")])
def test_retry_after_of_a_redirect_that_leads_nowhere_counts_as_well(status: int, kind: str) -> None:
    """F-14: on 3xx, whether there is an address to go on to or not."""
    state = after(FRESH, failure(status, {"retry-after": "86400"}, kind=kind))
    assert (state.state, wait(state), state.blocked_until) == (State.BLOCKED, 24 * HOUR, NOW + 24 * HOUR)
    assert wait(after(FRESH, failure(404, {"retry-after": "86400"}))) == HOUR


def test_a_host_that_is_blocked_for_another_source_is_no_failure_of_this_one() -> None:
    """F-18"""
    held = replace(failure(kind="held"), until=NOW + 5 * HOUR)
    state = after(replace(FRESH, validators=KEPT), held)
    assert (state.state, state.errors, wait(state)) == (State.BLOCKED, 0, 5 * HOUR)
    assert state.validators == KEPT


# ---- hints (F-21 to F-27) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [feed, unmodified])
def test_freshness_lengthens_on_200_and_on_304_and_is_capped_at_a_week(answer: Callable[[Headers], Answer]) -> None:
    """F-21, F-22, F-23"""
    state = replace(FRESH, validators=KEPT)
    assert wait(after(state, answer({"cache-control": "max-age=21600"}))) == 6 * HOUR
    assert wait(after(state, answer({"cache-control": "max-age=1"}))) == HOUR
    assert wait(after(state, answer({"cache-control": "max-age=99999999"}))) == 7 * DAY
    assert "fresh" in after(state, answer({"cache-control": "max-age=21600"})).reason


def test_the_hints_of_a_feed_lengthen_also_while_it_says_304_or_fails() -> None:
    """F-24, F-26"""
    state = after(FRESH, feed(), hints=feed_hints(ttl="360"))
    assert wait(state) == 6 * HOUR
    assert wait(after(state, unmodified())) == 6 * HOUR
    assert wait(after(state, failure(500))) == 6 * HOUR
    assert wait(after(state, feed(), hints=feed_hints())) == timedelta(hours=1.5)
    assert wait(after(FRESH, feed(), hints=feed_hints(period="daily", frequency="2"))) == 12 * HOUR


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        (feed_hints(ttl=" 60 "), FeedHints(ttl=3600)),
        (feed_hints(ttl="999999999"), FeedHints(ttl=59_999_999_940)),
        (feed_hints(ttl="-5"), FeedHints()),
        (feed_hints(ttl="1 hour"), FeedHints()),
        (feed_hints(ttl="9" * 5000), FeedHints()),
        (feed_hints(hours=["9", " 10 ", "24", "25", "-1", "x", ""]), FeedHints(skip_hours=frozenset({9, 10, 0}))),
        (feed_hints(hours=[str(hour) for hour in range(1, 25)]), FeedHints()),
        (feed_hints(days=["Monday", " sunday", "Montag"]), FeedHints(skip_days=frozenset({0, 6}))),
        (feed_hints(days="Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()), FeedHints()),
        (feed_hints(period="hourly", frequency="4"), FeedHints(update=900)),
        (feed_hints(period="Weekly", frequency="0"), FeedHints(update=7 * 86_400)),
        (feed_hints(period="sometimes"), FeedHints()),
    ],
)
def test_hints_are_read_as_they_stand_and_nonsense_is_left_out(read: FeedHints, meant: FeedHints) -> None:
    """F-24, F-25, F-26"""
    assert read == meant


def test_the_next_request_is_moved_out_of_skipped_hours_and_days() -> None:
    """F-25: the first poll needs no permission; jitter spreads what is moved."""
    hours = FeedHints(skip_hours=frozenset({9, 10, 11}))
    assert wait(after(FRESH, feed(), hints=hours)) == 4 * HOUR
    assert 4 * HOUR < wait(after(FRESH, feed(), hints=hours, chance=0.5)) < 5 * HOUR
    monday = FeedHints(skip_days=frozenset({0}))
    assert wait(after(FRESH, feed(), hints=monday)) == 16 * HOUR
    both = FeedHints(skip_hours=frozenset(range(23)), skip_days=frozenset(range(6)))
    assert out_of_skipped(NOW, both) == datetime(2026, 5, 10, 23, tzinfo=UTC)
    assert "skipped" in after(FRESH, feed(), hints=hours).reason
    assert out_of_skipped(NOW, FeedHints(skip_hours=frozenset(range(24)), skip_days=frozenset(range(7)))) == NOW


# ---- adaptive waits and spread (F-28 to F-30) --------------------------------------------------------------------


def test_nothing_new_waits_longer_and_something_new_halves() -> None:
    """F-28: between the base and max_interval."""
    state, waits = after(FRESH, feed(), new=10), []
    for _ in range(10):
        state = after(state, unmodified())
        waits.append(wait(state) / HOUR)
    assert waits[:3] == [1.5, 2.25, 3.375]
    assert waits[-1] == 24
    busy = after(state, feed(), NOW + 30 * DAY, new=1)
    assert wait(busy, NOW + 30 * DAY) == 12 * HOUR
    assert "adaptive" in busy.reason


def test_many_new_entries_at_once_shorten_the_wait_at_once() -> None:
    """F-28, F-29: by when they were first seen."""
    state = replace(after(FRESH, feed(), new=1), wait=86_400.0)
    assert wait(after(state, feed(), NOW + DAY, new=8), NOW + DAY) == timedelta(hours=1.5)


def test_jitter_is_added_and_never_taken() -> None:
    """F-30"""
    assert wait(after(FRESH, feed(), chance=0.5)) == HOUR * 1.05
    assert wait(after(FRESH, feed(), chance=0.5, policy=Policy(jitter=0))) == HOUR


def test_first_polls_of_many_sources_are_spread_over_the_interval() -> None:
    """F-30: a few are asked at once."""
    times = [first_poll(place, 1000, POLICY, NOW) for place in range(1000)]
    assert times == sorted(times)
    assert times[0] == NOW
    assert NOW + 0.9 * HOUR < times[-1] < NOW + HOUR
    assert {first_poll(place, 20, POLICY, NOW) for place in range(20)} == {NOW}


# ---- redirects and goodbyes (F-35 to F-38) -----------------------------------------------------------------------


def polled(state: PollState, answer: Answer, times: int, every: timedelta = 30 * HOUR) -> PollState:
    start = NOW if state.last_start is None else state.last_start + every
    for number in range(times):
        state = after(state, answer, start + number * every)
    return state


@pytest.mark.parametrize("status", [301, 308])
def test_a_lasting_redirect_is_adopted_after_ten_polls_and_seven_days(status: int) -> None:
    """F-36"""
    moved = feed(chain=(Hop(URL, status),), url=NEW)
    assert polled(FRESH, moved, 9).adopted == ""
    state = polled(FRESH, moved, 10)
    assert (state.adopted, state.url) == (NEW, URL)
    assert begin(state, POLICY, NOW + 30 * DAY)[1].url == NEW
    quick = polled(FRESH, moved, 100, HOUR)
    assert quick.adopted == ""
    assert polled(quick, moved, 70, HOUR).adopted == NEW


@pytest.mark.parametrize(
    "between",
    [
        feed(chain=(Hop(URL, 302),), url=NEW),
        feed(chain=(Hop(URL, 301), Hop("https://mid.example/", 302)), url=NEW),
        feed(chain=(Hop(URL, 301),), url="https://parked.example/"),
        feed(),
        failure(500),
    ],
)
def test_one_other_answer_begins_the_count_anew(between: Answer) -> None:
    """F-35, F-36: ten polls running."""
    moved = unmodified(chain=(Hop(URL, 301),), url=NEW)
    state = polled(polled(polled(FRESH, moved, 9), between, 1), moved, 9)
    assert state.adopted == ""
    assert polled(state, moved, 1).adopted == NEW


def test_a_redirect_to_what_is_no_feed_is_never_adopted() -> None:
    """F-36: a captive portal or a parked domain takes nothing over."""
    state = FRESH
    for number in range(30):
        state = after(state, feed(chain=(Hop(URL, 301),), url=NEW), NOW + number * 2 * DAY, fault="this is no feed")
    assert state.adopted == ""


def test_an_adopted_address_that_leads_home_is_given_up_again() -> None:
    """F-36"""
    home = feed(chain=(Hop(NEW, 301),), url=URL)
    assert polled(replace(FRESH, adopted=NEW), home, 10).adopted == ""


def test_410_ends_a_source_after_three_polls_and_seven_days() -> None:
    """F-38"""
    assert polled(FRESH, failure(410), 2, 10 * DAY).state is State.FAILING
    assert polled(FRESH, failure(410), 6).state is State.FAILING
    state = polled(FRESH, failure(410), 7)
    assert (state.state, state.next_poll) == (State.GONE, None)
    assert may_ask(state, POLICY, NOW + 60 * DAY, asked=True) is None
    assert "410" in state.reason


def test_another_answer_between_clears_410_and_silence_does_not() -> None:
    """F-38"""
    for between in (failure(404), failure(500), feed()):
        state = polled(polled(polled(FRESH, failure(410), 3), between, 1), failure(410), 3)
        assert state.state is State.FAILING
    assert polled(polled(polled(FRESH, failure(410), 3), failure(kind="dns"), 1), failure(410), 3).state is State.GONE


def test_404_is_dead_after_a_month_and_still_asked() -> None:
    """F-38"""
    state = polled(FRESH, failure(404), 25)
    assert state.state is State.DEAD
    assert wait(state, state.last_start or NOW) == DAY
    assert polled(FRESH, failure(404), 24).state is State.FAILING
    assert polled(state, feed(), 1).state is State.OK


# ---- properties --------------------------------------------------------------------------------------------------

texts = st.one_of(st.integers(-10, 10**7).map(str), st.sampled_from(["", "x", "Mon, 04 May 2026 13:00:00 GMT"]))
headers = st.fixed_dictionaries(
    {},
    optional={
        "retry-after": texts,
        "cache-control": st.one_of(texts.map("max-age={}".format), st.just("no-store")),
        "expires": texts,
        "age": texts,
        "date": texts,
    },
)
chains = st.lists(st.builds(Hop, st.just(URL), st.sampled_from([301, 302, 308]), headers), max_size=2).map(tuple)
statuses = st.one_of(st.none(), st.sampled_from([204, 304, 401, 404, 410, 429, 500, 503]))
answers = st.one_of(
    st.builds(feed, headers, chains, st.sampled_from([URL, NEW])),
    st.builds(unmodified, headers, chains),
    st.builds(failure, statuses, headers, st.sampled_from(["status", "dns", "unasked-304"])),
    st.integers(-100, 10**7).map(lambda some: replace(failure(kind="held"), until=NOW + timedelta(seconds=some))),
)
hours = st.frozensets(st.integers(0, 23))
seconds = st.floats(0, 10**8)
some_hints = st.builds(FeedHints, seconds, seconds, hours, st.frozensets(st.integers(0, 6)))
outcomes = st.builds(Outcome, answers, st.sampled_from(["", "", "no feed"]), st.none() | some_hints, st.integers(0, 50))
policies = st.builds(Policy, st.floats(60, 86_400), st.floats(60, 30 * 86_400), st.floats(0, 1))
chances = st.floats(0, 1, exclude_max=True)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(outcomes, chances, st.integers(0, 40 * 86_400)), min_size=1, max_size=12), policies)
def test_never_sooner_than_the_base_and_never_later_than_a_month(
    polls: list[tuple[Outcome, float, int]], policy: Policy
) -> None:
    """F-11, F-27: whatever answers come in whatever order, unless a source is gone."""
    state, now = FRESH, NOW
    for outcome, chance, later in polls:
        state, _ = begin(state, policy, now)
        state = next_poll(state, outcome, policy, now, chance)
        if state.state is State.GONE:
            assert state.next_poll is None
            return
        assert state.next_poll is not None
        assert now + timedelta(seconds=policy.interval) <= state.next_poll <= now + timedelta(days=31)
        assert state.reason
        allowed = may_ask(state, policy, now, asked=True)
        assert allowed is not None
        assert now + timedelta(seconds=policy.interval) <= allowed <= now + timedelta(days=31)
        now += timedelta(seconds=later)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(["max-age", "ttl", "retry-after"]), chances)
def test_a_longer_hint_never_makes_a_poll_earlier(some: int, more: int, kind: str, chance: float) -> None:
    """F-27: monotone in the hints."""

    def due(length: int) -> datetime:
        if kind == "max-age":
            state = after(FRESH, feed({"cache-control": f"max-age={length}"}), chance=chance)
        elif kind == "ttl":
            state = after(FRESH, feed(), hints=FeedHints(ttl=length), chance=chance)
        else:
            state = after(FRESH, failure(429, {"retry-after": str(length)}), chance=chance)
        assert state.next_poll is not None
        return state.next_poll

    less, greater = sorted((some, more))
    if kind == "retry-after" and less == 0:
        return  # none at all: the wait is the back-off, which may be longer than a short Retry-After
    assert due(less) <= due(greater)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 8 * 86_400), some_hints)
def test_what_is_moved_is_moved_forward_into_an_allowed_hour(offset: int, hints: FeedHints) -> None:
    """F-25: within a week, and lists that leave nothing are ignored."""
    moment = NOW + timedelta(seconds=offset)
    moved = out_of_skipped(moment, hints, 0.99)
    assert moment <= moved <= moment + timedelta(days=8)
    assert len(hints.skip_hours) == 24 or moved.hour not in hints.skip_hours
    assert len(hints.skip_days) == 7 or moved.weekday() not in hints.skip_days


def test_durations_are_spelled_for_people() -> None:
    """V-29"""
    assert [spelled(some) for some in (45, 2700, 3600, 5400, 86_400, 604_800)] == [
        *("45 s", "45 min", "1 h", "1.5 h", "24 h", "7 d"),
    ]
