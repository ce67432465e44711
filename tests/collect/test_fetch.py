"""One polite request: what it carries, what an answer becomes (polling.md; security.md S-01 to S-18)."""

import gzip
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
import trustme
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.collect.answers import Answer, Ask, Failed, Fetched, Hop, NotModified, Posted, Validators
from feedsvc.collect.fetch import Fetcher, FetchPolicy, user_agent
from feedsvc.collect.hosts import HostBlocks, HostGate
from tests.servers import Reply, Request, Server

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
LOOPBACK = (ip_network("127.0.0.0/8"),)
BODY = b'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title></channel></rss>'
AGENT = user_agent("1.0", "https://site.example/")


def policy(timeout: float = 20.0, max_bytes: int = 1024 * 1024, ca_file: str | None = None) -> FetchPolicy:
    return FetchPolicy(AGENT, timeout, max_bytes, LOOPBACK, ca_file)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    asking = Fetcher(policy())
    yield asking
    asking.close()


def fetched(answer: Answer) -> Fetched:
    assert isinstance(answer, Fetched), answer
    return answer


def failed(answer: Answer | Posted, kind: str) -> Failed:
    assert isinstance(answer, Failed), answer
    assert answer.kind == kind, answer
    return answer


def ask(fetcher: Fetcher, url: str, validators: Validators | None = None) -> Answer:
    return fetcher.get(Ask(url, validators), NOW)


# ---- what a request carries --------------------------------------------------------------------------------------


def test_a_request_carries_what_the_rules_name_and_nothing_else(server: Server, fetcher: Fetcher) -> None:
    """F-07, F-41 to F-44: no cookie of an earlier answer, no Referer, no Cache-Control; one User-Agent with contact."""
    server.answers["/feed"] = Reply(200, {"Set-Cookie": "seen=1; Path=/"}, BODY)
    for _ in range(2):
        fetched(ask(fetcher, server.url()))
    for request in server.requests:
        assert [name.decode() for name, _ in request.headers] == ["Host", "User-Agent", "Accept", "Accept-Encoding"]
        assert request.header("User-Agent") == b"feedsvc/1.0 (+https://site.example/)"
        assert (request.header("Accept") or b"").startswith(b"application/atom+xml, application/rss+xml")
        assert (request.header("Accept") or b"").endswith(b"*/*;q=0.1")
        assert (request.header("Accept-Encoding") or b"").startswith(b"gzip, deflate")
        assert request.header("Host") == f"127.0.0.1:{server.port}".encode()


def test_a_contact_with_a_line_break_makes_no_header() -> None:
    """S-35"""
    for contact in ("a\r\nX: y", "a\nb", "a\0b"):
        with pytest.raises(ValueError, match=r"polling\.contact"):
            user_agent("1.0", contact)


def test_the_environment_gives_neither_proxy_nor_password(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-47, CVE-2024-47081: proxy variables and netrc are not looked at."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login u password p\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")
    server.answers["/feed"] = Reply(200, {}, BODY)
    asking = Fetcher(policy())
    fetched(ask(asking, server.url()))
    asking.close()
    assert server.requests[0].header("Authorization") is None


# ---- validators --------------------------------------------------------------------------------------------------


def test_both_validators_come_back_byte_for_byte_and_a_304_is_no_body(server: Server, fetcher: Fetcher) -> None:
    """F-01, F-02, F-03"""
    etag, modified = 'W/"a b\u00e9\xa0"', "Thu, 31 Feb 2026 25:00:00 XYZ"
    server.answers["/feed"] = Reply(200, {"ETag": etag, "Last-Modified": modified}, BODY)
    first = fetched(ask(fetcher, server.url()))
    assert first.validators == Validators(server.url(), etag, modified)
    server.answers["/feed"] = Reply(304, {"ETag": '"2"'})
    second = ask(fetcher, server.url(), first.validators)
    assert isinstance(second, NotModified)
    assert second.headers["etag"] == '"2"'
    assert server.requests[1].header("If-None-Match") == etag.encode("latin-1")
    assert server.requests[1].header("If-Modified-Since") == modified.encode()
    assert server.connections == 1, "a 304 leaves the connection to the next request"


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=1, max_size=300).map(lambda raw: raw.translate(None, b"\r\n\0").strip(b" \t")))
def test_any_bytes_of_an_etag_come_back_unchanged(raw: bytes) -> None:
    """F-01: bytes above 127 and control characters too; blanks around a value are not part of it (RFC 9110 §5.5)."""
    with Server() as server:
        asking = Fetcher(policy())
        server.answers["/feed"] = Reply(200, {"ETag": raw.decode("latin-1")}, BODY)
        ask(asking, server.url(), fetched(ask(asking, server.url())).validators)
        asking.close()
        assert (server.requests[-1].header("If-None-Match") or b"") == raw


