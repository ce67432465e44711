"""The sources as lists name them: what the configuration says, else what their feeds said last."""

from feedsvc.model import Outline
from feedsvc.settings.tree import Project
from feedsvc.store.connect import exists
from feedsvc.store.store import opened


def outlines(project: Project) -> tuple[Outline, ...]:
    """Return every configured source, in order; the store is only read, and need not be there."""
    channels = {}
    if exists(project.store_url):
        with opened(project.store_url, read_only=True) as store:
            channels = dict(store.channels())
    found = []
    for source in project.settings.sources:
        channel = channels.get(source.id)
        title = source.title or (channel.title if channel else "") or source.id
        home = source.home or (channel.home if channel else "")
        found.append(Outline(source.id, title, source.url, home, source.tags))
    return tuple(found)
