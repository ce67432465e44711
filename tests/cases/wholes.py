"""What a case says of all published files, of the diagnostics and of the feed itself."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lxml import etree, html

from tests.installed import Ran
from tests.readback import atom, formats

DIAGNOSTIC = re.compile(
    r"^(?P<path>[^:\n]+):(?:(?P<line>\d+):)? (?P<level>error|warning): (?P<message>.*)$", re.MULTILINE
)
TWINS = (".gz", ".br", ".zst")


def _documents(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted((root / "public").rglob("*")):
        if path.is_file() and path.suffix not in TWINS:
            yield path.relative_to(root / "public").as_posix(), path.read_bytes()


def absent(root: Path, wanted: Sequence[str], _: Ran) -> Iterator[str]:
    """No published file holds an entry of these posts."""
    for file in wanted:
        stem = re.escape(file.rsplit(".", 1)[0])
        for path, body in _documents(root):
            if re.search(rf"tag:[^\"<]*,[0-9-]*:{stem}[\"<]", body.decode()):
                yield f"absent: {path} holds {file}"


def nowhere(root: Path, wanted: Sequence[str], _: Ran) -> Iterator[str]:
    """No published file holds these strings."""
    for path, body in _documents(root):
        yield from (f"nowhere: {path} holds {part!r}" for part in wanted if part.encode() in body)


def diagnostics(_: Path, wanted: Sequence[Mapping[str, Any]], ran: Ran) -> Iterator[str]:
    """Each is matched by one that was printed; an empty list: none was."""
    printed = list(DIAGNOSTIC.finditer(ran.said))
    if not wanted and printed:
        yield f"diagnostics: {[found.group() for found in printed]}"
    for want in wanted:
        if not any(_matches(found, want) for found in printed):
            yield f"diagnostics: none for {want}"


def _matches(found: re.Match[str], want: Mapping[str, Any]) -> bool:
    def right(key: str, value: str | None) -> bool:
        allowed = want.get(key)
        return allowed is None or value in [str(one) for one in (allowed if isinstance(allowed, list) else [allowed])]

    return (
        all(right(key, found[key]) for key in ("path", "line", "level"))
        and all(word.lower() in found["message"].lower() for word in want.get("words", []))
        and all(name in found.group() for name in want.get("names", []))
    )


def feed(root: Path, wanted: Mapping[str, str], _: Ran) -> Iterator[str]:
    """What the feed at the top says of itself."""
    for key, value in wanted.items():
        assert key == "updated", f"unknown key of feed: {key}"
        for document in formats(root / "public"):
            if document.updated is not None and document.updated != datetime.fromisoformat(value).astimezone(UTC):
                yield f"feed: {document.format} is of {document.updated}, not {value}"


def tag_feeds(root: Path, wanted: Mapping[str, Sequence[str]], _: Ran) -> Iterator[str]:
    """Each tag has a feed in feeds.opml that holds these files, at a safe and distinct path."""
    outlines = etree.fromstring((root / "public" / "feeds.opml").read_bytes()).iter("outline")
    paths = sorted({urlsplit(node.get("xmlUrl")).path for node in outlines if node.get("xmlUrl")})
    if len({path.casefold() for path in paths}) != len(paths):
        yield f"tag_feeds: paths are not distinct: {paths}"
    yield from (f"tag_feeds: unsafe path {path}" for path in paths if re.search(r"[\\?#% ]", path))
    held = {}
    for path in paths:
        if path.startswith("/tags/") and path.endswith("atom.xml"):
            document = atom(root / "public" / path.lstrip("/"))
            held[document.title.rsplit(": ", 1)[-1]] = sorted(
                entry.id.rsplit(":", 1)[-1] + ".md" for entry in document.entries
            )
    if held != {tag: sorted(files) for tag, files in wanted.items()}:
        yield f"tag_feeds: {held} is not {wanted}"


def element_ids_unique(root: Path, _: bool, __: Ran) -> Iterator[str]:
    """No id of an element stands twice in the contents of one document."""
    for document in formats(root / "public"):
        ids = [
            node.get("id")
            for entry in document.entries
            for node in html.fragment_fromstring(entry.content or "", create_parent="div").iter()
            if node.get("id")
        ]
        if len(ids) != len(set(ids)):
            yield f"element_ids_unique: {document.format}: {ids}"


def updated_differ(root: Path, _: bool, __: Ran) -> Iterator[str]:
    """No two entries have the same updated."""
    for document in formats(root / "public"):
        moments = [entry.updated for entry in document.entries if entry.updated]
        if len(moments) != len(set(moments)):
            yield f"updated_differ: {document.format}: {moments}"


def said(_: Path, wanted: Sequence[str], ran: Ran) -> Iterator[str]:
    """Words in what the command printed."""
    yield from (f"said: no {word!r}" for word in wanted if word.lower() not in ran.said.lower())


WHOLE: Mapping[str, Callable[[Path, Any, Ran], Iterator[str]]] = {
    "absent": absent,
    "nowhere": nowhere,
    "diagnostics": diagnostics,
    "feed": feed,
    "tag_feeds": tag_feeds,
    "element_ids_unique": element_ids_unique,
    "updated_differ": updated_differ,
    "said": said,
}