def test_nothing_given_is_nothing_sent_and_one_is_sent_without_the_other(server: Server, fetcher: Fetcher) -> None:
    """F-02"""
    server.answers["/feed"] = Reply(200, {}, BODY)
    ask(fetcher, server.url(), fetched(ask(fetcher, server.url())).validators)
    ask(fetcher, server.url(), Validators(server.url(), modified="yesterday"))
    assert [request.header("If-None-Match") for request in server.requests] == [None] * 3
    assert [request.header("If-Modified-Since") for request in server.requests] == [None, None, b"yesterday"]


def test_of_two_validators_none_is_built(server: Server, fetcher: Fetcher) -> None:
    """F-01: not a list of both."""
    server.answers["/feed"] = Reply(200, [("ETag", '"1"'), ("ETag", '"2"'), ("Last-Modified", "x")], BODY)
    assert fetched(ask(fetcher, server.url())).validators == Validators(server.url(), '"1"', "x")


def test_a_304_that_nothing_asked_for_is_the_servers_error(server: Server, fetcher: Fetcher) -> None:
    """F-10"""
    server.answers["/feed"] = Reply(304, {"ETag": '"x"'})
    assert failed(ask(fetcher, server.url()), "unasked-304").status == 304


def test_validators_go_to_the_address_that_gave_them_and_to_no_other(server: Server, fetcher: Fetcher) -> None:
    """F-05, S-11: not to another origin, not to another path; to the end of a redirect where they came from."""
    elsewhere = f"http://localhost:{server.port}/elsewhere"
    server.answers["/feed"] = Reply(307, {"Location": elsewhere})
    server.answers["/elsewhere"] = Reply(200, {"ETag": '"e"'}, BODY)
    first = fetched(ask(fetcher, server.url(), Validators(server.url(), '"mine"')))
    assert [request.header("If-None-Match") for request in server.requests] == [b'"mine"', None]
    assert first.validators == Validators(elsewhere, '"e"')
    ask(fetcher, server.url(), first.validators)
    assert [request.header("If-None-Match") for request in server.requests[2:]] == [None, b'"e"']


# ---- redirects ---------------------------------------------------------------------------------------------------


def test_a_chain_of_five_is_followed_and_told(server: Server, fetcher: Fetcher) -> None:
    """F-34: at most five hops; the chain says where each led from and whether it was permanent."""
    for number, status in enumerate((301, 302, 303, 307, 308)):
        server.answers[f"/{number}"] = Reply(status, {"Location": f"/{number + 1}"})
    server.answers["/5"] = Reply(200, {}, BODY)
    answer = fetched(ask(fetcher, server.url("/0")))
    assert answer.url == server.url("/5")
    assert [(hop.url, hop.status) for hop in answer.chain] == [
        (server.url(f"/{number}"), status) for number, status in enumerate((301, 302, 303, 307, 308))
    ]


def test_six_hops_are_one_too_many_and_a_circle_ends_at_second_sight(server: Server, fetcher: Fetcher) -> None:
    """F-34, S-09"""
    for number in range(6):
        server.answers[f"/{number}"] = Reply(302, {"Location": f"/{number + 1}"})
    failed(ask(fetcher, server.url("/0")), "redirects")
    assert "/6" not in server.paths()
    server.answers["/a"] = Reply(302, {"Location": "/b"})
    server.answers["/b"] = Reply(302, {"Location": "/a#again"})
    failed(ask(fetcher, server.url("/a")), "redirects")
    assert server.paths()[6:] == ["/a", "/b"]


