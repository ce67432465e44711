"""Addresses are resolved, spelled one way and compared."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.text.urls import absolute, canonical, normal_url

BASE = "https://warp.example/media/"


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("fig/a b.png", "https://warp.example/media/fig/a%20b.png"),
        ("../other/", "https://warp.example/other/"),
        ("../../../other/", "https://warp.example/other/"),
        ("/r", "https://warp.example/r"),
        ("?x=1&y=2", "https://warp.example/media/?x=1&y=2"),
        ("#sec", "https://warp.example/media/#sec"),
        ("", "https://warp.example/media/"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("mailto:a@mail.example", "mailto:a@mail.example"),
        (" \n/padded\t", "https://warp.example/padded"),
        ("/bro\nken", "https://warp.example/broken"),
        ("HTTP://Ex.COM:80/../a/./b?q=a b#f g", "http://ex.com/a/b?q=a%20b#f%20g"),
        ("/a%20b%zz", "https://warp.example/a%20b%25zz"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("https://b%C3%BCcher.%e4%be%8b.example/", "https://xn--bcher-kva.xn--fsq.example/"),
        ("https://[::1]:443/x", "https://[::1]/x"),
        ("https://h.example:8443", "https://h.example:8443/"),
    ],
)
def test_a_reference_resolves_as_in_a_browser(reference: str, address: str) -> None:
    """C1, I7, LI-03."""
    assert absolute(BASE, reference) == address


@pytest.mark.parametrize(
    "reference",
    [
        "javascript:alert(1)",
        "jAvA\tscr\nipt:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "post://other-slug",
        "10:30.html",
        "http:foo",
        "a\\b",
        "\\\\evil.example",
        "https://warp.example\\@evil.example/",
        "https://user:secret@warp.example/",
        "https://user@warp.example/",
        "https://h.example:99999/",
        "https://h.example:0/",
        "https://a..b/",
        "https:///x",
        "//[",
        "https://ho st.example/",
        "https://%61.example/",
        "https://%C3%BC%2f.example/",
        "https://%C3.example/",
        "https://%EF%BC%8F.example/",
        "mailto:",
    ],
)
def test_what_is_no_plain_web_address_is_none(reference: str) -> None:
    """S-01, S-20: what browsers read in two ways, or run, is refused."""
    assert absolute(BASE, reference) is None


@pytest.mark.parametrize("text", ["", "/a", "warp.example/x", "mailto:a@mail.example", "feed:https://warp.example/"])
def test_one_address_stands_by_itself(text: str) -> None:
    """LI-03: http and https only, nothing to resolve against."""
    assert normal_url(text) is None


@settings(max_examples=200)
@given(st.text(max_size=30))
def test_an_address_is_ascii_without_blanks_and_spelled_once(text: str) -> None:
    """I7: encoding what is encoded changes nothing."""
    for address in (absolute(BASE, text), normal_url(f"https://warp.example/{text}")):
        if address is not None:
            assert address.isascii()
            assert address.isprintable()
            assert " " not in address
            assert absolute(BASE, address) == address


@pytest.mark.parametrize(
    "same",
    [
        "http://warp.example/a",
        "https://www.warp.example/a",
        "https://WARP.example:443/a/",
        "https://warp.example/a#top",
        "https://warp.example/a?utm_source=x&utm_medium=y&fbclid=1&gclid=2&mc_cid=3&ref=4&source=5",
        "https://warp.example/%61",
    ],
)
def test_the_same_story_has_the_same_key(same: str) -> None:
    """MG-01."""
    assert canonical(same) == canonical("https://warp.example/a")


def test_the_order_of_parameters_is_set_aside_and_other_parameters_count() -> None:
    """MG-01."""
    assert canonical("https://warp.example/?a=1&b=2") == canonical("https://warp.example/?b=2&a=1")
    assert canonical("https://warp.example/?id=1") != canonical("https://warp.example/?id=2")
    assert canonical("https://warp.example/?a=%26") != canonical("https://warp.example/?a=&")
    assert canonical("https://www.example/a") != canonical("https://example/a")


def test_a_hostile_address_takes_no_time() -> None:
    """S-43: linear in the length."""
    for hostile in ("a" * 50_000, " " * 50_000, "<" * 50_000, "%" * 50_000, "/.." * 20_000, "a." * 25_000):
        assert normal_url(hostile) is None
        assert (absolute(BASE, hostile) or "https:").startswith("https:")


@pytest.mark.parametrize(
    "base",
    [
        "http://a.example/x/y?q#f",
        "https://EX.example:443/",
        "http://[::1]:8080/x",
        "http://u:p@a.example/",
        "http:///x",
        "http://a.example:99999/",
        "http://a\\b/",
        "ftp://a.example/",
        "mailto:x@a.example",
        "",
    ],
)
def test_a_path_from_the_root_is_resolved_the_short_way_as_it_is_the_long_way(base: str) -> None:
    """C1: a dot segment that leads nowhere takes the long way."""
    assert absolute(base, "/a/b-c_d~e.html/") == absolute(base, "/./a/b-c_d~e.html/")
