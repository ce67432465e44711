"""Ids of sources that have none are made from their address alone."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedsvc.settings.addresses import address, address_key, ascii_host, source_id
from feedsvc.settings.faults import Unfit
from feedsvc.settings.load import read

HEAD = '[site]\ntitle = "A"\nurl = "https://a.example/"\nauthor = { name = "A" }\n'
HOSTS = st.from_regex(r"(www\.)?[a-z0-9]{1,8}(-[a-z0-9]{1,4})?(\.[a-z0-9]{1,6}){1,2}", fullmatch=True)
PATHS = st.text(st.sampled_from(string.ascii_letters + string.digits + "/.-_~"), max_size=20)
PORTS = st.just("") | st.builds(":{}".format, st.integers(0, 70_000) | st.sampled_from([80, 443, 25, 6000]))
URLS = st.builds("https://{}/{}".format, HOSTS, PATHS)


def ids(*urls: str) -> dict[str, str]:
    """Return the ids that a configuration gives to its sources."""
    text = HEAD + "".join(f'[[sources]]\nurl = "{url}"\n' for url in urls)
    return {source.url: source.id for source in read(text, "f").sources}


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://blog.example/", "blog-example"),
        ("http://Blog.Example:80", "blog-example"),
        ("https://www.khronos.org/feeds/blog_feed", "khronos-org-[a-z2-7]{8}"),
        ("https://my-blog.example/", "my-blog-example-[a-z2-7]{8}"),
        ("https://www.blog.example/", "blog-example-[a-z2-7]{8}"),
        ("https://blog.example:8443/", "blog-example-[a-z2-7]{8}"),
        ("https://[2001:db8::1]/feed", "2001-db8-1-[a-z2-7]{8}"),
        (f"https://{'a' * 60}.example/", "a{40}-[a-z2-7]{8}"),
        ("https://posts/", "posts-[a-z2-7]{8}"),
        ("https://müller.example/", "xn--mller-kva-example-[a-z2-7]{8}"),
    ],
)
def test_an_id_is_short_and_says_the_host(url: str, pattern: str) -> None:
    """SO-05."""
    assert re.fullmatch(pattern.replace("xn--", "xn-"), source_id(url))


@given(st.lists(URLS, min_size=1, max_size=12, unique_by=address_key))
def test_ids_are_unique_and_of_the_right_letters(urls: list[str]) -> None:
    """SO-05: short, unique, `[a-z0-9-]+`."""
    found = [source_id(url) for url in urls]
    assert len(set(found)) == len(urls)
    assert all(re.fullmatch(r"[a-z0-9-]{1,49}", one) for one in found)


def test_an_id_stays_when_other_sources_come_and_go() -> None:
    """SO-05."""
    one, two, three = "https://h.example/", "https://h.example/feed", "https://www.h.example/"
    all_three = ids(one, two, three)
    assert len(set(all_three.values())) == 3
    assert ids(three, two) == {url: all_three[url] for url in (three, two)}
    assert ids(two) == {two: all_three[two]}


def test_an_id_is_one_and_the_same_for_one_address() -> None:
    """SO-04, SO-05: spelling of scheme, host, port, fragment and a bare ? make no other source."""
    spellings = ["https://h.example/f", "http://H.example/f", "https://h.example:443/f", "https://h.example/f?#x"]
    assert len({source_id(url) for url in spellings}) == 1


def test_hosts_are_compared_in_ascii() -> None:
    """SO-04: one host has one spelling; ß is no ss (RFC 5891)."""
    assert ascii_host("BÜCHER.example") == "xn--bcher-kva.example"
    assert ascii_host("straße。example") == "xn--strae-oqa.example"


@given(st.builds("{}://{}{}/{}".format, st.sampled_from(["http", "https"]), HOSTS, PORTS, PATHS))
def test_an_address_that_needs_no_change_gets_none(url: str) -> None:
    """SO-04: seen at a glance or, for a scheme in capitals, taken apart and put together, it is the same."""
    scheme, rest = url.split("://")
    found = [as_kept(f"{spelled}://{rest}") for spelled in (scheme, scheme.upper())]
    assert found[0] == found[1]


def as_kept(url: str) -> tuple[str, str] | str:
    """Return an address and its key, or why it is none."""
    try:
        return address(url), address_key(url)
    except Unfit as reason:
        return str(reason)
