"""Tag soup in, well-formed markup out: reads HTML as browsers do and leaves nothing open, crossed or too deep.

What may not be a tag is text: a name that HTML does not know (C5), and what stands in code (CL-01, `code.py`). Text and
values of attributes come out with their references resolved, so that a parser of XML reads them. Nothing here decides
what may be published.
"""

import re
from collections import Counter
from functools import cache

from feedsvc.patterns import pattern
from feedsvc.text.attributes import are_words, attributes_of
from feedsvc.text.characters import escape, unescape, windows_quotes, xml_text
from feedsvc.text.code import CodeRegion, code_region
from feedsvc.text.elements import (
    BREAKS_OUT,
    CLOSES_P,
    CODE,
    FOREIGN,
    HEADINGS,
    IMPLIED_ENDS,
    INTEGRATION,
    KNOWN,
    PARENTS,
    RAW,
    SILENT,
    TABLE_PARTS,
    VOID,
    names,
)

DEEPEST = 200
LONGEST = 2_000_000

_TAG = pattern(r"""<(/?)([A-Za-z][A-Za-z0-9:_.-]*+)(?=[\s/>])((?:[^<>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')|["'=])*+)>""")
_END = pattern(r"</([A-Za-z][A-Za-z0-9:_.-]*+)(?=[\s/>])")
_NAME = pattern(r"[a-z][a-z0-9-]*")
_COMMENT = pattern(r"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_MORE = pattern(r"<!--\s*+more\s*+-->")
_DECLARATION = pattern(r"<(?:!doctype|\?xml)\b[^<>]*>", re.IGNORECASE)

_ALWAYS_TAGS = names("p br hr wbr")
# A start of emphasis that its author forgot to end, `<b>Note: …`, not the argument of `vector<b>` (T6).
_LEANS_ON_WORDS = pattern(r"(?<!\w)<(?:b|i|em|strong|u|s|small|mark|big|span|font|del|ins)>(?=\w)", re.IGNORECASE)
_EDGE_OF_TEXT = ("", "\n", ">")
_CELL = TABLE_PARTS | {"table", "template"}
_TABLE_ONLY = frozenset({"table"})
_NONE: frozenset[str] = frozenset()
_P = frozenset({"p"})
_A = frozenset({"a"})


def balance(html: str, *, own: bool = False) -> str:
    """Return well-formed markup that says what a fragment of HTML says, at most 200 elements deep.

    `own`: the author of the post is ours, so nothing vanishes in silence (C5): a name that HTML does not know, or a
    `<script>` that never ends, is text. Of strangers, elements of other vocabularies (`<o:p>…</o:p>`) lose their tags.
    Comments go, but for the more-marker (T10). What lies beyond 2,000,000 characters is cut off.
    """
    text = windows_quotes(xml_text(html[:LONGEST])).replace("\r\n", "\n").replace("\r", "\n")
    return _Balancer(text, own).run()


class _Balancer:
    """One pass over one fragment; every question that looks ahead is asked once for each name."""

    __slots__ = (
        "code",
        "code_at",
        "comments",
        "foreign_at",
        "html",
        "last",
        "out",
        "own",
        "skipped",
        "stack",
        "templates",
        "unknown",
    )

    def __init__(self, html: str, own: bool) -> None:
        self.html = html
        self.own = own
        self.out: list[str] = []
        self.stack: list[str] = []
        self.skipped: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        self.last = {found[1].lower(): found.start() for found in _END.finditer(html)}
        self.templates = "{{<" in html
        self.comments = max(html.rfind("-->"), html.rfind("--!>"))
        self.code: CodeRegion | None = None
        self.code_at = 0
        self.foreign_at = -1

    def run(self) -> str:
        """Return the markup of the whole fragment."""
        html, position, end = self.html, 0, len(self.html)
        while position < end:
            found = html.find("<", position)
            if found < 0:
                break
            self._text(html[position:found])
            position = self._markup(found)
        self._text(html[position:])
        self._close_to(0)
        return "".join(self.out)

    def _text(self, text: str) -> None:
        if "&" in text or ">" in text or "<" in text:
            text = escape(unescape(text))
        self.out.append(text)

    def _markup(self, at: int) -> int:
        """Read what a `<` begins; return where reading goes on."""
        tag = _TAG.match(self.html, at)
        if tag is None or (self.templates and _is_shortcode(self.html, tag)):
            return self._no_tag(at)
        name = tag[2].lower()
        if tag[1]:
            return self._end(tag, name)
        if self.code is not None:
            markup = self.code.begins_tag(name, tag[3], at)
        else:
            markup = (
                self.foreign_at >= 0
                or name.startswith("mjx-")
                or (name in KNOWN and not self._is_placeholder(tag, name))
            )
        if markup:
            return self._start(tag, name)
        return self._unknown(tag, name)

    def _no_tag(self, at: int) -> int:
        if self.code is None:
            hidden = (at < self.comments and _COMMENT.match(self.html, at)) or _DECLARATION.match(self.html, at)
            if hidden:
                self.out.append("<!--more-->" if _MORE.fullmatch(hidden[0]) else "")
                return hidden.end()
        self.out.append("&lt;")
        return at + 1

    def _unknown(self, tag: re.Match[str], name: str) -> int:
        """Show a tag that is none as text; of strangers, one that is meant as a tag goes."""
        if self.code is None and not self.own and self._is_vocabulary(tag, name):
            self.unknown[name] += 1
            return tag.end()
        self.out.append("&lt;")
        return tag.start() + 1

    def _is_placeholder(self, tag: re.Match[str], name: str) -> bool:
        """Return whether a post means words by a tag that would do nothing: `cd <dir>`, `vector<b>`, `a <link>`."""
        if not self.own:
            return False
        if are_words(tag[3]) and name not in RAW | FOREIGN:
            return True
        if tag[3].strip(" \n/") or name in _ALWAYS_TAGS or not PARENTS.get(name, _NONE).isdisjoint(self.stack):
            return False
        if name in VOID:
            return True
        if self._ends_after(name, tag.end()) or _LEANS_ON_WORDS.match(self.html, tag.start()):
            return False
        before = self.html[max(tag.start() - 3, 0) : tag.start()].rstrip(" ")[-1:]
        return before not in _EDGE_OF_TEXT or not (name in CLOSES_P or name in PARENTS)

    def _is_vocabulary(self, tag: re.Match[str], name: str) -> bool:
        return ":" in name or "=" in tag[3] or tag[3].endswith("/") or self._ends_after(name, tag.end())

    def _ends_after(self, name: str, at: int) -> bool:
        return self.last.get(name, -1) >= at

    def _start(self, tag: re.Match[str], name: str) -> int:
        if name in RAW:
            return self._raw(tag, name)
        if name in TABLE_PARTS and "table" not in self.stack:
            self.out.append(" ")
            return tag.end()
        self._imply_ends(name)
        attributes = tag[3]
        if name in VOID or (self.foreign_at >= 0 and attributes.endswith("/")):
            self.out.append(f"<{name}{attributes_of(attributes)}/>")
        elif name == "a" and "href" not in attributes.lower() and self.foreign_at < 0:
            self.out.append(f"<a{attributes_of(attributes)}/>")
            self.unknown["a"] += 1
        else:
            self._open(name, attributes, tag.end())
        return tag.end()

    def _open(self, name: str, attributes: str, after: int) -> None:
        if len(self.stack) >= DEEPEST or not _NAME.fullmatch(name):
            self.skipped[name] += 1
            return
        if name in FOREIGN and self.foreign_at < 0:
            self.foreign_at = len(self.stack)
        if name in CODE and self.code is None:
            self.code = code_region(self.html, name, after)
            self.code_at = len(self.stack)
        self.stack.append(name)
        self.out.append(f"<{name}{attributes_of(attributes)}>" if attributes else f"<{name}>")

    def _raw(self, tag: re.Match[str], name: str) -> int:
        """Read an element whose content is no markup; one that never ends is text, or of strangers the rest."""
        end = _end_of(name).search(self.html, tag.end()) if self._ends_after(name, tag.end()) else None
        if end is None and tag[3].endswith("/"):
            self.out.append(f"<{name}{attributes_of(tag[3])}/>")
            return tag.end()
        if end is None and (self.own or name not in SILENT):
            self.out.append("&lt;")
            return tag.start() + 1
        content = self.html[tag.end() : end.start()] if end else ""
        if name not in SILENT and name != "noscript":
            content = unescape(content)
        self.out.append(f"<{name}{attributes_of(tag[3])}>{escape(content)}</{name}>")
        return end.end() if end else len(self.html)

    def _imply_ends(self, name: str) -> None:
        """Close what the start of an element closes in HTML without saying so."""
        if self.foreign_at >= 0:
            if name in BREAKS_OUT and not INTEGRATION.intersection(self.stack[self.foreign_at :]):
                self._close_to(self.foreign_at)
            return
        if name in CLOSES_P:
            self._close_nearest(_P, _CELL)
        implied = IMPLIED_ENDS.get(name)
        if implied:
            self._close_nearest(*implied)
        elif name in HEADINGS and self.stack and self.stack[-1] in HEADINGS:
            self._close_to(len(self.stack) - 1)
        elif name == "a":
            self._close_nearest(_A, _CELL)

    def _end(self, tag: re.Match[str], name: str) -> int:
        if self.stack and self.stack[-1] == name and not self.skipped[name]:
            self._close_to(len(self.stack) - 1)
            return tag.end()
        if name == "br" or (name == "p" and self.code is None and "p" not in self.stack):
            self.out.append("<br/>" if name == "br" else "")
            return tag.end()
        names = HEADINGS if name in HEADINGS else frozenset({name})
        if self.skipped[name]:
            self.skipped[name] -= 1
        elif not self._close_nearest(names, _TABLE_ONLY if name in _CELL else _CELL, self._floor(tag.start())):
            return self._surplus(tag, name)
        return tag.end()

    def _surplus(self, tag: re.Match[str], name: str) -> int:
        """Drop an end tag without a start; where its name is none of HTML's, or in code, it is text."""
        if self.unknown[name]:
            self.unknown[name] -= 1
            return tag.end()
        if self.code is None and (name in KNOWN or self.foreign_at >= 0):
            return tag.end()
        self.out.append("&lt;")
        return tag.start() + 1

    def _floor(self, at: int) -> int:
        """Return the depth that an end tag reaches down to: out of code only where that never ends."""
        return self.code_at if self.code is not None and at < self.code.end else 0

    def _close_nearest(self, names: frozenset[str], stop: frozenset[str], floor: int = 0) -> bool:
        """Close the innermost open element of these names, unless one of `stop` lies inside it."""
        if names.isdisjoint(self.stack):
            return False
        for depth in range(len(self.stack) - 1, floor - 1, -1):
            if self.stack[depth] in names:
                self._close_to(depth)
                return True
            if self.stack[depth] in stop:
                return False
        return False

    def _close_to(self, depth: int) -> None:
        while len(self.stack) > depth:
            self.out.append(f"</{self.stack.pop()}>")
        if self.code is not None and depth <= self.code_at:
            self.code = None
        if depth <= self.foreign_at:
            self.foreign_at = -1


@cache
def _end_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])[^<>]*>", re.IGNORECASE)


def _is_shortcode(html: str, tag: re.Match[str]) -> bool:
    """Return whether a tag is a shortcode of another generator, `{{<figure src="x">}}` (C9)."""
    return html.startswith("}}", tag.end()) and html.endswith("{{", 0, tag.start())
