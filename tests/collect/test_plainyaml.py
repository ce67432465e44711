"""Front matter without a parser: what is read at a glance is what libyaml reads (F3, S-33)."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from feedsvc.collect.frontmatter import _read_yaml
from feedsvc.collect.matter import Field, PostFault
from feedsvc.collect.plainyaml import plain_fields

PIECES = st.sampled_from(
    [
        *("title", "date", "tags", "null", "~", "true", "2026-05-01", "10:30:00", "a b", "C#", "#x", "é", "图形", "😀"),
        *(
            ": ",
            ":",
            " ",
            "  ",
            "\n",
            "\n- ",
            "\n  - ",
            "\n    - ",
            "- ",
            ", ",
            ",",
            "[",
            "]",
            "{",
            "}",
            '"',
            "'",
            "\\",
        ),
        *("|", ">", "&a", "*a", "!t", "%", "@", "`", "?", "---", "...", "\t", "\x85", "\xa0", "\u2028", "\ufeff", "<<"),
        *("title: ", "\ndate: ", "\ntags: [", "\ntags:\n", "\nx: 'y'", '\ny: "z"', "\nkey: word", " # note", "\x7f"),
    ]
)
LINES = st.lists(PIECES, max_size=12).map("".join)
TAME = st.lists(
    st.tuples(
        st.sampled_from(["title", "date", "tags", "x-y", "_z", "Q9"]),
        st.sampled_from([" ", "  ", ""]),
        st.one_of(
            st.text(st.sampled_from("ab1é图 :,'\"#-[]{}&*"), max_size=8),
            st.lists(st.text(st.sampled_from("ab é'\""), max_size=4), max_size=3).map(lambda x: f"[{', '.join(x)}]"),
            st.lists(st.text(st.sampled_from("ab: é#"), max_size=4), max_size=3).map(
                lambda x: "".join(f"\n  - {one}" for one in x)
            ),
        ),
    ),
    max_size=5,
).map(lambda fields: "\n".join(f"{key}:{gap}{value}" for key, gap, value in fields))


def by_libyaml(head: str) -> tuple[Field, ...] | None:
    try:
        return _read_yaml(head)
    except PostFault:
        return None


@settings(max_examples=200, deadline=None)
@example("title: a: b")
@example("title: null\ntags: [null, 'null', ~]")
@example("tags:\n- a\n  - b")
@example("tags:\n  - a\n- b")
@example("a: b\na: c")
@example("a:\nb:\n  - \n")
@example("a: b\n c")
@example("a: [b, c,]")
@example("a: [b,c , 'd, e' ]")
@example("a: []\nb: [ ]")
@example('a: "b\\n"')
@example("a: ''")
@example("a: b  \nc:  \nd: 'e' \nf: [g] \nh:\n  - i  ")
@example("a: /b/c.png")
@given(st.one_of(LINES, TAME))
def test_what_is_read_at_a_glance_is_what_libyaml_reads(text: str) -> None:
    """F3: every value a string as written, with its line; nothing is read here that the parser would refuse."""
    head = f"\n{text}\n"
    plain = plain_fields(head)
    assert plain is None or plain == by_libyaml(head)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("title: Warp shuffles: no", None),
        ("title: Warp shuffles", (Field("title", "Warp shuffles", 2),)),
        (
            "title: 'a: b'\ndate: 2026-05-01T10:00:00Z",
            (Field("title", "a: b", 2), Field("date", "2026-05-01T10:00:00Z", 3)),
        ),
        ("tags: [CUDA, 'C, D', \"e\"]", (Field("tags", ("CUDA", "C, D", "e"), 2),)),
        ("tags:\n  - a\n  - 'b'\ndraft: no", (Field("tags", ("a", "b"), 2), Field("draft", "no", 5))),
        ("tags:\ntitle: null", (Field("tags", None, 2), Field("title", None, 3))),
        ("title: a # note", None),
        ("title: &a b", None),
    ],
)
def test_plain_lines_need_no_parser(text: str, fields: tuple[Field, ...] | None) -> None:
    """F1, F3."""
    assert plain_fields(f"\n{text}\n") == fields
