"""What must hold in all formats together (generating.md, section 11)."""

import io
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import feedparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.model import Enclosure, Feed, Item, Person, Show, Text
from feedsvc.render.formats import FORMATS
from feedsvc.text.characters import xml_text
from tests.render import feeds
from tests.render.reading import ATOM_NS, DC_NS, atom_root, channel, members

RAW = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=30)
AWKWARD = st.sampled_from(
    ["a < b && c", "R&D", "&amp;", "&lt;b>", "</em>", "Array<float>", "]]>", "<![CDATA[x]]>", "&#x26;"]
)
PLAIN = st.one_of(RAW, AWKWARD).map(lambda text: " ".join(xml_text(text).split())).filter(bool)
ADDRESS = st.sampled_from(["https://x.example/?a=1&b=2", "https://x.example/%20", "http://xn--bcher-kva.example/a;b"])
MOMENT = st.integers(0, 10**8).map(lambda seconds: feeds.NOON - timedelta(seconds=seconds))
ENCLOSURE = st.builds(Enclosure, ADDRESS, st.sampled_from(["audio/mpeg", "video/mp4"]), st.integers(0, 10**9), PLAIN)


@st.composite
def items(draw: st.DrawFn, number: int) -> Item:
    """Draw an entry, own or foreign, of any kind."""
    make = draw(st.sampled_from([feeds.item, feeds.foreign]))
    published = draw(MOMENT)
    return make(
        f"post-{number}",
        show=draw(st.sampled_from(Show)),
        title=draw(PLAIN),
        link=draw(ADDRESS),
        published=published,
        updated=published + timedelta(seconds=draw(st.integers(0, 999))),
        text=Text(f"<p>{draw(st.sampled_from(['x', 'k&lt;&lt;&lt;g, b&gt;&gt;&gt;(x)', ']]&gt;']))}</p>"),
        authors=tuple(Person(name) for name in draw(st.lists(PLAIN, max_size=3))),
        tags=tuple(draw(st.lists(PLAIN, max_size=3, unique=True))),
        enclosures=tuple(draw(st.lists(ENCLOSURE, max_size=2))),
        lang=draw(st.sampled_from([None, "de", "zh-Hans"])),
    )


@st.composite
def whole_feeds(draw: st.DrawFn) -> Feed:
    """Draw a feed of up to four entries."""
    drawn = [draw(items(number)) for number in range(draw(st.integers(0, 4)))]
    return feeds.feed(*drawn, title=draw(PLAIN), description=draw(st.one_of(st.just(""), PLAIN)))


def from_atom(feed: Feed) -> list[dict[str, Any]]:
    """Return what the Atom document says of its entries."""
    return [
        {
            "id": entry.findtext(f"{ATOM_NS}id"),
            "title": entry.findtext(f"{ATOM_NS}title"),
            "link": next(x.get("href") for x in entry.findall(f"{ATOM_NS}link") if x.get("rel") == "alternate"),
            "published": entry.findtext(f"{ATOM_NS}published"),
            "authors": [each.text for each in entry.findall(f"{ATOM_NS}author/{ATOM_NS}name")],
            "tags": [each.get("term") for each in entry.findall(f"{ATOM_NS}category")],
            "enclosures": [
                (link.get("href"), link.get("type"), link.get("length"))
                for link in entry.findall(f"{ATOM_NS}link")
                if link.get("rel") == "enclosure"
            ],
        }
        for entry in atom_root(feed).findall(f"{ATOM_NS}entry")
    ]


def from_rss(feed: Feed) -> list[dict[str, Any]]:
    """Return what the RSS document says of its items."""
    return [
        {
            "id": item.findtext("guid"),
            "title": item.findtext("title"),
            "link": item.findtext("link"),
            "published": item.findtext("pubDate"),
            "authors": [each.text for each in item.findall(f"{DC_NS}creator")],
            "tags": [each.text for each in item.findall("category")],
            "enclosures": [(x.get("url"), x.get("type"), x.get("length")) for x in item.findall("enclosure")],
        }
        for item in channel(feed).findall("item")
    ]


def from_json(feed: Feed) -> list[dict[str, Any]]:
    """Return what the JSON document says of its items."""
    return [
        {
            "id": item["id"],
            "title": item["title"],
            "link": item["url"],
            "published": item["date_published"],
            "authors": [each["name"] for each in item.get("authors", [])],
            "tags": item.get("tags", []),
            "enclosures": [
                (each["url"], each["mime_type"], str(each["size_in_bytes"])) for each in item.get("attachments", [])
            ],
        }
        for item in members(feed)["items"]
    ]


@settings(max_examples=150, deadline=None)
@given(whole_feeds())
def test_all_formats_say_the_same_of_the_same_entries_in_the_same_order(feed: Feed) -> None:
    """K1, K2: RSS has the first enclosure, and its own way to write a date."""
    atom, rss, json = from_atom(feed), from_rss(feed), from_json(feed)
    assert atom == json
    assert [entry.pop("enclosures")[:1] for entry in atom] == [entry.pop("enclosures") for entry in rss]
    for entry, item, shown in zip(atom, rss, feed.items, strict=True):
        assert item.pop("published") == f"{shown.entry.published:%a, %d %b %Y %H:%M:%S} +0000"
        assert entry.pop("published") == shown.entry.published.isoformat()
    assert atom == rss


def as_feedparser_mends(text: str | None) -> str | None:
    """Return what feedparser makes of any text that could be UTF-8 taken for ISO 8859-1: "Â¡" is "¡" to it."""
    try:
        return text.encode("iso-8859-1").decode("utf-8") if text else text
    except UnicodeError:
        return text


@settings(max_examples=80, deadline=None)
@given(whole_feeds())
def test_a_reader_of_feeds_gets_the_titles_and_addresses_that_their_authors_wrote(feed: Feed) -> None:
    """K2, I7."""
    expected = [(as_feedparser_mends(item.entry.title), item.entry.link, item.entry.id) for item in feed.items]
    for name in ("atom", "rss"):
        parsed = feedparser.parse(
            io.BytesIO(FORMATS[name].render(feed)), sanitize_html=False, resolve_relative_uris=False
        )
        assert not parsed.bozo
        assert [(entry.title, entry.link, entry.id) for entry in parsed.entries] == expected
        assert parsed.feed.title == as_feedparser_mends(feed.title)


@pytest.mark.parametrize("name", FORMATS)
def test_equal_feeds_are_equal_bytes(name: str) -> None:
    """N1."""
    assert FORMATS[name].render(feeds.everything()) == FORMATS[name].render(feeds.everything())


@pytest.mark.parametrize("name", FORMATS)
def test_rendering_changes_nothing_in_the_feed(name: str) -> None:
    feed = feeds.everything()
    FORMATS[name].render(feed)
    assert feed == feeds.everything()


@pytest.mark.parametrize("name", FORMATS)
def test_a_feed_of_one_format_needs_no_other(name: str) -> None:
    feed = feeds.feed(feeds.item(), urls={name: f"https://warp.example/{FORMATS[name].file}"})
    assert FORMATS[name].render(feed)


def test_the_table_names_file_and_media_type_of_each_format() -> None:
    """X2, interface, Published files."""
    table: Mapping[str, tuple[str, str]] = {each.name: (each.file, each.media_type) for each in FORMATS.values()}
    assert table == {
        "atom": ("atom.xml", "application/atom+xml"),
        "rss": ("rss.xml", "application/rss+xml"),
        "json": ("feed.json", "application/feed+json"),
    }
