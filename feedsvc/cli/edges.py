"""What every command needs from outside: the configuration, the clock, the lock, and a place for diagnostics."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from feedsvc.errors import FeedsvcError, LockHeldError
from feedsvc.model import Diagnostic
from feedsvc.settings.load import load
from feedsvc.settings.tree import Project

CONFIG = "config/feedsvc.toml"
config_option: Callable[[click.decorators.FC], click.decorators.FC] = click.option(
    "--config",
    "config",
    envvar="FEEDSVC_CONFIG",
    default=CONFIG,
    show_default=True,
    show_envvar=True,
    type=click.Path(path_type=Path, readable=False),  # the loader says what is wrong, as it says of every fault
    help="Configuration file.",
)
strict_option: Callable[[click.decorators.FC], click.decorators.FC] = click.option(
    "--strict",
    is_flag=True,
    envvar="FEEDSVC_STRICT",
    show_envvar=True,
    help="End with status 3 when a post or a source was skipped.",
)
quiet_option: Callable[[click.decorators.FC], click.decorators.FC] = click.option(
    "--quiet",
    is_flag=True,
    envvar="FEEDSVC_QUIET",
    show_envvar=True,
    help="Say nothing but what is wrong: no summary, no log, no progress.",
)
json_option: Callable[[click.decorators.FC], click.decorators.FC] = click.option(
    "--json",
    "as_json",
    is_flag=True,
    envvar="FEEDSVC_JSON",
    show_envvar=True,
    help="Print one JSON document.",
)


def project(config: Path) -> Project:
    """Read the configuration; ConfigError names every fault with its line."""
    return load(config)


def clock() -> datetime:
    """Return now, or what SOURCE_DATE_EPOCH says (reproducible-builds.org), in UTC and whole seconds."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if not said:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        return datetime.fromtimestamp(int(said), UTC)
    except (ValueError, OverflowError, OSError):
        raise click.UsageError(f"SOURCE_DATE_EPOCH={said!r} is not a number of seconds since 1970") from None


def unsaid(_: object) -> None:
    """Take what is not said where a command is quiet."""


def report(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics to stderr, one a line; control characters in them are shown, not sent (S-36)."""
    for found in diagnostics:
        click.echo(printable(str(found)), err=True)


def printable(text: str) -> str:
    """Return text as one line that a terminal takes as text: control and direction characters escaped (S-36)."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number with what it counts: "1 entry", "2 entries"; `more` where that is not `one` with an s."""
    return f"{number} {one}" if number == 1 else f"{number} {more or one + 's'}"


@contextmanager
def lock(state: Path, *, shared: bool = False) -> Iterator[Callable[[], bool]]:
    """Hold the state folder; LockHeldError when another instance does (V-33), FeedsvcError where none can (S-31).

    The kernel frees it with the process, however that ends; the number inside is for people. Gives what says whether
    the file is still there: once it was deleted, another instance can hold a new one.
    """
    place = state / "feedsvc.lock"
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as problem:
        reason = f"can't be made or opened: {problem.strerror}; it must be a file in a folder of our own"
        raise FeedsvcError(f"{place}: {reason}") from problem
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        holder = os.read(handle, 32).decode("ascii", "replace").strip()
        os.close(handle)
        who = f"process {holder}" if holder.isdigit() else "another instance"
        raise LockHeldError(f"{place}: {who} is at work on this folder; wait for it or stop it") from None
    try:
        if not shared:
            with suppress(OSError):  # a full disk: the lock holds without the number
                os.truncate(handle, 0)
                os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield lambda: os.fstat(handle).st_nlink > 0
    finally:
        os.close(handle)
