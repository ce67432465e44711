"""From a page to the address of a feed (SO-01, SO-02)."""

import pytest

from feedsvc.collect.discover import asked_address, candidates
from feedsvc.collect.found import Received

PAGE = "https://warp.example/blog/"


def found(html: str) -> list[str]:
    """Return the addresses of a page's feeds, the best first."""
    return [one.url.removeprefix("https://warp.example") for one in candidates(Received("x", PAGE, html.encode()))]


def link(href: str, kind: str = "application/rss+xml", more: str = "") -> str:
    return f'<link rel="alternate" type="{kind}" href="{href}" {more}>'


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://warp.example/feed", "https://warp.example/feed"),
        (" https://warp.example/a b ", "https://warp.example/a%20b"),
        ("feed:https://warp.example/feed", "https://warp.example/feed"),
        ("feed://warp.example/feed", "http://warp.example/feed"),
        ("FEED://https://warp.example/feed", "https://warp.example/feed"),
        ("https://warp.example/?a=1&amp;b=2", "https://warp.example/?a=1&b=2"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("warp.example", "https://warp.example/"),
        ("warp.example/feed", "https://warp.example/feed"),
        ("ftp://warp.example/", None),
        ("javascript:alert(1)", None),
        ("not an address", None),
        ("", None),
    ],
)
def test_what_people_type_is_understood(typed: str, address: str | None) -> None:
    """SO-01."""
    assert asked_address(typed) == address


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        (link("feed.xml"), ["/blog/feed.xml"]),
        ('<base href="/x/">' + link("feed.xml"), ["/x/feed.xml"]),
        ('<link rel="home ALTERNATE" type="Application/RSS+XML; charset=utf-8" href="/f">', ["/f"]),
        (link("/r") + link("/j", "application/feed+json") + link("/a", "application/atom+xml"), ["/a", "/j", "/r"]),
        (link("/1") + link("/2"), ["/1", "/2"]),
        (link("/comments/feed/") + link("/feed/"), ["/feed/", "/comments/feed/"]),
        (link("/c", more='title="Warp » Comments Feed"') + link("/feed/"), ["/feed/", "/c"]),
        (link("/o?oembed=1", "application/json") + link("/feed/"), ["/feed/", "/o?oembed=1"]),
        (link("/wp-json/x", "application/json") + link("/feed/"), ["/feed/", "/wp-json/x"]),
        ('<html lang="en-GB">' + link("/de", more='hreflang="de"') + link("/en", more='hreflang="en"'), ["/en", "/de"]),
        (link("/f") + link("/f"), ["/f"]),
        (f"<!-- {link('/old')} -->{link('/f')}", ["/f"]),
        (f"<template>{link('/t')}</template><noscript>{link('/n')}</noscript><script>{link('/s')}</script>", []),
        ('<link rel="stylesheet" type="text/css" href="/x.css"><link rel="alternate" href="/x">', []),
        ('<link rel="alternate stylesheet" type="text/xml" href="/x.css">', []),
        (link("javascript:alert(1)") + link("mailto:a@b.example") + link(""), []),
        ('<a href="/feed.xml">feed</a>', []),
        ("no markup", []),
    ],
)
def test_a_page_names_its_feeds_the_best_first(html: str, urls: list[str]) -> None:
    """SO-02."""
    assert found(html) == urls


def test_a_page_in_another_encoding_or_of_any_size_is_read() -> None:
    """SO-02, EN-01."""
    page = f'<meta charset="windows-1252"><title>café</title>{link("/f", more="title=café")}'.encode("cp1252")
    (one,) = candidates(Received("x", PAGE, page, "text/html; charset=windows-1252"))
    assert one.title == "café"
    assert found("<b>" * 20_000 + link("/f")) in ([], ["/f"])
