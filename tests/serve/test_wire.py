"""Heads of requests: what is one, and what is refused (RFC 9112)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.serve.wire import MalformedError, Request, essence
from feedsvc.serve.wire import parse as parse_lines

GOOD = b"GET /atom.xml HTTP/1.1\r\nHost: gpu.example"


def parse(head: bytes) -> Request:
    return parse_lines(essence(head))


def test_lines_that_no_answer_depends_on_are_left_out() -> None:
    """V-17: coding and 304, nothing else."""
    more = b"\r\nUser-Agent: a\r\nCookie: b\r\nX-Forwarded-Host: c\r\nRange: bytes=0-1\r\nAccept: d"
    assert essence(GOOD + more) == essence(GOOD)


def test_a_head_is_read_whatever_the_case_of_its_names() -> None:
    found = parse(GOOD + b'\r\nACCEPT-ENCODING:gzip\t\r\nif-None-match:  "a" \r\nUser-Agent: caf\xe9')
    assert (found.method, found.target) == ("GET", "/atom.xml")
    assert found.headers == {"host": "gpu.example", "accept-encoding": "gzip", "if-none-match": '"a"'}
    assert (found.lasting, found.old) == (True, False)


def test_a_header_that_comes_twice_is_a_list() -> None:
    """RFC 9110 §5.2: also a validator in a second line is seen."""
    found = parse(GOOD + b'\r\nIf-None-Match: "a"\r\nX: y\r\nIf-None-Match: "b"')
    assert found.headers["if-none-match"] == '"a","b"'


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"GET",
        b"GET /",
        b"GET / HTTP/2.0\r\nHost: x",
        b"GET / HTTP/1.2\r\nHost: x",
        b"GET /a b HTTP/1.1\r\nHost: x",
        b"GET  / HTTP/1.1\r\nHost: x",
        b"G\xc3\x89T / HTTP/1.1\r\nHost: x",
        b"GET /\xff HTTP/1.1\r\nHost: x",
        b"GET /\0 HTTP/1.1\r\nHost: x",
        b"GET / HTTP/1.1",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y",
        b"GET / HTTP/1.1\r\nHost : x",
        b"GET / HTTP/1.1\r\nHost: x\r\n folded",
        b"GET / HTTP/1.1\r\nHost: x\r\nno colon",
        b"GET / HTTP/1.1\r\nHost: x\r\n: no name",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: b\nC: d",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: b\0",
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer Encoding: chunked",
        b"PRI * HTTP/2.0",
        b"\x16\x03\x01\x02\x00\x01",
    ],
)
def test_what_two_servers_could_read_differently_is_refused(head: bytes) -> None:
    with pytest.raises(MalformedError):
        parse(head)


@pytest.mark.parametrize(
    ("lines", "lasting"),
    [
        (b"GET / HTTP/1.1\r\nHost: x", True),
        (b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Close", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0", True),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 5", False),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked", False),
        (b"GET / HTTP/1.0", False),
        (b"GET / HTTP/1.0\r\nConnection: keep-alive", True),
    ],
)
def test_a_connection_ends_where_a_body_or_the_client_says_so(lines: bytes, lasting: bool) -> None:
    """No byte of a body is ever taken for the next request."""
    assert parse(lines).lasting is lasting


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_are_a_request_or_refused(head: bytes) -> None:
    try:
        found = parse(head)
    except MalformedError:
        return
    assert found.method
    assert found.target


@pytest.mark.parametrize("filling", [b"a", b" ", b":", b"\r\n", b"a:", b"a:b\r\n", b"\t", b"\xff"])
def test_long_heads_are_read_in_linear_time(filling: bytes) -> None:
    """S-43: a test that hangs fails."""
    for end in (b"", b"\0", b"\r\nX"):
        try:
            parse(GOOD + b"\r\n" + filling * 50_000 + end)
        except MalformedError:
            continue
