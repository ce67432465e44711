"""Front matter as its author wrote it (F1 to F6, S-33), and the traps of the libraries below it."""

import frontmatter
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from feedsvc.collect.decode import BadByte, Decoded, Dropped, decode
from feedsvc.collect.frontmatter import split
from feedsvc.collect.matter import LARGEST, FrontMatter, PostFault, Value


def values(text: str) -> dict[str, Value]:
    return {key: field.value for key, field in split(text).fields.items()}


def yaml_values(*lines: str) -> dict[str, Value]:
    return values("\n".join(("---", *lines, "---", "Body.")))


def fault(text: str) -> tuple[int, str]:
    with pytest.raises(PostFault) as caught:
        split(text)
    return caught.value.line, caught.value.code


def lines_of(text: str) -> list[int]:
    """Return the lines that a reader is told: of the keys, or of the fault."""
    try:
        return [field.line for field in split(text).fields.values()]
    except PostFault as found:
        return [found.line]


def test_a_fence_opens_only_as_the_first_thing_in_the_file() -> None:
    """F1."""
    text = "Words.\n\n---\ntitle: not me\ndraft: true\n---\nMore.\n"
    assert split(text) == FrontMatter({}, text)


def test_a_fence_after_blank_lines_is_named_and_published_as_text_by_nobody() -> None:
    """F1: else the draft below it would be published."""
    assert fault("\n\n---\ndraft: true\n---\nSecret.\n") == (3, "late-fence")
    assert fault(" \n+++\ndraft = true\n+++\nSecret.\n") == (2, "late-fence")
    assert fault("\u200b---\ndraft: true\n---\nSecret.\n") == (1, "late-fence")


@pytest.mark.parametrize("text", ["---\ntitle: x\n", "+++\ntitle = 'x'\n\nBody\n", "---\n", "---"])
def test_a_fence_that_is_never_closed_is_an_error(text: str) -> None:
    """F1."""
    assert fault(text) == (1, "open-front-matter")


@pytest.mark.parametrize("inside", ["- a\n- b", "just words", "[a, b]", '"quoted"', "42"])
def test_front_matter_that_is_a_list_or_a_scalar_is_an_error(inside: str) -> None:
    """F1."""
    assert fault(f"---\n{inside}\n---\nBody\n") == (2, "bad-front-matter")


@pytest.mark.parametrize("text", ["---\n---\nBody\n", "---\n# only a comment\n---\nBody\n", "+++\n+++\nBody\n"])
def test_empty_front_matter_is_none_and_the_body_stays(text: str) -> None:
    """F1."""
    assert (split(text).fields, split(text).body) == ({}, "Body\n")


def test_the_body_begins_right_after_the_closing_fence_and_knows_its_line() -> None:
    """F1, F2: a rule of the text that looks like a fence is text."""
    read = split("---\ntitle: x\n---\n\nFirst.\n\n---\n\nLast.\n")
    assert (read.body, read.body_line) == ("\nFirst.\n\n---\n\nLast.\n", 4)
    assert split("--- \ntitle: x\n...\nBody").body == "Body"


def test_every_scalar_is_what_the_author_wrote() -> None:
    """F3, S-33."""
    read = yaml_values(
        "title: 1.10", "a: 2024", "b: Yes", "c: 007", "d: 12:30:45", "e: 1_000", "f: 2024-13-01", "g: =", "h: 0x1F",
        "tags: [13.0, no, on, 'null', null, ~]", 'k: "a\\tb"',
    )  # fmt: skip
    assert read == {
        "title": "1.10", "a": "2024", "b": "Yes", "c": "007", "d": "12:30:45", "e": "1_000", "f": "2024-13-01",
        "g": "=", "h": "0x1F", "tags": ("13.0", "no", "on", "null", None, None), "k": "a\tb",
    }  # fmt: skip


def test_any_key_is_ordinary() -> None:
    """F4."""
    read = yaml_values("content: a", "handler: b", "self: c", "metadata: d", "<<: e", "1: f", "true: g")
    assert read == {"content": "a", "handler": "b", "self": "c", "metadata": "d", "<<": "e", "1": "f", "true": "g"}


