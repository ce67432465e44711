"""What a word is (generating T1, T3, T7, T8, T9)."""

import time
import unicodedata

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.text.words import LONGEST, cut, has_words, reads_right_to_left, words

LETTERS = "ab1.,-( \u00a0图形。「ーカ\u3099ガส한é\u200b\u0301\u00ad"
ALPHABET = st.sampled_from([*LETTERS, "e\u0301", "วั", "क्षि", "👩\u200d👩\u200d👧", "🇩🇪", "🇫🇷", "👍🏽", "שלום"])
TEXTS = st.lists(ALPHABET, max_size=40).map("".join)


def shown(text: str) -> list[str]:
    """Return the words of a text, each without the white space before it."""
    ends = [word.end for word in words(text)]
    return [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("M-series C++ .NET a—b — &", ["M-series", "C++", ".NET", "a—b", "—", "&"]),
        ("un\u00a0deux\u3000trois\u2003quatre", ["un", "deux", "trois", "quatre"]),
        ("图形处理器", ["图形", "处理", "器"]),
        ("图形,处。", ["图形", ",处", "。"]),
        ("「图形」", ["「图", "形」"]),
        ("使用CUDA编程。", ["使用", "CUDA", "编程", "。"]),
        ("图形,CUDA,处", ["图形", ",", "CUDA,", "处"]),
        ("「CUDA」是", ["「CUDA」", "是"]),
        ("2026年5月", ["2026", "年", "5", "月"]),
        ("图形 处理\n器", ["图形", "处理", "器"]),
        ("コンピューター", ["コン", "ピュ", "ータ", "ー"]),
        ("สวัสดี GPU", ["สวั", "สดี", "GPU"]),
        ("ភាសា", ["ភាសា"]),
        ("안녕 세계", ["안녕", "세계"]),
        ("Xin chào thế giới", ["Xin", "chào", "thế", "giới"]),
        ("图\u200b形处", ["图\u200b形", "处"]),
        ("a \u200b b", ["a", "\u200b b"]),
        ("👩\u200d👩\u200d👧🇩🇪🇫🇷 x", ["👩\u200d👩\u200d👧🇩🇪🇫🇷", "x"]),
        ("图🇩🇪🇫🇷👍🏽", ["图🇩🇪", "🇫🇷👍🏽"]),
        (" \n", []),
    ],
)
def test_words_are_what_a_reader_takes_for_words(text: str, expected: list[str]) -> None:
    """T1, T7, T8: runs between white space; two characters where there is none, marks included."""
    assert shown(text) == expected


@pytest.mark.parametrize(("length", "whole"), [(LONGEST, True), (LONGEST + 1, False)])
@pytest.mark.parametrize("character", ["x", "é", "e\u0301", "👍🏽", "한"])
def test_a_run_without_blank_is_cut_after_200_characters(character: str, length: int, whole: bool) -> None:
    """T9: characters are graphemes, and what follows such a run is cut as well."""
    text = f"an {character * length}"
    assert (cut(text, 55) == len(text)) is whole
    assert text[: cut(f"{text} more words", 2)] == f"an {character * LONGEST}"


def test_a_long_text_in_a_script_without_spaces_is_no_long_run() -> None:
    """T8, T9: 300 characters of Chinese are 150 words, not one that is too long."""
    assert cut("图" * 300, 150) == 300
    assert cut("图" * 301, 150) == 300


@given(TEXTS, st.integers(1, 12))
def test_the_limit_keeps_exactly_that_many_words(text: str, limit: int) -> None:
    """T3: whole where there are no more; else the first ones, ending with a word."""
    ends = [word.end for word in words(text)]
    assert cut(text, limit) == (len(text) if len(ends) <= limit else ends[limit - 1])


@given(TEXTS, st.integers(1, 12))
def test_cutting_what_was_cut_changes_nothing(text: str, limit: int) -> None:
    """T3: a text of so many words stays whole."""
    once = text[: cut(text, limit)]
    assert cut(once, limit) == len(once)


@given(TEXTS, st.integers(1, 12))
@settings(max_examples=200)
def test_no_character_is_cut_in_two(text: str, limit: int) -> None:
    """T7: each cut is a border between grapheme clusters of UAX #29, or falls before white space."""
    borders = {0, *(found.end() for found in regex.finditer(r"\X", text))}
    end = cut(text, limit)
    assert end in borders or text[end].isspace()


@given(TEXTS, st.integers(1, 12))
def test_composed_and_decomposed_spellings_have_the_same_words(text: str, limit: int) -> None:
    """T7: NFC and NFD of a text are cut at the same place."""
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    ends = (composed[: cut(composed, limit)], decomposed[: cut(decomposed, limit)])
    assert ends[0] == unicodedata.normalize("NFC", ends[1])


@pytest.mark.parametrize(
    "unit",
    [
        "🇩🇪",
        "🇩",
        "图",
        "e\u0301",
        "\u0301",
        "\u200d",
        "👩\u200d",
        "(",
        "a",
        "\u0600",
        "क्",
        "\u1100",
        "图a",
        " ",
        "\u200b",
    ],
)
def test_counting_takes_linear_time(unit: str) -> None:
    """S-43: 50,000 of anything, behind a letter that asks for a close look, within seconds on a slow machine."""
    started = time.perf_counter()
    list(words("图" + unit * 50_000))
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [("שלום", True), ("12 (عربي) x", True), ("GPU שלום", False), ("\u200f1", True), ("1 — 2", False), ("", False)],
)
def test_the_first_strong_character_gives_the_direction(text: str, expected: bool) -> None:
    """T15, UAX #9 P2."""
    assert reads_right_to_left(text) is expected


@pytest.mark.parametrize(("text", "expected"), [("", False), (" \u00a0", False), ("\u200b", False), ("—", True)])
def test_what_nobody_sees_is_no_word(text: str, expected: bool) -> None:
    """T14: a teaser of invisible characters would be an empty one."""
    assert has_words(text) is expected
