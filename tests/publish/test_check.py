"""The gate: each kind of fault is found, named with its line, and nothing is found in what is right (OU-03)."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feedsvc.model import Diagnostic, Document, Level, Outline
from feedsvc.publish.check import LARGE, LARGEST, faults
from feedsvc.render.formats import FORMATS
from feedsvc.render.outlines import sources_opml
from tests.render import feeds
from tests.render.test_formats import whole_feeds


def of(body: bytes, media_type: str = "", **more: str) -> tuple[Diagnostic, ...]:
    """Return the faults of somebody's document."""
    return faults(Document("some/file", body, media_type, **{"url": "", **more}))


def rendered(name: str) -> bytes:
    """Return a rich and valid document in a format."""
    return FORMATS[name].render(feeds.everything())


def broken(name: str, old: str, new: str) -> tuple[bytes, int]:
    """Return a document in which one thing was changed, and the line of the change."""
    body = rendered(name).decode()
    assert old in body, f"{old} is not in the {name} document"
    return body.replace(old, new, 1).encode(), body[: body.index(old)].count("\n") + 1


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_wrong_with_what_we_write(name: str) -> None:
    made = FORMATS[name]
    feed = feeds.everything()
    document = Document(made.file, made.render(feed), made.media_type, feed.urls[name], feed.name)
    assert faults(document) == ()


