"""Archives of older entries (generating P0 to P3, RFC 5005 §4)."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feedsvc.compose.feeds import Plan
from feedsvc.model import Feed, Origin, archive_in
from feedsvc.settings.tree import FeedSettings, WebSub
from tests.compose.making import NOW, PLANET, configured, feed_of, foreign, planned, post, source

POSTS = FeedSettings(name="posts", path="", limit=5, archive=True)


def built(number: int, limit: int = 5, **more: object) -> Plan:
    """Return a plan over so many posts, a day apart."""
    feed = replace(POSTS, limit=limit)
    return planned(configured(feed, **more), [post(f"p{day:03}", day) for day in range(number)])


def keys_of(feed: Feed) -> list[str]:
    return [item.entry.key for item in feed.items]


def walked(made: Plan, name: str = "posts") -> list[Feed]:
    """Return a feed and its archives, one after the other as their links lead back."""
    by_page = {feed.page: feed for feed in made.whole}
    found = [feed_of(made, name)]
    while found[-1].older:
        found.append(by_page[found[-1].older.page])
    return found


def test_older_entries_lie_in_full_archives_filled_from_the_oldest() -> None:
    """P0, P1, P2"""
    made = built(12)
    feed, second, first = walked(made)
    assert keys_of(feed) == ["p011", "p010", "p009", "p008", "p007"]
    assert keys_of(second) == ["p009", "p008", "p007", "p006", "p005"]
    assert keys_of(first) == ["p004", "p003", "p002", "p001", "p000"]
    assert [one.path for one in (second, first)] == ["archive/2", "archive/1"]
    assert first.urls["atom"] == "https://warp.example/archive/1/atom.xml"
    assert made.archives == (second, first)


def test_an_archive_knows_its_feed_and_its_neighbours() -> None:
    """P1: `current`, `next-archive` but the last, `prev-archive` but the first; I6: the same id."""
    feed, third, second, first = walked(built(17, websub=WebSub(hubs=("https://hub.example/",))))
    assert (feed.current, feed.newer) == (None, None)
    for one in (first, second, third):
        assert one.current is not None
        assert (one.current.urls, one.id, one.hubs, one.ttl) == (feed.urls, feed.id, (), None)
        assert one.updated == max(item.entry.updated for item in one.items)
    assert first.older is None
    assert third.newer is None
    assert [one.newer and one.newer.page for one in (first, second)] == [second.page, third.page]


def test_a_feed_that_holds_all_has_no_archive() -> None:
    """P0"""
    assert [len(built(number).archives) for number in (0, 1, 5, 6, 10, 11)] == [0, 0, 0, 1, 1, 2]
    settings = configured(replace(POSTS, archive=False))
    made = planned(settings, [post(f"p{day}", day) for day in range(20)])
    assert (made.archives, made.feeds[0].older) == ((), None)


@given(st.integers(0, 60), st.integers(1, 9))
def test_walking_back_meets_every_entry(number: int, limit: int) -> None:
    """P1: none is missing between the documents, each stands in one archive at most."""
    documents = walked(built(number, limit))
    assert {key for one in documents for key in keys_of(one)} == {f"p{day:03}" for day in range(number)}
    archived = [key for one in documents[1:] for key in keys_of(one)]
    assert len(archived) == len(set(archived))
    assert {len(one.items) for one in documents[1:]} <= {limit}


@given(st.integers(1, 40), st.integers(1, 7))
def test_a_new_post_changes_at_most_the_newest_archive(number: int, limit: int) -> None:
    """P2: and of that the way to the next one alone."""
    before = {one.page: one for one in built(number, limit).archives}
    after = {one.page: one for one in built(number + 1, limit).archives}
    changed = [page for page, one in before.items() if after[page] != one]
    assert changed in ([], [max(before, key=lambda page: before[page].updated, default="")])
    assert all(replace(after[page], newer=None) == before[page] for page in changed)


def test_caps_hold_for_the_feed_and_filters_for_the_archives_too() -> None:
    """P1, MG-10: a flood is kept out of the feed and stays in its past."""
    feed = replace(PLANET, limit=3, per_source=1, drop=("webinar",), archive=True)
    strangers = [foreign("a", f"a{day}", day) for day in range(6)]
    strangers += [foreign("b", "b", 2.5), foreign("b", "ad", 1.5, "A webinar.")]
    made = planned(configured(feed, sources=[source("a"), source("b")]), strangers=strangers)
    found = walked(made, "planet")
    assert [keys_of(one) for one in found] == [["a5", "b"], ["a4", "a3", "b"], ["a2", "a1", "a0"]]
    assert found[1].path == "planet/archive/2"


@given(st.integers(0, 12), st.integers(0, 5), st.integers(1, 4), st.integers(1, 3))
def test_what_per_source_keeps_out_of_a_feed_is_in_its_archives(many: int, few: int, limit: int, most: int) -> None:
    """P1, P2: none is missing between the documents, also not one of a flood that is younger than the last full one."""
    feed = replace(PLANET, limit=limit, per_source=most, archive=True)
    settings = configured(feed, sources=[source("a"), source("b")])

    def built_of(number: int) -> list[Feed]:
        strangers = [foreign("a", f"a{day}", day) for day in range(number)]
        strangers += [foreign("b", f"b{day}", day + 0.5) for day in range(few)]
        return walked(planned(settings, strangers=strangers), "planet")

    documents = built_of(many)
    keys = {f"a{day}" for day in range(many)} | {f"b{day}" for day in range(few)}
    assert {key for one in documents for key in keys_of(one)} == keys
    assert {len(one.items) for one in documents[2:]} <= {limit}
    if few <= many:  # what comes then is the newest
        later = {one.page: keys_of(one) for one in built_of(many + 1)}
        assert all(later[one.page] == keys_of(one) for one in documents[1:] if len(one.items) == limit)


def test_what_a_source_brings_later_changes_no_archive() -> None:
    """P2: the date of the source of an entry is not told there."""
    feed = replace(PLANET, limit=2, archive=True)
    settings = configured(feed, sources=[source("a")])

    def archives(hour: int) -> tuple[Feed, ...]:
        said = Origin("https://a.example/", "A", "https://a.example/feed", updated=NOW.replace(hour=hour))
        return planned(settings, strangers=[foreign("a", f"a{day}", day, origin=said) for day in range(6)]).archives

    assert archives(1) == archives(2)


def test_a_new_tag_changes_no_page_of_an_archive() -> None:
    """P2, N2"""
    settings = configured(POSTS)
    posts = [post(f"p{day}", day, tags=("old",)) for day in range(12)]
    before = planned(settings, posts).archives
    assert planned(settings, [*posts, post("new", 12, tags=("new",))]).archives == before


def test_paths_of_archives_are_told_from_others() -> None:
    assert archive_in("archive/3/atom.xml") == "archive/3"
    assert archive_in("/planet/archive/12/index.html") == "archive/12"
    for path in ("archive/atom.xml", "tags/archive/atom.xml", "my-archive/1/rss.xml", "archive/1/x/atom.xml", ""):
        assert archive_in(path) == ""
