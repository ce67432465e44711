"""Every scenario of tests/corpus/http, one `feedsvc update` of the installed program a step (rules named in each)."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from feedsvc.collect.fetch.resolve import Lookup
from feedsvc.collect.parse import read
from feedsvc.service.cycle import deps_of, store_of
from feedsvc.service.poll import poll
from feedsvc.service.polled import Polled
from tests.cases.http import BY_ITSELF, IN_PROCESS, SECOND, World
from tests.cases.scenarios import START, Table, named, runs, seconds
from tests.installed import command, environment
from tests.servers import Reply, Request, Server
from tests.service.projects import project


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        yield found


@pytest.mark.parametrize(("bodies", "scenario", "value"), list(runs(IN_PROCESS | BY_ITSELF)))
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


# ---- what notes say ------------------------------------------------------------------------------------------------


def test_two_sources_of_a_host_are_never_asked_at_once_and_their_starts_are_its_delay_apart(
    server: Server, tmp_path: Path
) -> None:
    """F-31: the second starts a second after the first started, and after it ended."""
    name = "two sources of one host: never at once, and host_delay apart"
    world = World(tmp_path, server, *named(name))
    world.configure()
    ended: list[float] = []

    def slow(request: Request) -> Reply:
        assert len(ended) == len(server.requests) - 1, "two at once"
        threading.Event().wait(0.3)
        ended.append(time.monotonic())
        return Reply(200, {}, SECOND.encode())

    server.answers = {"/feed": slow, "/other": slow}
    world.run(START, "update")
    first, second = server.requests
    assert {first.path, second.path} == {"/feed", "/other"}
    assert second.at - first.at >= 1
    assert second.at >= ended[0]


def test_no_connection_is_made_where_a_redirect_must_not_lead(server: Server, tmp_path: Path) -> None:
    """S-03, S-06: somebody listens at each target, and nobody comes."""
    bodies, scenario = named("no redirect leads out of http, into a private network or into a file")
    targets = [value for value in scenario["values"]["Location"] if "{port}" in value]
    with ExitStack() as stack:
        listening = [stack.enter_context(listener("127.0.0.9", server.port))]
        if socket.has_dualstack_ipv6():
            listening.append(stack.enter_context(listener("::1", server.port)))
        for number, target in enumerate(targets):
            root = tmp_path / str(number)
            root.mkdir()
            World(root, server, bodies, scenario, target).go()
        for one in listening:
            with pytest.raises(BlockingIOError):
                one.accept()


def test_the_body_of_a_redirect_costs_no_memory(server: Server, tmp_path: Path) -> None:
    """S-08: as much as without the body, within 20 MB of 300."""
    bodies, scenario = named("the body of a redirect is not inflated")
    most = {}
    for wire in ("", "gzip-bomb"):
        root = tmp_path / (wire or "plain")
        root.mkdir()
        world = World(root, server, bodies, scenario)
        world.configure()
        redirect = {"/feed": {"status": 302, "headers": {"Location": "/new"}, "wire": wire}}
        world.answer({"answers": redirect | {"/new": {"status": 200, "body": "one"}}}, START)
        most[wire] = memory_of(world)
        assert world.titles() == ["one"]
    assert most["gzip-bomb"] - most[""] < 20_000, most


MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def memory_of(world: World) -> int:
    """Return the most memory in kB that `feedsvc update` took."""
    env = environment({"SOURCE_DATE_EPOCH": str(int(START.timestamp()))})
    measured = [sys.executable, "-c", MEASURE, *command("update")]
    return int(subprocess.run(measured, cwd=world.root, env=env, check=True, capture_output=True).stdout)


def listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens where nobody must come, and never waits."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    made.listen(8)
    made.settimeout(0)
    return made


# ---- resolvers of their own: in this process -----------------------------------------------------------------------


def polled(root: Path, urls: Mapping[str, str], lookup: Lookup, **polling: Any) -> dict[str, Polled]:
    """Poll sources once with a resolver of the test's own."""
    here = project(root, urls, **polling)
    with store_of(here, lambda: START) as store, deps_of(here, store, lambda: START, read, lookup=lookup) as deps:
        found = {one.source: one for one in poll(deps, 16).polled}
        assert {name: kept.state.state for name, kept in store.remembered().items()} == {
            name: one.state for name, one in found.items()
        }
    return found


