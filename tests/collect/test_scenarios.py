"""Every scenario of corpus/http against a real server: fetch and pacing together, the clock a parameter, no waiting.

A feed is read here with three expressions, so that nothing but the two rooms is under test. What needs the whole
program (commands, the store, a second source) is tested where that is.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_network
from typing import Any

import pytest

from feedsvc.collect.answers import Fetched
from feedsvc.collect.fetch import Fetcher, FetchPolicy
from feedsvc.collect.hosts import HostBlocks, HostGate
from feedsvc.collect.pacing import begin, may_ask, next_poll
from feedsvc.collect.pollstate import FeedHints, Outcome, Policy, PollState, feed_hints
from tests.places import CASES
from tests.servers import Reply, Server

START = datetime(2026, 5, 4, 8, tzinfo=UTC)
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
Table = Mapping[str, Any]
ELSEWHERE = {
    "a name that does not resolve, and one whose lookup hangs, hold nothing up",
    "rebinding: one lookup a connection, the address checked is the address connected to",
    "a dead first address does not stop the second",
    "SIGTERM while a server drips",
    "two sources of one host: never at once, and host_delay apart",
}


def seconds(text: str) -> float:
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([0-9.]+)([smhd])", text))


def cases() -> Iterator[Any]:
    document = tomllib.loads((CASES / "http" / "scenarios.toml").read_text("utf-8"))
    for scenario in document["scenario"]:
        if scenario["name"] in ELSEWHERE:
            continue
        for name, values in (scenario.get("values") or {"": [""]}).items():
            for value in values:
                label = f"{scenario['name']} {name} {value}".strip()
                yield pytest.param(document["bodies"], scenario, value, id=label)


def steps(scenario: Table) -> Iterator[tuple[float, Table]]:
    """Yield (seconds since the start, step), the repeated one as often as it says."""
    repeat = scenario.get("repeat", {})
    for number, step in enumerate(scenario["step"], 1):
        again = repeat.get("times", 1) if repeat.get("step") == number else 1
        for round_ in range(again):
            yield seconds(step["at"]) + round_ * seconds(repeat.get("every", "0h")), step


@dataclass
class Reader:
    """A source with its server, its state and what was read of it."""

    server: Server
    bodies: Mapping[str, str]
    value: Any
    settings: Mapping[str, Any]
    scheme: str = "http"
    titles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        allowed = tuple(ip_network(text) for text in self.settings.get("polling.allow_private", ["127.0.0.0/8"]))
        most = {"1 MiB": 1 << 20}.get(self.settings.get("polling.max_bytes", ""), 10 << 20)
        timeout = 1.5 if "polling.timeout" in self.settings else 20.0
        self.policy = Policy(max_interval=seconds(self.settings.get("polling.max_interval", "24h")))
        self.blocks = HostBlocks()
        fetch = FetchPolicy("feedsvc/0 (+https://site.example/)", timeout, most, allowed)
        self.fetcher = Fetcher(fetch, HostGate(1, 0), self.blocks)
        self.state = PollState(self.server.url(scheme=self.scheme))

    def filled(self, text: str, now: datetime) -> str:
        def clock(found: re.Match[str]) -> str:
            sign = -1 if found[1] == "-" else 1
            return format_datetime(now + timedelta(seconds=sign * seconds(found[2] or "0s")), usegmt=True)

        text = re.sub(r"\{clock(?:([+-])([0-9smhd]+))?\}", clock, text)
        return text.replace("{value}", str(self.value)).replace("{port}", str(self.server.port))

    def reply(self, answer: Table, now: datetime) -> Reply:
        given = answer.get("headers", {})
        pairs = list(given.items()) if isinstance(given, dict) else [tuple(pair) for pair in given]
        filled = [(name, self.filled(value, now).replace("{port}", str(self.server.port))) for name, value in pairs]
        body = str(answer.get("body", ""))
        wire = self.filled(answer.get("wire", ""), now)
        status = int(self.filled(str(answer["status"]), now))
        return Reply(status, filled, self.bodies.get(body, body).encode(), "" if wire == "bad-certificate" else wire)

    def poll(self, now: datetime, *, asked: bool) -> None:
        when = may_ask(self.state, self.policy, now, asked=asked)
        if when is None or when > now:
            return
        self.state, ask = begin(self.state, self.policy, now)
        answer = self.fetcher.get(ask, now)
        fault, hints, new = "", None, 0
        if isinstance(answer, Fetched):
            fault, hints, new = self.read(answer)
        self.state = next_poll(self.state, Outcome(answer, fault, hints, new), self.policy, now, 0.99)

    def read(self, answer: Fetched) -> tuple[str, FeedHints | None, int]:
        text = answer.body.decode()
        if "<rss" not in text:
            return "this is no feed", None, 0
        titles = re.findall(r"<item><title>(.*?)</title>", text)
        fresh = [title for title in titles if title not in self.titles]
        self.titles = fresh + self.titles
        named = {name: re.findall(rf"<{name}>(.*?)</{name}>", text) for name in ("ttl", "hour", "day")}
        period = "".join(re.findall(r"<sy:updatePeriod>(.*?)<", text))
        frequency = "".join(re.findall(r"<sy:updateFrequency>(.*?)<", text))
        return "", feed_hints("".join(named["ttl"]), named["hour"], named["day"], period, frequency), len(fresh)


@pytest.mark.parametrize(("bodies", "scenario", "value"), list(cases()))
def test_a_scenario_goes_as_it_is_written(bodies: Mapping[str, str], scenario: Table, value: Any) -> None:
    """The rules that each scenario names."""
    secure = "bad-certificate" in str(scenario["step"])
    with Server() as server:
        reader = Reader(server, bodies, value, scenario.get("settings", {}), "https" if secure else "http")
        replies: dict[str, Table] = {}
        for number, (at, step) in enumerate(steps(scenario)):
            now = START + timedelta(seconds=at)
            replies |= step.get("answers", {})
            server.answers = {path: reader.reply(answer, now) for path, answer in replies.items()}
            before = len(server.requests)
            reader.poll(now, asked="--all" in step.get("command", ""))
            check(reader, step, server.requests[before:], now, moved="adopted only" in scenario["name"] and number > 9)
        reader.fetcher.close()


def check(reader: Reader, step: Table, asked: Sequence[Any], now: datetime, *, moved: bool) -> None:
    if "asks" in step and not str(step.get("note", "")).startswith("unless"):
        expected = step["asks"][1:] if moved else step["asks"]
        assert [request.path for request in asked] == [ask["path"] for ask in expected]
        for request, ask in zip(asked, expected, strict=True):
            for name, given in ask.get("has", {}).items():
                assert request.header(name) == given.encode("latin-1")
            for name in ask.get("lacks", ()):
                assert request.header(name) is None
    if "entries" in step:
        assert reader.titles == step["entries"]
    if "state" in step:
        assert reader.state.state == step["state"], reader.state
    if "next" in step:
        bounds = {name: timedelta(seconds=seconds(text)) for name, text in step["next"].items()}
        assert reader.state.next_poll is not None
        wait = reader.state.next_poll - now
        assert bounds.get("at_least", timedelta()) <= wait <= bounds.get("at_most", timedelta(days=31)), reader.state
