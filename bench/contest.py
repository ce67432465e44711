"""Who runs against whom: commands in turn, what each took, and the ratios.

In each round every contender has its turn, so that what else the machine does hits all of them; a ratio is the median
of those of the rounds.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LONGEST = 900.0


@dataclass(frozen=True, slots=True)
class Took:
    """What a command took: seconds by the clock, seconds of processors, and its largest memory in MB."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True, slots=True)
class Contender:
    """A command with its folder, and what has to be done before each of its turns."""

    name: str
    command: Sequence[str]
    folder: Path
    before: Callable[[int], None] = lambda _: None
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: what was done, what it took us and a peer, the ratio, and what was hoped for."""

    row: str
    peer: str
    ours: str
    theirs: str
    ratio: str
    reach: str = ""


def feedsvc(*args: str) -> list[str]:
    """Return the command line of this program as it is here."""
    return [sys.executable, "-m", "feedsvc", *args]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a plain environment, in which Python keeps what it compiled."""
    here = Path(__file__).resolve().parent.parent
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "PYTHONPATH": str(here), **(extra or {})}


def run(contender: Contender) -> Took:
    """Run a command to its end; RuntimeError with what it said when it fails."""
    env = environment(contender.env)
    start = time.perf_counter()
    with subprocess.Popen(
        contender.command, cwd=contender.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        said = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"{contender.name} ended with {process.returncode}: {said.decode(errors='replace')[-800:]}")
    return Took(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def contest(row: str, reach: str, contenders: Sequence[Contender], rounds: int) -> list[Line]:
    """Let contenders take turns; the first one is ours, each other one makes a line."""
    took: dict[str, list[Took]] = {one.name: [] for one in contenders}
    for turn in range(rounds):
        for one in contenders:
            one.before(turn)
            took[one.name].append(run(one))
            print(f"  {row}: {one.name} {took[one.name][-1].wall:.2f} s", file=sys.stderr, flush=True)
    ours = took[contenders[0].name]
    lines = [line(row, one.name, ours, took[one.name], reach) for one in contenders[1:]]
    return lines or [Line(row, "–", spelled(ours), "–", "–", reach)]


def line(row: str, peer: str, ours: Sequence[Took], theirs: Sequence[Took], reach: str) -> Line:
    """Return a line for us and one peer."""
    wall = statistics.median(one.wall / other.wall for one, other in zip(ours, theirs, strict=True))
    cpu = statistics.median(one.cpu / other.cpu for one, other in zip(ours, theirs, strict=True))
    return Line(row, peer, spelled(ours), spelled(theirs), f"{wall:.2f} (CPU {cpu:.2f})", reach)


def spelled(took: Sequence[Took]) -> str:
    """Return medians in words: seconds by the clock and of processors, memory."""
    wall, cpu = statistics.median(one.wall for one in took), statistics.median(one.cpu for one in took)
    return f"{wall:.2f} s ({cpu:.2f} s CPU, {max(one.memory for one in took):.0f} MB)"
