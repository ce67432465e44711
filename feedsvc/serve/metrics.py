# mypy: allow-untyped-calls
"""What is counted and measured (serving V-26, V-27); no address and no id of a source is ever a label."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

from feedsvc import __version__
from feedsvc.publish import files
from feedsvc.service.polled import Polled, Result
from feedsvc.service.statuses import Status

STATES = ("ok", "failing", "blocked", "gone", "dead")
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SUCCESS = "feedsvc_build_last_success_timestamp_seconds"
_NETWORK = frozenset({"", "status", "held", "stopped", "dns", "connect", "closed", "timeout"})
"""Kinds of failures in which nothing was there to be refused."""

disable_created_metrics()


class Metrics:
    """The counters of one process; each method may be called from any thread."""

    def __init__(self) -> None:
        self.registry = of = CollectorRegistry()
        self._fetched = Counter("feedsvc_fetch", "Polls by outcome and status.", ["outcome", "code"], registry=of)
        self._took = Histogram("feedsvc_fetch_duration_seconds", "Time of a whole exchange.", registry=of)
        self._bytes = Counter("feedsvc_fetch_bytes", "Bytes that came over the wire.", ["coding"], registry=of)
        self._sources = Gauge("feedsvc_sources", "Sources by state.", ["state"], registry=of)
        self._overdue = Gauge("feedsvc_source_overdue_seconds", "Greatest time past due of a source.", registry=of)
        self._new = Counter("feedsvc_entries_new", "Entries seen for the first time.", registry=of)
        self.parse = Histogram("feedsvc_parse_duration_seconds", "Time of reading a document.", registry=of)
        self._refused = Counter("feedsvc_refused", "Documents and addresses refused.", ["reason"], registry=of)
        self._build = Histogram("feedsvc_build_duration_seconds", "Time of a build.", registry=of)
        self._success = Gauge(_SUCCESS, "End of the last build that succeeded.", registry=of)
        self._served = Counter("feedsvc_serve_requests", "Answers to readers.", ["code", "format"], registry=of)
        self._missed = Counter("feedsvc_scheduler_missed", "Runs that were late or did not take place.", registry=of)
        info = Gauge("feedsvc_build_info", "Always 1; the version is the label.", ["version"], registry=of)
        info.labels(__version__).set(1)

    def polled(self, poll: Polled) -> None:
        """Count one poll."""
        self._fetched.labels(str(poll.result), str(poll.code or "")).inc()
        self._took.observe(poll.seconds)
        self._bytes.labels(poll.coding or "identity").inc(poll.raw)
        self._new.inc(poll.new)
        if poll.result is Result.FAILED and poll.kind not in _NETWORK:
            self._refused.labels(poll.kind).inc()

    @contextmanager
    def building(self, clock: Callable[[], datetime]) -> Iterator[None]:
        """Measure one build; one that fails leaves the time of the last success where it was (V-27)."""
        with self._build.time():
            yield
        self._success.set(clock().timestamp())

    def stand(self, sources: Iterable[Status], now: datetime) -> None:
        """Take how the sources stand."""
        found = tuple(sources)
        for state in STATES:
            self._sources.labels(state).set(sum(one.state == state for one in found))
        due = [one.next_poll for one in found if one.next_poll]
        self._overdue.set(max([0.0, *((now - moment).total_seconds() for moment in due)]))

    def unknown(self) -> None:
        """Take that nobody knows how the sources stand."""
        for gauge in (*map(self._sources.labels, STATES), self._overdue):
            gauge.set(float("nan"))

    def served(self, counts: Mapping[tuple[int, str], int]) -> None:
        """Add answers to readers, by status and kind."""
        for (code, kind), count in counts.items():
            self._served.labels(str(code), kind).inc(count)

    def missed(self) -> None:
        """Count a run that did not take place as it should."""
        self._missed.inc()

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self.registry)

    def write(self, target: Path) -> None:
        """Write a text file for the node exporter's textfile collector, whole (V-27).

        A process that built nothing well keeps the time of the last success that the file names.
        """
        text = self.text().decode()
        if not self.registry.get_sample_value(_SUCCESS):
            text = re.sub(rf"(?m)^{_SUCCESS} .*$", _last_success(target), text)
        files.clear(target.parent)
        files.replace(target, text.encode(), int(datetime.now().astimezone().timestamp()))


def _last_success(target: Path) -> str:
    try:
        found = re.search(rf"(?m)^{_SUCCESS} \S+$", target.read_text("utf-8"))
    except (FileNotFoundError, UnicodeDecodeError):
        found = None
    return found[0] if found else f"{_SUCCESS} 0.0"
