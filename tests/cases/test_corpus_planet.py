"""Every real feed of the shared corpus as a source of one planet, end to end."""

import re
from pathlib import Path

import pytest

from tests.cases.planet import Planet, source
from tests.places import shared
from tests.readback import formats
from tests.servers import Reply, Server

pytestmark = [pytest.mark.corpus, pytest.mark.timeout(600)]
NOW = "2026-06-15T12:00:00Z"
LATER = "2026-06-15T14:00:00Z"
SUFFIXES = {".xml", ".rss", ".atom", ".rdf", ".json"}
PLANET = """
[[feeds]]
name = "planet"
path = "planet"
include = ["sources"]
limit = 5000
per_source = 200
content = "full"
"""


def test_a_planet_of_every_real_feed_is_published_whole(tmp_path: Path) -> None:
    """OU-01, OU-03: the run ends, each source gives entries or a named diagnostic, all that is published is valid."""
    root = shared("feeds")
    files = [
        path
        for folder in ("real", "feed-rs", "rss-parser", "reader", "miniflux", "fastfeedparser")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in SUFFIXES and not re.search(r"expected|serde|index\.json", path.as_posix())
    ]
    with Server() as server:
        planet = Planet(tmp_path, root, server)
        planet.lay_out("".join(source(f"s-{n}", f"/{n}", content="full") for n in range(len(files))) + PLANET)
        for number, path in enumerate(files):
            server.answers[f"/{number}"] = Reply(200, {"Content-Type": "application/xml"}, path.read_bytes())
        # First polls of many sources are spread over the interval (F-30).
        runs = [planet.run("update", now=now) for now in (NOW, LATER)]
        assert [ran.status for ran in runs] == [0, 0], runs[-1].said
        assert planet.run("check", now=LATER).status == 0
    documents = formats(tmp_path / "public" / "planet")
    assert len({len(document.entries) for document in documents}) == 1
    said = "".join(ran.err for ran in runs)
    brought = set(re.findall(r'"source": "(s-[0-9]+)"[^\n]*"new": [1-9]', said))
    named = set(re.findall(r"^(s-[0-9]+): warning:", said, re.MULTILINE))
    silent = [str(path) for number, path in enumerate(files) if f"s-{number}" not in brought | named]
    assert all(not re.search(rb"<(item|entry)[ >]", Path(path).read_bytes()) for path in silent), silent
    print(f"{len(files)} sources, {len(brought)} with entries, {len(documents[0].entries)} entries in the planet")
    assert len(documents[0].entries) > 1_000
