"""Readable tables on a terminal, plain stable lines elsewhere, nothing but what counts in cron (issue 6.4, OU-04)."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import command, environment, feedsvc

CONFIG = """
[site]
title = "Warp Notes"
url = "https://warp.example/"
author = { name = "Warp Notes" }
id_authority = "warp.example,2026"
[output]
tags = false
[[sources]]
id = "blog"
url = "https://blog.example/feed"
[[sources]]
id = "off"
url = "https://off.example/feed"
enabled = false
"""
CLOCK = {"SOURCE_DATE_EPOCH": "1781524800"}
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
GOOD = "---\ntitle: '[bold]Good[/bold]'\ndate: 2026-05-01T10:00:00Z\n---\nWords.\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project with a good post, one without a date, and one whose title would speak to the terminal."""
    root = tmp_path_factory.mktemp("project")
    (root / "config").mkdir()
    (root / "config" / "feedsvc.toml").write_text(CONFIG)
    (root / "posts").mkdir()
    (root / "posts" / "good.md").write_text(GOOD)
    (root / "posts" / "undated.md").write_text("---\ntitle: Undated\n---\nWhen?\n")
    return root


def on_terminal(place: Path, *arguments: str, columns: int = 100) -> str:
    """Run a command with a terminal for its output; return what stands on it, each line without blanks at its end."""
    ours, theirs = pty.openpty()
    env = environment({**CLOCK, "TERM": "xterm-256color", "COLUMNS": str(columns)})
    with subprocess.Popen(
        command(*arguments), cwd=place, env=env, stdout=theirs, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as running:
        os.close(theirs)
        read = _all(ours)
        running.wait(60)
    return "\n".join(line.rstrip() for line in ESCAPES.sub("", read).splitlines())


def _all(handle: int) -> str:
    parts = []
    while True:
        try:
            part = os.read(handle, 65536)
        except OSError:  # Linux says so when the other side has closed it.
            break
        if not part:
            break
        parts.append(part)
    os.close(handle)
    return b"".join(parts).decode()


def test_status_is_a_table_on_a_terminal_and_lines_with_tabs_elsewhere(place: Path) -> None:
    """SO-09."""
    assert on_terminal(place, "status") == (
        "\n"
        " source   state      entries   last success   next poll (UTC)   why then\n"
        f" {92 * '─'}\n"
        " blog     waiting    0         -              06-15 12:00       not asked yet\n"
        " off      disabled   0         -              -                 disabled in the configuration\n"
    )
    assert feedsvc("status", cwd=place, env=CLOCK).out == (
        "blog\twaiting\t0\t-\t-\t2026-06-15 12:00\tnot asked yet\n"
        "off\tdisabled\t0\t-\t-\t-\tdisabled in the configuration\n"
    )


def test_check_is_a_table_on_a_terminal_and_diagnostics_elsewhere(place: Path) -> None:
    """Interface: path:line: level: message [code] for programs."""
    shown = on_terminal(place, "check", columns=120)
    assert " posts/undated.md:1   warning   no date in the front matter" in shown
    told = feedsvc("check", cwd=place, env=CLOCK).out.splitlines()
    message = "no date in the front matter or the file's name: add a line such as date: 2026-05-01"
    assert [line for line in told if "undated" in line] == [f"posts/undated.md:1: warning: {message} [no-date]"]


def test_what_a_post_says_is_text_on_a_terminal(place: Path) -> None:
    """S-36: no markup of the terminal, none of the library that draws tables."""
    assert on_terminal(place, "explain", "good").startswith("[bold]Good[/bold]\n")


def test_a_narrow_terminal_loses_nothing(place: Path) -> None:
    """Long words go on in the next line; none is cut off."""
    shown = on_terminal(place, "explain", "good", columns=40)
    whole = "".join(re.sub(r"\s", "", line) for line in shown.splitlines())
    assert "tag:warp.example,2026:good" in whole
    assert "…" not in shown


def test_what_takes_its_time_shows_a_sign_of_life_and_takes_it_away() -> None:
    """Issue 6.4: progress of builds, on a terminal; and nothing for what is over at once."""
    script = (
        "import sys; from feedsvc.cli.busy import busy\n"
        "with busy('building'): sys.stdin.read()\n"
        "print('done', file=sys.stderr)\n"
    )
    shown = {}
    for until in ("building 1 s", ""):
        ours, theirs = pty.openpty()
        line = [sys.executable, "-c", script]
        with subprocess.Popen(line, env=environment(), stderr=theirs, stdin=subprocess.PIPE) as running:
            os.close(theirs)
            begun = ""
            while until not in begun:
                begun += os.read(ours, 1024).decode(errors="ignore")
            running.stdin.close()
            shown[until] = begun + _all(ours)
            running.wait(60)
    assert "building 1 s" in shown["building 1 s"]
    assert shown["building 1 s"].endswith("\r\x1b[Kdone\r\n")
    assert shown[""] == "done\r\n"


@pytest.mark.parametrize("name", ["build", "update", "poll"])
def test_in_cron_a_command_that_did_its_work_says_one_line_and_draws_nothing(name: str, tmp_path: Path) -> None:
    """OU-04, issue 6.4: results on stdout, no progress bar where nobody looks, stderr for what is wrong."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "feedsvc.toml").write_text(CONFIG.partition("[[sources]]")[0])
    (tmp_path / "posts").mkdir()
    ran = feedsvc(name, cwd=tmp_path, env=CLOCK)
    assert (ran.status, ran.err, len(ran.out.splitlines())) == (0, "", 1)
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_stop_no_command(place: Path, closed: str) -> None:
    """OU-04: who starts a job may give it no streams at all."""
    for arguments in (("build",), ("status",)):
        line = f'"$@" {closed}'
        shell = ["sh", "-c", line, "sh", *command(*arguments)]
        ran = subprocess.run(shell, cwd=place, env=environment(CLOCK), capture_output=True, timeout=60, check=False)
        assert (ran.returncode, b"Traceback" in ran.stderr) == (0, False)
