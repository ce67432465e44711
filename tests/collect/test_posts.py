"""One file of posts/ → an entry, or the reason why not (B, F, D, I; S-28)."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedsvc.collect.admission import Outcome
from feedsvc.collect.posts import PostRead, PostSite, read_post
from feedsvc.model import Enclosure, Entry, Level, Person
from feedsvc.text.names import is_absolute_uri

SITE = PostSite("https://warp.example/", "warp.example,2026", UTC, time(12), "{slug}/")
DATED = "2026-05-01-post.md"


def read(*lines: str, path: str = DATED, site: PostSite = SITE, body: str = "Words.\n") -> PostRead:
    return read_post("\n".join(("---", *lines, "---", body)).encode(), path, site)


def entry(*lines: str, path: str = DATED, site: PostSite = SITE, body: str = "Words.\n") -> Entry:
    found = read(*lines, path=path, site=site, body=body)
    assert found.post is not None, found
    return found.post.entry


def told(found: PostRead) -> list[tuple[int | None, Level, str]]:
    return [(one.line, one.level, one.code) for one in found.diagnostics]


def test_a_plain_post_becomes_an_entry() -> None:
    """I1, I3, I7, D3, F7."""
    found = read("title: Warp size", "date: 2026-05-01", "tags: cuda, hip", path="2026/notes.md")
    assert found.post is not None
    assert (found.outcome, found.diagnostics, found.body.text, found.body.line) == (
        Outcome.PUBLISHED,
        (),
        "Words.\n",
        6,
    )
    assert found.post.entry == Entry(
        id="tag:warp.example,2026:2026/notes",
        key="2026/notes",
        link="https://warp.example/notes/",
        title="Warp size",
        published=datetime(2026, 5, 1, 12, tzinfo=UTC),
        updated=datetime(2026, 5, 1, 12, tzinfo=UTC),
        tags=("cuda", "hip"),
        path="posts/2026/notes.md",
    )


# Titles


def test_a_title_is_what_was_typed_on_one_line() -> None:
    """F3, K2."""
    assert entry("title: 'a < b && c —  R&D &amp; x'").title == "a < b && c — R&D &amp; x"
    assert entry("title: |", "  two", "  lines").title == "two lines"
    assert entry("title: 1.10").title == "1.10"
    assert entry("title: a\u00a0b").title == "a\u00a0b"


def test_what_nobody_sees_is_no_title_no_tag_and_no_author() -> None:
    """F8, F7, A3."""
    found = entry('title: "\\u200b\\ufeff"', 'tags: ["\\u2060", a]', 'author: "\\u200b"', body="# A heading\n")
    assert (found.title, found.tags, found.authors) == ("A heading", ("a",), ())


def test_titles_names_and_tags_hold_nothing_that_turns_the_text_around_them() -> None:
    """S-23; the marks of direction stay (T15)."""
    turned = entry('title: "\\u202eCUDA\\u2066\\u200f"', 'author: "\\u202eA\\u2069"', 'tags: ["\\u202dx"]')
    assert (turned.title, turned.authors, turned.tags) == ("CUDA\u200f", (Person("A"),), ("x",))
    assert entry(body="# A \u202eheading\n").title == "A heading"


def test_a_title_that_is_a_list_is_named_with_its_line() -> None:
    """F2: brackets without quotes."""
    assert told(read("date: 2026-05-01", "title: [RFC]")) == [(3, Level.ERROR, "bad-title")]


def test_escapes_bring_in_nothing_that_xml_cannot_carry_and_one_warning_names_all_of_it() -> None:
    """B4, B5, S-34."""
    found = read('title: "a\\u0001b\\uFFFEc \\x93q\\x94"', "tags: ['x\\u000By', \"x\\x0by\"]", body="body \x0b here\n")
    assert found.post is not None
    assert found.post.entry.title == "abc “q”"
    assert found.post.entry.tags == ("x\\u000By", "xy")
    assert told(found) == [(2, Level.WARNING, "control-character")]
    assert "U+0001, U+000B, U+FFFE" in found.diagnostics[0].message


# Tags and authors


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tags: cuda, hip,, ", ("cuda", "hip")),
        ("tags: gpu computing", ("gpu computing",)),
        ("tags: [ROCm, rocm, ' rocm ', HIP]", ("ROCm", "HIP")),
        ("tags: null", ()),
        ("tags:", ()),
        ("tags: [null, '', ~, x]", ("x",)),
        ("tags: ['x/y', 'F*', 'F#', '#gpu', '#']", ("x/y", "F*", "F#", "gpu")),
        ("tags: [13.0, no, on, 2024]", ("13.0", "no", "on", "2024")),
        ("tags: ['a, b']", ("a, b",)),
        ("categories: [rust, gpu]", ("rust", "gpu")),
        ("tags: [' two   words ']", ("two words",)),
    ],
)
def test_tags_of_every_form_become_clean_tags(line: str, expected: tuple[str, ...]) -> None:
    """F7."""
    assert entry(line).tags == expected


def test_tags_and_categories_are_one_list_and_what_is_nested_in_it_is_named() -> None:
    """F7."""
    assert entry("tags: a", "categories: [b, A]").tags == ("a", "b")
    found = read("tags: [a, {b: c}]")
    assert found.post is not None
    assert (found.post.entry.tags, told(found)) == (("a",), [(2, Level.WARNING, "bad-tags")])


@given(st.lists(st.text(max_size=12), max_size=8))
def test_tags_are_never_blank_never_twice_and_in_order(words: list[str]) -> None:
    """F7."""
    quoted = ", ".join('"' + "".join(f"\\U{ord(one):08X}" for one in word) + '"' for word in words)
    found = read_post(f"---\ntags: [{quoted}]\n---\n".encode(), DATED, SITE)
    if found.post:
        tags = found.post.entry.tags
        assert all(tag == tag.strip() and tag and not tag.startswith("#") for tag in tags)
        assert len({tag.casefold() for tag in tags}) == len(tags)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("author: Ada Warp", (Person("Ada Warp"),)),
        ("author: Ada Warp, Bo Lane, and Cy Grid", (Person("Ada Warp"), Person("Bo Lane"), Person("Cy Grid"))),
        ("author: Ada Warp, Bo Lane and Cy Grid", (Person("Ada Warp"), Person("Bo Lane"), Person("Cy Grid"))),
        ("author: Smith and Sons", (Person("Smith and Sons"),)),
        (
            "author: Sandy Anderson, Smith & Sons Ltd, and Bo",
            tuple(map(Person, ("Sandy Anderson", "Smith & Sons Ltd", "Bo"))),
        ),
        ("author: 'Ada at ada@mail.example'", (Person("Ada at"),)),
        ("author: '@ada'", (Person("@ada"),)),
        ("author: '@ada@social.example'", (Person("@ada@social.example"),)),
        ("author: mailto:ada@mail.example", (Person("ada", "ada@mail.example"),)),
        ("author: https://ada.example/", ()),
        ("author: Ada Warp, Jr., Bo Lane (AMD, HPC)", (Person("Ada Warp, Jr."), Person("Bo Lane (AMD, HPC)"))),
        ("authors: [Ada Warp, 'Lane, Bo', Ada Warp]", (Person("Ada Warp"), Person("Lane, Bo"))),
        ("author: Ada <ada@mail.example>", (Person("Ada", "ada@mail.example"),)),
        ("author: ada@mail.example (Ada)", (Person("Ada", "ada@mail.example"),)),
        ("author: ada@mail.example", (Person("ada", "ada@mail.example"),)),
        (
            "author: {name: Ada, email: a@mail.example, url: 'https://ada.example'}",
            (Person("Ada", "a@mail.example", "https://ada.example/"),),
        ),
        ("authors: [{name: Ada}, Bo]", (Person("Ada"), Person("Bo"))),
        ("author: ''", ()),
        ("author: [null, ' ']", ()),
    ],
)
def test_authors_are_a_string_a_list_or_a_table(line: str, expected: tuple[Person, ...]) -> None:
    """A3: never blank, never an address; interface "Front matter"."""
    assert entry(line).authors == expected


def test_an_author_without_name_and_an_address_that_is_none_are_named() -> None:
    """A3."""
    assert told(read("author: {url: 'https://ada.example'}")) == [(2, Level.WARNING, "bad-author")]
    assert told(read("author: https://ada.example/")) == [(2, Level.WARNING, "bad-author")]
    assert told(read("author: {name: Ada, url: 'javascript:x'}")) == [(2, Level.WARNING, "bad-url")]


# Drafts and what is not for everyone


@pytest.mark.parametrize("mark", ["true", '"true"', "yes", "'on'", "1", "TRUE", "Yes", "On"])
def test_a_draft_is_one_in_every_spelling(mark: str) -> None:
    """F10, F13: silently, and nothing of it is handed on."""
    found = read(f"draft: {mark}", "title: x")
    assert (found.outcome, found.post, found.body.text, found.diagnostics) == (Outcome.DRAFT, None, "", ())


PUBLIC_MARKS = (
    "draft: false;draft: 'false';draft: no;draft: Off;draft: 0;published: yes;published: true;published: 2026-04-01;"
    "status: published;status: Publish;status: public;visibility: Public;private: no;private: 'false';feed: true"
)


@pytest.mark.parametrize("line", PUBLIC_MARKS.split(";"))
def test_what_says_that_it_is_public_is_published(line: str) -> None:
    """F10, F11."""
    found = read(line)
    assert (found.outcome, found.diagnostics) == (Outcome.PUBLISHED, ())


@pytest.mark.parametrize(
    ("line", "outcome", "warned"),
    [
        ("published: no", Outcome.DRAFT, False),
        ('published: "false"', Outcome.DRAFT, False),
        ("status: draft", Outcome.DRAFT, False),
        ("status: Unpublished", Outcome.DRAFT, False),
        ("status: in review", Outcome.DRAFT, True),
        ("status:", Outcome.DRAFT, True),
        ("draft: maybe", Outcome.DRAFT, True),
        ("draft:", Outcome.DRAFT, True),
        ("draft: [yes]", Outcome.DRAFT, True),
        ("Draft: true", Outcome.DRAFT, False),
        ("published: soon", Outcome.DRAFT, True),
        ("published: 31/12/2025", Outcome.SKIPPED, True),
        ("visibility: members", Outcome.RESTRICTED, True),
        ("visibility:", Outcome.RESTRICTED, True),
        ("private: true", Outcome.RESTRICTED, True),
        ("private: perhaps", Outcome.RESTRICTED, True),
        ("password: tensor", Outcome.RESTRICTED, True),
        ("password: ''", Outcome.RESTRICTED, True),
        ("feed: false", Outcome.UNLISTED, False),
        ("feed: no", Outcome.UNLISTED, False),
        ("feed: sometimes", Outcome.UNLISTED, True),
    ],
)
def test_in_doubt_a_post_stays_out_and_a_warning_says_so(line: str, outcome: Outcome, warned: bool) -> None:
    """F10, F11, F13."""
    found = read("date: 2026-05-01", line)
    assert (found.outcome, found.post, found.line) == (outcome, None, 3)
    assert [(one.line, one.level) for one in found.diagnostics] == ([(3, Level.WARNING)] if warned else [])
    assert found.reason


def test_a_draft_marked_private_is_a_draft_without_warning() -> None:
    """F10, F11."""
    assert (read("draft: yes", "password: x").outcome, read("draft: yes", "password: x").diagnostics) == (
        Outcome.DRAFT,
        (),
    )


# Dates


def test_a_date_comes_from_date_then_published_then_the_name_of_the_file() -> None:
    """D1, D9, F10."""
    assert entry("date: 2026-04-02T10:00:00Z", "published: 2026-04-03").published == datetime(
        2026, 4, 2, 10, tzinfo=UTC
    )
    assert entry("published: 2026-04-03 08:00").published == datetime(2026, 4, 3, 8, tzinfo=UTC)
    assert entry("published: true").published == datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert entry("date:", path="2026-4-2_x.md").published == datetime(2026, 4, 2, 12, tzinfo=UTC)
    assert entry("title: x", path="2026-04-04-trip/index.md").published == datetime(2026, 4, 4, 12, tzinfo=UTC)


def test_a_date_is_of_the_sites_zone() -> None:
    """D3: and so is the day in a permalink."""
    site = PostSite(
        "https://warp.example/b/",
        "warp.example,2026",
        ZoneInfo("Pacific/Auckland"),
        time(0, 5),
        "/{year}/{month}/{day}/{slug}",
    )
    found = entry("date: 2026-01-01", site=site, path="x.md")
    assert found.published == datetime(2025, 12, 31, 11, 5, tzinfo=UTC)
    assert found.link == "https://warp.example/b/2026/01/01/x"


@pytest.mark.parametrize("date", ["03/04/2026", "2026-02-30", "2026", "2026-05-01 10:00 CET", "[2026-05-01]", "soon"])
def test_a_date_that_cannot_be_read_keeps_the_post_out_with_its_line(date: str) -> None:
    """D2: also where the file's name has one."""
    found = read("title: t", f"date: {date}")
    assert (found.outcome, told(found)) == (Outcome.SKIPPED, [(3, Level.ERROR, "bad-date")])
    assert "date" in found.diagnostics[0].message


