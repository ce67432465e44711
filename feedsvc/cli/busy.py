"""A sign of life on a terminal while something takes its time; nothing where nobody looks.

Written past the buffers of Python, whose locks a process that is forked meanwhile would inherit.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

PATIENCE_SECONDS = 0.4
STEP_SECONDS = 0.2
FACES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@contextmanager
def busy(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show what is going on, and for how many seconds, on the terminal of stderr; gone when it is over."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    over = Event()
    sign = Thread(target=_show, args=(what, over, sys.stderr.fileno()), name="busy", daemon=True)
    sign.start()
    try:
        yield
    finally:
        over.set()
        sign.join()


def _show(what: str, over: Event, terminal: int) -> None:
    if over.wait(PATIENCE_SECONDS):
        return
    steps = 0
    while not over.is_set():
        seconds = int(PATIENCE_SECONDS + steps * STEP_SECONDS)
        os.write(terminal, f"\r{FACES[steps % len(FACES)]} {what} {seconds} s".encode())
        over.wait(STEP_SECONDS)
        steps += 1
    os.write(terminal, b"\r\x1b[K")
