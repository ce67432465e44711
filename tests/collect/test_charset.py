"""Bytes into text, and text into what XML wants (EN-01 to EN-07, X-01, X-08)."""

import pytest

from tests.collect.documents import codes, feed, item, only, refused, rss

RUSSIAN = "Ускорение ядра"


def document(title: str, declared: str = "", encoding: str = "utf-8") -> bytes:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    return (declaration + rss(f"<item><title>{title}</title></item>")).encode(encoding)


@pytest.mark.parametrize(
    ("declared", "encoding", "media_type"),
    [
        ("utf-8", "utf-8", ""),
        ("", "utf-8", ""),
        ("windows-1251", "utf-8", ""),
        ("windows-1251", "windows-1251", ""),
        ("", "windows-1251", "text/xml; charset=windows-1251"),
        ("utf-8", "koi8-r", 'application/rss+xml; CHARSET="koi8-r"'),
        ("iso-8859-1", "utf-8", "text/xml; charset=iso-8859-1"),
        ("utf-16", "utf-16", ""),
        ("utf-16", "utf-16-le", ""),
        ("utf-16", "utf-16-be", ""),
        ("utf-8", "utf-16-le", ""),
        ("utf-16", "utf-8", ""),
        ("utf-32", "utf-32", ""),
        ("", "utf-32-be", ""),
        ("utf-8", "utf-8-sig", "text/xml; charset=windows-1251"),
        ("windows-1251", "windows-1251", "text/xml; charset=utf-8"),
    ],
)
def test_bytes_say_more_than_declarations(declared: str, encoding: str, media_type: str) -> None:
    """EN-01."""
    assert only(document(RUSSIAN, declared, encoding), media_type).title == RUSSIAN


@pytest.mark.parametrize(
    ("declared", "encoding", "title"),
    [
        ("iso-8859-1", "cp1252", "“smart” €"),
        ("us-ascii", "cp1252", "“smart” €"),
        ("gb2312", "gb18030", "显卡㐀"),
        ("shift_jis", "cp932", "①髙速"),
        ("euc-kr", "cp949", "똠방각하"),
        ("euc-jp", "euc-jp", "高速化"),
        ("big5", "big5", "顯示卡"),
        ("iso-8859-9", "cp1254", "ğüş"),
        ("", "cp1252", "caf\u00e9"),
    ],
)
def test_names_of_encodings_mean_what_documents_mean_by_them(declared: str, encoding: str, title: str) -> None:
    """EN-02."""
    assert only(document(title, declared, encoding)).title == title


@pytest.mark.parametrize("declared", ["utf-8", ""])
def test_a_broken_sequence_costs_itself_alone(declared: str) -> None:
    """EN-03: so does U+FFFD that a source sends."""
    body = document("Tensor @ cores, café numérique \ufffd end", declared).replace(b"@", b"\xe2\x80")
    assert only(body).title == "Tensor cores, café numérique end"
    assert codes(body) == ["broken-characters"]


def test_a_document_that_is_mostly_utf_8_stays_it_whatever_http_says() -> None:
    """EN-03: the rest of the document keeps its encoding."""
    body = document("café numérique, déjà vu @", "utf-8").replace(b"@", b"\xe2\x80")
    assert only(body, "text/xml; charset=iso-8859-1").title == "café numérique, déjà vu"


def test_an_unknown_encoding_is_passed_over_with_a_warning() -> None:
    """EN-04."""
    body = document("café", "utf-42", "cp1252")
    assert only(body).title == "café"
    assert [one.message for one in feed(body).warnings] == ["the encoding utf-42 is not known and was not listened to"]


@pytest.mark.parametrize("name", ["macintosh", "ibm850"])
def test_an_encoding_that_is_not_read_is_passed_over_with_a_warning_too(name: str) -> None:
    """EN-04, X-01: else nobody would know why letters are others."""
    warned = [one.code for one in feed(document("caf\u00e9", name, "cp1252")).warnings]
    assert warned == ["unknown-encoding"]


@pytest.mark.parametrize("name", ["utf-7", "UTF_7", "iso-2022-jp", "hz-gb-2312", "cp037"])
def test_an_encoding_that_hides_markup_is_refused(name: str) -> None:
    """X-01: what is scanned must be what is read."""
    found = refused(document("+ADw-script+AD4-", name))
    assert (found.code, "encoding" in found.message) == ("bad-encoding", True)


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("\n\n", ""),
        ("\ufeff", ""),
        ("\ufeff \ufeff", ""),
        ("<br />\n<b>Warning</b>:  include(): failed in <b>/srv/x.php</b> on line <b>3</b><br />\n", ""),
        ("Notice: Undefined index\n", "<!-- cached -->"),
        ("<!-- generated -->", "\n<script>stats()</script>"),
        ("", "\0\0"),
    ],
)
@pytest.mark.parametrize("declaration", ['<?xml version="1.0" encoding="UTF-8"?>', ""])
def test_what_stands_around_the_document_is_cut_off(before: str, behind: str, declaration: str) -> None:
    """EN-05."""
    found = feed(before + declaration + rss("<item><title>kept</title></item>") + behind)
    assert [one.title for one in found.entries] == ["kept"]
    assert "ill-formed" not in [one.code for one in found.warnings]


def test_notices_before_the_document_are_warned_of() -> None:
    """EN-05."""
    assert codes("Notice: x\n" + rss("")) == ["junk"]
    assert codes("\n\n" + rss("")) == ["junk"]
    assert codes("\ufeff" + rss("")) == []


@pytest.mark.parametrize(
    "written",
    [
        "a\x1b[31mb",
        "a&#x1b;[31mb",
        "a&#27;[31mb",
        "a&#0;[31mb",
        "a&#xD800;[31mb",
        "a&#xFFFE;[31mb",
        "a&#99999999999;[31mb",
    ],
)
def test_characters_that_xml_forbids_are_gone_before_any_parser_sees_them(written: str) -> None:
    """EN-06, X-08."""
    found = feed(rss(f"<item><title>{written}</title></item>"))
    assert ([one.title for one in found.entries], found.warnings) == (["a[31mb"], ())


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Grid&nbsp;stride&mdash;loops &copy; 2025", "Grid stride—loops © 2025"),
        ("a &lt;b&gt; &amp;lt; c", "a <b> < c"),
        ("R&D", "R&D"),
        ("a & b", "a & b"),
        ("&unknown; name", "&unknown; name"),
        ("x?a=1&b=2", "x?a=1&b=2"),
        ("&#8211; &#x2013;", "– –"),
        ("one &lang; two", "one ⟨ two"),
    ],
)
def test_names_of_html_mean_their_characters_and_all_else_is_text(written: str, title: str) -> None:
    """EN-07."""
    found = feed(rss(f"<item><title>{written}</title></item>"))
    assert ([one.title for one in found.entries], found.warnings) == ([title], ())


def test_names_in_a_cdata_section_are_left_to_html() -> None:
    """EN-07: what stands there is markup of its own."""
    assert item("<description><![CDATA[a&nbsp;&mdash; & b]]></description>").text.content == "a&nbsp;— &amp; b"


def test_a_bare_less_than_sign_does_not_cost_the_document() -> None:
    """EN-07, CL-01: with `<` that begins no tag as text, most documents are well-formed again."""
    found = feed(rss("<item><title>a < b, 1 <3, k<<<1, 2>>>(x)</title></item>"))
    assert ([one.title for one in found.entries], found.warnings) == (["a < b, 1 <3, k<<<1, 2>>>(x)"], ())
