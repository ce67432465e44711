"""The teaser of an entry: one paragraph that ends in the link to the rest (generating 5, interface "Teaser")."""

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from feedsvc.model import Teaser, Text
from feedsvc.patterns import pattern
from feedsvc.text.characters import escape
from feedsvc.text.running import Piece, RunningText, html_of, text_of
from feedsvc.text.words import cut, has_words, holds_right_to_left, reads_right_to_left

ANY_LANGUAGE = ""
"""The key of a label that serves all languages."""

_LABEL = "Read more"
_TITLE_WORDS = 12
_CHARACTERS_OF_A_WORD = 7
_RIGHT_TO_LEFT = pattern(
    "a(?:r|rc|rz|ry)|ckb|dv|fa|glk|he|iw|ji|ks|lrc|mzn|nqo|pnb|prs|ps|sd|syr|ug|ur|yi|[a-z]+-(?:adlm|arab|aran|hebr|"
    "mand|nkoo|rohg|samr|syrc|thaa)"
)
_SCRIPT = pattern("([a-z]{2,8})(?:-[a-z]{3})*-([a-z]{4})(?:-.*)?")


class TeaserRules(Struct, frozen=True):
    """How teasers are made: words that stay, the mark of a cut, labels by language, the language of the site."""

    words: int = 55
    ellipsis: str = "…"
    more: Mapping[str, str] = field(default_factory=lambda: {ANY_LANGUAGE: _LABEL})
    site_lang: str = "en"


class _Body(Struct, frozen=True):
    """What a teaser says before its link: HTML, the same as text, whether the page has more, whether words were cut."""

    html: str
    text: str
    more: bool
    right_to_left: bool
    is_cut: bool = False


def tease(text: Text, link: str | None, lang: str | None, rules: TeaserRules) -> Teaser:
    """Return the teaser of an own post: its summary, else what stands before its marker, else its first words.

    Summary and marker text are never cut. Without running text it is the text of the first image, if any, with the
    link; without both it is the empty teaser. T1-T16, CO-06, DX-06.
    """
    bodies = (_whole(chosen, text.content, link) for chosen in (text.summary, text.lead or ""))
    body = next(filter(None, bodies), None) or _first_words(text.content, link, rules.words)
    if lang is None and is_right_to_left(rules.site_lang) and holds_right_to_left(body.text):
        body = replace(body, right_to_left=True)
    return _finished(body, link, lang, rules)


def tease_foreign(text: Text, title: str | None, link: str | None, lang: str | None, rules: TeaserRules) -> Teaser:
    """Return the teaser of a foreign entry: cut from its summary, unless that says nothing, else from its content.

    A summary without content stands for a text that only the page has. CO-02, CO-06, DX-06.
    """
    body = _first_words(text.summary, link, rules.words)
    if not has_words(body.text) or _key(_plain(text.summary, link)) == _key(title or ""):
        body = _first_words(text.content or text.summary, link, rules.words)
    elif not body.more and (not text.content or _shows_more(text.content, link, body.text)):
        body = replace(body, more=True)
    return _finished(body, link, lang, rules)


def opening(teaser: Teaser) -> str:
    """Return the first words of a teaser: the title of an entry without one, where a format demands it (TI-05)."""
    return teaser.text[: cut(teaser.text, _TITLE_WORDS)].strip()


def label_for(lang: str | None, rules: TeaserRules) -> str:
    """Return the label of the link: of the entry's language, else the site's, else English (T5); `de-AT` takes `de`."""
    labels = {key.casefold(): label for key, label in rules.more.items()}
    for language in (lang or "", rules.site_lang):
        subtags = language.casefold().split("-")
        for length in range(len(subtags), 0, -1):
            label = labels.get("-".join(subtags[:length]))
            if label:
                return label
    return labels.get(ANY_LANGUAGE) or _LABEL


def _whole(html: str, content: str, link: str | None) -> _Body | None:
    """Return what the author chose, whole; None where it has no running text."""
    if not html:
        return None
    running = RunningText(html, link)
    pieces = list(running)
    text = text_of(pieces)
    if not has_words(text):
        return None
    more = _shows_more(content, link, text)
    return _Body(html_of(pieces, len(text)), text, more=more, right_to_left=running.right_to_left)


def _first_words(html: str, link: str | None, limit: int) -> _Body:
    """Return the first words of the running text, else the first image's text."""
    running = RunningText(html, link)
    pieces, end = _read(running, limit)
    text = text_of(pieces)
    if not has_words(text):
        pieces = [Piece(running.alternative, ())]
        text = running.alternative
        end = cut(text, limit)
    is_cut = end < len(text)
    more = is_cut or running.shows_more or not has_words(text)
    return _Body(html_of(pieces, end), text[:end], more, running.right_to_left, is_cut)


def _read(running: RunningText, limit: int) -> tuple[list[Piece], int]:
    """Return pieces up to the limit, and where it falls; once words are cut, the rest is not read."""
    pieces: list[Piece] = []
    size, enough = 0, limit * _CHARACTERS_OF_A_WORD
    for piece in running:
        pieces.append(piece)
        size += len(piece.text)
        if size > enough:
            if (end := cut(text_of(pieces), limit)) < size:
                return pieces, end
            enough = 2 * size
    return pieces, cut(text_of(pieces), limit)


def _shows_more(content: str, link: str | None, shown: str) -> bool:
    """Return whether a page with this content shows something that the words shown do not say (T4)."""
    running = RunningText(content, link)
    pieces: list[Piece] = []
    size = 0
    for piece in running:
        pieces.append(piece)
        size += len(piece.text)
        if size > len(shown):
            return True
    text = text_of(pieces)
    return running.shows_more or (has_words(text) and f" {text} " not in f" {shown} ")


def _finished(body: _Body, link: str | None, lang: str | None, rules: TeaserRules) -> Teaser:
    mark = " ".join(rules.ellipsis.split()) if body.is_cut else ""
    more = f'<a href="{escape(link)}">{escape(label_for(lang, rules))}</a>' if link and body.more else ""
    html = " ".join(part for part in (body.html, escape(mark), more) if part)
    text = " ".join([*body.text.split(), *([mark] if mark else [])])
    if not html:
        return Teaser("", "")
    turned = body.right_to_left or is_right_to_left(lang) or reads_right_to_left(body.text)
    return Teaser(f'<p dir="rtl">{html}</p>' if turned else f"<p>{html}</p>", text)


def is_right_to_left(lang: str | None) -> bool:
    """Return whether a language is written to the left: by its script where it names one, else by itself (T15)."""
    language = (lang or "").casefold()
    scripted = _SCRIPT.fullmatch(language)
    return bool(_RIGHT_TO_LEFT.fullmatch("-".join(scripted.groups()) if scripted else language.partition("-")[0]))


def _plain(html: str, link: str | None) -> str:
    return text_of(list(RunningText(html, link)))


def _key(text: str) -> str:
    """Return what is compared of a title and a summary: letters and digits, case aside."""
    return "".join(character for character in text.casefold() if character.isalnum())
