"""Answers from a shelf, without a network: conditional requests, codings, paths, headers."""

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from feedsvc.serve.answer import respond
from feedsvc.serve.documents import Public, Shelf, load
from feedsvc.serve.keeper import Keeper
from feedsvc.serve.kinds import PAGE_POLICY
from feedsvc.serve.negotiate import coding, http_date, instant
from feedsvc.serve.reply import Answer, answer
from tests.serve.folders import ATOM, FILLING, JSON, NOW, PUBLIC, SET, put, shelf

CODINGS = ("gzip", "br", "zstd")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return shelf(tmp_path_factory.mktemp("site"), codings=CODINGS)


def get(held: Shelf, path: str = "/atom.xml", method: str = "GET", **headers: str) -> Answer:
    return respond(method, path, {name.replace("_", "-"): value for name, value in headers.items()}, held)


def test_every_coding_has_a_strong_tag_of_its_own(held: Shelf) -> None:
    """V-01: the hash of the bytes of that coding, quoted, with the coding in it."""
    tags = {name: get(held, accept_encoding=name).header("ETag") for name in (*CODINGS, "identity")}
    assert len(set(tags.values())) == 4
    for name, ending in (("gzip", '-gz"'), ("br", '-br"'), ("zstd", '-zst"'), ("identity", '"')):
        tag = tags[name]
        assert tag
        assert tag.startswith('"')
        assert tag.endswith(ending)


def test_a_tag_of_any_coding_of_this_version_is_answered_304(held: Shelf) -> None:
    """V-01, V-03: the client's copy is current, in whatever coding it holds it."""
    for name in (*CODINGS, "identity"):
        tag = get(held, accept_encoding=name).header("ETag")
        assert tag
        for asked in (*CODINGS, "identity"):
            same = get(held, accept_encoding=asked, if_none_match=tag)
            assert (same.status, same.body, same.header("ETag")) == (304, b"", tag)
            assert all(same.header(header) for header in ("Last-Modified", "Cache-Control", "Vary"))
            assert same.header("Vary") == "Accept-Encoding"
            assert same.header("Content-Length") is None


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ("{tag}", 304),
        ("W/{tag}", 304),
        ('"a", {tag}', 304),
        ('"a,b",W/"c" ,W/{tag}', 304),
        ("*", 304),
        (" * ", 304),
        ('"*"', 200),
        ('"other"', 200),
        ("", 200),
        ('"a", "b"', 200),
        ("nonsense", 200),
        ('"{bare}x"', 200),
        ("w/nothing", 200),
    ],
)
def test_if_none_match_is_compared_weakly_in_lists_and_as_a_star(held: Shelf, form: str, status: int) -> None:
    """V-01: weak comparison, lists, `*` (RFC 9110 §13.1.2)."""
    tag = get(held).header("ETag")
    assert tag
    assert get(held, if_none_match=form.format(tag=tag, bare=tag.strip('"'))).status == status


@pytest.mark.parametrize(
    ("since", "status"),
    [
        ("Fri, 01 May 2026 12:00:00 GMT", 304),
        ("Fri, 01 May 2026 12:00:01 GMT", 304),
        ("Fri, 01 May 2026 11:59:59 GMT", 200),
        ("Friday, 01-May-26 12:00:00 GMT", 304),
        ("Friday, 01-May-70 12:00:00 GMT", 200),
        ("Fri May  1 12:00:00 2026", 304),
        ("Fri, 01 May 2026 12:00:00", 200),
        ("Fri, 01 May 2026 12:00:00 +0000", 200),
        ("Fri, 31 Jun 2026 12:00:00 GMT", 200),
        ("Fri, 01 Mai 2026 12:00:00 GMT", 200),
        ("Fri, 01 May 2026 25:00:00 GMT", 200),
        ("1777636800", 200),
        ("tomorrow", 200),
        ("", 200),
    ],
)
def test_if_modified_since_decides_by_date_and_unreadable_ones_are_ignored(
    held: Shelf, since: str, status: int
) -> None:
    """V-02 (RFC 9110 §13.1.3, §5.6.7)."""
    assert get(held, if_modified_since=since).status == status


