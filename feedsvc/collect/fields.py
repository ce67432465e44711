"""Fields of the front matter → what an entry holds: each value as written, then converted by its field (F3)."""

import re
from collections.abc import Iterable, Mapping

from feedsvc.collect.matter import Field, FrontMatter, Value, blank
from feedsvc.collect.media import meant_type, media_type
from feedsvc.collect.notes import Notes, shown
from feedsvc.model import Enclosure, Person
from feedsvc.patterns import pattern
from feedsvc.settings.faults import Unfit
from feedsvc.settings.languages import language
from feedsvc.text.urls import absolute, normal_url
from feedsvc.text.words import has_words

_BLANKS = pattern("[ \t\n\r\f\v\u2028\u2029]+")
# They turn what stands around them: a title would reach out of its place. The marks U+200E and U+200F do not.
_TURNING = pattern("[\u202a-\u202e\u2066-\u2069]")
_BETWEEN_COMMAS = pattern(r"(?:[^,()]|\([^()]*\)|[()])+")
_NAME_AND_MAIL = pattern(r"(?P<name>[^<>@]*?)\s*<(?P<mail>[^<>\s@]+@[^<>\s@]+)>")
_MAIL_AND_NAME = pattern(r"(?P<mail>[^<>\s@]+@[^<>\s@()]+)(?:\s*\((?P<name>[^()]*)\))?")
# `@ada@social.example` is none: it is how somebody is called at a place, as `@ada` is.
_MAIL = pattern(r"[<(\[]?(?<![\w.@+-])[^\s<>()\[\]@]+@[^\s<>()\[\]@]+\.[^\s<>()\[\]@]+[>)\]]?")
_ADDRESS = pattern(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_AND = pattern(r"(?:^|\s)\s*(?:and|&)\s+")
_AFTER_NAMES = pattern(r"(?:[JS]r\.?|I{2,3}|IV|Ph\.?\s?D\.?|M\.?D\.?)", re.IGNORECASE)
_MEDIA_TYPE = pattern(r"[A-Za-z0-9][\w!#$&^.+-]{0,126}/[A-Za-z0-9][\w!#$&^.+-]{0,126}", re.ASCII)
_LENGTH = pattern(r"[0-9]{1,15}")


def one_line(text: str) -> str:
    """Return a text on one line: white space single but for a NO-BREAK SPACE, no bidi controls (S-23).

    A text of which nobody sees anything, such as a lone zero width space, is "" (F8).
    """
    if text.isascii() and text.isprintable() and "  " not in text:  # as nearly all are
        return text.strip()
    line = _BLANKS.sub(" ", _TURNING.sub("", text)).strip()
    return line if line.isascii() or has_words(line) else ""


def plain_text(field: Field | None) -> str:
    """Return a field's text on one line, "" where there is none."""
    return one_line(field.value) if field and isinstance(field.value, str) else ""


def tags(matter: FrontMatter, notes: Notes) -> tuple[str, ...]:
    """Return the tags: from `tags`, then `categories`; a list, a string with commas or one word.

    Without leading `#`, without blank ones; of equal ones by case the first spelling stays, in order. Source: F7.
    """
    known: dict[str, str] = {}
    for key in ("tags", "categories"):
        field = matter.first(key)
        for value in _items(field, notes) if field else ():
            tag = one_line(one_line(value).lstrip("#"))
            if tag:
                known.setdefault(tag.casefold(), tag)
    return tuple(known.values())


def _items(field: Field, notes: Notes) -> Iterable[str]:
    if isinstance(field.value, str):
        return field.value.split(",")
    if isinstance(field.value, tuple):
        odd = [value for value in field.value if not (value is None or isinstance(value, str))]
        if not odd:
            return [value for value in field.value if isinstance(value, str)]
    notes.warn(field.line, f"{field.key} is no list of words: what is nested in it is left out", "bad-tags")
    return [value for value in field.value or () if isinstance(value, str)] if isinstance(field.value, tuple) else ()


def authors(matter: FrontMatter, notes: Notes) -> tuple[Person, ...]:
    """Return who wrote it, from `authors` or else `author`: a string with commas, a table, or a list of both.

    A name is never blank and never an address (A3): of a bare mail address its local part is the name.
    """
    field = matter.first("authors", "author")
    if field is None:
        return ()
    values: Iterable[Value] = field.value if isinstance(field.value, tuple) else (field.value,)
    people: dict[str, Person] = {}
    for value in values:
        for person in _people(value, field, listed=isinstance(field.value, tuple), notes=notes):
            people.setdefault(person.name, person)
    return tuple(people.values())


def _people(value: Value, field: Field, *, listed: bool, notes: Notes) -> list[Person]:
    if isinstance(value, str):
        people = [_person(one_line(name)) for name in ([value] if listed else _names(value))]
        for person in people:
            if person.url:
                notes.warn(field.line, f"{field.key} is an address, not a name: {shown(person.url)}", "bad-author")
        return [person for person in people if person.name]
    if isinstance(value, Mapping):
        person = _person_of_table(value, field, notes)
        if person.name:
            return [person]
    if not blank(value):
        notes.warn(field.line, f"{field.key} holds one without a name: give it `name`", "bad-author")
    return []


def _names(text: str) -> list[str]:
    """Return the names of a string with commas; `, Jr.` and a comma in brackets belong to the name before.

    In a list of several the last comma may be an `and`: `Ada, Bo and Cy`, not `Smith and Sons`.
    """
    names: list[str] = []
    for part in _BETWEEN_COMMAS.findall(text):
        if names and _AFTER_NAMES.fullmatch(part.strip()):
            names[-1] += f", {part.strip()}"
        else:
            names.append(part)
    return [*names[:-1], *_AND.split(names[-1])] if len(names) > 1 else names


def _person(text: str) -> Person:
    text = text.removeprefix("mailto:")
    for shape in (_NAME_AND_MAIL, _MAIL_AND_NAME):
        if found := shape.fullmatch(text):
            name = one_line((found["name"] or "").strip("\"' "))
            return Person(name or found["mail"].partition("@")[0], email=found["mail"])
    if _ADDRESS.fullmatch(text):
        return Person("", url=text)
    return Person(one_line(_MAIL.sub("", text)) if "@" in text else text)


def _person_of_table(table: Mapping[str, Value], field: Field, notes: Notes) -> Person:
    name = _string(table, "name")
    email = _string(table, "email", "mail")
    written = _string(table, "url", "uri", "homepage", "website")
    url = normal_url(written) if written else ""
    if url is None:
        notes.warn(field.line, f"the address of the author is no http(s) address: {shown(written)}", "bad-url")
    if "@" not in email:
        email = ""
    named = _person(name) if name else Person("")
    return Person(named.name or email.partition("@")[0], email or named.email, url or "")


def _string(table: Mapping[str, Value], *keys: str) -> str:
    for key in keys:
        value = table.get(key)
        if isinstance(value, str) and value.strip():
            return one_line(value)
    return ""


def tongue(matter: FrontMatter, notes: Notes) -> str | None:
    """Return `lang`, a BCP 47 tag; any other value is dropped with a warning (F12)."""
    field = matter.first("lang")
    if field is None:
        return None
    try:
        return language(field.value.strip() if isinstance(field.value, str) else "")
    except Unfit as fault:
        notes.warn(field.line, f"lang {fault}; it is left out", "bad-language")
        return None


def image(matter: FrontMatter, link: str, notes: Notes) -> str | None:
    """Return the address of the post's image, resolved against its link; what is none is named and left out."""
    field = matter.first("image")
    if field is None:
        return None
    value = field.value
    written = _string(value, "url", "src", "path") if isinstance(value, Mapping) else value
    url = _web_address(link, written) if isinstance(written, str) else None
    if url is None:
        notes.warn(field.line, f"image is no http(s) address: {shown(written)}; it is left out", "bad-url")
    return url


def enclosures(matter: FrontMatter, link: str, notes: Notes) -> tuple[Enclosure, ...]:
    """Return the media files of a post: each a table of url, type and length, or an address alone.

    A type that is not given comes from the suffix, else it is None. Source: S5, interface "Front matter".
    """
    field = matter.first("enclosure")
    if field is None:
        return ()
    values: Iterable[Value] = field.value if isinstance(field.value, tuple) else (field.value,)
    found = [_enclosure(value, field, link, notes) for value in values if not blank(value)]
    return tuple(enclosure for enclosure in found if enclosure)


def _enclosure(value: Value, field: Field, link: str, notes: Notes) -> Enclosure | None:
    table: Mapping[str, Value] = value if isinstance(value, Mapping) else {"url": value}
    written = _string(table, "url", "href", "src")
    url = _web_address(link, written)
    if url is None:
        notes.warn(field.line, f"enclosure has no http(s) address: {shown(written)}; it is left out", "bad-url")
        return None
    length = _string(table, "length", "size")
    if length and not _LENGTH.fullmatch(length):
        notes.warn(field.line, f"the length of the enclosure is no number of bytes: {shown(length)}", "bad-enclosure")
        length = ""
    kind = _type(_string(table, "type", "mime_type"), url, field, notes)
    return Enclosure(url, kind, int(length) if length else None, _string(table, "title"))


def _type(written: str, url: str, field: Field, notes: Notes) -> str | None:
    if _MEDIA_TYPE.fullmatch(written):
        return meant_type(written)
    if written:
        notes.warn(field.line, f"the type of the enclosure is no media type: {shown(written)}", "bad-enclosure")
    known = media_type(url.partition("?")[0].partition("#")[0])
    if known is None:
        message = f"the type of the enclosure {shown(url)} is not known: it is left out of RSS; add its type"
        notes.warn(field.line, message, "untyped-enclosure")
    return known


def _web_address(link: str, written: str) -> str | None:
    """Return an address resolved against the link; mail addresses and blank ones are none."""
    url = absolute(link, written) if written.strip() else None
    return None if url is None or url.startswith("mailto:") else url
