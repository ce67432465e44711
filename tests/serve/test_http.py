"""The server on real sockets: what readers get, and what bad clients cost."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from feedsvc.serve.connection import Limits, listen
from feedsvc.serve.documents import Shelf
from feedsvc.serve.http import Server
from feedsvc.serve.keeper import Keeper
from feedsvc.serve.recall import Recall
from tests.serve.folders import ATOM, PUBLIC, SET, put

BIG = {**SET, "assets/big.bin": "x" * 30_000_000}
QUICK = Limits(head_seconds=0.5, idle_seconds=0.5, answer_seconds=0.5, slowest=1 << 40, linger_seconds=0.5)


@contextmanager
def serving(shelf: Shelf | Keeper, limits: Limits = Limits(), host: str = "127.0.0.1") -> Iterator[tuple[str, int]]:  # noqa: B008
    """Serve a shelf until the block ends; yields the address."""
    holder = shelf if isinstance(shelf, Keeper) else _Fixed(shelf)
    listener = listen(host, 0)
    address = listener.getsockname()[:2]
    server = Server(listener, Recall(holder), limits)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield address
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


class _Fixed:
    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf


@pytest.fixture(scope="module")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Keeper:
    found = Keeper(put(tmp_path_factory.mktemp("site"), BIG, codings=()), PUBLIC)
    found.look(settled=True)
    return found


def connect(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, timeout=20)


def everything(connection: socket.socket) -> bytes:
    """Read until the server closes."""
    parts = []
    while part := connection.recv(1 << 20):
        parts.append(part)
    return b"".join(parts)


def ask(address: tuple[str, int], request: bytes) -> bytes:
    with connect(address) as connection:
        connection.sendall(request)
        return everything(connection)


def request(path: str = "/atom.xml", *lines: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: x", *lines, "", ""]).encode()


def test_an_answer_has_a_date_and_no_name_of_a_server(keeper: Keeper) -> None:
    """RFC 9110 §6.6.1; V-16."""
    with serving(keeper) as address:
        head, _, body = ask(address, request("/atom.xml", "Connection: close")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nDate: " in head
    assert b"\r\nConnection: close" in head
    assert b"\r\nserver:" not in head.lower()
    assert body == ATOM.encode()


def test_requests_sent_at_once_are_answered_in_order(keeper: Keeper) -> None:
    paths = ["/atom.xml", "/nothing", "/tags/cuda", "/feeds.opml"] * 40
    with serving(keeper) as address:
        said = ask(address, b"".join(request(path) for path in paths) + request("/", "Connection: close"))
    codes = [int(part[:3]) for part in said.split(b"HTTP/1.1 ")[1:]]
    assert codes == [200, 404, 301, 200] * 40 + [200]


def test_a_request_that_arrives_byte_by_byte_is_answered(keeper: Keeper) -> None:
    with serving(keeper) as address, connect(address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in request("/feeds.opml", "Connection: close"):
            connection.send(bytes([byte]))
        assert everything(connection).startswith(b"HTTP/1.1 200")


def test_head_sends_no_body(keeper: Keeper) -> None:
    """V-07."""
    head = b"HEAD /atom.xml HTTP/1.1\r\nHost: x\r\n\r\n"
    with serving(keeper) as address:
        said = ask(address, head * 2 + request("/feeds.opml", "Connection: close"))
    first, second, _ = said.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert first.endswith(b"\r\n\r\n")
    assert second.endswith(b"\r\n\r\n")
    assert f"Content-Length: {len(ATOM.encode())}".encode() in first


def test_the_body_of_a_post_is_never_a_request_and_the_refusal_arrives(keeper: Keeper) -> None:
    """V-07: the refusal is not lost with the unread body."""
    inside = request("/feed.json") * 100
    post = b"POST /atom.xml HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(inside)
    with serving(keeper) as address:
        said = ask(address, post + inside)
    assert said.count(b"HTTP/1.1 ") == 1
    assert said.startswith(b"HTTP/1.1 405")


@pytest.mark.parametrize("line", [b"nonsense", b"GET / HTTP/1.1\r\nHost: x\r\nA : b", b"GET /\r\n folded"])
def test_what_is_no_request_is_refused_with_the_policies_of_every_answer(keeper: Keeper, line: bytes) -> None:
    """V-16."""
    with serving(keeper) as address:
        said = ask(address, line + b"\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b"nosniff" in said


@pytest.mark.parametrize("ended", [False, True])
def test_headers_of_16_kib_are_the_limit(keeper: Keeper, ended: bool) -> None:
    """V-40."""
    end = b"\r\n\r\n" if ended else b""
    with serving(keeper) as address:
        fine = ask(address, request("/feeds.opml", "A: " + "x" * 15_000, "Connection: close"))
        large = ask(address, b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 17_000 + end)
    assert fine.startswith(b"HTTP/1.1 200")
    assert large.startswith(b"HTTP/1.1 431")


def drip_until_dropped(connection: socket.socket) -> None:
    """Send a byte ten times a second until the server has had enough."""
    connection.settimeout(0.1)
    with suppress(ConnectionError):
        while True:
            connection.send(b"s")
            with suppress(TimeoutError):
                if not connection.recv(10):
                    return


def test_half_requests_are_dropped_and_hold_nobody_up(keeper: Keeper) -> None:
    """V-40: also one that sends a byte now and then."""
    with serving(keeper, QUICK) as address:
        halves = [connect(address) for _ in range(50)]
        for half in halves[:25]:
            half.sendall(b"GET / HTTP/1.1\r\nHo")
        assert ask(address, request("/feeds.opml", "Connection: close")).startswith(b"HTTP/1.1 200")
        drip_until_dropped(halves[0])
        for half in halves[1:]:
            assert half.recv(100) == b""
        for half in halves:
            half.close()


def test_a_connection_that_asks_nothing_more_is_closed(keeper: Keeper) -> None:
    """V-40."""
    with serving(keeper, QUICK) as address, connect(address) as connection:
        connection.sendall(request("/feeds.opml"))
        assert everything(connection).startswith(b"HTTP/1.1 200")


def slow(address: tuple[str, int], ask_for: bytes) -> socket.socket:
    """Return a connection with a small window whose client asks and does not read."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(20)
    connection.connect(address)
    connection.sendall(ask_for)
    return connection


