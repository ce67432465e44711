"""The head of an answer, line by line, as `http.client` can read it.

Its parser stops at the first line that is no field, and takes all that follow for the body: validators, lengths and
`Retry-After` would be lost without a word. Browsers pass over such lines, and so does this (RFC 9112 §5).
"""

import http.client
from io import BufferedReader

from feedsvc.patterns import pattern

MOST = 100
_FIELD = pattern(rb"([\x21-\x39\x3b-\x7e]+)([ \t]*):")
_FOLDED = (b" ", b"\t")


class Head:
    """A stream whose lines, up to the blank one, are fields: the others are left out, a blank before a colon as well.

    More than 100 lines that are no fields are none that anybody reads (S-17).
    """

    def __init__(self, whole: BufferedReader) -> None:
        self.whole = whole
        self._kept = False
        self._dropped = 0

    def readline(self, most: int = -1) -> bytes:
        """Return the next line of the head."""
        while True:
            line = self.whole.readline(most)
            if len(line) == most or line in (b"\r\n", b"\n", b""):
                return line
            found = self._field(line)
            if found:
                return found
            self._dropped += 1
            if self._dropped > MOST:
                raise http.client.HTTPException(f"more than {MOST} lines that are no headers")

    def close(self) -> None:
        """Close the stream."""
        self.whole.close()

    def _field(self, line: bytes) -> bytes:
        """Return a line as a field, or as the rest of one, b"" where it is neither; a bare CR is a blank."""
        if line.startswith(_FOLDED):
            return _single(line) if self._kept else b""
        found = _FIELD.match(line)
        self._kept = found is not None
        if found is None:
            return b""
        return _single(line if not found[2] else found[1] + line[found.end() - 1 :])


def _single(line: bytes) -> bytes:
    text = line.rstrip(b"\r\n")
    return text.replace(b"\r", b" ") + b"\r\n" if b"\r" in text else line
