"""HTML as a tree and back, whatever comes in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.text.tree import fragment, inner


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ("", ""),
        ("a<p>b</p>c", "a<p>b</p>c"),
        ("<p>a<br>b</p>", "<p>a<br>b</p>"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("x</div></body></html>after <b>all", "xafter <b>all</b>"),
        ("<b>x<i>y</b>z</i>", "<b>x<i>y</i></b>z"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ('<picture><source srcset="x"><img src="y"></picture>', '<picture><source srcset="x"><img src="y"></picture>'),
        ("a&nbsp;b &amp;amp; &lt;i&gt; &hellip;", "a\xa0b &amp;amp; &lt;i&gt; …"),
        ("<video></video><p></p>", "<video></video><p></p>"),
        ("a\0b\ud800c", "abc"),
        ("]]>", "]]&gt;"),
    ],
)
def test_a_fragment_reads_as_a_browser_reads_it_and_is_written_as_html(html: str, read: str) -> None:
    """S-23, T6, S-34."""
    assert inner(fragment(html)) == read


def test_nesting_without_end_becomes_a_tree_of_200_and_keeps_the_text_inside() -> None:
    """S-43: nesting is capped, text is not lost."""
    root = fragment("<div>" * 100_000 + "deep" + "</div>" * 100_000 + "after")
    assert max(sum(1 for _ in element.iterancestors()) for element in root.iter()) == 200
    assert "".join(root.itertext()) == "deepafter"


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<b>",
                "</b>",
                "<li>",
                "<td>",
                "<table>",
                "</table>",
                "<a href=x>",
                "<",
                "</a>",
                "<br/>",
                "<!--",
                "-->",
                "<code>",
                "</code>",
                "&amp;",
                "&#0;",
                "x",
                " ",
                "\0",
                "<svg>",
                "<script>",
                "</script>",
                '<i a="',
                "'",
                ">",
                "<h2>",
                "</h3>",
                "<vec<int>>",
            ]
        )
    )
)
def test_what_was_written_reads_back_as_the_same(parts: list[str]) -> None:
    """S-26 for the tree alone."""
    once = inner(fragment("".join(parts)))
    assert inner(fragment(once)) == once
