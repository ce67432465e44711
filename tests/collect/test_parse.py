"""A body into a feed: kinds, titles, links, text, enclosures (aggregating DX, TI, LI, CO, EC, JF, RD)."""

import json
from typing import Any

import pytest

from feedsvc.collect.found import Kind
from feedsvc.model import Enclosure, Person
from feedsvc.text.teaser import TeaserRules, tease_foreign
from tests.collect.documents import atom, codes, entry, feed, item, only, refused, rss

ITEM = "<item><title>kept</title><link>https://warp.example/1</link></item>"


RDF = (
    '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
    f"<channel><title>W</title></channel>{ITEM}</r:RDF>"
)
PDF_FIRST = (
    "<link rel='replies' href='https://no.example/'/><link rel='alternate' type='application/pdf'"
    " href='https://a.example/1.pdf'/><link rel='alternate' type='text/html' href='https://a.example/1'/>"
)
FRENCH_FIRST = (
    "<link rel='alternate' hreflang='fr' href='https://a.example/fr'/>"
    "<link rel='alternate' hreflang='de' href='https://a.example/de'/>"
)


def jsonfeed(*items: dict[str, Any], **members: Any) -> str:
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "Warp", **members, "items": list(items)})


# ---- kinds (DX) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (rss(ITEM), Kind.RSS),
        (f"<rss version='0.91'><channel><title>W</title>{ITEM}</channel></rss>", Kind.RSS),
        (f"<channel><title>W</title>{ITEM}</channel>", Kind.RSS),
        (atom("<entry><id>urn:w:1</id><title>kept</title></entry>"), Kind.ATOM),
        ('<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title>kept</title></entry></feed>', Kind.ATOM),
        (
            '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:title>kept</a:title></a:entry></a:feed>',
            Kind.ATOM,
        ),
        (
            RDF,
            Kind.RDF,
        ),
        (jsonfeed({"id": "1", "title": "kept"}), Kind.JSON),
        (jsonfeed({"id": "1", "title": "kept"}, version="https://jsonfeed.org/version/9"), Kind.JSON),
    ],
)
@pytest.mark.parametrize("media_type", ["", "text/html", "application/json"])
def test_the_root_decides_what_a_document_is(document: str, kind: Kind, media_type: str) -> None:
    """DX-01, F-52, JF-01, JF-04."""
    found = feed(document, media_type)
    assert (found.kind, [one.title for one in found.entries]) == (kind, ["kept"])


@pytest.mark.parametrize(
    ("document", "code", "words"),
    [
        ("", "empty", "empty"),
        (" \n\0", "empty", "empty"),
        ("<!doctype html><title>Sign in</title><p>Please sign in.</p>", "no-feed", "a web page"),
        ('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', "no-feed", "a web page"),
        ("<html><script>document.write('<rss>')</script></html>", "no-feed", "a web page"),
        ('<?xml version="1.0"?><urlset/>', "no-feed", "an XML document <urlset>"),
        ("<opml><body/></opml>", "no-feed", "<opml>"),
        ("Internal server error", "no-feed", "neither XML nor JSON"),
        ('{"error": "not found"}', "no-feed", "no JSON Feed"),
        ("[1, 2]", "no-feed", "no JSON Feed"),
        ('{"error": "over quota", "items": []}', "no-feed", "no JSON Feed"),
        ('{"total_count": 1, "items": [{"id": 1, "title": "A hit"}]}', "no-feed", "no JSON Feed"),
        ('{"version": ', "malformed", "line 1: not valid JSON"),
    ],
)
def test_what_is_no_feed_is_said_in_words(document: str, code: str, words: str) -> None:
    """F-39, OU-02, X-06."""
    found = refused(document, "application/rss+xml")
    assert found.code == code
    assert words in found.message


@pytest.mark.parametrize("space", ["https://cyber.harvard.edu/rss/rss.html", "http://www.w3.org/2005/Atom", "urn:any"])
def test_rss_elements_count_in_a_default_namespace(space: str) -> None:
    """DX-02."""
    assert only(rss(ITEM, attributes=f' xmlns="{space}"')).link == "https://warp.example/1"


def test_a_prefix_that_nobody_declared_is_an_element_that_nobody_knows() -> None:
    """DX-03: its neighbours stay, and so does the rest of the document."""
    found = feed(
        rss("<item><x:title>no</x:title><title>kept</title><dc:creator y:z='1'>Ada</dc:creator></item>" + ITEM)
    )
    assert [one.title for one in found.entries] == ["kept", "kept"]
    assert found.entries[0].authors == (Person("Ada"),)
    assert not found.warnings


