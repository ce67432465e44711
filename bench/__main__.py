"""`python -m bench [ROW…]`: us and our peers in turn, as a table; docs/performance.md holds one."""

import argparse
import compileall
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir

from bench import builds, polls
from bench.contest import Line
from feedsvc import __version__

Row = Callable[[Path, int, bool], Iterator[Line]]
ROWS: Mapping[str, Row] = {
    "cold": builds.cold,
    "changed": builds.changed,
    "nothing": builds.nothing,
    "few": builds.few,
    "start": builds.start,
    "growth": builds.growth,
    "new": polls.new,
    "unchanged": polls.unchanged,
}


def main() -> None:
    """Run the rows that are named, all where none is."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}; default: all")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each contender")
    parser.add_argument("--others", action="store_true", help="Pelican and Eleventy too, which take minutes")
    scratch = Path(gettempdir()) / f"feedsvc-bench-{os.getuid()}"
    parser.add_argument("--scratch", type=Path, default=scratch, help="where inputs and peers are kept")
    asked = parser.parse_args()
    if unknown := set(asked.rows) - ROWS.keys():
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    asked.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    compileall.compile_dir("feedsvc", quiet=1)
    lines = [line for name in asked.rows or ROWS for line in ROWS[name](asked.scratch, asked.rounds, asked.others)]
    print(table(lines))


def table(lines: Iterable[Line]) -> str:
    """Return the table with machine and versions above it."""
    load = os.getloadavg()[1]
    head = (
        f"{datetime.now(UTC):%Y-%m-%d}, feedsvc {__version__}, Python {platform.python_version()}, {platform.system()} "
        f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}"
    )
    rows = ["| work | peer | feedsvc | peer takes | ratio | reach |", "|---|---|---|---|---|---|"]
    rows += [f"| {one.row} | {one.peer} | {one.ours} | {one.theirs} | {one.ratio} | {one.reach} |" for one in lines]
    return "\n".join([head, "", *rows])


if __name__ == "__main__":
    sys.exit(main())
