"""Content codings read with a cap: never more than a step of output at a time, and the end must be reached.

`Decoder.step` gives at most about STEP bytes, so that the caller can stop a bomb after any step (S-13, S-14); `end`
says whether the stream came to its end marker (S-16). Only what stands here is asked for (F-43): br needs a brotli
that can be capped (1.2.0, CVE-2025-6176), zstd keeps to the window of 8 MiB that RFC 9659 allows on the web.
"""

import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol


def _installed(name: str) -> Any:
    """Return a module of the extra "codings", None where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


brotli = _installed("brotli")
zstd = _installed("backports.zstd")
STEP = 65_536
MAX_JUNK = 1024
_GUESS = 4096
_NEUTRAL = frozenset({"", "identity", "none"})


class CodingError(Exception):
    """The stream is not what its coding says; `kind` is "coding" or "cut"."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Stream(Protocol):
    """One compressed stream, with the manners of the zstd module: it keeps the input that it could not yet take."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Zlib:
    """zlib and gzip, by `wbits`."""

    def __init__(self, wbits: int) -> None:
        self._stream = zlib.decompressobj(wbits)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        given = self._stream.decompress(self._stream.unconsumed_tail + data, max_length)
        self.needs_input = not self._stream.unconsumed_tail and len(given) < max_length
        return given


class _Deflate:
    """deflate: with the zlib wrapper, as the RFC says, or raw, as some servers send it."""

    def __init__(self) -> None:
        self._stream = _Zlib(zlib.MAX_WBITS)
        self._seen: bytes | None = b""

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return self._stream.needs_input

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._seen is None:
            return self._stream.decompress(data, max_length)
        seen = self._seen + data
        try:
            given = self._stream.decompress(data, max_length)
        except zlib.error:
            self._stream, self._seen = _Zlib(-zlib.MAX_WBITS), None
            return self._stream.decompress(seen, max_length)
        self._seen = None if given or len(seen) > _GUESS else seen
        return given


class _Brotli:
    """br."""

    unused_data = b""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return bool(self._stream.is_finished())

    def decompress(self, data: bytes, max_length: int) -> bytes:
        given = bytes(self._stream.process(data, output_buffer_limit=max_length))
        # It says that it can take more while it still holds output that the limit kept back.
        self.needs_input = self._stream.can_accept_more_data() and len(given) < max_length
        return given


def _gzip() -> _Stream:
    return _Zlib(zlib.MAX_WBITS | 16)


def _zstd() -> _Stream:
    stream: _Stream = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: 23})
    return stream


def _capped_brotli(module: Any) -> bool:
    if module is None:
        return False
    return tuple(int(part) for part in module.__version__.split(".")[:2] if part.isdecimal()) >= (1, 2)


# Coding → how to begin a stream, and what another stream right after the end begins with.
_READERS: Mapping[str, tuple[Callable[[], _Stream], bytes]] = {
    "gzip": (_gzip, b"\x1f\x8b"),
    "deflate": (_Deflate, b""),
    **({"br": (_Brotli, b"")} if _capped_brotli(brotli) else {}),
    **({"zstd": (_zstd, b"\x28\xb5\x2f\xfd")} if zstd is not None else {}),
}
_ERRORS: tuple[type[Exception], ...] = (
    zlib.error,
    *((brotli.error,) if brotli is not None else ()),
    *((zstd.ZstdError,) if zstd is not None else ()),
)
ACCEPT_ENCODING = ", ".join(_READERS)


class Decoder:
    """A body under one coding, in steps; raises CodingError."""

    def __init__(self, coding: str) -> None:
        self.coding = coding
        self._begin, self._magic = _READERS[coding]
        self._stream = self._begin()
        self._rest = b""

    @property
    def hungry(self) -> bool:
        """Return whether the next step needs more input, rather than having more to give."""
        return not self._another if self._stream.eof else self._stream.needs_input

    def step(self, data: bytes) -> bytes:
        """Take more input, b"" where it is not hungry, and give the next output."""
        if self._stream.eof:
            self._rest += data
            if not self._another:
                return self._refuse_junk()
            data, self._rest, self._stream = self._rest, b"", self._begin()
        try:
            given = self._stream.decompress(data, STEP)
        except _ERRORS as error:
            raise CodingError("coding", f"the body is not {self.coding}: {error}") from error
        self._rest = self._stream.unused_data if self._stream.eof else b""
        return given

    def end(self) -> None:
        """Say that no more input comes; the stream must have reached its end marker (S-16)."""
        if not self._stream.eof:
            raise CodingError("cut", f"the body is cut short: its {self.coding} stream has no end")
        self._refuse_junk()

    @property
    def _another(self) -> bool:
        return bool(self._magic) and self._rest.startswith(self._magic)

    def _refuse_junk(self) -> bytes:
        if len(self._rest) > MAX_JUNK:
            raise CodingError("coding", f"more than {MAX_JUNK} bytes follow the end of the {self.coding} stream")
        return b""


def decoder_for(header: str) -> Decoder | None:
    """Return the decoder for a `Content-Encoding`, None where nothing is encoded; at most one coding (S-15)."""
    named = [token for part in header.lower().split(",") if (token := part.strip()) not in _NEUTRAL]
    if not named:
        return None
    coding = named[0].removeprefix("x-")
    if len(named) > 1 or coding not in _READERS:
        raise CodingError(
            "coding", f"the content coding “{', '.join(named)[:80]}” is not read: one of {ACCEPT_ENCODING}"
        )
    return Decoder(coding)
