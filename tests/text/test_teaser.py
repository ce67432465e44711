"""Teasers (generating T1-T16, aggregating CO-02, CO-06, DX-06, TI-05)."""

import pytest

from feedsvc.model import Teaser, Text
from feedsvc.text.teaser import ANY_LANGUAGE, TeaserRules, label_for, opening, tease, tease_foreign

LINK = "https://warp.example/post/"
MORE = f'<a href="{LINK}">Read more</a>'


def html(content: str, words: int = 55, link: str | None = LINK, lang: str | None = "en") -> str:
    """Return the HTML of a teaser that is cut from a content."""
    return tease(Text(content), link, lang, TeaserRules(words=words)).html


@pytest.mark.parametrize(
    ("content", "words", "expected"),
    [
        ("<p>un<b>frag</b>mented word</p>", 1, f"<p>un<b>frag</b>mented … {MORE}</p>"),
        ("<p>one two three</p>", 3, "<p>one two three</p>"),
        ("<p>one two three</p>", 2, f"<p>one two … {MORE}</p>"),
        ("<p>one</p><p>two</p>three", 55, "<p>one two three</p>"),
        ("bare <em>text</em>\nin the body", 55, "<p>bare <em>text</em> in the body</p>"),
        ("<ul><li>one</li><li>two<ul><li>three</li></ul></li></ul>", 2, f"<p>one two … {MORE}</p>"),
        (
            "<dl><dt>Wave</dt><dd>64 lanes</dd></dl><blockquote><p>said</p></blockquote>",
            55,
            "<p>Wave 64 lanes said</p>",
        ),
        ("<details><summary>Open</summary>inside</details>", 55, "<p>Open inside</p>"),
        ("<p>a<br>b</p>", 55, "<p>a b</p>"),
        ("<p>a <i>b</i> <i>c</i> d</p>", 2, f"<p>a <i>b</i> … {MORE}</p>"),
        ("<p><i>b</i> <i>c</i></p>", 55, "<p><i>b</i> <i>c</i></p>"),
        ("<p>extraordinarily</p><p>two</p>", 1, f"<p>extraordinarily … {MORE}</p>"),
        ("<p><b>bold </b>next</p>", 55, "<p><b>bold</b> next</p>"),
        ("<p><b></b><i> </i>x<u><s></s></u></p>", 55, "<p>x</p>"),
        ("<p>R&amp;D &lt;angle&gt; &quot;q&quot;</p>", 2, f"<p>R&amp;D &lt;angle&gt; … {MORE}</p>"),
        ("<p>run <code>a &lt; b   c</code></p>", 3, f"<p>run <code>a &lt;</code> … {MORE}</p>"),
        ("<p>10&nbsp;GB &nbsp; wide</p>", 55, "<p>10\u00a0GB wide</p>"),
        ("<p>wide<wbr>word <span>kept</span></p>", 55, "<p>wideword kept</p>"),
        ("<p>图形处理器</p>", 2, f"<p>图形处理 … {MORE}</p>"),
        (f"<p>{'x' * 201} y</p>", 55, f"<p>{'x' * 200} … {MORE}</p>"),
        ("<b><p>one</p><p>two</p></b>", 55, "<p><b>one two</b></p>"),
    ],
)
def test_a_teaser_is_one_paragraph_of_the_first_words(content: str, words: int, expected: str) -> None:
    """T1, T2, T3, T6, T8, T9: blocks are joined, inline elements stay and are closed, none is left empty."""
    assert html(content, words) == expected


@pytest.mark.parametrize(
    "other",
    [
        "<pre><code>int a;\n</code></pre>",
        "<table><tr><td>1</td></tr></table>",
        '<p><img src="https://x.example/a.png" alt="a curve"></p>',
        '<figure><img src="https://x.example/a.png" alt=""><figcaption>A caption</figcaption></figure>',
        '<figure><a href="https://x.example/1"><img src="https://x.example/a.png"></a></figure>',
        '<figure><a href="https://video.example/1">https://video.example/1</a></figure>',
        '<video src="https://x.example/v.mp4">no video</video>',
    ],
)
def test_what_is_no_running_text_goes_whole_and_is_a_reason_to_read_more(other: str) -> None:
    """T4, T12, T14: code blocks, tables, images with captions, frames."""
    assert html(f"{other}<p>After it.</p>") == f"<p>After it. {MORE}</p>"
    assert html(f"<p>Before it.</p>{other}", words=2) == f"<p>Before it. {MORE}</p>"


