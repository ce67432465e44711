"""What must not get through, and what it costs to find out (security X-01 to X-07)."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from feedsvc.collect.found import ParsedFeed, Received, Unread
from feedsvc.collect.guard import Guard, Limits
from feedsvc.collect.scan import ATTRIBUTES, AUTHOR, DEPTH, ITEMS
from tests.collect.documents import URL, answer, atom, codes, feed, item, refused, rss

ITEM = "<item><title>kept</title><link>https://warp.example/1</link></item>"


def attributes(count: int) -> str:
    """Return so many attributes."""
    return " ".join(f"a{n}='1'" for n in range(count))


LARGE = {
    "attributes": rss(f"<item><title {attributes(20_000)}>x</title></item>"),
    "depth": rss(f"<item><description>{'<b>' * 20_000}x{'</b>' * 20_000}</description></item>"),
    "items": rss("<item><title>x</title></item>" * 20_000),
    "author": rss(f"<item><title>x</title><author>{'a' * 100_000}</author></item>"),
}


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    with Guard(1, Limits(cpu=2, wall=8)) as made:
        yield made


@pytest.mark.parametrize(
    "subset", ["<!ENTITY x 'y'>", "<!ENTITY % p SYSTEM 'http://127.0.0.1:9/p'>%p;", "<!ELEMENT rss ANY>"]
)
def test_a_dtd_of_its_own_is_refused(subset: str) -> None:
    """X-02."""
    found = refused(f"<!DOCTYPE rss [{subset}]>" + rss(ITEM))
    assert found.code == "bomb"
    assert ("entity declaration" if "ENTITY" in subset else "internal subset") in found.message


@pytest.mark.parametrize("subset", ["<!ENTITY x 'y'>", "<!ELEMENT rss ANY>"])
def test_a_dtd_of_its_own_is_refused_in_what_is_not_well_formed_too(subset: str) -> None:
    """X-02, X-04: expat cannot vouch for all of it."""
    assert refused(f"<!DOCTYPE rss [{subset}]>" + rss(f"<item><title>x</b></title>{ITEM}")).code == "bomb"


@pytest.mark.parametrize("doctype", ["<!DOCTYPE rss SYSTEM 'http://127.0.0.1:9/x.dtd'>", "<!DOCTYPE rss>"])
def test_a_doctype_without_a_subset_is_read_and_nothing_is_fetched(doctype: str) -> None:
    """X-02, EN-07: names of HTML mean their characters with it as without."""
    found = feed(doctype + rss("<item><title>caf&eacute;</title></item>"))
    assert [one.title for one in found.entries] == ["café"]


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        (f"<title {attributes(ATTRIBUTES + 1)}>x</title>", "attributes"),
        ("<title " + " ".join(f"xmlns:a{n}='urn:{n}'" for n in range(ATTRIBUTES + 1)) + ">x</title>", "attributes"),
        (f"<description>{'<b>' * DEPTH}x{'</b>' * DEPTH}</description>", "depth"),
        (f"<author>{'a' * (AUTHOR + 1)}</author>", "author"),
        (f"<dc:creator>{'a' * (AUTHOR + 1)}</dc:creator>", "author"),
        (f"<itunes:author>{'a' * (AUTHOR + 1)}</itunes:author>", "author"),
        ("</item><item>" * (ITEMS + 1), "items"),
    ],
)
def test_each_limit_has_its_reason(inside: str, reason: str) -> None:
    """X-03."""
    found = refused(rss(f"<item>{inside}</item>"))
    assert (found.code, reason in found.message) == ("bomb", True)


@pytest.mark.parametrize("reason", sorted(LARGE))
def test_what_is_not_well_formed_is_held_to_the_same_limits(reason: str) -> None:
    """X-03: expat stops at the first fault, and sees nothing behind it."""
    found = refused(LARGE[reason].replace("<item>", "<item><title>x</b></title></item><item>", 1))
    assert (found.code, reason in found.message) == ("bomb", True)


def test_a_dtd_in_any_spelling_is_refused() -> None:
    """X-02: no parser of ours takes `<!doctype` for one, so nothing else would refuse it."""
    assert refused("<!doctype rss [<!entity x 'y'>]>" + rss(ITEM)).code == "bomb"


@pytest.mark.parametrize(
    "inside", [f"<author>{'a' * AUTHOR}</author>", f"<description>{'<b>' * 150}x{'</b>' * 150}</description>"]
)
def test_at_the_limit_all_is_read(inside: str) -> None:
    """X-03."""
    assert item(inside).title == "kept"


@pytest.mark.parametrize("reason", sorted(LARGE))
def test_large_inputs_are_refused_before_they_are_built(reason: str) -> None:
    """X-03, the table of bombs."""
    found = refused(LARGE[reason])
    assert (found.code, reason in found.message) == ("bomb", True)


@pytest.mark.parametrize(
    "document",
    [
        rss(f"<!--{'x' * 2_000_000}-->{ITEM}"),
        rss(f"<item><title>kept</title><description>{'&lt;b&gt;' * 20_000}</description></item>"),
        rss(f"<item><title>{'&' * 200_000}</title></item>{ITEM}"),
        rss(f"<item><title>{'<' * 200_000}</title></item>{ITEM}"),
        rss(ITEM + "<![CDATA[" * 20_000),
        rss(ITEM + "<!--" * 20_000),
        atom(
            "<entry><id>1</id><title>kept</title><link href='x'/></entry>" * 500,
            attributes=f" xml:base='{'a/' * 50_000}'",
        ),
    ],
)
def test_what_is_large_and_harmless_is_read_in_linear_time(document: str) -> None:
    """X-10, S-43: one huge token, soups of marks, a long base."""
    assert "kept" in [one.title for one in feed(document).entries]


def test_a_document_cut_short_gives_its_whole_entries_and_fails() -> None:
    """X-07, F-06."""
    found = feed(
        rss(ITEM + "<item><title>two</title><description>cut he").partition("</channel>")[0].rpartition("he")[0]
    )
    assert [one.title for one in found.entries] == ["kept"]
    assert "cut short" in found.fault
    broken = feed(rss(f"<item><title>odd</b></title></item>{ITEM}<item>").partition("</channel>")[0])
    assert ([one.title for one in broken.entries][-1], "cut short" in broken.fault) == ("kept", True)


def test_a_document_cut_short_before_its_first_entry_is_unread() -> None:
    """X-07."""
    assert refused('<?xml version="1.0"?><rss version="2.0"><channel><title>W').code == "malformed"


def test_what_is_not_well_formed_is_read_as_far_as_it_goes() -> None:
    """X-04: with the same ids, links, titles and dates as if it were."""
    inside = (
        "<title>One &amp;amp; two</title><link>https://warp.example/1</link><guid isPermaLink='false'>g-1</guid>"
        "<pubDate>Mon, 03 Mar 2025 09:00:00 GMT</pubDate><category>GPU</category><dc:creator>Ada</dc:creator>"
        "<enclosure url='https://warp.example/1.mp3' type='audio/mpeg' length='5'/>"
    )
    whole = feed(rss(f"<item>{inside}<description>&lt;p&gt;x&lt;/p&gt;</description></item>")).entries[0]
    document = rss(
        f"<item>{inside}<description>&lt;p&gt;x&lt;/p&gt;</description></item><item><title>b</i></title></item>"
    )
    broken = feed(document).entries[0]
    assert broken == whole
    assert codes(document) == ["ill-formed"]


@pytest.mark.parametrize(
    ("written", "name"), [("ada@warp.online (Ada W)", "Ada W"), ("Ada W [ada@warp.example]", "Ada W")]
)
def test_names_are_whole_in_what_is_not_well_formed(written: str, name: str) -> None:
    """MG-07: feedparser cuts addresses out of names, and some of them wrong (feedparser#562)."""
    found = feed(rss(f"<item><title>kept</title><author>{written}</author></item><item><title>x</b></title></item>"))
    assert [person.name for person in found.entries[0].authors] == [name]


def test_a_page_goes_before_other_files_in_what_is_not_well_formed() -> None:
    """LI-01."""
    links = "<link rel='alternate' type='application/pdf' href='/1.pdf'/><link type='text/html' href='/1'/>"
    found = feed(atom(f"<entry><id>1</id><title>kept</title>{links}</entry><entry><title>x</b></title></entry>"))
    assert found.entries[0].link == "https://warp.example/1"


def test_a_guard_reads_in_a_child_and_hands_back_plain_values(guard: Guard) -> None:
    """X-04: the same as in this process."""
    body = rss(ITEM).encode()
    assert guard.read(Received("warp", URL, body)) == answer(body)
    assert guard.read(Received("warp", URL, b"<html></html>")) == answer(b"<html></html>")


def test_a_child_that_uses_up_its_time_is_replaced(guard: Guard) -> None:
    """X-04: what is not well-formed reaches feedparser, whose pattern for mail addresses is slow (feedparser#562)."""
    slow = rss(f"<item><title>x</b></title><author><q/>{'a' * 300_000}</author></item>").encode()
    found = guard.read(Received("warp", URL, slow))
    assert isinstance(found, Unread)
    assert (found.code, "2 seconds of CPU" in found.message or "8 seconds" in found.message) == ("too-much", True)
    assert isinstance(guard.read(Received("warp", URL, rss(ITEM).encode())), ParsedFeed)


@pytest.mark.parametrize("megabytes", [60, 70, 80, 90, 100])
def test_a_child_that_uses_up_its_memory_is_no_harm(megabytes: int) -> None:
    """X-04: whichever library is the first to get no more, and whatever it calls that."""
    large = rss(f"<item><title>x</title><description>{'&lt;p&gt;x' * 300_000}</description></item>").encode()
    with Guard(1, Limits(memory=megabytes * 1024 * 1024)) as small:
        found = small.read(Received("warp", URL, large))
        assert isinstance(found, Unread)
        assert found.code == "too-much"


def test_a_child_that_stands_still_is_replaced_whatever_it_was_sent() -> None:
    """X-04: a document that no pipe holds as well, which it takes no more of."""
    with Guard(1, Limits(wall=0.5)) as still:
        for size in (0, 4_000_000):
            assert isinstance(still.read(Received("warp", URL, rss(ITEM).encode())), ParsedFeed)
            (child,) = still._children
            assert child._process.pid
            os.kill(child._process.pid, signal.SIGSTOP)
            found = still.read(Received("warp", URL, rss(ITEM).encode() + b" " * size))
            assert isinstance(found, Unread)
            assert "longer than" in found.message


def test_a_guard_that_is_closed_ends_what_is_being_read_and_reads_no_more() -> None:
    """V-32: within a second, whoever waits."""
    slow = rss(f"<item><title>x</b></title><author><q/>{'a' * 300_000}</author></item>").encode()
    ended = Guard(1, Limits(cpu=100, wall=1000))
    assert isinstance(ended.read(Received("warp", URL, rss(ITEM).encode())), ParsedFeed)
    with ThreadPoolExecutor(2) as pool:
        reading = [pool.submit(ended.read, Received("warp", URL, slow)) for _ in range(2)]
        while ended._free.qsize():
            pass
        ended.close()
        came = [one.exception() or one.result() for one in reading]
    assert [type(one) for one in came].count(Unread) == 1, "the one that was being read"
    assert [type(one) for one in came].count(RuntimeError) == 1, "the one that waited for its turn"
    with pytest.raises(RuntimeError):
        ended.read(Received("warp", URL, slow))
