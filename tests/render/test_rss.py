"""The RSS document, read back (generating.md, section 9)."""

from typing import Any

from feedsvc.model import Enclosure, Feed, Item, Show, Teaser, Text
from feedsvc.render import rss
from tests.render import feeds
from tests.render.reading import ATOM_NS, CONTENT_NS, DC_NS, MEDIA_NS, channel


def only(item: Item, **changes: Any) -> Any:
    """Return the one item of a feed of one item."""
    return channel(feeds.feed(item, **changes)).find("item")


def test_the_channel_says_what_it_must() -> None:
    """S1."""
    found = channel(feeds.everything())
    said = {
        "title": "Warp Notes",
        "link": "https://warp.example/",
        "description": "Notes & news on a<b",
        "copyright": "© 2026 R&D",
        "language": "en",
        "lastBuildDate": "Fri, 01 May 2026 13:00:07 +0000",
        "ttl": "30",
        "generator": "feedsvc",
    }
    assert {name: found.findtext(name) for name in said} == said


def test_the_description_of_the_channel_is_never_blank() -> None:
    """S1."""
    assert channel(feeds.feed()).findtext("description") == "Warp Notes"


def test_the_channel_links_itself_its_twins_and_its_hubs() -> None:
    """S1, K3."""
    links = [dict(link.attrib) for link in channel(feeds.everything()).findall(f"{ATOM_NS}link")]
    assert [(link["rel"], link.get("type"), link["href"]) for link in links] == [
        ("self", "application/rss+xml", "https://warp.example/rss.xml"),
        ("alternate", "application/atom+xml", "https://warp.example/atom.xml"),
        ("alternate", "application/feed+json", "https://warp.example/feed.json"),
        ("hub", None, "https://hub.example/"),
    ]


def test_all_of_the_channel_stands_before_its_items() -> None:
    """S1."""
    names = [child.tag for child in channel(feeds.everything())]
    assert set(names[names.index("item") :]) == {"item"}


def test_a_ttl_of_nought_is_not_written() -> None:
    """S7."""
    assert channel(feeds.feed(ttl=0)).find("ttl") is None
    assert channel(feeds.feed(ttl=None)).find("ttl") is None


def test_the_channel_image_is_one_that_readers_know() -> None:
    """S7: title and link equal the channel's; no SVG."""
    image = channel(feeds.everything()).find("image")
    assert [child.text for child in image] == ["https://warp.example/icon.png", "Warp Notes", "https://warp.example/"]
    for logo in ("https://warp.example/logo.svg", "https://warp.example/logo.SVG?v=1.png", ""):
        assert channel(feeds.feed(logo=logo)).find("image") is None
    assert channel(feeds.feed(logo="https://warp.example/logo.JPG?v=1")).find("image") is not None


def test_an_item_has_title_link_guid_date_and_teaser() -> None:
    """S2, D8."""
    found = only(feeds.item())
    assert [child.tag for child in found] == ["title", "link", "description", "guid", "pubDate", f"{DC_NS}creator"]
    assert found.findtext("pubDate") == "Fri, 01 May 2026 12:00:07 +0000"
    assert found.find("guid").get("isPermaLink") == "false"
    assert found.findtext("description").endswith('<a href="https://warp.example/warps/">Read more</a></p>')


def test_the_full_text_stands_after_the_teaser() -> None:
    """S4."""
    names = [child.tag for child in only(feeds.item(show=Show.FULL))]
    assert names[2:4] == ["description", f"{CONTENT_NS}encoded"]


def test_a_full_text_without_teaser_is_the_description() -> None:
    found = only(feeds.item(show=Show.FULL, teaser=Teaser("", "")))
    assert found.findtext("description") == "<p>All about <em>warps</em> and more.</p>"
    assert found.find(f"{CONTENT_NS}encoded") is None


def test_a_title_feed_has_items_without_description() -> None:
    """MG-13."""
    assert [child.tag for child in only(feeds.item(show=Show.TITLE))][:3] == ["title", "link", "guid"]


def test_an_item_without_title_has_a_description_whatever_happens() -> None:
    """TI-05, RSS 2.0: an item has a title or a description."""
    found = only(feeds.foreign(title=None))
    assert found.find("title") is None
    assert found.findtext("description").startswith("<p>All about")
    found = only(feeds.foreign(title=None, teaser=Teaser("", "")))
    assert found.findtext("description") == '<p><a href="https://warp.example/xla/">Read more</a></p>'


def test_fragments_become_addresses_of_the_page() -> None:
    """C2."""
    text = Text('<p><a href="#n">1</a></p><p id="n">Note <code>href="#n"</code></p>')
    found = only(feeds.item(show=Show.FULL, text=text)).findtext(f"{CONTENT_NS}encoded")
    assert '<a href="https://warp.example/warps/#n">' in found
    assert '<code>href="#n"</code>' in found


def test_only_the_first_enclosure_of_a_known_type_is_written() -> None:
    """S5, EC-03."""
    found = channel(feeds.everything()).find("item").findall("enclosure")
    assert [dict(each.attrib) for each in found] == [
        {"url": "https://warp.example/a.mp3?x=1&y=2", "length": "1234", "type": "audio/mpeg"}
    ]
    assert only(feeds.item(enclosures=(Enclosure("https://warp.example/x"),))).find("enclosure") is None


def test_each_author_is_a_creator_and_none_an_author() -> None:
    """S3."""
    found = channel(feeds.everything()).find("item")
    assert [each.text for each in found.findall(f"{DC_NS}creator")] == ["Grace", "Ada"]
    assert b"<author>" not in rss.render(feeds.everything())
    assert b"@" not in rss.render(feeds.everything())


def test_the_source_is_named_with_its_feed() -> None:
    """MG-05."""
    source = only(feeds.foreign()).find("source")
    assert (source.text, source.get("url")) == ("OpenXLA", "https://openxla.example/feed.xml")


def test_tags_are_categories_and_the_picture_is_media_content() -> None:
    """S8."""
    found = channel(feeds.everything()).find("item")
    assert [each.text for each in found.findall("category")] == ["CUDA", "R&D", "a<b", "C++"]
    assert found.find(f"{MEDIA_NS}content").get("url") == "https://warp.example/rich.png"


def test_an_item_without_link_has_none() -> None:
    """LI-06."""
    assert only(feeds.item(link=None)).find("link") is None


def test_plain_texts_are_spelled_in_hexadecimal_and_html_is_not() -> None:
    """S6: the spelling of titles touches no text that is HTML."""
    body = rss.render(feeds.everything()).decode()
    assert "<description>Notes &#x26; news on a&#x3C;b</description>" in body
    assert "<category>R&#x26;D</category>" in body
    assert "&lt;p id=" in body
    assert "&#x3C;p" not in body


def test_the_style_sheet_is_announced_before_the_root() -> None:
    """G3."""
    sheet = '<?xml-stylesheet href="https://warp.example/assets/feed.css" type="text/css"?>'
    assert rss.render(feeds.everything()).decode().splitlines()[1] == sheet


def test_a_channel_without_items_is_a_channel() -> None:
    empty: Feed = feeds.feed()
    assert channel(empty).findall("item") == []
