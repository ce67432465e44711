"""Pages for people, as a parser and a reader see them: generating G2 to G4 and T15, security S-22, S-24 and S-27."""

import re
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from msgspec.structs import replace

from feedsvc.errors import ConfigError
from feedsvc.model import Copy, Enclosure, Feed, Person, Show, Teaser
from feedsvc.render.page import assets, fragment, page
from feedsvc.render.relative import relative, root
from feedsvc.render.views import Site, direction
from tests.render.pages import FOREIGN, KHRONOS, NOON, TOP, feed, item, related, river

SITE = Site("GPU Notes", TOP)
HOSTILE = "<img src=x onerror=alert(1)>\"'{{ 7*7 }}</title><script>alert(2)</script>"


def read(feed: Feed, site: Site = SITE) -> html.HtmlElement:
    """Return a feed's page as a tree."""
    return html.document_fromstring(page(feed, site).decode())


def texts(tree: html.HtmlElement, path: str) -> list[str]:
    """Return the visible text at each place of a page, with single blanks."""
    return [" ".join(found.text_content().split()) for found in tree.xpath(path)]


def test_hostile_titles_names_and_tags_are_text_wherever_they_stand() -> None:
    """G4, S-22, S-27: nothing that a feed says becomes markup or a template."""
    author = Person(HOSTILE, url="javascript:alert(3)")
    origin = replace(KHRONOS, title=HOSTILE, home="javascript:alert(4)")
    entry = item(
        HOSTILE,
        authors=(author,),
        tags=(HOSTILE,),
        copies=(Copy(HOSTILE, "data:text/html,x"),),
        origin=origin,
        source="s",
        enclosures=(Enclosure("https://cdn.example/a.mp3", 'audio/"onload=x', 1, HOSTILE),),
        lang='en" onload="x',
        link="javascript:alert(5)",
    )
    entry = replace(entry, teaser=Teaser("<p>Clean.</p>", "Clean."))
    other = related("tag", HOSTILE, "tags/x")
    made = feed(
        entry,
        title=HOSTILE,
        description=HOSTILE,
        rights=HOSTILE,
        kind="tag",
        label=HOSTILE,
        related=(other,),
        icon="javascript:x",
    )
    tree = read(made, Site(HOSTILE, "javascript:alert(6)"))
    assert not tree.xpath("//script | //img | //*[@style] | //style")
    assert not [name for node in tree.iter("*") for name in node.attrib if name.startswith("on")]
    assert not [link for link in tree.xpath("//@href") if link.lower().startswith(("javascript:", "data:"))]
    assert texts(tree, "//article//h2") == [HOSTILE]
    assert texts(tree, "//h1") == [HOSTILE]
    assert "49" not in page(made, SITE).decode().replace("2049", "")


def test_an_entry_shows_title_date_author_source_teaser_tags_and_copies() -> None:
    """Issue 2.8 and MG-07: what people know from a blog's archive."""
    entry = item(
        "A < b && c",
        "Words, cut …",
        source="khronos",
        origin=KHRONOS,
        link="https://www.khronos.example/1",
        tags=("CUDA", "odd"),
        copies=(Copy("Planet Graphics", "https://planet.example/1"),),
        authors=(Person("Ada"), Person("Grace", url="https://grace.example/")),
        updated=NOON + timedelta(days=2),
    )
    tree = read(feed(entry))
    assert texts(tree, "//article//h2/a[@href='https://www.khronos.example/1']") == ["A < b && c"]
    assert tree.xpath("//article/div[@class='meta']//time/@datetime") == ["2026-05-01T12:00:23Z"]
    assert texts(tree, "//article/div[@class='meta']/p") == ["1 May 2026", "Khronos Group", "Ada, Grace"]
    assert texts(tree, "//article/div[@class='text']/p") == [
        "Words, cut … Read more",
        "Updated 3 May 2026Also at Planet Graphics",
    ]
    assert texts(tree, "//article//ul[@class='chips']/li") == ["CUDA", "odd"]
    assert tree.xpath("//article//ul[@class='chips']//@href") == ["tags/cuda/"]


@pytest.mark.parametrize(
    ("length", "words"), [(1, "0.1 kB"), (3000, "3.0 kB"), (99_999, "100.0 kB"), (7_340_032, "7.3 MB")]
)
def test_no_file_is_said_to_have_nothing_in_it(length: int, words: str) -> None:
    """A file of 3 kB had 0.0 MB."""
    tree = read(feed(item(enclosures=(Enclosure("https://cdn.example/a.mp3", "audio/mpeg", length),))))
    assert texts(tree, "//ul[@class='files']//span") == [f"audio, {words}"]