def test_a_reader_who_does_not_read_is_dropped_and_holds_nobody_up(keeper: Keeper) -> None:
    """V-40."""
    with serving(keeper, QUICK) as address:
        readers = [slow(address, request("/assets/big.bin")) for _ in range(20)]
        assert ask(address, request("/feeds.opml", "Connection: close")).startswith(b"HTTP/1.1 200")
        with connect(address) as later:
            assert everything(later) == b""  # dropped by the same clock, after them
        for reader in readers:
            with reader, suppress(ConnectionError):
                assert len(everything(reader)) < 20_000_000


def test_a_reader_who_takes_his_time_gets_everything(keeper: Keeper) -> None:
    with serving(keeper) as address, slow(address, request("/assets/big.bin", "Connection: close")) as reader:
        head, _, body = everything(reader).partition(b"\r\n\r\n")
    assert len(body) == 30_000_000
    assert b"Content-Length: 30000000" in head


def test_who_sends_requests_and_reads_no_answer_fills_no_memory(keeper: Keeper) -> None:
    """V-40: the server stops reading from such a client."""
    with serving(keeper, QUICK) as address, socket.create_connection(address, timeout=1) as connection:
        sent = 0
        with suppress(OSError):  # a timeout, or a reset once it is dropped
            while sent < 100_000_000:
                sent += connection.send(request("/atom.xml") * 1000)
    assert sent < 100_000_000


def test_the_oldest_connection_makes_room_for_a_new_one(keeper: Keeper) -> None:
    """V-40: idle clients cannot take all places."""
    with serving(keeper, Limits(connections=8)) as address:
        idle = [connect(address) for _ in range(30)]
        assert ask(address, request("/feeds.opml", "Connection: close")).startswith(b"HTTP/1.1 200")
        assert idle[0].recv(10) == b""
        for each in idle:
            each.close()


def test_an_answer_under_way_is_finished_when_the_server_stops(keeper: Keeper) -> None:
    """V-32."""
    with serving(keeper) as address:
        reader = slow(address, request("/assets/big.bin"))
        start = reader.recv(100)
        got: list[bytes] = [start]
        reading = threading.Thread(target=lambda: got.append(everything(reader)))
        reading.start()
    reading.join(20)
    reader.close()
    assert len(b"".join(got).partition(b"\r\n\r\n")[2]) == 30_000_000


def test_a_client_that_resets_costs_nothing(keeper: Keeper) -> None:
    with serving(keeper) as address:
        for _ in range(20):
            reader = slow(address, request("/assets/big.bin"))
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            reader.close()
        assert ask(address, request("/feeds.opml", "Connection: close")).startswith(b"HTTP/1.1 200")


def test_it_listens_on_ipv6_too(keeper: Keeper) -> None:
    if not socket.has_ipv6 or not os.path.exists("/proc/net/if_inet6"):
        pytest.skip("no IPv6 here")
    with serving(keeper, host="::1") as address:
        assert ask(address, request("/feeds.opml", "Connection: close")).startswith(b"HTTP/1.1 200")


def test_answers_are_remembered_for_one_set_only(tmp_path: Path) -> None:
    """V-19, V-39: after a swap the same words get the new answer, also on a connection that stood open."""
    keeper = Keeper(put(tmp_path), PUBLIC)
    keeper.look(settled=True)
    with serving(keeper) as address, connect(address) as connection:
        connection.sendall(request())
        seen = connection.recv(1 << 20)
        while b"warp" not in seen[-2000:]:
            seen += connection.recv(1 << 20)
        put(tmp_path, {**SET, "atom.xml": ATOM.replace("warp", "wave")}, later=9)
        keeper.look()
        connection.sendall(request("/atom.xml", "Connection: close"))
        rest = everything(connection)
    assert b"wave" in rest
    assert b"warp" not in rest.partition(b"\r\n\r\n")[2]
