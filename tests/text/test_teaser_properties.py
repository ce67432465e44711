"""What holds for every teaser of every text at every limit (generating T3, T6, T7, T16)."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.model import Text
from feedsvc.text.teaser import ANY_LANGUAGE, TeaserRules, tease
from feedsvc.text.words import cut, words
from tests.places import shared

LINK = "https://warp.example/p/"
INLINE = ("b", "em", "code", "sub", "sup", "del", 'a href="https://x.example/?a=1&amp;b=2"', "span", "q")
BLOCK = ("p", "ul", "li", "blockquote", "h2", "pre", "table", "figure", "div", "details")
WORDS = (
    "word",
    "R&amp;D",
    "&lt;x&gt;",
    "图形处理器",
    "e\u0301té",
    "👩\u200d👩\u200d👧",
    "un",
    ",",
    " ",
    "\n",
    "&nbsp;",
    "&#8203;",
    "x" * 201,
)
VOID = {"br", "img", "hr", "wbr"}


def element(names: tuple[str, ...], inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return elements of these names that hold what `inside` draws."""
    return st.builds(lambda name, held: f"<{name}>{held}</{name.split()[0]}>", st.sampled_from(names), inside)


def several(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=5).map("".join)


LEAVES = st.one_of(
    st.sampled_from(WORDS), st.sampled_from(["<br>", "<hr>", '<img src="https://x.example/i.png" alt="an alt">'])
)
CONTENT = several(
    st.recursive(
        LEAVES,
        lambda inside: st.one_of(element(INLINE, several(inside)), element(BLOCK, several(inside))),
        max_leaves=25,
    )
)
LIMITS = st.integers(1, 15)
BARE = re.compile(r'(?: ?<a href="https://warp\.example/p/">»</a>)?</p>$')


class Balance(HTMLParser):
    """Reads HTML strictly: remembers the text, and what is not as it should be."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text = ""
        self.held = [0]
        self.feed(html)
        self.close()
        self.faults += [f"{name} is open" for name in self.open]

    def handle_starttag(self, tag: str, _: object) -> None:
        self.held[-1] += 1
        self.open.append(tag)
        self.held.append(0)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> does not belong")
        if not self.held.pop():
            self.faults.append(f"{tag} is empty")

    def handle_data(self, data: str) -> None:
        self.held[-1] += len(data)
        self.text += data


def rules(limit: int) -> TeaserRules:
    return TeaserRules(words=limit, more={ANY_LANGUAGE: "»"})


def visible(html: str) -> str:
    return " ".join(Balance(html).text.split())


@given(CONTENT, LIMITS)
@settings(max_examples=200)
def test_a_teaser_is_whole_html_at_every_limit(content: str, limit: int) -> None:
    """T6: every element closed, none empty, no void end tag, no half entity, one paragraph."""
    teaser = tease(Text(content), LINK, "en", rules(limit))
    assert Balance(teaser.html).faults == []
    assert re.findall(r"&(?!(?:amp|lt|gt|quot|#\d+);)", teaser.html) == []
    assert teaser.html.startswith(("<p>", '<p dir="rtl">'))
    assert teaser.html.count("<p") == teaser.html.count("</p>") == 1


@given(CONTENT, LIMITS)
@settings(max_examples=200)
def test_exactly_the_limit_stays_and_the_mark_says_whether_words_went(content: str, limit: int) -> None:
    """T3, T16: the text of a cut teaser is the beginning of the whole text, and ends where the limit falls."""
    whole = tease(Text(content), LINK, "en", rules(1000))
    teaser = tease(Text(content), LINK, "en", rules(limit))
    said = whole.text.removesuffix(" …")
    kept = said[: cut(said, limit)]
    is_cut = kept != said or whole.text != said
    assert teaser.text == (f"{kept} …" if is_cut else kept)
    assert visible(teaser.html) == (f"{teaser.text} »".strip() if "»" in teaser.html else teaser.text)


@given(CONTENT, LIMITS)
@settings(max_examples=200)
def test_cutting_a_teaser_again_changes_nothing(content: str, limit: int) -> None:
    """T3, T6: what is left of mark and link aside, a teaser at its own limit is whole."""
    once = tease(Text(content), LINK, "en", rules(limit))
    bare = BARE.sub("</p>", once.html).replace(" …</p>", "</p>")
    again = tease(Text(bare), LINK, "en", rules(limit))
    assert BARE.sub("</p>", again.html) == bare


@given(CONTENT)
@settings(max_examples=50)
def test_each_limit_shows_one_word_more(content: str) -> None:
    """T3: from 1 to the number of words, each teaser begins with the one before it."""
    text = tease(Text(content), LINK, "en", rules(1000)).text.removesuffix(" …")
    number = sum(1 for _ in words(text))
    said = [tease(Text(content), LINK, "en", rules(limit)).text.removesuffix(" …") for limit in range(1, number + 1)]
    assert all(later.startswith(earlier) and later != earlier for earlier, later in pairwise(said))
    assert not said or said[-1] == text


@given(st.text(max_size=200), LIMITS)
def test_no_text_is_too_odd(content: str, limit: int) -> None:
    """T6: whatever stands in an entry, a teaser comes out whole."""
    assert Balance(tease(Text(content), LINK, "en", rules(limit)).html).faults == []


def test_depth_and_number_of_elements_do_no_harm() -> None:
    """T6, S-43: markup nested beyond reason, and a flood of small elements."""
    for content in (
        "<b>" * 5000 + "x",
        "<b>x</b>" * 20_000,
        "<sup><a href='#n'>1</a></sup>" * 5000,
        "<ul><li>" * 2000 + "y",
    ):
        assert Balance(tease(Text(content), LINK, "en", rules(3)).html).faults == []


@pytest.mark.corpus
def test_real_posts_have_whole_teasers_at_each_limit() -> None:
    """T3, T6 on posts that people wrote."""
    for path in sorted(shared("posts").rglob("*.md"))[::12]:
        content = path.read_text("utf-8", "replace")[:20_000]
        for limit in (1, 7, 55):
            assert Balance(tease(Text(content), LINK, "en", rules(limit)).html).faults == [], path
