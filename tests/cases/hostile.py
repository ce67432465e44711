"""The cases of tests/corpus/hostile: what must do no harm, with something good beside it (README.md there)."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lxml import etree, html

from feedsvc.settings.quantities import duration
from tests.cases.planet import Planet, markup_of, source, text_of
from tests.cases.posts import ADDRESSES, moment
from tests.installed import Ran, program
from tests.places import CASES
from tests.readback import Read
from tests.servers import Reply, Server

HOSTILE = CASES / "hostile"
NOW = "2026-06-15T12:00:00Z"
NEXT = "2026-06-17T12:00:00Z"
FULL = '[[feeds]]\nname = "planet"\npath = "planet"\ninclude = ["posts", "sources"]\nlimit = 500\ncontent = "full"\n'
GOOD = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Good</title><link>https://good.example/</link>
<description>d</description><item><title>good</title><link>https://good.example/1</link></item></channel></rss>"""
GOOD_POST = "---\ntitle: good\ndate: 2026-06-01\n---\n\nA good post.\n"
VALIDATORS = {"ETag": '"hostile"', "Last-Modified": "Mon, 15 Jun 2026 10:00:00 GMT"}
OF_FILE = {"as", "outcome", "rules", "source", "headers", "reason", "within_s", "together_with"}
ELSEWHERE = {"line", "sources", "reported", "validators", "next_poll", "requests", "peak_memory_mb", "log"}
MIB = 1 << 20


def names() -> list[str]:
    """Return the names of all cases; a file without expectation, or the other way round, is a fault."""
    found = json.loads((HOSTILE / "expected.json").read_bytes())
    files = {path.name for path in HOSTILE.iterdir()} - {"README.md", "expected.json"}
    assert files == set(found), files ^ set(found)
    return sorted(found)


def wanted_of(name: str) -> dict[str, Any]:
    """Return what is expected of a case."""
    found: dict[str, Any] = json.loads((HOSTILE / "expected.json").read_bytes())[name]
    return found


def check(name: str, root: Path, server: Server) -> None:
    """Run a case and compare; AssertionError says what differs."""
    wanted = wanted_of(name)
    run = KINDS[wanted["as"]](name, wanted, Planet(root, HOSTILE, server))
    problems = list(run.problems())
    assert not problems, f"{name}:\n" + "\n".join(problems) + f"\n{run.ran.said}"


