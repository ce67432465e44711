"""What feedgen 1.0.0 does wrong, raw, beside our output, which is right (generating.md, section 15).

The raw half of a test fails when upstream no longer needs the cure: then the cure can go.
"""

import locale
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import feedgen
import pytest
from feedgen.feed import FeedGenerator
from feedgen.util import formatRFC2822
from msgspec.structs import replace

from feedsvc.model import Enclosure, Text
from feedsvc.render import atom, rss
from tests.render import feeds
from tests.render.reading import ATOM_NS, atom_root, channel


def raw(**entry: Any) -> Any:
    """Return a generator of feedgen with one entry, as its documentation shows it."""
    generator = FeedGenerator()
    generator.id("tag:warp.example,2026:feed")
    generator.title("Warp Notes")
    generator.description("Notes")
    generator.link(href="https://warp.example/", rel="alternate")
    made = generator.add_entry()
    made.id("tag:warp.example,2026:a")
    made.title("A")
    made.summary("<p>Text</p>", type="html")
    made.link(href="https://warp.example/a/", rel="alternate")
    for name, value in entry.items():
        getattr(made, name)(**value) if isinstance(value, dict) else getattr(made, name)(value)
    return generator


def test_the_pinned_release_is_the_one_whose_traps_are_written_down() -> None:
    assert feedgen.version.version_str == "1.0.0"


def test_an_enclosure_keeps_its_rel_type_and_length_in_atom() -> None:
    upstream = raw(link={"href": "https://warp.example/a.mp3", "rel": "enclosure", "type": "audio/mpeg"}).atom_str()
    assert b'<link href="https://warp.example/a.mp3"/>' in upstream
    item = feeds.item(enclosures=(Enclosure("https://warp.example/a.mp3", "audio/mpeg", 5),))
    entry = atom_root(feeds.feed(item)).find(f"{ATOM_NS}entry")
    assert [dict(link.attrib) for link in entry.findall(f"{ATOM_NS}link")] == [
        {"rel": "alternate", "href": "https://warp.example/warps/"},
        {"rel": "enclosure", "type": "audio/mpeg", "length": "5", "href": "https://warp.example/a.mp3"},
    ]


def test_feedgen_refuses_most_relations_of_an_entry_link() -> None:
    with pytest.raises(ValueError, match="Invalid value for rel"):
        raw(link={"href": "https://warp.example/licence", "rel": "license"})


def test_texts_are_never_typed_cdata() -> None:
    assert b'type="CDATA"' in raw(content={"content": "<p>x</p>", "type": "CDATA"}).atom_str()
    assert b"CDATA" not in atom.render(feeds.everything())


def test_hubs_and_twins_are_not_lost_in_rss() -> None:
    generator = raw()
    generator.link(href="https://hub.example/", rel="hub")
    assert b'rel="hub"' not in generator.rss_str()
    body = rss.render(feeds.everything())
    assert b'<atom:link rel="hub" href="https://hub.example/"/>' in body
    assert b'href="https://warp.example/feed.json"/>' in body


def test_the_channel_link_is_the_site_and_not_the_last_link() -> None:
    generator = raw()
    generator.link(href="https://hub.example/", rel="hub")
    assert b"<link>https://hub.example/</link>" in generator.rss_str()
    assert channel(feeds.everything()).findtext("link") == "https://warp.example/"


def test_an_author_without_mail_address_is_not_dropped_from_rss() -> None:
    assert b"Grace" not in raw(author={"name": "Grace"}).rss_str()
    assert b"<dc:creator>Grace</dc:creator>" in rss.render(feeds.everything())


def test_no_date_is_the_time_of_the_build() -> None:
    before = datetime.now(UTC)
    assert raw().updated() >= before
    assert atom.render(feeds.feed()) == atom.render(feeds.feed())
    assert channel(feeds.feed()).findtext("lastBuildDate") == "Fri, 01 May 2026 12:00:07 +0000"


def test_dates_are_whole_seconds_in_utc_whatever_they_were() -> None:
    odd = timezone(timedelta(minutes=53, seconds=28))
    assert b"+00:53:28" in raw(updated=datetime(2026, 5, 1, tzinfo=odd)).atom_str()
    with pytest.raises(ValueError, match="no timezone"):
        raw(updated=datetime(2026, 5, 1))  # noqa: DTZ001
    entry = atom_root(feeds.feed(feeds.item(updated=datetime(2026, 5, 1, 12, 0, 0, 99, tzinfo=odd))))
    assert entry.findtext(f"{ATOM_NS}entry/{ATOM_NS}updated") == "2026-05-01T11:06:32+00:00"


