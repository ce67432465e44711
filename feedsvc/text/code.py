"""What is code and what is markup inside `pre`, `code`, `samp` and `kbd` (CL-01, C4): text comes first there.

`k<<<grid, block>>>(p)`, `vec<int>`, `a<b && c>d` and `#include <cuda.h>` are text, written escaped or not; the `span`
of a highlighter is markup. A tag in code is the name of an inline element that holds a well-formed attribute, or whose
end tag follows. Only where a highlighter has laid out lines as a table, list or blocks do those count too.
"""

import re
from functools import cache

from msgspec import Struct, field

from feedsvc.patterns import pattern
from feedsvc.text.elements import CODE, INLINE, KNOWN

_ATTRIBUTES = pattern(r"""(?:\s++[A-Za-z][\w:.-]*+\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[\w:/.#?&;%+~,-]++))++\s*+/?""")
_LAID_OUT = pattern(r"<(?:table|div|ol|ul|li|tr|td|p)\s[^<>]*?\b(?:class|data-[a-z-]+|id|style)\s*=", re.IGNORECASE)
_FAR = 100_000


class CodeRegion(Struct):
    """An outermost code element: where its text begins and ends, and what was learnt of it.

    One that never ends has `end` at its start: no end tag is looked for in it.
    """

    html: str
    start: int
    end: int
    laid_out: bool
    _next_end: dict[str, int] = field(default_factory=dict)

    def begins_tag(self, name: str, attributes: str, position: int) -> bool:
        """Return whether the start tag found at a position (its `<`) is markup."""
        if name not in (KNOWN if self.laid_out else INLINE | CODE):
            return False
        blank = not attributes.strip(" \t\n/")
        if not blank:
            return _ATTRIBUTES.fullmatch(attributes) is not None
        return name in ("br", "wbr") or position == self.start or self._ends_after(name, position)

    def _ends_after(self, name: str, position: int) -> bool:
        """Return whether an end tag follows in the region; looks at each character once for each name."""
        known = self._next_end.get(name, self.start)
        if known < position:
            known = self._search(name, position)
            self._next_end[name] = known
        return known < self.end

    def _search(self, name: str, position: int) -> int:
        found = re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE).search(self.html, position, self.end)
        return found.start() if found else self.end


def code_region(html: str, name: str, start: int) -> CodeRegion:
    """Return the region of a code element whose text begins at `start`: up to its end tag.

    Where a highlighter laid out the lines, code stands within code (`pre`, `table`, `pre`): there ends are counted.
    """
    first = _tags(name).search(html, start)
    while first is not None and not first[1]:
        first = _tags(name).search(html, first.end())
    if first is None:
        return CodeRegion(html, start, start, laid_out=False)
    laid_out = _LAID_OUT.search(html, start, first.end()) is not None
    end = _counted_end(html, name, start, first.end()) if laid_out else first.end()
    return CodeRegion(html, start, end, laid_out)


def _counted_end(html: str, name: str, start: int, first: int) -> int:
    """Return where the end tag is that closes as many as were opened; the first one when they do not meet soon."""
    depth = 1
    for tag in _tags(name).finditer(html, start, first + _FAR):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return first


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}(?=[\s/>])[^<>]*>", re.IGNORECASE)