def test_children_of_foreign_elements_are_no_fields_of_the_entry_and_nested_items_are_entries() -> None:
    """DX-04."""
    media = "<media:group><media:title>screenshot</media:title><title>no</title><link>https://no.example/</link></media:group>"
    found = feed(rss(f"<item>{media}<title>outer</title><item><title>inner</title></item></item>"))
    assert [(one.title, one.link) for one in found.entries] == [("outer", None), ("inner", None)]


def test_no_entries_is_no_error() -> None:
    """DX-05."""
    assert feed(rss("")).entries == ()


@pytest.mark.parametrize(
    ("document", "lang"),
    [
        (rss(ITEM, "<language>de_AT</language>"), "de-AT"),
        (rss(ITEM, attributes=' xml:lang="de"'), "de"),
        (rss("<item xml:lang='fr'><title>kept</title></item>", "<language>de</language>"), "fr"),
        (atom("<entry xml:lang='fr'><id>1</id><title>x</title></entry>", attributes=" xml:lang='de'"), "fr"),
        (jsonfeed({"id": "1", "title": "x"}, language="de"), "de"),
        (jsonfeed({"id": "1", "title": "x", "language": "fr"}, language="de"), "fr"),
        (rss(ITEM, "<language>not a language</language>"), None),
        (
            rss("<item><title>x</title><description xml:lang='fr'>y</description></item>", "<language>de</language>"),
            "fr",
        ),
        (
            atom("<entry xml:lang='de'><id>1</id><title>x</title><content xml:lang='fr'>y</content></entry>"),
            "fr",
        ),
    ],
)
def test_the_language_reaches_the_entry(document: str, lang: str | None) -> None:
    """DX-06."""
    assert only(document).lang == lang


# ---- titles (TI) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("&lt;em&gt;Fast&lt;/em&gt; kernels", "Fast kernels"),
        ("&lt;code&gt;k&lt;/code&gt; and &lt;T&gt;", "k and <T>"),
        ("std::vector&lt;float4&gt;", "std::vector<float4>"),
        ("&lt;typename T&gt; &amp;amp; friends", "<typename T> & friends"),
        ("a &lt; b", "a < b"),
        ("On the &lt;dl&gt; element", "On the <dl> element"),
        ("A lone &lt;em&gt; tag", "A lone <em> tag"),
        ("AT&amp;amp;T", "AT&T"),
        ("R&amp;D", "R&D"),
        ("R&D", "R&D"),
        ("A &amp;#8211; B", "A – B"),
        ("kept &lt;img src=x onerror=alert(1)&gt;", "kept"),
        ("one&lt;br/&gt;two", "one two"),
        ("\n  padded\r\n title\t", "padded title"),
        ("safe \u202etxt.png\u2066 end\u200f", "safe txt.png end"),
        ("&lt;![CDATA[ wrapped ]]&gt;", "wrapped"),
        ("<![CDATA[On the <dl> element]]>", "On the <dl> element"),
        ("smart &#147;quotes&#148;", "smart “quotes”"),
        ("plain <b>children</b>", "plain children"),
        ("&lt;p&gt;Warps &amp;amp; waves&lt;/p&gt;", "Warps & waves"),
        ("&lt;h2&gt;One&lt;/h2&gt;&lt;div&gt;&lt;em&gt;two&lt;/em&gt; &lt;T&gt;&lt;/div&gt;", "One two <T>"),
        ("The &lt;p&gt; and &lt;li&gt; elements &amp;amp; more", "The <p> and <li> elements & more"),
        ("&lt;p&gt; closes with &lt;/p&gt;", "<p> closes with </p>"),
    ],
)
def test_a_title_of_rss_is_html_only_where_it_shows_that_it_is(written: str, title: str) -> None:
    """TI-02, TI-03, S-22, S-23, CO-04."""
    assert only(rss(f"<item><title>{written}</title></item>")).title == title


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("<title>a&lt;b&gt;c &amp;amp; d</title>", "a<b>c &amp; d"),
        ("<title type='html'>a&amp;lt;b&amp;gt; &lt;b&gt;bold&lt;/b&gt; &amp;amp;amp; d</title>", "a<b> bold &amp; d"),
        (
            "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>a&lt;b&gt; <b>bold</b></div></title>",
            "a<b> bold",
        ),
        ("<title type='text/html'>a &lt;i&gt;b&lt;/i&gt;</title>", "a b"),
    ],
)
def test_a_title_of_atom_is_read_by_its_type(written: str, title: str) -> None:
    """TI-01."""
    assert only(atom(f"<entry><id>1</id>{written}</entry>")).title == title


