"""The cases of tests/corpus/feeds and own-feeds: feeds of others in, one combined feed out (README.md there)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from tests.cases.planet import ENTRY, Planet, source
from tests.cases.posts import moment
from tests.installed import Ran
from tests.places import CASES
from tests.readback import Read
from tests.servers import Server

FOLDERS = ("feeds", "own-feeds")
ENDING = ".expected.json"
KNOWN = {"behaviour", "rules", "source", "sources", "config", "steps"}


def names() -> list[str]:
    """Return folder and name of all cases; an input without expectation, or the other way round, is a fault."""
    return [f"{folder}/{name}" for folder in FOLDERS for name in _names(CASES / folder)]


def _names(folder: Path) -> list[str]:
    found = sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"*{ENDING}"))
    inputs = [path.name for path in folder.iterdir() if not path.name.endswith((ENDING, "README.md"))]
    for name in found:
        assert any(one.startswith(name) for one in inputs), f"{name}: no input"
    for one in inputs:
        assert any(one.startswith(f"{name}.") for name in found), f"{one}: no expectation"
    assert found, f"no cases in {folder}"
    return found


def check(name: str, root: Path, server: Server) -> None:
    """Run the steps of a case, `folder/name`, and compare; AssertionError says what differs."""
    path = CASES / f"{name}{ENDING}"
    case = json.loads(path.read_bytes())
    assert case.keys() <= KNOWN, case.keys() - KNOWN
    planet = Planet(root, path.parent, server)
    config = case.get("config", "")
    listed = [] if "[[sources]]" in config else case.get("sources", [{"id": "warp", "path": "/feed.xml"}])
    planet.lay_out("".join(source(**one) for one in listed) + config)
    before: dict[str, tuple[bytes, int]] = {}
    ids: set[str] = set()
    for number, step in enumerate(case["steps"], 1):
        planet.serve(step.get("serve", {}))
        ran = planet.run(*step.get("command", ["update"]), now=step["now"])
        run = Step(planet, ran, before, frozenset(ids))
        problems = list(run.problems(step["expect"]))
        assert not problems, f"{name}, step {number}:\n" + "\n".join(problems) + f"\n{ran.said}"
        before = planet.published()
        ids |= {entry.id for entry in planet.documents()[0]} if before else set()


@dataclass(frozen=True, slots=True)
class Step:
    """What one step did, and what was published before it."""

    planet: Planet
    ran: Ran
    before: Mapping[str, tuple[bytes, int]]
    ids: frozenset[str]

    def problems(self, expect: dict[str, Any]) -> Iterator[str]:
        """Yield what differs; an unknown key is a fault of the test, never a pass."""
        rest = dict(expect)
        allowed = rest.pop("exit_in", [rest.pop("exit", 0)])
        if self.ran.status not in allowed:
            yield f"exit status {self.ran.status}, not {allowed}"
            return
        for key, value in rest.items():
            yield from (f"{key}: {problem}" for problem in CHECKS[key](self, value))

    def count(self, wanted: int) -> Iterator[str]:
        """Compare the number of entries."""
        for entries in self.planet.documents():
            if len(entries) != wanted:
                yield f"{entries[0].format if entries else ''}: {[entry.title for entry in entries]}"

    def order(self, wanted: list[str]) -> Iterator[str]:
        """Compare all titles from first to last."""
        for entries in self.planet.documents():
            if [entry.title for entry in entries] != wanted:
                yield f"{[entry.title for entry in entries]}"

    def entries(self, wanted: list[dict[str, Any]]) -> Iterator[str]:
        """Compare entries, each there exactly once in each format."""
        for entries in self.planet.documents():
            for want in wanted:
                titles = want.get("title_in", [want.get("title")])
                found = [entry for entry in entries if entry.title in titles]
                if len(found) != 1:
                    yield f"{titles}: {len(found)} times in {[entry.title for entry in entries]}"
                else:
                    yield from (f"{found[0].format}: {titles[0]}: {wrong}" for wrong in self.entry(found[0], want))

    def entry(self, read: Read, want: Mapping[str, Any]) -> Iterator[str]:
        """Compare one entry of one format."""
        for key, value in want.items():
            if key == "id_like" and not re.search(value, read.id):
                yield f"id {read.id}"
            elif key == "new_id" and read.id in self.ids:
                yield f"id {read.id} is an old one"
            elif key not in ("title", "title_in", "id_like", "new_id"):
                yield from (f"{key} {wrong}" for wrong in ENTRY[key](read, value))

    def absent(self, wanted: list[str]) -> Iterator[str]:
        """Look for titles that must not be there."""
        for entries in self.planet.documents():
            yield from (entry.title for entry in entries if entry.title in wanted)

    def sources(self, wanted: Mapping[str, int]) -> Iterator[str]:
        """Count entries by their source, which is known by the address of its feed."""
        urls = {id: match for id, match in re.findall(r'id = "([^"]+)"\nurl = "([^"]+)"', self.config())}  # noqa: A001, C416
        for entries in self.planet.documents():
            for id, count in wanted.items():  # noqa: A001
                found = sum((entry.source or {}).get("url") == urls[id] for entry in entries)
                if found != count:
                    yield f"{found} of {id}"

    def config(self) -> str:
        """Return the configuration as it stands."""
        return (self.planet.root / "config" / "feedsvc.toml").read_text("utf-8")

    def distinct_ids(self, _: bool) -> Iterator[str]:
        """Look for an id that stands twice."""
        for entries in self.planet.documents():
            if len({entry.id for entry in entries}) != len(entries):
                yield f"{[entry.id for entry in entries]}"

    def never(self, wanted: list[str]) -> Iterator[str]:
        """Look for strings in the bytes of every file of the planet."""
        for path, (body, _) in self.planet.published().items():
            if path.startswith("planet/") and not path.endswith((".gz", ".br", ".zst")):
                yield from (f"{part!r} in {path}" for part in wanted if part.encode() in body)

    def no_date_after(self, wanted: str) -> Iterator[str]:
        """Look for dates later than a moment."""
        for entries in self.planet.documents():
            dates = [date for entry in entries for date in (entry.published, entry.updated) if date]
            yield from (str(date) for date in dates if date > moment(wanted))

    def untouched(self, wanted: list[str]) -> Iterator[str]:
        """Compare bytes and time of files with the step before."""
        now = self.planet.published()
        yield from (path for path in wanted if now[path] != self.before[path])

    def warns(self, wanted: list[list[str]]) -> Iterator[str]:
        """Look for lines on stderr that hold all words."""
        lines = [line.lower() for line in self.ran.err.splitlines()]
        yield from (
            str(words) for words in wanted if not any(all(word.lower() in line for word in words) for line in lines)
        )

    def outlines(self, wanted: list[dict[str, str]]) -> Iterator[str]:
        """Look for outlines of the OPML on stdout."""
        found = self.opml()
        yield from (f"{want} in {found}" for want in wanted if not any(want.items() <= one.items() for one in found))

    def outline_count(self, wanted: int) -> Iterator[str]:
        """Count the outlines with an address."""
        if len(self.opml()) != wanted:
            yield f"{self.opml()}"

    def opml(self) -> list[dict[str, str]]:
        """Return the attributes of the outlines with an address."""
        root = etree.fromstring(self.ran.out.encode())
        return [{str(k): str(v) for k, v in one.attrib.items()} for one in root.iter("outline") if one.get("xmlUrl")]

    def not_asked(self, wanted: list[str]) -> Iterator[str]:
        """Look for requests that must not have come."""
        yield from (request.path for request in self.planet.server.requests if request.path in wanted)


CHECKS: Mapping[str, Callable[[Step, Any], Iterator[str]]] = {
    "count": Step.count,
    "order": Step.order,
    "entries": Step.entries,
    "absent": Step.absent,
    "from": Step.sources,
    "distinct_ids": Step.distinct_ids,
    "never": Step.never,
    "no_date_after": Step.no_date_after,
    "untouched": Step.untouched,
    "warns": Step.warns,
    "outlines": Step.outlines,
    "outline_count": Step.outline_count,
    "not_asked": Step.not_asked,
}
"""Key of an expectation → what is wrong with a step."""
