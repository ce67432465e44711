"""Pages, XML documents and the snippet as Chromium shows them: issue 6, "How it is shown"; S-24; G3."""

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from feedsvc.model import Feed, Person
from feedsvc.render import atom, rss
from feedsvc.render.about import Source
from feedsvc.render.page import assets, page, sources, subscribe
from feedsvc.render.views import Site
from tests.browser.browsing import NARROW, WIDE, Scheme, axe, chromium, visit
from tests.render.pages import FOREIGN, KHRONOS, NOON, TOP, feed, item, related, river
from tests.servers import Reply, Server

pytestmark = pytest.mark.browser

PAGE_POLICY = (
    "default-src 'none'; img-src https:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FEED_POLICY = "default-src 'none'; style-src 'self'; sandbox"
TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/feed+json",
    "xml": "text/xml",
}
SITE = Site("GPU Notes", TOP, subscribe="subscribe.html", sources="sources.html", outlines="feeds.opml")
KNOWN = tuple(
    Source("A site", "https://a.example/feed", "https://a.example/", state, "In words.", NOON)
    for state in ("well", "waiting", "failing", "off")
)
PLANET = feed(
    *FOREIGN,
    *river(60),
    path="planet",
    name="planet",
    title="GPU Notes: planet",
    older=related("archive", "Archive 2", "planet/archive/2"),
)
PAGES = ("", "planet/", "planet/archive/2/", "tags/cuda/", "rtl/", "empty/", "subscribe.html", "sources.html")


def reply(name: str, body: bytes, **headers: str) -> Reply:
    """Return a file as our server sends it (S-24, V-16), with the type a folder server takes from its name."""
    kind = name.rpartition(".")[2]
    policy = {"html": PAGE_POLICY, "xml": FEED_POLICY}.get(kind)
    told = {"Content-Type": f"{TYPES[kind]}; charset=utf-8", "X-Content-Type-Options": "nosniff", **headers}
    return Reply(200, told | ({"Content-Security-Policy": policy} if policy else {}), body)


def files() -> dict[str, bytes]:
    """Return a whole published folder, as far as browsers look at it, below a prefix of another name."""
    style = "../assets/feed.css"
    tag = feed(*river(4), path="tags/cuda", kind="tag", label="CUDA", title="GPU Notes: CUDA")
    hebrew = feed(*FOREIGN, path="rtl", lang="he", title="הערות", kind="topic", label="הערות GPU")
    archive = feed(
        *river(4),
        path="planet/archive/2",
        kind="archive",
        label="Archive 2",
        title="GPU Notes: planet",
        older=related("archive", "Archive 1", "planet/archive/1"),
        current=related("main", "Planet", "planet"),
    )
    kinds = (feed(*river(8)), PLANET, archive, tag, hebrew)
    made = {f"{each.path}/index.html".lstrip("/"): page(each, SITE) for each in kinds}
    made |= {"empty/index.html": page(feed(path="empty"), SITE), "subscribe.html": subscribe(PLANET, SITE)}
    made |= {"sources.html": sources(PLANET, SITE, KNOWN), "planet/atom.xml": atom.render(styled(style))}
    return (
        made
        | {"planet/rss.xml": rss.render(styled(style))}
        | {f"assets/{name}": body for name, body in assets().items()}
    )


