"""What a published file is: media type, content policy, and who may read it (serving, Headers; security S-24)."""

from msgspec import Struct

PAGE_POLICY = (
    "default-src 'none'; img-src https:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FEED_POLICY = "default-src 'none'; style-src 'self'; sandbox"
ASSET_POLICY = "default-src 'none'; sandbox"
DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""An SVG carries its own styles; opened as a page it still runs nothing."""

HEAD_OF_DOCUMENT = 1024
"""Bytes in which a feed says what it is."""


class Kind(Struct, frozen=True):
    """A kind of document: its name in the metrics, Content-Type, policy, and whether other origins may read it."""

    name: str
    media_type: str
    policy: str
    shared: bool = False

    @property
    def plain_type(self) -> str:
        """Return the media type without its charset, as links name it."""
        return self.media_type.partition(";")[0]


def _feed(name: str, media_type: str) -> Kind:
    return Kind(name, f"{media_type}; charset=utf-8", FEED_POLICY, shared=True)


ATOM = _feed("atom", "application/atom+xml")
RSS = _feed("rss", "application/rss+xml")
JSON = _feed("json", "application/feed+json")
OPML = _feed("opml", "text/x-opml")
PAGE = Kind("page", "text/html; charset=utf-8", PAGE_POLICY)
FEEDS = (ATOM, RSS, JSON)

_ASSETS = {
    ".avif": "image/avif",
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".gif": "image/gif",
    ".gz": "application/gzip",
    ".ico": "image/vnd.microsoft.icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".m4a": "audio/mp4",
    ".md": "text/markdown; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webm": "video/webm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml; charset=utf-8",
    ".zip": "application/zip",
}


def kind_of(path: str, body: bytes) -> Kind:
    """Return what a file is: by its ending, and, where one ending has several kinds, by how it begins."""
    ending = path[path.rfind(".") :].lower() if "." in path else ""
    if ending in {".html", ".htm"}:
        return PAGE
    if ending == ".opml":
        return OPML
    feed = _spoken(ending, body[:HEAD_OF_DOCUMENT])
    if feed:
        return feed
    policy = DRAWING_POLICY if ending in {".svg", ".xml"} else ASSET_POLICY
    return Kind("asset", _ASSETS.get(ending, "application/octet-stream"), policy)


def _spoken(ending: str, start: bytes) -> Kind | None:
    if ending == ".xml":
        return ATOM if b"<feed" in start else RSS if b"<rss" in start else None
    if ending == ".json":
        return JSON if b"//jsonfeed.org/version/" in start else None
    return None
