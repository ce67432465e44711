"""Which feeds there are and what each says of itself (interface, generating D7, D10, D11, G1, G2, I6)."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from feedsvc.model import Person, Show, Text
from feedsvc.settings.tree import Author, FeedSettings, Output, Site, TeaserSettings, Topic, WebSub
from tests.compose.making import NOW, PLANET, Completer, configured, feed_of, foreign, keys, planned, post, source


def test_the_default_feeds_are_posts_and_with_sources_a_planet() -> None:
    """Interface, feeds."""
    assert [feed.name for feed in planned(configured()).feeds] == ["posts"]
    assert [feed.name for feed in planned(configured(sources=[source("a")])).feeds] == ["posts", "planet"]


def test_a_feed_has_everything_its_documents_will_say() -> None:
    """I6, A2, K3, D10, V-13: ids from the authority, addresses from output.url."""
    site = Site(
        title="Warp",
        url="https://warp.example/b/",
        author=Author(name="Ada", url="https://ada.example/"),
        icon="i.png",
        logo="https://cdn.example/l.png",
        rights="CC0",
        language="de",
        id_authority="warp.example,2026",
    )
    settings = configured(
        PLANET,
        output=Output(url="https://cdn.example/f/", formats=("json", "atom")),
        websub=WebSub(hubs=("https://hub.example/",)),
        site=site,
    )
    feed = planned(settings, [post("a", 3, updated=post("a", 9).updated), post("b", 5)]).feeds[0]
    assert (feed.id, feed.path, feed.page, feed.home) == (
        "tag:warp.example,2026:feed/planet",
        "planet",
        "https://cdn.example/f/planet/",
        "https://cdn.example/f/planet/",
    )
    assert list(feed.urls.items()) == [
        ("json", "https://cdn.example/f/planet/feed.json"),
        ("atom", "https://cdn.example/f/planet/atom.xml"),
    ]
    assert feed.updated == post("", 9).updated
    assert (feed.authors, feed.lang, feed.rights) == ((Person("Ada", url="https://ada.example/"),), "de", "CC0")
    assert (feed.icon, feed.logo) == ("https://warp.example/b/i.png", "https://cdn.example/l.png")
    assert (feed.hubs, feed.ttl, feed.style) == (("https://hub.example/",), 30, "../assets/feed.css")


def test_titles_name_the_site_first() -> None:
    """G2: the first main feed is the site; others and tags say what they are."""
    feeds = planned(
        configured(FeedSettings(name="posts", path=""), PLANET, FeedSettings(name="x", title="Mine")),
        [post("a", tags=("CUDA",))],
    ).feeds
    assert [feed.title for feed in feeds] == ["Warp Notes", "Warp Notes: planet", "Mine", "Warp Notes: CUDA"]
    assert [feed.home for feed in feeds][:2] == ["https://warp.example/", "https://warp.example/planet/"]
    assert [feed.label for feed in feeds] == ["Posts", "Planet", "Mine", "CUDA"]


@pytest.mark.parametrize("authority", ["warp.example,2026", "warp.example,2026-05-01", "ada@warp.example,2026-05"])
def test_an_empty_feed_is_as_old_as_its_ids(authority: str) -> None:
    """D10: never the clock, so that equal input gives equal bytes."""
    site = Site(title="W", url="https://w.example/", author=Author(name="W"), id_authority=authority)
    feed = planned(configured(site=site)).feeds[0]
    assert (feed.items, feed.updated) == ((), datetime(2026, 1, 1, tzinfo=UTC))


def test_newest_first_and_ties_by_id() -> None:
    """D11."""
    own = [post("b", 1), post("c", 2), post("a", 1), post("d", 0, updated=NOW)]
    assert keys(planned(configured(), own), "posts") == ["c", "a", "b", "d"]


def test_a_post_from_the_future_waits_and_leaves_no_trace() -> None:
    """D7, F13, DT-11: no entry, no tag, no date."""
    later = post("later", published=NOW + timedelta(seconds=1), updated=NOW + timedelta(seconds=1), tags=("Next",))
    made = planned(configured(), [post("a"), later])
    assert [feed.name for feed in made.feeds] == ["posts"]
    assert keys(made, "posts") == ["a"]
    due = post("due", published=NOW, updated=NOW)
    assert keys(planned(configured(), [due]), "posts") == ["due"]


def test_an_update_from_the_future_is_not_believed() -> None:
    """D8, DT-11."""
    entry = post("a", updated=NOW + timedelta(days=1))
    feed = feed_of(planned(configured(), [entry]), "posts")
    assert feed.updated == feed.items[0].entry.updated == entry.published


def test_text_is_asked_for_only_where_a_feed_shows_it_and_once() -> None:
    """Speed of 10,000 posts: two feeds of 20 read 20 files."""
    complete = Completer()
    settings = configured(FeedSettings(name="posts", path=""), FeedSettings(name="full", content=Show.FULL, limit=10))
    made = planned(settings, [post(f"p{number:04}", number / 100) for number in range(10_000)], complete=complete)
    assert len(complete.asked) == len(set(complete.asked)) == 20
    assert keys(made, "full") == keys(made, "posts")[:10]


def test_a_post_that_cannot_be_read_is_left_out_and_the_next_moves_up() -> None:
    """B7: it costs its owner one entry."""
    settings = configured(FeedSettings(name="posts", path="", limit=2))
    made = planned(settings, [post("a", 3, tags=("Lost",)), post("b", 2), post("c", 1)], complete=Completer("a"))
    assert keys(made, "posts") == ["b", "c"]
    assert [feed.name for feed in made.feeds] == ["posts"], "a tag of no entry has no feed"


def test_each_tag_of_own_posts_has_a_feed_and_no_tag_of_strangers() -> None:
    """G1, G2, and what strangers write never makes a new file."""
    own = [post("b", 2, tags=("F#", "ray tracing", "shuffle")), post("a", 1, tags=("F", "Ray-Tracing"))]
    made = planned(configured(PLANET, sources=[source("s")]), own, [foreign("s", "x", tags=("Theirs",))])
    tags = {feed.label: [item.entry.key for item in feed.items] for feed in made.feeds if feed.kind == "tag"}
    assert tags == {"F#": ["b"], "F": ["a"], "Ray-Tracing": ["b", "a"], "shuffle": ["b"]}
    plain = next(feed for feed in made.feeds if feed.label == "shuffle")
    assert (plain.path, plain.id) == ("tags/shuffle", "tag:warp.example,2026:feed/tags/shuffle")
    assert plain.urls["atom"] == "https://warp.example/tags/shuffle/atom.xml"


def test_a_tag_feed_holds_the_twenty_newest() -> None:
    """Interface: the limit of a feed that says none."""
    made = planned(configured(), [post(f"p{number:02}", number, tags=("t",)) for number in range(25)])
    assert keys(made, "tags/t") == [f"p{number:02}" for number in range(24, 4, -1)]


def test_tag_feeds_and_author_feeds_are_switched() -> None:
    """Interface, output."""
    own = [post("a", 1, tags=("t",), authors=(Person("Ada Warp"), Person("Bo"))), post("b")]
    made = planned(configured(output=Output(tags=False, authors=True)), own)
    assert [(feed.kind, feed.path) for feed in made.feeds[1:]] == [
        ("author", "authors/ada-warp"),
        ("author", "authors/bo"),
        ("author", "authors/warp-notes"),
    ]
    assert made.feeds[1].id == "tag:warp.example,2026:feed/authors/ada-warp"


def test_topics_tag_entries_of_every_origin_and_have_a_feed() -> None:
    """MG-12: an entry in several topics is in each; a tag it has already is not said again."""
    topics = (
        Topic(name="rocm", title="AMD ROCm", match=("ROCm", "HIP")),
        Topic(name="nv", title="CUDA", match=("CUDA",)),
    )
    strangers = [
        foreign("s", "x", 2, text="About HIP and CUDA.", tags=("cuda",)),
        foreign("s", "y", 1, text="Shipping chips."),
    ]
    made = planned(configured(PLANET, sources=[source("s")], topics=topics), [post("a", 3, text="On rocm.")], strangers)
    assert (keys(made, "topics/rocm"), keys(made, "topics/nv")) == (["a", "x"], ["x"])
    assert [item.entry.tags for item in feed_of(made, "planet").items] == [("AMD ROCm",), ("cuda", "AMD ROCm"), ()]
    topic = feed_of(made, "topics/rocm")
    assert (topic.kind, topic.path, topic.label, topic.id) == (
        "topic",
        "topics/rocm",
        "AMD ROCm",
        "tag:warp.example,2026:feed/topics/rocm",
    )


def test_a_topic_without_entries_keeps_its_address() -> None:
    """Its readers have subscribed to it; the configuration names it, not an entry."""
    made = planned(configured(topics=(Topic(name="rocm", match=("ROCm",)),)), [post("a")])
    assert (keys(made, "topics/rocm"), feed_of(made, "topics/rocm").label) == ([], "rocm")


def test_each_feed_knows_itself_and_the_others_in_one_order() -> None:
    """G2: for autodiscovery, outlines and the navigation of pages, whose tabs do not change places."""
    made = planned(configured(FeedSettings(name="posts", path=""), PLANET), [post("a", tags=("t", "u"))])
    others = {feed.name: [(one.kind, one.label) for one in feed.related] for feed in made.feeds}
    assert others["posts"] == [("main", "Posts"), ("main", "Planet"), ("tag", "t"), ("tag", "u")]
    assert others["planet"] == others["posts"]
    assert others["tags/t"] == [("main", "Posts"), ("main", "Planet"), ("tag", "t"), ("tag", "u")]


def test_feeds_never_share_an_id() -> None:
    """I6."""
    own = [post("a", tags=("posts", "a", "A#"), authors=(Person("a"),))]
    made = planned(configured(output=Output(authors=True), topics=(Topic(name="a", match=("x",)),)), own)
    assert (
        len({feed.id for feed in made.feeds}) == len({feed.path.casefold() for feed in made.feeds}) == len(made.feeds)
    )


def test_of_two_wishes_the_poorer_holds() -> None:
    """MG-13: `content` of a source caps what any feed shows."""
    sources = [source("a", content=Show.TITLE), source("b"), source("c", content=Show.FULL)]
    feeds = (
        FeedSettings(name="full", include=("sources",), content=Show.FULL),
        FeedSettings(name="brief", include=("sources",)),
    )
    made = planned(configured(*feeds, sources=sources), [], [foreign(name, "x") for name in "abc"])
    assert [item.show for item in feed_of(made, "full").items] == [Show.TITLE, Show.TEASER, Show.FULL]
    assert [item.show for item in feed_of(made, "brief").items] == [Show.TITLE, Show.TEASER, Show.TEASER]


def test_an_entry_without_title_has_its_first_words_for_formats_that_demand_one() -> None:
    """TI-05, MG-13: but not where its text may not be shown."""
    settings = configured(PLANET, sources=[source("a"), source("b", content=Show.TITLE)])
    made = planned(settings, [], [foreign(name, "x", text="Short news.", title=None) for name in "ab"])
    assert [(item.title, item.entry.title) for item in feed_of(made, "planet").items] == [
        ("Short news.", None),
        ("", None),
    ]


def test_teasers_follow_the_configuration_and_the_language() -> None:
    """T3, T5, DX-06: a table of labels, and one label for all."""
    entries = [post("a", 2, text="one two three", lang="de-AT"), post("b", 1, text="one two three", lang="fr")]
    teaser = TeaserSettings(words=2, ellipsis="[...]", more={"en": "More", "de": "Mehr"})
    items = planned(configured(teaser=teaser), entries).feeds[0].items
    assert [item.teaser.html for item in items] == [
        '<p>one two [...] <a href="https://warp.example/a/">Mehr</a></p>',
        '<p>one two [...] <a href="https://warp.example/b/">More</a></p>',
    ]
    made = planned(configured(teaser=TeaserSettings(words=2, more="→")), entries).feeds[0]
    assert (made.items[0].teaser.html, made.more) == ('<p>one two … <a href="https://warp.example/a/">→</a></p>', "→")


def test_a_foreign_entry_is_teased_from_its_summary() -> None:
    """CO-02: own summaries stand whole, foreign ones are cut like all text."""
    settings = configured(PLANET, sources=[source("s")], teaser=TeaserSettings(words=2))
    text = Text("<p>The full text.</p>", summary="Its own summary.")
    made = planned(settings, [replace(post("a", 2), text=text)], [replace(foreign("s", "x", 1), text=text)])
    assert [item.teaser.text for item in feed_of(made, "planet").items] == ["Its own summary.", "Its own …"]