@pytest.mark.parametrize("other", ["<h2>Heading</h2>", "<hr>", "<script>x()</script>", "<!-- a comment -->"])
def test_what_shows_nothing_new_is_no_reason_to_read_more(other: str) -> None:
    """T4, T12: headings, rules, scripts and comments count as no text and ask for no link."""
    assert html(f"{other}<p>Text.</p>{other}") == "<p>Text.</p>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '<sup><a href="#p-fn-1" id="p-r1">1</a></sup>.',
            '<ol><li id="p-fn-1"><p>A note. <a href="#p-r1">↩</a></p></li></ol>',
        ),
        ('<a href="#n1"><sup>1</sup></a>.', '<p id="n1">1. A note.</p>'),
        (' [<a href="#n1">1</a>].', '<ul><li id="n1">A note.</li></ul>'),
        (f'<sup><a href="{LINK}#n1">[1]</a></sup>.', f'<ol><li>A note. <a href="{LINK}#r1">↩︎</a></li></ol>'),
        (
            f'<a href="{LINK}#_ftn1">[1]</a>.',
            f'<p><a href="{LINK}#_ftnref1">[1]</a></p><ol><li><sup><a href="{LINK}#r">2</a></sup> Two.</li></ol>',
        ),
        ('<sup><a href="#n1">1</a>, <a href="#n2">2</a></sup>.', '<p id="n1">One</p><p id="n2">Two</p>'),
        (
            '<sup><a id="r1" href="#n1">*</a></sup>.',
            '<p><a id="n1" href="#r1">*</a> A note. <a href="#r1">[↩2]</a></p>',
        ),
        ('<sup id="r1"><a href="#n1">1</a></sup>.', '<p><sup id="n1"><a href="#r1">1</a></sup> A note.</p>'),
    ],
)
def test_references_to_notes_go_with_the_notes(before: str, after: str) -> None:
    """T11: own notes by their ids, foreign ones, which lost their ids, by their links back."""
    assert html(f"<p>A claim{before}</p>{after}") == f"<p>A claim. {MORE}</p>"


@pytest.mark.parametrize(
    "text",
    [
        "H<sub>2</sub>O and 10<sup>2</sup> and 1<sup>st</sup>",
        'as <sup><a href="https://other.example/">1</a></sup> says',
        'see <a href="https://warp.example/post/#sec">2</a> there',
        'in <a href="https://other.example/#n">[3]</a> there',
    ],
)
def test_every_other_sup_sub_and_link_stays(text: str) -> None:
    """T11: also where the text is a number."""
    assert html(f"<p>{text}</p>") == f"<p>{text}</p>"


def test_a_number_that_leads_to_a_heading_is_no_reference() -> None:
    """T11: a table of contents refers to sections, not to notes; in a teaser the link leads to the page."""
    content = '<p>See <sup><a href="#s">2</a></sup>.</p><h2 id="s">Section</h2>'
    assert html(content) == f'<p>See <sup><a href="{LINK}#s">2</a></sup>.</p>'


def test_ids_do_not_reach_the_teaser() -> None:
    """C3: the teaser may stand beside the full text in one document."""
    assert html('<p id="a">x <em id="b" lang="la" dir="ltr">y</em></p>') == '<p>x <em lang="la" dir="ltr">y</em></p>'


def test_a_link_to_a_fragment_leads_to_the_page_or_is_text() -> None:
    """C2: the target stays on the page."""
    assert html('<p><a href="#e148de9c5a7-part">part</a></p>') == f'<p><a href="{LINK}#part">part</a></p>'
    assert html('<p><a href="#e148de9c5a7-607474ca47">ü</a></p>') == f'<p><a href="{LINK}">ü</a></p>'
    assert html('<p><a href="#part">part</a></p>') == f'<p><a href="{LINK}#part">part</a></p>'
    assert html('<p><a href="#part">part</a></p>', link=None) == "<p>part</p>"


def test_a_summary_stands_whole_and_has_no_mark_of_a_cut() -> None:
    """T3, T4: never cut, and the page has more."""
    text = Text("<p>Other words.</p>", summary=f"<em>An</em> own {'long ' * 80}summary.")
    assert tease(text, LINK, "en", TeaserRules(words=3)).html == f"<p><em>An</em> own {'long ' * 80}summary. {MORE}</p>"