def test_a_post_without_any_date_is_skipped_with_a_warning_that_names_what_looked_like_one() -> None:
    """D9."""
    found = read("title: t", path="undated.md")
    assert (found.outcome, told(found)) == (Outcome.SKIPPED, [(1, Level.WARNING, "no-date")])
    found = read("title: t", "created: 2024-01-01", path="2026-13-01-x.md")
    assert told(found) == [(3, Level.WARNING, "no-date")]
    assert "`created`" in found.diagnostics[0].message


def test_a_date_of_an_update_that_cannot_be_read_costs_the_update_alone() -> None:
    """D2, D8."""
    found = read("updated: 04/05/2026")
    assert (found.outcome, told(found)) == (Outcome.PUBLISHED, [(2, Level.WARNING, "bad-date")])
    assert found.post is not None
    assert found.post.updated is None
    for key in ("updated", "modified", "lastmod"):
        found = read(f"{key}: 2026-05-09T10:00:00Z")
        assert found.post is not None
        assert found.post.updated is not None
        assert (found.post.updated.instant, found.post.updated_line) == (datetime(2026, 5, 9, 10, tzinfo=UTC), 2)


# Ids, slugs, links


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("2026-05-01-launch-bounds.md", "launch-bounds"),
        ("2026-05-01_launch.markdown", "launch"),
        ("2026-05-01.md", "2026-05-01"),
        ("notes/index.md", "notes"),
        ("a/2026-05-01-trip/README.md", "trip"),
        ("index.md", "index"),
        ("cuda_5.8.md", "cuda_5.8"),
        ("Ünï.md", "%C3%9Cn%C3%AF"),
        ("a b.md", "a%20b"),
        ("a?b#c.md", "a%3Fb%23c"),
        ("100%.md", "100"),
        ("a\\b.md", "a-b"),
    ],
)
def test_a_slug_comes_from_the_name_of_the_file_or_folder(path: str, slug: str) -> None:
    """F9, I7, S-28."""
    assert entry("date: 2026-05-01", path=path).link == f"https://warp.example/{slug}/"


