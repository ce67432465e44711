"""What a word is, and where a text is cut: between words, never inside a character as a reader sees it.

A run is what stands between white space. In a script with spaces a run is one word. In a script without spaces
(Han, kana, Thai, Lao, Khmer, Burmese) two characters are a word, marks of punctuation included; what other scripts
write between them is a word of its own. Within a run a mark belongs to what it follows, at the start to what comes
next: `图形,CUDA,` is `图形`, `,`, `CUDA,`. An odd last character is a word. What nobody sees (a zero width space)
belongs to what it follows and counts nothing. A character is a grapheme cluster (UAX #29), so composed and decomposed
spellings of a text have the same words.
"""

import unicodedata
from collections.abc import Iterator
from enum import Enum
from itertools import groupby, islice, zip_longest
from typing import NamedTuple

import regex

from feedsvc.patterns import pattern

LONGEST = 200
"""Characters after which a word without a blank is cut (T9)."""

_RUN = pattern(r"\S+")
# Flags are paired here: `\X` counts back over all flags before each, so that 50,000 would take half a minute (S-43).
_GRAPHEME = regex.compile(r"\p{RI}\p{RI}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X")
_UNSPACED = regex.compile(
    r"[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]&&[\p{L}\p{M}\p{N}\p{S}]]",
    regex.VERSION1,
)
_SEEN = regex.compile(r"[^\p{Cf}\p{Cc}]")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


class _Kind(Enum):
    """What a character is to the counting of words."""

    SPACED = "of a script with spaces"
    UNSPACED = "of a script without spaces"
    MARK = "neither letter nor digit: of the kind of its neighbour"
    UNSEEN = "shown to nobody"


class Word(NamedTuple):
    """A word of a text: where it ends, and whether it is too long to stay whole (T9; then `end` is where it is cut)."""

    end: int
    broken: bool = False


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text in order (T1, T7, T8, T9)."""
    for run in _RUN.finditer(text):
        shown, start = run.group(), run.start()
        if len(shown) > LONGEST or (not shown.isascii() and _UNSPACED.search(shown)):
            for word in _words_of_run(shown):
                yield Word(start + word.end, word.broken)
        elif shown.isascii() or _SEEN.search(shown):
            yield Word(run.end())


def cut(text: str, limit: int) -> int:
    """Return where the first `limit` words of a text end: the length of the text where it has no more of them (T3)."""
    end = 0
    for place, word in enumerate(words(text)):
        if place == limit:
            return end
        if word.broken:
            return word.end
        end = word.end
    return len(text)


def within(text: str, most: int) -> str:
    """Return a text of at most so many characters, cut where one ends that a reader sees (T7)."""
    if len(text) <= most:
        return text
    end = 0
    for grapheme in _GRAPHEME.finditer(text):
        if grapheme.end() > most:
            break
        end = grapheme.end()
    return text[: end or most]


def has_words(text: str) -> bool:
    """Return whether a reader sees anything in the text."""
    return next(words(text), None) is not None


def is_unspaced(character: str) -> bool:
    """Return whether a letter is of a script that writes no blanks between words."""
    return not character.isascii() and _UNSPACED.match(character) is not None


def reads_right_to_left(text: str) -> bool:
    """Return whether the first character of the text that has a direction runs to the left (T15, UAX #9 P2)."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction == "L" or direction in _RIGHT_TO_LEFT:
            return direction in _RIGHT_TO_LEFT
    return False


def holds_right_to_left(text: str) -> bool:
    """Return whether a letter of the text runs to the left (T15)."""
    return not text.isascii() and any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text)


def _words_of_run(run: str) -> Iterator[Word]:
    """Yield the words of a run without white space; their ends count from its start."""
    for kind, members in groupby(_settled(_characters(run)), key=lambda character: character[1]):
        ends = (end for end, _ in members)
        yield from _pairs(ends) if kind is _Kind.UNSPACED else _whole(ends)


def _characters(run: str) -> Iterator[tuple[int, _Kind]]:
    """Yield where each character that is seen ends, with what is not seen after it, and its kind."""
    last: tuple[int, _Kind] | None = None
    for grapheme in _GRAPHEME.finditer(run):
        kind = _kind(grapheme.group())
        if kind is not _Kind.UNSEEN:
            if last is not None:
                yield last
            last = (grapheme.end(), kind)
        elif last is not None:
            last = (grapheme.end(), last[1])
    if last is not None:
        yield last


def _settled(characters: Iterator[tuple[int, _Kind]]) -> Iterator[tuple[int, _Kind]]:
    """Yield the characters with each mark of the kind of what it follows, leading ones of what comes next."""
    leading: list[int] = []
    current: _Kind | None = None
    for end, kind in characters:
        if kind is not _Kind.MARK:
            yield from ((mark, kind) for mark in leading)
            leading, current = [], kind
        if current is None:
            leading.append(end)
        else:
            yield end, current
    yield from ((mark, _Kind.SPACED) for mark in leading)


def _kind(grapheme: str) -> _Kind:
    first = grapheme[0]
    if _UNSPACED.match(first):
        return _Kind.UNSPACED
    category = unicodedata.category(first)
    if category[0] in "LN":
        return _Kind.SPACED
    return _Kind.UNSEEN if category in {"Cf", "Cc"} and len(grapheme) == 1 else _Kind.MARK


def _pairs(ends: Iterator[int]) -> Iterator[Word]:
    for first, second in zip_longest(ends, ends):
        yield Word(first if second is None else second)


def _whole(ends: Iterator[int]) -> Iterator[Word]:
    taken = list(islice(ends, LONGEST + 1))
    if len(taken) > LONGEST:
        yield Word(taken[LONGEST - 1], broken=True)
    else:
        yield Word(taken[-1])
