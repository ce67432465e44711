"""What the configuration holds: every key of config/feedsvc.toml, its type and its default (interface, Configuration).

Field descriptions go into the JSON Schema and into docs/configuration.md. Once loaded, durations are seconds and
sizes bytes: `load` turns "1h" and "10 MiB" into numbers. Paths are as written; `Project` holds them resolved.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from feedsvc.model import Show

Said = msgspec.Meta
Format = Literal["atom", "rss", "json"]
Coding = Literal["gzip", "br", "zstd"]


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the configuration."""


class Author(Table, frozen=True, kw_only=True):
    """`site.author`."""

    name: Annotated[str, Said(description="Name of the author of posts that name none; required.")]
    email: Annotated[str, Said(description="Mail address; published in Atom where it is set.")] = ""
    url: Annotated[str, Said(description="Home page of the author.")] = ""


class Site(Table, frozen=True, kw_only=True):
    """`[site]`: what all feeds say of the site."""

    title: Annotated[str, Said(description="Name of the site and of its main feed; required.")]
    url: Annotated[str, Said(description="Address of the site; permalinks resolve against it; required.")]
    author: Annotated[Author, Said(description="Who writes here: name, email, url.")]
    description: Annotated[str, Said(description="One line about the site.")] = ""
    language: Annotated[str, Said(description="Language of the site as a BCP 47 tag.")] = "en"
    rights: Annotated[str, Said(description="Copyright line of the feeds.")] = ""
    icon: Annotated[str, Said(description="Square icon: absolute, or relative to site.url.")] = ""
    logo: Annotated[str, Said(description="Logo, twice as wide as high: absolute, or relative to site.url.")] = ""
    timezone: Annotated[str, Said(description="Zone of dates that carry none, an IANA name.")] = "UTC"
    id_authority: Annotated[
        str, Said(description="Authority of minted tag: ids; never change it. Default: host of site.url and ',2026'.")
    ] = ""


class Posts(Table, frozen=True, kw_only=True):
    """`[posts]`."""

    directory: Annotated[str, Said(description="Folder of the Markdown posts.")] = "posts"
    permalink: Annotated[str, Said(description="Address of a post below site.url: {slug}, {year}, {month}, {day}.")] = (
        "{slug}/"
    )
    default_time: Annotated[str, Said(description="Time of day of dates without one, HH:MM.")] = "12:00"


class TeaserSettings(Table, frozen=True, kw_only=True):
    """`[teaser]`."""

    words: Annotated[int, Said(ge=1, le=1000, description="Words of running text in a teaser.")] = 55
    ellipsis: Annotated[str, Said(description="Stands where words were cut.")] = "…"
    more: Annotated[
        str | dict[str, str], Said(description="Label of the link to the entry, or a table of labels by language.")
    ] = "Read more"


class Output(Table, frozen=True, kw_only=True):
    """`[output]`."""

    directory: Annotated[str, Said(description="Folder that is published: a link to the current release.")] = "public"
    url: Annotated[str, Said(description="Address where that folder is published. Default: site.url.")] = ""
    formats: Annotated[tuple[Format, ...], Said(description="Formats of each feed.")] = ("atom", "rss", "json")
    tags: Annotated[bool, Said(description="A feed for each tag of own posts.")] = True
    authors: Annotated[bool, Said(description="A feed for each author of own posts.")] = False
    compress: Annotated[tuple[Coding, ...], Said(description="Compressed twins written beside each file.")] = ("gzip",)


class FeedSettings(Table, frozen=True, kw_only=True):
    """One of `[[feeds]]`."""

    name: Annotated[str, Said(description="Name of the feed; part of its id: never change it.")]
    path: Annotated[str | None, Said(description="Folder under output.directory. Default: the name.")] = None
    title: Annotated[str, Said(description="Title. Default: site.title, with the name but for the first.")] = ""
    description: Annotated[str, Said(description="One line about the feed. Default: site.description.")] = ""
    include: Annotated[tuple[str, ...], Said(description='What it takes: "posts", "sources", or ids of sources.')] = (
        "posts",
    )
    content: Annotated[Show, Said(description="How much of each entry it shows: title, teaser or full.")] = Show.TEASER
    limit: Annotated[int, Said(ge=1, le=5000, description="Most entries.")] = 20
    per_source: Annotated[int | None, Said(ge=1, description="Most entries of one source.")] = None
    keep: Annotated[tuple[str, ...], Said(description="Words; an entry needs one of them.")] = ()
    drop: Annotated[tuple[str, ...], Said(description="Words; an entry with one of them stays out.")] = ()
    tags: Annotated[tuple[str, ...], Said(description="Only entries with one of these tags.")] = ()
    archive: Annotated[bool, Said(description="Older entries as RFC 5005 archive documents.")] = False


