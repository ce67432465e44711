"""What one build leaves to the next, in a folder that may be deleted at any time: nothing is lost but time. An edge.

A file holds MessagePack, never anything that is run when it is read, behind what it was made from and a check sum.
One that is not whole, or was made from something else, is as good as none.
"""

import hashlib
import os
import sys
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast
from zoneinfo import TZPATH

import msgspec

from feedsvc import __version__

Value = TypeVar("Value")

_DIGEST = 32
_PACKAGE = str(Path(__file__).resolve().parent.parent)


class Cache:
    """The folder `cache` in the state folder of a project."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "cache"

    def load(self, name: str, kind: type[Value], key: bytes) -> Value | None:
        """Return what was saved under a name for the same key (32 bytes), None where there is nothing of use."""
        try:
            raw = (self._folder / name).read_bytes()
        except OSError:
            return None
        body = memoryview(raw)[2 * _DIGEST :]
        if raw[: 2 * _DIGEST] != key + hashlib.sha256(body).digest():
            return None
        return unpacked(body, kind)

    def save(self, name: str, value: object, key: bytes) -> None:
        """Keep a value; where that cannot be written, the next build takes its time. For one process at a time."""
        beside = self._folder / f".{name}"
        with suppress(OSError, UnicodeEncodeError):
            body = packed(value)
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside.unlink(missing_ok=True)  # what a run that was killed has left
            try:
                handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(key + hashlib.sha256(body).digest())
                    file.write(body)
                beside.replace(self._folder / name)
            except OSError:
                beside.unlink(missing_ok=True)  # what has no room takes none


def packed(value: object) -> bytes:
    """Return a value of the model or of plain types as MessagePack; UnicodeEncodeError where a text is no Unicode."""
    return msgspec.msgpack.encode(value)


def unpacked(body: bytes | memoryview, kind: type[Value]) -> Value | None:
    """Return the value of a type that was packed, None where it is none."""
    try:
        return cast(Value, _decoder(cast(Hashable, kind)).decode(body))
    except (msgspec.MsgspecError, RecursionError):
        return None


@cache
def _decoder(kind: Hashable) -> "msgspec.msgpack.Decoder[Any]":
    return msgspec.msgpack.Decoder(cast(Any, kind))


def digest(*values: object) -> bytes:
    """Return 32 bytes that are the same for equal values of the model, of the settings and of plain types, only."""
    return hashlib.sha256(msgspec.msgpack.encode(values)).digest()


@cache
def program() -> bytes:
    """Return 32 bytes that are others as soon as this program, its packages, Python or the time zones are others.

    Of our own modules, templates and style sheets each counts; of the packages the folder that holds them, since an
    installer writes into that.
    """
    ours = sorted((os.fsencode(file.path), _mark(file.path)) for file in _files(_PACKAGE))
    others = [
        (os.fsencode(place), _mark(place))
        for place in (*sys.path, *TZPATH)
        if place.endswith(("-packages", "zoneinfo"))
    ]
    return digest(__version__, sys.version, sys.implementation.name, ours, others)


def _files(folder: str) -> Iterator["os.DirEntry[str]"]:
    with os.scandir(folder) as there:
        for file in there:
            if file.is_dir():
                yield from _files(file.path) if file.name != "__pycache__" else ()
            else:
                yield file


def _mark(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
