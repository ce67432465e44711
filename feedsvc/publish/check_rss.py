"""What may be wrong with an RSS document (RSS 2.0 and the RSS Board's Best Practices Profile)."""

from collections.abc import Iterator

from feedsvc.model import Level
from feedsvc.publish import markup, values
from feedsvc.publish.fault import Fault, error, repeated, shortened, warning
from feedsvc.publish.markup import Place
from feedsvc.render.xml import ATOM, CONTENT, DC, Element

_CHANNEL = frozenset(
    "title link description language copyright managingEditor webMaster pubDate lastBuildDate category generator docs "
    "cloud ttl image rating textInput skipHours skipDays item".split()
)
_ITEM = frozenset("title link description author category comments enclosure guid pubDate source".split())
_MANY = frozenset({"item", "category", "enclosure"})
_DATES = ("pubDate", "lastBuildDate")
_ENCODED = f"{{{CONTENT}}}encoded"


def faults(root: Element, url: str) -> Iterator[Fault]:
    """Yield the faults of a document; `url` is where it is published, "" where that is not known."""
    if root.get("version") not in ("2.0", "0.92", "0.91"):
        yield error(root.sourceline, "bad-version", f"version {shortened(root.get('version'))} of rss: write 2.0")
    channel = root.find("channel")
    if channel is None:
        yield error(root.sourceline, "missing-element", "rss has no channel: add one")
        return
    for name in ("title", "link", "description"):
        if not (channel.findtext(name) or "").strip():
            yield error(channel.sourceline, "missing-element", f"channel has no {name}: add one")
    if channel.find("language") is None and channel.find(f"{{{DC}}}language") is None:
        yield warning(channel.sourceline, "missing-language", "channel has no language: add one, such as en")
    yield from _children(channel, "channel", _CHANNEL)
    yield from _misplaced(channel)
    yield from _self(channel, url)
    yield from _image(channel)
    items = channel.findall("item")
    for item in items:
        yield from _item(item)
    guids = [(_text(guid), guid.sourceline) for item in items for guid in item.findall("guid")]
    yield from repeated(guids, Level.ERROR, "guid")


def _text(element: Element) -> str:
    return (element.text or "").strip()


