"""The attributes of a tag, as HTML reads them and XML spells them."""

from feedsvc.patterns import pattern
from feedsvc.text.characters import escape, unescape

_ATTRIBUTE = pattern(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?""")
_NAME = pattern(r"[a-z][a-z0-9-]*")


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
