"""What hubs are told after a build: the feeds that changed, each by its self address (W-07)."""

from collections.abc import Mapping

from feedsvc.cli.edges import report
from feedsvc.collect.answers import Failed
from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.hosts import HostBlocks
from feedsvc.model import FEED_FILES, archive_in
from feedsvc.publish.websub import FILE, Post, Publisher
from feedsvc.service.asking import fetch_policy
from feedsvc.service.build import Built
from feedsvc.service.onepoll import Clock
from feedsvc.settings.tree import Project
from feedsvc.store.store import Store


def changed_feeds(here: Project, done: Built) -> tuple[str, ...]:
    """Return the addresses of the feeds that a build changed; nobody subscribes to an archive."""
    base, names = here.settings.output.url, FEED_FILES.values()
    changed = (path for path in done.published.changed if path.rpartition("/")[2] in names and not archive_in(path))
    return tuple(base + path for path in changed)


def poster(fetcher: Fetcher, now: Clock) -> Post:
    """Return what sends a form through the guard of every request."""

    def post(url: str, form: Mapping[str, str]) -> str:
        answer = fetcher.post(url, form, now())
        return answer.message if isinstance(answer, Failed) else ""

    return post


def tell_hubs(here: Project, done: Built, store: Store, now: Clock) -> None:
    """Tell the hubs once, and remember for the next run what failed; a failure is a warning and no more.

    A hub is a host like every other: what it asks for by Retry-After holds for all runs, and for polls (F-14, F-18).
    """
    moment = now()
    publisher = Publisher(here.state / FILE)
    publisher.changed(here.settings.websub.hubs, changed_feeds(here, done), moment)
    if publisher.waiting:
        blocks = HostBlocks(store.blocks(moment))
        fetcher = Fetcher(fetch_policy(here.settings), blocks=blocks)
        try:
            report(publisher.send(poster(fetcher, now), moment))
        finally:
            fetcher.close()
            store.block(blocks.known(moment))