@settings(max_examples=60, deadline=None)
@given(whole_feeds())
def test_nothing_is_an_error_in_whatever_we_write(feed: Any) -> None:
    for name, made in FORMATS.items():
        found = faults(Document(made.file, made.render(feed), made.media_type, feed.urls[name], feed.name))
        assert {each.code for each in found} <= {"duplicate-updated"}


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("<id>tag:warp.example,2026:rich</id>", "<id>rich</id>", "bad-id", "id 'rich' of entry"),
        ("<id>tag:warp.example,2026:rich</id>", "<id>tag:warp.example:rich</id>", "bad-id", "use tag:"),
        ("<id>tag:warp.example,2026:rich</id>", "", "missing-element", "entry has no id"),
        ("<id>tag:warp.example,2026:feed/posts</id>", "", "missing-element", "feed has no id"),
        ("<title>Warp Notes</title>", "<title>a</title><title>b</title>", "repeated-element", "2 title"),
        ("2026-05-01T13:00:07+00:00", "2026-05-01 13:00:07", "bad-date", "no date of RFC 3339"),
        ("2026-05-01T13:00:07+00:00", "2026-02-30T13:00:07Z", "bad-date", "'2026-02-30T13:00:07Z'"),
        ("2026-05-01T12:02:07+00:00", "Fri, 01 May 2026 12:02:07 GMT", "bad-date", "updated"),
        ('<link rel="hub" href="https://hub.example/"/>', '<link rel="hub"/>', "bad-link", "no href"),
        ('href="https://hub.example/"', 'href="https://hub example/"', "bad-link", "no address"),
        ('type="text/html"', 'type="html"', "bad-media-type", "'html'"),
        ('length="1234"', 'length="1,234"', "bad-length", "'1,234'"),
        ('type="application/rss+xml"', 'type="text/html"', "duplicate-alternate", "2 alternate links"),
        ("<name>Grace</name>", "<name> </name>", "bad-person", "no name"),
        ("<email>ada@warp.example</email>", "<email>ada</email>", "bad-person", "no mail address"),
        ('summary type="html"', 'summary type="CDATA"', "bad-type", "use text, html or xhtml"),
        ('summary type="html">', 'summary type="html"><p/>', "bad-type", "escape them"),
        ('<category term="C++"/>', "<category/>", "bad-category", "no term"),
        ('<category term="C++"/>', '<category term="C++" scheme="tags"/>', "bad-category", "scheme 'tags'"),
        ('xml:lang="de"', 'xml:lang="German!"', "bad-language", "'German!'"),
        ("<generator>", "<pubDate/><generator>", "unknown-element", "feed holds pubDate"),
    ],
)
def test_a_fault_in_atom_is_an_error_with_its_line(old: str, new: str, code: str, words: str) -> None:
    """A1-A6, RFC 4287."""
    body, line = broken("atom", old, new)
    found = [each for each in of(body) if each.level is Level.ERROR]
    assert [each.code for each in found] == [code]
    assert words in found[0].message
    element_of = {"missing-element": 0, "repeated-element": 0, "duplicate-alternate": 0}
    assert code in element_of or abs((found[0].line or 0) - line) <= 1


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('<link rel="self" type="application/atom+xml" href="https://warp.example/atom.xml"/>', "", "missing-self"),
        ("<title>OpenXLA</title>", "", "incomplete-source"),
        ("<title>About xla</title>", "<title/>", "blank-title"),
        ('<category term="C++"/>', '<category term=" "/>', "blank-category"),
        ("<icon>https://warp.example/icon.png</icon>", "<icon>icon.png</icon>", "relative-address"),
        ("2026-05-01T12:00:07+00:00</published>", "1970-01-01T00:00:00Z</published>", "implausible-date"),
        ("2026-05-01T12:03:07+00:00", "2026-05-01T12:02:07+00:00", "duplicate-updated"),
        ("https://openxla.example/untitled", "https://openxla.example/xla", "duplicate-id"),
        ("https://openxla.example/untitled", "HTTPS://openxla.example:443", "id-not-canonical"),
        ("See &lt;a", "See \x93\x94 &lt;a", "bad-character"),
        ("See &lt;a", "&lt;script&gt;x&lt;/script&gt;&lt;a", "active-content"),
        ('href="#n-1"', 'onclick="x()"', "active-content"),
        ('href="#n-1"', 'href="javascript:x()"', "active-content"),
        ('href="#n-1"', 'href="#elsewhere"', "relative-address"),
        ('href="#n-1"', 'href="//cdn.example/x"', "relative-address"),
        ("</feed>", "<subtitle>late</subtitle></feed>", "repeated-element"),
    ],
)
def test_what_costs_some_readers_something_in_atom_is_a_warning(old: str, new: str, code: str) -> None:
    """A1-A7, C1, C2, B3, S-19."""
    body, _ = broken("atom", old, new)
    assert code in [each.code for each in of(body)]


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ('version="2.0"', 'version="3"', "bad-version", "write 2.0"),
        ("<description>Notes", "<description/><x>Notes", "not-well-formed", "line"),
        ("<title>Warp Notes</title>", "<title> </title>", "missing-element", "channel has no title"),
        ('<guid isPermaLink="false">tag:warp.example,2026:rich', "<guid>tag:warp.example,2026:rich", "bad-id", "isPer"),
        ("2026:titles</guid>", "2026:rich</guid>", "duplicate-id", "as in line"),
        ("12:00:07 +0000", "12:00:07 UTC", "bad-date", "no date of RFC 822"),
        ("Fri, 01 May 2026 12", "Sat, 01 May 2026 12", "bad-date", "pubDate"),
        ("Fri, 01 May 2026 12", "Fri, 01 Mai 2026 12", "bad-date", "pubDate"),
        ("<link>https://warp.example/rich/</link>", "<link>/rich/</link>", "bad-link", "'/rich/'"),
        ('url="https://warp.example/a.mp3', 'url="/a.mp3', "bad-link", "enclosure"),
        ('length="1234"', 'length="None"', "bad-length", "write 0"),
        ('type="audio/mpeg"', 'type="mp3"', "bad-media-type", "'mp3'"),
        ("<dc:creator>Grace</dc:creator>", "<author>Grace</author>", "bad-person", "use dc:creator"),
        ("<ttl>30</ttl>", "<ttl>0</ttl>", "bad-number", "above 0"),
        ("<language>en</language>", "<language>english!</language>", "bad-language", "'english!'"),
        ("<ttl>30</ttl>", "<updated/>", "unknown-element", "channel holds updated"),
        ("<ttl>30</ttl>", "<ttl>30</ttl><ttl>31</ttl>", "repeated-element", "second ttl"),
        ('<source url="https://openxla.example/feed.xml">', '<source url="feed">', "bad-link", "source"),
        ("<url>https://warp.example/icon.png</url>", "", "missing-element", "image has no url"),
        ("</image>", "<width>500</width></image>", "bad-number", "up to 144"),
    ],
)
def test_a_fault_in_rss_is_an_error_with_its_line(old: str, new: str, code: str, words: str) -> None:
    """S1-S7, RSS 2.0."""
    body, line = broken("rss", old, new)
    found = [each for each in of(body) if each.level is Level.ERROR]
    assert [each.code for each in found] == [code]
    assert words in found[0].message
    assert found[0].line
    assert code in ("missing-element", "not-well-formed", "duplicate-id") or abs(found[0].line - line) <= 3


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('<atom:link href="https://warp.example/rss.xml" rel="self" type="application/rss+xml"/>', "", "missing-self"),
        ("<language>en</language>", "", "missing-language"),
        ('<guid isPermaLink="false">tag:warp.example,2026:rich</guid>', "", "missing-id"),
        ("<title>About xla</title>", "<title></title>", "blank-title"),
        ("</channel>", "<managingEditor>a@b.example (A)</managingEditor></channel>", "misplaced-element"),
        ("<pubDate>", '<enclosure url="https://x.example/a" length="1" type="a/b"/><pubDate>', "repeated-enclosure"),
        ("<dc:creator>Ada", "<author>a@b.example (Ada)</author><dc:creator>Ada", "repeated-author"),
        ("<url>https://warp.example/icon.png</url>", "<url>https://warp.example/icon.svg</url>", "image-format"),
        ("</url>\n      <title>Warp Notes", "</url>\n      <title>Warp", "image-differs"),
        ("https://warp.example/rich/#n-1", "#n-1", "relative-address"),
        ("<ttl>30</ttl>", "<textInput/>", "text-input"),
    ],
)
def test_what_costs_some_readers_something_in_rss_is_a_warning(old: str, new: str, code: str) -> None:
    """S1-S7, C2: in RSS a bare fragment is relative."""
    body, _ = broken("rss", old, new)
    assert (code, Level.WARNING) in [(each.code, each.level) for each in of(body)]


