"""The body of a post → clean HTML with warnings by line, and titles from headings (F8, C1, C5, C9, T10)."""

import json
import re
from datetime import UTC, time
from html import unescape

import pytest

from feedsvc.collect.posts import PostSite, read_post
from feedsvc.collect.texts import read_text
from feedsvc.model import Diagnostic, Level, Text

SITE = PostSite("https://warp.example/", "warp.example,2026", UTC, time(12), "{slug}/")


def title(body: str, path: str = "2026-05-01-launch-bounds.md") -> str | None:
    found = read_post(body.encode(), path, SITE)
    assert found.post is not None
    return found.post.entry.title


def text(body: str, *lines: str) -> tuple[Text, tuple[Diagnostic, ...]]:
    head = "\n".join(("---", "title: t", *lines, "---", ""))
    found = read_post((head + body).encode(), "2026-05-01-post.md", SITE)
    assert found.post is not None
    return read_text(found.post.entry, found.body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# Launch bounds & occupancy\n\nText.\n", "Launch bounds & occupancy"),
        ("---\ntitle: ' '\n---\n\n# Wave *size* and `__shfl_sync`\n\nText under it.\n", "Wave size and __shfl_sync"),
        ("---\ntitle:\n---\nIntro.\n\nSetext **one**\n------\n\n# Second\n", "Setext one"),
        ("# A note[^1]\n\n[^1]: Text.\n", "A note"),
        ("#\n\n## After a blank one\n", "After a blank one"),
        ("<!-- <h1>Hidden</h1> -->\n\n<script>'<h1>x</h1>'</script>\n\n## Shown *one*\n", "Shown one"),
        ("```\n# no heading\n```\n\n## `a<b>` heading\n", "a<b> heading"),
        ("Some first words, then more.\n", "Some first words, then more."),
        ("one two three four five six seven eight nine ten eleven twelve thirteen\n",
         "one two three four five six seven eight nine ten eleven twelve"),
        ("![A curve](x.png)\n", "A curve"),
        ("# First line<br>second line\n", "First line second line"),
        ("x" * 300, "x" * 200),
        ("", "launch-bounds"),
        ("```\ncode alone\n```\n", "launch-bounds"),
    ],
)  # fmt: skip
def test_a_title_comes_from_the_first_heading_else_from_the_first_words(body: str, expected: str) -> None:
    """F8: never blank."""
    assert title(body) == expected


def test_a_name_in_another_script_is_a_title_as_it_is_read() -> None:
    """F8."""
    assert title("", "2026-05-01-größe x.md") == "größe x"


def test_addresses_in_a_text_are_absolute_and_ids_have_a_prefix_of_the_post() -> None:
    """C1, C3."""
    written, found = text("[up](../other/) ![a](fig/a.png) note[^1]\n\n[^1]: N.\n")
    assert 'href="https://warp.example/other/"' in written.content
    assert 'src="https://warp.example/post/fig/a.png"' in written.content
    (target,) = re.findall(r'<li id="([^"]+)"', written.content)
    assert f'href="#{target}"' in written.content
    assert (
        target != re.findall(r'<li id="([^"]+)"', text("x[^1]\n\n[^1]: N.\n", "id: tag:a.example,2026:b")[0].content)[0]
    )
    assert found == ()


def test_the_marker_divides_the_text() -> None:
    """T10."""
    written, _ = text("Before.\n\n<!--more-->\n\nAfter.\n")
    assert (written.lead or "").strip() == "<p>Before.</p>"
    assert text("No marker.\n")[0].lead is None


def test_what_is_not_published_as_typed_is_named_with_its_line_in_the_file() -> None:
    """C5, C9."""
    written, found = text("Fine.\n\nSee [the listing](post://other-slug) for more.\n")
    assert "the listing" in written.content
    assert "post:" not in written.content
    assert [(one.path, one.line, one.level) for one in found] == [("posts/2026-05-01-post.md", 6, Level.WARNING)]
    assert "post:" in found[0].message


@pytest.mark.parametrize(
    "line",
    [
        "2024. A year",
        "1) first",
        "# 1 of all",
        "- 20 degrees",
        "+ 1",
        "> 100 GB/s",
        "* * *",
        "---",
        "~~~",
        "[a]: /b",
        "[^1]: c",
    ],
)
def test_a_summary_of_one_line_is_no_block_of_markdown(line: str) -> None:
    """Interface: `summary` is inline Markdown; C8: nothing of it vanishes."""
    written, _ = text("Text.\n", f"summary: {json.dumps(line)}")
    assert unescape(written.summary) == line


def test_a_summary_is_inline_markdown_and_its_faults_stand_on_its_own_line() -> None:
    """Interface "Front matter"."""
    written, found = text("Text.\n", 'summary: "*Short* words, `code` and [a link](x) [b](post://y) c."')
    assert written.summary == (
        '<em>Short</em> words, <code>code</code> and <a href="https://warp.example/post/x">a link</a> b c.'
    )
    assert [(one.line, one.level) for one in found] == [(3, Level.WARNING)]