@pytest.mark.parametrize("letter", ["x", "word ", "\U0001f469\u200d\U0001f680"])
def test_a_title_that_never_ends_is_cut_where_a_character_ends(letter: str) -> None:
    """OU-01, S-40, CL-05: entries and lists are published in spite of it."""
    found = feed(rss(f"<item><title>{letter * 400_000}</title></item>", f"<copyright>{letter * 400_000}</copyright>"))
    longest = (letter * (2_000 // len(letter))).rstrip()
    assert (found.entries[0].title, found.channel.rights) == (longest, longest)


def test_a_date_that_is_a_cdata_section_as_text_is_unwrapped() -> None:
    """CO-04."""
    date = "Mon, 03 Mar 2025 09:00:00 GMT"
    assert item(f"<pubDate>&lt;![CDATA[{date}]]&gt;</pubDate>").published == (date,)


def test_a_title_of_json_is_text() -> None:
    """TI-01, JF-03."""
    assert only(jsonfeed({"id": "1", "title": "R&D &amp; <T> <em>x</em>"})).title == "R&D &amp; <T> <em>x</em>"


@pytest.mark.parametrize(
    ("inside", "title"),
    [
        ("<media:title>media</media:title><title>own</title>", "own"),
        ("<media:title>media</media:title><link>https://warp.example/1</link>", "media"),
        ("<itunes:title>episode</itunes:title><link>https://warp.example/1</link>", "episode"),
        ("<title/><media:title>media</media:title><description>Words.</description>", None),
        ("<description>Words.</description>", None),
        ("<link>https://warp.example/2026/warp%20shuffles/?a=1</link>", "warp shuffles"),
        ("<link>https://warp.example/</link>", "warp.example"),
        ("<description>&lt;img src='https://warp.example/1.png'&gt;</description>", None),
    ],
)
def test_where_there_is_no_title_nothing_is_invented_but_the_last_part_of_the_link(
    inside: str, title: str | None
) -> None:
    """TI-04, TI-05."""
    assert only(rss(f"<item>{inside}</item>")).title == title


def test_an_entry_without_title_text_and_link_is_left_out_and_named() -> None:
    """TI-05, SO-11."""
    found = feed(rss(f"<item><guid>886841</guid></item>{ITEM}"))
    assert [one.title for one in found.entries] == ["kept"]
    assert [str(one) for one in found.warnings] == [
        "warp: warning: the entry '886841' has no title, text or link: left out [empty-entry]"
    ]


# ---- links (LI) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "link"),
    [
        ("<link>https://a.example/1</link><link>https://a.example/2</link>", "https://a.example/1"),
        ("<link/><link>https://a.example/2</link>", "https://a.example/2"),
        ("<guid>https://a.example/1</guid>", "https://a.example/1"),
        ("<guid isPermaLink='false'>https://a.example/1</guid>", None),
        ("<guid isPermaLink=' FALSE '>https://a.example/1</guid>", None),
        ("<guid ispermalink='false'>https://a.example/1</guid>", None),
        ("<guid IsPermalink='true'>https://a.example/1</guid>", "https://a.example/1"),
        ("<link>&lt;![CDATA[ https://a.example/1?x=1&amp;y=2 ]]&gt;</link>", "https://a.example/1?x=1&y=2"),
        ("<guid>886840</guid>", None),
        ("<guid isPermaLink='true'>886840</guid>", None),
        ("<guid isPermaLink='true'>urn:x:1</guid>", None),
        (
            "<link>https://fb.example/~r/1</link><feedburner:origLink>https://a.example/1</feedburner:origLink>",
            "https://a.example/1",
        ),
        ("<link> \n https://a.example/ä b?x=1&amp;y=%20 </link>", "https://a.example/%C3%A4%20b?x=1&y=%20"),
        ("<link>https://bücher.example/1</link>", "https://xn--bcher-kva.example/1"),
        ("<link>https://a.example/?x=1&amp;amp;y=2</link>", "https://a.example/?x=1&y=2"),
        ("<link>javascript:alert(1)</link>", None),
        ("<link>ftp://a.example/1</link>", None),
        ("<link>mailto:a@a.example</link>", None),
        ("<link>/2026/post</link>", "https://warp.example/2026/post"),
        ("<link xml:base='https://b.example/x/'>post</link>", "https://b.example/x/post"),
        ("<atom:link rel='self' href='https://no.example/'/>", None),
        ("<atom:link rel='alternate' href='https://a.example/1'/>", "https://a.example/1"),
        (
            "<atom:link rel='replies' href='https://no.example/'/><link>https://a.example/1</link>",
            "https://a.example/1",
        ),
    ],
)
def test_the_link_of_an_rss_item(inside: str, link: str | None) -> None:
    """LI-01 to LI-04, LI-06."""
    assert item(inside).link == link


@pytest.mark.parametrize(
    ("inside", "link"),
    [
        (
            PDF_FIRST,
            "https://a.example/1",
        ),
        ("<link href='https://a.example/1'/>", "https://a.example/1"),
        ("<link rel='alternate' type='application/pdf' href='https://a.example/1.pdf'/>", "https://a.example/1.pdf"),
        (
            FRENCH_FIRST,
            "https://a.example/de",
        ),
        ("<link rel='self' href='https://no.example/'/><link rel='enclosure' href='https://no.example/1.mp4'/>", None),
        ("<link rel='http://www.iana.org/assignments/relation/alternate' href='/1'/>", "https://warp.example/1"),
        ("<link href='/x'/><link rel='alternate' type='text/html' href='/1'/>", "https://warp.example/1"),
        ("", None),
    ],
)
def test_the_link_of_an_atom_entry_is_never_its_id(inside: str, link: str | None) -> None:
    """LI-01."""
    assert entry(inside, attributes=" xml:lang='de'").link == link


def test_bases_combine_from_the_outside_in_and_one_that_is_no_http_is_set_aside() -> None:
    """LI-04, LI-05, S-20."""
    inside = (
        "<link href='Kernel'/><content type='html' xml:base='img/'>&lt;img src='a.png'&gt;</content>"
        "<summary type='html' xml:base='javascript:alert(1)//'>&lt;a href='x'&gt;go&lt;/a&gt;</summary>"
    )
    found = only(
        atom(
            f"<entry xml:base='2026/'><id>rel</id><title>x</title>{inside}</entry>", attributes=" xml:base='/ongoing/'"
        )
    )
    assert found.link == "https://warp.example/ongoing/2026/Kernel"
    assert 'src="https://warp.example/ongoing/2026/img/a.png"' in found.text.content
    assert 'href="https://warp.example/ongoing/2026/x"' in found.text.summary
    assert found.id == "rel"


def test_addresses_in_content_resolve_against_the_entrys_link() -> None:
    """LI-05."""
    found = item(
        "<link>https://a.example/post/</link><description>&lt;img src='a.png' srcset='b.png 2x'&gt;</description>"
    )
    assert 'src="https://a.example/post/a.png"' in found.text.content
    assert 'srcset="https://a.example/post/b.png 2x"' in found.text.content


def test_a_link_that_is_none_is_left_out_and_said() -> None:
    """LI-03, S-22."""
    assert codes(rss("<item><title>x</title><link>javascript:alert(1)</link></item>")) == ["bad-link"]


# ---- text (CO) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "content", "summary"),
    [
        (
            "<description>Short.</description><content:encoded>&lt;p&gt;Whole.&lt;/p&gt;</content:encoded>",
            "<p>Whole.</p>",
            "Short.",
        ),
        (
            "<content:encoded>&lt;p&gt;Whole.&lt;/p&gt;</content:encoded><description>Short.</description>",
            "<p>Whole.</p>",
            "Short.",
        ),
        ("<description>Alone.</description>", "Alone.", ""),
        ("<description>Kept</description><content:encoded>Whole.</content:encoded>", "Whole.", ""),
        (
            "<description>&lt;img src='https://a.example/1.png'&gt;</description><content:encoded>Whole.</content:encoded>",
            "Whole.",
            "",
        ),
        ("<description>Same.</description><content:encoded>Same.</content:encoded>", "Same.", ""),
        ("<description/><content:encoded>Whole.</content:encoded>", "Whole.", ""),
        ("<description>First.</description><description>Second.</description>", "First.", ""),
        ("<description>&lt;![CDATA[Inside]]&gt;</description>", "Inside", ""),
        ("<description>Loose <b>markup</b> here</description>", "Loose <b>markup</b> here", ""),
        ("<itunes:summary>Episode.</itunes:summary>", "Episode.", ""),
        ("<itunes:summary>Episode.</itunes:summary><description>Own.</description>", "Own.", ""),
        ("<media:group><media:description>Film.</media:description></media:group>", "Film.", ""),
        ("<description>&lt;p&gt; &amp;nbsp; &lt;/p&gt;</description>", "", ""),
        (
            "<description>&amp;lt;script&amp;gt;x&amp;lt;/script&amp;gt;</description>",
            "&lt;script&gt;x&lt;/script&gt;",
            "",
        ),
    ],
)
def test_the_text_of_an_rss_item(inside: str, content: str, summary: str) -> None:
    """CO-01 to CO-05, CL-04."""
    found = item(inside)
    assert (found.text.content, found.text.summary) == (content, summary)


