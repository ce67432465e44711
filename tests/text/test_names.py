"""Slugs and ids: names that are published for ever."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.text.urls import is_absolute_uri, is_feed_id, minted_id, slugify


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Hello, World!", "hello-world"),
        ("C++", "c"),
        ("Füße & Æther", "fusse-aether"),
        ("don’t panic", "dont-panic"),
        ("../../etc", "etc"),
        ("RDNA/3 – MI300X", "rdna-3-mi300x"),
    ],
)
def test_a_slug_is_made_of_latin_letters_digits_and_single_hyphens(text: str, slug: str) -> None:
    """S-28."""
    assert slugify(text) == slug


def test_other_scripts_get_a_digest_that_depends_on_nothing_else() -> None:
    """S-28, G1: two tags of other scripts never share a slug, however they are composed."""
    assert slugify("日本語") != slugify("한국어")
    assert slugify("CUDA 日本語").startswith("cuda-")
    assert slugify("CUDA 日本語") != slugify("CUDA")
    assert slugify("e\u0301tude 中") == slugify("\xe9tude 中")


@pytest.mark.parametrize("name", ["index", "Feed", "ATOM", "rss", "con", "nul", "com1", "LPT9"])
def test_a_name_that_means_something_else_is_no_slug(name: str) -> None:
    """S-28."""
    assert slugify(name) == f"{name.lower()}-1"


@settings(max_examples=200)
@given(st.text(max_size=120), st.integers(0, 4))
def test_any_text_has_a_slug_that_no_one_else_has(text: str, others: int) -> None:
    """S-28."""
    taken: set[str] = set()
    for _ in range(others):
        taken.add(slugify(text, taken))
    slug = slugify(text, taken)
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", slug)
    assert len(slug) <= 80
    assert slug not in taken
    assert len(taken) == others


def test_a_minted_id_is_ascii_with_its_authority_in_lower_case() -> None:
    """I3, RFC 4151."""
    assert minted_id("GPU-notes.example,2026", "feed/tags/cuda") == "tag:gpu-notes.example,2026:feed/tags/cuda"
    assert minted_id("a.example,2026", "2026/über uns", "a#b") == "tag:a.example,2026:2026/%C3%BCber%20uns/a%23b"
    assert minted_id("a.example,2026", "50%25") != minted_id("a.example,2026", "50%")


@settings(max_examples=200)
@given(st.text(min_size=1, max_size=40))
def test_a_minted_id_may_be_published(path: str) -> None:
    """I3, ID-07."""
    assert is_absolute_uri(minted_id("gpu-notes.example,2026", path.encode("utf-8", "replace").decode()))


@pytest.mark.parametrize(
    "text",
    [
        "https://warp.example/?p=1",
        "http://localhost:8080/x",
        "http://[::1]/x",
        "tag:warp.example,2026:1",
        "tag:ada@warp.example,2026-05-01:a/b#c",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "urn:isbn:0451450523",
        "urn:example:a/b?=x#f",
        "urn:a:1",
        "yt:video:dQw4w9WgXcQ",
    ],
)
def test_an_absolute_uri_valid_for_its_scheme_is_kept_as_id(text: str) -> None:
    """ID-07, I2."""
    assert is_absolute_uri(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "post-9",
        "/a",
        "warp.example/x",
        "http://",
        "https:///x",
        "http:x",
        "https://warp.example/a b",
        "https://warp.example/ü",
        "https://warp.example/%zz",
        "https://warp.example/a\n",
        "tag:warp.example:1",
        "tag:WARP.example,2026:1",
        "TAG:warp.example,2026:1",
        "tag:warp.example,26:1",
        "tag:warp.example,2026-13:1",
        "tag:warp.example,2026",
        "urn:uuid:1",
        "urn:x",
        "urn:-:b",
        "urn:isbn:",
        "javascript:alert(1)",
        "1a:b",
    ],
)
def test_what_is_no_absolute_uri_is_not_published_as_one(text: str) -> None:
    """ID-07, I2: each scheme by its own rules."""
    assert not is_absolute_uri(text)


def test_the_id_of_a_strange_feed_is_any_absolute_uri() -> None:
    """MG-05: what the feed calls itself is kept, as long as it is a URI."""
    assert all(map(is_feed_id, ("urn:planet", "tag:a.example,2020:feed", "https://a.example/")))
    assert not any(
        map(
            is_feed_id,
            (
                "planet",
                "urn:",
                "urn:a b",
                "urn:uuid:8d5261ba-bf62-ac81-946c-9276ea617917c",
                "javascript:urn",
                "http://",
            ),
        )
    )
