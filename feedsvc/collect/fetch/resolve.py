"""From the name of a host to a socket, through the address guard (S-02, S-04, S-12).

A name is looked up once for each connection, every candidate is checked, one bad candidate refuses the name, and the
numeric address that was checked is the one that is connected to. getaddrinfo knows no timeout: it runs in a thread
that can be left behind, and a bounded number of such threads may be; one that comes back serves the next lookup.
"""

import errno
import os
import select
import socket
import time
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address
from queue import SimpleQueue

from msgspec import Struct

from feedsvc.collect.address import Network, check_address, check_port
from feedsvc.collect.fetch.exchange import BrokenError, Exchange
from feedsvc.collect.fetch.lookups import Lookups

Lookup = Callable[[str, int], Sequence[str]]

CONNECT_SECONDS = 5.0
CANDIDATES_OF_A_FAMILY = 2
LOOKUPS_AT_ONCE = 512
_SLICE = 0.2
_lookups = Lookups(LOOKUPS_AT_ONCE)


def system_lookup(host: str, port: int) -> Sequence[str]:
    """Return the numeric addresses of a host, as the system orders them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for _, _, _, _, address in found))


class Guard(Struct, frozen=True):
    """How names become connections: the networks opened by polling.allow_private, and who looks names up."""

    allowed: tuple[Network, ...] = ()
    lookup: Lookup = system_lookup

    def connect(self, host: str, port: int, exchange: Exchange) -> socket.socket:
        """Return a socket connected to a checked address of `host`; BrokenError says why there is none."""
        if reason := check_port(port):
            raise BrokenError("bad-address", f"not asked: {reason}")
        candidates = self._candidates(host, port, exchange)
        failures: list[str] = []
        for place, address in enumerate(candidates):
            share = exchange.left / (len(candidates) - place)
            try:
                return _connected(address, port, min(CONNECT_SECONDS, share), exchange)
            except OSError as error:
                exchange.check()
                failures.append(f"{address}: {error.strerror or error}")
        raise BrokenError("connect", f"no connection to {host} port {port} ({'; '.join(failures)})")

    def _candidates(self, host: str, port: int, exchange: Exchange) -> Sequence[str]:
        addresses = (host,) if _is_numeric(host) else _looked_up(self.lookup, host, port, exchange)
        for address in addresses:
            if reason := check_address(address, self.allowed):
                raise BrokenError(
                    "refused-address", f"not asked: {host} is not public: {reason} (polling.allow_private)"
                )
        if not addresses:
            raise BrokenError("dns", f"the name {host} has no address")
        return _few(addresses)


def _few(addresses: Sequence[str]) -> Sequence[str]:
    """Keep at most two of each family, in the given order (F-45)."""
    six = [address for address in addresses if ":" in address][:CANDIDATES_OF_A_FAMILY]
    four = [address for address in addresses if ":" not in address][:CANDIDATES_OF_A_FAMILY]
    return [address for address in addresses if address in {*six, *four}]


def _looked_up(lookup: Lookup, host: str, port: int, exchange: Exchange) -> Sequence[str]:
    """Look a name up in another thread, which is left behind when time is over first."""
    results: SimpleQueue[Sequence[str] | Exception | None] = SimpleQueue()

    def work() -> None:
        try:
            results.put(lookup(host, port))
        except Exception as error:
            results.put(error)

    with exchange.interrupted_by(lambda: results.put(None)):
        if not _lookups.run(work):
            raise BrokenError("dns", f"the name {host} was not looked up: {LOOKUPS_AT_ONCE} others are still waiting")
        found = results.get()
    exchange.check()
    if isinstance(found, Exception) or found is None:
        raise BrokenError("dns", f"the name {host} was not found ({_plain(found)})")
    return found


def _is_numeric(host: str) -> bool:
    """Return whether a host is an IPv4 address as it is always written: looking that up gives the same."""
    try:
        return str(IPv4Address(host)) == host
    except ValueError:
        return False


def _plain(error: Exception | None) -> str:
    return getattr(error, "strerror", None) or "it is no valid name"


def _connected(address: str, port: int, seconds: float, exchange: Exchange) -> socket.socket:
    """Connect to one numeric address; waits in slices, since shutting a socket does not end a connect everywhere."""
    connection = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(0)
        _await(connection, connection.connect_ex((address, port)), seconds, exchange)
        connection.settimeout(exchange.patience)
        exchange.watch(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _await(connection: socket.socket, code: int, seconds: float, exchange: Exchange) -> None:
    """Wait until a connection that was begun stands; OSError where it does not."""
    limit = time.monotonic() + seconds
    poller = select.poll()
    poller.register(connection, select.POLLOUT)
    while code == errno.EINPROGRESS:
        exchange.check()
        if time.monotonic() >= limit:
            raise TimeoutError(errno.ETIMEDOUT, f"no answer within {seconds:.1f} seconds")
        if poller.poll(_SLICE * 1000):
            code = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if code:
        raise OSError(code, os.strerror(code))
