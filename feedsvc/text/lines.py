"""Which line of a Markdown text holds what its author typed: where warnings about markup point (C5, C9)."""

from collections.abc import Iterator
from urllib.parse import unquote

from feedsvc.patterns import pattern
from feedsvc.text.characters import unescape

_FENCE = pattern(r" {0,3}(`{3,}|~{3,})")
_SPAN = pattern(r"(?<!`)(`{1,8})(?!`)[^`\n]++\1(?!`)")
_BEFORE_ADDRESS = ("(", "<", '"', "'", "=", "]: ")
_UNSEEN = pattern("[\x00-\x20\x7f]+")


def line_of(text: str, token: str) -> int | None:
    """Return the line of a text, from 1, that holds a token as its author may have spelled it; None when none does.

    Where the token stands several times, what is markup goes before text, and text before code, which is published
    as it is.
    """
    outside = _without_code(text)
    for spelling in dict.fromkeys((token, unquote(token), token.partition(":")[0] + ":")):
        if len(spelling) > 1:
            marked = (outside.find(before + spelling) for before in _BEFORE_ADDRESS)
            place = min((at for at in marked if at >= 0), default=outside.find(spelling))
            if place >= 0:
                return text.count("\n", 0, place) + 1
    return _disguised(text, token)


def _disguised(text: str, token: str) -> int | None:
    """Return the first line that spells a token with references or with blanks inside, as `jav&#x09;ascript:` does."""
    wanted = _UNSEEN.sub("", token)
    lines = enumerate(text.split("\n"), 1)
    return next((number for number, line in lines if wanted and wanted in _UNSEEN.sub("", unescape(line))), None)


def _without_code(text: str) -> str:
    """Return a text of equal length with blanks in place of fenced code and code spans."""
    return _SPAN.sub(lambda found: " " * len(found[0]), "\n".join(_unfenced(text.split("\n"))))


def _unfenced(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            yield " " * len(line)
            if found and found[1].startswith(fence) and not line[found.end() :].strip():
                fence = ""
        elif found and not (found[1][0] == "`" and "`" in line[found.end() :]):
            fence = found[1]
            yield " " * len(line)
        else:
            yield line
