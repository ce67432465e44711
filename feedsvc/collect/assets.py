"""Which media files beside a post are published with it; pure: what is there is for library.py to see.

An address in a post resolves against its link, so a file beside the post has to be published in the folder of the
link. Only what the entry names is published, never the rest of its folder: a draft's picture leaves no trace (F13).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit

from feedsvc.collect.media import PUBLISHED, media_type, suffix
from feedsvc.model import Entry
from feedsvc.text.tree import fragment

_ADDRESSES = ("src", "href", "poster", "data")


@dataclass(frozen=True, slots=True)
class Asset:
    """A media file: its path below posts/, its path below the output folder, its address and its media type."""

    source: str
    path: str
    url: str
    media_type: str


def wanted(entry: Entry, path: str, output_url: str) -> tuple[Asset, ...]:
    """Return the files that an entry names in the folder of its own link, whether or not they are there.

    `path` is the post's below posts/; `output_url` ends in a slash. A post whose link is not below it has none, for
    its files are published elsewhere. Source: issue "Assets beside a post are published with it", S-32.
    """
    folder = _folder(entry.link or "")
    if not folder.startswith(output_url):
        return ()
    found = {asset.path: asset for url in _urls(entry) if (asset := _asset(url, folder, path, output_url))}
    return tuple(found.values())


def _asset(url: str, folder: str, path: str, output_url: str) -> Asset | None:
    bare = url.partition("#")[0].partition("?")[0]
    inside = unquote(bare.removeprefix(folder))
    if not bare.startswith(folder) or suffix(inside) not in PUBLISHED or not _safe(inside):
        return None
    target = unquote(folder.removeprefix(output_url)) + inside
    if not _safe(target):
        return None
    return Asset(normpath(f"{dirname(path)}/{inside}".lstrip("/")), target, bare, media_type(inside) or "")


def _folder(link: str) -> str:
    """Return the address against which relative ones resolve: the link up to its last slash."""
    bare = link.partition("#")[0].partition("?")[0]
    return bare[: bare.rfind("/") + 1] if urlsplit(bare).path else ""


def _safe(path: str) -> bool:
    """Return whether a path stays below its folder and hides nothing: no `.`, `..`, blank or hidden segment."""
    parts = path.split("/")
    return "\\" not in path and path.isprintable() and not any(not part or part.startswith(".") for part in parts)


def _urls(entry: Entry) -> Iterator[str]:
    """Yield every address in an entry's text, its image and its media files."""
    if entry.image:
        yield entry.image
    yield from (enclosure.url for enclosure in entry.enclosures)
    for html in (entry.text.content, entry.text.summary) if entry.text else ():
        for element in fragment(html).iter():
            yield from (value for name in _ADDRESSES if (value := element.get(name)))
            yield from (part.split()[0] for part in (element.get("srcset") or "").split(",") if part.strip())
