"""The work of the daemon, wired: one store, one fetcher and one guard for as long as a configuration holds."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from threading import Event

from feedsvc.cli.dress import dress
from feedsvc.cli.hubs import changed_feeds, poster
from feedsvc.collect.fetch import Fetcher
from feedsvc.collect.found import ParsedFeed, Received, Unread
from feedsvc.collect.guard import Guard
from feedsvc.errors import StoreError
from feedsvc.model import Diagnostic
from feedsvc.serve.metrics import Metrics
from feedsvc.serve.plan import Log, Made, Offer
from feedsvc.service.asking import fetch_policy
from feedsvc.service.build import Built
from feedsvc.service.cycle import deps_of, poll_policy, store_of
from feedsvc.service.planet import built_and_tidied
from feedsvc.service.poll import poll
from feedsvc.service.polled import Polled
from feedsvc.service.statuses import Status, statuses
from feedsvc.settings.tree import Project


def present() -> datetime:
    """Return now; the daemon goes by the time, whatever SOURCE_DATE_EPOCH says."""
    return datetime.now(UTC)


class OpenWork:
    """Implements serve/plan.py's Work for one project."""

    def __init__(self, project: Project, metrics: Metrics, log: Log, log_poll: Callable[[Polled], None]) -> None:
        self._project, self._log, self._log_poll = project, log, log_poll
        self._policy = poll_policy(project.settings)
        self._told: frozenset[Diagnostic] = frozenset()
        with ExitStack() as stack:
            self._store = stack.enter_context(store_of(project, present))
            guard = stack.enter_context(Guard())

            def read(received: Received) -> ParsedFeed | Unread:
                with metrics.parse.time():
                    return guard.read(received)

            self._deps = stack.enter_context(deps_of(project, self._store, present, read))
            # Hubs are told of many feeds at once: they are not held to the pace of sources, but to their Retry-After.
            self._poster = Fetcher(fetch_policy(project.settings), blocks=self._deps.blocks)
            stack.callback(self._poster.close)
            self._post = poster(self._poster, present)
            self._open = stack.pop_all()

    def poll(self, told: Callable[[Polled], None], stop: Event) -> bool:
        """Poll what is due; return whether it brought news."""
        if not self._project.settings.sources:
            return False

        def each(one: Polled) -> None:
            told(one)
            self._log_poll(one)

        return poll(self._deps, self._project.settings.polling.concurrency, told=each, stop=stop).news

    def build(self) -> Made:
        """Publish, and forget what left its source and every feed for longer than `store.retention`."""
        here, now = self._project, present().replace(microsecond=0)
        done = built_and_tidied(here, self._store, now, dress(here))
        self._tell(done)
        due = min((entry.published for entry in done.library.waiting), default=None)
        return Made(due, changed_feeds(here, done))

    def care(self) -> None:
        """Undo what a clock wrote that has jumped back, and forget the blocks that are over."""
        self._store.sync(self._project.settings.sources, self._policy, present())

    def statuses(self) -> tuple[Status, ...]:
        """Return how each source stands."""
        return statuses(self._project.settings, self._store.remembered(), self._policy, present())

    def offers(self) -> Mapping[str, Offer]:
        """Return the hubs of sources, as their documents name them."""
        found = self._store.channels()
        urls = {source.id: source.url for source in self._project.settings.sources if source.enabled}
        return {
            name: Offer(channel.url or urls[name], channel.hubs)
            for name, channel in found.items()
            if name in urls and channel.hubs
        }

    def make_due(self, source: str) -> None:
        """Make a pushed source due, as soon as its last request and its block allow (W-05)."""
        self._store.make_due(source, present())

    def post(self, url: str, form: Mapping[str, str]) -> str:
        """Send a form through the guard of every request; return what went wrong, "" for nothing."""
        wrong = self._post(url, form)
        if wrong:
            with suppress(StoreError):  # then a Retry-After holds for this process only
                self._store.block(self._deps.blocks.known(present()))
        return wrong

    def cut(self) -> None:
        """End requests under way within a second."""
        self._deps.fetcher.close()
        self._poster.close()

    def close(self) -> None:
        """Close store, connections and children."""
        self._open.close()

    def _tell(self, done: Built) -> None:
        """Log what a build did and what is wrong, once for each fault."""
        for found in sorted(set(done.diagnostics) - self._told):
            level = str(found.level)
            self._log(level, found.message, path=found.path, line=found.line, code=found.code)
        self._told = frozenset(done.diagnostics)
        for path in done.held:
            self._log("error", "not published, the last good version stands", path=path)
        if done.published.changed or done.published.removed:
            changed, removed = len(done.published.changed), len(done.published.removed)
            self._log("info", "published", changed=changed, removed=removed, documents=done.documents)
