"""Documents that are not well-formed, read by feedparser: its result → RawFeed. The one place that knows feedparser.

It is given bytes in UTF-8 in a BytesIO and nothing else, ever (X-05), with sanitiser and resolver off. What it mixes
up is set right here, each cure beside its trap; what it loses for good (fields of modules it does not know) is lost.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import feedparser.api
from feedparser.mixin import _FeedParserMixin

from feedsvc.collect.found import Kind
from feedsvc.collect.pollstate import FeedHints, feed_hints
from feedsvc.collect.raw import Form, Part, RawChannel, RawEnclosure, RawEntry, RawFeed, RawPerson, Ref
from feedsvc.patterns import pattern

# It cuts mail addresses out of names, and wrong (feedparser#562): it sees none.
_AT = "\ue0a0\ue0a1"
# It joins ids to `xml:base`, so that they change when a feed moves (ID-01).
_FeedParserMixin.can_be_relative_uri.discard("id")

# Of an element it resolves references in titles and texts alone, and gives those in CDATA sections twice.
_REFERENCES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_BROKEN_LINE = pattern(r"(<br\b[^<>]*+>)</br>", re.IGNORECASE)

Result = Mapping[str, Any]
_PARSE: Callable[..., Any] = feedparser.api.parse
_PAGE = ("text/html", "application/xhtml+xml")
_HTML = frozenset({"text/html", "application/xhtml+xml", "html", "xhtml"})


def read_loose(data: bytes, url: str) -> RawFeed | None:
    """Return what feedparser makes of a document in UTF-8; None where that is no feed, or where it breaks down."""
    try:
        hidden = io.BytesIO(data.replace(b"@", _AT.encode()))
        result: Result = _shown(_PARSE(hidden, sanitize_html=False, resolve_relative_uris=False))
        return _feed(result, url) if result.get("version") or result["entries"] else None
    except Exception:
        return None


def _shown(value: Any) -> Any:
    """Return a result with each `@` where it was."""
    if isinstance(value, str):
        return value.replace(_AT, "@")
    if isinstance(value, dict):
        # Its own way to its items answers for other keys than are there.
        for name in list(dict.keys(value)):
            dict.__setitem__(value, name, _shown(dict.__getitem__(value, name)))
    return [_shown(each) for each in value] if isinstance(value, list) else value


def _feed(result: Result, url: str) -> RawFeed:
    channel = result["feed"]
    version = str(result.get("version") or "")
    kind = Kind.ATOM if version.startswith("atom") else Kind.RDF if version in ("rss090", "rss10") else Kind.RSS
    home = next(_links(channel, "alternate", url), None)
    outside = home.href if home and kind is not Kind.ATOM and home.href.startswith("http") else url
    lang = _text(channel, "language")
    return RawFeed(
        kind=kind,
        channel=_channel(channel, home, kind, url),
        entries=tuple(_entry(each, kind, outside, lang) for each in result["entries"]),
        hints=_hints(channel),
    )


def _hints(channel: Result) -> FeedHints:
    return feed_hints(
        _text(channel, "ttl"), period=_text(channel, "sy_updateperiod"), frequency=_text(channel, "sy_updatefrequency")
    )


def _channel(said: Result, home: Ref | None, kind: Kind, url: str) -> RawChannel:
    return RawChannel(
        id=_resolved(_text(said, "id")),
        title=_part(said, "title", kind),
        url=next(_links(said, "self", url), None),
        home=home,
        updated=_text(said, "updated") if kind is Kind.ATOM else "",
        authors=_authors(said, url),
        rights=_part(said, "rights", kind),
        lang=_text(said, "language"),
        hubs=tuple(_links(said, "hub", url)),
        description=_part(said, "subtitle", kind),
    )


def _entry(said: Result, kind: Kind, outside: str, lang: str) -> RawEntry:
    content, summary = _written(said, kind)
    updated = _texts(said, "updated")
    plain_dates = updated if kind is not Kind.ATOM else ()
    return RawEntry(
        id=_resolved(_text(said, "id")),
        link=_link(said, kind, outside),
        title=_part(said, "title", kind),
        content=content,
        summary=summary,
        # `dc:date` fills `updated` (DT-09).
        published=(*_texts(said, "published"), *plain_dates, *_texts(said, "created")),
        updated=() if plain_dates else updated,
        authors=_authors(said, outside),
        tags=tuple(tag for each in said.get("tags", ()) if (tag := _tag(each, kind))),
        lang=str(_text(said, "language") or (said.get("title_detail") or {}).get("language") or lang),
        images=tuple(_images(said, outside)),
        enclosures=tuple(_enclosures(said, outside)),
        origin=_origin(said.get("source"), kind, outside),
    )


def _written(said: Result, kind: Kind) -> tuple[Part | None, Part | None]:
    """Return full text and summary (CO-01)."""
    contents = (_detail(each, kind) for each in said.get("content", ()))
    whole = next((part for part in contents if part and part.value.strip()), None)
    short = _part(said, "summary", kind, html=kind is not Kind.ATOM)
    # A content without a summary beside it is copied into `summary`.
    copied = short is not None and whole is not None and short.value == whole.value
    short = short if short and short.value.strip() and not copied else None
    return whole or short, short if whole else None


def _detail(detail: Result, kind: Kind) -> Part | None:
    """Return a content by its type; in RSS it is HTML (CO-05)."""
    stated = str(detail.get("type") or "").lower()
    if kind is Kind.ATOM and stated not in _HTML and stated != "text/plain":
        return None
    form = Form.TEXT if kind is Kind.ATOM and stated == "text/plain" else Form.HTML
    value = str(detail.get("value") or "")
    return Part(_one_break(value) if form is Form.HTML else value, form, str(detail.get("base") or ""))


def _part(said: Result, name: str, kind: Kind, *, html: bool = False) -> Part | None:
    """Return a text by what its type says; of RSS its guess is not listened to (TI-02)."""
    if name not in said:
        return None
    detail = said.get(f"{name}_detail") or {}
    typed = Form.HTML if str(detail.get("type") or "") in _HTML else Form.TEXT
    form = typed if kind is Kind.ATOM else Form.HTML if html else Form.UNSAID
    value = str(said.get(name) or "")
    if form is Form.HTML:
        value = _one_break(value)
    return Part(value if detail else _resolved(value), form, str(detail.get("base") or ""))


def _link(said: Result, kind: Kind, outside: str) -> Ref | None:
    """Return the page of an entry: the first alternate; never its id, which fills `link` (LI-01)."""
    original = _text(said, "feedburner_origlink")
    if original:
        return Ref(original, outside)
    listed = sorted(_alternates(said), key=lambda each: str(each.get("type") or _PAGE[0]).lower() not in _PAGE)
    if listed:
        return Ref(str(listed[0]["href"]).strip(), outside)
    link = _text(said, "link")
    permanent = kind is not Kind.ATOM and said.get("guidislink") and link == _text(said, "id")
    return Ref(link, outside) if permanent and link.lower().startswith(("http://", "https://")) else None


def _alternates(said: Result) -> list[Result]:
    """Return the links to pages, in the order of the document."""
    links = (link for link in said.get("links", ()) if str(link.get("href") or "").strip())
    return [link for link in links if str(link.get("rel") or "alternate") == "alternate"]


def _links(said: Result, rel: str, outside: str) -> Iterator[Ref]:
    for link in said.get("links", ()):
        href = str(link.get("href") or "").strip()
        if href and str(link.get("rel") or "alternate") == rel:
            yield Ref(href, outside)


def _authors(said: Result, outside: str) -> tuple[RawPerson, ...]:
    """Return all authors: `author` is the last of them, `author_detail` the first."""
    people = [each for each in said.get("authors", ()) if each.get("name") or each.get("email")]
    listed = tuple(RawPerson(_resolved(str(each.get("name") or "")), _home(each, outside)) for each in people)
    return listed or tuple(RawPerson(_resolved(name)) for name in _texts(said, "author"))


def _home(author: Result, outside: str) -> Ref | None:
    href = _resolved(_text(author, "href"))
    return Ref(href, outside) if href else None


def _tag(said: Result, kind: Kind) -> str:
    term, label = str(said.get("term") or "").strip(), str(said.get("label") or "").strip()
    if kind is not Kind.ATOM:
        return _resolved(term)
    return label if label and (not term or "://" in term) else term


def _enclosures(said: Result, outside: str) -> Iterator[RawEnclosure]:
    linked = (each for each in said.get("links", ()) if each.get("rel") == "enclosure")
    for each in (*linked, *said.get("media_content", ())):
        address = _text(each, "href") or _text(each, "url")
        length = _text(each, "length") or _text(each, "filesize")
        yield RawEnclosure(Ref(address, outside), _text(each, "type"), length, _text(each, "title"))


def _images(said: Result, outside: str) -> Iterator[Ref]:
    image = said.get("image") or {}
    for each in (*said.get("media_thumbnail", ()), image):
        address = _text(each, "url") or _text(each, "href")
        if address:
            yield Ref(address, outside)


def _origin(said: Result | None, kind: Kind, outside: str) -> RawChannel | None:
    if not said:
        return None
    address = _text(said, "href") or _text(said, "url")
    home = next(_links(said, "alternate", outside), None)
    source = _channel(said, home, kind, outside)
    if address and source.url is None:
        return RawChannel(id=source.id, title=source.title or _part(said, "value", kind), url=Ref(address, outside))
    return source


def _texts(said: Result, *names: str) -> tuple[str, ...]:
    """Return texts that are there; `updated` falls back to `published` unless it is asked for with `in`."""
    return tuple(text for name in names if name in said and (text := _text(said, name)))


def _text(said: Result, name: str) -> str:
    found = said.get(name) if name in said else None
    return found.strip() if isinstance(found, str) else ""


def _resolved(text: str) -> str:
    """Return a text with its references resolved: an id is the same whether its document is well-formed or not."""
    if "&" in text:
        for reference, character in _REFERENCES:
            text = text.replace(reference, character)
    return text


def _one_break(html: str) -> str:
    """Return HTML in which `<br/>` breaks a line once: it is given as `<br></br>`, which are two."""
    return _BROKEN_LINE.sub(r"\1", html) if "</br>" in html else html
