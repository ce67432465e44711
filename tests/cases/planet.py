"""A planet of its own for each case: sources on a loopback server, the installed program, what it published."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.cases.posts import moment, published
from tests.installed import Ran, feedsvc, measured
from tests.readback import Read, formats, verbatim, visible
from tests.servers import Reply, Server

BASE = """
[site]
title = "Blog"
url = "https://blog.example/"
author = { name = "Blog" }
id_authority = "blog.example,2026"

[polling]
allow_private = ["127.0.0.0/8"]
host_delay = "0s"
"""
TYPES = {".json": "application/json"}


@dataclass
class Planet:
    """A project whose sources are served from loopback; `files` is where the documents of the case are."""

    root: Path
    files: Path
    server: Server
    seen: dict[str, str] = field(default_factory=dict)

    def lay_out(self, config: str) -> None:
        """Write the configuration; `{/path}` in it is the address of that path."""
        (self.root / "config").mkdir()
        (self.root / "posts").mkdir()
        (self.root / "config" / "feedsvc.toml").write_text(BASE + self.fill(config), "utf-8")

    def fill(self, text: str) -> str:
        """Replace `{/path}` by an address of the server, `{file}` by the place of a file of the case."""
        out, rest = "", text
        while "{" in rest:
            before, _, rest = rest.partition("{")
            name, closed, after = rest.partition("}")
            if closed and name.startswith("/"):
                out, rest = out + before + self.server.url(name), after
            elif closed and name and (self.files / name).is_file():
                out, rest = out + before + str(self.files / name), after
            else:
                out += before + "{"
        return out + rest

    def serve(self, pages: Mapping[str, Any]) -> None:
        """Let the server have these pages and no others; an entry is a file's name, or status, type, file or body."""
        self.server.answers.clear()
        self.server.requests.clear()
        for path, page in pages.items():
            said = {"file": page} if isinstance(page, str) else dict(page)
            name = said.pop("file", "")
            body = (self.files / name).read_bytes() if name else said.pop("body", "").encode()
            kind = said.pop("type", TYPES.get(Path(name).suffix, "application/xml"))
            self.server.answers[path] = Reply(
                said.pop("status", 200), {"Content-Type": kind} | said.pop("headers", {}), body
            )
            assert not said, f"unknown keys of a page: {said}"

    def run(self, *command: str, now: str) -> Ran:
        """Run a command at a time of the case."""
        return feedsvc(*(self.fill(word) for word in command), cwd=self.root, env=_clock(now))

    def measured(self, *command: str, now: str) -> tuple[Ran, int]:
        """Run a command at a time of the case; return also the most memory that it took, in bytes."""
        return measured(*(self.fill(word) for word in command), cwd=self.root, env=_clock(now))

    def documents(self) -> list[list[Read]]:
        """Return the entries of Atom, RSS and JSON Feed."""
        return [document.entries for document in formats(self.root / "public" / "planet")]

    def published(self) -> dict[str, tuple[bytes, int]]:
        """Return every published file with its time."""
        return published(self.root)


def _clock(now: str) -> dict[str, str]:
    return {"SOURCE_DATE_EPOCH": str(int(moment(now).timestamp()))}


def source(id: str, path: str, **more: str) -> str:  # noqa: A002
    """Return a source as the configuration writes it."""
    extra = "".join(f'{key} = "{value}"\n' for key, value in more.items())
    return f'[[sources]]\nid = "{id}"\nurl = "{{{path}}}"\n{extra}\n'


def text_of(read: Read) -> str:
    """Return the visible text of an entry, teaser and full text."""
    return " ".join(visible(markup) for markup in (read.summary, read.content) if markup)


def markup_of(read: Read) -> str:
    """Return the HTML of an entry, teaser and full text."""
    return (read.summary or "") + (read.content or "")


def _instant(found: datetime | None, wanted: list[str]) -> Iterator[str]:
    if found is None or found.astimezone(UTC) not in [moment(text) for text in wanted]:
        yield f"{found} is none of {wanted}"


def _date(read: Read, wanted: Any) -> Iterator[str]:
    yield from _instant(read.published, wanted if isinstance(wanted, list) else [wanted])


def _updated(read: Read, wanted: str) -> Iterator[str]:
    if read.format != "rss" and not (
        read.format == "json" and read.updated is None and read.published == moment(wanted)
    ):
        yield from _instant(read.updated, [wanted])


def _is(get: Callable[[Read], Any]) -> Callable[[Read, Any], Iterator[str]]:
    def check(read: Read, wanted: Any) -> Iterator[str]:
        if get(read) != wanted:
            yield f"is {get(read)!r}, not {wanted!r}"

    return check


def _parts(get: Callable[[Read], str], *, there: bool) -> Callable[[Read, Any], Iterator[str]]:
    def check(read: Read, wanted: Any) -> Iterator[str]:
        yield from (f"{part!r} in {get(read)!r}" for part in wanted if (part in get(read)) is not there)

    return check


def _source(read: Read, wanted: Mapping[str, str]) -> Iterator[str]:
    """RSS says title and address of the feed alone."""
    found = {**(read.source or {})}
    found["home"] = found.get("home") or found.get("home_page_url")
    keys = ("title",) if read.format == "rss" else ("id", "title", "home")
    yield from (
        f"{key} is {found.get(key)!r}, not {wanted[key]!r}"
        for key in keys
        if key in wanted and found.get(key) != wanted[key]
    )


def _enclosures(read: Read, wanted: list[Mapping[str, Any]]) -> Iterator[str]:
    """RSS has the first alone (EC-03)."""
    some = wanted[:1] if read.format == "rss" else wanted
    found = [{key: one.get(key) for key in want} for one, want in zip(read.enclosures, some, strict=False)]
    if found != [dict(want) for want in some] or len(read.enclosures) != len(some):
        yield f"are {read.enclosures}, not {some}"


def _tags(read: Read, wanted: list[str]) -> Iterator[str]:
    yield from (f"{tag!r} not in {read.tags}" for tag in wanted if tag not in read.tags)


ENTRY: Mapping[str, Callable[[Read, Any], Iterator[str]]] = {
    "link": _is(lambda read: read.link),
    "date": _date,
    "date_in": _date,
    "updated": _updated,
    "id": _is(lambda read: read.id),
    "author": lambda read, want: _is(lambda read: read.authors)(read, [want]),
    "authors": _is(lambda read: read.authors),
    "tags": _tags,
    "source": _source,
    "text": _parts(text_of, there=True),
    "text_not": _parts(text_of, there=False),
    "code": _parts(lambda read: verbatim(markup_of(read)), there=True),
    "html": _parts(markup_of, there=True),
    "enclosures": _enclosures,
}
"""Key of an expected entry → what is wrong with one of a format."""
