"""Formulas as text, once each: TeX where it is known, else MathML flattened so that a fraction keeps its bar (T13, C7).

KaTeX and MathJax say a formula two or three times over: for eyes, for ears, and as the source. One of them stays.
"""

import re
from collections.abc import Callable

from feedsvc.patterns import pattern
from feedsvc.text.tree import Element, create, remove, replace, text_before, words_of

_SIGNS = ("math", "katex", "mathjax", "mjx-")
_TEX = pattern(r"\b(?:la)?tex\b", re.IGNORECASE)
_TEX_SCRIPT = pattern(r"math/tex\b")
_RENDERED = frozenset(
    "MathJax_Preview MathJax_SVG MathJax_CHTML MathJax_Display MathJax mjx-chtml katex-html".split(" ")
)
_BINDING = frozenset("/^_")
_SILENT = frozenset({"annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts"})


def flatten_formulas(root: Element, html: str) -> None:
    """Turn each formula of a tree into text; `html` is what the tree was read from: mostly it holds none."""
    lower = html.lower()
    if not any(sign in lower for sign in _SIGNS):
        return
    _keep_tex_of_scripts(root)
    for math in list(root.iter("math")):
        _replace_math(math)
    for element in list(root.iter("span", "div", "nobr", "mjx-math", "img")):
        _drop_rendering(element)


def formula_text(math: Element) -> str:
    """Return a `math` element as text: its TeX, else its alternative text, else its MathML on one line."""
    for annotation in math.iter("annotation"):
        if _TEX.search(annotation.get("encoding", "")):
            return words_of(annotation)
    return math.get("alttext", "").strip() or " ".join(_flat(math).split())


def _keep_tex_of_scripts(root: Element) -> None:
    """MathJax 2 keeps the source in a script; what it drew stands before that, and goes."""
    for script in list(root.iter("script")):
        if not _TEX_SCRIPT.match(script.get("type", "")):
            continue
        drawn = script.getprevious()
        while drawn is not None and not (drawn.tail or "").strip() and _RENDERED.intersection(_classes(drawn)):
            remove(drawn)
            drawn = script.getprevious()
        replace(script, create("span", words_of(script)))


def _replace_math(math: Element) -> None:
    text = formula_text(math)
    around = next((step for step in math.iterancestors() if _RENDERED.intersection(_classes(step))), None)
    target = math
    while around is not None and "katex-html" not in _classes(around):
        target = around
        around = next((step for step in around.iterancestors() if _RENDERED.intersection(_classes(step))), None)
    for step in (target, *target.iterancestors()):
        for hiding in ("style", "hidden", "aria-hidden"):
            step.attrib.pop(hiding, None)
    replace(target, create("span", _apart(target, text)) if text else "")


def _apart(element: Element, text: str) -> str:
    """Return a text with blanks where it would grow together with a word or number beside it."""
    before, behind = text_before(element)[-1:], (element.tail or "")[:1]
    return (" " if before.isalnum() else "") + text + (" " if behind.isalnum() else "")


def _drop_rendering(element: Element) -> None:
    """Remove a drawing of a formula whose text has been kept; a drawing that stands alone is read."""
    if element.tag == "img":
        if any("mwe-math-fallback" in name for name in _classes(element)):
            remove(element)
    elif element.tag == "mjx-math" or "MathJax_Preview" in _classes(element):
        remove(element)
    elif "katex-html" in _classes(element):
        alone = element.getprevious() is None and element.getnext() is None
        replace(element, _flat_katex(element) if alone else "")


def _classes(element: Element) -> list[str]:
    return (element.get("class") or "").split()


def _flat(element: Element) -> str:
    """Return MathML on one line; depth is bounded by the tree's."""
    if not isinstance(element.tag, str) or element.tag in _SILENT:
        return ""
    write = _BY_NAME.get(element.tag)
    children = [child for child in element if isinstance(child.tag, str) and child.tag not in _SILENT]
    parts = [text for text in ((element.text or "").strip(),) if text] + [_flat(child) for child in children]
    return _joined(parts) if write is None else write(parts, element)


def _joined(parts: list[str]) -> str:
    """Return terms in a row: apart stay numbers, `2 1/2`, words, `sin x`, and what a sign would bind, `x^2 y`."""
    text = before = ""
    for part in filter(None, parts):
        text += f" {part}" if _grow_together(before, part) else part
        before = part
    return text


def _grow_together(before: str, behind: str) -> bool:
    if not (before[-1:].isalnum() and behind[:1].isalnum()):
        return False
    if not _BINDING.isdisjoint(before) or "/" in behind:
        return True
    numbers = before[-1].isdigit() and behind[0].isdigit()
    return numbers or (before[-2:].isalpha() and len(before) > 1) or (behind[:2].isalpha() and len(behind) > 1)


def _grouped(text: str) -> str:
    text = text.strip()
    return text if len(text) < 2 or text.isalnum() or (text[0] == "(" and text[-1] == ")") else f"({text})"


def _raised(sign: str) -> Callable[[list[str], Element], str]:
    def write(parts: list[str], _: Element) -> str:
        return sign.join(map(_grouped, parts)) if all(parts) else "".join(parts)

    return write


def _power(parts: list[str], _: Element) -> str:
    base, *rest = parts or [""]
    return _grouped(base) + "".join(f"{sign}{_grouped(part)}" for sign, part in zip("_^", rest, strict=False) if part)


def _root(parts: list[str], _: Element) -> str:
    return f"√({''.join(parts)})"


def _nth_root(parts: list[str], _: Element) -> str:
    base, *degree = parts or [""]
    return f"{_grouped(base)}^(1/{''.join(degree)})"


def _rows(parts: list[str], _: Element) -> str:
    return f"[{'; '.join(parts)}]"


def _cells(parts: list[str], _: Element) -> str:
    return ", ".join(parts)


def _fenced(parts: list[str], element: Element) -> str:
    return element.get("open", "(") + ", ".join(parts) + element.get("close", ")")


_BY_NAME: dict[str, Callable[[list[str], Element], str]] = {
    "mfrac": _raised("/"),
    "msup": _raised("^"),
    "mover": _raised("^"),
    "msub": _raised("_"),
    "munder": _raised("_"),
    "msubsup": _power,
    "munderover": _power,
    "msqrt": _root,
    "mroot": _nth_root,
    "mtable": _rows,
    "mtr": _cells,
    "mfenced": _fenced,
}


def _flat_katex(element: Element) -> str:
    """Return what KaTeX drew on one line: it draws the lower half of a fraction first."""
    if "mfrac" in _classes(element):
        parts = [text for text in map(_flat_katex, _layers(element)) if text.strip()]
        return "/".join(_grouped(part) for part in reversed(parts))
    inside = "".join(_flat_katex(child) + (child.tail or "") for child in element if isinstance(child.tag, str))
    return (element.text or "") + inside


def _layers(fraction: Element) -> list[Element]:
    stack = next((step for step in fraction.iter("span") if "vlist" in _classes(step)), None)
    return [] if stack is None else list(stack)