class Topic(Table, frozen=True, kw_only=True):
    """One of `[[topics]]`."""

    name: Annotated[str, Said(description="Name of the topic, part of its address: [a-z0-9-].")]
    match: Annotated[tuple[str, ...], Said(description="Words; an entry with one of them gets the topic.")]
    title: Annotated[str, Said(description="Title of the topic. Default: its name.")] = ""


class Source(Table, frozen=True, kw_only=True):
    """One of `[[sources]]`."""

    url: Annotated[str, Said(description="Address of the feed, without user name or password.")]
    id: Annotated[str, Said(description="Name of the source: [a-z0-9-]. Default: made from the url.")] = ""
    title: Annotated[str, Said(description="Replaces the feed's own title.")] = ""
    content: Annotated[
        Show, Said(description="How much of its entries any feed shows; of this and the feed's own, the poorer holds.")
    ] = Show.TEASER
    keep: Annotated[tuple[str, ...], Said(description="Words; an entry needs one of them.")] = ()
    drop: Annotated[tuple[str, ...], Said(description="Words; an entry with one of them stays out.")] = ()
    tags: Annotated[tuple[str, ...], Said(description="Added to each of its entries.")] = ()
    enabled: Annotated[bool, Said(description="false: not asked and not published.")] = True


class Polling(Table, frozen=True, kw_only=True):
    """`[polling]`. Durations in seconds, sizes in bytes."""

    interval: Annotated[float, Said(description="Least time between two requests to one source.")] = 3600.0
    max_interval: Annotated[float, Said(description="Most time of our own waits: adaptive and back-off.")] = 86400.0
    timeout: Annotated[float, Said(description="Of a whole exchange, all redirects included.")] = 30.0
    max_bytes: Annotated[int, Said(description="Most bytes of an answer, decoded.")] = 10 * 1024 * 1024
    concurrency: Annotated[int, Said(ge=1, le=256, description="Requests under way at once.")] = 16
    per_host: Annotated[int, Said(ge=1, le=64, description="Requests under way at one host.")] = 1
    host_delay: Annotated[float, Said(description="Time between two request starts at one host.")] = 1.0
    allow_private: Annotated[
        tuple[str, ...], Said(description="Networks that may be polled in spite of the address guard.")
    ] = ()
    contact: Annotated[str, Said(description="Goes into the User-Agent. Default: site.url.")] = ""


class Schedule(Table, frozen=True, kw_only=True):
    """`[schedule]`."""

    build: Annotated[float, Said(description="Most time between two builds of the daemon.")] = 600.0
    cron: Annotated[str, Said(description="Builds at these times instead; weekdays by name.")] = ""
    jitter: Annotated[float, Said(description="Share of a wait that may be added to it.")] = 0.1


class Serve(Table, frozen=True, kw_only=True):
    """`[serve]`."""

    host: Annotated[str, Said(description="Address the HTTP server listens on.")] = "127.0.0.1"
    port: Annotated[int, Said(ge=0, le=65535, description="Port of the HTTP server; 0 takes a free one.")] = 8080
    admin_port: Annotated[
        int, Said(ge=0, le=65535, description="Port of health, metrics and status, on loopback only.")
    ] = 8081


class Store(Table, frozen=True, kw_only=True):
    """`[store]`."""

    url: Annotated[str, Said(description="sqlite:///path or postgresql://…")] = "sqlite:///var/feedsvc.db"
    retention: Annotated[float, Said(description="Of entries that left their source and every feed.")] = 730 * 86400.0


class WebSub(Table, frozen=True, kw_only=True):
    """`[websub]`."""

    hubs: Annotated[tuple[str, ...], Said(description="Hubs, pinged for each feed that changed.")] = ()
    callback_url: Annotated[str, Said(description="Where hubs reach us; set: subscribe to the hubs of sources.")] = ""


class Settings(Table, frozen=True, kw_only=True):
    """The whole configuration."""

    site: Site
    posts: Posts = msgspec.field(default_factory=Posts)
    teaser: TeaserSettings = msgspec.field(default_factory=TeaserSettings)
    output: Output = msgspec.field(default_factory=Output)
    feeds: tuple[FeedSettings, ...] = ()
    topics: tuple[Topic, ...] = ()
    sources: tuple[Source, ...] = ()
    polling: Polling = msgspec.field(default_factory=Polling)
    schedule: Schedule = msgspec.field(default_factory=Schedule)
    serve: Serve = msgspec.field(default_factory=Serve)
    store: Store = msgspec.field(default_factory=Store)
    websub: WebSub = msgspec.field(default_factory=WebSub)


@dataclass(frozen=True, slots=True)
class Project:
    """Settings with what was derived from them: absolute paths, and defaults that depend on other keys filled in.

    `settings` has no empty `output.url`, `site.id_authority`, `polling.contact`, source id or feed path left in it, and
    `feeds` holds the two default feeds where none was written.
    """

    settings: Settings
    config: Path
    root: Path
    posts: Path
    output: Path
    state: Path
    store_url: str
