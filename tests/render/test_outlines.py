"""OPML, read back."""

from typing import Any
from xml.etree import ElementTree

from feedsvc.model import Outline, Related
from feedsvc.render.outlines import feeds_opml, sources_opml


def outlines(body: bytes) -> list[dict[str, str]]:
    """Return the attributes of the outlines of a document."""
    found: Any = ElementTree.fromstring(body)
    return [dict(each.attrib) for each in found.findall("body/outline")]


def test_a_source_is_listed_so_that_an_import_reads_it_back() -> None:
    """SO-07: a comma inside a tag is no border between tags."""
    source = Outline("x", 'R&D <news> "daily"', "https://x.example/?a=1&b=2", "https://x.example/", ("R&D", "a,b"))
    assert outlines(sources_opml("Sources", [source])) == [
        {
            "type": "rss",
            "text": 'R&D <news> "daily"',
            "title": 'R&D <news> "daily"',
            "xmlUrl": "https://x.example/?a=1&b=2",
            "htmlUrl": "https://x.example/",
            "category": "R&D,a%2Cb",
        }
    ]


def test_a_source_without_title_shows_its_address_and_nothing_is_invented() -> None:
    """SO-07."""
    assert outlines(sources_opml("Sources", [Outline("x", "", "https://x.example/feed")])) == [
        {
            "type": "rss",
            "text": "https://x.example/feed",
            "title": "https://x.example/feed",
            "xmlUrl": "https://x.example/feed",
        }
    ]


def test_our_feeds_are_listed_by_their_first_format_and_their_page() -> None:
    """G2."""
    urls = {"atom": "https://warp.example/atom.xml", "json": "https://warp.example/feed.json"}
    tagged = {"rss": "https://warp.example/tags/c/rss.xml"}
    body = feeds_opml(
        "Warp Notes",
        [
            Related("main", "", "Warp Notes", "https://warp.example/", urls),
            Related("tag", "C++", "Warp Notes: C++", "https://warp.example/tags/c/", tagged),
            Related("tag", "none", "no document", "https://warp.example/tags/none/", {}),
        ],
    )
    found = outlines(body)
    assert [each["xmlUrl"] for each in found] == [urls["atom"], tagged["rss"]]
    assert [each["htmlUrl"] for each in found] == ["https://warp.example/", "https://warp.example/tags/c/"]
    assert [each.get("category") for each in found] == [None, "C++"]


def test_an_empty_list_has_an_outline_that_is_a_comment() -> None:
    """OPML 2.0: the body contains one or more outlines."""
    assert outlines(sources_opml("Sources", [])) == [{"text": "No feeds", "isComment": "true"}]


def test_the_head_has_a_title_and_no_date() -> None:
    """N1."""
    head: Any = ElementTree.fromstring(sources_opml("A & B \x00", [])).find("head")
    assert [(each.tag, each.text) for each in head] == [("title", "A & B ")]
    assert sources_opml("S", []).startswith(b"<?xml version='1.0' encoding='UTF-8'?>\n<opml version=\"2.0\">")
