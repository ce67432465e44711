"""A week of weather: sources whose servers answer with every scenario of tests/corpus/http, and who keeps watch.

Two kinds of sources: those that stay with what a scenario ends with, and those that go through all of them in turn.
Everything is written down on the server's side, and judged by the rules alone, without any code of the program.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

from tests.cases.http import IN_PROCESS
from tests.cases.scenarios import START, Table, document, seconds
from tests.servers import Reply, Request, Server

WHOLE = {"", "gzip", "zlib", "raw-deflate"}
FEEDS = {"one", "two", "ttl", "skip-hours", "skip-24", "skip-days", "skip-week", "hourly"}
ELSEWHERE = {"http://127.0.0.9:{port}/feed", "http://169.254.169.254/latest/", "http://[::1]:{port}/feed"}


@dataclass(frozen=True)
class Asked:
    """One request, as the server saw it: at which moment of the week, for which source and path."""

    at: datetime
    source: int
    path: str
    etag: bytes | None
    modified: bytes | None
    agent: bytes | None
    status: int


@dataclass
class Place:
    """A source on the server: its answers, and what must be true of the next request."""

    number: int
    host: str
    answers: list[Mapping[str, Table]]
    turns: bool
    polls: int = 0
    since: datetime = START
    kept: tuple[str, str | None, str | None] | None = None
    titles: set[str] = field(default_factory=set)


def sets_of_answers(found: Table) -> Iterator[tuple[str, list[Mapping[str, Table]]]]:
    """Yield each scenario for each of its values: its answers after each step, as they stand then."""
    for scenario in found["scenario"]:
        if scenario["name"] in IN_PROCESS:
            continue
        for values in (scenario.get("values") or {"": [""]}).values():
            for value in values:
                if value not in ELSEWHERE:
                    yield scenario["name"], list(_standing(scenario, str(value)))


def _standing(scenario: Table, value: str) -> Iterator[Mapping[str, Table]]:
    standing: dict[str, Table] = {}
    for step in scenario["step"]:
        if step.get("answers"):
            filled = {path: _with_value(answer, value) for path, answer in step["answers"].items()}
            standing = standing | filled
            yield standing


def _with_value(answer: Table, value: str) -> Table:
    given = answer.get("headers", {})
    pairs = list(given.items()) if isinstance(given, dict) else [tuple(pair) for pair in given]
    return {
        "status": int(str(answer["status"]).replace("{value}", value)),
        "headers": [(name, text.replace("{value}", value)) for name, text in pairs],
        "body": answer.get("body", ""),
        "wire": str(answer.get("wire", "")).replace("{value}", value).replace("bad-certificate", ""),
    }


class Weather:
    """The server's side of the week; `now` is set by whoever runs the clock."""

    def __init__(self, server: Server, turning: int, base: timedelta) -> None:
        found = document()
        self.bodies: Mapping[str, str] = found["bodies"]
        self.server, self.base, self.now = server, base, START
        sets = [answers for _, answers in sets_of_answers(found)]
        # A server that keeps a poll waiting stays one that does: its source backs off, and the week takes minutes.
        every = [answer for answers in sets for answer in answers if not _is_slow(answer)]
        self.places = [Place(number, _host(number), answers[-1:], turns=False) for number, answers in enumerate(sets)]
        for number in range(len(sets), len(sets) + turning):
            start = number * 7 % len(every)
            self.places.append(Place(number, _host(number), every[start:] + every[:start], turns=True))
        self.asked: list[Asked] = []
        self.broken: list[str] = []
        self.blocks: dict[str, datetime] = {}
        self._lock = threading.Lock()
        self._last: dict[int, datetime] = {}
        for place in self.places:
            paths = {path for answers in place.answers for path in answers}
            for path in paths:
                self.server.answers[f"/{place.number}{path}"] = self._answerer(place, path)

    def url(self, place: Place) -> str:
        """Return the configured address of a source."""
        return f"http://{place.host}:{self.server.port}/{place.number}/feed"

    def _answerer(self, place: Place, path: str) -> Any:
        def answer(request: Request) -> Reply:
            with self._lock:
                return self._answer(place, path, request)

        return answer

    def _answer(self, place: Place, path: str, request: Request) -> Reply:
        if path == "/feed" or self._last.get(place.number) != self.now:
            self._begins(place)
        standing = place.answers[(place.polls - 1) % len(place.answers)]
        answer = standing.get(path, {"status": 404, "headers": [], "body": "", "wire": ""})
        url = f"{(request.header('Host') or b'').decode()}{path}"
        self._watch(place, path, url, request, answer["status"])
        headers = [(name, self._filled(text, place)) for name, text in answer["headers"]]
        body = self._body(place, answer["body"])
        self._learn(place, url, request, answer, dict(headers), body)
        return Reply(answer["status"], headers, body.encode(), answer["wire"])

    def _begins(self, place: Place) -> None:
        """Count a poll, and see that the base has passed since the last one (F-11)."""
        last = self._last.get(place.number)
        if last is not None and self.now - last < self.base:
            self.broken.append(f"F-11: source {place.number} asked at {last} and {self.now}")
        self._last[place.number] = self.now
        place.polls += 1

    def _watch(self, place: Place, path: str, url: str, request: Request, status: int) -> None:
        etag, modified = request.header("If-None-Match"), request.header("If-Modified-Since")
        agent = request.header("User-Agent")
        self.asked.append(Asked(self.now, place.number, path, etag, modified, agent, status))
        kept = place.kept if place.kept and place.kept[0] == url else (url, None, None)
        wanted = tuple(None if text is None else text.encode("latin-1") for text in kept[1:])
        if (etag, modified) != wanted:
            self.broken.append(f"F-01/F-02/F-03: source {place.number} sent {etag!r}, {modified!r}, not {wanted!r}")
        until = self.blocks.get(place.host)
        if until and self.now < until:
            self.broken.append(f"F-14: {place.host} asked at {self.now}, inside its block until {until}")

    def _body(self, place: Place, name: str) -> str:
        """Return a body; a feed brings an entry of its own with every third poll."""
        body = self.bodies.get(name, name)
        if name not in FEEDS or place.polls % 3:
            return body
        title = f"{place.number} news {place.polls}"
        link = f"https://warp.example/{place.number}/{place.polls}"
        return body.replace("<item>", f"<item><title>{title}</title><link>{link}</link></item><item>", 1)

    def _learn(
        self, place: Place, url: str, request: Request, answer: Table, headers: Mapping[str, str], body: str
    ) -> None:
        """Write down what this answer means for later requests."""
        status = answer["status"]
        given = (headers.get("ETag") or None, headers.get("Last-Modified") or None)
        conditional = request.header("If-None-Match") or request.header("If-Modified-Since")
        if status in {429, 503} and (wait := _retry_after(headers, self.now)):
            self.blocks[place.host] = max(self.blocks.get(place.host, START), self.now + wait)
        if status == 304 and conditional and place.kept:
            kept = place.kept
            place.kept = (kept[0], given[0] or kept[1], given[1] or kept[2])
        elif status == 304:
            place.kept = None
        elif status in {200, 203, 226} and answer["body"] in FEEDS and answer["wire"] in WHOLE:
            place.titles |= set(re.findall(r"<item><title>(.*?)</title>", body))
            if status != 226:
                place.kept = (url, *given) if any(given) else None

    def _filled(self, text: str, place: Place) -> str:
        def clock(found: re.Match[str]) -> str:
            sign = -1 if found[1] == "-" else 1
            return format_datetime(self.now + timedelta(seconds=sign * seconds(found[2] or "0s")), usegmt=True)

        text = re.sub(r"\{clock(?:([+-])([0-9smhd]+))?\}", clock, text)
        text = re.sub(r"^(http://[a-z0-9.]+:\{port\})?/", rf"\1/{place.number}/", text)
        return text.replace("{port}", str(self.server.port))


