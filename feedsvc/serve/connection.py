"""Clients of the server: what each may take, and how it stands."""

import socket

from msgspec import Struct, field

_BACKLOG = 1024


class Limits(Struct, frozen=True):
    """What one client may take: bytes of a request's head; seconds for it, between two requests, and for an answer.

    An answer has `answer_seconds`, and a second more for each `slowest` bytes of it. Beyond `connections` the oldest
    connection makes room for a new one.
    """

    head_bytes: int = 16 * 1024
    head_seconds: float = 10.0
    idle_seconds: float = 75.0
    answer_seconds: float = 20.0
    slowest: int = 4096
    linger_seconds: float = 2.0
    drain_seconds: float = 10.0
    connections: int = 4096


USUAL = Limits()


class Connection(Struct, eq=False):
    """A client: what came and is not answered, what is not sent yet, and when it has to be done.

    `last`: nothing is answered any more; `lingers`: everything is sent, and the client closes first.
    """

    socket: socket.socket
    deadline: float
    pending: bytes = b""
    out: list[bytes | memoryview] = field(default_factory=list)
    last: bool = False
    lingers: bool = False


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address, IPv6 and IPv4 where the host is `::`; OSError when it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=_BACKLOG, dualstack_ipv6=both)
