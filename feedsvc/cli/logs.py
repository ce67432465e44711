"""Log records on stderr: lines for people on a terminal, JSON lines otherwise; one record is one line (V-28, S-36).

What strangers say is data here: control and direction characters are escaped, and no field is longer than 500
characters. A log that nobody reads any more, or that has no room, stops no work (V-32).
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from threading import Lock
from typing import Any, TextIO

from feedsvc.cli.edges import printable
from feedsvc.service.polled import Polled, Result

LONGEST = 500
Log = Callable[[Polled], None]
Event = Callable[..., None]
_Record = Mapping[str, Any]
_JSON = json.JSONEncoder(default=repr)


def poll_log(write: Callable[[str], None] | None = None, stream: TextIO = sys.stderr) -> Log:
    """Return what writes one record for each poll; `write` prints a line where something else holds the terminal."""
    record = _records(to(stream) if write is None else write, _for_people if stream.isatty() else _JSON.encode)

    def log(polled: Polled) -> None:
        record("warning" if polled.result in {Result.FAILED, Result.LOST} else "info", "poll", **polled.record())

    return log


def event_log(stream: TextIO = sys.stderr) -> Event:
    """Return what writes one record for an event: its level, its name in a few words, and fields."""
    return _records(to(stream), _event_for_people if stream.isatty() else _JSON.encode)


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


def _records(write: Callable[[str], None], spelled: Callable[[_Record], str]) -> Event:
    """Return what spells and writes the record of an event: its fields, then what it is, how bad it is, and when."""

    def log(level: str, event: str, **fields: object) -> None:
        told = {name: value[:LONGEST] if isinstance(value, str) else value for name, value in fields.items()}
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
        write(spelled(told | {"event": event, "level": level, "timestamp": moment}))

    return log


def _for_people(event: _Record) -> str:
    """Return one line: source, code, what came, and when it is asked next and why then."""
    code = event["code"] or "---"
    came = event.get("error") or f"{event['new']} new, {event['changed']} changed, {event['raw']} B, {event['ms']} ms"
    then = f"next {event['next']}" if event["next"] else "not asked again"
    return printable(f"{event['source']}  {code}  {event['result']}: {came}; {then} ({event['reason']})")


def _event_for_people(event: _Record) -> str:
    """Return one line: the time of day, how bad it is, what happened, and what is known of it."""
    fields = (f"{name}={value}" for name, value in event.items() if name not in {"event", "level", "timestamp"})
    level = "" if event["level"] == "info" else f"{event['level']}: "
    return printable(" ".join([event["timestamp"][11:19], f"{level}{event['event']}", *fields]))
