"""Each key of a TOML document is found at its line, whatever form it is written in."""

import tomllib
from collections.abc import Iterator

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.settings.faults import Place
from feedsvc.settings.spots import spots

HAIRY = r'''
# [not.a.header]
top = 1  # = "no"
"quoted key" = """
[no.header]
key = 'no'
""""
'lit.eral' = @@@
no = """ and an end of four quotes@@@'
dotted . "inner" . x = "a # b \" ] }"
date = 1979-05-27 07:32:00
many = [ # comment ]
  [1, 2],
  { a = "}", b.c = ']' },  # , ]
  "\\",

]
[table]
a = 1
[table.sub]
"\u0061b" = true
[[list]]
n = 1
[list.sub]
x = 1
[[list.inner]]
y = 1
[[list.inner]]
y = 2
  [[list]]
  n = {}
[table.more]
empty = []
'''.replace("@@@", "'" * 3)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_form_of_toml_is_found_at_its_line(line_end: str) -> None:
    """Interface, Configuration: errors name file, line and key."""
    text = HAIRY.replace("\n", line_end)
    found = spots(text)
    assert set(places(tomllib.loads(text))) | {()} == set(found.starts) | {()}
    rows = HAIRY.split("\n")

    def row(place: Place) -> str:
        return rows[found.line(place) - 1].strip()

    assert row(("quoted key",)) == '"quoted key" = """'
    assert row(("lit.eral",)).startswith("'lit.eral'")
    assert row(("dotted", "inner", "x")).startswith("dotted")
    assert row(("many", 0, 1)) == "[1, 2],"
    assert row(("many", 1, "b", "c")).startswith('{ a = "}"')
    assert row(("many", 2)) == r'"\\",'
    assert row(("table", "sub", "ab")) == r'"\u0061b" = true'
    assert (row(("list", 0)), row(("list", 1))) == ("[[list]]", "[[list]]")
    assert row(("list", 1, "n")) == "n = {}"
    assert row(("list", 0, "inner", 1, "y")) == "y = 2"
    assert row(("table",)) == "[table]"
    assert row(("table", "more")) == "[table.more]"


def test_a_key_that_is_not_there_has_the_line_of_what_is_around_it() -> None:
    """A missing key is told at its table."""
    found = spots("a = 1\n\n[site]\nx = 1\n")
    assert (found.line(("site", "title")), found.line(("posts", "directory"))) == (3, 1)


KEYS = st.sampled_from(["a", "b-c", "x_1", "3", "q k", "d.o.t", "ü", '"', "'", "\\", "#", "[", "=", "\n"])
SCALARS = st.one_of(
    st.integers(-(2**40), 2**40),
    st.booleans(),
    st.floats(allow_nan=False),
    st.datetimes(),
    st.text(st.sampled_from("ab\"'\\#[]{}=,\n\t ü"), max_size=12),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=5)


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, st.sampled_from(["\n", "\r\n"]))
def test_what_tomllib_reads_is_what_the_scan_finds(document: dict[str, object], line_end: str) -> None:
    """The scan and the parser agree on every key, and a value ends where the next thing begins."""
    text = tomlkit.dumps(document).replace("\n", line_end)
    found = spots(text)
    for place, value in places(tomllib.loads(text)).items():
        assert place in found.starts, (text, place)
        if isinstance(value, bool | int):
            assert text[: found.ends[place]].endswith(str(value).lower())


def places(value: object) -> dict[Place, object]:
    """Return every place of a document with its value."""
    return dict(_walk(value, ()))


def _walk(value: object, place: Place) -> Iterator[tuple[Place, object]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield (*place, key), inner
        yield from _walk(inner, (*place, key))
