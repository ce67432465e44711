"""Whether a post may be published at all: drafts, and what is not for everyone (F10, F11).

In doubt it may not: a mark that is neither yes nor no keeps the post out, with a warning.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum

from msgspec import Struct

from feedsvc.collect.matter import Field, FrontMatter, Value
from feedsvc.collect.notes import Notes, shown

_YES = frozenset({"true", "yes", "on", "1", "y", "t"})
_NO = frozenset({"false", "no", "off", "0", "n", "f"})
_PUBLIC = frozenset({"published", "publish", "public"})
_MARKS = frozenset({"draft", "published", "status", "visibility", "private", "password", "feed"})
_WAITING = frozenset({"draft", "drafts", "unpublished", "pending", "scheduled"})


class Outcome(StrEnum):
    """What became of a file in posts/."""

    PUBLISHED = "published"
    DRAFT = "draft"
    RESTRICTED = "restricted"
    UNLISTED = "unlisted"
    SKIPPED = "skipped"


class Refusal(Struct, frozen=True):
    """Why a post is kept out: the kind, the reason in words, the line of the key, and whether to warn of it."""

    outcome: Outcome
    reason: str
    line: int
    warn: bool = False


def truth(value: Value) -> bool | None:
    """Return what a mark says in any spelling, yes or no, and None where it says neither (F10)."""
    word = value.strip().lower() if isinstance(value, str) else ""
    return True if word in _YES else False if word in _NO else None


def refusal(matter: FrontMatter, is_date: Callable[[str], bool], notes: Notes) -> Refusal | None:
    """Return why the post stays out, or None; what deserves a warning is noted.

    A draft is a draft, whatever else it is. Source: F10, F11, interface "Front matter".
    """
    if _MARKS.isdisjoint(matter.fields):
        return None
    drafts = [found for found in _drafts(matter, is_date) if found]
    closed = drafts or [found for found in (*_restrictions(matter), _unlisted(matter)) if found]
    for found in closed:
        if found.warn:
            notes.warn(found.line, f"{found.reason}: the post is not published", f"{found.outcome}-post")
    return closed[0] if closed else None


def _drafts(matter: FrontMatter, is_date: Callable[[str], bool]) -> Iterator[Refusal | None]:
    if field := matter.fields.get("draft"):
        yield _draft_mark(field)
    if field := matter.fields.get("published"):
        yield _published_mark(field, is_date)
    if field := matter.fields.get("status"):
        yield _status(field)


def _draft_mark(field: Field) -> Refusal | None:
    said = truth(field.value)
    if said is None:
        return Refusal(Outcome.DRAFT, _neither(field), field.line, warn=True)
    return Refusal(Outcome.DRAFT, "it is marked as a draft", field.line) if said else None


def _published_mark(field: Field, is_date: Callable[[str], bool]) -> Refusal | None:
    said = truth(field.value)
    if said is False:
        return Refusal(Outcome.DRAFT, "it is marked as not published", field.line)
    if said is None and not (isinstance(field.value, str) and is_date(field.value)):
        reason = f"published is {_said(field)}, which is neither yes nor no nor a date that can be read"
        return Refusal(
            Outcome.SKIPPED if _is_meant_as_date(field.value) else Outcome.DRAFT, reason, field.line, warn=True
        )
    return None


def _is_meant_as_date(value: Value) -> bool:
    """Return whether a mark that cannot be read was to be a date: then the post is skipped for a fault (D2)."""
    return isinstance(value, str) and sum(one.isdigit() for one in value) > 1


def _status(field: Field) -> Refusal | None:
    word = field.value.strip().lower() if isinstance(field.value, str) else None
    if word in _PUBLIC:
        return None
    reason = f'the status is {_said(field)}, not "published"'
    return Refusal(Outcome.DRAFT, reason, field.line, warn=word not in _WAITING)


def _restrictions(matter: FrontMatter) -> Iterator[Refusal]:
    if (field := matter.fields.get("visibility")) and not _is_public(field.value):
        reason = f'its visibility is {_said(field)}, not "public"'
        yield Refusal(Outcome.RESTRICTED, reason, field.line, warn=True)
    if (field := matter.fields.get("private")) and truth(field.value) is not False:
        yield Refusal(Outcome.RESTRICTED, "it is marked private", field.line, warn=True)
    if field := matter.fields.get("password"):
        yield Refusal(Outcome.RESTRICTED, "it has a password", field.line, warn=True)


def _is_public(value: Value) -> bool:
    return isinstance(value, str) and value.strip().lower() == "public"


def _unlisted(matter: FrontMatter) -> Refusal | None:
    field = matter.fields.get("feed")
    said = truth(field.value) if field else True
    if field is None or said:
        return None
    if said is None:
        return Refusal(Outcome.UNLISTED, _neither(field), field.line, warn=True)
    return Refusal(Outcome.UNLISTED, "its front matter says `feed: false`", field.line)


def _neither(field: Field) -> str:
    return f"{field.key} is {_said(field)}, which is neither yes nor no"


def _said(field: Field) -> str:
    return "empty" if field.value is None else shown(field.value)
