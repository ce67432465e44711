"""A plan as the set of documents to publish: every feed in every format, its page, the lists and the assets."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.cores import spread
from feedsvc.compose.feeds import Plan
from feedsvc.model import Diagnostic, Document, Entry, Feed, Level, Outline
from feedsvc.publish.check import faults
from feedsvc.publish.gate import admit
from feedsvc.render import page as pages
from feedsvc.render.about import Source
from feedsvc.render.outlines import MEDIA_TYPE as OPML
from feedsvc.render.outlines import feeds_opml, sources_opml
from feedsvc.render.page import Templates
from feedsvc.render.views import Site
from feedsvc.service.dressing import PLAIN, Dress
from feedsvc.service.kept import Kept
from feedsvc.settings.tree import Settings

HTML = "text/html"
FEEDS = "feeds.opml"
SOURCES = "sources.opml"
SUBSCRIBE = "subscribe.html"
SOURCE_PAGE = "sources.html"
ASSETS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}


class Foreign(Struct, frozen=True):
    """What a build takes from the store: entries of the sources, the sources that are merged, and how each is doing.

    Entries may come without text; `whole` returns one with it, None where it is there no more.
    """

    entries: Sequence[Entry] = ()
    sources: Sequence[Outline] = ()
    known: tuple[Source, ...] = ()
    whole: Callable[[Entry], Entry | None] = lambda entry: entry


NOTHING = Foreign()
_FEW_FOR_A_CORE = 8


class Made(Struct, frozen=True):
    """The documents of a plan; the paths of those held back, whose last good version stands; what is wrong."""

    documents: tuple[Document, ...]
    held: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


class _Ready(Struct, frozen=True):
    """A feed as it may go out, and its documents and pages."""

    feed: Feed
    made: Made


def made(
    settings: Settings,
    plan: Plan,
    foreign: Foreign = NOTHING,
    dress: Dress = PLAIN,
    kept: Kept | None = None,
) -> Made:
    """Return every document of a plan that may go out; `kept` knows those that stand.

    Where one of a feed may not, none of that feed goes out: its last good set stands whole (K1).
    """
    site = _site(settings, foreign)
    kept = kept or Kept()
    ready = _ready(plan.whole, site, dress.templates, kept)
    feeds = [one.feed for one in ready[: len(plan.feeds)]]
    around = _checked(_around(settings, site, feeds, foreign, dress))
    sets = [*(one.made for one in ready), around]
    documents = [document for one in sets for document in one.documents]
    held = {path for one in sets for path in one.held}
    stuck = {one.feed.name for one in ready if one.made.held}
    held.update(document.path for document in documents if document.feed in stuck)
    below = settings.output.directory.rstrip("/")
    found = [
        replace(wrong, path=f"{below}/{wrong.path}") if wrong.path in held else wrong
        for one in sets
        for wrong in one.diagnostics
    ]
    return Made(tuple(one for one in documents if one.path not in held), tuple(sorted(held)), tuple(found))


def _ready(feeds: Sequence[Feed], site: Site, templates: Templates, kept: Kept) -> list[_Ready]:
    """Return each feed with its documents as they stand; the others are made anew, of many each core makes some."""
    around = (site.title, site.url, site.description, str(site.zone), site.subscribe, site.sources, site.outlines)
    keys = [kept.key(feed, around, templates) for feed in feeds]
    known = [kept.documents(key) for key in keys]
    new = [feed for feed, standing in zip(feeds, known, strict=True) if not standing]
    anew = iter(spread(lambda part: [_anew(feed, site, templates) for feed in part], new, _Ready, _FEW_FOR_A_CORE))
    ready = []
    for feed, key, standing in zip(feeds, keys, known, strict=True):
        ready.append(_Ready(feed, Made(standing, (), ())) if standing else next(anew))
        if not standing and not ready[-1].made.diagnostics:
            kept.learn(key, ready[-1].made.documents)
    return ready


def _anew(feed: Feed, site: Site, templates: Templates) -> _Ready:
    gated = admit(feed)
    shown = _checked(_pages(gated.feed, site, templates))
    documents, found = (*gated.documents, *shown.documents), (*gated.diagnostics, *shown.diagnostics)
    return _Ready(gated.feed, Made(documents, (*gated.held, *shown.held), found))


def _checked(documents: Iterable[Document]) -> Made:
    """Return documents with what is wrong with them; those that may not go out are among them, and are held."""
    whole = tuple(documents)
    wrong = [fault for document in whole for fault in faults(document) if fault.level is Level.ERROR]
    return Made(whole, tuple({fault.path for fault in wrong}), tuple(wrong))


def _around(
    settings: Settings, site: Site, feeds: Sequence[Feed], foreign: Foreign, dress: Dress
) -> Iterator[Document]:
    """Yield all that is published beside the feeds themselves."""
    if feeds:
        yield from _site_pages(settings.output.url, feeds[0], site, foreign, dress.templates)
    yield from _lists(settings, feeds, foreign.sources)
    for name, body in {**pages.assets(), **dress.assets}.items():
        media_type = ASSETS.get(name.rpartition(".")[2], "application/octet-stream")
        yield Document(f"assets/{name}", body, media_type, f"{settings.output.url}assets/{name}")


def _pages(feed: Feed, site: Site, templates: Templates) -> Iterator[Document]:
    folder = f"{feed.path}/" if feed.path else ""
    if feed.current:  # nobody includes an archive elsewhere
        yield Document(f"{folder}index.html", pages.page(feed, site, templates), HTML, feed.page, feed.name)
        return
    index, part = pages.both(feed, site, templates)
    yield Document(f"{folder}index.html", index, HTML, feed.page, feed.name)
    yield Document(f"{folder}fragment.html", part, HTML, f"{feed.page}fragment.html", feed.name)


def _site_pages(base: str, feed: Feed, site: Site, foreign: Foreign, templates: Templates) -> Iterator[Document]:
    yield Document(SUBSCRIBE, pages.subscribe(feed, site, templates), HTML, base + SUBSCRIBE)
    if site.sources:
        yield Document(SOURCE_PAGE, pages.sources(feed, site, foreign.known, templates), HTML, base + SOURCE_PAGE)


def _lists(settings: Settings, feeds: Sequence[Feed], sources: Sequence[Outline]) -> Iterator[Document]:
    base, title = settings.output.url, settings.site.title
    listed = [feed.related_as() for feed in feeds]
    yield Document(FEEDS, feeds_opml(f"Feeds of {title}", listed), OPML, base + FEEDS)
    if sources:
        yield Document(SOURCES, sources_opml(f"Sources of {title}", sources), OPML, base + SOURCES)


def _site(settings: Settings, foreign: Foreign) -> Site:
    site, listed = settings.site, SOURCE_PAGE if foreign.known else ""
    return Site(site.title, site.url, site.description, ZoneInfo(site.timezone), SUBSCRIBE, listed, FEEDS)