@pytest.mark.parametrize(
    ("inside", "content"),
    [
        ("<content>a&lt;b&gt; c</content>", "<p>a&lt;b&gt; c</p>"),
        ("<content type='html'>&lt;p&gt;x&lt;/p&gt;</content>", "<p>x</p>"),
        (
            "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>x &lt; y</p></div></content>",
            "<p>x &lt; y</p>",
        ),
        (
            "<content type='xhtml' xmlns:h='http://www.w3.org/1999/xhtml'><h:div><h:p>x<h:br/>y</h:p></h:div></content>",
            "<p>x<br>y</p>",
        ),
        ("<content type='application/pdf' src='https://a.example/1.pdf'/><summary>Short.</summary>", "<p>Short.</p>"),
        ("<content type='image/png'>iVBORw0KGgo=</content>", ""),
        ("<content mode='base64' type='text/html'>PHA+eDwvcD4=</content>", ""),
        ("<content type='text/html'>&lt;b&gt;x&lt;/b&gt;</content>", "<b>x</b>"),
        ("<summary>Only a summary.</summary>", "<p>Only a summary.</p>"),
        (
            "<summary>S.</summary><c:encoded xmlns:c='http://purl.org/rss/1.0/modules/content/'>&lt;i&gt;x&lt;/i&gt;</c:encoded>",
            "<i>x</i>",
        ),
    ],
)
def test_the_text_of_an_atom_entry_is_read_by_its_type(inside: str, content: str) -> None:
    """CO-01, CO-05."""
    assert entry(inside).text.content == content


