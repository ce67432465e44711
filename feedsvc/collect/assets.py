"""Which media files beside a post are published with it; pure: what is there is for library.py to see.

An address in a post resolves against its link, so a file beside the post has to be published in the folder of the
link. Only what the entry names is published, never the rest of its folder: a draft's picture leaves no trace (F13).
"""

from collections.abc import Iterable, Iterator
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from feedsvc.collect.media import PUBLISHED, media_type, suffix
from feedsvc.model import Entry, Text
from feedsvc.text.characters import escape
from feedsvc.text.tree import fragment

_ADDRESSES = ("src", "href", "poster", "data")
_TWINS = (".gz", ".br", ".zst")
_LONGEST_NAME = 240
"""Bytes of a name below the output folder, its compressed twin's suffix not counted: file systems take 255."""


class Asset(Struct, frozen=True):
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
    found = {asset.path: asset for url in _urls(entry, folder) if (asset := _asset(url, folder, path, output_url))}
    return tuple(found.values())


def apart(assets: Iterable[Asset], taken: Iterable[str]) -> tuple[Asset, ...]:
    """Return the assets whose places below the output folder are free, the first of each place alone.

    `taken` are the paths of the other files. What would be a file and a folder at once has no place (B7).
    """
    files = set(taken)
    folders = {folder for path in files for folder in _above(path)}
    free: list[Asset] = []
    for asset in assets:
        if asset.path not in files and asset.path not in folders and files.isdisjoint(_above(asset.path)):
            free.append(asset)
            files.add(asset.path)
            folders.update(_above(asset.path))
    return tuple(free)


def _above(path: str) -> list[str]:
    """Return the folders that a file lies in."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def _asset(url: str, folder: str, path: str, output_url: str) -> Asset | None:
    bare = url.partition("#")[0].partition("?")[0]
    inside = unquote(bare.removeprefix(folder))
    if not bare.startswith(folder) or suffix(inside) not in PUBLISHED or not _safe(inside):
        return None
    target = unquote(folder.removeprefix(output_url)) + inside
    if not _safe(target) or not all(map(_fits, target.split("/"))):
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


def _fits(name: str) -> bool:
    """Return whether a file system takes a name, and no compressed twin of another file can have it."""
    return len(name.encode()) <= _LONGEST_NAME and not name.endswith(_TWINS)


def _urls(entry: Entry, folder: str) -> Iterator[str]:
    """Yield every address in an entry's image, its media files, and its text where that names the folder at all."""
    if entry.image:
        yield entry.image
    yield from (enclosure.url for enclosure in entry.enclosures)
    text = entry.text or Text()
    named = escape(folder)
    for html in (html for html in (text.content, text.summary) if named in html):
        for element in fragment(html).iter():
            yield from (value for name in _ADDRESSES if (value := element.get(name)))
            yield from (part.split()[0] for part in (element.get("srcset") or "").split(",") if part.strip())