def test_links_of_strangers_are_marked_and_our_own_are_not() -> None:
    """S-21."""
    strange = read(feed(item(source="s", origin=KHRONOS, copies=(Copy("B", "https://b.example/"),))))
    assert set(strange.xpath("//article//a[not(ancestor::p[not(@class)])]/@rel")) == {
        "nofollow noopener noreferrer ugc"
    }
    assert not read(feed(item())).xpath("//article//a/@rel")


def test_of_an_entry_with_its_title_alone_no_text_is_on_the_page() -> None:
    """MG-13: not its teaser, and not the names of its media."""
    told = item("Bare", "secret", show=Show.TITLE, enclosures=(Enclosure("https://a.example/x.mp3", "audio/mpeg"),))
    body = page(feed(told), SITE).decode()
    assert "Bare" in body
    assert "secret" not in body
    assert "x.mp3" not in body


def test_an_entry_without_authors_has_those_of_its_feed_or_source_as_in_every_format() -> None:
    """MG-07, K1; and what XML could not carry is not on the page either (B4)."""
    ours = feed(item("A\fB", authors=()), authors=(Person("The Editors"),))
    assert texts(read(ours), "//p[@class='by']") == ["The Editors"]
    assert texts(read(ours), "//article//h2") == ["AB"]
    theirs = feed(item(authors=(), source="s", origin=KHRONOS), authors=(Person("The Editors"),))
    assert texts(read(theirs), "//article/div[@class='meta']/p") == ["1 May 2026", "Khronos Group"]


def test_an_author_who_is_the_source_is_named_once() -> None:
    """MG-07 falls back to the title of the source, which stands there already."""
    tree = read(feed(item(source="s", origin=KHRONOS, authors=(Person("Khronos Group"),))))
    assert texts(tree, "//article/div[@class='meta']/p") == ["1 May 2026", "Khronos Group"]


def test_an_entry_without_link_or_title_is_shown_all_the_same() -> None:
    """S-22: a bad address costs the link, not the entry."""
    tree = read(feed(item("", "Some words.", link=None)))
    assert texts(tree, "//article//h2") == ["Note of 1 May 2026"]
    assert not tree.xpath("//article//h2/a")


def test_each_entry_has_its_language_and_its_direction() -> None:
    """T15, and lang and direction per entry."""
    tree = read(feed(*FOREIGN[:3]))
    told = [(div.get("lang"), div.get("dir")) for div in tree.xpath("//article/div[@class='text']")]
    assert told == [("ar", "rtl"), ("ja", "ltr"), ("de", "ltr")]
    assert tree.get("lang") == "en"
    assert tree.get("dir") is None


def test_a_page_in_another_language_marks_what_is_english_on_it() -> None:
    """The page says its own language, and of our words that they are English."""
    tree = read(feed(item(), lang="he", title="הערות"))
    assert (tree.get("lang"), tree.get("dir")) == ("he", "rtl")
    assert set(tree.xpath("//div[@class='subscribe']/@lang | //footer/@lang | //a[@class='skip']/@lang")) == {"en"}
    assert not read(feed(item())).xpath("//body//@lang")


def test_our_english_words_inside_an_entry_in_another_language_are_marked() -> None:
    """WCAG 3.1.2: they stand within the language of the entry, whatever that of the page."""
    file = Enclosure("https://cdn.example/a.mp3", "audio/mpeg", 1_000_000)
    entry = item(lang="ar", enclosures=(file,), updated=NOON + timedelta(days=3))
    assert read(feed(entry)).xpath("//p[@class='also']/@lang | //ul[@class='files']//span/@lang") == ["en", "en"]
    date = html.fromstring(fragment(feed(entry), SITE).decode()).xpath("//time/@lang")
    assert date == ["en"]


def test_names_keep_their_own_direction_on_a_page_from_right_to_left() -> None:
    """C++ would be shown as ++C; and an English sentence would begin with its full stop."""
    tags = tuple(related(kind, "C++", f"{kind}s/c") for kind in ("main", "topic", "tag", "author"))
    made = feed(item(tags=("C++", "F#"), lang="ar"), lang="ar", kind="tag", label="C++", related=tags)
    tree = read(made, Site("C++", TOP + "cpp"))
    named = "//*[self::a or self::span or self::h1][.='C++' or .='F#']"
    assert len(texts(tree, named)) == len(texts(tree, f"{named}/bdi")) == 7
    empty = read(feed(lang="ar"), Site("C++", TOP))
    assert texts(empty, "//p[@class='home']//bdi") == ["C++"]
    assert texts(empty, "//p[@class='empty']/bdi") == texts(empty, "//p[@class='empty']")


