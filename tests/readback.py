"""Published feeds read back by a reader of our own that shares no code with the program: plain lxml and json."""

import json
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from lxml import etree, html

ATOM = "{http://www.w3.org/2005/Atom}"
DC = "{http://purl.org/dc/elements/1.1/}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
BLOCKS = frozenset(
    "address article aside blockquote br dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6"
    " header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)


@dataclass(frozen=True, slots=True)
class Read:
    """An entry as a reader of one format sees it; what the format cannot say is None."""

    format: str
    id: str
    title: str
    link: str | None
    authors: list[str]
    tags: list[str]
    published: datetime | None
    updated: datetime | None
    lang: str | None
    summary: str | None
    content: str | None
    enclosures: list[dict[str, Any]] = field(default_factory=list)
    rss_pub_date: str | None = None
    plain: str | None = None
    source: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A feed document: its entries and what the feed says of itself."""

    format: str
    updated: datetime | None
    entries: list[Read]
    id: str | None = None
    title: str = ""
    self_link: str | None = None


def visible(markup: str) -> str:
    """Return the text that a reader sees: blocks apart, white space single, a blank around `…`."""
    if not markup.strip():
        return ""
    out: list[str] = []

    def walk(node: Any) -> None:
        if not isinstance(node.tag, str) or node.tag in ("script", "style", "template"):
            out.append(node.tail or "")
            return
        block = node.tag in BLOCKS
        out.append(" " if block else "")
        out.append(node.text or "")
        for child in node:
            walk(child)
        out.append(" " if block else "")
        out.append(node.tail or "")

    walk(html.fragment_fromstring(markup, create_parent="div"))
    text = re.sub(r"\s*…\s*", " … ", "".join(out))
    return re.sub(r"\s+", " ", text).strip()


def verbatim(markup: str) -> str:
    """Return the visible text with its white space, for code."""
    return str(html.fragment_fromstring(markup, create_parent="div").text_content()) if markup.strip() else ""


def _text(node: Any, path: str) -> str | None:
    found = node.find(path)
    return None if found is None else "".join(found.itertext())


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None


def _length(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None


def atom(path: Path) -> Document:
    """Read atom.xml."""
    root = etree.fromstring(path.read_bytes())
    own = [_text(person, f"{ATOM}name") or "" for person in root.findall(f"{ATOM}author")]
    entries = [_atom_entry(node, own, root.get(XML_LANG)) for node in root.findall(f"{ATOM}entry")]
    selves = [link.get("href") for link in root.findall(f"{ATOM}link") if link.get("rel") == "self"]
    return Document(
        "atom",
        _moment(_text(root, f"{ATOM}updated")),
        entries,
        _text(root, f"{ATOM}id"),
        _text(root, f"{ATOM}title") or "",
        *selves,
    )


def _atom_entry(node: Any, own: list[str], lang: str | None) -> Read:
    links = [dict(link.attrib) for link in node.findall(f"{ATOM}link")]
    alternates = [link["href"] for link in links if link.get("rel", "alternate") == "alternate"]
    assert len(alternates) <= 1, f"several alternates: {alternates}"
    for part in ("summary", "content"):
        found = node.find(f"{ATOM}{part}")
        assert found is None or found.get("type") == "html", f"{part} is not html"
    files = [link for link in links if link.get("rel") == "enclosure"]
    source = node.find(f"{ATOM}source")
    return Read(
        format="atom",
        id=_text(node, f"{ATOM}id") or "",
        title=_text(node, f"{ATOM}title") or "",
        link=alternates[0] if alternates else None,
        authors=[_text(person, f"{ATOM}name") or "" for person in node.findall(f"{ATOM}author")] or own,
        tags=[tag.get("term") for tag in node.findall(f"{ATOM}category")],
        published=_moment(_text(node, f"{ATOM}published")),
        updated=_moment(_text(node, f"{ATOM}updated")),
        lang=node.get(XML_LANG) or lang,
        summary=_text(node, f"{ATOM}summary"),
        content=_text(node, f"{ATOM}content"),
        enclosures=[{"url": f["href"], "type": f.get("type"), "length": _length(f.get("length"))} for f in files],
        source=None if source is None else _atom_source(source),
    )


def _atom_source(node: Any) -> dict[str, Any]:
    links = {link.get("rel", "alternate"): link.get("href") for link in node.findall(f"{ATOM}link")}
    return {
        "id": _text(node, f"{ATOM}id"),
        "title": _text(node, f"{ATOM}title"),
        "updated": _text(node, f"{ATOM}updated"),
        "home": links.get("alternate"),
        "url": links.get("self"),
    }


def rss(path: Path) -> Document:
    """Read rss.xml."""
    channel = etree.fromstring(path.read_bytes()).find("channel")
    own = channel.findall(f"{DC}creator")
    entries = [
        _rss_item(node, [person.text for person in own], _text(channel, "language")) for node in channel.findall("item")
    ]
    built = _text(channel, "lastBuildDate")
    selves = [link.get("href") for link in channel.findall(f"{ATOM}link") if link.get("rel") == "self"]
    return Document(
        "rss", parsedate_to_datetime(built) if built else None, entries, None, _text(channel, "title") or "", *selves
    )


def _rss_item(node: Any, own: list[str], lang: str | None) -> Read:
    date = _text(node, "pubDate")
    source = node.find("source")
    return Read(
        format="rss",
        id=_text(node, "guid") or "",
        title=_text(node, "title") or "",
        link=_text(node, "link"),
        authors=[person.text for person in node.findall(f"{DC}creator")] or own,
        tags=[tag.text for tag in node.findall("category")],
        published=parsedate_to_datetime(date).astimezone(UTC) if date else None,
        updated=None,
        lang=node.get(XML_LANG) or lang,
        summary=_text(node, "description"),
        content=_text(node, f"{CONTENT}encoded"),
        enclosures=[
            {"url": f.get("url"), "type": f.get("type"), "length": _length(f.get("length"))}
            for f in node.findall("enclosure")
        ],
        rss_pub_date=date,
        source=None if source is None else {"url": source.get("url"), "title": source.text},
    )


def jsonfeed(path: Path) -> Document:
    """Read feed.json."""
    feed = json.loads(path.read_bytes())
    own = [person["name"] for person in feed.get("authors", [])]
    entries = [_json_item(item, own, feed.get("language")) for item in feed["items"]]
    return Document("json", None, entries, None, feed["title"], feed["feed_url"])


def _json_item(item: dict[str, Any], own: list[str], lang: str | None) -> Read:
    return Read(
        format="json",
        id=item["id"],
        title=item.get("title", ""),
        link=item.get("url"),
        authors=[person["name"] for person in item.get("authors", [])] or own,
        tags=item.get("tags", []),
        published=_moment(item.get("date_published")),
        updated=_moment(item.get("date_modified")),
        lang=item.get("language") or lang,
        summary=item.get("content_html"),
        content=item.get("content_html"),
        enclosures=[
            {"url": f["url"], "type": f["mime_type"], "length": f.get("size_in_bytes")}
            for f in item.get("attachments", [])
        ],
        plain=item.get("summary"),
        source=item.get("_feedsvc", {}).get("source"),
    )


def formats(folder: Path) -> list[Document]:
    """Read the three documents of a feed; a JSON item has its teaser as HTML only where it has no full text."""
    first, second, third = atom(folder / "atom.xml"), rss(folder / "rss.xml"), jsonfeed(folder / "feed.json")
    full = any(entry.content for entry in first.entries)
    items = [replace(item, summary=None) if full else replace(item, content=None) for item in third.entries]
    return [first, second, replace(third, entries=items)]
