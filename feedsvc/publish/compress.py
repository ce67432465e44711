"""Compressed twins of published bytes: same input, same bytes, no time and no name inside (serving V-09)."""

from collections.abc import Callable, Mapping
from gzip import compress as gzip_compress
from importlib import import_module
from importlib.util import find_spec

SMALLEST = 1024
"""Bytes below which a twin is not worth a file."""

SUFFIXES: Mapping[str, str] = {"gzip": ".gz", "br": ".br", "zstd": ".zst"}
"""File name endings by content coding (RFC 9110 §8.4.1)."""

_MODULES = {"br": "brotli", "zstd": "backports.zstd"}


def missing(coding: str) -> str | None:
    """Return the name of the package that a coding needs and that is not installed, else None."""
    module = _MODULES.get(coding)
    if module is None:
        return None
    try:
        return None if find_spec(module) else module
    except ModuleNotFoundError:
        return module


def compressor(coding: str) -> Callable[[bytes], bytes]:
    """Return what compresses a body for a coding at its best level; ImportError when that is not installed."""
    if coding == "gzip":
        return _gzip
    module = import_module(_MODULES[coding])
    if coding == "br":
        return lambda body: bytes(module.compress(body, quality=11))
    return lambda body: bytes(module.compress(body, 19))


def _gzip(body: bytes) -> bytes:
    # zlib's own header says "unknown" or the platform's number for the system it ran on; one machine must write
    # the bytes of every other (N1).
    packed = bytearray(gzip_compress(body, 9, mtime=0))
    packed[9] = 255
    return bytes(packed)


def twins(body: bytes, codings: tuple[str, ...]) -> dict[str, bytes]:
    """Return file suffix → compressed bytes; nothing below 1 kB (V-09)."""
    if len(body) < SMALLEST:
        return {}
    return {SUFFIXES[coding]: compressor(coding)(body) for coding in codings}
