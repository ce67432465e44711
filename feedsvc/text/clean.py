"""Markup that may be published, of our own posts and of strangers; the one place that knows nh3.

The way is the same for both: tag soup is balanced (`balance.py`), read into a tree, rewritten there (`formulas.py`,
`listings.py`, `clutter.py`, `rewrite.py`, `notes.py`, `addresses.py`), written, and passed through nh3's allow-list,
last and once more until nothing changes; nothing edits the text after that (S-19).
"""

from collections.abc import Callable
from functools import partial

import nh3
from msgspec import Struct

from feedsvc.text.addresses import Addresses, absolute_fragments
from feedsvc.text.characters import windows_quotes, xml_text
from feedsvc.text.clutter import drop_clutter
from feedsvc.text.elements import BLOCK
from feedsvc.text.formulas import flatten_formulas
from feedsvc.text.listings import flatten_listings
from feedsvc.text.notes import drop_ids, drop_unused_ids, publish_ids, wanted_targets
from feedsvc.text.policy import ATTRIBUTES, FOREIGN, INLINE, OWN, SILENT, STRANGE, drop_attributes, permitted
from feedsvc.text.rewrite import Rewriting, drop_hidden, tidy, to_inline
from feedsvc.text.shortcodes import drop_shortcodes
from feedsvc.text.tree import Element, before_comment, drop_comments, inner, read, remove

__all__ = [
    "Cleaned",
    "Dropped",
    "absolute_fragments",
    "clean_foreign",
    "clean_inline",
    "clean_own",
    "plain",
    "windows_quotes",
    "xml_text",
]


class Dropped(Struct, frozen=True):
    """Something of the author's that is not published as it stands: what it is, and how it is spelled in the text."""

    what: str
    token: str


class Cleaned(Struct, frozen=True):
    """Clean HTML; `lead` is what stands before the more-marker, None without marker (T10); what deserves a warning."""

    html: str
    lead: str | None = None
    dropped: tuple[Dropped, ...] = ()


def clean_own(html: str, link: str | None, prefix: str) -> Cleaned:
    """Return the HTML of a post of ours as it may be published (C1 to C10, S-19 to S-26, T10, T13).

    Addresses resolve against `link`. `prefix` is any text that belongs to this post alone, such as its key: the ids of
    notes are made from it (C3). Ids stay where something in the post leads to them. Cleaning twice gives the same.
    """
    root = read(html, own=True)
    flatten_formulas(root, html)
    drawings = next(root.iter("svg"), None) is not None
    addresses = _rewrite(root, html, link, prefix)
    lead = before_comment(root)
    if lead is not None:
        drop_comments(root)
        tidy(root)
        tidy(lead)
        drop_shortcodes(lead, html)
    shortcodes = drop_shortcodes(root, html)
    once = partial(_own_again, link=link, prefix=prefix)
    return Cleaned(
        _sanitised(_OWN, root, once),
        None if lead is None else _sanitised(_OWN, lead, once),
        (
            *(Dropped(f"the shortcode `{_single(code)}` of another generator", code) for code in shortcodes),
            *([Dropped("an inline `svg` drawing", "<svg")] if drawings else []),
            *(Dropped(f"the address `{_single(address)}`", address) for address in addresses.refused),
        ),
    )


def clean_foreign(html: str, link: str | None) -> Cleaned:
    """Return the HTML of a strange entry as it may be published (S-19 to S-26, CL-01 to CL-07).

    Addresses resolve against `link`; without one, relative addresses go. Links and images carry what keeps readers
    unknown to them (S-21); ids, counters, share buttons and highlighters go.
    """
    root = read(html)
    flatten_formulas(root, html)
    drop_clutter(root)
    _rewrite(root, html, link, None)
    _estrange(root)
    return Cleaned(_sanitised(_FOREIGN, root, lambda again: clean_foreign(again, link).html))


def clean_inline(html: str, link: str | None) -> str:
    """Return HTML as inline markup alone, blocks joined by a blank: a summary from front matter (interface, Teaser)."""
    root = read(html, own=True)
    flatten_formulas(root, html)
    _rewrite(root, html, link, None)
    to_inline(root, INLINE)
    return _sanitised(_INLINE, root, partial(clean_inline, link=link)).strip()


def plain(html: str) -> str:
    """Return the visible text of HTML: no tags, references resolved once, white space single, blocks apart (T16)."""
    root = read(html)
    flatten_formulas(root, html)
    drop_comments(root)
    for element in list(root.iter(*SILENT)):
        remove(element)
    for element in root.iter(*BLOCK):
        element.text = f" {element.text or ''}"
        element.tail = f" {element.tail or ''}"
    return " ".join("".join(root.itertext()).split())


def _own_again(html: str, link: str | None, prefix: str) -> str:
    return clean_own(html, link, prefix).html


def _rewrite(root: Element, html: str, link: str | None, prefix: str | None) -> Addresses:
    """Rewrite a tree into what may be published; `prefix` None: a stranger's, or a summary, without ids."""
    drop_hidden(root, html)
    flatten_listings(root, html)
    own = prefix is not None
    wanted = wanted_targets(root) if own else frozenset[str]()
    addresses = Addresses(link, {})
    Rewriting(OWN if own else FOREIGN, addresses.web, own, wanted).apply(root)
    if prefix is None:
        drop_ids(root)
    else:
        addresses.ids.update(publish_ids(root, prefix, wanted))
    addresses.resolve(root)
    tidy(root)
    if own and drop_unused_ids(root):
        tidy(root)
    drop_attributes(root)
    return addresses


def _sanitised(cleaner: nh3.Cleaner, root: Element, once: Callable[[str], str]) -> str:
    """Return a tree as nh3 lets it pass, "" where only white space is left of it (A5).

    What nh3 has moved may read in another way: then all is done `once` more, until nothing changes (S-26).
    """
    written = inner(root).replace("\xa0", "&nbsp;")
    if written.isspace():
        return ""
    html = cleaner.clean(written)
    if html == written:
        return html
    again = once(html)
    return html if again == html else again


def _estrange(root: Element) -> None:
    """Give a stranger's links and images what keeps readers unknown to them (S-21)."""
    for tag, attributes in STRANGE.items():
        for element in root.iter(tag):
            for name, value in attributes.items():
                element.set(name, value)


def _cleaner(tags: frozenset[str], *, ids: bool = False) -> nh3.Cleaner:
    attributes = {name: set(allowed) for name, allowed in ATTRIBUTES.items()}
    if ids:
        attributes["*"].add("id")
    return nh3.Cleaner(
        tags=set(tags),
        attributes=attributes,
        attribute_filter=permitted,
        clean_content_tags=set(SILENT),
        link_rel=None,
        url_schemes={"http", "https", "mailto", "data"},
    )


def _single(text: str) -> str:
    return " ".join(text.split())[:200]


_OWN = _cleaner(OWN, ids=True)
_FOREIGN = _cleaner(FOREIGN)
_INLINE = _cleaner(INLINE)