@pytest.fixture
def utf8_locale() -> Iterator[str]:
    old = locale.setlocale(locale.LC_ALL)
    try:
        yield locale.setlocale(locale.LC_ALL, "C.UTF-8")
    except locale.Error:
        pytest.skip("no locale C.UTF-8 here")
    finally:
        locale.setlocale(locale.LC_ALL, old)


class Watching(datetime):
    """A date that notes the locale in which it is written."""

    seen: str = ""

    def strftime(self, form: str) -> str:  # type: ignore[override]
        Watching.seen = locale.setlocale(locale.LC_ALL)
        return super().strftime(form)


def test_the_locale_stays_when_threads_render_at_once(utf8_locale: str) -> None:
    """D6: upstream changes the locale of the process for each date, so that threads restore each other's `C`."""
    formatRFC2822(Watching(2026, 5, 1, tzinfo=UTC))
    assert Watching.seen == "C"
    feed = feeds.feed(*(feeds.item(f"post-{number}") for number in range(40)))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns as often as they can
    try:
        with ThreadPoolExecutor(8) as pool:
            bodies = set(pool.map(lambda _: rss.render(feed), range(32)))
    finally:
        sys.setswitchinterval(interval)
    assert locale.setlocale(locale.LC_ALL) == utf8_locale
    assert len(bodies) == 1


