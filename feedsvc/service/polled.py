"""What a cycle of polls did: one value for each source, which is also its log record (V-28)."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from feedsvc.collect.pollstate import State
from feedsvc.model import Diagnostic, Level


class Result(StrEnum):
    """How a poll ended: `held` was not asked as its host is blocked, `lost` came too late to be taken."""

    OK = "ok"
    UNCHANGED = "unchanged"
    FAILED = "failed"
    HELD = "held"
    STOPPED = "stopped"
    LOST = "lost"


class Polled(Struct, frozen=True):
    """One poll. `raw` and `decoded` count bytes, `seconds` the exchange; `code` is None where no answer came.

    `kind` and `error` say why a poll failed, as a short code and in words. `warnings` are of the document's entries.
    """

    source: str
    host: str
    result: Result
    code: int | None = None
    raw: int = 0
    decoded: int = 0
    coding: str = ""
    seconds: float = 0.0
    new: int = 0
    changed: int = 0
    state: State = State.OK
    next_poll: datetime | None = None
    reason: str = ""
    kind: str = ""
    error: str = ""
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def skipped(self) -> bool:
        """Return whether the source brought nothing though it should have: what `--strict` counts."""
        return self.result in {Result.FAILED, Result.HELD}

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return what is wrong, as people are told it: the failure first (SO-11)."""
        if self.result is not Result.FAILED:
            return self.warnings
        failed = Diagnostic(self.source, None, Level.WARNING, f"poll failed: {self.error}", self.kind or "poll-failed")
        return (failed, *self.warnings)

    def record(self) -> Mapping[str, object]:
        """Return the fields of its log record; never an address: that may hold a secret (V-28, S-36)."""
        fields: dict[str, object] = {
            "source": self.source,
            "host": self.host,
            "result": str(self.result),
            "code": self.code,
            "raw": self.raw,
            "decoded": self.decoded,
            "coding": self.coding or "identity",
            "ms": round(self.seconds * 1000),
            "new": self.new,
            "changed": self.changed,
            "state": str(self.state),
            "next": f"{self.next_poll:%Y-%m-%dT%H:%M:%SZ}" if self.next_poll else None,
            "reason": self.reason,
        }
        return fields | ({"error": self.error} if self.error else {})


class Waiting(Struct, frozen=True):
    """A source that somebody asked for and that may not be asked yet, or never: until when, and why (F-12)."""

    source: str
    until: datetime | None
    reason: str

    def __str__(self) -> str:
        when = f"not before {self.until:%Y-%m-%d %H:%M:%S} UTC" if self.until else "not asked"
        return f"{self.source}: {when}: {self.reason}"


class PollReport(Struct, frozen=True):
    """What a cycle did; `waiting` only where sources were asked for."""

    polled: tuple[Polled, ...] = ()
    waiting: tuple[Waiting, ...] = ()

    @property
    def news(self) -> bool:
        """Return whether anything came that a build would show."""
        return any(poll.new or poll.changed for poll in self.polled)
