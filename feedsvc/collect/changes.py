"""Whether an entry that is seen again says something else than before (ID-09).

White space, counters of comments and likes, and tracking parameters are no change.
"""

import re

from feedsvc.model import Enclosure, Entry, Text
from feedsvc.patterns import pattern

_TRACKING = pattern(r"([?&]|&amp;)(?:utm_\w{1,30}|mc_\w{1,30}|fbclid|gclid|ref|source)=[^&\"'\s<>#]*+", re.IGNORECASE)
_COUNTED = (
    r"comments?|views?|likes?|shares?|reads?|repl(?:y|ies)|reactions?|responses?|retweets?|reposts?|upvotes?|votes?|"
    r"points?|stars?|downloads?|followers?|subscribers?|claps?|visits?"
)
_COUNTER = pattern(
    rf"\b[0-9][0-9.,]{{0,12}}[km]?\s?(?:{_COUNTED})\b|\b(?:{_COUNTED})\s?[:(]?\s?[0-9][0-9.,]{{0,12}}[km]?\)?",
    re.IGNORECASE,
)
_BLANKS = pattern(r"\s+")


def is_changed(before: Entry, after: Entry) -> bool:
    """Return whether title, link, text, authors, tags, enclosures, picture, language or origin say something else."""
    return _said(before) != _said(after)


def untracked(address: str) -> str:
    """Return an address without the parameters that only count readers."""
    return _TRACKING.sub(r"\1", address).replace("&amp;", "&").rstrip("?&") if "=" in address else address


def _said(entry: Entry) -> tuple[object, ...]:
    text = entry.text or Text()
    return (
        _words(entry.title or ""),
        untracked(entry.link or ""),
        _words(text.content),
        _words(text.summary),
        tuple(person.name for person in entry.authors),
        frozenset(tag.casefold() for tag in entry.tags),
        tuple(_file(each) for each in entry.enclosures),
        untracked(entry.image or ""),
        entry.lang,
        entry.origin and (entry.origin.id, entry.origin.title, entry.origin.url, entry.origin.home),
    )


def _words(text: str) -> str:
    return _BLANKS.sub(" ", _COUNTER.sub("#", _TRACKING.sub(r"\1", text))).strip()


def _file(enclosure: Enclosure) -> tuple[str, str | None, int | None]:
    return untracked(enclosure.url), enclosure.type, enclosure.length