def test_if_none_match_decides_where_both_are_sent(held: Shelf) -> None:
    """V-02 (RFC 9110 §13.2.2)."""
    tag, date = get(held).header("ETag"), "Fri, 01 May 2026 12:00:00 GMT"
    assert tag
    assert get(held, if_none_match='"other"', if_modified_since=date).status == 200
    assert get(held, if_none_match="", if_modified_since=date).status == 200
    assert get(held, if_none_match=tag, if_modified_since="Fri, 01 May 2020 12:00:00 GMT").status == 304


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        (None, None),
        ("", None),
        ("gzip", "gzip"),
        ("GZIP", "gzip"),
        ("x-gzip", "gzip"),
        ("gzip;q=0", None),
        ("gzip; q=0.000", None),
        ("gzip;q=0.001", "gzip"),
        ("gzip;q=0.5, identity", None),
        ("identity;q=0.5, gzip;q=0.6", "gzip"),
        ("gzip;q=1.0;x=y", "gzip"),
        ("gzip;q=nine", None),
        ("gzip;q=-1", None),
        ("gzip;q=1.5", None),
        ("gzip;q=", None),
        ("deflate", None),
        ("br;q=0.9, gzip", "gzip"),
        ("br, gzip;q=0.9, zstd;q=0.8", "br"),
        ("zstd", "zstd"),
        ("identity;q=0, gzip;q=0.1", "gzip"),
        ("*;q=0, gzip", "gzip"),
        ("*, br;q=0, zstd;q=0", "gzip"),
        (", ,gzip,", "gzip"),
    ],
)
def test_the_coding_is_chosen_by_weight(held: Shelf, accepted: str | None, chosen: str | None) -> None:
    """V-10 (RFC 9110 §12.5.3)."""
    headers = {} if accepted is None else {"accept_encoding": accepted}
    found = get(held, **headers)
    assert (found.status, found.header("Content-Encoding")) == (200, chosen)
    assert found.header("Vary") == "Accept-Encoding"
    assert found.header("Content-Length") == str(len(found.body))


def test_gzip_holds_the_bytes_of_the_plain_document(held: Shelf) -> None:
    assert gzip.decompress(get(held, accept_encoding="gzip").body) == ATOM.encode() == get(held).body


@pytest.mark.parametrize("accepted", ["identity;q=0", "*;q=0", "identity;q=0, deflate", "deflate, *;q=0"])
def test_who_takes_no_coding_that_we_have_is_told_so(held: Shelf, accepted: str) -> None:
    """V-10: `identity;q=0` is obeyed; the answer could differ, so it says Vary."""
    found = get(held, accept_encoding=accepted)
    assert (found.status, found.header("Vary")) == (406, "Accept-Encoding")


def test_head_is_get_without_the_body(held: Shelf) -> None:
    """V-07."""
    for path in ("/", "/atom.xml", "/tags/cuda", "/nothing"):
        for headers in ({}, {"accept_encoding": "gzip"}, {"if_none_match": "*"}):
            whole, bare = get(held, path, **headers), get(held, path, "HEAD", **headers)
            assert (bare.status, bare.headers, bare.head, bare.body) == (whole.status, whole.headers, whole.head, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "FEED"])
def test_other_methods_are_refused_with_what_is_allowed(held: Shelf, method: str) -> None:
    """V-07."""
    found = get(held, "/atom.xml", method)
    assert (found.status, found.header("Allow")) == (405, "GET, HEAD")


def test_a_range_is_answered_with_the_whole(held: Shelf) -> None:
    """V-07."""
    found = get(held, range="bytes=0-9")
    assert (found.status, found.body, found.header("Accept-Ranges")) == (200, ATOM.encode(), "none")


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/atom.xml", "application/atom+xml; charset=utf-8"),
        ("/rss.xml", "application/rss+xml; charset=utf-8"),
        ("/feed.json", "application/feed+json; charset=utf-8"),
        ("/feeds.opml", "text/x-opml; charset=utf-8"),
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/tags/cuda/", "text/html; charset=utf-8"),
        ("/assets/feedsvc.css", "text/css; charset=utf-8"),
        ("/assets/drawing.svg", "image/svg+xml; charset=utf-8"),
        ("/assets/data.bin", "application/octet-stream"),
    ],
)
def test_every_document_has_its_media_type_and_its_policies(held: Shelf, path: str, media_type: str) -> None:
    """V-13, V-16; S-24; table of serving.md."""
    found = get(held, path)
    assert found.header("Content-Type") == media_type
    for each in (found, get(held, path, if_none_match="*")):
        assert each.header("X-Content-Type-Options") == "nosniff"
        assert each.header("Cache-Control") == (
            "public, max-age=1800, stale-while-revalidate=600, stale-if-error=86400"
        )
        policy = each.header("Content-Security-Policy") or ""
        assert policy == PAGE_POLICY if "html" in media_type else policy.startswith("default-src 'none'")
        assert "html" in media_type or policy.endswith("; sandbox")


