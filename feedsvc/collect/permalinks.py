"""Where a post is found and what it is called for ever: date and slug from its file's name, link, id.

Sources: F9, I1 to I3, I7, S-28, interface "An entry in a feed".
"""

import unicodedata
from datetime import datetime
from urllib.parse import quote

from feedsvc.collect.matter import Field, FrontMatter, PostFault
from feedsvc.collect.notes import Notes, shown
from feedsvc.patterns import pattern
from feedsvc.text.urls import absolute, is_absolute_uri, minted_id, slugify

_DATE = pattern(r"(?P<date>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(?:[-_. ]+|$)")
_FOLDER_FILES = frozenset({"index", "readme"})
_PATH_CHARACTERS = "/-._~!$&'()*+,;=:@"
_LONGEST_SLUG = 200
_NO_SEGMENTS = frozenset({"", ".", ".."})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
"""What is not seen either, but writes Persian and the scripts of India."""


def key_of(path: str) -> str:
    """Return the key of a post: its path in posts/ without extension, in NFC, so that it is one on every machine."""
    return unicodedata.normalize("NFC", _bare(path))


def named_date(path: str) -> str | None:
    """Return the date that leads the file's name, for `index` and `README` the folder's, as it is written there."""
    found = _DATE.match(_own_name(path))
    return found["date"] if found else None


def slug_of(matter: FrontMatter, path: str) -> str:
    """Return the slug: the front matter's, else the file's name without extension and leading date (F9).

    Raises PostFault for a slug that leads elsewhere (S-28). A file's name that would do so is spelled as a slug.
    """
    if field := matter.first("slug"):
        return _given(field)
    name = _own_name(path)
    plain = unicodedata.normalize("NFC", _DATE.sub("", name, count=1) or name)
    return slugify(plain) if _fault(plain) else plain


def canonical_of(matter: FrontMatter, site_url: str, notes: Notes) -> str | None:
    """Return `canonical_url` as an http(s) address; one that is none is named and left aside."""
    field = matter.first("canonical_url")
    url = absolute(site_url, field.value) if field and isinstance(field.value, str) else None
    if url and not url.startswith("mailto:"):
        return url
    if field:
        message = f"canonical_url is no http(s) address: {shown(field.value)}; the permalink is used"
        notes.warn(field.line, message, "bad-url")
    return None


def permalink(site_url: str, pattern: str, slug: str, day: datetime) -> str:
    """Return the address of a post below the site: ASCII, percent-encoded once (I7).

    `day` is the post's date in the zone of the site, `pattern` may name {slug}, {year}, {month} and {day}.
    """
    filled = pattern.lstrip("/")
    if "{" in filled.replace("{slug}", ""):
        filled = filled.replace("{year}", f"{day:%Y}").replace("{month}", f"{day:%m}").replace("{day}", f"{day:%d}")
    return site_url + quote(filled.replace("{slug}", slug), safe=_PATH_CHARACTERS)


def id_of(matter: FrontMatter, key: str, authority: str) -> str:
    """Return the id: the front matter's as it stands, else one minted from the key (I1, I2, I3).

    Raises PostFault for an id that is no absolute URI.
    """
    field = matter.first("id")
    if field is None:
        return minted_id(authority, key)
    if isinstance(field.value, str) and is_absolute_uri(field.value):
        return field.value
    message = f"the id is no absolute URI: {shown(field.value)}; write one such as tag:site.example,2026:name, or none"
    raise PostFault(message, field.line, "bad-id")


def _own_name(path: str) -> str:
    """Return the name that speaks for a post: of `2026/talk/index.md` that is `talk`."""
    folder, _, name = _bare(path).rpartition("/")
    return folder.rpartition("/")[2] or name if name.lower() in _FOLDER_FILES else name


def _bare(path: str) -> str:
    """Return a path without extension; the dot of a hidden file begins none."""
    bare, dot, extension = path.rpartition(".")
    return bare if dot and "/" not in extension and bare.rpartition("/")[2].strip(".") else path


def _given(field: Field) -> str:
    if not isinstance(field.value, str):
        raise PostFault(f"the slug is {shown(field.value)}, not a word", field.line, "bad-slug")
    slug = unicodedata.normalize("NFKC", field.value.strip())
    if fault := _fault(slug):
        raise PostFault(
            f"the slug {shown(field.value)} {fault}: write letters, digits and hyphens", field.line, "bad-slug"
        )
    return slug


def _fault(slug: str) -> str | None:
    """Return what is wrong with a slug after NFKC, in words, or None (S-28)."""
    if len(slug) > _LONGEST_SLUG:
        return f"is longer than {_LONGEST_SLUG} characters"
    if not _NO_SEGMENTS.isdisjoint(slug.split("/")):
        return "has an empty segment, `.` or `..`"
    if "\\" in slug or "%" in slug:
        return "holds `\\` or `%`"
    unseen = not slug.isprintable() and any(
        unicodedata.category(one) in _UNSEEN and one not in _JOINERS for one in slug
    )
    return "holds a control character" if unseen or not slug.strip(_JOINERS) else None