def changed(**members: Any) -> bytes:
    """Return a JSON Feed in which some members are others; None in `first` leaves one out."""
    feed = json.loads(rendered("json"))
    first = members.pop("first", {})
    feed.update(members)
    if first:
        feed["items"][0] = {name: each for name, each in {**feed["items"][0], **first}.items() if each != "(none)"}
    return json.dumps(feed, indent=1, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("members", "code", "words"),
    [
        ({"version": "2"}, "bad-version", "https://jsonfeed.org/version/1.1"),
        ({"title": ""}, "missing-element", "title"),
        ({"items": "none"}, "missing-element", "list of items"),
        ({"hubs": [{"url": "https://hub.example/"}]}, "bad-member", "one of hubs has no type"),
        ({"next_url": "https://warp.example/feed.json"}, "bad-link", "next_url"),
        ({"home_page_url": "/"}, "bad-link", "'/'"),
        ({"authors": [{}]}, "bad-person", "neither name nor url"),
        ({"authors": "Ada"}, "bad-person", "no list"),
        ({"language": "English!"}, "bad-language", "'English!'"),
        ({"first": {"id": 7}}, "bad-id", "'7'"),
        ({"first": {"id": "(none)"}}, "bad-id", "no string"),
        ({"first": {"id": "https://openxla.example/xla"}}, "duplicate-id", "as in line"),
        ({"first": {"content_html": "(none)"}}, "missing-content", "neither content_html nor content_text"),
        ({"first": {"date_published": "yesterday"}}, "bad-date", "'yesterday'"),
        ({"first": {"url": "rich"}}, "bad-link", "'rich'"),
        ({"first": {"tags": "CUDA"}}, "bad-member", "no list of strings"),
        ({"first": {"title": 7}}, "bad-member", "title '7'"),
        ({"first": {"attachments": [{"url": "https://x.example/a"}]}}, "bad-member", "no mime_type"),
        (
            {"first": {"attachments": [{"url": "https://x.example/a", "mime_type": "a/b", "size_in_bytes": "9"}]}},
            "bad-member",
            "size_in_bytes",
        ),
        ({"first": {"_own.key": {}}}, "bad-member", "no dot"),
    ],
)
def test_a_fault_in_json_is_an_error(members: dict[str, Any], code: str, words: str) -> None:
    """J1-J5, JSON Feed 1.1."""
    found = [each for each in of(changed(**members)) if each.level is Level.ERROR]
    assert [each.code for each in found] == [code]
    assert words in found[0].message


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"feed_url": None}, "null-value"),
        ({"colour": "red"}, "unknown-element"),
        ({"first": {"content_html": '<img src="a.png">'}}, "relative-address"),
        ({"first": {"content_html": '<img srcset="https://x.example/a 1x, b.png 2x">'}}, "relative-address"),
        ({"first": {"title": "a \ufffd"}}, "bad-character"),
    ],
)
def test_what_costs_some_readers_something_in_json_is_a_warning(members: dict[str, Any], code: str) -> None:
    """J5, C1, B3."""
    found = of(changed(**members))
    assert code in [each.code for each in found]
    assert {each.level for each in found} == {Level.WARNING}


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1" * 5000])
def test_numbers_that_json_does_not_have_or_nobody_reads_are_told(number: str) -> None:
    """J3: the rest of the document is as it should be."""
    body = f'{{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [], "_n": {number}}}'
    assert [(each.code, each.level) for each in of(body.encode())] == [("not-well-formed", Level.ERROR)]