@dataclass(frozen=True, slots=True)
class Run:
    """What a command made of a case; `seconds` and `peak` bytes are what it took."""

    name: str
    wanted: Mapping[str, Any]
    planet: Planet
    ran: Ran
    seconds: float
    entries: list[list[Read]]
    peak: int = 0
    asked: tuple[str, ...] = ()

    def problems(self) -> Iterator[str]:
        """Yield what differs from what is expected; an unknown key is a fault of the test, never a pass."""
        if self.ran.status != 0:
            yield f"exit status {self.ran.status}"
            return
        yield from OUTCOMES[self.wanted["outcome"]](self)
        if self.seconds > self.wanted.get("within_s", 60):
            yield f"took {self.seconds:.1f} s"
        for key in self.wanted.keys() - OF_FILE - ELSEWHERE:
            for entries in self.entries:
                yield from (f"{key}: {problem}" for problem in SHOWN[key](self, entries, self.wanted[key]))
        yield from self.alive()
        yield from (problem for key in self.wanted.keys() & MORE.keys() for problem in MORE[key](self))

    def alive(self) -> Iterator[str]:
        """The good source or post beside it is published."""
        for entries in self.entries:
            if not any(entry.title == "good" for entry in entries):
                yield "the good one is missing"

    def bad(self, entries: list[Read]) -> list[Read]:
        """Return the entries of the case itself."""
        return [entry for entry in entries if entry.title != "good"]

    def line(self, *words: str) -> bool:
        """Return whether a line of stderr holds all words."""
        return any(all(word.lower() in line.lower() for word in words) for line in self.ran.err.splitlines())

    def taken(self) -> Iterator[str]:
        """Something of it is published."""
        if not all(self.bad(entries) for entries in self.entries) and self.wanted["as"] != "opml":
            yield "nothing of it is there"

    def refused(self) -> Iterator[str]:
        """Nothing of it is published, and the reason is said."""
        yield from self.failed()
        if "reason" in self.wanted and not self.line("bad", self.wanted["reason"]):
            yield f"no line says {self.wanted['reason']!r}"

    def failed(self) -> Iterator[str]:
        """An ordinary failed poll."""
        if not self.line("bad", "warning") and not self.line("error"):
            yield "no word of it"

    def skipped(self) -> Iterator[str]:
        """That post alone is left out, and named with its line."""
        if any(self.bad(entries) for entries in self.entries):
            yield "it is published"
        if not re.search(rf"{re.escape(self.name)}:{self.wanted['line']}: error: ", self.ran.err):
            yield f"no error for {self.name}:{self.wanted['line']}"

    def either(self) -> Iterator[str]:
        """Taken or left out."""
        return iter(())

    def titles(self, entries: list[Read], wanted: list[Mapping[str, Any]]) -> Iterator[str]:
        """Compare title, link and date."""
        found = self.bad(entries)
        for want in wanted:
            same = [entry for entry in found if entry.title == want["title"]]
            if len(same) != 1:
                yield f"{want['title']!r}: {len(same)} times in {[entry.title for entry in found]}"
            elif "link" in want and same[0].link != want["link"]:
                yield f"link {same[0].link}"
            elif want.get("date") == "first seen" and same[0].published != moment(NOW):
                yield f"date {same[0].published}"

    def text(self, entries: list[Read], wanted: list[str]) -> Iterator[str]:
        """Look for words that must be readable."""
        read = " ".join(text_of(entry) for entry in self.bad(entries))
        yield from (f"{part!r} in {read!r}" for part in wanted if part not in read)

    def never(self, entries: list[Read], wanted: list[str]) -> Iterator[str]:
        """Judge as a browser does: parsed, what is alive in any file."""
        markup = [markup_of(entry) for entry in entries]
        pages = [path.read_text("utf-8") for path in (self.planet.root / "public").rglob("*.html")]
        for text in wanted:
            kind, _, name = text.partition(" ")
            for piece in markup:
                yield from (f"{text}: {found}" for found in LIVE[kind](piece, name))
            if kind in ("attribute", "scheme"):
                yield from (f"{text}: {found}" for page in pages for found in LIVE[kind](page, name))

    def never_text(self, _: list[Read], wanted: list[str]) -> Iterator[str]:
        """Look for characters in all published files."""
        for path, (body, _time) in self.planet.published().items():
            if not path.endswith((".gz", ".br", ".zst")):
                yield from (f"{part!r} in {path}" for part in wanted if part.encode() in body)

    def next_poll(self) -> Iterator[str]:
        """Compare the wait until the next request."""
        said = json.loads(self.planet.run("status", "--json", now=NOW).out)
        (bad,) = (one for one in said["sources"] if one["id"] == "bad")
        wait = (moment(bad["next_poll"]) - moment(NOW)).total_seconds()
        for key, bound in self.wanted["next_poll"].items():
            base, _, more = bound.partition(" + ")
            limit = duration(base) * (1.1 if more else 1)
            if (wait < limit) if key == "at_least" else (wait > limit + 1):
                yield f"next poll in {wait} s, {key} {bound}"

    def not_stored(self) -> Iterator[str]:
        """The next poll sends none of this answer's validators."""
        self.planet.server.requests.clear()
        self.planet.run("update", now=NEXT)
        for request in self.planet.server.requests:
            if request.path == "/bad" and (request.header("If-None-Match") or request.header("If-Modified-Since")):
                yield "its validators are sent"

    def memory(self) -> Iterator[str]:
        """Compare the memory with that of a run with nothing to do."""
        more = (self.peak - _empty(self.planet.root.with_name("empty"))) / MIB
        if more > self.wanted["peak_memory_mb"]:
            yield f"took {more:.0f} MiB more than an empty run"

    def requests(self) -> Iterator[str]:
        """Count the requests that were none for a source."""
        more = len(self.asked) - len(self.planet.server.answers)
        if more != self.wanted["requests"]:
            yield f"{more} requests more: {self.asked}"

    def one_line(self) -> Iterator[str]:
        """A record of the log is one line (S-36)."""
        lines = self.ran.err.splitlines()
        yield from (f"the line {line!r}" for line in lines if line.startswith("2026-01-01 INFO"))


def _live_elements(markup: str, name: str) -> Iterator[str]:
    if markup.strip():
        yield from (f"<{name}>" for _ in html.fragment_fromstring(markup, create_parent="main").iterdescendants(name))


def _live_attributes(markup: str, name: str) -> Iterator[str]:
    if markup.strip():
        root = html.fromstring(f"<main>{markup}</main>") if "<html" not in markup else html.fromstring(markup.encode())
        yield from (f"{name} of <{node.tag}>" for node in root.iter("*") if node.get(name) is not None)


def _live_schemes(markup: str, name: str) -> Iterator[str]:
    if markup.strip():
        root = html.fromstring(f"<main>{markup}</main>") if "<html" not in markup else html.fromstring(markup.encode())
        values = [
            value for node in root.iter("*") for key in (*ADDRESSES, "action", "xlink:href") if (value := node.get(key))
        ]
        for value in values:
            if re.sub(r"[\x00-\x20]", "", value).lower().startswith(f"{name}:"):
                yield value


def _unclosed(markup: str, listed: str) -> Iterator[str]:
    for name in listed.split(", "):
        opened, closed = (len(re.findall(rf"<{end}{name}[\s>]", markup)) for end in ("", "/"))
        if opened != closed:
            yield f"{opened} <{name}>, {closed} </{name}>"


