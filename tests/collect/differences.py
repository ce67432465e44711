"""What feedparser makes of a document beside what we make of it, and the rule that explains each difference.

A difference is explained by what it is, not by the document in which it stands; the few that are left are in ODD, by
document and field, with their rule.
"""

import calendar
import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from typing import Any

import feedparser

from feedsvc.collect.found import Found, Kind, ParsedFeed, Unread
from feedsvc.text.clean import plain
from feedsvc.text.feeddates import read_feed_date
from feedsvc.text.urls import absolute, normal_url
from tests.collect.documents import URL, answer

_FRAME = re.compile(r"<(?:iframe|video|audio|object|embed)\b", re.IGNORECASE)
_ALT = re.compile(r"<img\b[^<>]*\balt=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """One document, read twice; `theirs` is feedparser's result."""

    name: str
    body: bytes
    ours: ParsedFeed | Unread
    theirs: Any

    @property
    def recoded(self) -> bool:
        """Return whether the two may have read other characters: feedparser goes by what is declared (EN-01)."""
        return not self.body.isascii() and str(self.theirs.get("encoding")).lower() not in (
            "utf-8",
            "us-ascii",
            "ascii",
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one entry that is not the same."""

    pair: Pair
    field: str
    ours: Any
    theirs: Any
    found: Found | None = None
    entry: Any = None


def read_twice(name: str, body: bytes, media_type: str) -> Pair | None:
    """Read a document with both; None where feedparser raises."""
    headers = {"content-location": URL, "content-type": media_type or "application/xml"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = feedparser.parse(
                io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False, response_headers=headers
            )
        except Exception:
            return None
    return Pair(name, body, answer(body, media_type), theirs)


def differences(pair: Pair) -> Iterator[Difference]:
    """Yield where the two differ: entries found, and every field of FIELDS."""
    theirs = pair.theirs.entries
    if isinstance(pair.ours, Unread):
        if theirs:
            yield Difference(pair, "unread", pair.ours.code, len(theirs))
        return
    ours = pair.ours.entries
    if len(ours) != len(theirs):
        yield Difference(pair, "count", len(ours), len(theirs))
        return
    for found, entry in zip(ours, theirs, strict=True):
        for field, read, given, same in FIELDS:
            mine, other = read(found), given(entry)
            if not same(mine, other):
                yield Difference(pair, field, mine, other, found, entry)


def key(text: str) -> str:
    """Return letters and digits of a text, case aside."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _same_words(mine: str, other: str) -> bool:
    return key(mine) in (key(other), key(plain(other)))


def _same_link(mine: str | None, other: str) -> bool:
    return mine == (normal_url(other) if other else None)


def _our_date(found: Found) -> datetime | None:
    read = (read_feed_date(text, UTC) for text in (*found.published, *found.updated))
    return next((one.instant for one in read if one), None)


def _their_date(entry: Any) -> datetime | None:
    """Return the first date by DT-09; `updated` falls back to `published` unless it is asked for with `in`."""
    name = next((name for name in ("published", "updated", "created") if f"{name}_parsed" in entry), None)
    parsed = entry[f"{name}_parsed"] if name else None
    return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None


def _their_text(entry: Any) -> str:
    return str(entry.content[0].value if "content" in entry else entry.get("summary", ""))


def _their_authors(entry: Any) -> list[str]:
    names = [str(author["name"]) for author in entry.get("authors", ()) if author.get("name")]
    return names or [str(entry.get("author") or "")]


def _their_tags(entry: Any) -> list[str]:
    return [str(tag.get("term") or tag.get("label") or "") for tag in entry.get("tags", ())]


def _their_files(entry: Any) -> list[str]:
    files = (*entry.get("enclosures", ()), *entry.get("media_content", ()))
    urls = (normal_url(str(each.get("href") or each.get("url") or "")) for each in files)
    return list(dict.fromkeys(url for url in urls if url))


def _their_language(entry: Any) -> str:
    details = (*entry.get("content", ())[:1], entry.get("summary_detail"), entry.get("title_detail"))
    return next((str(each["language"]) for each in details if each and each.get("language")), "").replace("_", "-")


def _same_list(mine: list[str], other: list[str]) -> bool:
    """Compare words, each once: feedparser repeats authors and tags."""
    return [each for each in dict.fromkeys(map(key, mine)) if each] == [
        each for each in dict.fromkeys(map(key, other)) if each
    ]


FIELDS: tuple[tuple[str, Callable[[Found], Any], Callable[[Any], Any], Callable[[Any, Any], bool]], ...] = (
    ("title", lambda found: found.title or "", lambda entry: entry.get("title", ""), _same_words),
    ("link", lambda found: found.link, lambda entry: entry.get("link", ""), _same_link),
    ("date", _our_date, _their_date, lambda mine, other: mine == other),
    ("text", lambda found: plain(found.text.content), _their_text, _same_words),
    ("authors", lambda found: [person.name for person in found.authors], _their_authors, _same_list),
    ("tags", lambda found: list(found.tags), _their_tags, _same_list),
    ("files", lambda found: [each.url for each in found.enclosures], _their_files, lambda mine, other: mine == other),
    ("language", lambda found: found.lang or "", _their_language, lambda mine, other: mine == other or not other),
)


# ---- what explains a difference ----------------------------------------------------------------------------------


def _left_out(one: Difference) -> bool:
    """TI-05: nothing to show is left out and said; tests of other suites have entries with one field alone."""
    assert isinstance(one.pair.ours, ParsedFeed)
    codes = [warning.code for warning in one.pair.ours.warnings]
    return one.theirs - one.ours == codes.count("empty-entry") or "more-warnings" in codes


def _several_links(one: Difference) -> bool:
    """LI-01: the first of several, feedburner:origLink before either; feedparser takes the last."""
    others = [link.get("href") for link in one.entry.get("links", ())] + [one.entry.get("feedburner_origlink")]
    return bool(one.ours) and (len([link for link in others if link]) > 1 or b"feedburner" in one.pair.body)


def _relative(one: Difference) -> bool:
    """LI-04: in RSS a relative link resolves against the channel's link, which feedparser does not do."""
    return bool(one.theirs) and one.theirs.startswith("https://feeds.example/") | one.theirs.startswith(URL[:21])


def _cleaned(one: Difference) -> bool:
    """CL-06: lines that plugins add, share buttons and counters go; a few words of the text, and none are added."""
    mine, theirs = Counter(one.ours.split()), Counter(plain(one.theirs).split())
    return not mine - theirs and (theirs - mine).total() <= max(30, 0.25 * theirs.total())


def _framed(one: Difference) -> bool:
    """C6: a frame, a film or a sound becomes its link, an address for each."""
    mine, theirs = Counter(one.ours.split()), Counter(plain(one.theirs).split())
    frames = len(_FRAME.findall(one.theirs))
    return frames > 0 and sum(word.startswith("http") for word in (mine - theirs).elements()) <= 2 * frames


def _alternative(one: Difference) -> bool:
    """CL-06: a picture without anything beside it is told by its alternative text."""
    return not plain(one.theirs).strip() and bool(_ALT.search(one.theirs)) and key(one.ours) in key(one.theirs)


def _repeated_name(one: Difference) -> bool:
    """MG-07: author and itunes:author in this order; feedparser puts the last one first, and says names twice."""
    return sorted(map(key, one.ours)) == sorted({*map(key, one.theirs)})


def _labelled(one: Difference) -> bool:
    """MG-12: a tag whose term is an address is called by its label."""
    pairs = [(str(tag.get("term") or ""), str(tag.get("label") or "")) for tag in one.entry.get("tags", ())]
    return one.ours == [label if "://" in term and label else term for term, label in pairs]


def _undeclared(one: Difference) -> bool:
    """DX-03: the prefix of media is declared nowhere."""
    return not one.ours and b"<media:content" in one.pair.body and b"xmlns:media" not in one.pair.body


def _relative_file(one: Difference) -> bool:
    """EC-02, LI-04: an address that is relative is resolved; feedparser leaves it as it is."""
    written = [str(each.get("href") or each.get("url") or "") for each in one.entry.get("enclosures", ())]
    return len(one.ours) == len(written) and all("://" not in each for each in written)


def _is_channel_definition(one: Difference) -> bool:
    """DX-01: CDF is no kind that is read."""
    return str(one.pair.theirs.get("version")) == "cdf" or b"<abstract" in one.pair.body.lower()


def _strange_type(one: Difference) -> bool:
    """CO-05: content of a type that is no text is left out."""
    kinds = {content.get("type") for content in one.entry.get("content", ())}
    return not one.ours and not kinds & {"text/html", "application/xhtml+xml", "text/plain"}


def _text_as_it_is(one: Difference) -> bool:
    """CO-05: type text is escaped, so that references and tags in it are read as they are written."""
    kinds = {content.get("type") for content in one.entry.get("content", ())}
    return kinds == {"text/plain"} and key(one.ours) == key(one.theirs)


def _written_markup(one: Difference) -> bool:
    """CO-05: where markup of an RSS description is not escaped, `&amp;lt;` beside it shows `&lt;`."""
    return b"&amp;lt;" in one.pair.body and key(unescape(one.ours)) == key(plain(one.theirs))


def _no_content_of_rss(one: Difference) -> bool:
    """CO-01: RSS has no `content` of its own; feedparser takes it for the text."""
    return one.pair.theirs.get("version", "").startswith("rss") and b"<content type=" in one.pair.body


EXPLAINED: dict[str, dict[str, Callable[[Difference], bool]]] = {
    "unread": {
        "X-02": lambda one: one.ours == "bomb",
        "X-07": lambda one: one.ours == "malformed",
        "DX-01": lambda one: one.ours == "no-feed",
    },
    "count": {
        "JF-01": lambda one: one.pair.ours.kind is Kind.JSON,  # type: ignore[union-attr]
        "X-07": lambda one: bool(one.pair.ours.fault),  # type: ignore[union-attr]
        "DX-01": lambda one: b"<feed" in one.pair.body and b"<item" in one.pair.body,
        "TI-05": _left_out,
    },
    "title": {
        "TI-05": lambda one: not one.theirs and bool(one.found and one.found.link),
        "EN-01": lambda one: one.pair.recoded,
    },
    "link": {
        "LI-01": _several_links,
        "LI-01, an id is no link": lambda one: one.theirs == one.entry.get("id"),
        "LI-03": lambda one: not (absolute(URL, one.theirs) or "").startswith("http"),
        "LI-04": _relative,
        "DX-01": _is_channel_definition,
    },
    "date": {
        "DT-06": lambda one: one.ours is None and one.theirs.year < 1990,
        "DT-01": lambda one: (
            one.ours is not None and any("/" in text or text[-1:] == "M" for text in one.found.published)
        ),
        "DX-01": _is_channel_definition,
        "DT-02": lambda one: one.ours is None,
    },
    "text": {
        "CO-03": lambda one: b"itunes:summary" in one.pair.body or b"media:description" in one.pair.body,
        "CO-01": lambda one: bool(one.ours) and not one.theirs,
        "DX-01": _is_channel_definition,
        "CL-06": _cleaned,
        "C6": _framed,
        "CL-06, pictures": _alternative,
        "CO-05": _strange_type,
        "CO-05, text": _text_as_it_is,
        "CO-05, markup": _written_markup,
        "CO-01, content": _no_content_of_rss,
        "EN-01": lambda one: one.pair.recoded,
    },
    "authors": {
        "MG-07, mail addresses go": lambda one: "@" in "".join(one.theirs) and "@" not in "".join(one.ours),
        "MG-07, a mail address is cut wrong (feedparser#562)": lambda one: any("(" in name for name in one.theirs),
        "MG-07": _repeated_name,
    },
    "tags": {"MG-12": _labelled},
    "files": {"DX-03": _undeclared, "LI-04": _relative_file},
    "language": {
        "DX-06, of a title alone": lambda one: one.theirs == (one.entry.get("title_detail") or {}).get("language")
    },
}
"""Field → rule → whether it explains a difference there."""

ODD: dict[tuple[str, str], str] = {
    (
        "feedparser/encoding.jsonl:encoding/bozo_double-encoded-html.xml",
        "text",
    ): "EN-01: what was encoded twice stays so",
    ("feedparser/encoding.jsonl:encoding/double-encoded-html.xml", "text"): "EN-01: what was encoded twice stays so",
    ("feedparser/wellformed-rss.jsonl:wellformed/rss/item_description_and_summary.xml", "text"): "CO-01",
}
"""(document, field) → rule, for what no predicate above explains."""


def explanation(one: Difference) -> str | None:
    """Return the rule that explains a difference, None for none."""
    listed = ODD.get((one.pair.name, one.field))
    return listed or next((rule for rule, holds in EXPLAINED[one.field].items() if holds(one)), None)
