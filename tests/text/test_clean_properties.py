"""What holds for any markup at all, and for all that the corpus has."""

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.text.clean import clean_foreign, clean_inline, clean_own, plain
from feedsvc.text.markdown import to_html
from tests.places import shared
from tests.text.judge import Judge, visible

LINK = "https://warp.example/media/"
NAMES = (
    "p b i em li ul ol td th tr table thead caption a code pre div span img picture source iframe svg math mfrac script"
    " style blockquote details summary figure figcaption dl dt dd h1 h2 video audio form button input textarea select"
    " option noscript template title center font sup del q ruby rt strike tt xmp body base var col section user"
).split()
ATTRIBUTES = [
    "",
    "",
    "",
    ' href="/x"',
    " href=javascript:x",
    ' href="#y"',
    ' id="y"',
    " src=a.png",
    ' src="data:image/png;base64,AA=="',
    ' srcset="a 1x, b 2x"',
    ' class="highlight line"',
    " onclick=x",
    ' style="display:none"',
    " hidden",
    ' dir="rtl"',
    ' lang="de"',
    ' alt="<\'&quot;"',
    ' width="1"',
    ' cite="c"',
    " checked type=checkbox",
    ' class="language-c"',
    " a='",
    ' "',
]
TEXTS = [
    *("x", " ", "\n", "<", ">", "&", "&lt;", "&#147;", "&nbsp;", "\u00a0", "\0", "<!--", "-->", "<!--more-->", "]]>"),
    *(
        "<![CDATA[",
        "{{< x >}}",
        "vec<int>",
        "a < b",
        "\u202e",
        "\U0001f469\u200d\U0001f4bb",
        "'",
        '"',
        "\x93",
        "<?x",
        "</",
    ),
]


def markup() -> st.SearchStrategy[str]:
    """Return tag soup: any tags, attributes and texts in any order, few of them closed."""
    start = st.builds(
        lambda name, attribute: f"<{name}{attribute}>", st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES)
    )
    end = st.builds(lambda name: f"</{name}>", st.sampled_from(NAMES))
    return st.lists(st.one_of(start, end, st.sampled_from(TEXTS)), max_size=16).map("".join)


def own(html: str) -> str:
    """Return a post's HTML, cleaned."""
    return clean_own(html, LINK, "post").html


def foreign(html: str) -> str:
    """Return a stranger's HTML, cleaned."""
    return clean_foreign(html, LINK).html


@settings(max_examples=200)
@given(markup())
def test_nothing_live_is_left_nothing_reaches_out_and_cleaning_twice_gives_the_same(html: str) -> None:
    """S-19 to S-23, S-26, CL-07."""
    for clean in (own, foreign, lambda html: clean_inline(html, LINK)):
        once = clean(html)
        judged = Judge(once)
        assert judged.live == []
        assert judged.unbalanced == []
        assert clean(once) == once


@settings(max_examples=100)
@given(markup())
def test_a_lead_is_clean_by_itself_and_the_beginning_of_the_text(html: str) -> None:
    """T10, T6: all its elements are closed, none of its words stands elsewhere."""
    cleaned = clean_own(html, LINK, "post")
    if cleaned.lead is not None:
        judged = Judge(cleaned.lead)
        assert judged.live == []
        assert judged.unbalanced == []
        assert "".join(plain(cleaned.html).split()).startswith("".join(plain(cleaned.lead).split()))


@settings(max_examples=100)
@given(st.text(alphabet=st.sampled_from("ab<>&;/!=-#\"' \n{}[]%it"), max_size=60))
def test_code_in_a_post_reads_back_equal(code: str) -> None:
    """C4: whatever stands in a code block is letter for letter in what is published."""
    fence = "~~~~"
    html = own(to_html(f"{fence}\n{code}\n{fence}\n"))
    found = re.fullmatch(r"<pre><code>(.*)</code></pre>\n", html, re.DOTALL)
    assert found is not None
    read = found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    assert read == f"{code}\n"


@settings(max_examples=100)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=60))
def test_text_that_holds_no_markup_is_published_as_it_is(text: str) -> None:
    """CL-03, CL-04: escaping and cleaning lose nothing that XML can carry."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for clean in (own, foreign):
        assert visible(clean(f"<p>{escaped}</p>")) == "".join(text.split())


def vectors() -> Iterator[str]:
    """Return the inputs of a suite for another cleaner: 733 texts."""
    for line in shared("feeds", "feedparser", "wellformed-sanitize.jsonl").read_text().splitlines():
        raw = json.loads(line).get("raw")
        if isinstance(raw, str):
            yield raw


@pytest.mark.corpus
def test_of_the_vectors_of_another_suite_none_lives_and_no_visible_text_is_lost() -> None:
    """S-19, S-26: a frame leaves its address in its place; all other visible text is the same."""
    for raw in vectors():
        for clean in (own, foreign):
            once = clean(raw)
            assert Judge(once).live == []
            assert clean(once) == once
        if "<iframe" not in raw and "CDATA" not in raw:
            assert visible(foreign(raw)) == visible(raw), raw


@pytest.mark.corpus
def test_each_post_of_the_corpus_is_clean_and_stays_so() -> None:
    """S-25, S-26, CL-07."""
    paths = sorted(shared("posts").rglob("*.md*"))
    assert paths
    for path in paths:
        once = own(to_html(path.read_text(errors="replace")))
        judged = Judge(once)
        assert judged.live == [], path
        assert judged.unbalanced == [], path
        assert own(once) == once, path
