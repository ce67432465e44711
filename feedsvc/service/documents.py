"""A plan as the set of documents to publish: every feed in every format, its page, the lists and the assets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from feedsvc.model import Diagnostic, Document, Feed, Level, Outline, Related
from feedsvc.publish.check import faults
from feedsvc.publish.gate import admit
from feedsvc.render import page as pages
from feedsvc.render.outlines import MEDIA_TYPE as OPML
from feedsvc.render.outlines import feeds_opml, sources_opml
from feedsvc.render.page import Templates
from feedsvc.render.views import Site
from feedsvc.settings.tree import Settings

HTML = "text/html"
FEEDS = "feeds.opml"
SOURCES = "sources.opml"
SUBSCRIBE = "subscribe.html"
ASSETS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}


@dataclass(frozen=True, slots=True)
class Made:
    """The documents of a plan; the paths of those held back, whose last good version stands; what is wrong."""

    documents: tuple[Document, ...]
    held: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def made(settings: Settings, feeds: Sequence[Feed], sources: Sequence[Outline], templates: Templates = ()) -> Made:
    """Return every document of a plan that may go out; `sources` are the ones that are merged."""
    site = _site(settings)
    gated = [admit(feed) for feed in feeds]
    documents = [document for one in gated for document in one.documents]
    found = [wrong for one in gated for wrong in one.diagnostics]
    held = [path for one in gated for path in one.held]
    shown = [one.feed for one in gated]
    for document in (*_pages(shown, site, templates), *_lists(settings, shown, sources), *_assets(settings)):
        wrong = [fault for fault in faults(document) if fault.level is Level.ERROR]
        found += wrong
        if wrong:
            held.append(document.path)
        else:
            documents.append(document)
    return Made(tuple(documents), tuple(held), tuple(found))


def _pages(feeds: Sequence[Feed], site: Site, templates: Templates) -> Iterator[Document]:
    for feed in feeds:
        folder = f"{feed.path}/" if feed.path else ""
        index, part = pages.page(feed, site, templates), pages.fragment(feed, site, templates)
        yield Document(f"{folder}index.html", index, HTML, feed.page, feed.name)
        yield Document(f"{folder}fragment.html", part, HTML, f"{feed.page}fragment.html", feed.name)


def _lists(settings: Settings, feeds: Sequence[Feed], sources: Sequence[Outline]) -> Iterator[Document]:
    base, title = settings.output.url, settings.site.title
    listed = [Related(feed.kind, feed.label, feed.title, feed.page, feed.urls) for feed in feeds]
    yield Document(FEEDS, feeds_opml(f"Feeds of {title}", listed), OPML, base + FEEDS)
    if sources:
        yield Document(SOURCES, sources_opml(f"Sources of {title}", sources), OPML, base + SOURCES)


def _assets(settings: Settings) -> Iterator[Document]:
    for name, body in pages.assets().items():
        path = f"assets/{name}"
        yield Document(path, body, ASSETS[name.rpartition(".")[2]], settings.output.url + path)


def _site(settings: Settings) -> Site:
    site = settings.site
    return Site(site.title, site.url, site.description, ZoneInfo(site.timezone), SUBSCRIBE, "", FEEDS)
