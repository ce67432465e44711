"""Markdown in, HTML out; the one place that knows comrak. What comes out is not clean yet."""

import re
from functools import cache
from html import unescape
from urllib.parse import quote

import comrak

from feedsvc.patterns import pattern
from feedsvc.text.characters import xml_text

DEEPEST = 50
_MOST_CELLS = 500_000
_CONTAINER = pattern(r"<(/?)(blockquote|ul|ol|li|em|strong|del)\b[^<>]*>")
_FORMULA = pattern(r'<span data-math-style="(inline|display)">([^<]*)</span>')
# Two prices in a sentence are no formula, though comrak takes them for one: it would swallow the code between them.
_NO_FORMULA = pattern(r"`|\]\(|://|\*\*")
_SIGNS = "\u20af\u20b0\u20a3\u20a2"  # of money that nobody counts any more
_MOST_ROUNDS = 8
_MOST_PRICES = 100


def to_html(markdown: str) -> str:
    """Return the HTML of a text in GitHub's Markdown: tables, notes, tasks, strikethrough, bare addresses.

    Raw HTML passes through. Text is what its author typed: no curly quotes, no emoji for `:words:` (C8); a formula
    between dollars stays TeX, with its dollars (T13). Nesting ends at 50 (S-43).
    """
    text = xml_text(markdown)
    table = _cells(text) <= _MOST_CELLS
    html = _render(text, table=table, formulas=True)
    if _no_formulas(html):
        html = _with_prices(text, html, table=table)
    # What `&#0;` and the like become, which nobody means (B3); the character itself is gone before.
    html = _FORMULA.sub(_with_dollars, html).replace("\ufffd", "")
    # Attributes without a value say nothing here, and without them the HTML is well-formed, which is read faster.
    html = html.replace(" data-footnote-ref>", ">").replace(" data-footnotes>", ">")
    html = html.replace(" data-footnote-backref ", " ")
    return _shallow(html) if _may_be_deep(html) else html


def _no_formulas(html: str) -> list[tuple[str, str]]:
    """Return what comrak takes for formulas and is none: the dollars, and what stands between them as it was typed."""
    found = ((each[1], unescape(each[2])) for each in _FORMULA.finditer(html) if _NO_FORMULA.search(each[2]))
    return [("$" if kind == "inline" else "$$", text) for kind, text in found]


def _with_prices(text: str, html: str, *, table: bool) -> str:
    """Return the HTML of a text once the dollars of prices are hidden from comrak behind a sign that it lacks.

    Where that does not lead to an end, or they are many, no dollar begins a formula.
    """
    sign = next((one for one in _SIGNS if one not in text and quote(one) not in text), "")
    hidden = text
    for _ in range(_MOST_ROUNDS if sign else 0):
        prices = _no_formulas(html)
        if not prices:
            return html.replace(sign, "$").replace(quote(sign), "$")
        if len(prices) > _MOST_PRICES:
            break
        for dollars, inside in prices:
            signs, lines = dollars.replace("$", sign), r"\s+".join(map(re.escape, inside.split()))
            typed = re.compile(rf"{re.escape(dollars)}(\s*{lines}\s*){re.escape(dollars)}")
            hidden = typed.sub(rf"{signs}\1{signs}", hidden)
        html = _render(hidden, table=table, formulas=True)
    return _render(text, table=table, formulas=False)


def _render(text: str, *, table: bool, formulas: bool) -> str:
    html: str = comrak.render_markdown(text, _extensions(table, formulas), _PARSING, _RENDERING)
    return html


@cache
def _extensions(table: bool, formulas: bool) -> comrak.ExtensionOptions:
    options = comrak.ExtensionOptions()
    options.autolink = options.footnotes = options.strikethrough = options.tasklist = True
    options.table, options.math_dollars = table, formulas
    return options


def _rendering() -> comrak.RenderOptions:
    options = comrak.RenderOptions()
    options.unsafe_ = True
    return options


def _cells(text: str) -> int:
    """Return how many cells a table may get: rows that are short are filled up, 20 kB can become 25 MB."""
    if text.count("|") < 1000:
        return 0
    counts = [line.count("|") for line in text.split("\n")]
    return max(counts) * sum(1 for count in counts if count)


def _with_dollars(found: re.Match[str]) -> str:
    dollars = "$" if found[1] == "inline" else "$$"
    return f"{dollars}{found[2]}{dollars}"


def _may_be_deep(html: str) -> bool:
    return sum(html.count(tag) for tag in ("<blockquote", "<ul", "<ol", "<em", "<strong", "<del")) > DEEPEST // 2


def _shallow(html: str) -> str:
    """Return the HTML without the tags of what is nested too deep; its text stays."""
    depth = 0

    def kept(found: re.Match[str]) -> str:
        nonlocal depth
        if found[1]:
            depth = max(depth - 1, 0)
            return found[0] if depth < DEEPEST else ""
        depth += 1
        return found[0] if depth <= DEEPEST else ""

    return _CONTAINER.sub(kept, html)


_PARSING = comrak.ParseOptions()
_RENDERING = _rendering()
