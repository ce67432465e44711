"""Every scenario of corpus/http against a real server: fetch and pacing together, the clock a parameter, no waiting.

A feed is read here with three expressions, so that nothing but the two rooms is under test. What needs the whole
program (commands, the store, a second source) is tested where that is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any

import pytest

from feedsvc.collect.answers import Fetched
from feedsvc.collect.fetch import Fetcher, FetchPolicy
from feedsvc.collect.hosts import HostBlocks, HostGate
from feedsvc.collect.pacing import begin, may_ask, next_poll
from feedsvc.collect.pollstate import FeedHints, Outcome, Policy, PollState, feed_hints
from tests.cases.scenarios import START, Script, Table, check_asks, runs, seconds, steps
from tests.servers import Server

ELSEWHERE = {
    "a name that does not resolve, and one whose lookup hangs, hold nothing up",
    "rebinding: one lookup a connection, the address checked is the address connected to",
    "a dead first address does not stop the second",
    "SIGTERM while a server drips",
    "two sources of one host: never at once, and host_delay apart",
}


@dataclass
class Reader:
    """A source with its server, its state and what was read of it."""

    server: Server
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


@pytest.mark.parametrize(("bodies", "scenario", "value"), list(runs(ELSEWHERE)))
def test_a_scenario_goes_as_it_is_written(bodies: Mapping[str, str], scenario: Table, value: Any) -> None:
    """The rules that each scenario names."""
    secure = "bad-certificate" in str(scenario["step"])
    with Server() as server:
        reader = Reader(server, scenario.get("settings", {}), "https" if secure else "http")
        script = Script(bodies, value, server.port)
        replies: dict[str, Table] = {}
        for number, (at, step) in enumerate(steps(scenario)):
            now = START + timedelta(seconds=at)
            replies |= step.get("answers", {})
            server.answers = {path: script.reply(answer, now) for path, answer in replies.items()}
            before = len(server.requests)
            reader.poll(now, asked="--all" in step.get("command", ""))
            check(reader, step, server.requests[before:], now, moved="adopted only" in scenario["name"] and number > 9)
        reader.fetcher.close()


def check(reader: Reader, step: Table, asked: Sequence[Any], now: datetime, *, moved: bool) -> None:
    if "asks" in step and not str(step.get("note", "")).startswith("unless"):
        expected = step["asks"][1:] if moved else step["asks"]
        assert [request.path for request in asked] == [ask["path"] for ask in expected]
        check_asks(expected, asked)
    if "entries" in step:
        assert reader.titles == step["entries"]
    if "state" in step:
        assert reader.state.state == step["state"], reader.state
    if "next" in step:
        bounds = {name: timedelta(seconds=seconds(text)) for name, text in step["next"].items()}
        assert reader.state.next_poll is not None
        wait = reader.state.next_poll - now
        assert bounds.get("at_least", timedelta()) <= wait <= bounds.get("at_most", timedelta(days=31)), reader.state
