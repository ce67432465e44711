"""The JSON document, read back (generating.md, section 10)."""

from typing import Any

from feedsvc.model import Enclosure, Show, Teaser, Text
from feedsvc.render import jsonfeed
from tests.render import feeds
from tests.render.reading import members


def only(item: Any) -> Any:
    """Return the one item of a feed of one item."""
    return members(feeds.feed(item))["items"][0]


def test_the_feed_says_what_it_is() -> None:
    """J1, J4, K3."""
    found = members(feeds.everything())
    del found["items"]
    assert found == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Warp Notes",
        "home_page_url": "https://warp.example/",
        "feed_url": "https://warp.example/feed.json",
        "description": "Notes & news on a<b",
        "icon": "https://warp.example/icon.png",
        "language": "en",
        "authors": [{"name": "Ada", "url": "https://warp.example/ada"}],
        "hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
    }


def test_an_item_says_all_that_is_known() -> None:
    """J2: plain texts are plain, the HTML is HTML."""
    assert members(feeds.everything())["items"][0] == {
        "id": "tag:warp.example,2026:rich",
        "url": "https://warp.example/rich/",
        "title": "a < b && c: `Array<float>` & R&D, typed &amp; &lt;em>",
        "summary": "All about rich …",
        "image": "https://warp.example/rich.png",
        "date_published": "2026-05-01T12:00:07+00:00",
        "date_modified": "2026-05-01T13:00:07+00:00",
        "authors": [{"name": "Grace"}, {"name": "Ada", "url": "https://warp.example/ada"}],
        "tags": ["CUDA", "R&D", "a<b", "C++"],
        "language": "de",
        "attachments": [
            {"url": "https://warp.example/unknown", "mime_type": "application/octet-stream"},
            {
                "url": "https://warp.example/a.mp3?x=1&y=2",
                "mime_type": "audio/mpeg",
                "title": "Talk & slides",
                "size_in_bytes": 1234,
            },
            {"url": "https://warp.example/b.ogg", "mime_type": "audio/ogg"},
        ],
        "content_html": '<p>See <a href="#n-1">1</a>.</p>'
        '<p id="n-1">Note &amp; <code>k&lt;&lt;&lt;g, b&gt;&gt;&gt;()</code> ]]&gt;</p>',
    }


def test_a_teaser_feed_shows_the_teaser_as_html_and_as_text() -> None:
    """interface, An entry in a feed."""
    found = only(feeds.item())
    assert found["content_html"].endswith('<a href="https://warp.example/warps/">Read more</a></p>')
    assert found["summary"] == "All about warps …"


def test_a_title_feed_shows_no_text_and_the_content_is_there_and_empty() -> None:
    """J2, MG-13."""
    found = only(feeds.item(show=Show.TITLE))
    assert found["content_html"] == ""
    assert "summary" not in found
    assert "All" not in jsonfeed.render(feeds.feed(feeds.item(show=Show.TITLE))).decode()


def test_a_full_feed_without_text_shows_the_teaser() -> None:
    found = only(feeds.item(show=Show.FULL, text=Text(), teaser=Teaser("<p>Short</p>", "Short")))
    assert found["content_html"] == "<p>Short</p>"


def test_the_source_stands_in_a_member_of_our_own() -> None:
    """MG-05, J5."""
    assert only(feeds.foreign())["_feedsvc"] == {
        "source": {
            "id": "https://openxla.example/",
            "title": "OpenXLA",
            "url": "https://openxla.example/feed.xml",
            "home_page_url": "https://openxla.example/",
        }
    }
    assert "_feedsvc" not in only(feeds.item())


def test_what_has_no_value_is_absent() -> None:
    """J5, TI-05, LI-06; a size of nought is a value."""
    empty = Enclosure("https://warp.example/empty", "text/plain", 0)
    found = only(feeds.foreign(title=None, link=None, enclosures=(empty,)))
    assert not {"title", "url", "tags", "image", "language"} & set(found)
    assert found["attachments"][0]["size_in_bytes"] == 0
    assert b"null" not in jsonfeed.render(feeds.everything())


def test_mail_addresses_are_not_published() -> None:
    assert b"ada@warp.example" not in jsonfeed.render(feeds.everything())


def test_marks_and_line_ends_read_back_equal() -> None:
    """J3."""
    text = 'a "quote" \\ back \u2028 line\r\nend \U0001f680 é'
    assert only(feeds.item(show=Show.FULL, text=Text(text)))["content_html"] == text
    assert "🚀 é" in jsonfeed.render(feeds.feed(feeds.item(text=Text(text), show=Show.FULL))).decode()


def test_a_lone_surrogate_does_not_cost_the_feed() -> None:
    """S-34."""
    assert only(feeds.item(title="a\ud83db"))["title"] == "ab"
