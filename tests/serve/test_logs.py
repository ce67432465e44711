"""Log records of the daemon: one line each, whatever strangers say (S-36)."""

import io
import json

from feedsvc.cli.logs import LONGEST, event_log

HOSTILE = "a\nb\r\x1b[31m\u202e\u2028\x9b" + "x" * 1000


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True


def test_a_record_is_one_line_of_json_with_short_fields() -> None:
    stream = io.StringIO()
    event_log(stream)("warning", "hub failed", error=HOSTILE)
    (line,) = stream.getvalue().splitlines()
    assert line.isascii()
    assert line.isprintable()
    record = json.loads(line)
    assert (record["level"], record["event"]) == ("warning", "hub failed")
    assert record["error"] == HOSTILE[:LONGEST]
    assert record["timestamp"].endswith("Z")


def test_on_a_terminal_a_record_is_a_line_for_people_without_control_characters() -> None:
    stream = Terminal()
    event_log(stream)("error", "build failed", error=HOSTILE)
    text = stream.getvalue()
    assert text.endswith("\n")
    assert text[:-1].isprintable()
    assert "error: build failed error=a" in text
