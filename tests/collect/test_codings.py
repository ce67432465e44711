"""Content codings read with a cap and to their end (S-14 to S-16, F-43)."""

import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.collect.codings import ACCEPT_ENCODING, STEP, CodingError, brotli, decoder_for, zstd
from tests.servers import raw_deflate

WRITERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    " Deflate ": raw_deflate,
}
if brotli is not None:
    WRITERS["br"] = brotli.compress
if zstd is not None:
    WRITERS["zstd"] = zstd.compress


def read(coding: str, data: bytes, size: int = 1 << 20) -> bytes:
    decoder = decoder_for(coding)
    assert decoder is not None
    body = b""
    for place in range(0, len(data), size):
        body += decoder.step(data[place : place + size])
        while not decoder.hungry:
            body += decoder.step(b"")
    decoder.end()
    return body


@pytest.mark.parametrize("coding", WRITERS)
@settings(max_examples=25, deadline=None)
@given(body=st.binary(max_size=300).map(lambda some: some * 300), size=st.integers(1, 40_000))
def test_a_body_comes_back_whole_however_it_arrives_and_not_when_it_is_cut(coding: str, body: bytes, size: int) -> None:
    """S-16"""
    packed = WRITERS[coding](body)
    assert read(coding, packed, size) == body
    with pytest.raises(CodingError) as caught:
        read(coding, packed[:-1], size)
    assert caught.value.kind == "cut"


def test_what_is_asked_for_is_what_can_be_read() -> None:
    """F-43"""
    assert ACCEPT_ENCODING.startswith("gzip, deflate")
    for coding in ACCEPT_ENCODING.split(", "):
        assert decoder_for(coding) is not None


@pytest.mark.parametrize("coding", ["", "identity", " Identity , identity", "none"])
def test_no_coding_needs_no_decoder(coding: str) -> None:
    """RFC 9110 §8.4"""
    assert decoder_for(coding) is None


@pytest.mark.parametrize("coding", ["gzip, gzip", "deflate,gzip", "gzip;q=1", "compress", "x-br", "\x00", "a" * 9999])
def test_two_codings_or_an_unknown_one_are_refused(coding: str) -> None:
    """S-15"""
    if coding == "x-br" and brotli is not None:
        return
    with pytest.raises(CodingError) as caught:
        decoder_for(coding)
    assert caught.value.kind == "coding"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_members_follow_one_another_and_a_little_junk_may(size: int) -> None:
    """S-16, RFC 1952 §2.2"""
    two = gzip.compress(b"one ") + gzip.compress(b"two")
    assert read("gzip", two, size) == b"one two"
    assert read("gzip", two + b"\0" * 1024, size) == b"one two"
    for bad in (two + b"\0" * 1025, two + gzip.compress(b"three")[:-3], two + b"\x1f\x8bjunk"):
        with pytest.raises(CodingError):
            read("gzip", bad, size)


@pytest.mark.parametrize("coding", [name for name in WRITERS if name != " Deflate "])
def test_text_that_is_not_coded_is_refused(coding: str) -> None:
    """S-16"""
    with pytest.raises(CodingError):
        read(coding, b"<?xml version='1.0'?><rss/>")


@pytest.mark.parametrize("coding", WRITERS)
def test_a_bomb_comes_in_steps_that_can_be_stopped(coding: str) -> None:
    """S-13, S-14: no step gives more than a small multiple of its size."""
    decoder = decoder_for(coding)
    assert decoder is not None
    given = len(decoder.step(WRITERS[coding](bytes(20_000_000))))
    for _ in range(20):
        assert given <= 4 * STEP
        assert not decoder.hungry
        given = len(decoder.step(b""))


@pytest.mark.skipif(zstd is None, reason="the extra codings is not installed")
def test_a_window_larger_than_the_web_allows_is_refused() -> None:
    """F-43, RFC 9659: 8 MiB."""
    wide = zstd.compress(bytes(20_000_000), options={zstd.CompressionParameter.window_log: 27})
    with pytest.raises(CodingError):
        read("zstd", wide)