@pytest.mark.parametrize(
    ("lang", "text", "way"),
    [
        ("ar", "CUDA والذاكرة", "rtl"),
        ("ar", "An English entry", "ltr"),
        (None, "والذاكرة CUDA", "rtl"),
        (None, "1. CUDA والذاكرة", "ltr"),
        ("en", "", "ltr"),
        ("he-IL", "", "rtl"),
        ("az-Arab", "", "rtl"),
        ("de", "123", "ltr"),
    ],
)
def test_direction_follows_the_language_and_the_letters(lang: str | None, text: str, way: str) -> None:
    """T15."""
    assert direction(lang, text) == way


@pytest.mark.parametrize("path", ["", "planet", "tags/cuda", "a/b/c"])
def test_the_page_names_its_formats_and_the_other_feeds_for_readers_and_for_people(path: str) -> None:
    """G2, V-15: autodiscovery and links, each the address that the feed has."""
    made = feed(item(), path=path)
    tree = read(made)
    alternates = [urljoin(made.page, href) for href in tree.xpath("//head/link[@rel='alternate']/@href")]
    assert alternates[:3] == list(made.urls.values())
    assert tree.xpath("//head/link[@rel='alternate']/@type")[:3] == [
        "application/atom+xml",
        "application/rss+xml",
        "application/feed+json",
    ]
    assert set(alternates[3:]) == {one.urls["atom"] for one in made.related if one.page != made.page}
    assert [urljoin(made.page, href) for href in tree.xpath("//div[@class='subscribe']/ul//@href")] == list(
        made.urls.values()
    )
    assert texts(tree, "//div[@class='subscribe']/ul/li") == ["Atom", "RSS", "JSON Feed"]
    linked = {urljoin(made.page, href) for href in tree.xpath("//nav//@href")}
    assert linked >= {one.page for one in made.related}


def test_a_format_that_is_not_published_is_not_offered() -> None:
    """`output.formats` decides; the order is the configured one."""
    made = feed(item(), urls={"json": f"{TOP}feed.json"}, related=())
    assert read(made).xpath("//head/link[@rel='alternate']/@href") == ["feed.json"]


@pytest.mark.parametrize("path", ["", "planet", "tags/cuda"])
def test_whatever_is_ours_is_addressed_relative_to_the_page(path: str) -> None:
    """So that the folder works under any prefix; only the canonical address is whole, as is what leaves the folder."""
    site = Site(
        "GPU Notes",
        "https://elsewhere.example/",
        subscribe="subscribe.html",
        sources="sources.html",
        outlines="feeds.opml",
    )
    made = feed(item(link="https://elsewhere.example/p/"), path=path)
    tree = read(made, site)
    for place in tree.xpath("//link[@rel!='canonical']/@href | //nav//@href | //footer//@href | //header//ul//@href"):
        assert not place.startswith(("http", "/")), place
        assert urljoin(made.page, place).startswith(TOP)
    assert tree.xpath("//link[@rel='stylesheet']/@href") == [f"{root(path)}assets/feedsvc.css"]
    assert tree.xpath("//link[@rel='canonical']/@href") == [made.page]


def test_the_tabs_know_where_they_are_even_when_the_feed_is_not_among_the_related() -> None:
    """Navigation: this feed is one of the tabs, and marked."""
    made = feed(item(), path="planet", title="Planet", related=(related("main", "Posts", ""),))
    assert texts(read(made), "//nav[@class='tabs']//a[@aria-current='page']") == ["Planet"]
    assert not read(feed(item(), related=())).xpath("//nav")


def test_many_tags_are_folded_and_all_linked() -> None:
    """G2: each tag feed is linked, also where there are hundreds."""
    tags = tuple(related("tag", f"tag {number}", f"tags/tag-{number}") for number in range(200))
    tree = read(feed(item(), related=tags))
    assert len(tree.xpath("//aside//details//a")) == 200
    assert len(tree.xpath("//head/link[@rel='alternate']")) == 203


def test_the_page_has_one_main_heading_landmarks_and_a_skip_link() -> None:
    """Accessibility: a reader of headings and landmarks finds everything."""
    tree = read(feed(*river(3)))
    headings = [node.tag for node in tree.iter("h1", "h2", "h3", "h4", "h5", "h6")]
    assert headings[0] == "h1"
    assert set(headings[1:]) == {"h2"}
    assert [len(tree.xpath(f"//{landmark}")) for landmark in ("main", "header", "footer", "aside")] == [1, 1, 1, 1]
    assert tree.xpath("//body/a[1]/@href") == ["#main"]
    assert len(tree.xpath("//main[@id='main']")) == 1


def test_dates_are_read_off_in_the_zone_of_the_site_and_in_english() -> None:
    """D6, and a date without time keeps its day for people in Auckland."""
    late = datetime(2026, 4, 30, 23, 0, tzinfo=UTC)
    site = Site("GPU Notes", TOP, zone=timezone(timedelta(hours=12)))
    tree = read(feed(item(published=late, updated=late)), site)
    assert texts(tree, "//article//time") == ["1 May 2026"]
    assert tree.xpath("//article//time/@datetime") == ["2026-04-30T23:00:00Z"]