@pytest.mark.parametrize(
    ("content", "more"),
    [
        ("<p>The same.</p>", False),
        ("<h2>H</h2><p>The <b>same</b>.</p>", False),
        ("", False),
        ("<p>same.</p><pre>x</pre>", True),
    ],
)
def test_a_summary_that_says_all_has_no_link(content: str, more: bool) -> None:
    """T4: only where the page shows something that the teaser does not."""
    assert (MORE in tease(Text(content, summary="The same."), LINK, "en", TeaserRules()).html) is more


@pytest.mark.parametrize(
    ("lead", "rest", "expected"),
    [
        ("<p>one two</p>", "<p>three</p>", f"<p>one two {MORE}</p>"),
        ("<p>one two</p>", "", "<p>one two</p>"),
        ("<p>one two</p>", "<h2>End</h2>", "<p>one two</p>"),
        ("<p>one two</p><pre>x</pre>", "", f"<p>one two {MORE}</p>"),
        ('<p>one<sup><a href="#n">1</a></sup> two</p>', '<ol><li id="n">note</li></ol>', f"<p>one two {MORE}</p>"),
        ("<h2>Only</h2>", "<p>three</p>", "<p>three</p>"),
    ],
)
def test_the_text_before_a_marker_is_never_cut(lead: str, rest: str, expected: str) -> None:
    """T3, T4, T10: of it only running text counts; a marker at the very end has neither mark nor link."""
    assert tease(Text(lead + rest, lead=lead), LINK, "en", TeaserRules(words=1)).html == expected


def test_a_post_without_running_text_has_its_images_text_or_the_link_alone() -> None:
    """T14: never an empty element."""
    image = '<h2>Occupancy</h2><p><img src="https://x.example/a.png" alt=" Curve of\n&lt;occupancy&gt; "></p>'
    assert html(image) == f"<p>Curve of &lt;occupancy&gt; {MORE}</p>"
    assert html(image, words=2) == f"<p>Curve of … {MORE}</p>"
    assert html("<h2>Only a heading</h2><p>\u200b&nbsp;</p>") == f"<p>{MORE}</p>"
    assert tease(Text(), LINK, "en", TeaserRules()) == Teaser(f"<p>{MORE}</p>", "")
    assert tease(Text("<table></table>"), None, "en", TeaserRules()) == Teaser("", "")


def test_the_plain_text_has_the_mark_and_not_the_label() -> None:
    """T16: entities resolved once, no tags, white space single."""
    teaser = tease(Text("<p>R&amp;D&nbsp;&nbsp;of <b>a&amp;lt;b</b></p><p>more</p>"), LINK, "en", TeaserRules(words=3))
    assert teaser.text == "R&D of a&lt;b …"


def test_without_a_link_there_is_a_mark_and_no_label() -> None:
    """CO-06."""
    assert html("<p>one two three</p>", words=2, link=None) == "<p>one two …</p>"


def test_address_label_and_mark_are_escaped() -> None:
    """T5: they come from outside and from the configuration."""
    rules = TeaserRules(words=1, ellipsis="<…>", more={ANY_LANGUAGE: "Weiter <hier> & dort"})
    teaser = tease(Text("<p>a b</p>"), 'https://x.example/?a=1&b="2"', "de", rules)
    link = '<a href="https://x.example/?a=1&amp;b=&quot;2&quot;">Weiter &lt;hier&gt; &amp; dort</a>'
    assert teaser == Teaser(f"<p>a &lt;…&gt; {link}</p>", "a <…>")


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("de", "Weiter"),
        ("de-AT", "Weiter"),
        ("DE-at", "Weiter"),
        ("zh-Hant-TW", "繼續"),
        ("zh", "Suite"),
        (None, "Suite"),
    ],
)
def test_the_label_follows_the_language_of_the_entry_then_of_the_site(lang: str | None, expected: str) -> None:
    """T5, DX-06."""
    rules = TeaserRules(more={"en": "Read on", "de": "Weiter", "zh-Hant": "繼續", "fr": "Suite"}, site_lang="fr-CA")
    assert label_for(lang, rules) == expected


