"""What is live in HTML, and what is visible, read by the standard library's parser, which shares no code with ours."""

import re
from html.parser import HTMLParser

from feedsvc.text.policy import OWN

_ADDRESS = re.compile(r"https?://[!-~]+|mailto:[!-~]+|#[!-~]+")
_CANDIDATES = re.compile(r"https?://[!-~]+( [0-9.]+[wx])?(, https?://[!-~]+( [0-9.]+[wx])?)*")
_PICTURE = re.compile(r"data:image/(png|gif|jpeg|webp);base64,[A-Za-z0-9+/=]+")
_ATTRIBUTES = frozenset(
    "href src srcset sizes alt title hreflang rel cite datetime class lang dir id width height colspan rowspan align"
    " scope start reversed type value open media poster controls loading referrerpolicy".split()
)
_UNSEEN = frozenset({"script", "style", "template", "noscript", "iframe", "svg", "math", "title"})
_VOID = frozenset({"br", "hr", "img", "source", "wbr", "input"})


class Judge(HTMLParser):
    """Reads a fragment once; `live` names what must not be there, `unbalanced` what reaches out of it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.live: list[str] = []
        self.unbalanced: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self._open: list[str] = []
        self._text: list[str] = []
        self.feed(html)
        self.close()
        self.unbalanced += [f"unclosed {name}" for name in self._open]

    @property
    def text(self) -> str:
        """Return the visible text without white space."""
        return "".join("".join(self._text).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in OWN:
            self.live.append(f"element {tag}")
        for name, value in attrs:
            self._judge(tag, name, value or "")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(f"end tag {tag}")

    def handle_data(self, data: str) -> None:
        if not _UNSEEN.intersection(self._open):
            self._text.append(data)

    def handle_comment(self, data: str) -> None:
        self.live.append(f"comment {data}")

    def _judge(self, tag: str, name: str, value: str) -> None:
        self.attributes.append((tag, name, value))
        if name not in _ATTRIBUTES:
            self.live.append(f"attribute {name}")
        elif name == "srcset" and not _CANDIDATES.fullmatch(value):
            self.live.append(f"srcset {value}")
        elif name in ("href", "src", "cite", "poster") and not _ADDRESS.fullmatch(value):
            if not (tag == "img" and name == "src" and _PICTURE.fullmatch(value)):
                self.live.append(f"address {value}")
        elif name == "class" and not (tag == "code" and value.startswith("language-")):
            self.live.append(f"class {value}")


def live(html: str) -> list[str]:
    """Return what is live in HTML that is said to be clean: elements, attributes, addresses, comments."""
    return Judge(html).live


def visible(html: str) -> str:
    """Return the visible text of HTML without white space."""
    return Judge(html).text
