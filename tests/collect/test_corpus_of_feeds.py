"""The feeds of the shared corpus, each read once by us and once by plain feedparser (corpus/MANIFEST.md)."""

import base64
import json
from collections import Counter
from collections.abc import Iterator

import pytest

from feedsvc.collect.charset import Decoded, decode
from feedsvc.collect.finish import finish
from feedsvc.collect.found import Kind, ParsedFeed, Received, Unread
from feedsvc.collect.loose import read_loose
from feedsvc.collect.repair import DECLARATION, tidy, trim
from feedsvc.collect.scan import scan
from tests.collect.differences import ODD, differences, explanation, read_twice
from tests.collect.documents import URL, answer
from tests.places import shared

pytestmark = [pytest.mark.corpus, pytest.mark.timeout(900)]
SUITE = "wellformed-sanitize"


def documents() -> Iterator[tuple[str, bytes, str]]:
    """Yield every document: its name, its bytes, the Content-Type it came with."""
    root = shared("feeds")
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix == ".jsonl":
            for line in path.read_text("utf-8").splitlines():
                case = json.loads(line)
                body = base64.b64decode(case["feed_base64"]) if "feed_base64" in case else case.get("feed", "").encode()
                yield f"{name}:{case['file']}", body, str((case.get("headers") or {}).get("Content-Type", ""))
        elif path.is_file() and path.name != "LICENSE":
            yield name, path.read_bytes(), ""


def test_no_document_stops_the_run_and_none_is_lost_without_a_word() -> None:
    """OU-01: each document with entries gives entries or a named diagnostic; none takes long."""
    kinds: Counter[str] = Counter()
    for name, body, media_type in documents():
        found = answer(body, media_type)
        kinds[found.code if isinstance(found, Unread) else found.kind.value] += 1
        if isinstance(found, Unread):
            assert found.message, name
        elif not found.entries and (b"<entry" if found.kind is Kind.ATOM else b"<item") in body:
            assert found.warnings, name
    print("documents:", dict(kinds))
    assert sum(kinds[kind] for kind in ("atom", "rss", "rdf", "json")) > 2_800


def test_every_difference_to_feedparser_is_explained_by_a_rule() -> None:
    """Entries found, titles, links, dates, texts, authors, tags, files, languages; the table is printed with `-s`."""
    table: Counter[str] = Counter()
    unexplained = []
    used = set()
    for name, body, media_type in documents():
        pair = None if SUITE in name else read_twice(name, body, media_type)
        if pair is None:
            continue
        table["documents"] += 1
        table["entries"] += len(pair.theirs.entries)
        for one in differences(pair):
            rule = explanation(one)
            table[f"{one.field}: {rule}"] += 1
            used.add((name, one.field))
            if rule is None:
                unexplained.append((name, one.field, one.ours, str(one.theirs)[:200]))
    print("\n".join(f"{count:6} {what}" for what, count in sorted(table.items())))
    assert not unexplained, "\n".join(map(str, unexplained[:40]))
    assert set(ODD) <= used, set(ODD) - used


def test_no_entry_changes_its_identity_when_its_source_is_read_in_the_other_way() -> None:
    """ID-01: what is well-formed, read by our readers and by way of feedparser, has the same ids."""
    compared = 0
    for name, body, media_type in documents():
        received = Received("warp", URL, body, media_type)
        decoded = decode(received)
        document = trim(decoded.text) if isinstance(decoded, Decoded) else None
        found = answer(body, media_type)
        data = (DECLARATION + tidy(document.text)).encode() if document else b""
        if not data or not isinstance(found, ParsedFeed) or scan(data).fault:
            continue
        raw = read_loose(data, URL)
        loose = finish(raw, received).entries if raw else ()
        if len(loose) == len(found.entries):
            compared += len(loose)
            assert [one.id for one in loose] == [one.id for one in found.entries], name
    assert compared > 2_000