def _is_slow(standing: Mapping[str, Table]) -> bool:
    return any(answer["wire"] in {"drip-body", "drip-headers", "hang"} for answer in standing.values())


def _host(number: int) -> str:
    """Three sources share a host, that is a block."""
    return f"127.1.{number // 3 // 200}.{number // 3 % 200 + 1}"


def _retry_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    text = headers.get("Retry-After", "")
    if text.isdecimal():
        return timedelta(seconds=int(text)) or None
    if not text.endswith("GMT"):
        return None
    answered = parsedate_to_datetime(headers["Date"]) if "Date" in headers else now
    return parsedate_to_datetime(text) - answered


def table(weather: Weather, results: Mapping[str, int], took: float) -> str:
    """Return the summary of a week as a table."""
    by_status: defaultdict[int, int] = defaultdict(int)
    for asked in weather.asked:
        by_status[asked.status] += 1
    conditional = sum(1 for asked in weather.asked if asked.etag or asked.modified)
    rows = [
        ("sources", len(weather.places)),
        ("polls", sum(results.values())),
        *((f"polls: {name}", count) for name, count in sorted(results.items())),
        ("requests", len(weather.asked)),
        ("requests with validators", conditional),
        *((f"answers: {status}", count) for status, count in sorted(by_status.items())),
        ("entries served", sum(len(place.titles) for place in weather.places)),
        ("rules broken", len(weather.broken)),
        ("seconds for the week", round(took)),
    ]
    return "\n".join(f"| {name:<26} | {count:>7} |" for name, count in rows)
