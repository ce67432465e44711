"""When two tags are one, and where a tag's feed lies."""

import hashlib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from feedsvc.patterns import pattern
from feedsvc.text.urls import slugify

_LONGEST = 80
_DIGEST = 8
_PLAIN = pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_GAPS = pattern(r"[\s_-]+")
_LIKE_A_DIGEST = pattern(r"(?:.*-)?[0-9a-f]{8}")


@lru_cache(maxsize=8192)
def tag_slug(tag: str) -> str:
    """Return the folder of a tag's or author's feed: `[a-z0-9-]`, another one for each tag, whatever tags there are.

    Tags that differ only by case, blanks or hyphens are one. A tag that is its own slug has that slug; any other has
    a slug with a digest: `c` is `c`, `C#` and `c++` are `c-…` (G1, S-28, MG-12).
    """
    spelled = _GAPS.sub("-", unicodedata.normalize("NFC", tag).casefold()).strip("-")
    slug = slugify(tag)
    if slug == spelled and _PLAIN.fullmatch(spelled) and not _LIKE_A_DIGEST.fullmatch(spelled):
        return slug
    digest = hashlib.sha256((spelled or tag).encode("utf-8", "replace")).hexdigest()[:_DIGEST]
    return f"{slug[: _LONGEST - _DIGEST - 1].rstrip('-')}-{digest}"


def with_tags(tags: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    """Return tags with more of them behind; of equal ones the first spelling stays (MG-12)."""
    first: dict[str, str] = {}
    for tag in (*tags, *more):
        first.setdefault(tag_slug(tag), tag)
    return tuple(first.values())


def share_a_tag(some: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether a tag stands in both, whatever its case, blanks and hyphens (MG-12)."""
    return not {tag_slug(tag) for tag in some}.isdisjoint(tag_slug(tag) for tag in others)
