"""Every scenario of tests/corpus/http, one `feedsvc update` of the installed program a step (rules named in each)."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.cases.http import SECOND, Table, World, runs
from tests.servers import Reply, Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        yield found


@pytest.mark.parametrize(("bodies", "scenario", "value"), list(runs()))
def test_a_scenario_goes_as_it_is_written(
    bodies: Table, scenario: Table, value: Any, server: Server, tmp_path: Path
) -> None:
    """The rules that each scenario names; what its notes say besides is held by the tests below."""
    with ExitStack() as stack:
        second = stack.enter_context(Server("127.0.0.2")) if "within" in str(scenario["step"]) else None
        world = World(tmp_path, server, bodies, scenario, value, second)
        if second:
            second.answers["/feed"] = Reply(200, {}, SECOND.encode())
        world.go()
        if second:
            assert world.titles("Second") == ["second"], "a second source is polled in the same command"
