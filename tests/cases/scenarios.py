"""tests/corpus/http/scenarios.toml as data: what a server answers in each step, for whoever plays it."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from tests.places import CASES
from tests.servers import Reply, Request

START = datetime(2026, 5, 4, 8, tzinfo=UTC)
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
SCENARIO = {"name", "rules", "values", "settings", "step", "repeat"}
STEP = {"at", "command", "answers", "asks", "entries", "state", "next", "within", "note"}
ANSWER = {"status", "headers", "body", "wire"}
ASK = {"path", "has", "lacks"}
Table = Mapping[str, Any]


def document() -> Table:
    """Return the file of scenarios; a key that README.md does not know is a fault."""
    found = tomllib.loads((CASES / "http" / "scenarios.toml").read_text("utf-8"))
    assert found.keys() == {"bodies", "scenario"}
    for scenario in found["scenario"]:
        assert scenario.keys() <= SCENARIO, scenario["name"]
        for step in scenario["step"]:
            assert step.keys() <= STEP, (scenario["name"], step)
            assert all(answer.keys() <= ANSWER for answer in step.get("answers", {}).values()), scenario["name"]
            assert all(ask.keys() <= ASK for ask in step.get("asks", ())), scenario["name"]
            assert step.get("next", {}).keys() <= {"at_least", "at_most"}, scenario["name"]
    return found


def runs(elsewhere: Collection[str]) -> Iterator[Any]:
    """Yield each scenario once for each of its values, as parameters (bodies, scenario, value), but for some names."""
    found = document()
    for scenario in found["scenario"]:
        if scenario["name"] in elsewhere:
            continue
        for name, values in (scenario.get("values") or {"": [""]}).items():
            for value in values:
                yield pytest.param(found["bodies"], scenario, value, id=f"{scenario['name']} {name} {value}".strip())


def named(name: str) -> tuple[Table, Table]:
    """Return the bodies and one scenario."""
    found = document()
    return found["bodies"], next(scenario for scenario in found["scenario"] if scenario["name"] == name)


def seconds(text: str) -> float:
    """Return the seconds of "90m", "26h24m", "8d"."""
    parts = re.findall(r"([0-9.]+)([smhd])", text)
    assert "".join(number + unit for number, unit in parts) == text, text
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def steps(scenario: Table) -> Iterator[tuple[float, Table]]:
    """Yield (seconds since the start, step), the repeated one as often as it says."""
    repeat = scenario.get("repeat", {})
    for number, step in enumerate(scenario["step"], 1):
        again = repeat.get("times", 1) if repeat.get("step") == number else 1
        for turn in range(again):
            yield seconds(step["at"]) + turn * seconds(repeat.get("every", "0h")), step


def check_asks(expected: Sequence[Table], asked: Sequence[Request]) -> None:
    """Compare the headers of requests with those that a step wants and does not want."""
    for request, ask in zip(asked, expected, strict=True):
        for name, given in ask.get("has", {}).items():
            assert request.header(name) == given.encode("latin-1"), request.head
        for name in ask.get("lacks", ()):
            assert request.header(name) is None, request.head


@dataclass(frozen=True, slots=True)
class Script:
    """What a scenario's answers are filled with: bodies by name, the value of this run, the port of the server."""

    bodies: Table
    value: Any
    port: int

    def reply(self, answer: Table, now: datetime) -> Reply:
        """Return an answer as the server gives it at a moment."""
        given = answer.get("headers", {})
        pairs = list(given.items()) if isinstance(given, dict) else [tuple(pair) for pair in given]
        headers = [(name, self._filled(value, now)) for name, value in pairs]
        body, wire = str(answer.get("body", "")), self._filled(answer.get("wire", ""), now)
        status = int(self._filled(str(answer["status"]), now))
        return Reply(status, headers, self.bodies.get(body, body).encode(), "" if wire == "bad-certificate" else wire)

    def _filled(self, text: str, now: datetime) -> str:
        def clock(found: re.Match[str]) -> str:
            sign = -1 if found[1] == "-" else 1
            return format_datetime(now + timedelta(seconds=sign * seconds(found[2] or "0s")), usegmt=True)

        text = re.sub(r"\{clock(?:([+-])([0-9smhd]+))?\}", clock, text)
        return text.replace("{value}", str(self.value)).replace("{port}", str(self.port))