def test_a_name_that_does_not_resolve_or_whose_lookup_hangs_holds_nothing_up(server: Server, tmp_path: Path) -> None:
    """F-32, S-12"""
    server.answers["/feed"] = Reply(200, {}, SECOND.encode())
    over = threading.Event()

    def lookup(host: str, port: int) -> Sequence[str]:
        if host == "fails.example":
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        if host == "hangs.example":
            over.wait(60)
        return ["127.0.0.1"]

    urls = {"fails": "http://fails.example/", "hangs": "http://hangs.example/", "second": server.url()}
    began = time.monotonic()
    found = polled(tmp_path, urls, lookup, timeout=2.0)
    over.set()
    assert time.monotonic() - began < 10
    assert {name: (str(one.state), one.kind) for name, one in found.items()} == {
        "fails": ("failing", "dns"),
        "hangs": ("failing", "timeout"),
        "second": ("ok", ""),
    }


def test_the_address_that_is_checked_is_the_one_that_is_connected_to(server: Server, tmp_path: Path) -> None:
    """S-02: rebinding, and a name with a good and a bad address; 127.0.0.9, which is closed, counts as a public one."""
    asked: Counter[str] = Counter()

    def lookup(host: str, port: int) -> Sequence[str]:
        asked[host] += 1
        if host == "turns.example":
            return ["127.0.0.9"] if asked[host] == 1 else ["127.0.0.1"]
        return ["127.0.0.9", "127.0.0.1"]

    urls = {name: f"http://{name}.example:{server.port}/feed" for name in ("turns", "both")}
    found = polled(tmp_path, urls, lookup, allow_private=("127.0.0.9/32",))
    assert {str(one.state) for one in found.values()} == {"failing"}
    assert (found["turns"].kind, found["both"].kind) == ("connect", "refused-address")
    assert asked == {"turns.example": 1, "both.example": 1}
    assert server.connections == 0


def test_a_dead_first_address_does_not_stop_the_second(server: Server, tmp_path: Path) -> None:
    """F-46: [::1] is closed, 127.0.0.1 answers."""
    server.answers["/feed"] = Reply(200, {}, SECOND.encode())
    allowed = ("127.0.0.0/8", "::1/128")

    def lookup(_: str, __: int) -> Sequence[str]:
        return ["::1", "127.0.0.1"]

    urls = {"warp": f"http://two.example:{server.port}/feed"}
    found = polled(tmp_path, urls, lookup, allow_private=allowed)
    assert (str(found["warp"].state), found["warp"].new) == ("ok", 1)


# ---- the daemon ----------------------------------------------------------------------------------------------------


def test_sigterm_while_a_server_drips(server: Server, tmp_path: Path) -> None:
    """V-32: at most 12 seconds, exit 0, and the next start finds the store whole."""
    bodies, scenario = named("SIGTERM while a server drips")
    (step,) = scenario["step"]
    world = World(tmp_path, server, bodies, scenario)
    world.configure()
    config = tmp_path / "config" / "feedsvc.toml"
    config.write_text(f"{config.read_text()}\n[serve]\nport = 0\nadmin_port = 0\n")
    world.answer(step, START)
    dripping, asked = server.answers["/feed"], threading.Event()

    def drip(_: Request) -> Reply:
        asked.set()
        assert isinstance(dripping, Reply)
        return dripping

    server.answers["/feed"] = drip
    with subprocess.Popen(command("run"), cwd=tmp_path, env=environment(), stderr=subprocess.PIPE) as daemon:
        try:
            assert asked.wait(60)
            began = time.monotonic()
            daemon.send_signal(signal.SIGTERM)
            _, said = daemon.communicate(timeout=30)
        finally:
            daemon.kill()
    assert daemon.returncode == 0, said
    assert time.monotonic() - began < seconds(step["within"])
    ran = world.run(datetime.now(UTC), "update")
    assert ran.status == 0, ran.said
