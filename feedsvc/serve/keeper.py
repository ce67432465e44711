"""Holds the current shelf and notices when another set was published (V-39)."""

import time
from pathlib import Path
from threading import Event, Lock

from feedsvc.publish.folder import is_real
from feedsvc.serve.documents import Fingerprint, Public, Shelf, fingerprint, load
from feedsvc.serve.farewell import remember, remembered

LOOK_SECONDS = 1.0
FILE = "farewell.json"


class Keeper:
    """`shelf` is what is served: replaced whole, by one assignment, so that no answer mixes two sets.

    While the folder cannot be read, or changes under the reader's hands, the set before stays. `state` is the folder
    in which feeds are remembered, so that one that leaves while nobody serves is missed as well.
    """

    def __init__(self, output: Path, public: Public, state: Path | None = None) -> None:
        self._output, self._public = output, public
        self._memory = state / FILE if state else None
        self.shelf = Shelf(memory=remembered(self._memory)) if self._memory else Shelf()
        self._loaded: Fingerprint = ()
        self._seen: Fingerprint = ()
        self._looking = Lock()

    def look(self, *, settled: bool = False) -> bool:
        """Take the published set if it is another one; return whether it was.

        Files of a real folder are replaced one by one: unless it is known to be `settled`, such a set counts once
        nothing in it changed between two looks.
        """
        with self._looking:
            return self._look(settled=settled)

    def _look(self, *, settled: bool) -> bool:
        try:
            found = fingerprint(self._output)
            settled = settled or found == self._seen or not is_real(self._output)
            self._seen = found
            if found == self._loaded or not settled:
                return False
            shelf = load(self._output, self._public, time.time(), self.shelf)
            if fingerprint(self._output) != found:
                return False
        except OSError:
            return False
        if self._memory and shelf.memory != self.shelf.memory:
            remember(self._memory, shelf.memory)
        self.shelf, self._loaded = shelf, found
        return True

    def watch(self, stop: Event) -> None:
        """Look every second until stopped."""
        while not stop.wait(LOOK_SECONDS):
            self.look()