def _end(markup: str, listed: str) -> Iterator[str]:
    name = listed.removeprefix("tag ")
    opened, closed = (len(re.findall(rf"<{end}{name}[\s>]", markup)) for end in ("", "/"))
    if closed > opened:
        yield f"</{name}> without start"


LIVE: Mapping[str, Callable[[str, str], Iterator[str]]] = {
    "element": _live_elements,
    "attribute": _live_attributes,
    "scheme": _live_schemes,
    "unclosed": _unclosed,
    "end": _end,
}
SHOWN: Mapping[str, Callable[[Run, list[Read], Any], Iterator[str]]] = {
    "entries": Run.titles,
    "text": Run.text,
    "never": Run.never,
    "never_text": Run.never_text,
}
OUTCOMES: Mapping[str, Callable[[Run], Iterator[str]]] = {
    "taken": Run.taken,
    "refused": Run.refused,
    "failed": Run.failed,
    "skipped": Run.skipped,
    "either": Run.either,
}
MORE: Mapping[str, Callable[[Run], Iterator[str]]] = {
    "peak_memory_mb": Run.memory,
    "requests": Run.requests,
    "next_poll": Run.next_poll,
    "validators": Run.not_stored,
    "log": Run.one_line,
}


def from_source(name: str, wanted: Mapping[str, Any], planet: Planet) -> Run:
    """Serve a case as the body of a source, beside a good one."""
    other = wanted.get("together_with")
    more = source("with", "/with", content="full") if other else ""
    planet.lay_out(source("bad", "/bad", content="full") + more + source("good", "/good", content="full") + FULL)
    headers = {"Content-Type": "application/rss+xml", **VALIDATORS, **wanted.get("headers", {})}
    planet.server.answers["/bad"] = Reply(200, headers, (HOSTILE / name).read_bytes())
    planet.server.answers["/good"] = Reply(200, {"Content-Type": "application/rss+xml"}, GOOD)
    if other:
        planet.server.answers["/with"] = Reply(
            200, {"Content-Type": "application/rss+xml"}, (HOSTILE / other).read_bytes()
        )
    run = _run(name, wanted, planet, "update")
    paths = [request.path for request in planet.server.requests]
    assert sorted(paths) == sorted(planet.server.answers), f"requests that nobody asked for: {paths}"
    return run


def from_post(name: str, wanted: Mapping[str, Any], planet: Planet) -> Run:
    """Put a case into `posts/`, beside a good post."""
    planet.lay_out(FULL)
    (planet.root / "posts" / name).write_bytes((HOSTILE / name).read_bytes())
    (planet.root / "posts" / "good.md").write_text(GOOD_POST, "utf-8")
    return _run(name, wanted, planet, "build")


def from_opml(name: str, wanted: Mapping[str, Any], planet: Planet) -> Run:
    """Import a case, then publish what was there before."""
    planet.lay_out(source("good", "/good"))
    planet.server.answers["/good"] = Reply(200, {"Content-Type": "application/rss+xml"}, GOOD)
    first = planet.run("update", now=NOW)
    assert first.status == 0, first.said
    ran = planet.run("sources", "import", f"{{{name}}}", now=NOW)
    exported = etree.fromstring(planet.run("sources", "export", now=NOW).out.encode())
    urls = [
        url for one in exported.iter("outline") if (url := one.get("xmlUrl")) and urlsplit(url).hostname != "127.0.0.1"
    ]
    assert urls == wanted.get("sources", []), urls
    for text in wanted.get("reported", ()):
        assert re.search(rf"['\"]{re.escape(text)}['\"]", ran.err), f"{text} is not reported:\n{ran.err}"
    if wanted["outcome"] == "refused":
        assert ran.status == 1, ran.said
        assert wanted["reason"] in ran.err, ran.err
        ran = Ran(0, ran.out, f"bad warning {ran.err}")
    return Run(name, {"as": "opml", "outcome": wanted["outcome"]}, planet, ran, 0, planet.documents())


def _run(name: str, wanted: Mapping[str, Any], planet: Planet, command: str) -> Run:
    program()
    began = time.monotonic()
    ran, peak = planet.measured(command, now=NOW)
    asked = tuple(request.path for request in planet.server.requests)
    return Run(name, wanted, planet, ran, time.monotonic() - began, planet.documents(), peak, asked)


def _empty(root: Path) -> int:
    """Return the memory of a run without sources and posts, in bytes."""
    root.mkdir()
    with Server() as server:
        planet = Planet(root, HOSTILE, server)
        planet.lay_out("")
        ran, peak = planet.measured("update", now=NOW)
    assert ran.status == 0, ran.said
    return peak


KINDS: Mapping[str, Callable[[str, Mapping[str, Any], Planet], Run]] = {
    "source": from_source,
    "body": from_source,
    "post": from_post,
    "opml": from_opml,
}