def styled(style: str) -> Feed:
    """Return a feed whose XML documents have a style sheet."""
    return feed(*river(4), *FOREIGN, path="planet", title="Planet & more", style=style)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with Server() as server:
        for name, body in files().items():
            server.answers[f"/any/prefix/{name.removesuffix('index.html')}"] = reply(name, body)
        yield server.url("/any/prefix/")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_accessible_in_light_and_dark(browser: Browser, base: str, path: str, scheme: Scheme) -> None:
    """Contrast, landmarks, headings, names: axe-core has nothing to say, best practices included."""
    source = axe()
    with visit(browser, base + path, scheme, bypass_csp=True) as seen:
        seen.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        seen.page.evaluate(source)
        found = seen.page.evaluate("axe.run().then((result) => result.violations)")
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_for_its_style_sheet_alone_and_says_nothing_to_the_console(
    browser: Browser, base: str, path: str
) -> None:
    """S-24: with the policy in force; nothing goes to another host."""
    with visit(browser, base + path) as seen:
        assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 246)"
    assert [urlsplit(url).path for url in seen.asked] == [f"/any/prefix/{path}", "/any/prefix/assets/feedsvc.css"]
    assert seen.said == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_never_wider_than_its_window(browser: Browser, base: str, path: str) -> None:
    """WCAG 1.4.10: down to 320 pixels, and beside a scroll bar that takes room."""
    with visit(browser, base + path) as seen:
        for width, height in (WIDE, (800, 600), NARROW, (320, 600)):
            seen.page.set_viewport_size({"width": width, "height": height})
            assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
            assert seen.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_page_of_long_words_is_never_wider_than_its_window(browser: Browser) -> None:
    """WCAG 1.4.10: what stands beside something else (names, tabs, the rights) breaks as running text does."""
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    own = item(word, word, authors=(Person(word),), tags=(word,))
    foreign = item(word, word, authors=(Person("A"),), tags=(word,), origin=replace(KHRONOS, title=word), source="s")
    others = tuple(related(kind, word, f"{kind}s/x") for kind in ("main", "topic", "tag", "author"))
    long = feed(own, foreign, title=word, description=word, rights=word, related=others)
    known = (replace(KNOWN[0], title=word, words=word),)
    site = replace(SITE, title=f"{word}.")
    with Server() as server:
        server.answers["/"] = reply("index.html", page(long, site))
        server.answers["/subscribe.html"] = reply("subscribe.html", subscribe(long, site))
        server.answers["/sources.html"] = reply("sources.html", sources(long, site, known))
        xml = replace(long, style="assets/feed.css")
        server.answers["/atom.xml"] = reply("atom.xml", atom.render(xml))
        server.answers["/rss.xml"] = reply("rss.xml", rss.render(xml))
        server.answers |= {f"/assets/{name}": reply(name, body) for name, body in assets().items()}
        for path in ("/", "/subscribe.html", "/sources.html", "/atom.xml", "/rss.xml"):
            for width in (320, 740, 1060):
                with visit(browser, server.url(path), size=(width, 600)) as seen:
                    found = seen.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
                assert found[0] <= found[1], (path, width)


def test_the_dark_page_is_dark_and_the_printed_one_shows_where_links_lead(browser: Browser, base: str) -> None:
    """Light, dark and paper."""
    with visit(browser, base, "dark") as seen:
        assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 20, 18)"
        seen.page.emulate_media(media="print")
        assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not seen.page.locator(".subscribe").is_visible()
        after = "getComputedStyle(document.querySelector('.text h2 a'), '::after').content"
        assert f"{TOP}0-what/" in seen.page.evaluate(after)


def test_a_printed_address_reads_from_left_to_right_below_a_title_that_does_not(browser: Browser, base: str) -> None:
    """Its last slash would stand before https."""
    with visit(browser, base + "rtl/") as seen:
        seen.page.emulate_media(media="print")
        ways = "[...document.querySelectorAll('.text h2 a')].map((one) => getComputedStyle(one, '::after').unicodeBidi)"
        assert set(seen.page.evaluate(ways)) == {"plaintext"}


def test_the_chip_of_the_page_is_told_from_the_others_also_in_forced_colours(browser: Browser, base: str) -> None:
    """Its colours are those of every link there."""
    with visit(browser, base + "tags/cuda/", forced_colors="active") as seen:
        chips = "getComputedStyle(document.querySelector('.side .chips a%s')).borderTopWidth"
        assert seen.page.evaluate(chips % "[aria-current]") == "3px"
        assert seen.page.evaluate(chips % ":not([aria-current])") == "1px"


def test_the_keyboard_reaches_the_entries_with_two_keys(browser: Browser, base: str) -> None:
    """WCAG 2.4.1: the skip link is the first stop, shows itself, and leads on."""
    with visit(browser, base) as seen:
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("document.querySelector('.skip').getBoundingClientRect().top") >= 0
        seen.page.keyboard.press("Enter")
        assert seen.page.evaluate("document.activeElement.id") == "main"


