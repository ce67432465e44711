"""Names that are published for ever: slugs of what we name ourselves, and ids."""

import hashlib
import unicodedata
from collections.abc import Collection
from urllib.parse import quote

from feedsvc.patterns import pattern
from feedsvc.text.characters import xml_text

_LONGEST_SLUG = 80
_LONGEST_KEY = 200
_RESERVED = frozenset({"index", "feed", "atom", "rss", "con", "nul", "prn", "aux"}) | {
    f"{device}{number}" for device in ("com", "lpt") for number in range(10)
}
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "ng"}
)
_MARKS = pattern("['’ʼ\u0300-\u036f]")
_OTHERS = pattern("[^a-z0-9]+")

_URI = pattern(r"([A-Za-z][A-Za-z0-9+.-]*):((?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)")
_HOST = pattern(r"//(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?)\.?(?::[0-9]{1,5})?(?:[/?#].*)?")
_TAG = pattern(
    r"(?:[a-z0-9._-]+@)?[a-z0-9]+(?:[.-]+[a-z0-9]+)*,[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?"
    r":[^\[\]#]*(?:#[^\[\]#]*)?"
)
_URN = pattern(
    r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?:(?P<name>[^/?#\[\]][^?#\[\]]*)(?:\?[+=][^#\[\]]+)?(?:#[^#\[\]]*)?"
)
_SPECIFIC = "/:@!$&'()*+,;=~"
_UUID = pattern(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_BY_SCHEME = {"http": _HOST, "https": _HOST, "tag": _TAG, "urn": _URN}
_ACTIVE = frozenset({"javascript", "vbscript", "data"})


def slugify(text: str, taken: Collection[str] = ()) -> str:
    """Return `[a-z0-9]+(-[a-z0-9]+)*` of at most 80 characters for a title, tag or name; never one of `taken` (S-28).

    Latin letters lose their marks. Where letters of other scripts are lost, a digest of the text stands for them, so
    that the slug is the same on every run whatever else there is.
    """
    folded = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    words = _OTHERS.sub("-", _MARKS.sub("", folded)).strip("-")
    lost = any(character.isalnum() and not character.isascii() for character in folded)
    ending = f"-{_digest(text)}" if lost or not words else "-1" if words in _RESERVED else ""
    slug, number = _shortened(words, ending), 1
    while slug in taken:
        number += 1
        slug = _shortened(words, f"{ending}-{number}")
    return slug


def minted_id(authority: str, *parts: str) -> str:
    """Return `tag:<authority>:<parts joined by a slash>` in ASCII, authority in lower case (I3, RFC 4151).

    `%` is encoded as well, so that two paths never share an id.
    """
    return f"tag:{authority.lower()}:" + "/".join(quote(part, safe=_SPECIFIC) for part in parts)


def foreign_id(authority: str, source: str, key: str) -> str:
    """Return the id that we make for an entry of a source from its key there; it never changes (ID-07).

    A colon parts the two: behind a slash, a key would read like an address. A key that is long, or holds what XML
    can't carry, is a digest.
    """
    if len(key) > _LONGEST_KEY or key != xml_text(key):
        key = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
    return minted_id(authority, "sources", f"{source}:{key}")


def is_absolute_uri(text: str) -> bool:
    """Return whether a text may be published as an id: an absolute URI, ASCII, valid for its scheme (ID-07).

    RFC 3986 for all; http and https have a host, tag: RFC 4151, urn: RFC 8141, but a namespace of one letter passes:
    feeds have them. A scheme that runs code is none.
    """
    uri = _URI.fullmatch(text)
    if uri is None:
        return False
    scheme, rest = uri[1].lower(), uri[2]
    if scheme == "tag" and uri[1] != scheme:
        return False
    known = _BY_SCHEME.get(scheme)
    if scheme in _ACTIVE or (known is not None and not known.fullmatch(rest)):
        return False
    return not (scheme == "urn" and rest.lower().startswith("uuid:")) or _UUID.fullmatch(rest[5:]) is not None


def is_feed_id(text: str) -> bool:
    """Return whether a text may stand as the id of a strange feed: any absolute URI, `urn:planet` too (MG-05).

    A `urn:uuid:` that is no UUID is none: validators refuse the document for it.
    """
    uri = _URI.fullmatch(text)
    is_urn = uri is not None and uri[1].lower() == "urn" and not uri[2].lower().startswith("uuid:")
    return is_absolute_uri(text) or is_urn


def _digest(text: str) -> str:
    return hashlib.sha256(unicodedata.normalize("NFC", text.casefold()).encode("utf-8", "replace")).hexdigest()[:8]


def _shortened(words: str, ending: str) -> str:
    return (words[: _LONGEST_SLUG - len(ending)].rstrip("-") + ending).strip("-")