def test_the_line_of_a_json_item_is_that_of_its_id() -> None:
    body = changed(first={"url": "rich"})
    line = body.decode().splitlines().index('   "id": "tag:warp.example,2026:rich",') + 1
    assert [each.line for each in of(body)] == [line]


def test_text_that_is_no_json_is_named_with_line_and_column() -> None:
    found = of(b'{\n "version": 1,\n}', "application/feed+json")
    assert [(each.line, each.code) for each in found] == [(3, "not-well-formed")]
    assert [each.code for each in of(b"[" * 100_000, "application/json")] == ["not-well-formed"]
    assert [each.code for each in of(b"[]")] == ["not-a-feed"]


def test_a_value_of_a_wrong_kind_is_named_and_however_deep_not_shown() -> None:
    deep = b'{"title":' * 900 + b"7" + b"}" * 900
    found = of(b'{"version": [], "title": ' + deep + b', "items": []}')
    assert "version (a list) is not known" in found[0].message
    assert "title (an object) of feed is no string" in [each.message for each in found]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('version="2.0"', 'version="9"', "bad-version"),
        (' text="X"', "", "missing-element"),
        (' xmlUrl="https://x.example/feed"', "", "missing-element"),
        ('"https://x.example/feed"', '"feed"', "bad-link"),
        ("<head>", "<head><dateCreated>today</dateCreated>", "bad-date"),
    ],
)
def test_a_fault_in_a_list_of_feeds_is_an_error(old: str, new: str, code: str) -> None:
    """SO-07, OPML 2.0."""
    good = sources_opml("Sources", [Outline("x", "X", "https://x.example/feed", "https://x.example/")])
    assert of(good) == ()
    assert old.encode() in good
    found = of(good.replace(old.encode(), new.encode(), 1), "text/x-opml")
    assert [(each.code, each.level) for each in found] == [(code, Level.ERROR)]
    assert found[0].line


def test_an_empty_list_of_feeds_is_valid_and_one_without_outline_is_not() -> None:
    assert of(sources_opml("Sources", [])) == ()
    assert [each.code for each in of(b'<opml version="2.0"><head/><body/></opml>')] == ["missing-element"]


def test_a_page_needs_a_title_and_something_to_show() -> None:
    """G3."""
    page = b"<!DOCTYPE html><html lang=en><title>Warp Notes</title><p>Text"
    assert of(page) == of(page, "text/html") == ()
    assert [each.code for each in of(page.replace(b"Warp Notes", b""))] == ["missing-element"]
    assert [each.code for each in of(b"<html><title></title><body></body></html>")] == ["missing-element", "empty"]
    assert [(each.code, each.line) for each in of(page + b"\n\xff", "text/html")] == [("not-utf-8", 2)]


