"""Sources come and go; every other byte of the file stays as its author wrote it."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.errors import ConfigError
from feedsvc.model import Show
from feedsvc.settings.edit import add_source, add_sources, remove_source
from feedsvc.settings.load import read
from feedsvc.settings.tree import Source

HEAD = """\
# Our planet.   Do not sort!
[site]
title   =   'GPU Notes'      # odd spacing
url = "https://gpu-notes.example/"
author = {name="Ann"}
"""
NEW = Source(url="https://new.example/feed", id="new")
OLD = """
# The first one.
[[sources]]
id = "one"   # keep
url = "https://one.example/feed"  # asked in May

# The second one.
[[sources]]
id = "two"
# title = "Two"
url = "https://two.example/feed"

# ---- how we poll ----
[polling]
interval = "2h"
"""
ADDED = '\n[[sources]]\nid = "new"\nurl = "https://new.example/feed"\n'


def test_a_source_is_added_behind_the_last_one_and_before_what_is_said_of_the_next_table() -> None:
    """SO-08."""
    at = OLD.index("\n# ---- how we poll")
    assert add_source(HEAD + OLD, NEW) == HEAD + OLD[:at] + ADDED + OLD[at:]


def test_a_comment_right_below_a_source_stays_with_it() -> None:
    """SO-08."""
    text = HEAD + '[[sources]]\nid = "one"\nurl = "https://one.example/"\n# title = "One"\n'
    assert add_source(text, NEW) == text + ADDED
    assert add_source(text + "[polling]\n", NEW) == text.replace("# title", ADDED + "# title") + "[polling]\n"


def test_a_first_source_is_added_at_the_end() -> None:
    """SO-08; a file without a line end at its end gets one."""
    assert add_source(HEAD, NEW) == HEAD + ADDED
    assert add_source(HEAD.rstrip("\n"), NEW) == HEAD + ADDED
    assert add_source(HEAD + "# the end", NEW) == HEAD + "# the end\n" + ADDED


def test_lines_of_a_windows_file_end_as_they_did() -> None:
    """SO-08: CRLF stays CRLF, also in what is added."""
    text = (HEAD + OLD).replace("\n", "\r\n")
    added = add_source(text, NEW)
    assert added == add_source(HEAD + OLD, NEW).replace("\n", "\r\n")
    assert remove_source(added, "new") == text
    assert add_source("\ufeff" + text, NEW) == "\ufeff" + added


def test_all_that_differs_from_the_default_is_written() -> None:
    """Interface, sources; the id is written down, so that it stays with another address."""
    source = Source(
        url="https://x.example/feed",
        title='A "title" \\ with ünïcode',
        content=Show.TITLE,
        keep=("HIP", "C++"),
        drop=("ad",),
        tags=("gpu",),
        enabled=False,
    )
    added = read(add_source(HEAD, source), "f").sources[0]
    assert added == Source(
        url=source.url,
        id=added.id,
        title=source.title,
        content=Show.TITLE,
        keep=source.keep,
        drop=source.drop,
        tags=source.tags,
        enabled=False,
    )
    assert f'id = "{added.id}"' in add_source(HEAD, source)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sources = []", 'sources = [{ id = "new", url = "https://new.example/feed" }]'),
        ("sources = [\n  # none\n]", 'sources = [\n  # none\n  { id = "new", url = "https://new.example/feed" },\n]'),
        ("sources = [@]", 'sources = [@, { id = "new", url = "https://new.example/feed" }]'),
        ("sources = [@,]", 'sources = [@, { id = "new", url = "https://new.example/feed" },]'),
        ("sources = [@ # x\n]", 'sources = [@, { id = "new", url = "https://new.example/feed" } # x\n]'),
        ("sources = [\n    @,\n]", 'sources = [\n    @,\n    { id = "new", url = "https://new.example/feed" },\n]'),
        (
            "sources = [\n\t@ # last\n\t# end\n] # all",
            'sources = [\n\t@, # last\n\t{ id = "new", url = "https://new.example/feed" }\n\t# end\n] # all',
        ),
        ("sources = [\n  @]", 'sources = [\n  @,\n  { id = "new", url = "https://new.example/feed" }]'),
    ],
)
def test_sources_in_one_array_grow_there(before: str, after: str) -> None:
    """SO-08: inline arrays; adding and removing gives the file back, but for blanks and a comma."""
    one = '{url="https://one.example/feed", id="one"}'
    before, after = (text.replace("@", one) + "\n" + HEAD for text in (before, after))
    assert add_source(before, NEW) == after
    assert bare(remove_source(after, "new")) == bare(before)
    assert tomllib.loads(remove_source(after, "new")) == tomllib.loads(before)


def bare(text: str) -> str:
    """Return a text without what parts elements."""
    return "".join(text.replace(",", "").split())


@pytest.mark.parametrize(
    ("gone", "after"),
    [
        ("a", "sources = [B, C]"),
        ("b", "sources = [A, C]"),
        ("c", "sources = [A, B]"),
    ],
)
def test_one_of_an_array_is_taken_out_with_its_comma(gone: str, after: str) -> None:
    """SO-08."""
    texts = {name.upper(): f'{{id="{name}",url="https://{name}.example/"}}' for name in "abc"}

    def spelled(text: str) -> str:
        return text.translate({ord(name): item for name, item in texts.items()}) + "\n" + HEAD

    assert remove_source(spelled("sources = [A, B, C]"), gone) == spelled(after)
    rows = [f"  {name}, # {name.lower()}\n" for name in "ABC"]
    kept = [row if gone != name else f"  # {gone}\n" for row, name in zip(rows, "abc", strict=True)]
    assert remove_source(spelled("sources = [\n" + "".join(rows) + "]"), gone) == spelled(
        "sources = [\n" + "".join(kept) + "]"
    )


def test_a_removed_source_goes_from_its_header_to_its_last_value() -> None:
    """SO-08: comments around it stay, also the one above it: it may speak of more than one source."""
    assert remove_source(HEAD + OLD, "one") == HEAD + OLD.replace(
        '[[sources]]\nid = "one"   # keep\nurl = "https://one.example/feed"  # asked in May\n', ""
    )
    cut = OLD.index('[[sources]]\nid = "two"')
    assert remove_source(HEAD + OLD, "two") == HEAD + OLD[:cut] + OLD[OLD.index("\n# ---- how") :]


def test_a_source_without_an_id_is_removed_by_the_one_it_has() -> None:
    """SO-05: `sources list` shows the id that is made from the address."""
    text = HEAD + '[[sources]]\nurl = "https://one.example/"\n'
    assert remove_source(text, "one-example") == HEAD


@pytest.mark.parametrize("url", ["http://ONE.example:80/feed", "https://one.example/feed?#top"])
def test_a_feed_that_is_there_is_refused_with_its_id_and_line(url: str) -> None:
    """SO-04."""
    with pytest.raises(ConfigError) as caught:
        add_source(HEAD + OLD, Source(url=url), "c.toml")
    assert str(caught.value).startswith("c.toml:8: error: ")
    assert str(caught.value).endswith('is here already, as source "one" [duplicate-address]')


def test_an_id_that_is_taken_is_refused() -> None:
    """S-38."""
    with pytest.raises(ConfigError, match=r'c.toml:13: error: the id "two" is taken by another source'):
        add_source(HEAD + OLD, Source(url="https://x.example/", id="two"), "c.toml")


def test_many_are_added_at_once_or_none() -> None:
    """SO-06: an import is one edit; what would not load is refused whole."""
    urls = [f"https://s{at}.example/feed" for at in range(200)]
    added = add_sources(HEAD + OLD, [Source(url=url) for url in urls])
    assert [source.url for source in read(added, "f").sources][2:] == urls
    with pytest.raises(ConfigError, match="has the same address as source"):
        add_sources(HEAD, [NEW, Source(url=NEW.url, id="other")])
    with pytest.raises(ConfigError, match="must not hold a user name or password"):
        add_source(HEAD, Source(url="https://u:p@x.example/", id="x"))
    assert add_sources(HEAD + OLD, []) == HEAD + OLD


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    """Interface: `sources remove ID`."""
    with pytest.raises(ConfigError, match=r'c.toml: error: no source has the id "tow"; did you mean "two"\?'):
        remove_source(HEAD + OLD, "tow", "c.toml")


def test_a_source_that_a_feed_names_is_not_removed() -> None:
    """The file would not load any more; the line is that of the feed."""
    text = HEAD + '[[feeds]]\nname = "x"\ninclude = ["posts",\n "two"]\n' + OLD
    with pytest.raises(ConfigError, match=r'c.toml:9: error: feeds\[0\].include\[1\] names source "two"; take it out'):
        remove_source(text, "two", "c.toml")


def test_a_file_with_faults_is_not_edited() -> None:
    """Its own faults are told, with its own lines."""
    with pytest.raises(
        ConfigError, match=r"c.toml:6: error: wrods: unknown key|c.toml:6: error: site.wrods: unknown key"
    ):
        add_source(HEAD + "wrods = 3\n", NEW, "c.toml")


COMMENTS = st.sampled_from(["", "\n", "# note\n", "\n\n# [[sources]]\n", "  # indented\n\n", "# x = [1, {\n"])
VALUES = st.sampled_from(
    ['title = "T"', "title = '''a ] } # b'''", "enabled = false  # off", 'tags = [ "a", # c\n "b" ]', ""]
)
TAILS = st.sampled_from(
    ["", "[teaser]\nwords = 30\n", "[[topics]]\nname = 't'\nmatch = ['x']\n[polling]\n", "# the end"]
)
SOURCES = st.lists(st.tuples(COMMENTS, VALUES, COMMENTS, st.booleans()), max_size=4)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a configuration with sources in its middle, as people leave them."""
    text = draw(COMMENTS) + HEAD
    for at, (above, extra, below, indented) in enumerate(draw(SOURCES)):
        indent = "  " if indented else ""
        text += f'{above}{indent}[[sources]]\n{indent}id = "s{at}"\n{extra}\n{indent}url = "https://s{at}.example/f"\n{below}'
    text += draw(TAILS)
    text = text.rstrip("\n") if draw(st.booleans()) else text
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@settings(max_examples=120, deadline=None)
@given(documents())
def test_adding_inserts_and_changes_nothing(text: str) -> None:
    """SO-08: what was there is there, byte for byte, around what is new."""
    added = add_source(text, NEW)
    same = next(
        at
        for at in range(len(text) + 1)
        if text[at:] == added[len(added) - len(text) + at :] and added.startswith(text[:at])
    )
    assert text[:same] + added[same : same + len(added) - len(text)] + text[same:] == added
    before, after = read(text, "f"), read(added, "f")
    assert after.sources == (*before.sources, NEW)
    assert remove_source(added, "new").split() == text.split()


@settings(max_examples=120, deadline=None)
@given(documents(), st.integers(0, 3))
def test_removing_cuts_and_changes_nothing(text: str, index: int) -> None:
    """SO-08: one piece is gone; comments outside of it, order and spelling of all else stay."""
    before = read(text, "f")
    if index >= len(before.sources):
        return
    removed = remove_source(text, f"s{index}")
    gone = len(text) - len(removed)
    cuts = [text[at : at + gone] for at in range(len(removed) + 1) if text[:at] + text[at + gone :] == removed]
    assert any(f's{index}"' in cut and f"s{index}.example" in cut for cut in cuts)
    for comment in ("# note", "# [[sources]]", "# indented", "# x = [1, {", "# the end", "# odd spacing"):
        assert removed.count(comment) == text.count(comment)
    assert read(removed, "f").sources == tuple(one for one in before.sources if one.id != f"s{index}")


@given(st.text(max_size=40))
def test_any_title_is_spelled_so_that_it_is_read_back(title: str) -> None:
    """What does not load is refused; what is written is what was meant."""
    try:
        added = add_source(HEAD, Source(url="https://x.example/", title=title))
    except (ConfigError, UnicodeEncodeError):
        return
    assert read(added, "f").sources[0].title == title
