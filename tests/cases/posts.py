"""The cases of tests/corpus/posts and own-posts: a folder of posts, and what must be true after `feedsvc build`."""

import json
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tomlkit
from lxml import html

from tests.cases.wholes import WHOLE
from tests.installed import Ran, feedsvc
from tests.places import CASES
from tests.readback import Read, formats, visible

BASE = """
[site]
title = "Warp Notes"
url = "https://warp.example/"
language = "en"
author = { name = "Warp Notes" }
id_authority = "warp.example,2026"
"""
CLOCK = "2026-06-15T12:00:00Z"
ADDRESSES = ("href", "src", "poster", "cite", "data", "srcset")
FOLDERS = ("posts", "own-posts")
TWINS = (".gz", ".br", ".zst")


def names() -> list[str]:
    """Return the names of all cases; a folder without an expectation is a fault."""
    found = sorted(place for folder in FOLDERS for place in (CASES / folder).iterdir() if place.is_dir())
    for place in found:
        assert (place / "expected.json").is_file(), f"{place.name}: no expected.json"
    assert {place.parent.name for place in found} == set(FOLDERS), "no cases"
    assert len({place.name for place in found}) == len(found), "two cases of one name"
    return [place.name for place in found]


def place_of(name: str) -> Path:
    """Return the folder of a case."""
    return next(CASES / folder / name for folder in FOLDERS if (CASES / folder / name).is_dir())


def merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Merge configurations key by key; an array replaces."""
    merged = dict(base)
    for key, value in over.items():
        merged[key] = merge(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
    return merged


@dataclass(slots=True)
class Case:
    """One case in a project folder of its own."""

    name: str
    root: Path
    wanted: dict[str, Any]

    @classmethod
    def at(cls, name: str, root: Path) -> "Case":
        """Lay a case out in a folder."""
        (root / "config").mkdir()
        return cls(name, root, json.loads((place_of(name) / "expected.json").read_bytes()))

    def check(self) -> None:
        """Run the builds of the case and compare; AssertionError says what differs."""
        runs = self.wanted.pop("runs", [{}])
        before: dict[str, tuple[bytes, int]] = {}
        for number, run in enumerate(runs, 1):
            wanted = {**self.wanted, **run}
            ran = self.build(wanted)
            problems = list(compare(self.root, wanted, ran, before))
            assert not problems, f"{self.name}, run {number}:\n" + "\n".join(problems) + f"\n{ran.said}"
            before = published(self.root)

    def build(self, wanted: dict[str, Any]) -> Ran:
        """Lay out configuration and posts of a run, and build."""
        place = place_of(self.name)
        config = tomllib.loads(BASE)
        if (place / "config.toml").is_file():
            config = merge(config, tomllib.loads((place / "config.toml").read_text("utf-8")))
        whole = wanted.pop("config_file", None)
        text = (place / whole).read_text("utf-8") if whole else tomlkit.dumps(merge(config, wanted.pop("config", {})))
        (self.root / "config" / "feedsvc.toml").write_text(text, "utf-8")
        shutil.rmtree(self.root / "posts", ignore_errors=True)
        shutil.copytree(place / wanted.pop("posts", "posts"), self.root / "posts")
        clock = int(moment(wanted.pop("clock", CLOCK)).timestamp())
        env = {"SOURCE_DATE_EPOCH": str(clock), **wanted.pop("env", {})}
        return feedsvc("build", cwd=self.root, env=env)


def published(root: Path) -> dict[str, tuple[bytes, int]]:
    """Return every published file: its bytes and its time in nanoseconds."""
    folder = root / "public"
    files = (path for path in sorted(folder.rglob("*")) if path.is_file()) if folder.exists() else ()
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def moment(text: str) -> datetime:
    """Read an instant of an expectation."""
    return datetime.fromisoformat(text).astimezone(UTC)


def compare(root: Path, wanted: Mapping[str, Any], ran: Ran, before: Mapping[str, tuple[bytes, int]]) -> Iterator[str]:
    """Yield what differs; an unknown key is a fault of the test, never a pass."""
    rest = {key: value for key, value in wanted.items() if key not in ("says", "from", "rules")}
    status = rest.pop("exit", 0)
    if ran.status != status:
        yield f"exit status {ran.status}, not {status}"
        return
    now = published(root)
    order = rest.pop("order", None)
    for key, value in rest.items():
        if key == "either":
            options = [list(compare(root, {"exit": status, **option}, ran, before)) for option in value]
            if all(options):
                yield f"none of either holds: {options}"
        elif key == "entries":
            yield from entries(root, value, anyhow=order == "any")
        elif key == "same_bytes":
            yield from (
                f"{p}: other bytes" for p in now.keys() | before.keys() if now.get(p, b"")[0] != before.get(p, b"")[0]
            )
        elif key == "untouched":
            yield from (f"{p}: touched" for p in now if now[p][1] != before[p][1])
        else:
            yield from WHOLE[key](root, value, ran)


def entries(root: Path, wanted: Sequence[Mapping[str, Any]], *, anyhow: bool) -> Iterator[str]:
    """Compare all entries of the three documents at the top."""
    documents = formats(root / "public")
    for document in documents:
        if len(document.entries) != len(wanted):
            yield f"{document.format}: {len(document.entries)} entries, not {len(wanted)}"
            return
        if [entry.id for entry in document.entries] != [entry.id for entry in documents[0].entries]:
            yield f"{document.format}: another order than {documents[0].format}"
    for document in documents:
        left = list(document.entries)
        for want in wanted:
            at = next((i for i, e in enumerate(left) if not list(entry(e, want))), 0) if anyhow else 0
            yield from (f"{document.format}: {want['file']}: {problem}" for problem in entry(left.pop(at), want))


def entry(read: Read, want: Mapping[str, Any]) -> Iterator[str]:
    """Compare one entry of one format."""
    for key, value in want.items():
        if key == "file" or (read.format == "rss" and key == "updated"):
            continue
        if key in FIELDS:
            found = FIELDS[key](read)
            if found != value:
                yield f"{key} is {found!r}, not {value!r}"
        else:
            yield from (f"{key}: {problem}" for problem in ENTRY[key](read, value))


def teaser(read: Read) -> str:
    """Return the visible text of the teaser; JSON has it as text, without label, where its HTML is the full text."""
    if read.summary is None and read.plain is not None:
        return visible(read.plain.replace("&", "&amp;").replace("<", "&lt;"))
    return visible(read.summary or "")


def _same_instant(found: datetime | None, wanted: str) -> Iterator[str]:
    if found is not None and not re.search(r"T\d\d:\d\d:\d\d", wanted):
        found = found.replace(second=0)
    if found != moment(wanted):
        yield f"{found} is not {wanted}"


def _summary(read: Read, wanted: Sequence[str]) -> Iterator[str]:
    short = [re.sub(r" ?\S+( \S+)?$", "", want) for want in wanted] if read.format == "json" else []
    if teaser(read) not in [*wanted, *short]:
        yield f"{teaser(read)!r} is none of {wanted!r}"


def _read_more(read: Read, wanted: Mapping[str, str] | None) -> Iterator[str]:
    if read.format == "json" and read.summary is None:
        return
    links = html.fragment_fromstring(read.summary or "", create_parent="div").xpath(".//a")
    last = links[-1] if links else None
    if wanted is None:
        if "…" in teaser(read) or (last is not None and last.get("href") == read.link):
            yield f"there is more: {read.summary!r}"
    elif last is None or (last.text_content(), last.get("href")) != (wanted["label"], wanted["href"]):
        yield f"no such link in {read.summary!r}"
    elif not teaser(read).endswith(wanted["label"]):
        yield f"it is not at the end of {read.summary!r}"


def _prefix(read: Read, wanted: str) -> Iterator[str]:
    shown = teaser(read).split(" … ")[0]
    if not wanted.startswith(shown):
        yield f"{shown!r} does not begin the text"


def _length(read: Read, wanted: Sequence[int]) -> Iterator[str]:
    size = len(teaser(read).split(" … ")[0])
    if not wanted[0] <= size <= wanted[1]:
        yield f"{size} characters"


def _holds(text: Callable[[Read], str], *, count: Callable[[int], bool]) -> Callable[[Read, Any], Iterator[str]]:
    def check(read: Read, wanted: Any) -> Iterator[str]:
        for part in [wanted] if isinstance(wanted, str) else wanted:
            if not count(text(read).count(part)):
                yield f"{part!r} in {text(read)!r}"

    return check


def _full(read: Read) -> str:
    return visible(read.content or "")


def urls(markup: str) -> list[str]:
    """Return every address in a piece of HTML, each candidate of srcset by itself."""
    root = html.fragment_fromstring(markup, create_parent="div")
    pairs = [(name, node.get(name)) for node in root.iter() for name in ADDRESSES if node.get(name) is not None]
    return [
        part.split()[0]
        for name, value in pairs
        for part in (value.split(",") if name == "srcset" else [value])
        if part.split()
    ]


def _absolute(read: Read, _: bool) -> Iterator[str]:
    for url in urls(read.content or ""):
        if not re.match(r"(#|https?://|mailto:|data:image/)", url) or (read.format == "rss" and url.startswith("#")):
            yield f"{url} is relative"


def _urls_have(read: Read, wanted: Sequence[str]) -> Iterator[str]:
    yield from (
        f"{url} is missing in {urls(read.content or '')}" for url in wanted if url not in urls(read.content or "")
    )


def _urls_any(read: Read, wanted: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from (f"none of {some}" for some in wanted if not set(some) & set(urls(read.content or "")))


def _notes(read: Read, _: bool) -> Iterator[str]:
    root = html.fragment_fromstring(read.content or "", create_parent="div")
    ids = {node.get("id") for node in root.iter() if node.get("id")}
    fragments = [
        u.rsplit("#", 1)[1] for u in urls(read.content or "") if "#" in u and u.rsplit("#", 1)[0] in ("", read.link)
    ]
    if not fragments:
        yield "no link to a note"
    yield from (f"#{fragment} leads nowhere" for fragment in fragments if fragment not in ids)


def _instant(get: Callable[[Read], datetime | None]) -> Callable[[Read, str], Iterator[str]]:
    return lambda read, wanted: _same_instant(get(read), wanted)


def _not_blank(read: Read, _: bool) -> Iterator[str]:
    if read.summary is not None and not teaser(read):
        yield "the teaser is blank"
    if read.format == "atom" and not (read.summary or read.content):
        yield "neither summary nor content"


def _enclosure(read: Read, wanted: Mapping[str, Any]) -> Iterator[str]:
    if read.enclosures != [wanted]:
        yield f"{read.enclosures} is not {wanted}"


FIELDS: Mapping[str, Callable[[Read], Any]] = {
    "title": lambda read: read.title,
    "id": lambda read: read.id,
    "link": lambda read: read.link,
    "lang": lambda read: read.lang,
    "tags": lambda read: read.tags,
    "authors": lambda read: read.authors,
}
ENTRY: Mapping[str, Callable[[Read, Any], Iterator[str]]] = {
    "published": _instant(lambda read: read.published),
    "updated": _instant(lambda read: read.updated),
    "rss_pub_date": lambda read, want: iter(
        [] if read.format != "rss" or read.rss_pub_date in want else [str(read.rss_pub_date)]
    ),
    "summary": lambda read, want: _summary(read, [want]),
    "summary_any": _summary,
    "title_any": lambda read, want: iter([] if read.title in want else [read.title]),
    "summary_starts": lambda read, want: iter([] if teaser(read).startswith(want) else [teaser(read)]),
    "summary_has": _holds(teaser, count=bool),
    "summary_lacks": _holds(teaser, count=lambda n: n == 0),
    "summary_prefix_of": _prefix,
    "summary_length": _length,
    "summary_not_blank": _not_blank,
    "read_more": _read_more,
    "content_text_has": _holds(_full, count=bool),
    "content_text_lacks": _holds(_full, count=lambda n: n == 0),
    "content_text_once": _holds(_full, count=lambda n: n == 1),
    "content_html_lacks": _holds(lambda read: read.content or "", count=lambda n: n == 0),
    "content_urls_have": _urls_have,
    "content_urls_have_any": _urls_any,
    "addresses_absolute": _absolute,
    "notes_work": _notes,
    "enclosure": _enclosure,
}
