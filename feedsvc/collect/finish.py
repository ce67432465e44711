"""What a reader took out of a document → what may be published of it; the same for every reader.

Titles become plain text, addresses absolute, HTML clean. Nothing of an entry spoils its neighbours (OU-01).
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote, urlsplit

from feedsvc.collect.found import Found, FoundChannel, FoundOrigin, ParsedFeed, Received, remark
from feedsvc.collect.media import meant_type, media_type
from feedsvc.collect.people import people
from feedsvc.collect.raw import Form, Part, RawChannel, RawEnclosure, RawEntry, RawFeed, Ref
from feedsvc.collect.titles import one_line, title_of, without_cdata
from feedsvc.model import Diagnostic, Enclosure, Text
from feedsvc.patterns import pattern
from feedsvc.text.characters import escape, xml_text
from feedsvc.text.clean import clean_foreign, plain
from feedsvc.text.urls import absolute, without_user

MOST_WARNINGS = 20
MOST_OF_A_KIND = 500
"""So many enclosures, tags or authors of one entry are read: more is a flood."""

ANY_TYPE = "application/octet-stream"
_LONGEST_ADDRESS = 16_384
_BLANK_LINES = pattern(r"\n\s*\n")
_LANGUAGE = pattern(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,6}")
_TYPE = pattern(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
_REPLACED = pattern(r"&#(?:x0*+fffd|0*+65533)(?![0-9a-f]);?", re.IGNORECASE)
_WORDS = pattern(r"\w")
_SHOWN = pattern(r"<(?:img|video|audio)\b")
_TAG = pattern(r"<[^<>]*>")
# Words right behind a tag, as in nearly all: they save a look at the rest.
_BEGUN = pattern(r"(?:\A|>)(?!&nbsp;)[^\s<>]")


def finish(raw: RawFeed, received: Received, warnings: Iterable[Diagnostic] = ()) -> ParsedFeed:
    """Return a document ready to be taken; `warnings` are those that reading it has brought."""
    said = [*warnings, *(remark(received.name, dropped, "no-id") for dropped in raw.dropped)]
    entries = []
    for place, entry in enumerate(raw.entries):
        found = _entry(entry, place)
        if found is None:
            said.append(remark(received.name, f"{_called(entry)} has no title, text or link: left out", "empty-entry"))
            continue
        entries.append(found)
        said += (remark(received.name, f"{_called(entry)}: {what}", code) for what, code in _faults(entry, found))
    return ParsedFeed(raw.kind, _channel(raw.channel), tuple(entries), raw.hints, _some(said, received.name))


def web(ref: Ref | None) -> str | None:
    """Return an address as one for http or https, None for any other (LI-03)."""
    if ref is None or not ref.href or len(ref.href) > _LONGEST_ADDRESS:
        return None
    # `&amp;amp;` in XML: nobody means an `&amp;` in an address.
    found = absolute(ref.base, without_cdata(ref.href).replace("&amp;", "&"))
    return found if found and found.startswith("http") else None


def _some(said: list[Diagnostic], name: str) -> tuple[Diagnostic, ...]:
    more = len(said) - MOST_WARNINGS
    rest = [remark(name, f"{more} more warnings of this document", "more-warnings")] if more > 0 else []
    return (*said[:MOST_WARNINGS], *rest)


def _called(entry: RawEntry) -> str:
    """Return what a warning calls an entry (SO-11)."""
    words = title_of(entry.title) or entry.id or (entry.link.href if entry.link else "")
    return f"the entry {one_line(words)[:80]!r}" if words else "an entry"


def _faults(entry: RawEntry, found: Found) -> Iterator[tuple[str, str]]:
    """Yield what was not taken of an entry."""
    if entry.link and not found.link:
        yield (
            f"its link {one_line(without_user(entry.link.href))[:120]!r} is no http or https address and was left out",
            "bad-link",
        )
    lost = sum(1 for each in entry.enclosures[:MOST_OF_A_KIND] if web(each.ref) is None)
    if lost:
        yield f"{lost} enclosures without an http or https address were left out", "bad-enclosure"


def _entry(raw: RawEntry, place: int) -> Found | None:
    link = web(raw.link)
    title = title_of(raw.title)
    text = _text(raw, title, link)
    if not (title or text.content):
        title = _last_part(link)
        if not title:
            return None
    return Found(
        id=" ".join(xml_text(raw.id).split()),
        link=link,
        title=title or None,
        text=text,
        published=tuple(map(without_cdata, raw.published)),
        updated=tuple(map(without_cdata, raw.updated)),
        authors=people(raw.authors[:MOST_OF_A_KIND]),
        tags=_tags(raw.tags[:MOST_OF_A_KIND]),
        lang=_language(raw.lang),
        image=next((image for ref in raw.images if (image := web(ref))), None),
        enclosures=_enclosures(raw.enclosures[:MOST_OF_A_KIND]),
        origin=_origin(raw.origin) if raw.origin else None,
        place=place,
    )


def _last_part(link: str | None) -> str:
    """Return what an entry with neither title nor text is called: the last part of its link (TI-05)."""
    parts = urlsplit(link or "")
    last = next((part for part in reversed(parts.path.split("/")) if part), parts.hostname or "")
    return one_line(unquote(last))


def _text(raw: RawEntry, title: str, link: str | None) -> Text:
    content = _clean(raw.content, link)
    summary = _summary(raw.summary, title, link)
    return Text(content, "" if summary and summary == content else summary)


def _html(part: Part) -> str:
    """Return a text as HTML, without references to U+FFFD, which validators complain of (EN-03).

    Plain text keeps its paragraphs, and `<<<grid, block>>>` there is text (JF-03).
    """
    value = without_cdata(part.value)
    if part.form is not Form.TEXT:
        return _REPLACED.sub("", value) if "&#" in value else value
    paragraphs = [one for one in _BLANK_LINES.split(value.strip()) if one.strip()]
    return "\n".join(f"<p>{escape(one.strip())}</p>" for one in paragraphs)


def _clean(part: Part | None, link: str | None) -> str:
    if part is None or not part.value.strip():
        return ""
    html = clean_foreign(_html(part), part.base or link).html.strip()
    shown = _BEGUN.search(html) or _SHOWN.search(html) or _TAG.sub("", html).replace("&nbsp;", " ").strip()
    return html if shown else ""


def _summary(part: Part | None, title: str, link: str | None) -> str:
    """Return the author's teaser; "" where it repeats the title or holds no words (CO-02).

    It is cleaned as the text is, share buttons and lines of plugins go from it too, and only its running text is shown
    (CL-06, T2).
    """
    if part is None or not part.value.strip():
        return ""
    html = clean_foreign(_html(part), part.base or link).html.strip()
    words = plain(html)
    return html if _WORDS.search(words) and words.casefold() != title.casefold() else ""


def _tags(written: Iterable[str]) -> tuple[str, ...]:
    """Return tags as plain text, each once whatever its case (MG-12)."""
    found: dict[str, str] = {}
    for tag in written:
        words = title_of(Part(tag, Form.UNSAID))
        if words:
            found.setdefault(words.casefold(), words)
    return tuple(found.values())


def _language(written: str) -> str | None:
    tag = written.strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _enclosures(written: Iterable[RawEnclosure]) -> tuple[Enclosure, ...]:
    """Return the media with an address, each address once (EC-01, EC-02)."""
    found: dict[str, Enclosure] = {}
    for each in written:
        url = web(each.ref)
        if url:
            found.setdefault(url, Enclosure(url, _type(each, url), _length(each.length), one_line(each.title)))
    return tuple(found.values())


def _type(written: RawEnclosure, url: str) -> str:
    stated = meant_type(written.type.strip().lower().partition(";")[0].strip())
    return stated if _TYPE.fullmatch(stated) else media_type(urlsplit(url).path) or ANY_TYPE


def _length(written: str) -> int | None:
    digits = written.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else None


def _origin(raw: RawChannel) -> FoundOrigin:
    return FoundOrigin(
        id=" ".join(raw.id.split()),
        title=title_of(raw.title),
        url=web(raw.url) or "",
        home=web(raw.home) or "",
        updated=raw.updated,
        authors=people(raw.authors),
        rights=title_of(raw.rights),
    )


def _channel(raw: RawChannel) -> FoundChannel:
    return FoundChannel(
        id=" ".join(raw.id.split()),
        title=title_of(raw.title),
        url=web(raw.url) or "",
        home=web(raw.home) or "",
        updated=raw.updated,
        authors=people(raw.authors),
        rights=title_of(raw.rights),
        lang=_language(raw.lang),
        hubs=tuple(hub for ref in raw.hubs if (hub := web(ref))),
        description=title_of(raw.description),
    )