@pytest.mark.parametrize(
    ("location", "kind"),
    [
        ("file:///etc/hostname", "bad-address"),
        ("ftp://ok.example/feed", "bad-address"),
        ("http://user:pass@127.0.0.1:{port}/new", "bad-address"),
        ("http://127.0.0.1:22/", "bad-address"),
        ("\\\\127.0.0.1\\new", "redirects"),
        ("/new\x01", "redirects"),
        ("", "redirects"),
        ("http://169.254.169.254/latest/", "refused-address"),
        ("http://[::1]:{port}/new", "refused-address"),
        ("http://[::ffff:127.0.0.1]:{port}/new", "refused-address"),
        ("http://0x7f000001.1/", "dns"),
        ("http://" + "a" * 300 + ".example/", "bad-address"),
        ("/" + "x" * 20_000, "bad-address"),
    ],
)
def test_no_redirect_leads_out_of_http_or_into_a_private_place(
    server: Server, fetcher: Fetcher, location: str, kind: str
) -> None:
    """S-03, S-10, F-34"""
    server.answers["/feed"] = Reply(302, {"Location": location.format(port=server.port)})
    assert failed(ask(fetcher, server.url()), kind).message
    assert server.paths() == ["/feed"]
    assert server.connections == 1


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/new", "/new"),
        ("new?a=b", "/new?a=b"),
        ("//127.0.0.1:{port}/new", "/new"),
        ("/a b", "/a%20b"),
        ("/\u00fc".encode().decode("latin-1"), "/%C3%BC"),
        ("/\xfc", "/%FC"),
        ("/" + "x" * 8192, "/" + "x" * 8192),
        ("  /new#part", "/new"),
    ],
)
def test_relative_odd_and_long_locations_are_followed(
    server: Server, fetcher: Fetcher, location: str, path: str
) -> None:
    """S-10"""
    server.answers["/feed"] = Reply(302, {"Location": location.format(port=server.port)})
    server.answers[path] = Reply(200, {}, BODY)
    assert fetched(ask(fetcher, server.url())).body == BODY


def test_two_different_locations_are_none(server: Server, fetcher: Fetcher) -> None:
    """S-10"""
    server.answers["/feed"] = Reply(302, [("Location", "/a"), ("Location", "/b")])
    failed(ask(fetcher, server.url()), "redirects")
    assert server.paths() == ["/feed"]
    server.answers["/feed"] = Reply(302, [("Location", "/a"), ("Location", "/a")])
    server.answers["/a"] = Reply(200, {}, BODY)
    fetched(ask(fetcher, server.url()))


# ---- statuses and bodies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [201, 204, 205, 206, 300, 304, 400, 401, 403, 404, 410, 429, 500, 503, 599])
def test_a_status_that_brings_no_feed_is_a_failure_with_its_headers(
    server: Server, fetcher: Fetcher, status: int
) -> None:
    """F-39, F-49"""
    server.answers["/feed"] = Reply(status, {"Retry-After": "9", "Date": "x"}, b"" if status in {204, 304} else b"<p>")
    answer = ask(fetcher, server.url())
    assert isinstance(answer, Failed)
    assert answer.status == status
    assert str(status) in answer.message
    assert answer.headers["retry-after"] == "9"


@pytest.mark.parametrize("status", [200, 203, 226])
def test_a_body_is_taken_with_200_203_and_226(server: Server, fetcher: Fetcher, status: int) -> None:
    """F-48, F-49, F-52: whatever Content-Type says."""
    server.answers["/feed"] = Reply(status, {"Content-Type": "binary"}, BODY)
    answer = fetched(ask(fetcher, server.url()))
    assert (answer.status, answer.body, answer.raw) == (status, BODY, len(BODY))


