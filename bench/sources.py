"""A thousand feeds on loopback: each on an address of its own, RSS and Atom in turn, with ETags and a chosen latency.

    python -m bench.sources [--number 1000] [--latency 0.0] [--seconds 300] [--port 8700]

It ends by itself: after so many seconds, or when its standard input is closed. Nothing listens beyond 127.0.0.0/8.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape

from bench.posts import NOUNS, TAGS, VERBS

ENTRIES = 20
SIZE = 36_000
NEWEST = datetime(2026, 9, 1, 12, tzinfo=UTC)


def address(place: int) -> str:
    """Return the address of a source: 127.1.0.1, 127.1.0.2, …"""
    return f"127.1.{place // 250}.{place % 250 + 1}"


def urls(number: int, port: int) -> list[str]:
    """Return the addresses of all feeds."""
    return [f"http://{address(place)}:{port}/feed.xml" for place in range(number)]


def document(place: int) -> bytes:
    """Return a feed of 20 entries and about 36 kB: Atom where `place` is even, else RSS with content:encoded."""
    chance = random.Random(place)
    entries = [_entry(chance, place, number) for number in range(ENTRIES)]
    return (_atom if place % 2 == 0 else _rss)(place, entries).encode()


def _entry(chance: random.Random, place: int, number: int) -> tuple[str, str, datetime, str, str]:
    title = f"The {chance.choice(NOUNS)} {chance.choice(VERBS)} {number}"
    link = f"http://{address(place)}/{place}/{number}"
    paragraphs = []
    while sum(map(len, paragraphs)) < SIZE / ENTRIES - 550:
        words = " ".join(f"{chance.choice(NOUNS)} {chance.choice(VERBS)}" for _ in range(14))
        paragraphs.append(f'<p>On <a href="/notes/{chance.randrange(99)}">{words}</a> &amp; <code>a &lt; b</code>.</p>')
    return title, link, NEWEST - timedelta(hours=number * 7 + place % 24), chance.choice(TAGS), "\n".join(paragraphs)


def _atom(place: int, entries: Sequence[tuple[str, str, datetime, str, str]]) -> str:
    said = "".join(
        f'<entry><id>{link}</id><title>{escape(title)}</title><link href="{link}"/>'
        f'<updated>{when.isoformat()}</updated><category term="{tag}"/><author><name>Author {place}</name></author>'
        f'<content type="html">{escape(html)}</content></entry>\n'
        for title, link, when, tag, html in entries
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>http://{address(place)}/'
        f'</id><title>Source {place}</title><link href="http://{address(place)}/"/><updated>{NEWEST.isoformat()}</updated>'
        f"\n{said}</feed>"
    )


def _rss(place: int, entries: Sequence[tuple[str, str, datetime, str, str]]) -> str:
    said = "".join(
        f"<item><guid>{link}</guid><title>{escape(title)}</title><link>{link}</link>"
        f"<pubDate>{format_datetime(when)}</pubDate><category>{tag}</category><dc:creator>Author {place}</dc:creator>"
        f"<content:encoded><![CDATA[{html}]]></content:encoded></item>\n"
        for title, link, when, tag, html in entries
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<channel><title>Source {place}</title><link>http://{address(place)}/</link><description>Bench</description>"
        f"\n{said}</channel></rss>"
    )


class Server:
    """Answers GET with a feed, or with 304 where its ETag is named."""

    def __init__(self, number: int, latency: float) -> None:
        self.latency = latency
        self.bodies = {address(place): document(place) for place in range(number)}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection for as long as it asks."""
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(self.latency)
                writer.write(self._said(writer.get_extra_info("sockname")[0], request))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    def _said(self, host: str, request: bytes) -> bytes:
        body, tag = self.bodies[host], f'"{host}"'
        if not request.startswith(b"GET /feed.xml "):
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        if f"if-none-match: {tag}".encode() in request.lower():
            return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nETag: {tag}\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


async def serve(number: int, latency: float, seconds: float, port: int) -> None:
    """Serve until the time is over or standard input is closed; says `ready` when it listens."""
    server = Server(number, latency)
    hosts = list(server.bodies)
    listening = await asyncio.start_server(server.answer, hosts, port, backlog=16)
    print("ready", flush=True)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
    async with listening:
        await asyncio.wait([ended], timeout=seconds)


def main() -> None:
    """Serve the feeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--seconds", type=float, default=300.0, help="at most so long")
    parser.add_argument("--port", type=int, default=8700)
    asked = parser.parse_args()
    asyncio.run(serve(asked.number, asked.latency, min(asked.seconds, 3600.0), asked.port))


if __name__ == "__main__":
    main()
