"""Entries with all that feeds need of them, made when one asks for it and once only."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.compose.select import folded, word_in
from feedsvc.compose.tags import with_tags
from feedsvc.model import Entry, Teaser, Text
from feedsvc.settings.tree import Settings, Topic
from feedsvc.text.teaser import ANY_LANGUAGE, TeaserRules, tease, tease_foreign

Complete = Callable[[Entry], Entry | None]
Tease = Callable[[Entry, TeaserRules], Teaser]
Ahead = Callable[[Sequence[Entry]], None]


class Told(Struct, frozen=True):
    """An entry with its text, its topics among its tags, its teaser, and the fields in which words are looked for."""

    entry: Entry
    teaser: Teaser
    fields: tuple[str, ...]


class Reader:
    """Completes entries, teases them and finds their topics; remembers each for one build."""

    def __init__(self, complete: Complete, tease: Tease, rules: TeaserRules, topics: Sequence[Topic]) -> None:
        self._complete = complete
        self._tease = tease
        self._rules = rules
        self._topics = tuple(topics)
        self.topics = tuple(topic.title or topic.name for topic in topics)
        self._told: dict[tuple[str, str], Told | None] = {}

    def told(self, entry: Entry) -> Told | None:
        """Return all that is to be told of an entry; None where its text cannot be read.

        Filters of a source ask before ids are settled, so the id is that of the entry one asks with.
        """
        key = (entry.source, entry.key)
        if key not in self._told:
            self._told[key] = self._tell(entry)
        told = self._told[key]
        if told is None or told.entry.id == entry.id:
            return told
        return replace(told, entry=replace(told.entry, id=entry.id))

    def _tell(self, entry: Entry) -> Told | None:
        whole = entry if entry.text is not None else self._complete(entry)
        if whole is None:
            return None
        teaser = self._tease(whole, self._rules)
        fields = tuple(folded(field) for field in (whole.title or "", teaser.text, *whole.tags))
        topics = (topic.title or topic.name for topic in self._topics if word_in(fields, topic.match) is not None)
        return Told(replace(whole, tags=with_tags(whole.tags, topics)), teaser, fields)


def teaser_of(entry: Entry, rules: TeaserRules) -> Teaser:
    """Return the teaser of an entry that has its text."""
    text = entry.text or Text()
    if entry.own:
        return tease(text, entry.link, entry.lang, rules)
    return tease_foreign(text, entry.title, entry.link, entry.lang, rules)


def rules_of(settings: Settings) -> TeaserRules:
    """Return the rules of teasers as configured."""
    teaser = settings.teaser
    more = {ANY_LANGUAGE: teaser.more} if isinstance(teaser.more, str) else dict(teaser.more)
    return TeaserRules(teaser.words, teaser.ellipsis, more, settings.site.language)