@pytest.mark.parametrize("wire", ["gzip", "zlib", "raw-deflate", "chunked", "no-length"])
def test_codings_and_framings_that_were_asked_for_are_read(server: Server, fetcher: Fetcher, wire: str) -> None:
    """F-43, S-15"""
    server.answers["/feed"] = Reply(200, {}, BODY * 50, wire)
    assert fetched(ask(fetcher, server.url())).body == BODY * 50


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (Reply(200, {}, BODY, "gzip-cut"), "cut", "cut short"),
        (Reply(200, {}, BODY, "short"), "cut", "cut short"),
        (Reply(200, {}, BODY, "chunked-cut"), "cut", "cut short"),
        (Reply(200, {}, BODY, "gzip-bomb"), "size", "size"),
        (Reply(200, {}, BODY, "endless"), "size", "size"),
        (Reply(200, {}, b"x" * (1024 * 1024 + 1)), "size", "size"),
        (Reply(200, {}, b""), "empty", "empty"),
        (Reply(200, {"Content-Encoding": "gzip, gzip"}, gzip.compress(gzip.compress(BODY))), "coding", "coding"),
        (Reply(200, {"Content-Encoding": "gzip"}, BODY), "coding", "gzip"),
        (Reply(200, {"Content-Encoding": "rot13"}, BODY), "coding", "rot13"),
        (Reply(200, {}, BODY, "huge-header"), "bad-answer", "limits"),
        (Reply(200, [(f"X-{number}", "x") for number in range(101)], BODY), "bad-answer", "limits"),
        (Reply(wire="raw", body=b"SSH-2.0-OpenSSH\r\n"), "bad-answer", "HTTP"),
        (
            Reply(wire="raw", body=b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello"),
            "bad-answer",
            "",
        ),
        (Reply(wire="close"), "closed", "closed"),
    ],
)
def test_a_body_that_is_not_whole_or_too_much_is_no_answer(
    server: Server, fetcher: Fetcher, reply: Reply, kind: str, words: str
) -> None:
    """S-13 to S-17, F-06: and the operator reads why."""
    server.answers["/feed"] = reply
    assert words in failed(ask(fetcher, server.url()), kind).message


def test_a_small_answer_that_grows_a_hundredfold_is_refused_before_the_limit_of_bytes(server: Server) -> None:
    """S-14: after the first MiB, which any small feed of blanks may reach."""
    asking = Fetcher(policy(max_bytes=100 * 1024 * 1024))
    server.answers["/feed"] = Reply(200, {}, b" " * (1024 * 1024), "gzip")
    fetched(ask(asking, server.url()))
    server.answers["/feed"] = Reply(200, {}, b" " * (3 * 1024 * 1024), "gzip")
    assert "grows" in failed(ask(asking, server.url()), "size").message
    asking.close()


def test_interim_answers_are_passed_over(server: Server, fetcher: Fetcher) -> None:
    """RFC 9110 §15.2: 103 is not the answer."""
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    final = b"HTTP/1.1 200 OK\r\nETag: x\r\nContent-Length: 2\r\n\r\nok"
    server.answers["/feed"] = Reply(wire="raw", body=hints * 3 + final)
    answer = fetched(ask(fetcher, server.url()))
    assert (answer.body, answer.headers["etag"]) == (b"ok", "x")
    server.answers["/feed"] = Reply(wire="raw", body=hints * 11 + final)
    failed(ask(fetcher, server.url()), "bad-answer")


@pytest.mark.parametrize(
    "line",
    [
        b"no field at all",
        b"<b>Warning</b>: mysqli_connect(): in /var/www",
        b"X Y: blanks in a name",
        "Größe: 1".encode(),
        b": no name",
        b"no field\r\n whose text goes on: x",
        b"X: a bare\rreturn",
        b"HTTP/1.1 200 OK",
        b"",
    ],
)
def test_a_line_that_is_no_header_hides_none_of_those_behind_it(server: Server, fetcher: Fetcher, line: bytes) -> None:
    """F-01, F-14, RFC 9112 §5: http.client takes all that follows for the body."""
    packed = gzip.compress(BODY)
    head = b'HTTP/1.1 200 OK\r\nServer: x\r\n%s\r\nETag : "1"\r\nContent-Encoding:gzip\r\nX-Folded: a\r\n b\r\n'
    head %= line or b"Date: x"
    server.answers["/feed"] = Reply(wire="raw", body=b"%sContent-Length: %d\r\n\r\n%s" % (head, len(packed), packed))
    answer = fetched(ask(fetcher, server.url()))
    assert (answer.body, answer.headers["etag"], answer.headers["x-folded"]) == (BODY, '"1"', "a b")
    assert answer.headers["server"] == "x"


