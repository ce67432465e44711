"""Same story, same id: who wins (MG-01 to MG-04, MG-08, MG-09, ID-07, ID-08, S-38, S-39)."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from feedsvc.compose.identity import minted_for
from feedsvc.model import Copy, Entry, Origin
from feedsvc.settings.tree import FeedSettings
from feedsvc.text.urls import is_absolute_uri
from tests.compose.making import PLANET, START, configured, feed_of, foreign, keys, outline, planned, post, source

LINK = "https://orig.example/post-9/"
NAMES = ("digest", "repost", "orig")


def told(name: str, day: float, link: str | None = LINK, **more: object) -> Entry:
    return foreign(name, f"of-{name}", day, link=link, **more)


def winner(*entries: Entry, own: tuple[Entry, ...] = ()) -> list[str]:
    names = dict.fromkeys(entry.source for entry in entries)
    return keys(planned(configured(PLANET, sources=[source(name) for name in names]), own, entries))


def test_the_original_is_the_source_at_the_links_host() -> None:
    """MG-01, MG-03: whatever the order of sources and dates; tracking, www and slash are set aside."""
    digest = told("digest", 1, f"{LINK}?utm_source=d&utm_medium=rss")
    repost = told("repost", 2, "http://www.orig.example/post-9")
    assert winner(digest, repost, told("orig", 3)) == ["of-orig"]


def test_a_source_that_others_name_comes_next() -> None:
    """MG-03: `atom:source` or RSS `source` names it."""
    named = Origin("urn:x", "Blog", "http://repost.example/feed")
    link = "https://elsewhere.example/1"
    assert winner(told("digest", 1, link, origin=named), told("repost", 2, link)) == ["of-repost"]


def test_then_the_earliest_and_then_the_order_of_the_configuration() -> None:
    """MG-03."""
    link = "https://elsewhere.example/1"
    assert winner(told("digest", 2, link), told("repost", 1, link)) == ["of-repost"]
    assert winner(told("repost", 1, link), told("digest", 1, link)) == ["of-repost"]
    assert winner(told("digest", 1, link), told("repost", 1, link)) == ["of-digest"]


def test_our_own_post_always_wins() -> None:
    """MG-03, S-39: nobody replaces, hides or re-dates it by its link or its id."""
    own = post("mine", 5)
    thief = told("orig", 9, own.link or "", id=own.id, title="Stolen")
    made = planned(configured(PLANET, sources=[source("orig")]), [own], [thief])
    (item,) = feed_of(made, "planet").items
    assert (item.entry.id, item.entry.published, item.title) == (own.id, own.published, "Mine")


def test_copies_are_named_by_their_source_once_each() -> None:
    """MG-04: "also at", in the order of the configuration."""
    outlines = [outline("digest"), outline("repost", home=""), outline("orig")]
    entries = [
        told("repost", 1),
        told("digest", 2),
        replace(told("digest", 3), key="again", id="tag:d.example,2020:2"),
        told("orig", 4),
    ]
    settings = configured(PLANET, sources=[source(name) for name in NAMES])
    (item,) = feed_of(planned(settings, [], entries, outlines=outlines), "planet").items
    assert item.copies == (Copy("Digest", "https://digest.example/"), Copy("Repost", LINK))


def test_equal_ids_and_equal_titles_are_no_sign_and_nor_is_one_source() -> None:
    """MG-02."""
    equal = [foreign(name, "post-9", day, id="post-9", title="Release notes") for day, name in enumerate("ab")]
    assert winner(*equal) == ["post-9", "post-9"]
    twice = [foreign("a", "1", 1, link=LINK), foreign("a", "2", 0, link=LINK)]
    assert winner(*twice) == ["1", "2"]


def test_entries_without_link_are_never_copies() -> None:
    """MG-01, LI-06."""
    assert winner(foreign("a", "x", 1, link=None), foreign("b", "y", link=None)) == ["x", "y"]


def test_a_copy_stands_where_the_original_is_not_included() -> None:
    """MG-04: when the winner's source leaves, a copy takes the place; so in a feed without that source."""
    feeds = (PLANET, FeedSettings(name="digests", include=("digest",)))
    entries = [told("digest", 1), told("orig", 2)]
    made = planned(configured(*feeds, sources=[source("digest"), source("orig")]), [], entries)
    assert (keys(made), keys(made, "digests")) == (["of-orig"], ["of-digest"])
    gone = planned(configured(PLANET, sources=[source("digest"), source("orig", enabled=False)]), [], entries)
    assert keys(gone) == ["of-digest"]