@pytest.mark.parametrize(
    "slug",
    [
        "../../x",
        "/etc/x",
        "'．．／x'",
        '"a\\0b"',
        "a//b",
        "a/",
        "./a",
        "a\\b",
        "a%2e",
        "'" + "x" * 201 + "'",
        "[a]",
        '"a\\u202eb"',
        '"\\u200b..\\u200b"',
        '"\\u200d"',
    ],
)
def test_a_slug_that_leads_elsewhere_keeps_its_post_out(slug: str) -> None:
    """S-28, S-29: tested after NFKC, as it was written."""
    found = read("title: t", "date: 2026-05-01", f"slug: {slug}")
    assert found.post is None
    assert found.diagnostics[-1].line == 4
    assert (found.diagnostics[-1].level, found.diagnostics[-1].code) == (Level.ERROR, "bad-slug")


def test_a_slug_is_encoded_once_and_typed_numbers_stay() -> None:
    """I7, S-33."""
    assert entry("slug: 12:30:45").link == "https://warp.example/12:30:45/"
    assert entry("slug: 2026/größe x").link == "https://warp.example/2026/gr%C3%B6%C3%9Fe%20x/"
    assert entry("slug: ' '").link == "https://warp.example/post/"
    assert entry('slug: "می\\u200cخواهم"').link == (
        "https://warp.example/" + "%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85/"
    )
    assert entry("slug: '{year}'").link == "https://warp.example/%7Byear%7D/"


