"""What a build takes from the store: entries with their origin and authors, and the sources that are merged."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from feedsvc.collect.entrydates import moment_of
from feedsvc.collect.found import FoundChannel
from feedsvc.model import Entry, Origin, Outline, Person, Text
from feedsvc.render.about import Source as Listed
from feedsvc.service.documents import Foreign
from feedsvc.service.held import poll_policy
from feedsvc.service.statuses import Status, statuses
from feedsvc.settings.tree import Project, Settings, Source
from feedsvc.store.entries import Key
from feedsvc.store.store import Store
from feedsvc.text.urls import is_feed_id, minted_id, normal_url

_AT_ONCE = 200
_STATES: Mapping[str, Literal["well", "waiting", "failing", "off"]] = {
    "ok": "well",
    "waiting": "waiting",
    "disabled": "off",
    "gone": "off",
}


class Texts:
    """The texts of entries, read from the store when one is asked for, with those that come next to it."""

    def __init__(self, store: Store, entries: Sequence[Entry]) -> None:
        self._store = store
        newest = sorted(entries, key=lambda entry: entry.published, reverse=True)
        self._keys: list[Key] = [(entry.source, entry.key) for entry in newest]
        self._places = {key: place for place, key in enumerate(self._keys)}
        self._read: dict[Key, Text] = {}

    def whole(self, entry: Entry) -> Entry | None:
        """Return an entry with its text, None where the store has it no more."""
        key = (entry.source, entry.key)
        if key not in self._read and key in self._places:
            place = self._places[key]
            self._read.update(self._store.texts(self._keys[place : place + _AT_ONCE]))
        text = self._read.get(key)
        return None if text is None else replace(entry, text=text)


def foreign_of(project: Project, store: Store, now: datetime) -> Foreign:
    """Return what a build takes from the store of a project."""
    found = statuses(project.settings, store.remembered(), poll_policy(project.settings), now)
    return foreign(project.settings, store, found, now)


def foreign(settings: Settings, store: Store, found: Sequence[Status], now: datetime) -> Foreign:
    """Return what the store holds for a build; `found` is how each source stands. Entries come without text."""
    channels = store.channels()
    origins = {source.id: origin_of(settings, source, channels.get(source.id), now) for source in settings.sources}
    entries = tuple(_with_origin(entry, origins[entry.source]) for entry in store.entries() if entry.source in origins)
    newest = {entry.source: entry.published for entry in sorted(entries, key=_published) if entry.published <= now}
    outlines = tuple(
        Outline(source.id, origins[source.id].title, source.url, origins[source.id].home, source.tags)
        for source in settings.sources
        if source.enabled
    )
    listed = tuple(_listed(one, origins[one.id], newest.get(one.id)) for one in found)
    return Foreign(entries, outlines, listed, Texts(store, entries).whole)


def origin_of(settings: Settings, source: Source, channel: FoundChannel | None, now: datetime) -> Origin:
    """Return what published entries say of their source (MG-05): the configured title wins (MG-08)."""
    said = channel or FoundChannel()
    minted = minted_id(settings.site.id_authority, "sources", source.id)
    return Origin(
        id=said.id if is_feed_id(said.id) else minted,
        title=source.title or said.title or source.id,
        url=source.url,
        home=source.home or normal_url(said.home) or "",
        updated=moment_of(said.updated, ZoneInfo(settings.site.timezone), now),
        authors=said.authors,
        rights=said.rights,
    )


def _with_origin(entry: Entry, origin: Origin) -> Entry:
    """Return an entry with an origin and at least one author: its own, its source's, the feed's, the title (MG-07)."""
    own = entry.origin
    authors = entry.authors or (own.authors if own else ()) or origin.authors or (Person((own or origin).title),)
    return replace(entry, origin=own or origin, authors=authors)


def _listed(status: Status, origin: Origin, newest: datetime | None) -> Listed:
    """Return a source as the public page shows it: it never tells why a poll failed (S-07)."""
    state = _STATES.get(status.word, "failing")
    words = {
        "well": "Answers as it should.",
        "waiting": "Has not been asked yet.",
        "off": "Is not asked any more.",
        "failing": "Does not answer as it should; what it said before stays.",
    }
    return Listed(origin.title, status.url, origin.home, state, words[state], newest)


def _published(entry: Entry) -> datetime:
    return entry.published
