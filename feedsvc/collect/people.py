"""Names of authors as feeds write them: `ada@example.org (Ada W)`. Mail addresses and markup go (MG-07, S-22)."""

from feedsvc.collect.raw import Form, Part, RawPerson
from feedsvc.collect.titles import title_of
from feedsvc.model import Person
from feedsvc.patterns import pattern
from feedsvc.text.urls import absolute

_MAIL = r"[^\s@<>()\[\]\",;]{1,64}@[^\s@<>()\[\]\",;]{1,255}"
_MAIL_FIRST = pattern(rf"<?(?:mailto:)?{_MAIL}>?\s*+[(<]\s*+([^()<>]*+)[)>]?")
_MAIL_LAST = pattern(rf"\"?([^\"<>()]*+)\"?\s*+[(<]\s*+(?:mailto:)?{_MAIL}\s*+[)>]?")
_MAIL_THEN_NAME = pattern(rf"{_MAIL}\s*+[,;:]?\s++(\S.*+)")
_MAIL_INSIDE = pattern(rf"[<(\[]?\s*+(?:mailto:)?{_MAIL}\s*+[)>\]]?")
_EDGES = " ,;:|/\"'-\u2013\u2014"
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
    text = title_of(Part(written[:LONGEST], Form.UNSAID))
    if "@" not in text:
        return text
    for shape in (_MAIL_FIRST, _MAIL_LAST, _MAIL_THEN_NAME):
        found = shape.fullmatch(text)
        if found:
            return _without_mail(found[1])
    return _without_mail(text)


def _without_mail(text: str) -> str:
    """Return a name without the mail addresses that stand in it, wherever they do."""
    rest, mails = _MAIL_INSIDE.subn(" ", text)
    return " ".join(rest.split()).strip(_EDGES) if mails else text.strip(" ,;:\"'")