def test_an_id_stands_as_it_is_written_and_never_follows_title_slug_or_address() -> None:
    """I1, I2, I3."""
    assert entry("id: tag:warp.example,2019-06-01:kept").id == "tag:warp.example,2019-06-01:kept"
    assert (
        entry("id: urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a").id == "urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a"
    )
    moved = PostSite("http://new.example/blog/", "Warp.example,2026", UTC, time(12), "{year}/{slug}")
    first, second = entry("title: a"), entry("title: b", "slug: c", site=moved)
    assert first.id == second.id == "tag:warp.example,2026:2026-05-01-post"
    assert second.link == "http://new.example/blog/2026/c"


@pytest.mark.parametrize(
    "written",
    ['"x\\r\\nX-Other: 1"', '"tag:a.example,2026:x\\0y"', "post-1", "'tag:a b'", "/x", "[tag:a,2026:x]",
     "'http://ü.example/'"],
)  # fmt: skip
def test_an_id_that_is_no_absolute_uri_keeps_its_post_out(written: str) -> None:
    """I2, S-35."""
    found = read("title: t", "date: 2026-05-01", f"id: {written}")
    assert (found.post, told(found)[-1]) == (None, (4, Level.ERROR, "bad-id"))


@given(
    st.text(min_size=1, max_size=30).filter(lambda name: "/" not in name and "\0" not in name and name.isprintable())
)
def test_a_minted_id_is_an_ascii_uri_for_every_file_name(name: str) -> None:
    """I3."""
    found = read_post(b"---\ndate: 2026-05-01\ntitle: t\n---\n", f"{name}.md", SITE)
    assert found.post is not None
    assert is_absolute_uri(found.post.entry.id)
    assert found.post.entry.link is not None
    assert found.post.entry.link.isascii()
    assert not any(one.isspace() for one in found.post.entry.link)


