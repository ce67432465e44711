"""The address guard, without a socket: which URLs, which numbers, where a Location leads (S-01, S-04, S-06, S-10)."""

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedsvc.collect.address import (
    check_address,
    check_port,
    check_url,
    host_and_port,
    host_of,
    redirect_target,
)

REFUSED = """
0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255
198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::2 ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::a9fe:a9fe
64:ff9b::7f00:1 64:ff9b:1::1 64:ff9b:1::808:808 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1
2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:c0a8:1::1 3fff::1 4000::1 5f00::1 8000::1 fc00::1
fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1
""".split()
TAKEN = """
1.1.1.1 8.8.8.8 93.184.215.14 172.15.0.1 172.32.0.1 192.0.1.1 192.89.0.1 198.17.0.1 198.20.0.1 223.255.255.255
2606:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 2001:200::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1
""".split()


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    """S-04"""
    assert check_address(address)


@pytest.mark.parametrize("address", TAKEN)
def test_a_public_address_is_taken(address: str) -> None:
    """S-04: whatever carries an IPv4 address is judged by that."""
    assert check_address(address) is None


@pytest.mark.parametrize("text", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "localhost", "", "①②⑦.0.0.1"])
def test_what_is_no_numeric_address_is_refused(text: str) -> None:
    """S-05: names are resolved first, wherever they come from."""
    assert check_address(text)


def test_an_opened_network_opens_itself_and_nothing_else() -> None:
    """S-06"""
    opened = (ip_network("127.0.0.0/8"), ip_network("fd00::/8"))
    assert check_address("127.0.0.9", opened) is None
    assert check_address("fd00::1", opened) is None
    for other in ("10.0.0.1", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1"):
        assert check_address(other, opened)


@settings(deadline=None)
@given(st.integers(0, 2**128 - 1))
def test_of_ipv6_only_the_global_block_and_carriers_of_public_addresses_pass(number: int) -> None:
    """S-04, for any address."""
    address = ip_address(number.to_bytes(16))
    if check_address(str(address)) is None:
        carriers = ("2000::/3", "::ffff:0:0/96", "::/96", "64:ff9b::/96")
        assert any(address in ip_network(network) for network in carriers)


@pytest.mark.parametrize(
    "url",
    [
        "http://blog.example/feed",
        "HTTPS://Blog.Example:8443/feed?a=b&c=%20#part",
        "http://blog.example",
        "http://blog.example:/",
        "http://93.184.215.14:8080/",
        "http://[2606:4700::1111]:8080/",
        "http://xn--bcher-kva.example/",
        "http://b\u00fccher.example/",
        "http://under_score.example/",
        "http://blog.example./",
    ],
)
def test_a_web_address_is_asked(url: str) -> None:
    """S-01"""
    assert check_url(url) is None


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "http"),
        ("feed.xml", "http"),
        ("//blog.example/", "http"),
        ("file:///etc/hostname", "http"),
        ("ftp://blog.example/", "http"),
        ("gopher://blog.example/", "http"),
        ("javascript:alert(1)", "http"),
        ("http:blog.example/", "http"),
        ("http:///feed", "host"),
        ("http://:80/", "host"),
        ("http://[::1/", "host"),
        ("http://[::1]x/", "host"),
        ("http://a:b:c/", "host"),
        ("http://a%2fb/", "host"),
        ("http://a<b/", "host"),
        ("http://" + "a" * 254 + "/", "253"),
        ("http://user@blog.example/", "user name"),
        ("http://user:pass@blog.example/", "user name"),
        ("http://@blog.example/", "user name"),
        ("http://127.0.0.1\\@blog.example/", "backslash"),
        ("http://blog.example/a b", "blank"),
        (" http://blog.example/", "blank"),
        ("http://blog.example/\r\nHost: x", "control"),
        ("http://blog.example/\0", "control"),
        ("http://blog\u2028.example/", "control"),
        ("http://blog.example:0/", "port"),
        ("http://blog.example:22/", "22"),
        ("http://blog.example:6667/", "6667"),
        ("http://blog.example:10080/", "10080"),
        ("http://blog.example:65536/", "port"),
        ("http://blog.example:-1/", "host"),
        ("http://blog.example:\u0661/", "host"),
        ("http://blog.example/" + "x" * 16_384, "longer"),
    ],
)
def test_what_is_no_plain_web_address_is_refused_and_says_why(url: str, words: str) -> None:
    """S-01"""
    assert words in (check_url(url) or "")


def test_the_ports_that_browsers_refuse_are_refused() -> None:
    """S-01: WHATWG Fetch."""
    assert all(check_port(port) for port in (1, 21, 22, 23, 25, 53, 110, 143, 389, 465, 587, 993, 2049, 6000, 6697))
    assert not any(check_port(port) for port in (80, 443, 3000, 8000, 8080, 8443, 9999))


def test_a_block_is_kept_under_host_and_port() -> None:
    """F-18"""
    assert host_and_port("HTTP://Blog.Example/feed") == "blog.example:80"
    assert host_and_port("https://blog.example./feed") == "blog.example:443"
    assert host_and_port("https://[2606:4700::1]:8443/") == "[2606:4700::1]:8443"
    assert host_of("https://[2606:4700::1]:8443/") == "2606:4700::1"


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=255), max_size=40))
def test_a_location_leads_to_a_plain_address_or_nowhere(location: str) -> None:
    """S-10: never an exception, never a control character; what comes out is stable."""
    target = redirect_target("http://blog.example/a/b?c", location)
    if target is not None and check_url(target) is None:
        assert redirect_target("http://blog.example/a/b?c", target.encode().decode("latin-1")) == target
