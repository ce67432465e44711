"""The program as a user has it: the wheel, built and installed once for a test run, called as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp

from tests.places import PROJECT


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did: its exit status and what it printed."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Return everything that was printed."""
        return self.out + self.err


@cache
def program() -> Path:
    """Build the wheel and install it into a folder of its own; return that folder."""
    place = Path(mkdtemp(prefix="feedsvc-wheel-"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheel = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(place / "wheel"), str(PROJECT)]
    subprocess.run([*pip, *wheel], check=True, capture_output=True)
    (built,) = (place / "wheel").glob("feedsvc-*.whl")
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", str(place / "site"), str(built)], check=True, capture_output=True
    )
    return place / "site"


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a user's shell: nothing of the test run but the path, the wheel in front."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "PYTHONPATH": str(program()),
        "PYTHONWARNINGS": "error",
        **(extra or {}),
    }


def command(*args: str | Path) -> list[str]:
    """Return the command line that runs the installed console script."""
    return [sys.executable, str(program() / "bin" / "feedsvc"), *map(str, args)]


def feedsvc(*args: str | Path, cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 120) -> Ran:
    """Run the installed program in a folder and wait for it."""
    done = subprocess.run(
        command(*args), cwd=cwd, env=environment(env), capture_output=True, timeout=timeout, check=False
    )
    return Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def measured(*args: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> tuple[Ran, int]:
    """Run the installed program; return also the most memory that it, or any process it started, had, in bytes."""
    with TemporaryFile() as out, TemporaryFile() as err:
        child = subprocess.Popen(command(*args), cwd=cwd, env=environment(env), stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        ran = Ran(child.returncode, out.read().decode(errors="replace"), err.read().decode(errors="replace"))
    return ran, usage.ru_maxrss * 1024
