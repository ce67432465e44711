"""The pages around the feeds, and the fragment for other sites: issue 6, points 1 and 3; security S-20, S-22, S-24."""

from urllib.parse import urljoin

from lxml import html

from feedsvc.model import Show
from feedsvc.render.about import Source
from feedsvc.render.page import fragment, sources, subscribe
from feedsvc.render.views import Site
from tests.render.pages import FOREIGN, KHRONOS, NOON, TOP, feed, item, related, river, urls

SITE = Site("GPU Notes", TOP, subscribe="subscribe.html", sources="sources.html", outlines="feeds.opml")
HOSTILE = "<img src=x onerror=alert(1)>{{ 7*7 }}"
KNOWN = (
    Source("Khronos Group", "https://k.example/feed", "https://k.example/", "well", "Read today; 3 new entries.", NOON),
    Source(HOSTILE, "javascript:alert(1)", "data:text/html,x", "failing", "Has not answered since 3 April 2026."),
)


def texts(tree: html.HtmlElement, path: str) -> list[str]:
    """Return the visible text at each place of a page, with single blanks."""
    return [" ".join(found.text_content().split()) for found in tree.xpath(path)]


def test_the_page_about_feeds_gives_the_whole_address_of_each_main_feed_and_the_page_of_every_other() -> None:
    """Issue 6.1: what one copies into a reader stands there to be copied."""
    tree = html.document_fromstring(subscribe(feed(*river(2)), SITE).decode())
    assert texts(tree, "//code") == [*urls("").values(), *urls("planet").values()]
    linked = {urljoin(TOP, href) for href in tree.xpath("//main//@href")}
    assert linked >= {one.page for one in feed().related} | {f"{TOP}feeds.opml"}
    assert texts(tree, "//main/h3") == ["Feeds", "By topic", "By tag", "By author"]
    assert not tree.xpath("//article")


def test_a_page_around_the_feeds_lies_at_the_top_wherever_the_main_feed_lies() -> None:
    """Its addresses are relative to its own place, and it names the main feed also where that is not related."""
    made = feed(path="planet", title="Planet", label="Planet", related=(related("tag", "CUDA", "tags/cuda"),))
    tree = html.document_fromstring(subscribe(made, SITE).decode())
    assert tree.xpath("//link[@rel='stylesheet']/@href") == ["assets/feedsvc.css"]
    assert tree.xpath("//link[@rel='canonical']/@href") == [f"{TOP}subscribe.html"]
    assert tree.xpath("//nav[@class='tabs']//@href") == ["planet/"]
    assert not tree.xpath("//nav//@aria-current")
    assert tree.xpath("//main//li/a[bdi='CUDA']/@href") == ["tags/cuda/"]


def test_the_list_of_sources_says_in_words_how_each_is_doing() -> None:
    """Issue 6.1; a state is never told by colour alone."""
    tree = html.document_fromstring(sources(feed(), SITE, KNOWN).decode())
    assert texts(tree, "//article/h2") == ["Khronos Group", HOSTILE]
    assert texts(tree, "//article/p[starts-with(@class, 'state')]") == [source.words for source in KNOWN]
    assert tree.xpath("//article//time/@datetime") == ["2026-05-01T12:00:23Z"]


def test_english_sentences_keep_their_full_stop_on_a_page_from_right_to_left() -> None:
    """Each has its own direction; it would begin with its full stop."""
    hebrew = feed(lang="he")
    made = (subscribe(hebrew, SITE), sources(hebrew, SITE, KNOWN), sources(hebrew, SITE, ()))
    trees = [html.document_fromstring(each.decode()) for each in made]
    ends = [
        texts(tree, f"//p[@class='lede' or starts-with(@class, 'state')]{way}")
        for tree in trees
        for way in ("", "/bdi")
    ]
    assert ends[0::2] == ends[1::2]


def test_a_hostile_source_stays_text_and_leads_nowhere() -> None:
    """S-22, S-27."""
    tree = html.document_fromstring(sources(feed(), SITE, KNOWN).decode())
    assert not tree.xpath("//img | //script")
    assert len(tree.xpath("//article[1]//a")) == 2
    assert not [href for href in tree.xpath("//@href") if href.startswith(("javascript:", "data:"))]
    assert texts(tree, "//article[2]//a") == []


def test_a_list_without_sources_says_so() -> None:
    """A page is never blank."""
    tree = html.document_fromstring(sources(feed(), SITE, ()).decode())
    assert texts(tree, "//header/p[@class='lede']") == ["Nothing is gathered from other sites here."]


def test_a_fragment_works_on_any_site_and_has_neither_style_nor_script() -> None:
    """Issue 6.3: whole addresses, hostile titles as text, no text of a source that allows its title alone (MG-13)."""
    told = item(HOSTILE, "secret", show=Show.TITLE, source="s", origin=KHRONOS)
    tree = html.fragment_fromstring(fragment(feed(*river(2), told, *FOREIGN, path="planet"), SITE).decode())
    assert tree.get("class") == "feedsvc"
    assert not [href for href in tree.xpath("//@href") if not href.startswith("https://")]
    assert not tree.xpath(".//script | .//style | .//img | .//@style")
    assert HOSTILE in texts(tree, ".//*[@class='feedsvc-title']")
    assert "secret" not in tree.text_content()
    assert tree.xpath(".//a[@class='feedsvc-more']/@href") == [f"{TOP}planet/"]
    assert set(tree.xpath(".//li/@dir")) == {"ltr", "rtl"}
