"""What the store holds, read beside whatever else works on it; changes nothing and takes no lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from msgspec.structs import replace

from feedsvc.service.documents import NOTHING, Foreign
from feedsvc.service.foreign import Texts, foreign_of
from feedsvc.settings.tree import Project
from feedsvc.store.connect import exists
from feedsvc.store.store import opened


@contextmanager
def stored(project: Project, now: datetime) -> Iterator[Foreign]:
    """Give what a build would take from the store, and what it would leave there: entries of sources that are disabled
    or not configured any more. Texts can be read for as long as this holds.
    """
    if not exists(project.store_url):
        yield NOTHING
        return
    with opened(project.store_url, read_only=True) as store:
        taken = foreign_of(project, store, now)
        known = {(entry.source, entry.key) for entry in taken.entries}
        left = [entry for entry in store.entries(every=True) if (entry.source, entry.key) not in known]
        entries = (*taken.entries, *left)
        yield replace(taken, entries=entries, whole=Texts(store, entries).whole)
