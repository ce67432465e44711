"""Shortcodes of other generators in running text: `{{< figure >}}`, `{% include %}`, `{{abstract}}` (C9)."""

from feedsvc.patterns import pattern
from feedsvc.text.tree import Element, prose, remove

_SHORTCODE = pattern(
    r"\{\{<[^{}]*+(?<=>)\}\}|\{\{%[^{}]*+(?<=%)\}\}|\{%[^{}%]*+%\}|\{\{ ?[A-Za-z_][\w.-]*+(?:[ (][^{}<>]*+)?\}\}"
)


def drop_shortcodes(root: Element, html: str) -> tuple[str, ...]:
    """Remove paragraphs that hold nothing but shortcodes; return all shortcodes outside code, to be warned about.

    Those in a sentence are shown, and so is a bare `{{ name }}`, which may be about templates (S-27).
    """
    if "{{" not in html and "{%" not in html:
        return ()
    found = tuple(dict.fromkeys(_SHORTCODE.findall(prose(root))))
    if found:
        for paragraph in list(root.iter("p")):
            _drop_if_alone(paragraph)
    return found


def _drop_if_alone(paragraph: Element) -> None:
    text = "".join(paragraph.itertext())
    codes = _SHORTCODE.findall(text)
    alone = not _SHORTCODE.sub("", text).strip() and all(child.tag in ("a", "br", "em") for child in paragraph)
    if codes and alone and all(code[1] == "%" or code[2] in "<%" for code in codes):
        remove(paragraph, gap="\n")
