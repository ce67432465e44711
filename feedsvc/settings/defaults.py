"""Defaults that depend on other keys (interface, Configuration)."""

from urllib.parse import urlsplit

from msgspec.structs import replace

from feedsvc.settings.addresses import ascii_host, source_id
from feedsvc.settings.tree import FeedSettings, Settings, Source

POSTS = FeedSettings(name="posts", path="")
PLANET = FeedSettings(name="planet", path="planet", include=("posts", "sources"), limit=60, per_source=5)


def completed(settings: Settings) -> Settings:
    """Return settings in which nothing is left open: no empty output.url, id_authority, contact, source id, path."""
    site = replace(settings.site, id_authority=settings.site.id_authority or default_authority(settings.site.url))
    return replace(
        settings,
        site=site,
        output=replace(settings.output, url=settings.output.url or site.url),
        feeds=tuple(replace(feed, path=path_of(feed)) for feed in settings.feeds) or default_feeds(settings.sources),
        sources=tuple(replace(source, id=id_of(source)) for source in settings.sources),
        polling=replace(settings.polling, contact=settings.polling.contact or site.url),
    )


def default_feeds(sources: tuple[Source, ...]) -> tuple[FeedSettings, ...]:
    """Return the feeds of a configuration that names none: a planet only where there is something to merge."""
    return (POSTS, PLANET) if sources else (POSTS,)


def default_authority(url: str) -> str:
    """Return the authority of ids of a site that names none. The year is part of every id: it never changes (I1)."""
    return f"{ascii_host(urlsplit(url).hostname or '')},2026"


def path_of(feed: FeedSettings) -> str:
    """Return the folder of a feed: its name where none is written."""
    return feed.name if feed.path is None else feed.path


def id_of(source: Source) -> str:
    """Return the id of a source: made from its address where none is written (SO-05), "" without an address."""
    return source.id or (source_id(source.url) if source.url else "")
