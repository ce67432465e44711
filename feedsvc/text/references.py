"""Notes of a text: which links refer to one, which blocks are one. Teasers do without both (T11).

A reference is a link to a fragment of the same entry that reads like a mark (`1`, `[a]`, `*`) and is raised or in
brackets; what it leads to is a note. A link back makes its own block a note: one with an arrow, one that points
backwards, or, in foreign texts, which have lost the ids that would tell, a mark that its block begins with. All other
`sup` and `sub` stay.
"""

import re

from feedsvc.patterns import pattern
from feedsvc.text.elements import BLOCK, HEADINGS
from feedsvc.text.tree import Element

_MARK = pattern(r"[\[(]?(?:[0-9]{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶#]{1,3}|(?:note|fn) ?[0-9]{1,3})[\])]?", re.IGNORECASE)
_BRACKETED = pattern(r"[\[(].*[\])]")
_BACK = pattern(r"[\[(]?[↩↑⤴⏎↵⮐⬆⇑^][\ufe0e\ufe0f]?[0-9]{0,3}[\])]?")
_NOTE = ("li", "dd", "p")
_NO_NOTE = HEADINGS | {"figure", "table", "pre"}
_CLOSING = frozenset(".,;:!?)]")


def drop_notes(root: Element, link: str | None) -> bool:
    """Remove references and notes from the tree of an entry with this link; return whether there were any (T4, T11)."""
    links = [(anchor, fragment) for anchor in root.iter("a") if (fragment := _fragment(anchor, link))]
    if not links:
        return False
    order = {element: place for place, element in enumerate(root.iter())}
    targets = {name: element for element in order if (name := element.get("id"))}
    dropped: list[Element] = []
    for anchor, fragment in links:
        dropped += _of_link(anchor, targets.get(fragment), order)
    for element in dropped:
        _remove(element)
    return bool(dropped)


def _fragment(anchor: Element, link: str | None) -> str:
    """Return which fragment of the same entry the link leads to, "" where it leads elsewhere."""
    address, _, fragment = (anchor.get("href") or "").partition("#")
    return fragment if address in {"", link} else ""


def _of_link(anchor: Element, target: Element | None, order: dict[Element, int]) -> list[Element]:
    """Return what goes because of a link: a reference and its note, the note of a link back, or nothing."""
    said = _said(anchor)
    if _BACK.fullmatch(said):
        return _note_around(anchor)
    if not (_MARK.fullmatch(said) and _stands_out(anchor, said)):
        return []
    if target is None:
        return _note_around(anchor) if _begins_block(anchor) else [_raised(anchor)]
    if order[target] < order[anchor]:
        return _note_around(anchor)
    note = _note_around(target)
    return [_raised(anchor), *note] if note else []


def _said(element: Element) -> str:
    return "".join(element.itertext()).strip()


def _stands_out(anchor: Element, said: str) -> bool:
    """Return whether a mark is raised or in brackets, its own or those around it."""
    raised = any(True for _ in anchor.iterancestors("sup")) or anchor.find(".//sup") is not None
    return raised or bool(_BRACKETED.fullmatch(said)) or _between_brackets(anchor)


def _between_brackets(anchor: Element) -> bool:
    return _text_before(anchor).endswith("[") and (anchor.tail or "").startswith("]")


def _raised(anchor: Element) -> Element:
    """Return the `sup` that holds the reference and no other words, else the reference."""
    parent = anchor.getparent()
    while parent is not None and parent.tag == "sup" and not _has_other_words(parent):
        anchor, parent = parent, parent.getparent()
    return anchor


def _has_other_words(sup: Element) -> bool:
    own = [sup.text or "", *(child.tail or "" for child in sup)]
    marks = all(child.tag == "a" and _MARK.fullmatch(_said(child)) for child in sup if child.tag != "sup")
    return not marks or any(character.isalnum() for text in own for character in text)


def _note_around(element: Element) -> list[Element]:
    """Return the block that is the note: the item of a list, else the paragraph; nothing for a heading or a figure."""
    path = [element, *element.iterancestors()]
    if any(step.tag in _NO_NOTE for step in path):
        return []
    return next(([step] for name in _NOTE for step in path if step.tag == name), [])


def _begins_block(anchor: Element) -> bool:
    """Return whether nothing stands before a mark in its block."""
    step: Element | None = anchor
    while step is not None and step.tag not in BLOCK:
        if step.getprevious() is not None or _text_before(step).strip():
            return False
        step = step.getparent()
    return True


def _text_before(element: Element) -> str:
    previous, parent = element.getprevious(), element.getparent()
    if previous is not None:
        return previous.tail or ""
    return "" if parent is None else parent.text or ""


def _remove(element: Element) -> None:
    """Remove an element, not what follows it; brackets around it and the blank before it go too."""
    parent = element.getparent()
    if parent is None:
        return
    before, after = _text_before(element), element.tail or ""
    if before.endswith("[") and after.startswith("]"):
        before, after = before[:-1], after[1:]
    if after[:1] in _CLOSING:
        before = before.rstrip()
    previous = element.getprevious()
    if previous is not None:
        previous.tail = before + after
    else:
        parent.text = before + after
    element.tail = None
    parent.remove(element)