def test_a_document_that_is_no_feed_is_an_error() -> None:
    assert [each.code for each in of(b"<svg/>", "application/xml")] == ["not-a-feed"]
    assert [each.code for each in of(b" \n")] == ["empty"]
    assert of(b"p { color: red }", "text/css") == of(b"<svg/>", "image/svg+xml") == ()


def test_a_cut_document_is_named_with_its_line() -> None:
    """X1, OU-03."""
    body = rendered("atom")
    (found,) = of(body[: len(body) // 2])
    assert found.code == "not-well-formed"
    assert str(found).startswith(f"some/file:{body[: len(body) // 2].count(10) + 1}: error: not well-formed XML: ")


def test_a_control_character_is_found_before_a_reader_finds_it() -> None:
    """S-34."""
    assert [each.code for each in of(broken("rss", "About xla", "About \x0c xla")[0])] == ["not-well-formed"]
    assert [each.code for each in of(broken("rss", "About xla", "About &#x1; xla")[0])] == ["not-well-formed"]


def test_a_document_that_declares_entities_is_refused() -> None:
    """X-02, X1."""
    bomb = b'<!DOCTYPE rss [<!ENTITY a "aaa"><!ENTITY b "&a;&a;&a;">]><rss version="2.0"><channel>&b;</channel></rss>'
    (found,) = of(bomb)
    assert (found.code, found.level) == ("not-well-formed", Level.ERROR)
    assert "declares entities" in found.message
    secret = b'<!DOCTYPE rss SYSTEM "file:///etc/hostname"><rss version="2.0"><channel/></rss>'
    assert "doctype" in [each.code for each in of(secret)]


def test_the_size_that_readers_refuse_is_an_error_and_a_large_one_a_warning() -> None:
    """X2."""
    body = rendered("atom")
    padded = [body + b" " * (size - len(body)) for size in (LARGE - 1, LARGE, LARGEST)]
    assert [[(each.code, each.level) for each in of(each)] for each in padded] == [
        [],
        [("large", Level.WARNING)],
        [("too-large", Level.ERROR)],
    ]


def test_a_declared_encoding_other_than_utf_8_is_a_warning() -> None:
    """X1."""
    body = rendered("rss").decode().replace("'UTF-8'", "'ISO-8859-1'", 1).encode("latin-1", "xmlcharrefreplace")
    assert [(each.code, each.line) for each in of(body)] == [("encoding", 1)]


def test_an_old_format_is_said_to_be_old() -> None:
    old = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
    assert [(each.code, each.level) for each in of(old)] == [("old-format", Level.WARNING)]


def test_in_a_document_of_ours_what_cleaning_removes_is_an_error() -> None:
    """C1, S-19, OU-03."""
    body, _ = broken("atom", 'href="#n-1"', 'href="notes.html"')
    document = Document("atom.xml", body, "application/atom+xml", "https://warp.example/atom.xml", "posts")
    assert [(each.code, each.level) for each in faults(document)] == [("relative-address", Level.ERROR)]
    assert [each.level for each in faults(replace(document, feed=""))] == [Level.WARNING]


@pytest.mark.parametrize("name", FORMATS)
def test_the_self_link_must_be_where_the_document_is_published(name: str) -> None:
    """A2, S-41."""
    found = faults(Document("x", rendered(name), FORMATS[name].media_type, "https://elsewhere.example/feed"))
    assert [each.code for each in found] == ["wrong-self"]
    assert "https://elsewhere.example/feed" in found[0].message


def test_relative_addresses_may_rest_on_a_base() -> None:
    """RFC 4287, 2."""
    body, _ = broken("atom", 'href="#n-1"', 'href="notes.html"')
    assert of(body.replace(b"<feed ", b'<feed xml:base="https://warp.example/" ', 1)) == ()


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(FORMATS)), st.integers(0), st.binary(max_size=3), st.integers(0, 40))
@example("atom", 1, b"\0", 0)
def test_no_document_breaks_the_check(name: str, at: int, put: bytes, cut: int) -> None:
    """OU-03: somebody's document, whatever it holds, gives diagnostics and no exception."""
    body = rendered(name)
    at %= len(body)
    for each in of(body[:at] + put + body[at + cut :]):
        assert each.message
        assert "\n" not in str(each)
