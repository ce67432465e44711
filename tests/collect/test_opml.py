"""Lists of feeds, however bad (SO-06, SO-07, S-37)."""

import pytest

from feedsvc.collect.found import Unread
from feedsvc.collect.opml import DEEPEST, LARGEST, MOST, NAMED, Listed, read_opml
from feedsvc.model import Outline
from feedsvc.render.outlines import sources_opml

URL = "https://a.example/feed"


def opml(inside: str) -> bytes:
    return f'<opml version="2.0"><head><title>t</title></head><body>{inside}</body></opml>'.encode()


def listed(body: bytes) -> Listed:
    found = read_opml(body, "list.opml")
    assert isinstance(found, Listed), found
    return found


@pytest.mark.parametrize(
    "outline",
    [
        f'<outline text="A &amp; B" type="rss" xmlUrl="{URL}"/>',
        f'<outline text="A & B" xmlUrl="{URL}"/>',
        f'<outline title="A &amp; B" xmlURL="{URL}"/>',
        f"<outline title='A &amp; B' xmlurl = '{URL}'>",
        f'<OUTLINE TEXT="A &amp;amp; B" XMLURL="{URL}"/>'.replace("&amp;amp;", "&amp;"),
        f'<outline text="A &#38; B" xmlUrl=" {URL} "></outline>',
        f'<outline text="A & B" xmlUrl="{URL}"/><outline text="broken',
    ],
)
def test_an_outline_is_read_however_it_is_spelled(outline: str) -> None:
    """SO-06."""
    assert listed(opml(outline)).feeds == (Outline("", "A & B", URL),)


@pytest.mark.parametrize(
    "encode", [("utf-8-sig", ""), ("cp1252", "windows-1252"), ("utf-16", ""), ("utf-8", "windows-1252")]
)
def test_a_list_is_read_in_the_encoding_that_it_is_in(encode: tuple[str, str]) -> None:
    """SO-06: a byte order mark, windows-1252."""
    encoding, declared = encode
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = (declaration + opml(f'<outline text="café" xmlUrl="{URL}"/>').decode()).encode(encoding)
    assert [one.title for one in listed(body).feeds] == ["café"]


def test_folders_and_categories_become_tags_and_doubles_merge() -> None:
    """SO-06, SO-04."""
    found = listed(
        opml(
            f'<outline text="GPU"><outline text="Vendors"><outline text="A" xmlUrl="{URL}"/></outline>'
            '<outline text="B" xmlUrl="https://b.example/" htmlUrl="https://b.example/home"'
            ' category="/gpu,C%2C D"/></outline>'
            '<outline text="All"><outline text="again" xmlUrl="HTTP://A.example:80/feed#x"'
            ' htmlUrl="https://a.example/"/></outline>'
        )
    )
    assert found.feeds == (
        Outline("", "A", URL, "https://a.example/", ("GPU", "Vendors", "All")),
        Outline("", "B", "https://b.example/", "https://b.example/home", ("GPU", "C, D")),
    )
    assert [one.message for one in found.left_out] == [f"outline 'again' was left out: it is listed already, as {URL}"]


def test_what_is_left_out_is_named_with_its_line_and_reason() -> None:
    """SO-06, S-37, S-01."""
    found = listed(
        opml(
            '\n<outline text="a" xmlUrl="file:///etc/hostname"/>\n<outline text="b" xmlUrl="http://u:p@a.example/"/>'
            '\n<outline text="c" xmlUrl="/relative"/>\n<outline type="include" text="d" url="https://c.example/x.opml"/>'
            '\n<outline text="e"/><!-- <outline text="f" xmlUrl="https://f.example/"/> -->'
        )
    )
    assert found.feeds == ()
    assert [str(one).partition(": its address")[0].partition(": it ")[0] for one in found.left_out] == [
        f"list.opml:{line}: warning: outline '{name}' was left out"
        for line, name in ((2, "a"), (3, "b"), (4, "c"), (5, "d"), (6, "e"))
    ]
    assert "must not hold a user name or password" in found.left_out[1].message
    assert "u:p" not in found.left_out[1].message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + opml("&x;"), "entity declaration"),
        (b"<!DOCTYPE opml [<!ELEMENT opml ANY>]>" + opml(""), "internal subset"),
        (b"<html><body>Not here</body></html>", "no OPML"),
        (b"x" * (LARGEST + 1), "5 MiB"),
        (b'<?xml version="1.0" encoding="utf-7"?>' + opml(""), "encoding"),
    ],
)
def test_what_is_no_list_is_refused_whole(body: bytes, words: str) -> None:
    """S-37."""
    found = read_opml(body, "list.opml")
    assert isinstance(found, Unread)
    assert words in found.message


def test_depth_doubles_and_floods_cost_nothing() -> None:
    """S-37: 5,000 nested outlines, 10,000 equal ones, more than are read."""
    nested = listed(opml('<outline text="x">' * 5_000 + "</outline>" * 5_000 + f'<outline text="A" xmlUrl="{URL}"/>'))
    assert [one.url for one in nested.feeds] == [URL]
    inside = listed(opml("".join(f'<outline text="f{n}">' for n in range(30)) + f'<outline text="A" xmlUrl="{URL}"/>'))
    assert len(inside.feeds[0].tags) == DEEPEST
    equal = listed(opml(f'<outline text="A" xmlUrl="{URL}"/>' * MOST))
    assert (len(equal.feeds), len(equal.left_out)) == (1, NAMED)
    flood = listed(opml("".join(f'<outline text="A" xmlUrl="https://a.example/{n}"/>' for n in range(MOST + 5))))
    assert (len(flood.feeds), flood.left_out[0].message.endswith("the rest was not read")) == (MOST, True)


def test_an_export_is_read_back_as_the_same_list() -> None:
    """SO-07."""
    outlines = (
        Outline("a", "A & <B>", "https://a.example/f?x=1&y=2", "https://a.example/", ("GPU", "C, D")),
        Outline("b", '"quoted"', "https://b.example/f"),
    )
    read = listed(sources_opml("Sources", outlines)).feeds
    assert [(one.title, one.url, one.home, one.tags) for one in read] == [
        (one.title, one.url, one.home, one.tags) for one in outlines
    ]
