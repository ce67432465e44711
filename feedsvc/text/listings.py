"""Code listings without their highlighter: elements, line tables and numbers go, text and line ends stay (CL-02).

Whatever drew the listing, one `pre` is left, with one text to each line, and the language where it was said.
"""

import re

from feedsvc.patterns import pattern
from feedsvc.text.elements import CLOSES_P, TABLE_PARTS
from feedsvc.text.tree import Element, add_after, create, remove, replace, text_before, unwrap, words_of

_NUMBERS = pattern(
    r"(?:^|[\s_-])(?:gutter|rouge-gutter|lineno|linenos|linenum|line-?numbers?|linenodiv|lnt?|hljs-ln-n|blob-num"
    r"|line-numbers-rows|crayon-nums?|hljs-ln-numbers|react-syntax-highlighter-line-number)(?:$|[\s_-])",
    re.IGNORECASE,
)
_LINE = pattern(r"(?:^|\s)(?:line|token-line|code-line|view-line|cl|crayon-line|blob-code|hljs-ln-code)(?:$|\s)")
_TABLE_OF_CODE = pattern(
    r"(?:^|\s)(?:syntaxhighlighter|js-file-line-container|highlighttable|codehilitetable|rouge-table|lntable|hljs-ln"
    r"|crayon-table|blob-wrapper|highlight)(?:$|\s)"
)
_LANGUAGE = pattern(r"(?:^|\s)(?:(?:language|lang|highlight-source)-|brush:\s*)([A-Za-z0-9+#][\w+#.-]*)")
_COUNTING = pattern(r"[0-9\s]*")
_BUTTON = pattern(r"(?:copy|copied!?|copy code|copy to clipboard|kopieren)", re.IGNORECASE)
_KEPT = frozenset(
    {"code", "a", "b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "kbd", "samp", "var", "q"}
)
_BLOCKS = CLOSES_P | TABLE_PARTS


def flatten_listings(root: Element, html: str) -> None:
    """Make plain listings of all in a tree; `html` is what the tree was read from: mostly it holds none."""
    if "<pre" not in html and "<code" not in html and "<table" not in html:
        return
    for button in [element for element in root.iter("button") if _BUTTON.fullmatch(words_of(element))]:
        remove(button)
    for table in [element for element in root.iter("table") if _holds_code(element)]:
        _flatten_table(table)
    for pre in list(root.iter("pre")):
        if not any(True for _ in pre.iterancestors("pre")):
            _flatten(pre)


def _holds_code(table: Element) -> bool:
    """Return whether a table is how a highlighter lays out lines, not one whose cells hold code among words."""
    if any(True for _ in table.iterancestors("pre", "code")):
        return True
    if any(_TABLE_OF_CODE.search(step.get("class") or "") for step in (table, *table.iterancestors())):
        return next(table.iter("pre", "code"), None) is not None or _has_class(table, _LINE)
    cells = list(table.iter("td", "th"))
    numbers = [cell for cell in cells if _COUNTING.fullmatch(words_of(cell))]
    code = [cell for cell in cells if len(cell) and cell[0].tag == "pre"]
    return bool(code) and len(code) + sum(1 for cell in numbers if cell not in code) == len(cells)


def _has_class(element: Element, names: re.Pattern[str]) -> bool:
    return any(names.search(step.get("class") or "") for step in element.iter() if isinstance(step.tag, str))


def _flatten_table(table: Element) -> None:
    """Put one `pre` in the place of a table: of each row what is no number, row by row."""
    if table.getparent() is None:
        return
    language = next(filter(None, map(_language, table.iter("code", "pre", "table"))), None)
    lines = [text for row in table.iter("tr") if (text := _row_text(row)) is not None]
    text = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    if any(True for _ in table.iterancestors("pre", "code")):
        replace(table, text)
        return
    pre = create("pre")
    pre.append(create("code", text, **({"class": f"language-{language}"} if language else {})))
    replace(table, pre)


def _row_text(row: Element) -> str | None:
    """Return the code of a row, without its columns of numbers; None where it has no cells left."""
    code = [cell for cell in row if cell.tag in ("td", "th")]
    while len(code) > 1 and (_is_numbers(code[0]) or _NUMBERS.search(code[0].get("class") or "")):
        del code[0]
    for cell in code:
        _flatten(cell)
    return "".join("".join(cell.itertext()) for cell in code) if code else None


def _is_numbers(element: Element) -> bool:
    return _COUNTING.fullmatch("".join(element.itertext())) is not None


def _flatten(listing: Element) -> None:
    """Leave the text of a listing, its lines apart, and the inline elements that say something."""
    language = _language(listing)
    for element in list(listing.iterdescendants()):
        if element.tag in _BLOCKS or (_is_line(element) and not element.tail and _is_line(element.getnext())):
            _end_line(element)
    for element in reversed(list(listing.iterdescendants())):
        if isinstance(element.tag, str):
            _flatten_element(element)
    code = listing[0] if len(listing) == 1 and listing[0].tag == "code" else None
    if code is not None and language and not (listing.text or "").strip():
        code.set("class", f"language-{language}")
    if listing.tag == "pre":
        listing.text = (listing.text or "").lstrip("\n") or None


def _flatten_element(element: Element) -> None:
    if _NUMBERS.search(element.get("class") or "") and _is_numbers(element):
        remove(element)
    elif element.tag == "br":
        replace(element, "\n")
    elif element.tag == "button":
        remove(element)
    elif element.tag not in _KEPT and element.tag not in ("img", "script", "style"):
        unwrap(element)


def _is_line(element: Element | None) -> bool:
    return element is not None and element.tag == "span" and _LINE.search(element.get("class") or "") is not None


def _end_line(element: Element) -> None:
    """Put a block or line on lines of its own, where something stands before or behind it and there is no line end."""
    before = text_before(element)
    if before.strip(" ") and not before.endswith("\n"):
        element.text = "\n" + (element.text or "")
    text = "".join(element.itertext())
    behind = element.tail or ""
    if text.endswith("\n") or behind.startswith("\n") or (not behind and element.getnext() is None):
        return
    add_after(element, "\n")


def _language(listing: Element) -> str | None:
    """Return the language that a listing, the code in it or what is close around says."""
    inside = [listing, *([listing[0]] if len(listing) and listing[0].tag == "code" else [])]
    for step in [*reversed(inside), *list(listing.iterancestors())[:3]]:
        found = _LANGUAGE.search(f"{step.get('class') or ''} {_data_language(step)}")
        if found:
            return found[1].lower()
    return None


def _data_language(element: Element) -> str:
    language = element.get("data-lang") or element.get("data-language")
    return f"language-{language}" if language else ""