def _children(element: Element, name: str, known: frozenset[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for child in element.iterchildren("*"):
        tag = str(child.tag)
        if not tag.startswith("{") and tag not in known:
            yield error(child.sourceline, "unknown-element", f"{name} holds {tag}, which RSS does not know")
        if tag in seen and tag in known - _MANY:
            yield error(child.sourceline, "repeated-element", f"{name} has a second {tag}: keep one")
        seen.add(tag)
        yield from _child(child, tag, name)


def _child(child: Element, tag: str, name: str) -> Iterator[Fault]:
    if tag in _DATES:
        yield from _date(child, tag)
    elif tag in ("link", "comments", "docs") and not values.is_iri(_text(child)):
        message = f"{tag} {shortened(child.text)} of {name} is no absolute address: write it with scheme and host"
        yield error(child.sourceline, "bad-link", message)
    elif tag == "language" and not values.is_language(_text(child)):
        yield error(child.sourceline, "bad-language", f"language {shortened(child.text)} is no language tag")
    elif tag == "ttl" and not (_text(child).isdecimal() and int(_text(child)[:9]) > 0):
        yield error(child.sourceline, "bad-number", f"ttl {shortened(child.text)} is no number of minutes above 0")
    elif tag in ("author", "managingEditor", "webMaster") and not values.is_mail(_text(child)):
        message = f"{tag} {shortened(child.text)} is no mail address: use dc:creator for a name"
        yield error(child.sourceline, "bad-person", message)
    elif tag == f"{{{ATOM}}}link" and not values.is_iri(child.get("href", "")):
        message = f"atom:link {shortened(child.get('href'))} is no absolute address: write it with scheme and host"
        yield error(child.sourceline, "bad-link", message)
    if tag == "textInput":
        yield warning(child.sourceline, "text-input", "textInput is no longer used: leave it out")


def _date(element: Element, tag: str) -> Iterator[Fault]:
    moment = values.rfc822(_text(element))
    if moment is None:
        message = f"{tag} {shortened(element.text)} is no date of RFC 822, such as Fri, 01 May 2026 12:00:00 +0000"
        yield error(element.sourceline, "bad-date", message)
    elif moment < values.EARLIEST:
        yield warning(element.sourceline, "implausible-date", f"{tag} {_text(element)} is before 1990")


def _misplaced(channel: Element) -> Iterator[Fault]:
    entered = False
    for child in channel.iterchildren("*"):
        entered = entered or child.tag == "item"
        if entered and child.tag != "item":
            message = f"{child.tag!s} stands after an item: move it before"
            yield warning(child.sourceline, "misplaced-element", message)


def _self(channel: Element, url: str) -> Iterator[Fault]:
    found = next((link for link in channel.findall(f"{{{ATOM}}}link") if link.get("rel") == "self"), None)
    if found is None:
        message = 'channel has no atom:link rel="self": readers can\'t tell where it lives'
        yield warning(channel.sourceline, "missing-self", message)
    elif url and found.get("href") != url:
        message = f"self link {shortened(found.get('href'))} is not where the feed is published, {url}"
        yield error(found.sourceline, "wrong-self", message)


def _image(channel: Element) -> Iterator[Fault]:
    image = channel.find("image")
    if image is None:
        return
    for name in ("url", "title", "link"):
        if image.find(name) is None:
            yield error(image.sourceline, "missing-element", f"image has no {name}: add one")
    for name in ("title", "link"):
        if image.findtext(name) not in (None, channel.findtext(name)):
            yield warning(image.sourceline, "image-differs", f"{name} of image is not that of the channel: make it so")
    for name, most in (("width", 144), ("height", 400)):
        size = image.find(name)
        if size is not None and not (_text(size).isdecimal() and 0 < int(_text(size)[:9]) <= most):
            message = f"{name} {shortened(size.text)} of image is no number up to {most}"
            yield error(size.sourceline, "bad-number", message)
    if (image.findtext("url") or "").lower().endswith((".svg", ".webp", ".avif", ".ico")):
        yield warning(image.sourceline, "image-format", "image is no GIF, JPEG or PNG: readers may not show it")


def _item(item: Element) -> Iterator[Fault]:
    title, description, encoded = (item.find(name) for name in ("title", "description", _ENCODED))
    if title is None and description is None:
        yield error(item.sourceline, "missing-element", "item has neither title nor description: add one")
    if title is not None and not _text(title):
        yield warning(title.sourceline, "blank-title", "title is blank: leave it out")
    if encoded is not None and (description is None or item.index(description) > item.index(encoded)):
        yield warning(encoded.sourceline, "misplaced-element", "content:encoded needs a description before it")
    for element, name in ((title, "title"), (description, "description"), (encoded, "content:encoded")):
        if element is not None:
            place = Place(name, element.sourceline, fragments=False)
            check = markup.characters if name == "title" else markup.faults
            yield from check(element.text or "", place)
    yield from _children(item, "item", _ITEM)
    yield from _guid(item)
    yield from _enclosures(item)
    yield from _attribution(item)


def _guid(item: Element) -> Iterator[Fault]:
    guid = item.find("guid")
    if guid is None:
        yield warning(item.sourceline, "missing-id", "item has no guid: readers can't tell a change from a new item")
    elif not _text(guid):
        yield error(guid.sourceline, "bad-id", "guid is blank: give it an id")
    elif guid.get("isPermaLink", "true") != "false" and not values.is_web_address(_text(guid)):
        message = f'guid {shortened(guid.text)} is no web address: write isPermaLink="false"'
        yield error(guid.sourceline, "bad-id", message)
    if guid is not None and guid.get("isPermaLink", "true") not in ("true", "false"):
        yield error(guid.sourceline, "bad-id", f"isPermaLink {shortened(guid.get('isPermaLink'))}: write true or false")


def _enclosures(item: Element) -> Iterator[Fault]:
    found = item.findall("enclosure")
    for enclosure in found[1:]:
        message = "item has a second enclosure: readers know one"
        yield warning(enclosure.sourceline, "repeated-enclosure", message)
    for enclosure in found:
        address, length, kind = (enclosure.get(name, "") for name in ("url", "length", "type"))
        if not values.is_web_address(address):
            yield error(enclosure.sourceline, "bad-link", f"url {shortened(address)} of enclosure is no web address")
        if not (length.isascii() and length.isdigit()):
            message = f"length {shortened(length)} of enclosure is no number: write 0 when it is not known"
            yield error(enclosure.sourceline, "bad-length", message)
        if not values.is_media_type(kind):
            yield error(enclosure.sourceline, "bad-media-type", f"type {shortened(kind)} of enclosure is no media type")


def _attribution(item: Element) -> Iterator[Fault]:
    source = item.find("source")
    if source is not None and not values.is_web_address(source.get("url", "")):
        message = f"url {shortened(source.get('url'))} of source is no web address"
        yield error(source.sourceline, "bad-link", message)
    if item.find("author") is not None and item.find(f"{{{DC}}}creator") is not None:
        yield warning(item.sourceline, "repeated-author", "item has author and dc:creator: keep one kind")