def test_toml_gives_strings_too_and_its_three_kinds_of_date() -> None:
    """F3, F5."""
    read = values(
        "+++\na = 1.10\nb = true\nc = 7\nd = 2025-04-13\ne = 2025-04-13T10:00:00\nf = 2025-04-13 10:00:00+02:00\n"
        'tags = ["x", 13.0]\n[enclosure]\nurl = "u"\n+++\nBody'
    )
    assert read == {
        "a": "1.10", "b": "true", "c": "7", "d": "2025-04-13", "e": "2025-04-13T10:00:00",
        "f": "2025-04-13T10:00:00+02:00",
        "tags": ("x", "13.0"), "enclosure": {"url": "u"},
    }  # fmt: skip


def test_the_line_of_a_toml_key_is_its_own_whatever_the_strings_above_it_say() -> None:
    """F2."""
    read = split(
        '+++\n# date = 1\na = """\ndate = 2\n"""\nb = "\\"" # \'\'\'\n"date" = "x"\n[extra]\ntitle = "y"\n+++\n'
    )
    assert {key: field.line for key, field in read.fields.items()} == {"a": 3, "b": 6, "date": 7, "extra": 8}
    read = split("+++\n[extra]\nnext = 1\n[next]\n+++\n")
    assert {key: field.line for key, field in read.fields.items()} == {"extra": 2, "next": 4}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: a\ntitle: b\n---\n", 3),
        ("---\ntitle: a\ndate: x\n'title': b\n---\n", 4),
        ("---\ndraft: true\nDraft: false\n---\n", 3),
        ("---\na:\n  b: 1\n  b: 2\n---\n", 4),
        ("+++\ntitle = 'a'\ntitle = 'b'\n+++\n", 3),
    ],
)
def test_a_key_given_twice_is_an_error_with_its_line(text: str, line: int) -> None:
    """F6."""
    assert fault(text)[0] == line


@pytest.mark.parametrize(
    ("inside", "line", "code"),
    [
        ("a0: &a0 [x]\na1: [*a0]", 2, "yaml-anchor"),
        ("title: t\nb: *unknown", 3, "yaml-anchor"),
        ("title: &x t", 2, "yaml-anchor"),
        ("&k title: t", 2, "yaml-anchor"),
        ("title: !!python/object/apply:os.getcwd []", 2, "yaml-tag"),
        ("title: t\nb: !!binary aGk=", 3, "yaml-tag"),
        ("title: t\na: {b: {c: {d: {e: {f: g}}}}}", 3, "deep-front-matter"),
        ("a: " + "[" * 200 + "]" * 200, 2, "deep-front-matter"),
        ("[a, b]: c", 2, "bad-front-matter"),
        ("title: t\n\tb: c", 3, "bad-front-matter"),
        ("title: 'open\ndate: x", 2, "bad-front-matter"),
        ("title: t\ntags: [a, b\ndate: x", 3, "bad-front-matter"),
        ("title: t\nwords\ndate: x", 3, "bad-front-matter"),
        ("title: t\ntags: [#gpu, b]", 3, "bad-front-matter"),
        ("title: t\ntags: [\n\n", 3, "bad-front-matter"),
        ("title: t\n--- x\nb: c", 3, "bad-front-matter"),
        ('title: "\\U00110000"', 2, "bad-front-matter"),
    ],
)
def test_what_yaml_offers_beyond_plain_values_is_refused_with_its_line(inside: str, line: int, code: str) -> None:
    """S-33, F2."""
    assert fault(f"---\n{inside}\n---\nBody\n") == (line, code)


@pytest.mark.parametrize(
    ("inside", "line"), [("a = 1\nb = 30-2", 3), ("a = [[[[[[1]]]]]]", 2), ("a = 'x", 2), ("a = " + "[" * 9000, 2)]
)
def test_broken_toml_is_named_with_its_line(inside: str, line: int) -> None:
    """F2, S-33."""
    assert fault(f"+++\n{inside}\n+++\nBody\n")[0] == line