def test_lines_that_are_no_headers_are_no_endless_head(server: Server, fetcher: Fetcher) -> None:
    """S-17"""
    server.answers["/feed"] = Reply(wire="raw", body=b"HTTP/1.1 200 OK\r\n" + b"none\r\n" * 200 + b"\r\nbody")
    assert "no headers" in failed(ask(fetcher, server.url()), "bad-answer").message


@pytest.mark.parametrize("wire", ["drip-headers", "drip-body", "hang"])
def test_a_slow_server_is_left_when_the_time_is_over(server: Server, wire: str) -> None:
    """S-12: one deadline for the whole exchange, however a server drips."""
    asking = Fetcher(policy(timeout=1.2))
    server.answers["/feed"] = Reply(200, {}, BODY, wire)
    server.answers["/start"] = Reply(302, {"Location": "/feed"})
    began = time.monotonic()
    failed(ask(asking, server.url("/start")), "timeout")
    assert time.monotonic() - began < 30, "the server drips for hours"
    asking.close()


def test_a_server_that_sends_too_little_is_left_before_the_time_is_over(server: Server) -> None:
    """S-18: a long timeout is no licence to hold a worker with a byte now and then, or with none."""
    asking = Fetcher(FetchPolicy(AGENT, 60, allow_private=LOOPBACK, slow_after=0.8))
    for wire in ("drip-body", "stall"):
        server.answers["/feed"] = Reply(200, {}, BODY, wire)
        failed(ask(asking, server.url()), "slow")
    asking.close()


# ---- addresses ---------------------------------------------------------------------------------------------------


class Names:
    """A resolver that works: names to addresses, in turns; counts what it was asked."""

    def __init__(self, *turns: Sequence[str]) -> None:
        self.turns = list(turns)
        self.asked: list[str] = []

    def __call__(self, host: str, _: int) -> Sequence[str]:
        self.asked.append(host)
        return self.turns[min(len(self.asked), len(self.turns)) - 1]


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::ffff:127.0.0.1", "::1", "169.254.169.254", "10.0.0.1", "64:ff9b::7f00:1", "0.0.0.0", "fe80::1"],
)
def test_a_name_with_one_private_address_is_not_connected_to(server: Server, address: str) -> None:
    """S-02, S-04: one bad candidate refuses the name, and no socket is opened."""
    for candidates in ((address,), ("93.184.215.14", address)):
        asking = Fetcher(FetchPolicy(AGENT), lookup=Names(candidates))
        failed(ask(asking, f"http://rebound.example:{server.port}/feed"), "refused-address")
        asking.close()
    assert server.connections == 0


def test_the_address_that_was_checked_is_connected_to_by_one_lookup(server: Server) -> None:
    """S-02: rebinding finds no second lookup; Host keeps the name, the connection is reused."""
    names = Names(["127.0.0.1"], ["169.254.169.254"])
    asking = Fetcher(policy(), lookup=names)
    server.answers["/feed"] = Reply(200, {}, BODY)
    for _ in range(3):
        fetched(ask(asking, f"http://blog.example:{server.port}/feed"))
    asking.close()
    assert names.asked == ["blog.example"]
    assert server.requests[0].header("Host") == f"blog.example:{server.port}".encode()
    assert server.connections == 1


def test_a_dead_first_address_does_not_stop_the_second(server: Server) -> None:
    """F-46"""
    opened = (*LOOPBACK, ip_network("::1/128"))
    server.answers["/feed"] = Reply(200, {}, BODY)
    asking = Fetcher(FetchPolicy(AGENT, allow_private=opened), lookup=Names(["::1", "127.0.0.1"]))
    assert fetched(ask(asking, f"http://blog.example:{server.port}/feed")).body == BODY
    asking.close()


