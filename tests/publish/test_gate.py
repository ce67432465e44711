"""What is published of a feed with bad entries: the rest (OU-01, OU-03)."""

from msgspec.structs import replace

from feedsvc.model import Show, Teaser, Text
from feedsvc.publish.gate import admit
from tests.render import feeds


def test_a_sound_feed_is_admitted_whole_and_in_silence() -> None:
    feed = feeds.everything()
    admitted = admit(replace(feed, path="planet"))
    assert [each.path for each in admitted.documents] == ["planet/atom.xml", "planet/rss.xml", "planet/feed.json"]
    assert {(each.feed, each.changed) for each in admitted.documents} == {("posts", feed.updated)}
    assert (admitted.held, admitted.diagnostics) == ((), ())


def test_an_entry_that_spoils_one_format_is_left_out_of_all_and_named() -> None:
    """K1, OU-01: a relative address in RSS and JSON, an id that is none in Atom."""
    relative = feeds.item("bad-text", show=Show.FULL, text=Text('<p><img src="a.png"></p>'), path="posts/bad-text.md")
    nameless = feeds.foreign("bad-id", id="no uri", key="886840")
    admitted = admit(feeds.feed(feeds.item("good"), relative, nameless))
    assert admitted.held == ()
    assert [(each.path, each.code) for each in admitted.diagnostics] == [
        ("posts/bad-text.md", "entry-left-out"),
        ("openxla:886840", "entry-left-out"),
    ]
    assert "src of <img> in content is relative, 'a.png'" in admitted.diagnostics[0].message
    for document in admitted.documents:
        assert b"About good" in document.body
        assert b"About bad" not in document.body


def test_of_two_entries_with_one_id_the_second_is_left_out() -> None:
    """ID-08."""
    admitted = admit(feeds.feed(feeds.item("one"), feeds.item("two", id="tag:warp.example,2026:one")))
    assert [each.message for each in admitted.diagnostics] == [
        "entry 'About two' is left out of feed posts: its id tag:warp.example,2026:one stands in this feed before"
    ]
    assert len(admitted.documents) == 3


def test_a_feed_that_is_wrong_itself_is_held_back() -> None:
    admitted = admit(feeds.feed(feeds.item(), id="posts"))
    assert admitted.held == ("atom.xml",)
    assert [each.path for each in admitted.documents] == ["rss.xml", "feed.json"]
    assert [each.code for each in admitted.diagnostics] == ["bad-id"]


def test_a_feed_that_cannot_be_written_is_held_back_with_the_reason() -> None:
    admitted = admit(feeds.feed(feeds.item(teaser=Teaser("", "")), title=""))
    assert set(admitted.held) == {"atom.xml", "rss.xml", "feed.json"}
    assert "can't be written: Required fields not set (title)" in str(admitted.diagnostics[0])


def test_strangers_that_together_are_too_large_lose_their_largest_entries_and_no_more() -> None:
    """OU-01, S-36, S-40, X2: alone each of them would do."""
    floods = [feeds.foreign(f"flood-{number}", title=f"{number} " + "x" * 1_900_000) for number in range(3)]
    admitted = admit(feeds.feed(feeds.item("own"), *floods, feeds.foreign("small")))
    assert admitted.held == ()
    assert [each.code for each in admitted.diagnostics] == ["entry-left-out"]
    titles = [item.title[:9] for item in admitted.feed.items]
    assert titles == ["About own", "0 xxxxxxx", "1 xxxxxxx", "About sma"]
    assert len(admitted.documents) == 3
    assert len(str(admitted.diagnostics[0])) < 500


def test_posts_of_ours_that_together_are_too_large_are_held_back() -> None:
    """X2, K1: the limit is ours to lower, and no post of ours vanishes from a feed in silence."""
    own = [feeds.item(f"post-{number}", title=f"{number} " + "x" * 1_900_000) for number in range(3)]
    admitted = admit(feeds.feed(*own))
    assert set(admitted.held) == {"atom.xml", "rss.xml", "feed.json"}
    assert {each.code for each in admitted.diagnostics} == {"too-large"}
