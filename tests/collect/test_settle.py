"""Dates, order and rivalry of posts (D4, D7, D8, D11, I4, I5)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from feedsvc.collect.posts import Post
from feedsvc.collect.settle import Settled, settle
from feedsvc.model import Entry, Level
from feedsvc.text.dates import PostDate

NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)
NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def post(
    name: str,
    when: datetime = NOON,
    updated: datetime | None = None,
    *,
    day: bool = False,
    link: str = "",
    entry_id: str = "",
) -> Post:
    entry = Entry(
        id=entry_id or f"tag:warp.example,2026:{name}",
        key=name,
        link=link or f"https://warp.example/{name}/",
        title=name,
        published=when,
        updated=when,
        path=f"posts/{name}.md",
    )
    return Post(entry, PostDate(when, day), PostDate(updated, day) if updated else None, updated_line=7)


def stamps(settled: Settled) -> dict[str, datetime]:
    return {entry.key: entry.updated for entry in settled.entries}


def keys(entries: Sequence[Entry]) -> list[str]:
    return [entry.key for entry in entries]


def test_the_newest_comes_first_and_ties_go_by_id() -> None:
    """D11."""
    posts = [post("b"), post("a"), post("new", NOON + timedelta(days=1)), post("old", NOON - timedelta(days=1))]
    assert keys(settle(posts, NOW).entries) == ["new", "a", "b", "old"]


def test_posts_with_only_a_date_differ_within_their_minute() -> None:
    """D4."""
    settled = stamps(settle([post(f"p{number}", day=True) for number in range(60)], NOW))
    assert {stamp.replace(second=0) for stamp in settled.values()} == {NOON}
    assert len(set(settled.values())) == 60


def test_another_post_of_that_day_moves_none_unless_both_drew_one_second() -> None:
    """D4: the second comes from the post's own id; of two with one the later in path order takes the next."""
    alone = stamps(settle([post("p1", day=True)], NOW))
    both = stamps(settle([post("p0", day=True), post("p1", day=True)], NOW))
    assert both["p1"] == alone["p1"]
    same = [post("x", day=True, entry_id="tag:a,2026:x"), post("y", day=True, entry_id="tag:a,2026:y")]
    drawn = {one.entry.key: stamps(settle([one], NOW))[one.entry.key] for one in same}
    rival = next(
        post("z", day=True, entry_id=f"tag:a,2026:z{number}")
        for number in range(999)
        if stamps(settle([post("z", day=True, entry_id=f"tag:a,2026:z{number}")], NOW))["z"] == drawn["x"]
    )
    settled = stamps(settle([same[0], rival], NOW))
    assert settled["x"] == drawn["x"]
    assert settled["z"] == drawn["x"].replace(second=(drawn["x"].second + 1) % 60)


def test_a_written_time_is_never_moved_and_a_drawn_one_keeps_clear_of_it() -> None:
    """D4."""
    drawn = stamps(settle([post("p", day=True)], NOW))["p"]
    settled = stamps(settle([post("p", day=True), post("written", drawn)], NOW))
    assert settled["written"] == drawn
    assert settled["p"] != drawn


def test_more_posts_of_a_day_than_seconds_stay_on_their_minute() -> None:
    """D4."""
    settled = stamps(settle([post(f"p{number}", day=True) for number in range(70)], NOW))
    assert {stamp.replace(second=0) for stamp in settled.values()} == {NOON}


def test_updates_with_only_a_date_differ_too() -> None:
    """D4: the validator looks at `updated`."""
    later = NOON + timedelta(days=3)
    posts = [post(f"p{number}", NOON - timedelta(days=number), later, day=True) for number in range(30)]
    settled = stamps(settle(posts, NOW))
    assert len(set(settled.values())) == 30
    assert {stamp.replace(second=0) for stamp in settled.values()} == {later}


def test_an_update_on_the_day_of_publication_is_the_publication() -> None:
    """D4, D8."""
    settled = settle([post("p", NOON, NOON, day=True)], NOW)
    assert settled.entries[0].updated == settled.entries[0].published


