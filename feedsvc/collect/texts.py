"""The body of a post → clean HTML, and the title of a post whose front matter has none."""

import re
from collections.abc import Iterable
from urllib.parse import unquote

from msgspec import Struct

from feedsvc.collect.notes import Notes
from feedsvc.model import Diagnostic, Entry, Text
from feedsvc.patterns import pattern
from feedsvc.text.clean import Cleaned, Dropped, clean_inline, clean_own
from feedsvc.text.elements import HEADINGS
from feedsvc.text.lines import line_of
from feedsvc.text.markdown import to_html
from feedsvc.text.references import drop_notes
from feedsvc.text.teaser import TeaserRules, tease
from feedsvc.text.tree import fragment, words_of
from feedsvc.text.words import cut

_TITLE_WORDS = 12
_HEADING_ENDS = pattern("</h[1-6]>")
_HIDING = pattern("<(?:!|script|style|template|textarea|noscript|iframe|svg|math|xmp)", re.IGNORECASE)
_NUMBER = pattern(r"[0-9]{1,9}(?=[.)](?:\s|$))")
_BLOCK = pattern(r"(?:#{1,6}|[-+*])(?:\s|$)|>|~~~|```[^`]*$|([-*_])(?:\s*\1){2,}\s*$|\[[^\]]+\]:")
_NOTE = pattern(r'<sup class="footnote-ref">[^<]*<a [^<>]*>[^<]*</a>[^<]*</sup>')


class Body(Struct, frozen=True):
    """The written part of a post, as Markdown: the text with its first line, the author's summary with its line."""

    text: str = ""
    line: int = 1
    summary: str = ""
    summary_line: int = 1


def read_text(entry: Entry, body: Body) -> tuple[Text, tuple[Diagnostic, ...]]:
    """Return the text of a post as clean HTML with absolute addresses, and what had to go from it, by line.

    Source: C1 to C10, B4, B5, T10; interface: `summary` is inline Markdown.
    """
    notes = Notes(entry.path)
    cleaned = _cleaned(body.text, entry)
    _note(cleaned.dropped, body.text, body.line, notes)
    return Text(cleaned.html, _summary(body, entry, notes), cleaned.lead), notes.found


def _summary(body: Body, entry: Entry, notes: Notes) -> str:
    if not body.summary:
        return ""
    summary = _inline(body.summary)
    for each in _cleaned(summary, entry).dropped:
        notes.warn(body.summary_line, _told(each), "changed-markup")
    return clean_inline(to_html(summary), entry.link)


def _inline(summary: str) -> str:
    """Return a summary of one line so that it begins no block of Markdown: `2024. A year` is no list."""
    if "\n" in summary:
        return summary
    if number := _NUMBER.match(summary):
        return f"{number[0]}\\{summary[number.end() :]}"
    return f"\\{summary}" if _BLOCK.match(summary) else summary


def title_from(text: str, entry: Entry) -> str:
    """Return the title of a post without one: its first heading, its first words, or the end of its link (F8).

    What stands behind the first heading is cleaned only where that is no title: it costs ten times the rest.
    """
    html = to_html(text)
    if heading := _first_heading(clean_own(_down_to_heading(html), entry.link, entry.id).html):
        return heading
    content = clean_own(html, entry.link, entry.id).html
    words = tease(Text(content), entry.link, entry.lang, TeaserRules(ellipsis="")).text
    return (
        _first_heading(content)
        or words[: cut(words, _TITLE_WORDS)].strip()
        or unquote((entry.link or entry.key).rstrip("/").rpartition("/")[2])
    )


def _down_to_heading(html: str) -> str:
    """Return HTML up to the end of its first heading, "" where that may stand in a comment or the like."""
    end = _HEADING_ENDS.search(html)
    begun = html[: end.end()] if end else ""
    return "" if _HIDING.search(begun) else _NOTE.sub("", begun)


def _first_heading(content: str) -> str:
    """Return the text of the first heading of clean HTML that has one, without references to notes."""
    root = fragment(content)
    drop_notes(root, None)
    for line_end in root.iter("br"):
        line_end.tail = f" {line_end.tail or ''}"
    headings = (" ".join(words_of(element).split()) for element in root.iter(*HEADINGS))
    return next(filter(None, headings), "")


def _cleaned(text: str, entry: Entry) -> Cleaned:
    return clean_own(to_html(text), entry.link, entry.id)


def _note(dropped: Iterable[Dropped], text: str, first_line: int, notes: Notes) -> None:
    """Note what is not published as it was typed, on its line of the file; on the first one where it is not found."""
    for each in dropped:
        line = line_of(text, each.token) or 1
        notes.warn(first_line + line - 1, _told(each), "changed-markup")


def _told(each: Dropped) -> str:
    return f"{each.what} is not published as it stands: mend it or take it out"
