"""Markdown becomes HTML, in GitHub's dialect, and nothing its author typed becomes something else."""

import re
import time

import pytest

from feedsvc.text.clean import clean_own
from feedsvc.text.markdown import to_html


def test_tables_notes_tasks_strikethrough_and_bare_addresses_are_read() -> None:
    """C3, T11: GitHub's dialect with footnotes."""
    html = to_html("|a|\n|-|\n|b|\n\nx[^1] ~~y~~ https://warp.example/\n\n- [x] done\n\n[^1]: The note.\n")
    for part in (
        "<table>",
        '<a href="#fn-1"',
        "<del>y</del>",
        '<a href="https://warp.example/">',
        "checkbox",
        "The note.",
    ):
        assert part in html


def test_text_is_what_its_author_typed() -> None:
    """C8."""
    assert to_html('"nvcc --std" ... it\'s :rocket:') == "<p>&quot;nvcc --std&quot; ... it's :rocket:</p>\n"


def test_raw_html_passes_through() -> None:
    """T10: the marker has to arrive; cleaning comes later."""
    assert to_html("a\n\n<!-- more -->\n\n<b onclick=x>b</b>") == "<p>a</p>\n<!-- more -->\n<p><b onclick=x>b</b></p>\n"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("$a*b*c_1$ and $\\{x\\}$", "<p>$a*b*c_1$ and $\\{x\\}$</p>\n"),
        ("$$\n\\frac{a}{b} < c \\\\\n$$", "<p>$$\n\\frac{a}{b} &lt; c \\\\\n$$</p>\n"),
        ("$5 or $6", "<p>$5 or $6</p>\n"),
        ("$5, `echo $HOME` and `$PATH`", "<p>$5, <code>echo $HOME</code> and <code>$PATH</code></p>\n"),
    ],
)
def test_a_formula_between_dollars_stays_tex_and_prices_stay_prices(markdown: str, text: str) -> None:
    """T13, C4."""
    assert to_html(markdown) == text


@pytest.mark.parametrize(
    ("prices", "shown"),
    [
        ("$5 for `x$y` and 6$", "$5 for <code>x$y</code> and 6$"),
        ("$5 for `x`\nand 6$", "$5 for <code>x</code>\nand 6$"),
        ("$5 **or** 6$, $7 **or** 8$", "$5 <strong>or</strong> 6$, $7 <strong>or</strong> 8$"),
        ("$5, [see](https://e.example/$a) 6$", '$5, <a href="https://e.example/$a">see</a> 6$'),
        ("\u20af $5 `&lt;` 6$", "\u20af $5 <code>&amp;lt;</code> 6$"),
    ],
)
def test_prices_cost_no_formula_its_braces(prices: str, shown: str) -> None:
    """T13: what stands between two prices is no formula; the formulas around it are."""
    formula = r"$\{a_1, b*c\} \\ d*e$"
    assert to_html(f"{formula}\n\n{prices}\n\n{formula}\n") == f"<p>{formula}</p>\n<p>{shown}</p>\n<p>{formula}</p>\n"


@pytest.mark.parametrize("opening", [">", "- > ", "*a **b "])
def test_nesting_ends_at_fifty(opening: str) -> None:
    """S-43."""
    html = to_html(opening * 300 + "deep")
    depth = deepest = 0
    for tag in re.findall("<(/?)(?:blockquote|ul|ol|li|em|strong)>", html):
        depth += -1 if tag else 1
        deepest = max(deepest, depth)
    assert depth == 0
    assert deepest <= 50
    assert "deep" in html


@pytest.mark.parametrize(
    "hostile",
    [
        ">" * 5_000,
        "[" * 20_000,
        "![" * 20_000,
        "[a](" * 10_000,
        "*a " * 20_000,
        "`" * 50_000,
        "<" * 50_000,
        "|a" * 5_000 + "|\n" + "|-" * 5_000 + "|\n" + "|x|\n" * 500,
        "$" * 50_000,
        "$a`" * 10_000,
    ],
)
def test_a_hostile_text_takes_less_than_a_second(hostile: str) -> None:
    """S-43: also a table of 5,000 columns whose short rows are filled up."""
    start = time.monotonic()
    html = to_html(hostile)
    assert time.monotonic() - start < 1
    assert len(html) < 5_000_000


def test_what_xml_forbids_does_not_become_a_replacement_mark() -> None:
    """B3, B4: CommonMark turns U+0000 into U+FFFD."""
    assert to_html("a\0b\x1bc\ufffe") == "<p>abc</p>\n"


def test_a_reference_to_no_character_leaves_nothing() -> None:
    """B3, B4: CommonMark makes U+FFFD of these; in code they are what was typed."""
    assert (
        to_html("a&#0;b&#xD800;c&#xFFFD;d&#99999999;e `&#0;`") == "<p>abcd&amp;#99999999;e <code>&amp;#0;</code></p>\n"
    )
    assert clean_own(to_html("<p>a&#0;b&#xFFFD;c</p>"), None, "x").html.strip() == "<p>abc</p>"