@pytest.mark.parametrize(
    "written",
    [
        "&lt;pre&gt;k&lt;&lt;&lt;grid, block&gt;&gt;&gt;(p);&lt;/pre&gt;",
        "<![CDATA[<pre>k<<<grid, block>>>(p);</pre>]]>",
    ],
)
def test_code_comes_out_letter_for_letter(written: str) -> None:
    """CL-01."""
    assert (
        item(f"<description>{written}</description>").text.content
        == "<pre>k&lt;&lt;&lt;grid, block&gt;&gt;&gt;(p);</pre>"
    )


# ---- people, tags, enclosures (MG-07, MG-12, EC) -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "names"),
    [
        ("<author>ada@warp.online (Ada W)</author>", ["Ada W"]),
        ("<author>Ada W &lt;ada@warp.example&gt;</author>", ["Ada W"]),
        ("<author>ada@warp.example</author>", []),
        ("<dc:creator>Ada</dc:creator><dc:creator>Grace</dc:creator>", ["Ada", "Grace"]),
        ("<author>ada@warp.example (Ada)</author><dc:creator>Ada</dc:creator>", ["Ada"]),
        ("<atom:author><atom:name>Ada</atom:name><atom:email>a@b.example</atom:email></atom:author>", ["Ada"]),
        ("<dc:creator>&lt;b&gt;Ada&lt;/b&gt; \u202eW</dc:creator>", ["Ada W"]),
        ("<author>Ada W ada@warp.example</author>", ["Ada W"]),
        ("<author>ada@warp.example, grace@warp.example</author>", []),
        ("<author>Ada (ada@warp.example) W</author>", ["Ada W"]),
        ("<author>Ada W [ada@warp.example]</author>", ["Ada W"]),
        ("<author>&lt;a href='mailto:ada@warp.example'&gt;Ada&lt;/a&gt; &amp;amp; Co</author>", ["Ada & Co"]),
    ],
)
def test_authors_are_names_without_mail_addresses(inside: str, names: list[str]) -> None:
    """MG-07, S-22."""
    assert [person.name for person in item(inside).authors] == names


