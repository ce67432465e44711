"""Addresses in a configuration: what may stand there (S-01), and what is derived from them.

What is fetched is checked again where it is fetched; here a person learns of a slip before anything runs.
"""

import base64
import hashlib
import ipaddress
import re
import unicodedata
from functools import lru_cache
from urllib.parse import SplitResult, quote, urlsplit

from feedsvc.patterns import pattern
from feedsvc.settings.faults import Unfit, shown

# WHATWG Fetch, "bad port": what browsers refuse (S-01).
_BAD_PORTS = (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 "
    "135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 "
    "995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
)
BAD_PORTS = frozenset(int(port) for port in _BAD_PORTS.split())
DEFAULT_PORTS = {"http": 80, "https": 443}
HOST_NAME = r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?"
LOCAL_PART = r"[^\s@<>()\",;:\\\[\]]{1,64}"
PLAIN_HOST = r"(?!www\.)(?=.{1,40}\Z)[a-z0-9]+(?:\.[a-z0-9]+)+"
# An address that stands as it is to be kept; a planet has thousands of them, and each costs 30 times as much to take
# apart and put together again.
_KEPT = pattern(
    r"https?://(?P<authority>(?=[a-z0-9_.-]{1,253}[:/])[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*(?::(?P<port>[1-9][0-9]{0,4}))?)"
    r"/[A-Za-z0-9/:@!$&'()*+,;=~._-]*"
)


def address(text: str) -> str:
    """Return an http(s) address with an ASCII host in lower case, no default port, and percent-encoded once."""
    if _is_kept(text):
        return text
    parts = _parts(text)
    query = f"?{_encoded(parts.query)}" if parts.query else ""
    fragment = f"#{_encoded(parts.fragment)}" if parts.fragment else ""
    return f"{parts.scheme}://{_authority(parts)}{_encoded(parts.path) or '/'}{query}{fragment}"


def base(text: str) -> str:
    """Return the address of a folder, with its slash at the end: other addresses are resolved against it."""
    whole = address(text)
    if "?" in text or "#" in text:
        raise Unfit("must not have a ? or # part: other addresses are made from it")
    if {"..", "."} & set(whole.split("/")):
        raise Unfit("must not have . or .. in its path")
    return whole if whole.endswith("/") else whole + "/"


def reference(text: str) -> str:
    """Return an address that is absolute, or relative to another one."""
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text):
        _check_characters(text)
        return _encoded(text)
    return address(text)


def mail(text: str) -> str:
    """Return a mail address: local part, @, host."""
    local, at, host = text.rpartition("@")
    if (
        not at
        or not re.fullmatch(r"[^\s@<>()\",;:\\\[\]]{1,64}", local)
        or not re.fullmatch(HOST_NAME, ascii_host(host))
    ):
        raise Unfit(f'is no mail address: {shown(text)}; write it bare, such as "ann@blog.example"')
    return text


def network(text: str) -> str:
    """Return a network in CIDR form (S-06)."""
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise Unfit(f"is no network: {shown(text)}; {_network_hint(text)}") from None


def listener(text: str) -> str:
    """Return what a server can listen on: a numeric address or a host name, without a port."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        if re.search(r":[0-9]+\Z|[\[\]/]", text):
            raise Unfit(f"must be an address alone: {shown(text)}; no brackets, the port is serve.port") from None
        if not re.fullmatch(HOST_NAME, text.lower()):
            raise Unfit(f'is no host: {shown(text)}; such as "127.0.0.1", "::1" or "0.0.0.0" for all') from None
        return text


def ascii_host(host: str) -> str:
    """Return a host in lower case with every label in ASCII (RFC 3492), so that equal hosts are equal text."""
    flat = re.sub("[\u3002\uff0e\uff61]", ".", unicodedata.normalize("NFKC", host).lower())
    return ".".join(
        label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in flat.split(".")
    )


@lru_cache(maxsize=10_000)
def address_key(url: str) -> str:
    """Return what two addresses of one feed have in common (SO-04).

    Scheme, case of the host, default port, fragment and a bare `?` at the end make no difference.
    """
    if _is_kept(url):
        return url.partition("://")[2]
    parts = urlsplit(address(url))
    return f"{_authority(parts)}{parts.path}" + (f"?{parts.query}" if parts.query else "")


@lru_cache(maxsize=10_000)
def source_id(url: str) -> str:
    """Return the id of a source that has none: short, `[a-z0-9-]+`, and a function of its own address alone (SO-05).

    The host speaks for the address of a bare host; any other gets 40 bits of its hash, so that no source that comes
    or goes ever changes the id of another.
    """
    key = address_key(url)
    host = ascii_host(urlsplit(url).hostname or "")
    stem = re.sub(r"[^a-z0-9]+", "-", host.removeprefix("www."))[:40].strip("-") or "source"
    if re.fullmatch(PLAIN_HOST, host) and key == f"{host}/":
        return stem
    return f"{stem}-{base64.b32encode(hashlib.sha256(key.encode()).digest())[:8].decode().lower()}"


def _is_kept(text: str) -> bool:
    """Return whether an address is what `address` would make of it; False where that is not sure at a glance."""
    found = _KEPT.fullmatch(text)
    if not found:
        return False
    port = int(found["port"] or 1024)
    return port <= 65535 and port not in BAD_PORTS and port not in DEFAULT_PORTS.values()


def _parts(text: str) -> SplitResult:
    """Return the parts of an http(s) address that S-01 lets pass; messages never repeat it, it may hold a password."""
    _check_characters(text)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise Unfit("is no address: its host or port cannot be read") from None
    if parts.scheme not in DEFAULT_PORTS or not text[len(parts.scheme) :].startswith("://"):
        raise Unfit(f"must begin with https:// or http://, found {shown(text.partition(':')[0], 20)}")
    if "@" in parts.netloc:
        raise Unfit("must not hold a user name or password: what is published or logged would show it")
    if port in BAD_PORTS:
        raise Unfit(f"has the port {port}, which browsers refuse")
    _check_host(parts.hostname or "")
    return parts


def _check_characters(text: str) -> None:
    if "\\" in text or any(one.isspace() or not one.isprintable() for one in text):
        raise Unfit("must not hold blanks, backslashes or control characters")


def _check_host(host: str) -> None:
    if not host:
        raise Unfit("has no host")
    if not (_is_ipv6(host) if ":" in host else re.fullmatch(HOST_NAME, ascii_host(host))):
        raise Unfit(f"has no valid host: {shown(host)}")


def _is_ipv6(host: str) -> bool:
    try:
        return not ipaddress.IPv6Address(host).scope_id
    except ValueError:
        return False


def _authority(parts: SplitResult) -> str:
    host = ascii_host(parts.hostname or "")
    shown_host = f"[{host}]" if ":" in host else host
    return shown_host if parts.port in {None, DEFAULT_PORTS[parts.scheme]} else f"{shown_host}:{parts.port}"


def _encoded(text: str) -> str:
    """Return text percent-encoded once: what is encoded already stays as it is."""
    return quote(re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text), safe="%/:?#[]@!$&'()*+,;=~-._")


def _network_hint(text: str) -> str:
    try:
        return f"did you mean {shown(str(ipaddress.ip_network(text, strict=False)))}?"
    except ValueError:
        return 'such as "127.0.0.0/8", "10.0.0.0/8" or "fd00::/8"'
