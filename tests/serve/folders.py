"""Published folders for the tests of serving, made by the real publisher."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from feedsvc.model import Document
from feedsvc.publish.folder import publish
from feedsvc.serve.documents import Public, Shelf, load

NOW = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)
PUBLIC = Public("https://gpu.example/", ("https://hub.example/",))
FILLING = "The quick brown kernel jumps over the lazy warp. " * 60
ATOM = (
    f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>{FILLING}</title></feed>'
)
RSS = f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>{FILLING}</title></channel></rss>'
JSON = f'{{"version": "https://jsonfeed.org/version/1.1", "title": "{FILLING}"}}'
PAGE = f"<!doctype html><title>GPU</title><p>{FILLING}"
SET: Mapping[str, str] = {
    "atom.xml": ATOM,
    "rss.xml": RSS,
    "feed.json": JSON,
    "index.html": PAGE,
    "feeds.opml": '<?xml version="1.0"?><opml version="2.0"></opml>',
    "tags/cuda/index.html": PAGE,
    "tags/cuda/atom.xml": ATOM,
    "tags/größe/index.html": PAGE,
    "assets/feedsvc.css": "body { margin: 0 }",
    "assets/drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "assets/data.bin": "\0",
}


def put(place: Path, files: Mapping[str, str] = SET, *, later: int = 0, codings: tuple[str, ...] = ("gzip",)) -> Path:
    """Publish files into `place/public`, `later` seconds after NOW; return that folder."""
    documents = [Document(path, body.encode(), "", "") for path, body in files.items()]
    publish(documents, place / "public", place / "var", now=NOW + timedelta(seconds=later), codings=codings)
    return place / "public"


def shelf(place: Path, files: Mapping[str, str] = SET, *, codings: tuple[str, ...] = ("gzip",)) -> Shelf:
    """Publish files and load them."""
    return load(put(place, files, codings=codings), PUBLIC, NOW.timestamp() + 60)