def test_tags_are_plain_text_and_differ_by_more_than_case() -> None:
    """MG-12."""
    assert item(
        "<category>GPU</category><category>gpu</category><category> C++ </category><dc:subject>HIP</dc:subject>"
    ).tags == (
        "GPU",
        "C++",
        "HIP",
    )
    assert entry("<category term='http://a.example/t#x' label='X'/><category term='hip' label='HIP SDK'/>").tags == (
        "X",
        "hip",
    )


def test_enclosures_of_every_dialect_are_one_list_without_repeats() -> None:
    """EC-01, EC-02; pictures that stand for the entry are its image."""
    found = item(
        "<enclosure url='https://a.example/1.mp3' length='12' type='audio/mp3'/>"
        "<enclosure url='https://a.example/1.mp3'/><enclosure url='' type='image/png'/>"
        "<enclosure url='file:///etc/hostname'/><enclosure url='/2.mp4' length='None'/>"
        "<media:group><media:content url='https://a.example/3' fileSize='9'/></media:group>"
        "<media:thumbnail url='https://a.example/t.jpg'/>"
    )
    assert found.enclosures == (
        Enclosure("https://a.example/1.mp3", "audio/mpeg", 12),
        Enclosure("https://warp.example/2.mp4", "video/mp4", None),
        Enclosure("https://a.example/3", "application/octet-stream", 9),
    )
    assert found.image == "https://a.example/t.jpg"


def test_a_warning_of_a_link_repeats_no_password() -> None:
    """LI-03, S-36."""
    said = [
        one.message
        for one in feed(rss("<item><title>kept</title><link>https://u:p@a.example/1</link></item>")).warnings
    ]
    assert said == ["the entry 'kept': its link 'https://…@a.example/1' is no http or https address and was left out"]


@pytest.mark.parametrize(
    ("around", "shown"),
    [
        ("{} <p>The post <a href='https://a.example/1'>A</a> appeared first on <a href='/'>B</a>.</p>", "An excerpt"),
        ("<div class='sharedaddy'><a href='https://x.com/share'>Share this</a></div>{}", "An excerpt"),
        ("{}<p><a href='https://twitter.com/intent/tweet?x'>Tweet</a></p>", "An excerpt"),
        ("<h2>Heading</h2>{}<pre>code()</pre><table><tr><td>cell</td></tr></table>", "An excerpt"),
        (
            "<figure><img src='a.png' alt='x'><figcaption>Seen</figcaption></figure>{}<ul><li>x</li></ul>",
            "An excerpt x",
        ),
    ],
)
def test_of_a_summary_only_its_running_text_is_told(around: str, shown: str) -> None:
    """CO-02, CL-06, T2: as of the text itself, and of own posts."""
    summary = around.format("<p>An <em>excerpt</em></p>")
    found = item(f"<description><![CDATA[{summary}]]></description><content:encoded>Full text.</content:encoded>")
    told = tease_foreign(found.text, found.title, None, None, TeaserRules())
    assert (told.text, found.text.content) == (shown, "Full text.")


# ---- JSON and RDF ------------------------------------------------------------------------------------------------