def test_front_matter_has_a_bound() -> None:
    """S-33."""
    assert yaml_values("a: " + "x" * (LARGEST - 10))
    assert fault("---\na: " + "x" * LARGEST + "\n---\n") == (1, "large-front-matter")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("title: CUDA 13: what is new", "CUDA 13: what is new"),
        ("title: It's here: Vulkan's turn", "It's here: Vulkan's turn"),
        ("title: CUDA: C# # a comment", "CUDA: C#"),
        ("title: Ends in a colon:", "Ends in a colon:"),
    ],
)
def test_an_unquoted_colon_in_a_title_is_read_as_meant_with_a_warning(line: str, title: str) -> None:
    """F2."""
    read = split(f"---\ndate: 2026-05-01\n{line}\n---\n")
    assert read.fields["title"].value == title
    assert [repair.line for repair in read.repairs] == [3]


def test_a_colon_elsewhere_and_a_second_fault_are_not_repaired() -> None:
    """F2, F6: what is broken beside the colon stays broken, and a repair hides no second key."""
    assert fault("---\nother: a: b\n---\n") == (2, "bad-front-matter")
    assert fault("---\ntitle: a: b\nother: c: d\n---\n") == (2, "bad-front-matter")
    assert fault("---\ntitle: a: b\ndraft: true\ndraft: no\n---\n") == (2, "bad-front-matter")


def test_a_no_break_space_before_a_value_is_a_blank_and_within_one_it_stays() -> None:
    """D1, section 15."""
    read = yaml_values("date:\u00a0 2024-04-03", "other: \u00a0x", "title: a\u00a0b", "list:", "-\u00a0c")
    assert read == {"date": "2024-04-03", "other": "x", "title": "a\u00a0b", "list": ("c",)}


def test_the_traps_of_the_libraries_are_still_there() -> None:
    """Section 15: where this fails, upstream no longer needs a cure of ours."""
    assert frontmatter.loads("\ufeff---\ndraft: true\n---\nx").metadata == {}
    assert frontmatter.loads("+++\ndraft = true\n+++\nx").metadata == {}
    assert frontmatter.loads("---\n- draft\n---\nx").metadata == {}
    assert frontmatter.loads("---\ndraft: true\n").metadata == {}
    with pytest.raises(TypeError):
        frontmatter.loads("---\ncontent: full\n---\nx")
    assert yaml.safe_load("a: 12:30:45\nb: 0123\nc: 1.10\na: x") == {"a": "x", "b": 83, "c": 1.1}


@given(st.text(alphabet="-+.:=[]{}&*!|>'\"#, \t\nabtitle\u00a0\\", max_size=120))
def test_no_front_matter_whatsoever_raises_but_a_fault_of_its_post(inside: str) -> None:
    """B7, S-33."""
    for fence in ("---", "+++"):
        for text in (f"{fence}\n{inside}\n{fence}\nBody\n", f"{fence}{inside}"):
            assert all(1 <= line <= text.count("\n") + 1 for line in lines_of(text))


def test_a_byte_order_mark_and_every_line_end_are_set_aside_first() -> None:
    """B1, B2."""
    expected = decode(b"---\ndraft: true\n---\nx\n")
    for raw in (
        b"\xef\xbb\xbf---\ndraft: true\n---\nx\n",
        b"---\r\ndraft: true\r\n---\r\nx\r\n",
        b"---\rdraft: true\r---\rx\r",
    ):
        assert decode(raw) == expected


@pytest.mark.parametrize(
    ("raw", "line"), [(b"a\nb\xe9", 2), (b"\xff\xfea\x00", 1), (b"a\r\nb\rc\n\xc3", 4), (b"x\xed\xa0\x80", 1)]
)
def test_a_file_that_is_not_utf_8_is_named_with_the_line_of_its_first_bad_byte(raw: bytes, line: int) -> None:
    """B3."""
    read = decode(raw)
    assert isinstance(read, BadByte)
    assert read.line == line


