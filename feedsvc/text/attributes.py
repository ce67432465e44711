"""The attributes of a tag, as HTML reads them and XML spells them."""

import re

from feedsvc.patterns import pattern
from feedsvc.text.characters import escape, unescape
from feedsvc.text.elements import names

_ATTRIBUTE = pattern(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?""")
_NAME = pattern(r"[a-z][a-z0-9-]*")
_WITHOUT_VALUE = names(
    "allowfullscreen async autofocus autoplay border checked compact controls crossorigin default defer disabled"
    " download formnovalidate hidden inert ismap itemscope loop markdown multiple muted nomodule noshade novalidate"
    " nowrap open playsinline popover readonly required reversed selected translate"
)
# Those of programs that run in browsers: `data-x`, `v-pre`, `@click`, `:key`, `#slot`, `(click)`, `[value]`.
_OF_PROGRAMS = pattern(r"(?:aria|data|hx|ng|v|x)-.*|[@:#*(\[].+", re.IGNORECASE)


def are_words(text: str) -> bool:
    """Return whether what stands where a tag has attributes is none: `<source file>` are words of a text (C5)."""
    if "=" in text:
        return False
    return any(
        word.lower() not in _WITHOUT_VALUE and not _OF_PROGRAMS.fullmatch(word)
        for word in text.replace("/", " ").split()
    )


def attributes_of(text: str) -> str:
    """Return attributes as XML spells them: lower case, each once, values quoted; odd names and namespaces go."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        name = name.lower()
        if name not in found and _NAME.fullmatch(name) and name != "xmlns":
            found[name] = double or single or bare
    return "".join(f' {name}="{_value(value)}"' for name, value in found.items())


def _value(value: str) -> str:
    if "&" in value or "<" in value or ">" in value or '"' in value or "\n" in value or "\t" in value:
        value = escape(unescape(value, attribute=True))
        return value.replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", " ")
    return value
