"""`explain` answers for what is published and for what was kept out (SO-10, MG-04)."""

import pytest

from feedsvc.compose.decisions import Reason, Rule
from feedsvc.compose.explain import Explanation, Held, explain
from feedsvc.compose.feeds import Plan
from feedsvc.settings.tree import FeedSettings
from tests.compose.making import NOW, configured, foreign, planned, post, source

FEEDS = (
    FeedSettings(name="posts", path=""),
    FeedSettings(name="planet", include=("posts", "sources"), limit=3, per_source=1, drop=("spam",), keep=("good",)),
)
SOURCES = (source("s", drop=("advert",)), source("t"), source("off", enabled=False))


def made(*, thorough: bool = True) -> Plan:
    own = [
        post("a", 9, text="All good.", tags=("x",)),
        post("later", published=NOW.replace(year=2099), text="good"),
        post("old", 0.5, text="Nothing of it."),
    ]
    strangers = [
        foreign("s", "first", 8, text="good"),
        foreign("s", "second", 7, text="good"),
        foreign("s", "ad", 7, title="Advert"),
        foreign("t", "copy", 6, text="good", link="https://s.example/first?utm_source=t"),
        foreign("t", "sold", 5, title="good spam"),
        foreign("t", "kept", 4, text="good", id="taken"),
        foreign("t", "older", 0.2, text="good"),
        foreign("t", "oldest", 0.1, title="spam"),
        foreign("off", "x", 3),
        foreign("gone", "y", 3),
    ]
    return planned(configured(*FEEDS, sources=SOURCES), own, strangers, thorough=thorough)


def why(query: str) -> dict[str, str]:
    (found,) = explain(made(), query)
    return {feed: str(reason) for feed, reason in found.kept_out}


@pytest.mark.parametrize(
    "query",
    [
        "tag:warp.example,2026:a",
        "a",
        "posts/a.md",
        "./posts/a.md",
        "posts/a",
        "a.md",
        "https://warp.example/a/",
        "http://www.warp.example/a?utm_source=x",
        " posts/a.md\n",
    ],
)
def test_an_own_post_is_found_by_id_link_and_path(query: str) -> None:
    """SO-10: and the feeds that hold it are named."""
    (found,) = explain(made(), query)
    assert found.entry is not None
    assert (found.entry.key, found.feeds, found.kept_out) == ("a", ("posts", "planet", "tags/x"), ())


def test_a_foreign_entry_is_found_by_the_id_that_its_source_wrote() -> None:
    """SO-10: as published and as written."""
    for query in ("kept", "tag:warp.example,2026:sources/t:kept", "https://t.example/kept/", "/kept"):
        (found,) = explain(made(), query)
        assert found.entry is not None
        assert (found.entry.id, found.feeds) == ("tag:warp.example,2026:sources/t:kept", ("planet",))


@pytest.mark.parametrize(
    ("query", "feed", "reason"),
    [
        ("later", "", "it waits for its date, 2099-06-15T12:00:00+00:00"),
        ("ad", "", "it holds “advert”, a word of drop"),
        ("x", "", "its source off is disabled"),
        ("y", "", "its source gone is not in the configuration"),
        ("first", "posts", "the feed does not include where it comes from"),
        ("copy", "planet", "it is a copy of https://s.example/first"),
        ("sold", "planet", "it holds “spam”, a word of drop"),
        ("second", "planet", "newer entries of its source are there, and the feed takes 1 of each source"),
        ("old", "planet", "it holds none of the words good"),
        ("older", "planet", "newer entries of its source are there, and the feed takes 1 of each source"),
        ("oldest", "planet", "it holds “spam”, a word of drop"),
    ],
)
def test_the_rule_that_kept_an_entry_out_is_named(query: str, feed: str, reason: str) -> None:
    """SO-10: filter and word, cap, duplicate and of which, disabled source, future."""
    assert why(query)[feed] == reason


def test_a_full_feed_says_how_many_it_takes() -> None:
    """SO-10: the limit."""
    own = [post(f"p{number}", number, text="good") for number in range(5)]
    (found,) = explain(planned(configured(*FEEDS), own, thorough=True), "p1")
    assert found.kept_out == (("planet", Reason(Rule.LIMIT, "3")),)


def test_the_copies_of_an_original_are_named() -> None:
    """MG-04."""
    (found,) = explain(made(), "first")
    assert [entry.key for entry in found.copies] == ["copy"]


def test_a_held_file_answers_by_its_path() -> None:
    """SO-10: a draft is no entry, and there is still an answer."""
    draft = Held("posts/draft.md", "it is a draft")
    assert explain(made(), "draft.md", [draft, Held("posts/other.md", "private")]) == (Explanation(None, held=draft),)


def test_an_id_that_its_source_gave_to_several_names_them_all() -> None:
    """SO-10, ID-05: their keys go on behind a tab."""
    twins = [foreign("t", f"post\thttps://t.example/{name}", 3, link=f"https://t.example/{name}") for name in "ab"]
    plan = planned(configured(*FEEDS, sources=SOURCES), [], twins)
    assert [found.entry.link for found in explain(plan, "post") if found.entry] == [twin.link for twin in twins]


def test_a_held_post_answers_by_the_id_and_the_link_it_would_have() -> None:
    """SO-10."""
    draft = Held("posts/draft.md", "it is a draft", ("tag:warp.example,2026:draft", "https://warp.example/draft/"))
    for query in ("tag:warp.example,2026:draft", "http://warp.example/draft"):
        assert explain(made(), query, [draft]) == (Explanation(None, held=draft),)


def test_what_nobody_knows_has_no_explanation() -> None:
    """SO-10."""
    for query in ("", "nothing", "https://nowhere.example/", "md"):
        assert explain(made(), query, [Held("posts/draft.md", "")]) == ()


def test_asking_thoroughly_changes_no_feed() -> None:
    """SO-10: explain shows what build does."""
    assert made().feeds == made(thorough=False).feeds