def _imports(module: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def test_the_formats_can_be_imported_first() -> None:
    assert not _imports("feedgen.util")
    assert _imports("feedsvc.render.feedgen_adapter")


def test_the_order_of_the_items_stays() -> None:
    generator = raw()
    generator.add_entry().title("B")
    assert [entry.title() for entry in generator.entry()] == ["B", "A"]
    feed = feeds.feed(feeds.item("one"), feeds.item("two"))
    assert [item.findtext("title") for item in channel(feed).iter("item")] == ["About one", "About two"]


def test_the_source_of_a_merged_entry_says_all_that_it_must() -> None:
    upstream = raw(source={"url": "https://x.example/feed", "title": "X"}).atom_str()
    assert b'<source><title>X</title><link href="https://x.example/feed"/></source>' in upstream
    source = atom_root(feeds.feed(feeds.foreign())).find(f"{ATOM_NS}entry/{ATOM_NS}source")
    assert [child.tag.removeprefix(ATOM_NS) for child in source] == [
        *("id", "title", "updated", "author", "link", "link", "rights"),
    ]


def test_an_entry_without_title_costs_nothing() -> None:
    generator = raw()
    generator.add_entry().id("tag:warp.example,2026:b")
    with pytest.raises(ValueError, match="Required fields not set"):
        generator.atom_str()
    untitled = replace(feeds.foreign(title=None), title="")
    assert atom_root(feeds.feed(untitled)).findtext(f"{ATOM_NS}entry/{ATOM_NS}title") == "xla"


@pytest.mark.parametrize(("bad", "error"), [("\x0c", ValueError), ("\ufffe", ValueError), ("\ud83d", UnicodeError)])
def test_a_forbidden_character_does_not_cost_the_feed(bad: str, error: type[Exception]) -> None:
    """S-34, B4."""
    with pytest.raises(error):
        raw(title=f"a{bad}b").atom_str()
    item = feeds.item(title=f"a{bad}b", text=Text(f"<p>{bad}</p>"), tags=(f"t{bad}",))
    feed = feeds.feed(item, description=f"d{bad}")
    assert atom_root(feed).findtext(f"{ATOM_NS}entry/{ATOM_NS}title") == "ab"
    assert channel(feed).findtext("item/category") == "t"


def test_texts_are_escaped_html_and_never_parsed_as_xhtml() -> None:
    """S-25."""
    with pytest.raises(SyntaxError):
        raw(content={"content": "a<br>b&nbsp;c", "type": "xhtml"}).atom_str()
    item = feeds.item(text=Text("<p>a<br>b&nbsp;c</p>"), show=feeds.Show.FULL)
    content = atom_root(feeds.feed(item)).find(f"{ATOM_NS}entry/{ATOM_NS}content")
    assert (content.get("type"), content.text) == ("html", "<p>a<br>b&nbsp;c</p>")


def test_teaser_and_full_text_stand_beside_each_other() -> None:
    """A5, S4: `description()` of feedgen overwrites the Atom content, so the adapter never calls it for an entry."""
    generator = raw(content="full")
    generator.entry()[0].description("short")
    assert b"full" not in generator.atom_str()
    item = feeds.item(show=feeds.Show.FULL)
    entry = atom_root(feeds.feed(item)).find(f"{ATOM_NS}entry")
    assert entry.findtext(f"{ATOM_NS}content") == "<p>All about <em>warps</em> and more.</p>"
    assert "Read more" in entry.findtext(f"{ATOM_NS}summary")


def test_an_unknown_length_is_nought_in_rss_and_absent_elsewhere() -> None:
    """S5, EC-02."""
    upstream = raw(enclosure={"url": "https://warp.example/a.ogg", "length": None, "type": "audio/ogg"})
    assert b'length="None"' in upstream.rss_str()
    feed = feeds.feed(feeds.item(enclosures=(Enclosure("https://warp.example/a.ogg", "audio/ogg"),)))
    assert channel(feed).find("item/enclosure").get("length") == "0"
    assert b"length" not in atom.render(feed)


def test_one_picture_needs_no_group() -> None:
    """S8."""
    generator = raw()
    generator.load_extension("media")
    given = {"url": "https://warp.example/a.png"}
    generator.entry()[0].media.content(given)
    assert b"<media:group>" in generator.rss_str()
    assert given == {"url": "https://warp.example/a.png", "group": "default"}
    feed = feeds.feed(feeds.item(image="https://warp.example/a.png"))
    for body in (atom.render(feed), rss.render(feed)):
        assert b'<media:content url="https://warp.example/a.png" medium="image"/>' in body
        assert b"media:group" not in body


def test_titles_are_spelled_so_that_no_reader_takes_them_for_html() -> None:
    """S6, A4."""
    assert b"<title>Array&lt;float&gt; &amp;amp;</title>" in raw(title="Array<float> &amp;").atom_str()
    feed = feeds.feed(feeds.item(title="Array<float> &amp;"))
    for body in (atom.render(feed), rss.render(feed)):
        assert b"<title>Array&#x3C;float&gt; &#x26;amp;</title>" in body


def test_the_generator_is_ours_and_has_no_version() -> None:
    assert b"python-feedgen" in raw().atom_str()
    for body in (atom.render(feeds.feed()), rss.render(feeds.feed())):
        assert b"<generator>feedsvc</generator>" in body
        assert b"<docs>" not in body


def test_the_guid_is_the_id_in_all_formats() -> None:
    """S2: `guid(permalink=True)` of feedgen sets the Atom id as well."""
    assert b"<id>https://warp.example/a/</id>" in raw(guid={"guid": "https://warp.example/a/"}).atom_str()
    guid = channel(feeds.feed(feeds.item())).find("item/guid")
    assert (guid.text, dict(guid.attrib)) == ("tag:warp.example,2026:warps", {"isPermaLink": "false"})


def test_prefixes_are_the_customary_ones() -> None:
    """X3: without its extensions feedgen still writes those of the entries, under invented prefixes."""
    generator = raw()
    generator.load_extension("media")
    generator.entry()[0].media.content({"url": "https://warp.example/a.png", "group": None})
    assert b"ns0:content" in generator.atom_str(extensions=False)
    for body in (atom.render(feeds.everything()), rss.render(feeds.everything())):
        assert b"ns0:" not in body
        assert b'xmlns:media="http://search.yahoo.com/mrss/"' in body
    assert b"<atom:" not in atom.render(feeds.everything())


def test_an_entry_says_its_language() -> None:
    """A4: feedgen has no language of an entry."""
    assert not hasattr(FeedGenerator().add_entry(), "language")
    feed = feeds.feed(feeds.item(lang="de"))
    for body in (atom.render(feed), rss.render(feed)):
        assert b' xml:lang="de">' in body


def test_an_enclosure_at_a_host_of_one_name_is_none_in_rss() -> None:
    """EC-03, OU-03: validators refuse the document for it; the next one counts."""
    files = (Enclosure("https://media/a.ogg", "audio/ogg"), Enclosure("https://warp.example/b.ogg", "audio/ogg"))
    feed = feeds.feed(feeds.item(enclosures=files))
    assert channel(feed).find("item/enclosure").get("url") == "https://warp.example/b.ogg"