def test_not_more_than_two_addresses_of_a_family_are_tried() -> None:
    """F-45: a name with a hundred dead addresses does not take the whole time."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    dead = [f"127.0.0.{number}" for number in range(1, 100)]
    asking = Fetcher(FetchPolicy(AGENT, allow_private=LOOPBACK), lookup=Names(dead))
    message = failed(ask(asking, f"http://blog.example:{port}/feed"), "connect").message
    asking.close()
    assert message.count("127.0.0.") == 2


def test_a_name_that_is_unknown_or_never_answered_holds_nothing_up() -> None:
    """F-32, S-12"""

    def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError(-2, "Name or service not known")

    asleep = threading.Event()

    def sleeping(host: str, port: int) -> Sequence[str]:
        asleep.wait(60)
        return ()

    for lookup, kind in ((unknown, "dns"), (sleeping, "timeout"), (Names([]), "dns")):
        asking = Fetcher(policy(timeout=0.3), lookup=lookup)
        failed(ask(asking, "http://blog.example/feed"), kind)
        asking.close()
    asleep.set()


# ---- TLS ---------------------------------------------------------------------------------------------------------


def test_a_certificate_nobody_vouches_for_is_a_failure(server: Server, fetcher: Fetcher) -> None:
    """F-47"""
    server.answers["/feed"] = Reply(200, {}, BODY)
    assert "certificate" in failed(ask(fetcher, server.url(scheme="https")), "tls").message
    assert server.requests == []


def test_tls_asks_for_the_name_and_checks_it(tmp_path: Path) -> None:
    """S-02: SNI and certificate keep the name, the connection goes to the checked address."""
    authority = trustme.CA()
    bundle = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(bundle)
    with Server(authority=authority, names=("blog.example",)) as server:
        server.answers["/feed"] = Reply(200, {}, BODY, "chunked")
        asking = Fetcher(policy(ca_file=str(bundle)), lookup=Names(["127.0.0.1"]))
        for _ in range(2):
            assert fetched(ask(asking, f"https://blog.example:{server.port}/feed")).body == BODY
        assert "certificate" in failed(ask(asking, f"https://other.example:{server.port}/feed"), "tls").message
        asking.close()
        assert {request.server_name for request in server.requests} == {"blog.example"}
        assert server.connections == 2


# ---- connections -------------------------------------------------------------------------------------------------


def test_a_reused_connection_that_died_is_tried_once_more_on_a_fresh_one(server: Server, fetcher: Fetcher) -> None:
    """F-33: only where it served before and not a byte of an answer came."""
    served: list[int] = []

    def once(request: Request) -> Reply:
        served.append(request.connection)
        return Reply(200, {}, BODY) if served.count(request.connection) == 1 else Reply(wire="close")

    server.answers["/feed"] = once
    for _ in range(3):
        fetched(ask(fetcher, server.url()))
    assert served == [1, 1, 2, 2, 3]
    server.answers["/feed"] = Reply(wire="raw", body=b"HTT")
    failed(ask(fetcher, server.url()), "bad-answer")
    assert server.requests[-1].connection == 3, "a connection that served before, but a byte came: not tried again"
    server.answers["/feed"] = Reply(wire="close")
    failed(ask(fetcher, server.url()), "closed")
    assert len(server.requests) == 7


def test_connections_that_the_server_closed_are_opened_anew(server: Server, fetcher: Fetcher) -> None:
    """F-45"""
    server.answers["/feed"] = Reply(200, {}, BODY)
    for _ in range(3):
        fetched(ask(fetcher, server.url()))
        server.drop()
    fetcher.rest()
    fetched(ask(fetcher, server.url()))
    assert server.connections == 4


@pytest.mark.parametrize("wire", ["drip-body", "drip-headers", "hang", "lookup", "gate", "tls"])
def test_close_ends_what_is_under_way_at_once(server: Server, wire: str) -> None:
    """V-32: shutting down waits for no server, no name and no turn."""
    asleep, asked = threading.Event(), threading.Event()

    def lookup(host: str, port: int) -> Sequence[str]:
        asked.set()
        if wire == "lookup":
            asleep.wait(60)
        return ["127.0.0.1"]

    def answer(request: Request) -> Reply:
        asked.set()
        return Reply(200, {}, BODY, wire if wire != "gate" else "hang")

    server.answers["/feed"] = answer
    gate = HostGate(1, 0)
    asking = Fetcher(policy(timeout=60), gate, lookup=lookup)
    answers: list[Answer] = []
    silent = socket.create_server(("127.0.0.1", 0))
    url = f"http://blog.example:{server.port}/feed"
    if wire == "tls":
        url = f"https://blog.example:{silent.getsockname()[1]}/feed"
    number = 2 if wire == "gate" else 1
    threads = [threading.Thread(target=lambda: answers.append(ask(asking, url))) for _ in range(number)]
    for thread in threads:
        thread.start()
    assert asked.wait(10)
    began = time.monotonic()
    asking.close()
    for thread in threads:
        thread.join(30)
    assert time.monotonic() - began < 30, "the time given is 60 seconds"
    for found in answers:
        failed(found, "stopped")
    assert len(answers) == len(threads)
    failed(ask(asking, url), "stopped")
    asleep.set()
    silent.close()


# ---- hosts -------------------------------------------------------------------------------------------------------


def test_a_block_is_noted_before_another_request_slips_in(server: Server) -> None:
    """F-14, F-18: the exact host and port, by its own Retry-After; a redirect into it is not followed."""
    blocks = HostBlocks()
    asking = Fetcher(policy(), HostGate(1, 0), blocks)
    server.answers["/feed"] = Reply(429, {"Retry-After": "3600"})
    failed(ask(asking, server.url()), "status")
    held = failed(ask(asking, server.url("/other")), "held")
    assert held.until == NOW + timedelta(hours=1)
    assert "2026-05-04 09:00" in held.message
    with Server() as second:
        second.answers["/feed"] = Reply(302, {"Location": server.url("/third")})
        failed(ask(asking, second.url()), "held")
        assert second.paths() == ["/feed"]
    assert server.paths() == ["/feed"]
    assert isinstance(asking.get(Ask(server.url("/other")), NOW + timedelta(hours=2)), Failed)
    assert server.paths() == ["/feed", "/other"]
    asking.close()


def test_one_host_is_asked_by_one_thread_at_a_time_with_the_delay_between_starts(server: Server) -> None:
    """F-31"""
    under_way: list[int] = []
    most: list[int] = []
    lock = threading.Lock()

    def answer(request: Request) -> Reply:
        with lock:
            under_way.append(1)
            most.append(len(under_way))
        with lock:
            under_way.pop()
        return Reply(200, {}, BODY)

    server.answers["/feed"] = answer
    asking = Fetcher(policy(), HostGate(1, 0.05))
    threads = [threading.Thread(target=ask, args=(asking, server.url())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    asking.close()
    starts = [request.at for request in server.requests]
    assert max(most) == 1
    assert len(starts) == 6
    assert starts[-1] - starts[0] >= 5 * 0.05 - 0.01


# ---- forms -------------------------------------------------------------------------------------------------------


def test_a_form_is_posted_under_the_same_guard(server: Server, fetcher: Fetcher) -> None:
    """W-07, W-08: 307 and 308 send it on, nothing else does."""
    server.answers["/hub"] = Reply(308, {"Location": "/hub2"})
    server.answers["/hub2"] = Reply(202)
    posted = fetcher.post(server.url("/hub"), {"hub.mode": "publish", "hub.url": "https://a.example/?x=1&y"}, NOW)
    assert isinstance(posted, Posted)
    assert [request.method for request in server.requests] == ["POST", "POST"]
    assert server.requests[1].body == b"hub.mode=publish&hub.url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y"
    assert server.requests[1].header("Content-Type") == b"application/x-www-form-urlencoded"
    server.answers["/hub2"] = Reply(302, {"Location": "/hub"})
    assert failed(fetcher.post(server.url("/hub2"), {}, NOW), "status").status == 302
    failed(Fetcher(FetchPolicy(AGENT)).post(server.url("/hub"), {}, NOW), "refused-address")


def test_a_hop_keeps_the_headers_of_the_redirect() -> None:
    """F-14: a redirect may carry Retry-After."""
    assert Hop("http://a.example/", 302, {"retry-after": "9"}).headers["retry-after"] == "9"
