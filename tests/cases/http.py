"""The scenarios of tests/corpus/http: what a source's server answers, step by step, and what the program must then do.

Each step is one `feedsvc update` of the installed program, or the command that the step names.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import tomlkit

from feedsvc.service.cycle import statuses_of
from feedsvc.service.statuses import document as document_of
from feedsvc.settings.load import load
from tests.cases.scenarios import START, Script, Table, check_asks, seconds, steps
from tests.installed import Ran, feedsvc
from tests.readback import atom
from tests.servers import Request, Server

SECOND = """<?xml version="1.0"?><rss version="2.0"><channel><title>Second</title><link>https://second.example/</link>
<description>d</description><item><title>second</title><link>https://second.example/1</link></item></channel></rss>"""
IN_PROCESS = {
    "a name that does not resolve, and one whose lookup hangs, hold nothing up",
    "rebinding: one lookup a connection, the address checked is the address connected to",
    "a dead first address does not stop the second",
}
"""Scenarios with a resolver of their own, which no command takes."""
BY_ITSELF = {"SIGTERM while a server drips"}


@dataclass
class World:
    """A project with the source `warp`, and its server; `second` is a source at another server, or None."""

    root: Path
    server: Server
    bodies: Table
    scenario: Table
    value: Any = ""
    second: Server | None = None
    replies: dict[str, Table] = field(default_factory=dict)
    polls: list[datetime] = field(default_factory=list)

    def configure(self) -> None:
        """Write the configuration: the contract's defaults but for the loopback network, `host_delay` and settings."""
        secure = "bad-certificate" in str(self.scenario["step"])
        urls = {"warp": self.server.url(scheme="https" if secure else "http")}
        if self.second:
            urls["second"] = self.second.url()
        if any("/other" in step.get("answers", {}) for step in self.scenario["step"]):
            urls["other"] = self.server.url("/other")
        config: dict[str, Any] = {
            "site": {
                "title": "Planet",
                "url": "https://planet.example/",
                "author": {"name": "Planet"},
                "id_authority": "planet.example,2026",
            },
            "polling": {"allow_private": ["127.0.0.0/8"], "host_delay": "0s"},
            "sources": [{"id": name, "url": url} for name, url in urls.items()],
        }
        for dotted, value in self.scenario.get("settings", {}).items():
            table, _, key = dotted.partition(".")
            config.setdefault(table, {})[key] = value
        (self.root / "config").mkdir()
        (self.root / "posts").mkdir()
        (self.root / "config" / "feedsvc.toml").write_text(tomlkit.dumps(config))

    def run(self, now: datetime, *words: str) -> Ran:
        """Run a command at a moment."""
        return feedsvc(*words, cwd=self.root, env={"SOURCE_DATE_EPOCH": str(int(now.timestamp()))})

    def status(self, now: datetime, source: str = "warp") -> Table:
        """Return what `feedsvc status --json` says of a source, without a process for it (tests/cli/test_status.py)."""
        found: Any = document_of(statuses_of(load(self.root / "config" / "feedsvc.toml"), now))
        return next(one for one in found["sources"] if one["id"] == source)

    def titles(self, source: str = "Warp") -> list[str]:
        """Return the titles of a source's entries in the planet feed."""
        found = atom(self.root / "public" / "planet" / "atom.xml").entries
        return [entry.title for entry in found if entry.source and entry.source["title"] == source]

    def answer(self, step: Table, now: datetime) -> None:
        """Have the server answer as a step says; what it does not name stays."""
        self.replies |= step.get("answers", {})
        script = Script(self.bodies, self.value, self.server.port)
        self.server.answers = {path: script.reply(answer, now) for path, answer in self.replies.items()}

    def go(self) -> None:
        """Go through all steps, checking each."""
        self.configure()
        for at, step in steps(self.scenario):
            now = START + timedelta(seconds=at)
            self.answer(step, now)
            before = len(self.server.requests)
            began = time.monotonic()
            ran = self.run(now, *step.get("command", "update").split())
            took = time.monotonic() - began
            assert ran.status == 0, ran.said
            if "within" in step:
                assert took < seconds(step["within"]), took
            self.check(step, self.server.requests[before:], now, ran)

    def check(self, step: Table, asked: Sequence[Request], now: datetime, ran: Ran) -> None:
        """Compare everything that a step says with what happened."""
        if "asks" in step:
            self._check_asks(self._expected(step["asks"]), asked, ran)
        if asked:
            self.polls.append(now)
        if "says until when" in step.get("note", ""):
            assert f"warp: not before {self.status(now)['next_poll'][:10]}" in ran.err
        if "entries" in step:
            assert self.titles() == step["entries"], ran.said
        if {"state", "next"} & step.keys() or not step.keys() - {"at", "answers"}:
            self._check_status(step, now, ran)

    def _expected(self, asks: Sequence[Table]) -> Sequence[Table]:
        """A lasting redirect: from the tenth poll and the seventh day on the target alone is asked (F-36)."""
        adopted = "adopted only" in self.scenario["name"] and len(self.polls) >= 10
        return asks[1:] if adopted and self.polls[9] - self.polls[0] >= timedelta(days=7) else asks

    def _check_asks(self, expected: Sequence[Table], asked: Sequence[Request], ran: Ran) -> None:
        paths, wanted = [request.path for request in asked], [ask["path"] for ask in expected]
        if "in any order" in str(self.scenario["step"]):
            paths, wanted = sorted(paths), sorted(wanted)
        assert paths == wanted, ran.said
        check_asks(expected, asked)

    def _check_status(self, step: Table, now: datetime, ran: Ran) -> None:
        status = self.status(now)
        if "state" in step:
            assert status["state"] == step["state"], (status, ran.said)
        bounds = {name: timedelta(seconds=seconds(text)) for name, text in step.get("next", {}).items()}
        if status["state"] == "ok":
            bounds.setdefault("at_least", timedelta(hours=1))
        if bounds:
            wait = datetime.fromisoformat(status["next_poll"]) - now
            assert bounds.get("at_least", timedelta()) <= wait <= bounds.get("at_most", timedelta(days=32)), status