def test_a_post_from_the_future_waits_until_its_second() -> None:
    """D7."""
    soon, far = post("soon", NOW + timedelta(seconds=1)), post("far", NOW + timedelta(days=9))
    settled = settle([far, post("now", NOW), soon], NOW)
    assert (keys(settled.entries), keys(settled.waiting)) == (["now"], ["soon", "far"])
    assert settled.next_due == NOW + timedelta(seconds=1)
    assert keys(settle([far, soon], NOW + timedelta(seconds=1)).entries) == ["soon"]
    assert settle([post("now", NOW)], NOW).next_due is None


def test_a_bare_date_of_today_waits_for_its_drawn_second() -> None:
    """D4, D7: nothing is published before the date that it says."""
    drawn = stamps(settle([post("p", day=True)], NOW))["p"]
    assert keys(settle([post("p", day=True)], drawn - timedelta(seconds=1)).waiting) == ["p"]
    assert keys(settle([post("p", day=True)], drawn).entries) == ["p"]


def test_an_update_before_publication_counts_as_publication() -> None:
    """D8."""
    assert stamps(settle([post("p", NOON, NOON - timedelta(days=1))], NOW)) == {"p": NOON}
    assert stamps(settle([post("p", NOON, NOON + timedelta(days=1))], NOW)) == {"p": NOON + timedelta(days=1)}


def test_an_update_in_the_future_is_ignored_with_a_warning_until_then() -> None:
    """D8."""
    later = NOW + timedelta(days=1)
    settled = settle([post("p", NOON, later)], NOW)
    assert stamps(settled) == {"p": NOON}
    assert [(one.path, one.line, one.level, one.code) for one in settled.diagnostics] == [
        ("posts/p.md", 7, Level.WARNING, "future-update")
    ]
    assert settled.next_due == later
    assert stamps(settle([post("p", NOON, later)], later)) == {"p": later}


def test_of_two_posts_with_one_id_the_first_in_path_order_stays_and_both_are_named() -> None:
    """I4."""
    settled = settle([post("first", entry_id="tag:a,2026:x"), post("second", entry_id="tag:a,2026:x")], NOW)
    assert keys(settled.entries) == ["first"]
    assert [rival.entry.key for rival in settled.rivals] == ["second"]
    (found,) = settled.diagnostics
    assert (found.path, found.level, found.code) == ("posts/second.md", Level.ERROR, "duplicate-id")
    assert "posts/first.md" in str(found)


def test_of_two_posts_with_one_address_the_first_in_path_order_stays_and_both_are_named() -> None:
    """I5, S-29."""
    address = "https://warp.example/notes/"
    settled = settle([post("2024/notes", link=address), post("2025/notes", link=address), post("other")], NOW)
    assert keys(settled.entries) == ["2024/notes", "other"]
    (found,) = settled.diagnostics
    assert (found.path, found.code) == ("posts/2025/notes.md", "duplicate-address")
    assert "posts/2024/notes.md" in found.message


def test_a_post_that_still_waits_takes_nothing_from_one_that_is_published() -> None:
    """D7, B7: though it stands first in path order."""
    address = "https://warp.example/notes/"
    settled = settle([post("a", NOW + timedelta(days=1), link=address), post("b", link=address)], NOW)
    assert (keys(settled.entries), keys(settled.waiting)) == (["b"], [])


@given(st.lists(st.tuples(st.integers(-40, 80), st.booleans(), st.none() | st.integers(-90, 90)), max_size=25))
def test_whatever_the_dates_no_post_is_lost_early_or_updated_before_it_is_published(
    dates: list[tuple[int, bool, int | None]],
) -> None:
    """D4, D7, D8, D11."""
    posts = [
        post(
            f"p{place:02}",
            NOON + timedelta(days=day),
            None if update is None else NOON + timedelta(days=update),
            day=bare,
        )
        for place, (day, bare, update) in enumerate(dates)
    ]
    settled = settle(posts, NOW)
    assert sorted(keys((*settled.entries, *settled.waiting))) == [one.entry.key for one in posts]
    assert all(entry.published <= entry.updated <= NOW for entry in settled.entries)
    assert all(NOW < entry.published <= entry.updated for entry in settled.waiting)
    assert [entry.published for entry in settled.entries] == sorted(
        (e.published for e in settled.entries), reverse=True
    )
    assert settled.next_due is None or settled.next_due > NOW
    assert settle(posts, NOW) == settled