def test_a_canonical_url_is_the_link_and_one_that_is_none_is_named() -> None:
    """I7."""
    assert entry("canonical_url: https://Other.example/a b?x=1&y=2").link == "https://other.example/a%20b?x=1&y=2"
    found = read("title: t", "canonical_url: javascript:alert(1)")
    assert found.post is not None
    assert (found.post.entry.link, told(found)) == ("https://warp.example/post/", [(3, Level.WARNING, "bad-url")])


# Language, image, enclosures, summary


@pytest.mark.parametrize("lang", ["de", "zh-Hans", "pt-BR", "zh-Hant-TW"])
def test_a_language_tag_is_kept(lang: str) -> None:
    """F12."""
    assert entry(f"lang: {lang}").lang == lang


@pytest.mark.parametrize("lang", ["English", "german", "de_DE", "xx-", "jp", "[de]", "i-klingon"])
def test_what_is_no_language_tag_is_dropped_with_a_warning(lang: str) -> None:
    """F12."""
    found = read("title: t", f"lang: {lang}")
    assert found.post is not None
    assert (found.post.entry.lang, told(found)) == (None, [(3, Level.WARNING, "bad-language")])


def test_an_image_is_resolved_against_the_post() -> None:
    """C1, I7."""
    assert entry("image: fig/a b.png").image == "https://warp.example/post/fig/a%20b.png"
    assert entry("image: /a.png").image == "https://warp.example/a.png"
    assert entry("image: {url: 'https://img.example/a.png'}").image == "https://img.example/a.png"
    assert told(read("title: t", "image: 'data:image/png;base64,xx'")) == [(3, Level.WARNING, "bad-url")]


