"""Every option of every command has an environment twin, which its help shows (interface, Command line)."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.core import ParameterSource
from click.testing import CliRunner

from feedsvc.cli.main import COMMANDS, main
from tests.installed import environment, program

VALUES = {"integer range": "7", "boolean": "1", "text": "words", "path": "place", "file": "place"}


CONFIG = """
[site]
title = "Warp Notes"
url = "https://warp.example/"
author = { name = "Warp Notes" }
[[sources]]
id = "tiles"
url = "https://tiles.example/feed"
"""


def commands(command: click.Command = main, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its whole name, those of groups too."""
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for one in command.list_commands(ctx):
            found = command.get_command(ctx, one)
            assert found is not None
            yield from commands(found, f"{name} {one}".strip())
    else:
        yield name, command


def options() -> Iterator[tuple[str, click.Command, click.Option]]:
    """Yield every option of every command."""
    for name, command in commands():
        for one in command.params:
            if isinstance(one, click.Option):
                yield name, command, one


ALL = list(options())
IDS = [f"{name} {option.opts[0]}" for name, _, option in ALL]


@pytest.mark.parametrize(("name", "command", "option"), ALL, ids=IDS)
def test_every_option_has_an_environment_twin_that_is_heard(
    name: str, command: click.Command, option: click.Option, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interface: the twin is FEEDSVC_ and the option's name, and the help shows it."""
    twin = "FEEDSVC_" + option.opts[0].removeprefix("--").replace("-", "_").upper()
    assert (option.envvar, option.show_envvar) == (twin, True)
    assert option.help
    choices = getattr(option.type, "choices", None)
    monkeypatch.setenv(twin, choices[-1] if choices else VALUES[option.type.name])
    ctx = command.make_context(name, [], resilient_parsing=True)
    with ctx:
        _, source = option.consume_value(ctx, {})
    assert source is ParameterSource.ENVIRONMENT
    assert option.type_cast_value(ctx, os.environ[twin]) not in (None, False)


def test_one_twin_means_one_thing_in_every_command() -> None:
    """A variable is set for all commands at once."""
    meanings: dict[object, set[str]] = {}
    for _, _, option in ALL:
        meanings.setdefault(option.envvar, set()).add(f"{option.opts} {option.help} {option.type}")
    assert {twin: found for twin, found in meanings.items() if len(found) > 1} == {}


def test_the_help_lists_every_command_without_importing_it() -> None:
    """The line of the help and the command's own words are two; a command that is listed is there."""
    told = CliRunner().invoke(main, ["--help"]).stdout
    for name, command in ((name, main.get_command(click.Context(main), name)) for name in COMMANDS):
        assert command is not None
        assert command.help
        assert f"\n  {name} " in told


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("feedsvc exp", "explain"),
        ("feedsvc completion f", "fish"),
        ("feedsvc poll --qu", "--quiet"),
        ("feedsvc poll ti", "tiles"),
        ("feedsvc sources remove --config feedsvc.toml t", "tiles"),
    ],
)
def test_bash_completes_commands_and_their_arguments(words: str, expected: str, tmp_path: Path) -> None:
    """Issue 6.4: with the script that `feedsvc completion bash` prints, in a real shell."""
    for place in (tmp_path / "feedsvc.toml", tmp_path / "config" / "feedsvc.toml"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(CONFIG)
    script = (
        'eval "$(feedsvc completion bash)"; COMP_WORDS=($WORDS); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); '
        '_feedsvc_completion feedsvc; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = in_shell(["bash", "-c", script], tmp_path, WORDS=words)
    assert (done.stdout, done.stderr, done.returncode) == (f"{expected}\n", "", 0)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_and_answers(shell: str, tmp_path: Path) -> None:
    """Issue 6.4: the script names the variable by which the program is asked, and the program answers."""
    script = in_shell(["feedsvc", "completion", shell], tmp_path)
    assert (script.returncode, script.stderr) == (0, "")
    assert f"_FEEDSVC_COMPLETE={shell}_complete" in script.stdout
    asked = {"_FEEDSVC_COMPLETE": f"{shell}_complete", "COMP_WORDS": "feedsvc stat", "COMP_CWORD": "1"}
    last = {"fish": "stat"}.get(shell, "1")
    answer = in_shell(["feedsvc"], tmp_path, **asked | {"COMP_CWORD": last})
    assert "status" in answer.stdout


def in_shell(line: list[str], tmp_path: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run something with the installed program on the path, as `feedsvc`."""
    launcher = tmp_path / "feedsvc"
    python = shutil.which("python", path=str(Path(sys.executable).parent)) or "python3"
    launcher.write_text(f'#!/bin/sh\nexec {python} {program() / "bin" / "feedsvc"} "$@"\n')
    launcher.chmod(0o755)
    env = environment(more)
    env["PATH"] = f"{tmp_path}:{env['PATH']}"
    return subprocess.run(
        line,
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
