"""Words that keep an entry or drop it, and why it stays out (MG-10, MG-11)."""

import unicodedata
from collections.abc import Iterable, Sequence

from feedsvc.compose.decisions import Reason, Rule
from feedsvc.text.words import is_unspaced


def folded(text: str) -> str:
    """Return a text as words are compared: without case, in one spelling of its characters, white space single."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def word_in(fields: Iterable[str], words: Iterable[str]) -> str | None:
    """Return the first of the words, as it was written, that stands whole in one of the folded fields (MG-11)."""
    texts = tuple(fields)
    return next((word for word in words if any(_holds(text, folded(word)) for text in texts)), None)


def filtered(fields: Sequence[str], keep: Sequence[str], drop: Sequence[str]) -> Reason | None:
    """Return why words keep an entry out: one of `drop` stands in it, or none of `keep` does. `drop` beats `keep`."""
    dropped = word_in(fields, drop)
    if dropped is not None:
        return Reason(Rule.DROP, dropped)
    if keep and word_in(fields, keep) is None:
        return Reason(Rule.KEEP, ", ".join(keep))
    return None


def _holds(text: str, word: str) -> bool:
    """Return whether a word stands whole in a text: plain search, for words are never patterns (S-43)."""
    start = text.find(word) if word else -1
    while start >= 0:
        end = start + len(word)
        if _is_start(text, start, word[0]) and _is_end(text, end, word[-1]):
            return True
        start = text.find(word, start + 1)
    return False


def _is_start(text: str, start: int, first: str) -> bool:
    if start == 0:
        return True
    before = text[start - 1]
    if before == "." and first.isalnum():  # `.NET` is a word, and NET is another
        return start > 1 and _is_letter(text[start - 2])
    return not _is_letter(before) or is_unspaced(before) or is_unspaced(first)


def _is_end(text: str, end: int, last: str) -> bool:
    after = text[end : end + 1]
    if not after:
        return True
    if last.isalnum() and (text.startswith("++", end) or (after == "#" and not _is_letter(text[end + 1 : end + 2]))):
        return False  # `C++` and `C#` are words, and C is another
    return not _is_letter(after) or is_unspaced(after) or is_unspaced(last)


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_" or (character != "" and unicodedata.category(character)[0] == "M")