def test_a_table_without_a_fitting_label_falls_back_to_english() -> None:
    """T5: there is always a label."""
    assert label_for("fr", TeaserRules(more={"de": "Weiter"}, site_lang="it")) == "Read more"
    assert label_for("fr", TeaserRules(more={ANY_LANGUAGE: "→"}, site_lang="it")) == "→"


@pytest.mark.parametrize(
    ("content", "lang", "turned"),
    [
        ("<p>שלום GPU</p>", "en", True),
        ("<p>GPU 1</p>", "ar", True),
        ("<p>GPU</p>", "fa-IR", True),
        ("<p>GPU</p>", "ur-Latn", False),
        ("<p>GPU</p>", "az-Arab-IR", True),
        ("<p>GPU</p>", "arn", False),
        ('<p dir="rtl">123 GPU</p>', None, True),
        ('<blockquote dir="rtl"><p>GPU</p></blockquote>', None, True),
        ('<p dir="ltr">GPU</p><p dir="rtl">x</p>', None, False),
        ("<p>GPU שלום</p>", None, False),
    ],
)
def test_text_that_runs_to_the_left_says_so(content: str, lang: str | None, turned: bool) -> None:
    """T15: by language, by the first strong character, or because the author said so."""
    assert html(content, lang=lang).startswith('<p dir="rtl">' if turned else "<p>")


@pytest.mark.parametrize(
    ("text", "lang", "turned"),
    [("GPU שלום", None, True), ("GPU שלום", "en", False), ("GPU", None, False), ("GPU", "he", True)],
)
def test_a_post_that_names_no_language_runs_as_that_of_the_site_does(text: str, lang: str | None, turned: bool) -> None:
    """T15: where any of its letters does."""
    rules = TeaserRules(site_lang="he")
    assert tease(Text(f"<p>{text}</p>"), LINK, lang, rules).html.startswith('<p dir="rtl">') is turned
    assert tease_foreign(Text(f"<p>{text}</p>"), "", LINK, None, rules).html.startswith("<p>")


def test_direction_marks_stay() -> None:
    """T15."""
    assert html("<p>\u200fשלום\u200e C++\u200e</p>") == '<p dir="rtl">\u200fשלום\u200e C++\u200e</p>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (Text("<p>Full text here.</p>", summary="<p>Its summary.</p>"), f"<p>Its summary. {MORE}</p>"),
        (Text("<p>Full text here.</p>", summary="A <b>title</b>!"), "<p>Full text here.</p>"),
        (Text("<p>Full text here.</p>", summary='<img src="https://x.example/1.png">'), "<p>Full text here.</p>"),
        (Text("<p>Full text here.</p>"), "<p>Full text here.</p>"),
        (Text("<p>All of it.</p>", summary="<p>All of it.</p>"), "<p>All of it.</p>"),
        (Text("", summary="<p>Only a summary.</p>"), f"<p>Only a summary. {MORE}</p>"),
        (Text("", summary="<p>one two three four five</p>"), f"<p>one two three … {MORE}</p>"),
        (Text("", summary="A title"), "<p>A title</p>"),
        (Text(), f"<p>{MORE}</p>"),
    ],
)
def test_a_foreign_teaser_is_cut_from_the_summary_unless_that_says_nothing(text: Text, expected: str) -> None:
    """CO-02: empty, the title again, or one image; both are cut by the same rules as own posts."""
    assert tease_foreign(text, "A title", LINK, None, TeaserRules(words=3)).html == expected


def test_a_foreign_entry_without_link_gets_no_invented_one() -> None:
    """CO-06."""
    assert tease_foreign(Text("<p>a b c d</p>"), "T", None, None, TeaserRules(words=3)) == Teaser(
        "<p>a b c …</p>", "a b c …"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Short text.", "Short text."), ("w " * 30 + "…", ("w " * 12).strip()), ("图" * 40, "图" * 24), ("", "")],
)
def test_a_title_is_made_of_the_first_words_where_a_format_demands_one(text: str, expected: str) -> None:
    """TI-05."""
    assert opening(Teaser("<p></p>", text)) == expected


def test_the_mark_of_a_cut_stands_between_single_blanks_however_it_is_configured() -> None:
    """T3, T16."""
    made = tease(Text("<p>one two three</p>"), LINK, "en", TeaserRules(words=2, ellipsis=" [ … ] "))
    assert (made.html, made.text) == (f"<p>one two [ … ] {MORE}</p>", "one two [ … ]")
