"""The address guard, its pure part: which URLs are asked and which numeric addresses are connected to.

A host is never judged by its text (S-05): whatever it resolves to is checked where the connection is made, numeric
address by numeric address, for every hop (collect/fetch). Each function returns the reason for a refusal, or None.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from feedsvc.patterns import pattern

Network = IPv4Network | IPv6Network

MAX_URL = 16_384
MAX_HOST = 253
_MOST = 1024
# WHATWG Fetch, "bad port".
_BAD_PORTS = """
1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720
1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
"""
BAD_PORTS = frozenset(int(port) for port in _BAD_PORTS.split())
_URL = pattern(r"(?i:https?)://(?P<authority>[^/?#]*)(?:[/?#].*)?\Z")
_AUTHORITY = pattern(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(?P<port>[0-9]{0,5}))?\Z")
# Controls, blanks of every kind, separators: what a lenient parser drops or splits at and a strict one does not.
_FORBIDDEN = pattern(r"[\x00-\x20\x7f-\xa0\\\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ud800-\udfff]")
_CONTROL = pattern(r"[\x00-\x1f\x7f\\]")
_HOST_FORBIDDEN = pattern(r"[%<>^|\"`{}@]")

_SPECIAL_4 = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # the platform address of one large cloud: public by its number, private by its use
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_6 = ip_network("2000::/3")
_SPECIAL_6 = tuple(ip_network(text) for text in ("2001::/23", "2001:db8::/32", "3fff::/20"))
# Forms that carry an IPv4 address, and how far it stands from the right end, in bits.
_CARRIERS = tuple(
    (ip_network(text), shift)
    for text, shift in (("::ffff:0:0/96", 0), ("::/96", 0), ("64:ff9b::/96", 0), ("2002::/16", 80))
)


def check_url(url: str) -> str | None:
    """Return why a URL is not asked, None where it may be (S-01); its host is judged when it is resolved."""
    if len(url) > MAX_URL:
        return f"the address is longer than {MAX_URL:,} characters"
    if _FORBIDDEN.search(url):
        return "the address holds a backslash, a blank or a control character"
    found = _URL.match(url)
    if not found:
        return "only http and https addresses are asked"
    return _check_authority(found["authority"])


def _check_authority(authority: str) -> str | None:
    if "@" in authority:
        return "the address holds a user name or password"
    parts = _AUTHORITY.match(authority)
    if not parts or _HOST_FORBIDDEN.search(parts["host"]):
        return "the address has no valid host"
    if len(parts["host"].rstrip(".")) > MAX_HOST:
        return f"the host is longer than {MAX_HOST} characters"
    return check_port(int(parts["port"])) if parts["port"] else None


def check_port(port: int) -> str | None:
    """Return why a port is not connected to: those that browsers refuse too (S-01)."""
    if not 0 < port <= 65535:
        return f"{port} is no port"
    return f"port {port} belongs to another service" if port in BAD_PORTS else None


def check_address(address: str, allowed: Iterable[Network] = ()) -> str | None:
    """Return why a numeric address is not connected to, None where it may be (S-04).

    `allowed` are the networks of polling.allow_private: they open themselves and nothing else (S-06), so a form that
    carries an allowed IPv4 address stays closed.
    """
    try:
        number = ip_address(address)
    except ValueError:
        return "not a numeric address"
    if any(number in network for network in allowed):
        return None
    if isinstance(number, IPv4Address):
        return _check_4(number)
    return _check_6(number)


def _check_4(number: IPv4Address) -> str | None:
    special = any(number in network for network in _SPECIAL_4) or not number.is_global
    return f"{number} is not a public address" if special else None


def _check_6(number: IPv6Address) -> str | None:
    if number.scope_id is not None:
        return f"{number} is not a public address"
    for network, shift in _CARRIERS:
        if number in network:
            inside = _check_4(IPv4Address(int(number) >> shift & 0xFFFFFFFF))
            return f"{number} carries an address that is not public" if inside else None
    special = number not in _GLOBAL_6 or any(number in network for network in _SPECIAL_6) or not number.is_global
    return f"{number} is not a public address" if special else None


@lru_cache(maxsize=_MOST)
def host_of(url: str) -> str:
    """Return the host of a checked URL in lower case, without brackets and final dot."""
    return (urlsplit(url).hostname or "").rstrip(".")


@lru_cache(maxsize=_MOST)
def host_and_port(url: str) -> str:
    """Return "host:port" of a checked URL, the port always written: what a block of a host is kept under (F-18)."""
    parts = urlsplit(url)
    host = host_of(url)
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{parts.port or (443 if parts.scheme.lower() == 'https' else 80)}"


def redirect_target(base: str, location: str) -> str | None:
    """Return where a `Location` leads from `base`, None where it leads nowhere (S-10).

    `location` is latin-1 text of the bytes that came; they are read as UTF-8. Blanks within and bytes above 127 are
    percent-encoded once, as browsers do; the fragment is dropped. Whether the target may be asked, `check_url` says.
    """
    spelled = location.strip(" \t").encode("latin-1", "replace").decode("utf-8", "surrogateescape")
    if not spelled or _CONTROL.search(spelled):
        return None
    try:
        parts = urlsplit(urljoin(base, spelled))
    except ValueError:
        return None
    return urlunsplit((parts.scheme, parts.netloc, _quoted(parts.path), _quoted(parts.query), ""))


def _quoted(part: str) -> str:
    return quote(part.encode("utf-8", "surrogateescape"), safe="!#$%&'()*+,/:;=?@[]~|^`{}")