def test_a_feed_without_entries_says_so() -> None:
    """A page is never blank."""
    assert texts(read(feed()), "//main") == ["Nothing here yet. Subscribe, and the first entry will come to you."]


def test_sixty_entries_and_their_style_weigh_less_than_120_kb() -> None:
    """Issue 6."""
    body = page(feed(*river(60)), SITE)
    assert len(body) + len(assets()["feedsvc.css"]) < 120_000


def test_a_page_holds_no_script_no_style_and_the_policy_that_forbids_them() -> None:
    """S-24: also where a server sends no headers; each address of ours is in the style sheet's own origin."""
    body = page(feed(*river(5), *FOREIGN), SITE).decode()
    assert not re.search(r"<(script|style|iframe|img|form)\b| style=| on\w+=", body)
    assert "default-src 'none'; img-src https:; style-src 'self'; base-uri 'none'; form-action 'none'" in body
    assert not [
        name for name, sheet in assets().items() if name.endswith(".css") and re.search(rb"url\(|@import", sheet)
    ]


def test_the_same_feed_gives_the_same_bytes() -> None:
    """N1."""
    assert page(feed(*river(5)), SITE) == page(feed(*river(5)), SITE)
    assert page(feed(*river(5)), SITE).startswith(b"<!doctype html>\n")


def test_a_template_of_ones_own_takes_the_place_of_ours() -> None:
    """Issue 6.1: by name; the others stay, and text stays text."""
    own = (("entry.html", "{% macro entry(card, english='') %}<p class=mine>{{ card.title.text }}</p>{% endmacro %}"),)
    tree = html.document_fromstring(page(feed(item("R&D")), SITE, own).decode())
    assert texts(tree, "//p[@class='mine']") == ["R&D"]
    assert texts(tree, "//h1") == ["GPU Notes"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("<p>\n{% if %}", "config/templates/feed.html:2: error: "),
        ("<p>\n\n{{ page.no_such }}", "config/templates/feed.html:3: error: "),
        ("\n{% include 'gone.html' %}", "config/templates/feed.html:2: error: gone.html"),
        ("<p>\n{{ page.title + 1 }}", "config/templates/feed.html:2: error: can only concatenate str"),
        ("<p>\n{{ 1 / 0 }}", "config/templates/feed.html:2: error: division by zero"),
        ("<p>\n{% for one, two in page.cards %}{% endfor %}", "config/templates/feed.html:2: error: cannot unpack"),
        ('{% extends "feed.html" %}', "config/templates/feed.html:1: error: maximum recursion depth exceeded"),
    ],
)
def test_a_template_that_cannot_be_used_is_named_with_its_line(source: str, message: str) -> None:
    """Diagnostics say what is wrong, where, and what to do."""
    with pytest.raises(ConfigError) as caught:
        page(feed(item()), SITE, (("feed.html", source),))
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith("; mend the template [bad-template]")


def test_the_style_sheets_are_published() -> None:
    """Interface: assets/."""
    assert {"feedsvc.css", "feed.css"} <= set(assets())


steps = st.text(alphabet="ab:é.%~", max_size=3)
paths = st.lists(steps, max_size=4).map(lambda parts: "/" + "/".join(parts))


@given(base=paths, target=paths, tail=st.sampled_from(["", "?a=b", "#f", "?a#f"]))
@settings(max_examples=200)
def test_a_relative_address_leads_back_to_its_target(base: str, target: str, tail: str) -> None:
    """RFC 3986, 4.2, with empty steps, dots and colons in them."""
    whole = f"https://a.example{target}{tail}"
    assert urljoin(f"https://a.example{base}", relative(f"https://a.example{base}", whole)) in {
        whole,
        urljoin(whole, whole),
    }


@pytest.mark.parametrize(
    ("base", "target", "way"),
    [
        (TOP, TOP, "./"),
        (f"{TOP}a/", TOP, "../"),
        (f"{TOP}a/index.html", f"{TOP}a/atom.xml", "atom.xml"),
        (TOP, "http://gpu-notes.example/", "http://gpu-notes.example/"),
        (TOP, "https://b.example/x", "https://b.example/x"),
        (TOP, f"{TOP}a/../b", f"{TOP}a/../b"),
        ("https://a.example", "https://a.example/x", "x"),
    ],
)
def test_a_relative_address_is_the_shortest_way(base: str, target: str, way: str) -> None:
    """And another origin, or an address that is not normal, stays whole."""
    assert relative(base, target) == way