def test_json_feed_members_of_a_wrong_type_cost_themselves() -> None:
    """JF-01 to JF-03, EC-01."""
    document = jsonfeed(
        {
            "id": 42,
            "title": ["no"],
            "url": 7,
            "external_url": "https://a.example/x",
            "content_text": "k<<<1>>>(a) && b\n\nc",
        },
        {"id": 4.0, "content_html": "<p>x</p>", "summary": None, "author": {"name": "Ada"}, "tags": "no", "_x": {}},
        {"id": "  ", "title": "blank id"},
        {"title": "no id"},
        {"id": True, "title": "no number"},
        "no item",
        {
            "id": "a",
            "title": "x",
            "attachments": [{"url": "https://a.example/1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5}],
        },
        authors=[{"name": "Feed Person"}, 3],
    )
    found = feed(document)
    assert [one.id for one in found.entries] == ["42", "4", "a"]
    assert (found.entries[0].title, found.entries[0].link) == (None, "https://a.example/x")
    assert found.entries[0].text.content == "<p>k&lt;&lt;&lt;1&gt;&gt;&gt;(a) &amp;&amp; b</p>\n<p>c</p>"
    assert found.entries[1].authors == (Person("Ada"),)
    assert found.entries[2].enclosures == (Enclosure("https://a.example/1.mp3", "audio/mpeg", 5),)
    assert found.channel.authors == (Person("Feed Person"),)
    assert [one.message for one in found.warnings] == [
        "the item 'blank id' has no id and was left out",
        "the item 'no id' has no id and was left out",
        "the item 'no number' has no id and was left out",
    ]


def test_bare_controls_and_numbers_without_end_cost_no_json_feed_its_entries() -> None:
    """X-08, EN-06, JF-01, JF-02, OU-01: templates write line ends and tabs into strings as they stand."""
    bare = '{"id": "1", "title": "a\tb \x01c", "content_html": "<pre>one\ntwo</pre>"}'
    document = jsonfeed({"id": "2", "title": "kept"}).replace(
        '"items": [', f'"items": [{bare}, {{"id": {"7" * 5_000}}}, '
    )
    found = feed(document)
    assert [(one.id, one.title) for one in found.entries] == [("1", "a b c"), ("2", "kept")]
    assert found.entries[0].text.content == "<pre>one\ntwo</pre>"


def test_a_numeric_id_is_its_string_however_long() -> None:
    """JF-02."""
    document = jsonfeed({"id": 1, "title": "kept"}).replace('"id": 1', f'"id": {"7" * 5_000}')
    assert only(document).id == "7" * 5_000


@pytest.mark.parametrize(
    "notice", ["<br />\n<b>Warning</b>: x in <b>/a.php</b> on line {3}<br />\n", "Notice: x\n\ufeff"]
)
def test_notices_around_a_json_feed_are_cut_off_with_a_warning(notice: str) -> None:
    """EN-05, DX-01."""
    document = jsonfeed({"id": "1", "title": "kept", "content_html": "<p>An <rss> and <body> in it.</p>"})
    found = feed(f"{notice}{document}\n<!-- cached -->\n<p>x</p>")
    assert [one.title for one in found.entries] == ["kept"]
    assert [one.code for one in found.warnings] == ["junk", "junk"]
    assert feed(f"\n\n {document}\n").warnings == ()


@pytest.mark.parametrize(
    "document",
    [
        rss("<item><title>a&#xFFFD;b</title><link>https://a.example/&#65533;1</link><description>c&#xfffd;d</description></item>"),
        rss("<item><title>a&amp;#65533;b</title><link>https://a.example/1</link><description>c&amp;#xFFFD;d</description></item>"),
        rss("<item><title>ab</title><link>https://a.example/1</link><description><![CDATA[c&#x0fffd;d]]></description></item>"),
        jsonfeed(
            {"id": "1", "title": "a\ufffdb", "url": "https://a.example/\ufffd1", "content_html": "c\ufffd&#xfffd;d"}
        ),
        atom("<entry><id>1</id><title>a&#xFFFD;b</title><link href='https://a.example/1'/><content>c&#xFFFD;d</content></entry>"),
    ],
)  # fmt: skip
def test_marks_of_broken_characters_are_left_out_however_they_are_written(document: str) -> None:
    """EN-03: validators warn of each."""
    found = only(document)
    assert (found.title, found.link) == ("ab", "https://a.example/1")
    assert found.text.content.removeprefix("<p>").removesuffix("</p>") == "cd"


def test_xml_that_holds_json_is_xml() -> None:
    """DX-01."""
    assert only(rss('<item><title>kept {"version": "https://jsonfeed.org/version/1"}</title></item>')).title


def test_rdf_items_stand_beside_the_channel() -> None:
    """RD-01."""
    found = feed(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://a.example/rdf"><title>W</title>'
        '<link>https://a.example/</link></channel><item rdf:about="https://a.example/1"><title>x</title>'
        "<link>https://a.example/1</link><dc:date>2025-03-03T09:00:00+01:00</dc:date><dc:creator>Ada</dc:creator>"
        "<dc:subject>GPU</dc:subject></item></rdf:RDF>"
    )
    (one,) = found.entries
    assert (one.id, one.published, one.authors, one.tags) == (
        "https://a.example/1",
        ("2025-03-03T09:00:00+01:00",),
        (Person("Ada"),),
        ("GPU",),
    )
    assert found.channel.home == "https://a.example/"


@pytest.mark.parametrize("broken", ["", "<item><title>a <b>lone tag</title></item>"])
def test_what_is_not_well_formed_says_the_same_of_its_entries(broken: str) -> None:
    """ID-01, MG-06, MG-07, CO-05, OU-01: else an id would change with a fault elsewhere in the document."""
    found = feed(
        rss(
            "<item><title>kept</title><guid isPermaLink='false'>https://a.example/?p=1&amp;q=2</guid>"
            "<category>R&amp;amp;D</category><category><![CDATA[C & <b>D</b>]]></category>"
            "<author>A &amp;amp; B</author>"
            "<source url='https://o.example/?a=1&amp;b=2'>S &amp;amp; T</source>"
            f"<description>one<br/>two<hr/>three</description></item>{broken}"
        )
    )
    one = found.entries[0]
    assert one.id == "https://a.example/?p=1&q=2"
    assert (one.tags, [person.name for person in one.authors]) == (("R&D", "C & D"), ["A & B"])
    assert (one.origin and (one.origin.title, one.origin.url)) == ("S & T", "https://o.example/?a=1&b=2")
    assert one.text.content == "one<br>two<hr>three"


@pytest.mark.parametrize("broken", ["", "<entry><title>a <b>lone tag</title></entry>"])
def test_atom_that_is_not_well_formed_says_the_same_of_its_entries(broken: str) -> None:
    """ID-01, MG-07, CO-05, OU-01."""
    content = "<div xmlns='http://www.w3.org/1999/xhtml'>one<br/>two<br clear='all'/>three &lt;T&gt;</div>"
    found = feed(
        atom(
            "<entry><id>https://a.example/?p=1&amp;q=2</id><title>kept</title>"
            "<author><name>A &amp;amp; B</name></author>"
            f"<category term='R&amp;amp;D'/><content type='xhtml'>{content}</content></entry>{broken}"
        )
    )
    one = found.entries[0]
    assert one.id == "https://a.example/?p=1&q=2"
    assert (one.tags, [person.name for person in one.authors]) == (("R&D",), ["A & B"])
    assert one.text.content == "one<br>two<br>three &lt;T&gt;"


def test_ids_are_raw_whatever_base_there_is() -> None:
    """ID-01."""
    assert (
        only(atom("<entry><id> /1\n 2 </id><title>x</title></entry>", attributes=" xml:base='https://b.example/'")).id
        == "/1 2"
    )
    assert item("<guid>\n first </guid><guid>second</guid>").id == "first"


def test_the_order_of_dates_is_the_order_in_which_they_are_believed() -> None:
    """DT-09: a date of the channel is never one of the entry."""
    found = only(
        rss(
            "<item><title>x</title><dc:date>3</dc:date><pubDate>2</pubDate><atom:published>1</atom:published>"
            "<atom:updated>4</atom:updated></item>",
            "<link>https://a.example/</link><lastBuildDate>5</lastBuildDate><pubDate>6</pubDate>",
        )
    )
    assert (found.published, found.updated) == (("1", "2", "3"), ("4",))


def test_an_entry_that_brings_its_source_keeps_what_it_says() -> None:
    """MG-06, MG-07."""
    found = entry(
        "<source><id>urn:orig</id><title type='html'>&lt;b&gt;Original&lt;/b&gt;</title><link rel='self' href='https://o.example/f'/>"
        "<link href='https://o.example/'/><updated>2025-03-04T00:00:00Z</updated><author><name>First</name></author></source>"
    ).origin
    assert found is not None
    assert (found.id, found.title, found.url, found.home, found.updated, found.authors) == (
        "urn:orig",
        "Original",
        "https://o.example/f",
        "https://o.example/",
        "2025-03-04T00:00:00Z",
        (Person("First"),),
    )
    rss_origin = item("<source url='https://o.example/f'>Original</source>").origin
    assert rss_origin is not None
    assert (rss_origin.title, rss_origin.url) == ("Original", "https://o.example/f")


def test_hints_are_read_whole() -> None:
    """F-24 to F-26: every hour and day, not the last alone."""
    hours = "".join(f"<hour>{hour}</hour>" for hour in (0, 5, 24))
    found = feed(
        rss("", f"<ttl>90</ttl><skipHours>{hours}</skipHours><skipDays><day>Sunday</day><day>Monday</day></skipDays>")
    ).hints
    assert (found.ttl, found.skip_hours, found.skip_days) == (5400, {0, 5}, {0, 6})