def test_a_copy_takes_no_ones_place_in_a_cap() -> None:
    """MG-10: duplicates go before caps; and a filter that drops the original brings no copy back."""
    feed = FeedSettings(name="planet", include=("sources",), per_source=1, drop=("spam",))
    entries = [told("digest", 9), foreign("digest", "other", 1), told("orig", 5, title="spam")]
    made = planned(configured(feed, sources=[source("digest"), source("orig")]), [], entries)
    assert keys(made) == ["other"]


@pytest.mark.parametrize("claimed", ["tag:warp.example,2026:mine", "not a uri", "javascript:alert(1)", ""])
def test_an_id_of_ours_or_one_that_is_no_uri_becomes_a_minted_one(claimed: str) -> None:
    """ID-07, S-38, S-39."""
    made = planned(configured(PLANET, sources=[source("s")]), [post("mine", 1)], [foreign("s", "raw 1/ü", id=claimed)])
    assert [item.entry.id for item in feed_of(made, "planet").items] == [
        "tag:warp.example,2026:mine",
        "tag:warp.example,2026:sources/s:raw%201/%C3%BC",
    ]


def test_of_two_sources_that_claim_one_id_the_earlier_keeps_it() -> None:
    """ID-07, S-38: at most one; and the order of the entries decides nothing."""
    entries = [
        foreign("b", "x", 2, id="urn:isbn:1"),
        foreign("a", "y", 1, id="urn:isbn:1"),
        foreign("a", "z", 3, id="urn:isbn:1"),
    ]
    for order in (entries, entries[::-1]):
        made = planned(configured(PLANET, sources=[source("a"), source("b")]), [], order)
        ids = {item.entry.key: item.entry.id for item in feed_of(made, "planet").items}
        assert ids == {
            "y": "urn:isbn:1",
            "x": "tag:warp.example,2026:sources/b:x",
            "z": "tag:warp.example,2026:sources/a:z",
        }


def test_a_copy_of_a_story_may_have_its_id_in_a_feed_of_its_own() -> None:
    """ID-07: copies of one story share an id, for they never stand in one document."""
    feeds = (PLANET, FeedSettings(name="digests", include=("digest",)))
    entries = [told("digest", 1, id="urn:isbn:1"), told("orig", 2, id="urn:isbn:1")]
    made = planned(configured(*feeds, sources=[source("digest"), source("orig")]), [], entries)
    assert [feed.items[0].entry.id for feed in made.feeds] == ["urn:isbn:1", "urn:isbn:1"]


def test_a_story_whose_link_only_one_feed_of_its_blog_has_changed_yet_stays_one_story_under_its_id() -> None:
    """ID-04, MG-01: a blog and its category are asked at different times; whichever comes first changes no id."""
    home = "https://orig.example/"
    sources, outlines = [source("z-all"), source("a-cuda")], [outline("z-all", home), outline("a-cuda", home)]
    for first, second in (("old", "new"), ("new", "old"), ("new", "new")):
        entries = [told("z-all", 1, home + first, id="urn:isbn:1"), told("a-cuda", 1, home + second, id="urn:isbn:1")]
        for order in (entries, entries[::-1]):
            made = planned(configured(PLANET, sources=sources), [], order, outlines=outlines)
            assert [(item.entry.id, item.entry.key) for item in feed_of(made, "planet").items] == [
                ("urn:isbn:1", "of-z-all")
            ]


