"""Names of authors as feeds write them, such as `ada@example.org (Ada W)`; mail addresses go (MG-07)."""

import re

from feedsvc.collect.raw import RawPerson
from feedsvc.collect.titles import one_line
from feedsvc.model import Person
from feedsvc.text.urls import absolute

_MAIL = r"[^\s@<>()\"]{1,64}@[^\s@<>()\"]{1,255}"
_MAIL_FIRST = re.compile(rf"<?(?:mailto:)?{_MAIL}>?\s*+[(<]\s*+([^()<>]*+)[)>]?")
_MAIL_LAST = re.compile(rf"\"?([^\"<>()]*+)\"?\s*+[(<]\s*+(?:mailto:)?{_MAIL}\s*+[)>]?")
_MAIL_ALONE = re.compile(rf"[<(]?(?:mailto:)?{_MAIL}[>)]?")
_MAIL_THEN_NAME = re.compile(rf"{_MAIL}\s*+[,;:]?\s++(\S.*+)")
LONGEST = 1_000


def people(raw: tuple[RawPerson, ...]) -> tuple[Person, ...]:
    """Return authors in order, each name once, without those who have none."""
    found: dict[str, Person] = {}
    for one in raw:
        name = name_of(one.name)
        if name and name not in found:
            uri = absolute(one.uri.base, one.uri.href) if one.uri and one.uri.href else None
            found[name] = Person(name, url=uri if uri and not uri.startswith("mailto:") else "")
    return tuple(found.values())


def name_of(written: str) -> str:
    """Return the name in what stands for an author, "" where there is a mail address alone."""
    text = one_line(written[:LONGEST])
    for shape in (_MAIL_FIRST, _MAIL_LAST, _MAIL_THEN_NAME):
        found = shape.fullmatch(text)
        if found:
            return found[1].strip(" ,;:\"'")
    return "" if _MAIL_ALONE.fullmatch(text) else text
