"""TOML front matter without a parser: what is read at a glance is what tomllib reads (F3, F5)."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from feedsvc.collect.matter import Field, PostFault
from feedsvc.collect.plaintoml import plain_fields
from feedsvc.collect.tomlmatter import parsed

KEYS = st.sampled_from(["title", "date", "tags", "draft", "x-y", "_z", "Q9", '"a b"', "a.b", "é", ""])
TEXTS = st.text(st.sampled_from("ab1é图 ,'\"#=[]\\\t\x7f\x85😀"), max_size=8)
SCALARS = st.one_of(
    TEXTS.map(lambda text: f'"{text}"'),
    TEXTS.map(lambda text: f"'{text}'"),
    TEXTS.map(lambda text: f'"""{text}"""'),
    st.sampled_from(["true", "false", "True", "1", "1.10", "1_000", "2026-02-30", "2026-05-01", "10:30:00", "inf", ""]),
    st.sampled_from(
        ["2026-05-01T10:00:00Z", "2026-05-01T10:00:00+02:00", "2026-05-01T10:00:00", "2026-05-01 10:00:00Z"]
    ),
    st.sampled_from(["2026-05-01T24:00:00Z", "2026-05-01T10:00:00-00:00", "2026-05-01T10:00:00+24:00", "{ a = 1 }"]),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3).map(lambda items: f"[{', '.join(items)}]"))
GAPS = st.sampled_from(["", " ", "  ", "\t"])
LINES = st.tuples(KEYS, GAPS, GAPS, VALUES, st.sampled_from(["", " ", " # note"])).map(
    lambda part: f"{part[0]}{part[1]}={part[2]}{part[3]}{part[4]}"
)
ODD = st.sampled_from(["", "# note", "[table]", "[[tables]]", '"""', "'''", "x"])


def by_tomllib(head: str) -> tuple[Field, ...] | None:
    try:
        return parsed(head)
    except PostFault:
        return None


@settings(max_examples=300, deadline=None)
@example('a = ""')
@example("a = []\nb = [ ]")
@example("a = [\"b\", 'c', ]")
@example('a = "b"\na = "c"')
@example('a = """b"""')
@example('a = "b" "')
@example('\n\na = "b"\n')
@given(st.lists(st.one_of(LINES, LINES, ODD), max_size=5).map("\n".join))
def test_what_is_read_at_a_glance_is_what_tomllib_reads(text: str) -> None:
    """F3: every value as its author wrote it, with its line; nothing is read here that the parser would refuse."""
    head = f"\n{text}\n"
    plain = plain_fields(head)
    assert plain is None or plain == by_tomllib(head)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('title = "Warp: no"', (Field("title", "Warp: no", 2),)),
        ("date = 2026-05-01T10:00:00Z", (Field("date", "2026-05-01T10:00:00+00:00", 2),)),
        ("date = 2026-05-01\ndraft = false", (Field("date", "2026-05-01", 2), Field("draft", "false", 3))),
        ("tags = [\"CUDA\", 'C, D']", (Field("tags", ("CUDA", "C, D"), 2),)),
        ("date = 2026-02-30", None),
        ('title = "a\\n"', None),
        ("[table]", None),
        ("a = 1", None),
    ],
)
def test_plain_lines_need_no_parser(text: str, fields: tuple[Field, ...] | None) -> None:
    """F1, F3."""
    assert plain_fields(f"\n{text}\n") == fields
