"""Whether the daemon is alive, and whether it is of use (serving V-24)."""

import os
import time
from pathlib import Path
from threading import Lock

from msgspec import Struct, field

from feedsvc.publish.folder import is_real


class Pulse(Struct):
    """When the last tick and the last good build were, by the monotonic clock; safe for many threads."""

    ticked: float | None = None
    built: float | None = None
    problem: str = ""
    _lock: Lock = field(default_factory=Lock)

    def tick(self) -> bool:
        """Note a tick; return whether it was the first."""
        with self._lock:
            first, self.ticked = self.ticked is None, time.monotonic()
            return first

    def build(self, problem: str = "") -> None:
        """Note the end of a build, with what went wrong."""
        with self._lock:
            self.problem = problem
            if not problem:
                self.built = time.monotonic()

    def health(self, tick_seconds: float) -> str:
        """Return what is wrong with the process: "" while its ticks are younger than twice their interval."""
        age = time.monotonic() - self.ticked if self.ticked is not None else None
        if age is None:
            return "the scheduler has not ticked yet"
        return "" if age < 2 * tick_seconds else f"the scheduler ticked {age:.0f} s ago, more than twice its interval"

    def readiness(self, output: Path, longest: float) -> str:
        """Return why readers are not well served; `longest` is the longest time in seconds between two builds."""
        if self.built is None:
            return f"the first build failed: {self.problem}" if self.problem else "the first build is not done yet"
        written = output if is_real(output) else output.parent  # a volume, or a link beside its releases
        if not os.access(written, os.W_OK | os.X_OK):
            return "the folder of the output cannot be written"
        age = time.monotonic() - self.built
        if age > 3 * longest:
            return f"the last good build was {age:.0f} s ago, more than three intervals: {self.problem or 'no reason'}"
        return ""