def test_the_policy_of_a_page_is_the_strict_one() -> None:
    """S-24, to the letter."""
    assert PAGE_POLICY == (
        "default-src 'none'; img-src https:; style-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


@pytest.mark.parametrize("path", ["/atom.xml", "/rss.xml", "/feed.json", "/feeds.opml"])
def test_feeds_may_be_read_by_other_origins_and_pages_need_not(held: Shelf, path: str) -> None:
    """V-14."""
    for found in (get(held, path), get(held, path, if_none_match="*")):
        assert found.header("Access-Control-Allow-Origin") == "*"
        assert found.header("Access-Control-Expose-Headers") == "ETag, Last-Modified"
    assert get(held, "/").header("Access-Control-Allow-Origin") is None


def test_link_headers_name_self_hubs_and_the_feeds_of_a_page(held: Shelf) -> None:
    """V-15; W-01: hub and self."""
    assert get(held).header("Link") == (
        '<https://gpu.example/atom.xml>; rel="self"; type="application/atom+xml", <https://hub.example/>; rel="hub"'
    )
    assert get(held, "/").header("Link") == (
        '<https://gpu.example/>; rel="self"; type="text/html", '
        '<https://gpu.example/atom.xml>; rel="alternate"; type="application/atom+xml", '
        '<https://gpu.example/feed.json>; rel="alternate"; type="application/feed+json", '
        '<https://gpu.example/rss.xml>; rel="alternate"; type="application/rss+xml"'
    )
    page = get(held, "/tags/gr%C3%B6%C3%9Fe/").header("Link")
    assert page == '<https://gpu.example/tags/gr%C3%B6%C3%9Fe/>; rel="self"; type="text/html"'


@pytest.mark.parametrize(
    "path",
    [
        "/../atom.xml",
        "/tags/../atom.xml",
        "/%2e%2e/atom.xml",
        "/..%2fatom.xml",
        "/tags/%2e%2e/atom.xml",
        "/%252e%252e/atom.xml",
        "/%2561tom.xml",
        "//atom.xml",
        "/./atom.xml",
        "/atom.xml/",
        "/atom.xml%00",
        "/atom.xml%00.html",
        "/\\atom.xml",
        "/%5catom.xml",
        "/tags%5ccuda%5catom.xml",
        "/tags%2fcuda/atom.xml",
        "/.git/config",
        "/.feedsvc-new-1",
        "/%2egit",
        "/atom.xml.gz",
        "/ATOM.XML",
        "/atom",
        "/etc/passwd",
        "/%ff",
        "/%",
        "/%zz",
        "/größe",
        "atom.xml",
        "",
        "*",
        "file:///etc/passwd",
        "/tags",
        "/assets",
        "/assets/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/status",
    ],
)
def test_what_is_no_published_document_is_not_found(held: Shelf, path: str) -> None:
    """V-17, V-25, V-16: policies stand on a 404 too."""
    found = get(held, path)
    assert found.status == 404
    assert found.header("X-Content-Type-Options") == "nosniff"
    assert (found.header("Content-Security-Policy") or "").startswith("default-src 'none'")
    assert "atom" not in found.body.decode()


@pytest.mark.parametrize("path", ["/%61tom.xml", "/atom.xml?", "/atom.xml?a=b&c", "http://evil.example/atom.xml?x"])
def test_a_path_is_decoded_once_and_query_and_host_change_nothing(held: Shelf, path: str) -> None:
    """V-17, S-41."""
    assert get(held, path) == get(held)
    assert get(held, "http://evil.example") == get(held, "/")
    other = respond("GET", path, {"host": "evil.example", "x-forwarded-host": "evil.example"}, held)
    assert other == get(held)


@pytest.mark.parametrize("path", ["/tags/cuda", "/tags/cuda?x=//evil.example", "http://evil.example/tags/cuda"])
def test_a_folder_without_its_slash_leads_to_it_by_its_own_path(held: Shelf, path: str) -> None:
    """S-41: the way there is relative and never made of a Host."""
    found = respond("GET", path, {"host": "evil.example"}, held)
    assert (found.status, found.header("Location")) == (301, "/tags/cuda/")
    assert get(held, "/tags/gr%C3%B6%C3%9Fe").header("Location") == "/tags/gr%C3%B6%C3%9Fe/"


def without(*folders: str) -> dict[str, str]:
    return {path: body for path, body in SET.items() if not path.startswith(folders)}


def at(path: str, name: str) -> dict[str, str]:
    """Return a feed in three formats at a path, known by its id."""
    return {f"{path}/atom.xml": f"<feed><id>tag:{name}</id>", f"{path}/rss.xml": "<rss>", f"{path}/feed.json": JSON}


def test_a_feed_that_went_away_is_gone_and_a_page_is_not_found(tmp_path: Path) -> None:
    """V-08, V-21."""
    before = shelf(tmp_path)
    after = load(put(tmp_path, without("tags/cuda"), later=5), PUBLIC, NOW.timestamp() + 60, before)
    assert get(after, "/tags/cuda/atom.xml").status == 410
    assert get(after, "/tags/cuda/").status == 404
    back = load(put(tmp_path, later=9), PUBLIC, NOW.timestamp() + 60, after)
    assert get(back, "/tags/cuda/atom.xml").status == 200


def test_a_feed_that_moved_is_found_by_its_id_for_a_year(tmp_path: Path) -> None:
    """V-08: in all its formats, also when it moves again, and gone when it goes."""
    now, sets = NOW.timestamp() + 60, [at("planet", "a"), at("all", "a"), at("everything", "a"), {"x.txt": ""}]
    held = shelf(tmp_path, sets[0])
    for later, files in enumerate(sets[1:3], 1):
        held = load(put(tmp_path, files, later=5 * later), PUBLIC, now, held)
    for name in ("atom.xml", "rss.xml", "feed.json"):
        for path in ("planet", "all"):
            found = get(held, f"/{path}/{name}")
            assert (found.status, found.header("Location")) == (301, f"/everything/{name}")
    root = put(tmp_path, sets[3], later=20)
    assert get(load(root, PUBLIC, now, held), "/planet/atom.xml").status == 410
    assert get(load(root, PUBLIC, now + 367 * 86400, held), "/planet/atom.xml").status == 404


def test_archives_move_with_their_feed_and_are_never_taken_for_it(tmp_path: Path) -> None:
    """V-08, P1: they share its id; V-15, W-01: no hub tells of them."""

    def both(path: str) -> dict[str, str]:
        return {**at(path, "a"), **at(f"{path}/archive/1", "a"), **at(f"{path}/archive/2", "a")}

    now, held = NOW.timestamp() + 60, shelf(tmp_path, both("planet"))
    assert "hub" in (get(held, "/planet/atom.xml").header("Link") or "")
    assert "hub" not in (get(held, "/planet/archive/1/atom.xml").header("Link") or "")
    held = load(put(tmp_path, both("all"), later=5), PUBLIC, now, held)
    for path in ("", "archive/1/", "archive/2/"):
        found = get(held, f"/planet/{path}rss.xml")
        assert (found.status, found.header("Location")) == (301, f"/all/{path}rss.xml")


def test_what_left_is_remembered_by_the_next_process(tmp_path: Path) -> None:
    """V-08: also what left, or moved, while there was none, as when a daemon takes a configuration."""
    first = Keeper(put(tmp_path), PUBLIC, tmp_path / "var")
    (tmp_path / "var").mkdir(exist_ok=True)
    first.look(settled=True)
    put(tmp_path, without("tags/cuda"), later=5)
    assert first.look()
    second = Keeper(tmp_path / "public", PUBLIC, tmp_path / "var")
    second.look(settled=True)
    assert get(second.shelf, "/tags/cuda/atom.xml").status == 410
    put(tmp_path, at("tags/new", "warp"), later=9)  # while nobody serves
    third = Keeper(tmp_path / "public", PUBLIC, tmp_path / "var")
    third.look(settled=True)
    assert {get(third.shelf, path).status for path in ("/atom.xml", "/rss.xml", "/tags/cuda/atom.xml")} == {410}
    put(tmp_path, at("tags/newer", "warp"), later=12)
    fourth = Keeper(tmp_path / "public", PUBLIC, tmp_path / "var")
    fourth.look(settled=True)
    assert get(fourth.shelf, "/tags/new/rss.xml").header("Location") == "/tags/newer/rss.xml"
    nested = '{"x": ' + "[" * 99_999
    for nonsense in (
        "[nonsense",
        "null",
        '{"feeds": {}, "left": {"/a": ["", 1' + "0" * 400 + "]}}",
        "[" * 99_999,
        nested,
    ):
        (tmp_path / "var/farewell.json").write_text(nonsense)
        assert Keeper(tmp_path / "public", PUBLIC, tmp_path / "var").look(settled=True)


def test_a_header_with_a_line_break_is_refused(tmp_path: Path) -> None:
    """S-35."""
    for value in ("a\r\nSet-Cookie: x", "a\nb", "a\rb", "a\0b"):
        with pytest.raises(ValueError, match="line break"):
            answer(200, [("Link", value)])
    with pytest.raises(ValueError, match="Link"):
        load(put(tmp_path), Public("https://gpu.example/", ("https://hub.example/\r\nX: y",)), NOW.timestamp())


def test_last_modified_is_never_in_the_future(tmp_path: Path) -> None:
    """V-04."""
    early = load(put(tmp_path), PUBLIC, NOW.timestamp() - 3600)
    assert get(early).header("Last-Modified") == "Fri, 01 May 2026 11:00:00 GMT"


@given(st.integers(0, 4_000_000_000))
@settings(max_examples=100)
def test_a_date_that_was_written_is_read_back(seconds: int) -> None:
    assert instant(http_date(seconds)) == seconds


NAMES = st.sampled_from(["gzip", "br", "zstd", "identity", "*", "deflate", "x-gzip"])
WEIGHTS = st.one_of(st.just(""), st.sampled_from([";q=0", ";q=0.5", "; q=1", ";q=1.000", ";q=x", ";q=2"]))
HEADER = st.one_of(st.lists(st.tuples(NAMES, WEIGHTS).map("".join), max_size=6).map(", ".join), st.text(max_size=40))


@given(accepted=HEADER)
@example("gzip;q=0, x-gzip")
@example("gzip;q=0, gzip")
@settings(max_examples=200)
def test_no_coding_is_sent_that_a_request_refuses(accepted: str) -> None:
    """V-10, for any header."""
    chosen = coding(accepted, ("br", "gzip", "zstd", "identity"))
    parts = [[piece.strip() for piece in part.split(";")] for part in accepted.lower().split(",")]
    named = [part for part in parts if part[0].removeprefix("x-") == chosen]
    assert not any("q=0" in part for part in named)
    assert chosen in (None, "identity") or named or any(part[0] == "*" for part in parts)


TARGETS = st.one_of(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40),
    st.lists(st.sampled_from(["/", "..", "%2e", "%2f", "%00", "\\", "atom.xml", ".gz", "tags", "cuda", "?", "%"])).map(
        "".join
    ),
)


@given(TARGETS, st.dictionaries(st.sampled_from(["accept-encoding", "if-none-match", "if-modified-since"]), HEADER))
@settings(max_examples=200)
def test_any_request_gets_a_published_document_or_a_refusal(
    held: Shelf, target: str, headers: Mapping[str, str]
) -> None:
    """V-17: nothing else can come out, and nothing raises."""
    found = respond("GET", target, headers, held)
    assert found.status in {200, 301, 304, 404, 406}
    bodies = {variant.found.body for one in held.documents.values() for variant in one.variants.values()}
    assert found.status != 200 or found.body in bodies
    assert found.header("X-Content-Type-Options") == "nosniff"


def test_small_documents_have_no_twin(held: Shelf) -> None:
    """V-09."""
    assert get(held, "/assets/feedsvc.css", accept_encoding="gzip").header("Content-Encoding") is None
    assert len(FILLING) > 1024
