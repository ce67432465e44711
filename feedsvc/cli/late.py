"""The one lazy import of the house: what only some calls need is imported when they come to it.

A build needs neither requests nor APScheduler, and where nothing changed not even what writes feeds; each costs more to
import than a small build takes.
"""

from importlib import import_module
from typing import Any


def late(module: str) -> Any:
    """Return a module of feedsvc, `cli.build` say, that is imported now if it was not before."""
    return import_module(f"feedsvc.{module}")