def test_an_enclosure_keeps_type_and_length_and_gets_its_type_from_its_suffix() -> None:
    """S5, J4, interface "Front matter"."""
    table = ("enclosure:", "  url: https://media.example/talk.mp3", "  type: audio/mpeg", "  length: 12345")
    assert entry(*table).enclosures == (Enclosure("https://media.example/talk.mp3", "audio/mpeg", 12345),)
    assert entry("enclosure: talk.M4A?x=1").enclosures == (
        Enclosure("https://warp.example/post/talk.M4A?x=1", "audio/mp4"),
    )
    assert entry("enclosure: {url: a.jpg, type: image/jpg}").enclosures[0].type == "image/jpeg"
    assert entry("enclosure: {url: a.unknown}").enclosures[0].type is None
    assert [one.url for one in entry("enclosure: ['/a.mp3', {url: /b.mp3}]").enclosures] == [
        "https://warp.example/a.mp3",
        "https://warp.example/b.mp3",
    ]


def test_an_enclosure_that_is_half_wrong_loses_that_half_with_a_warning() -> None:
    """S5."""
    found = read("title: t", "enclosure: {url: a.mp3, type: sound, length: -3}")
    assert found.post is not None
    assert found.post.entry.enclosures == (Enclosure("https://warp.example/post/a.mp3", "audio/mpeg"),)
    assert told(found) == [(3, Level.WARNING, "bad-enclosure")] * 2
    assert told(read("title: t", "enclosure: {length: 3}")) == [(3, Level.WARNING, "bad-url")]


def test_an_enclosure_whose_type_cannot_be_known_is_named() -> None:
    """S5: it is left out of RSS."""
    assert told(read("title: t", "enclosure: /talk.unknown")) == [(3, Level.WARNING, "untyped-enclosure")]
    assert told(read("title: t", "enclosure: {url: /talk, type: audio/mpeg}")) == []


def test_the_summary_is_the_first_of_three_keys_that_says_something() -> None:
    """Interface "Front matter"."""
    found = read("description: ''", "excerpt: '  *Short* words. '")
    assert (found.body.summary, found.body.summary_line) == ("*Short* words.", 3)
    assert told(read("title: t", "summary: [a]")) == [(3, Level.WARNING, "bad-summary")]


# Files


def test_a_file_that_is_not_utf_8_is_skipped_with_its_line() -> None:
    """B3."""
    found = read_post(b"---\ntitle: caf\xe9\n---\nx", DATED, SITE)
    assert (found.outcome, told(found)) == (Outcome.SKIPPED, [(2, Level.ERROR, "not-utf-8")])
    assert "UTF-8" in found.diagnostics[0].message


def test_a_repaired_title_and_broken_front_matter_are_told_with_the_name_of_the_file() -> None:
    """F2, B7."""
    assert told(read("title: a: b")) == [(2, Level.WARNING, "repaired-colon")]
    assert str(read("a: [").diagnostics[0]).startswith(f"posts/{DATED}:2: error: the YAML front matter cannot be read")


@given(
    st.binary(max_size=300) | st.text(max_size=100).map(lambda text: f"---\ndate: 2026-05-01\n{text}\n---\nx".encode())
)
def test_no_bytes_whatsoever_make_the_reading_raise(raw: bytes) -> None:
    """B7."""
    found = read_post(raw, DATED, SITE)
    assert found.post is not None or found.reason
    assert all(one.path == f"posts/{DATED}" and (one.line or 0) >= 1 for one in found.diagnostics)


KEYS = (
    "title date published updated slug id author tags summary lang image enclosure draft canonical_url feed visibility "
    "status private"
)
VALUES = ["x", "2026-05-01", "[a, b]", "{a: b}", "yes", "''", "~", "'//'", "http://", "a: b", "|\n  y"]
LINES = st.builds("{}: {}".format, st.sampled_from(KEYS.split()), st.sampled_from(VALUES))


@given(st.lists(LINES, max_size=6), st.sampled_from(["a.md", "index.md", DATED, "d/README.markdown", "2026-05-01-.md"]))
def test_no_front_matter_whatsoever_makes_the_reading_raise(lines: list[str], path: str) -> None:
    """B7: an entry with an id, a link and a date, or a reason."""
    found = read(*lines, path=path)
    if found.post is None:
        assert found.reason
    else:
        assert is_absolute_uri(found.post.entry.id)
        assert found.post.entry.published.tzinfo is UTC
