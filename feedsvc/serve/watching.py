"""Notices that posts or the configuration changed, and says so a moment later (watchfiles)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread

from msgspec import Struct
from watchfiles import watch

SETTLE_MILLISECONDS = 300
LOOK_MILLISECONDS = 5000
RETRY_SECONDS = 5.0


class Watched(Struct, frozen=True):
    """A folder, whether what lies below it counts too, and the names that count, none for all of them."""

    folder: Path
    deep: bool
    names: frozenset[str] = frozenset()


class Watcher:
    """Calls `changed` soon after something in a folder changed; a folder that is not there yet is waited for.

    So is one that another takes the place of, by a renaming or by a link that leads elsewhere.
    """

    def __init__(self, watched: Watched, changed: Callable[[], object]) -> None:
        self._watched, self._changed = watched, changed
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"watch {watched.folder.name}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Watch no longer."""
        self._stop.set()

    def _run(self) -> None:
        missed = False
        while not self._stop.is_set():
            if missed and self._watched.folder.is_dir():
                self._changed()
            try:
                self._follow()
                missed = True
            except (OSError, RuntimeError):  # not there, gone, or no more watches are left: builds still come round
                missed = not self._watched.folder.is_dir()
            self._stop.wait(RETRY_SECONDS)

    def _follow(self) -> None:
        """Watch a folder until it is gone, or another one."""
        folder, names = self._watched.folder, self._watched.names
        here = _identity(folder)
        for changes in watch(
            folder, recursive=self._watched.deep, stop_event=self._stop, step=SETTLE_MILLISECONDS,
            debounce=4 * SETTLE_MILLISECONDS, watch_filter=None, raise_interrupt=False, yield_on_timeout=True,
            rust_timeout=LOOK_MILLISECONDS,
        ):  # fmt: skip
            if any(not names or Path(path).name in names for _, path in changes):
                self._changed()
            if _identity(folder) != here:
                return


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return by what a folder is known again, None where there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def watch_all(watched: Sequence[Watched], changed: Callable[[], object]) -> tuple[Watcher, ...]:
    """Watch several folders for one reason."""
    return tuple(Watcher(each, changed) for each in watched)
