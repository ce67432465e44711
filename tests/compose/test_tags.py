"""Where a tag's feed lies (G1, S-28, MG-12)."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedsvc.compose.tags import share_a_tag, tag_slug, with_tags

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TAGS = st.one_of(st.text(min_size=1, max_size=12), st.text("aAbß-_ #+*./\\?%éE\u0301图", min_size=1, max_size=6))


@pytest.mark.parametrize(
    ("tag", "slug"),
    [
        ("cuda", "cuda"),
        ("CUDA", "cuda"),
        ("ray tracing", "ray-tracing"),
        ("ray_tracing", "ray-tracing"),
        ("a - b", "a-b"),
        ("2026", "2026"),
    ],
)
def test_a_tag_that_is_its_own_slug_lies_there(tag: str, slug: str) -> None:
    """G1."""
    assert tag_slug(tag) == slug


def test_tags_that_differ_in_their_marks_lie_apart() -> None:
    """G1: also without regard to case, marks alone, other scripts, slashes, names that are reserved."""
    tags = [
        "c",
        "c#",
        "c++",
        "c+",
        "c*",
        "x/y",
        "x-y",
        "x.y",
        "図",
        "图",
        "++",
        "#+",
        "ü",
        "u",
        "index",
        "index-1",
        "con",
        "é",
        "e",
    ]
    slugs = [tag_slug(tag) for tag in tags]
    assert len({slug.casefold() for slug in slugs}) == len(tags)
    assert [slug for tag, slug in zip(tags, slugs, strict=True) if slug == tag] == ["c", "x-y", "u", "index-1", "e"]


@given(TAGS)
def test_a_slug_is_safe_for_any_tag(tag: str) -> None:
    """S-28: `[a-z0-9-]`, at most 80 characters, no name that a system keeps for itself."""
    for long in (tag, tag * 40):
        slug = tag_slug(long)
        assert SLUG.fullmatch(slug)
        assert len(slug) <= 80
        assert slug not in {"index", "feed", "atom", "rss", "con", "nul"}


@given(TAGS, TAGS)
def test_two_slugs_are_equal_only_for_one_tag(one: str, other: str) -> None:
    """G1, MG-12: case, blanks and hyphens aside, whatever other tags there are."""

    def key(tag: str) -> str:
        return re.sub(r"[\s_-]+", "-", unicodedata.normalize("NFC", tag).casefold()).strip("-") or tag

    assert (tag_slug(one) == tag_slug(other)) is (key(one) == key(other))


def test_a_tag_that_looks_like_a_digest_takes_no_ones_place() -> None:
    """G1."""
    assert tag_slug(tag_slug("c#")) != tag_slug("c#")


def test_of_equal_tags_the_first_spelling_stays() -> None:
    """MG-12, F7."""
    assert with_tags(("ROCm", "F"), ["rocm", "F#", "ray tracing", "Ray-Tracing"]) == ("ROCm", "F", "F#", "ray tracing")
    assert share_a_tag(["Ray Tracing"], ["x", "ray-tracing"])
    assert not share_a_tag(["F"], ["F#"])