def test_an_id_stays_with_the_blog_whose_story_it_is_while_a_copy_has_the_old_link_yet() -> None:
    """ID-04, ID-07: also where the copy says that it was there earlier."""
    entries = [told("orig", 2, "https://orig.example/new", id="urn:isbn:1"), told("digest", 1, id="urn:isbn:1")]
    for order in (entries, entries[::-1]):
        made = planned(configured(PLANET, sources=[source("orig"), source("digest")]), [], order)
        assert {item.entry.source: item.entry.id for item in feed_of(made, "planet").items} == {
            "orig": "urn:isbn:1",
            "digest": "tag:warp.example,2026:sources/digest:of-digest",
        }


def test_who_tells_anothers_story_and_then_moves_away_leaves_its_id_behind() -> None:
    """ID-04, S-38: a copy has the id of the story; with a link of its own it is none, however early it says it was."""
    copied = told("thief", 1, id="urn:isbn:1", seen=START + timedelta(days=9))
    victim = told("orig", 2, id="urn:isbn:1", seen=START + timedelta(days=2))
    sources = [source("thief"), source("orig")]
    for thief in (copied, replace(copied, link="https://thief.example/evil")):
        for order in ([victim, thief], [thief, victim]):
            made = planned(configured(PLANET, sources=sources), [], order)
            assert {item.entry.id: item.entry.key for item in feed_of(made, "planet").items}["urn:isbn:1"] == "of-orig"


def test_an_entry_without_link_is_at_home_nowhere() -> None:
    """ID-07: also where its source has no site either."""
    first = told("digest", 2, id="urn:isbn:1", seen=START)
    later = told("thief", 1, None, id="urn:isbn:1", seen=START + timedelta(days=1))
    outlines = [outline("thief", ""), outline("digest")]
    made = planned(
        configured(PLANET, sources=[source("thief"), source("digest")]), [], [later, first], outlines=outlines
    )
    assert {item.entry.id: item.entry.key for item in feed_of(made, "planet").items}["urn:isbn:1"] == "of-digest"


def test_a_minted_id_that_is_taken_gets_a_number() -> None:
    """ID-08: by a file of ours, or by a stranger who writes ours down."""
    ours = post("sources/s:x", 1)
    made = planned(configured(PLANET, sources=[source("s")]), [ours], [foreign("s", "x", id="x")])
    assert [item.entry.id for item in feed_of(made, "planet").items] == [ours.id, f"{ours.id};2"]


@pytest.mark.parametrize("key", ["x" * 5000, "ü" * 3000, "\ud800", " ", "a\nb<c>"])
def test_any_raw_id_gives_a_valid_minted_one(key: str) -> None:
    """ID-07, I3: short and ASCII whatever the source wrote."""
    minted = minted_for(foreign("s", key), "warp.example,2026")
    assert is_absolute_uri(minted)
    assert len(minted) < 2000


def test_ties_follow_the_configuration_then_the_document() -> None:
    """MG-09: own posts first."""
    entries = [foreign("b", "b1", place=(0, 1)), foreign("b", "b0", place=(0, 0)), foreign("a", "a0", place=(1, 7))]
    made = planned(configured(PLANET, sources=[source("a"), source("b")]), [post("own")], entries)
    assert keys(made) == ["own", "a0", "b0", "b1"]


def test_the_configured_title_of_a_source_wins_over_its_own() -> None:
    """MG-08, MG-06: but an entry that came with its own source keeps that one."""
    settings = configured(PLANET, sources=[source("s", title="Ours")])
    theirs = Origin("urn:o", "Original Blog", "https://orig.example/feed")
    made = planned(settings, [], [foreign("s", "x", 1), foreign("s", "y", origin=theirs)])
    assert [item.entry.origin.title for item in feed_of(made, "planet").items if item.entry.origin] == [
        "Ours",
        "Original Blog",
    ]
