"""Log records on stderr: lines for people on a terminal, JSON lines otherwise; one record is one line (V-28, S-36).

What strangers say is data here: control and direction characters are escaped, and no field is longer than 500
characters. A log that nobody reads any more, or that has no room, stops no work (V-32).
"""

import os
import sys
from collections.abc import Callable, Mapping, MutableMapping
from threading import Lock
from typing import Any, TextIO

import structlog

from feedsvc.cli.edges import printable
from feedsvc.service.polled import Polled, Result

LONGEST = 500
Log = Callable[[Polled], None]
_Event = MutableMapping[str, Any]


def poll_log(write: Callable[[str], None] | None = None, stream: TextIO = sys.stderr) -> Log:
    """Return what writes one record for each poll; `write` prints a line where something else holds the terminal."""
    lines = _Lines(to(stream) if write is None else write)
    render = _for_people if stream.isatty() else structlog.processors.JSONRenderer()
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso"),
        _short,
        render,
    ]
    logger = structlog.wrap_logger(lines, processors=processors, wrapper_class=structlog.BoundLogger)

    def log(polled: Polled) -> None:
        level = logger.warning if polled.result in {Result.FAILED, Result.LOST} else logger.info
        level("poll", **polled.record())

    return log


def event_log(stream: TextIO = sys.stderr) -> Callable[..., None]:
    """Return what writes one record for an event: its level, its name in a few words, and fields."""
    render = _event_for_people if stream.isatty() else structlog.processors.JSONRenderer()
    stamp: Any = structlog.processors.TimeStamper("iso")
    processors: list[Any] = [structlog.processors.add_log_level, stamp, _short, render]
    logger = structlog.wrap_logger(_Lines(to(stream)), processors=processors, wrapper_class=structlog.BoundLogger)

    def log(level: str, event: str, **fields: object) -> None:
        getattr(logger, level)(event, **fields)

    return log


def to(stream: TextIO) -> Callable[[str], None]:
    """Return what writes a line to a stream whole, and goes on without it where that cannot be (V-32: SIGPIPE)."""
    turn = Lock()

    def write(line: str) -> None:
        try:
            with turn:
                stream.write(f"{line}\n")
                stream.flush()
        except BrokenPipeError:
            _to_nowhere(stream)
        except OSError:  # a full disk: what is lost is a line
            return

    return write


def _to_nowhere(stream: TextIO) -> None:
    """Let what is written go nowhere, so that the interpreter can end with the status that was earned."""
    nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class _Lines:
    """A logger of structlog that hands each line on."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self.info = self.warning = self.error = write


def _short(_: Any, __: str, event: _Event) -> _Event:
    return {name: value[:LONGEST] if isinstance(value, str) else value for name, value in event.items()}


def _for_people(_: Any, __: str, event: Mapping[str, Any]) -> str:
    """Return one line: source, code, what came, and when it is asked next and why then."""
    code = event["code"] or "---"
    came = event.get("error") or f"{event['new']} new, {event['changed']} changed, {event['raw']} B, {event['ms']} ms"
    then = f"next {event['next']}" if event["next"] else "not asked again"
    return printable(f"{event['source']}  {code}  {event['result']}: {came}; {then} ({event['reason']})")


def _event_for_people(_: Any, __: str, event: Mapping[str, Any]) -> str:
    """Return one line: the time of day, how bad it is, what happened, and what is known of it."""
    fields = (f"{name}={value}" for name, value in event.items() if name not in {"event", "level", "timestamp"})
    level = "" if event["level"] == "info" else f"{event['level']}: "
    return printable(" ".join([event["timestamp"][11:19], f"{level}{event['event']}", *fields]))
