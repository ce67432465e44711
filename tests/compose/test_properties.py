"""What holds for every set of entries (D11, MG-09, MG-10, ID-08, S-39)."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.model import Entry
from feedsvc.settings.tree import FeedSettings, Topic
from tests.compose.making import NOW, START, configured, foreign, planned, post, source

DAYS = st.integers(0, 4)
LINKS = st.sampled_from(
    [None, "https://a.example/1", "http://www.a.example/1/?utm_x=1", "https://b.example/2", "https://warp.example/p1/"]
)
IDS = st.sampled_from(
    ["urn:isbn:1", "urn:isbn:2", "tag:warp.example,2026:p1", "tag:warp.example,2026:sources/a:k1", "no uri", "k1"]
)
SOURCES = [source("a"), source("b", keep=("word",)), source("c")]
FEEDS = (
    FeedSettings(name="planet", include=("posts", "sources"), limit=6, per_source=2, drop=("spam",)),
    FeedSettings(name="all", include=("posts", "sources"), limit=500),
    FeedSettings(name="sources", include=("sources",), limit=500),
)
SETTINGS = configured(*FEEDS, sources=SOURCES, topics=(Topic(name="t", title="T", match=("word",)),))


@st.composite
def strangers(draw: st.DrawFn) -> list[Entry]:
    names = draw(st.lists(st.tuples(st.sampled_from("abcx"), st.integers(1, 6)), max_size=14, unique=True))
    return [
        foreign(
            name,
            f"k{number}",
            draw(DAYS),
            text=draw(st.sampled_from(["a word", "spam", ""])),
            link=draw(LINKS),
            id=draw(IDS),
            place=(0, number),
        )
        for name, number in names
    ]


OWN = st.lists(st.integers(1, 6), max_size=5, unique=True).flatmap(
    lambda numbers: st.tuples(
        *(st.builds(lambda day, number=number: post(f"p{number}", day), DAYS) for number in numbers)
    )
)


@given(OWN, strangers(), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_the_order_in_which_entries_come_changes_nothing(
    own: tuple[Entry, ...], found: list[Entry], random: object
) -> None:
    """MG-09: same set, same order, on each machine and each run."""
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert planned(SETTINGS, own[::-1], shuffled).feeds == planned(SETTINGS, own, found).feeds


@given(OWN, strangers())
@settings(max_examples=150)
def test_every_feed_is_in_order_has_each_id_once_and_keeps_its_caps(own: tuple[Entry, ...], found: list[Entry]) -> None:
    """D11, ID-08, MG-02, MG-10."""
    for feed in planned(SETTINGS, own, found).feeds:
        dates = [item.entry.published for item in feed.items]
        assert dates == sorted(dates, reverse=True)
        ids = [item.entry.id for item in feed.items]
        assert len(set(ids)) == len(ids)
        assert feed.updated >= max(dates, default=START)
    planet = next(feed for feed in planned(SETTINGS, own, found).feeds if feed.name == "planet")
    taken = Counter(item.entry.source for item in planet.items if not item.entry.own)
    assert len(planet.items) <= 6
    assert max(taken.values(), default=0) <= 2


@given(OWN, strangers())
@settings(max_examples=150)
def test_no_stranger_changes_an_own_post(own: tuple[Entry, ...], found: list[Entry]) -> None:
    """S-39: id, link, date and place among its own stay, whatever strangers claim."""
    alone = [item.entry for item in planned(SETTINGS, own, []).feeds[1].items]
    among = [item.entry for item in planned(SETTINGS, own, found).feeds[1].items if item.entry.own]
    assert among == alone


@given(OWN, strangers())
@settings(max_examples=100)
def test_every_entry_is_held_or_has_a_reason(own: tuple[Entry, ...], found: list[Entry]) -> None:
    """SO-10: in each main feed, exactly one of both."""
    made = planned(SETTINGS, own, found)
    for feed in made.feeds[:3]:
        held = {(item.entry.source, item.entry.key) for item in feed.items}
        out = [(each.entry.source, each.entry.key) for each in made.decisions if each.feed in {feed.name, ""}]
        assert len(out) == len(set(out))
        assert held.isdisjoint(out)
        assert held | set(out) == {(entry.source, entry.key) for entry in (*own, *found)}


@given(OWN, strangers(), st.integers(1, 400))
@settings(max_examples=50)
def test_nothing_in_a_feed_is_later_than_now(own: tuple[Entry, ...], found: list[Entry], days: int) -> None:
    """D7, DT-11: neither a date of an entry nor that of the feed."""
    later = [post(f"f{number}", days + number) for number in range(3)]
    for feed in planned(SETTINGS, (*own, *later), found).feeds:
        assert all(item.entry.published <= item.entry.updated <= NOW for item in feed.items)
        assert feed.updated <= NOW