@pytest.mark.parametrize("path", ["planet/atom.xml", "planet/rss.xml"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_xml_document_shows_what_it_is_and_its_entries(
    browser: Browser, base: str, path: str, scheme: Scheme
) -> None:
    """Issue 6.2, G3: by CSS alone, under the policy of feeds; no markup of a summary, no id, no mail address is seen.

    Chromium shows what is sent as application/atom+xml or application/rss+xml as plain text, whatever it links;
    folder servers that send text/xml for .xml, and files opened from disk, have this face.
    """
    with visit(browser, base + path, scheme, NARROW) as seen:
        root = seen.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        visible = seen.page.evaluate(
            """[...document.querySelectorAll('*')].filter((one) => !one.children.length && one.getClientRects().length)
               .map((one) => one.textContent)"""
        )
        told = seen.page.evaluate(
            "getComputedStyle(document.querySelector('channel') ?? document.documentElement, '::before').content"
        )
        assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert root == {"light": "rgb(251, 250, 246)", "dark": "rgb(16, 20, 18)"}[scheme]
    assert "This is a feed" in told
    assert {"Planet & more", "Nsight Systems first, Nsight Compute second", "Mira Okafor", "Khronos Group"} <= set(
        visible
    )
    assert not [text for text in visible if "<" in text or "tag:" in text or "@" in text]
    assert seen.said == []


HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": HOSTILE,
    "home_page_url": "javascript:document.title='owned'",
    "items": [
        {"id": "1", "title": HOSTILE, "url": "javascript:document.title='owned'", "summary": HOSTILE},
        {"id": "2", "title": "Second", "url": "https://b.example/2", "date_published": "2026-05-01T12:00:00Z"},
        None,
        {"id": "3", "title": 7, "url": None, "summary": "No title", "date_published": "never", "language": "ja"},
        {"id": "4", "title": "Fourth", "url": "/4"},
    ],
}
STRANGER = """<!doctype html><html lang="en"><title>theirs</title><style>a { color: red }</style>
<div data-feedsvc="FEED/feed.json" data-count="3"><a href="FEED/">Our notes</a></div>
<div data-feedsvc="FEED/gone.json"><a href="FEED/">Still here</a></div>
<script src="FEED/snippet.js" async></script>"""


def test_the_snippet_shows_teasers_on_a_strangers_page_and_nothing_of_a_feed_becomes_markup(browser: Browser) -> None:
    """Issue 6.3: hostile titles and addresses, a missing feed, a strict policy of the page that shows it."""
    with Server() as ours, Server() as theirs:
        ours.answers["/feed.json"] = reply(
            "feed.json", json.dumps(FEED).encode(), **{"Access-Control-Allow-Origin": "*"}
        )
        ours.answers["/gone.json"] = Reply(404, {"Access-Control-Allow-Origin": "*"}, b"{}")
        ours.answers["/snippet.js"] = reply("snippet.js", assets()["snippet.js"])
        policy = f"default-src 'none'; script-src {ours.url('')}; connect-src {ours.url('')}"
        body = STRANGER.replace("FEED", ours.url("")).encode()
        theirs.answers["/"] = Reply(200, {"Content-Type": "text/html", "Content-Security-Policy": policy}, body)
        with visit(browser, theirs.url("/")) as seen:
            items = seen.page.locator("[data-feedsvc] [part=item]")
            items.first.wait_for()
            assert seen.page.locator("[data-feedsvc] [part=title]").all_text_contents() == [
                HOSTILE,
                "Second",
                "No title",
            ]
            assert seen.page.locator("[data-feedsvc] [part=date]").all_text_contents() == ["May 1, 2026"]
            links = seen.page.locator("[data-feedsvc] a[part]")
            assert [link.get_attribute("href") for link in links.all()] == ["https://b.example/2"]
            assert seen.page.locator("[data-feedsvc] img, [data-feedsvc] script").count() == 0
            assert seen.page.locator("text=Still here").is_visible()
            assert not seen.page.locator("text=Our notes").is_visible()
            assert seen.page.title() == "theirs"


ODD = {
    "home_page_url": "https://b.example/",
    "items": [{"id": "1", "summary": "a" * 79 + "🙂🙂", "date_published": "2026-05-01T12:00:00Z"}],
}


@pytest.mark.parametrize("lang", ["en_US", "x", ""])
def test_the_snippet_shows_an_odd_feed_on_a_page_whose_language_is_none(browser: Browser, lang: str) -> None:
    """A date in a language that is none would throw; no half of a character is shown, and no link without words."""
    with Server() as server:
        server.answers["/feed.json"] = reply("feed.json", json.dumps(ODD).encode())
        server.answers["/snippet.js"] = reply("snippet.js", assets()["snippet.js"])
        body = STRANGER.replace("FEED", server.url("")).replace('lang="en"', f'lang="{lang}"').encode()
        server.answers["/"] = Reply(200, {"Content-Type": "text/html"}, body)
        with visit(browser, server.url("/")) as seen:
            seen.page.locator("[data-feedsvc] [part=date]").wait_for(timeout=3000)
            titles = seen.page.locator("[data-feedsvc] [part=title]").evaluate_all(
                "(all) => all.map((one) => [one.textContent.isWellFormed(), [...one.textContent].length])"
            )
            assert titles == [[True, 80]]
            assert seen.page.locator("[data-feedsvc] a[part=more]").all_text_contents() == ["https://b.example/"]
