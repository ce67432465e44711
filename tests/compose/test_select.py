"""Words are whole, filters come in sequence, caps hold (MG-10, MG-11, S-40, S-43)."""

import time

import pytest

from feedsvc.compose.decisions import Reason, Rule
from feedsvc.compose.select import filtered, folded, word_in
from feedsvc.settings.tree import FeedSettings, Topic
from tests.compose.making import PLANET, Completer, configured, foreign, keys, planned, post, source


@pytest.mark.parametrize(
    ("word", "text", "holds"),
    [
        ("HIP", "Porting to hip.", True),
        ("HIP", "shipping chips", False),
        ("HIP", "HIP-based, (HIP) and HIP/ROCm", True),
        ("HIP", "hip_runtime", False),
        ("HIP", "whip HIPS hip2", False),
        ("HIP", "HIP+CUDA", True),
        ("C++", "modern C++, please", True),
        ("C++", "libstdc++", False),
        ("C++", "C++20", False),
        ("C", "C++ and C#", False),
        ("C", "plain C.", True),
        ("C#", "in C# now", True),
        ("issue", "issue#12", True),
        (".NET", "on .NET 9", True),
        (".NET", "kokkos.net and .network", False),
        ("NET", "on .NET 9", False),
        ("ray tracing", "Ray\n  Tracing!", True),
        ("ray tracing", "raytracing", False),
        ("STRASSE", "die Straße", True),
        ("caf\u00e9", "CAFE\u0301", True),
        ("cafe", "CAFE\u0301", False),
        ("图形", "图形处理器", True),
        ("CUDA", "使用CUDA编程", True),
        ("a.*", "aaa", False),
        ("", "anything", False),
    ],
)
def test_words_are_compared_whole_and_without_case(word: str, text: str, holds: bool) -> None:
    """MG-11, S-43: never patterns; other scripts have no blanks between words."""
    assert (word_in([folded(text)], [word]) == word) is holds


def test_drop_beats_keep_and_says_which_word() -> None:
    """MG-11, SO-10."""
    fields = [folded("HIP sale"), folded("A sponsored post.")]
    assert filtered(fields, ["hip"], ["ad", "Sponsored"]) == Reason(Rule.DROP, "Sponsored")
    assert filtered(fields, ["CUDA", "SYCL"], []) == Reason(Rule.KEEP, "CUDA, SYCL")
    assert filtered(fields, ["HIP"], ["ad"]) is None
    assert filtered([], [], []) is None


def test_a_word_does_not_reach_from_one_field_into_the_next() -> None:
    """MG-11: title, teaser and tags are looked at one by one."""
    assert word_in([folded("ray"), folded("tracing")], ["ray tracing"]) is None


def test_searching_takes_linear_time() -> None:
    """S-43."""
    started = time.perf_counter()
    assert word_in(["a" * 200_000], ["a", "aa", "ab"]) is None
    assert time.perf_counter() - started < 5


def test_title_teaser_and_tags_are_looked_at_and_no_more_of_the_text() -> None:
    """MG-11."""
    planet = FeedSettings(name="planet", include=("sources",), keep=("HIP",), drop=("sponsored",))
    long = "word " * 60
    strangers = [
        foreign("s", "title", 5, title="Porting to HIP"),
        foreign("s", "teaser", 4, text="Uses hip calls."),
        foreign("s", "tag", 3, tags=("HIP",)),
        foreign("s", "deep", 2, text=f"{long} HIP"),
        foreign("s", "sale", 1, title="HIP sale", text="A sponsored post."),
    ]
    made = planned(configured(planet, sources=[source("s")]), [], strangers)
    assert keys(made) == ["title", "teaser", "tag"]


def test_filters_of_a_source_come_first_and_its_tags_count() -> None:
    """MG-10: source filters, then feed filters; the tags of a source are on each of its entries."""
    sources = [source("a", drop=("ad",), tags=("AMD",)), source("b")]
    feed = FeedSettings(name="planet", include=("sources",), tags=("amd",))
    strangers = [
        foreign("a", "x", 3),
        foreign("a", "ad", 2, title="An ad"),
        foreign("b", "y", 1),
        foreign("b", "z", tags=("Amd",)),
    ]
    made = planned(configured(feed, sources=sources), [], strangers)
    assert keys(made) == ["x", "z"]


def test_tags_of_topics_count_for_the_tags_of_a_feed() -> None:
    """MG-12: topics are tags; posts that cannot have one are not read."""
    feed = FeedSettings(name="planet", tags=("gpu",))
    topics = (Topic(name="gpu", title="GPU", match=("CUDA",)),)
    own = [post("a", 3), post("b", 2, tags=("gpu",)), post("c", 1, text="Other.")]
    assert keys(planned(configured(feed, topics=topics), own, complete=Completer(text=lambda _: "On CUDA."))) == [
        "a",
        "b",
    ]
    complete = Completer()
    assert keys(planned(configured(feed), own, complete=complete)) == ["b"]
    assert complete.asked == ["b"]


def test_a_cap_takes_the_newest_of_each_source_and_never_our_own() -> None:
    """MG-10, S-40: per_source counts what passed the filters, limit what all caps left."""
    feed = FeedSettings(name="planet", include=("posts", "sources"), per_source=2, limit=5, drop=("spam",))
    flood = [
        foreign("flood", f"f{number}", 10 + number, title="spam" if number == 9 else "Fine") for number in range(10)
    ]
    own = [post(f"p{number}", number) for number in range(3)]
    made = planned(
        configured(feed, sources=[source("flood"), source("calm")]), own, [*flood, foreign("calm", "c", 0.5)]
    )
    assert keys(made) == ["f8", "f7", "p2", "p1", "c"]


def test_a_feed_takes_only_what_it_includes() -> None:
    """Interface, feeds.include: posts, sources, or ids of sources."""
    feeds = (FeedSettings(name="one", include=("a",)), FeedSettings(name="mixed", include=("posts", "b")))
    made = planned(
        configured(*feeds, sources=[source("a"), source("b")]), [post("p")], [foreign("a", "x"), foreign("b", "y")]
    )
    assert (keys(made, "one"), keys(made, "mixed")) == (["x"], ["p", "y"])


def test_a_source_that_is_disabled_or_gone_leaves_every_feed() -> None:
    """ID-11."""
    settings = configured(PLANET, sources=[source("on"), source("off", enabled=False)])
    assert keys(planned(settings, [], [foreign("on", "x"), foreign("off", "y"), foreign("gone", "z")])) == ["x"]