def test_what_xml_cannot_carry_is_dropped_and_each_code_point_named() -> None:
    """B4."""
    read = decode("a\x02\nb\x0cc\ufffe\td".encode())
    assert isinstance(read, Decoded)
    assert read.text == "a\nbc\td"
    assert [(each.line, each.name) for each in read.dropped] == [(1, "U+0002"), (2, "U+000C"), (2, "U+FFFE")]
    assert decode("a\uffff".encode()) == Decoded("a", (Dropped(1, "U+FFFF"),))


def test_characters_of_windows_1252_become_what_they_meant() -> None:
    """B5: raw ones here; a typed reference is for the text to resolve, in code it stays."""
    assert decode("\x93x\x94 \x85\x81 &#147; é".encode()) == Decoded("“x” … &#147; é")


@given(st.binary(max_size=200) | st.text(max_size=80).map(str.encode))
def test_no_bytes_whatsoever_stop_the_reading(raw: bytes) -> None:
    """B3, B7: text without any character that XML can't carry, or a line."""
    read = decode(raw)
    if isinstance(read, Decoded):
        assert not any((ord(one) < 32 and one not in "\t\n") or 0x7F < ord(one) < 0xA0 for one in read.text)
    else:
        assert read.line >= 1


def test_what_the_parser_refuses_or_misreads_is_read_as_it_was_written() -> None:
    """B4, F3: one odd character costs neither the post nor the right line of what stands below it."""
    for odd in "\x7f\ufeff\u2028\u2029\U00100000\ufdd0":
        read = split(f"---\ntitle: a{odd}b\n'k{odd}': \"c{odd}d\"\nlast: x\n---\nBody\n")
        assert [(field.key, field.value, field.line) for field in read.fields.values()] == [
            ("title", f"a{odd}b", 2),
            (f"k{odd}", f"c{odd}d", 3),
            ("last", "x", 4),
        ]


def test_escapes_of_surrogates_are_what_json_means_by_them() -> None:
    """B4, F3: a pair is a character, half of one is left for the cleaning of values to drop and to name."""
    read = yaml_values('title: "😀 \\ud83d\\ude00 \\uD83D! \\ude00"', "plain: \\ud83d", "single: '\\ud83d\\ude00'")
    assert read == {"title": "😀 😀 \ud83d! \ude00", "plain": "\\ud83d", "single": "\\ud83d\\ude00"}
    assert fault('---\ntitle: "' + "\\ud83d" * 1000 + '"\n---\n') == (1, "bad-front-matter")


@pytest.mark.parametrize(
    "text",
    [
        "---yaml\ndraft: true\n---\nx",
        "+++ toml\ndraft = true\n+++\nx",
        ';;;\n{"draft": true}\n;;;\nx',
        '{\n  "draft": true\n}\nx',
        '---json\n{"draft": true}\n---\nx',
        ';;; json\n{\n  "draft": true\n}\n;;;\nx',
        "----js\n\n{ draft: true }\n----\nx",
        "--- # of this post\n\n# state\ndraft: true\n---\nx",
    ],
)
def test_front_matter_of_another_kind_is_named_and_published_as_text_by_nobody(text: str) -> None:
    """F1: else the draft that it marks would be published, marks and all."""
    assert fault(text) == (1, "other-front-matter")


def test_a_key_with_something_unseen_in_it_is_that_key() -> None:
    """F10, F6: a zero width space pasted into `draft` does not publish it."""
    assert "draft" in yaml_values('"draft\\u200b": yes', "title: t")
    assert fault("---\ndraft: true\n\ufeffdraft: false\n---\n") == (3, "duplicate-key")


def test_a_toml_key_given_twice_is_named() -> None:
    """F6."""
    assert fault("+++\ntitle = 'x'\ndraft = true\ndraft = false\nslug = 'y'\n+++\n") == (4, "duplicate-key")


def test_a_replacement_mark_never_reaches_a_feed() -> None:
    """B3: it stands for a byte that somebody could not read; it goes, and is named with its line."""
    read = decode("---\ntitle: a\ufffdb\n---\n\ufffd".encode())
    assert read == Decoded("---\ntitle: ab\n---\n", (Dropped(2, "U+FFFD"), Dropped(4, "U+FFFD")))
