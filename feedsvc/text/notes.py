"""Ids in the text of an entry, so that notes work in a document that holds many entries (C2, C3)."""

import hashlib
from collections.abc import Set as AbstractSet
from urllib.parse import unquote

from feedsvc.patterns import pattern
from feedsvc.text.tree import Element

_PLAIN = pattern(r"[A-Za-z0-9_.:-]{1,100}")


def wanted_targets(root: Element) -> frozenset[str]:
    """Return the ids that links in a text lead to."""
    links = (anchor.get("href", "").strip() for anchor in root.iter("a"))
    return frozenset(name for link in links if link[:1] == "#" for name in (link[1:], unquote(link[1:])) if name)


def publish_ids(root: Element, prefix: str, wanted: AbstractSet[str]) -> dict[str, str]:
    """Give each wanted id of a tree the entry's prefix, and remove all others; return what each name is called now.

    Of two equal ids the first counts. `prefix` is any text that no other entry has, such as the entry's key.
    """
    published: dict[str, str] = {}
    start = _short(prefix)
    for element in root.iter():
        name = element.attrib.pop("id", None) or (element.get("name") if element.tag == "a" else None)
        if name and name in wanted and name not in published:
            published[name] = _published(start, name)
            element.set("id", published[name])
    return published


def lookup(published: dict[str, str], fragment: str) -> str | None:
    """Return what the target of a fragment is called now, None where the text has none; `%C3%BC` finds `ü`."""
    return published.get(fragment) or published.get(unquote(fragment))


def drop_unused_ids(root: Element) -> bool:
    """Remove ids that no link leads to any more, because the link went; return whether there were any."""
    links = {anchor.get("href") for anchor in root.iter("a")}
    unused = [element for element in root.iter() if "id" in element.attrib and f"#{element.get('id')}" not in links]
    for element in unused:
        del element.attrib["id"]
    return bool(unused)


def drop_ids(root: Element) -> None:
    """Remove all ids of a tree."""
    for element in root.iter():
        if element.get("id") is not None:
            del element.attrib["id"]


def _short(prefix: str) -> str:
    return f"e{hashlib.sha256(prefix.encode('utf-8', 'replace')).hexdigest()[:10]}-"


def _published(start: str, name: str) -> str:
    """Return the published id of a name; one that has its prefix keeps it, so that cleaning twice gives the same."""
    if name.startswith(start):
        return name
    return start + (
        name if _PLAIN.fullmatch(name) else hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:10]
    )
