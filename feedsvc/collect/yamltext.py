"""YAML that its parser refuses or misreads though its author meant something: what stands in for it, and the way back.

libyaml refuses DELETE and a byte order mark within a text, takes LINE SEPARATOR for the end of a line, and refuses half
a pair of surrogates in an escape, where writers of JSON say 😀 as `\\ud83d\\ude00`. No post is lost to that (B4, F3).
"""

from itertools import count

from feedsvc.patterns import pattern

_ODD = pattern("[\x7f\u2028\u2029\ufeff]")
_SURROGATE = pattern(r"\\u(?P<first>[dD][89a-fA-F][0-9a-fA-F]{2})(?:\\u(?P<second>[dD][c-fC-F][0-9a-fA-F]{2}))?")
_PRIVATE = 0x100000
"""The first character of the plane whose characters mean nothing to anybody."""


class StandIns:
    """Characters that the parser takes, in place of those it does not; each is one that the text does not hold."""

    def __init__(self, text: str) -> None:
        self._back: dict[int, str] = {}
        self._free = (chr(code) for code in count(_PRIVATE) if chr(code) not in text)
        self.text = _ODD.sub(lambda found: self._instead_of(found[0]), text) if _ODD.search(text) else text

    def mend_escape(self, spot: int) -> bool:
        """Replace the escape of a surrogate whose digits begin at `spot`; return whether there is one.

        A pair becomes the character that it means, half of one what restores to it.
        """
        found = _SURROGATE.match(self.text, max(spot - 2, 0))
        if found is None:
            return False
        first, second = int(found["first"], 16), int(found["second"] or "0", 16)
        whole = first < 0xDC00 and second
        end = found.end() if whole or not second else found.end("first")
        meant = chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00) if whole else self._instead_of(chr(first))
        self.text = self.text[: found.start()] + meant + self.text[end:]
        return True

    def restored(self, text: str) -> str:
        """Return a text of the parser as its author wrote it."""
        return text.translate(self._back) if self._back else text

    def _instead_of(self, meant: str) -> str:
        known = next((code for code, character in self._back.items() if character == meant), None)
        instead = next(self._free) if known is None else chr(known)
        self._back[ord(instead)] = meant
        return instead
