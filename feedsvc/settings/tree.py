"""What the configuration holds: every key of config/feedsvc.toml, its type and its default (interface, Configuration).

Field descriptions go into the JSON Schema and into docs/configuration.md; a form says what a text must be. Once
loaded, durations are seconds and sizes bytes: `load` turns "1h" and "10 MiB" into numbers. Paths are as written;
`Project` holds them resolved.
"""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Struct

from feedsvc.model import Show
from feedsvc.settings import forms

Format = Literal["atom", "rss", "json"]
Coding = Literal["gzip", "br", "zstd"]


def says(
    description: str, form: forms.Form = forms.LINE, *, ge: int | None = None, le: int | None = None
) -> msgspec.Meta:
    """Return what is known of a key beside its type: a description, the form of its text, bounds of its number."""
    return msgspec.Meta(description=description, extra={"form": form}, ge=ge, le=le)


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the configuration."""


class Author(Table, frozen=True, kw_only=True):
    """`site.author`."""

    name: Annotated[str, says("Name of the author of posts that name none; required.", forms.PERSON)]
    email: Annotated[str, says("Mail address; published in Atom where it is set.", forms.MAIL)] = ""
    url: Annotated[str, says("Home page of the author.", forms.ADDRESS)] = ""


class Site(Table, frozen=True, kw_only=True):
    """`[site]`: what all feeds say of the site."""

    title: Annotated[str, says("Name of the site and of its main feed; required.", forms.NAME)]
    url: Annotated[str, says("Address of the site; permalinks resolve against it; required.", forms.BASE)]
    author: Annotated[Author, says("Who writes here: name, email, url.")]
    description: Annotated[str, says("One line about the site.", forms.PROSE)] = ""
    language: Annotated[str, says("Language of the site as a BCP 47 tag.", forms.LANGUAGE)] = "en"
    rights: Annotated[str, says("Copyright line of the feeds.", forms.PROSE)] = ""
    icon: Annotated[str, says("Square icon: absolute, or relative to site.url.", forms.REFERENCE)] = ""
    logo: Annotated[str, says("Logo, twice as wide as high: absolute, or relative to site.url.", forms.REFERENCE)] = ""
    timezone: Annotated[str, says("Zone of dates that carry none, an IANA name.", forms.ZONE)] = "UTC"
    id_authority: Annotated[
        str,
        says("Authority of minted tag: ids; never change it. Default: host of site.url and ',2026'.", forms.AUTHORITY),
    ] = ""


class Posts(Table, frozen=True, kw_only=True):
    """`[posts]`."""

    directory: Annotated[str, says("Folder of the Markdown posts.", forms.DIRECTORY)] = "posts"
    permalink: Annotated[
        str, says("Address of a post below site.url: {slug}, {year}, {month}, {day}.", forms.PERMALINK)
    ] = "{slug}/"
    default_time: Annotated[str, says("Time of day of dates without one, HH:MM.", forms.CLOCK)] = "12:00"


class TeaserSettings(Table, frozen=True, kw_only=True):
    """`[teaser]`."""

    words: Annotated[int, says("Words of running text in a teaser.", ge=1, le=1000)] = 55
    ellipsis: Annotated[str, says("Stands where words were cut.")] = "…"
    more: Annotated[
        str | dict[str, str], says("Label of the link to the entry, or a table of labels by language.", forms.LABEL)
    ] = "Read more"


class Output(Table, frozen=True, kw_only=True):
    """`[output]`."""

    directory: Annotated[str, says("Folder that is published: a link to the current release.", forms.DIRECTORY)] = (
        "public"
    )
    url: Annotated[str, says("Address where that folder is published. Default: site.url.", forms.BASE)] = ""
    formats: Annotated[tuple[Format, ...], says("Formats of each feed.")] = ("atom", "rss", "json")
    tags: Annotated[bool, says("A feed for each tag of own posts.")] = True
    authors: Annotated[bool, says("A feed for each author of own posts.")] = False
    compress: Annotated[tuple[Coding, ...], says("Compressed twins written beside each file.")] = ("gzip",)


class FeedSettings(Table, frozen=True, kw_only=True):
    """One of `[[feeds]]`."""

    name: Annotated[str, says("Name of the feed; part of its id: never change it.", forms.FEED_NAME)]
    path: Annotated[str | None, says("Folder under output.directory. Default: the name.", forms.FOLDER)] = None
    title: Annotated[str, says("Title. Default: site.title, with the name but for the first.")] = ""
    description: Annotated[str, says("One line about the feed. Default: site.description.", forms.PROSE)] = ""
    include: Annotated[tuple[str, ...], says('What it takes: "posts", "sources", or ids of sources.')] = ("posts",)
    content: Annotated[Show, says("How much of each entry it shows: title, teaser or full.")] = Show.TEASER
    limit: Annotated[int, says("Most entries.", ge=1, le=5000)] = 20
    per_source: Annotated[Annotated[int, msgspec.Meta(ge=1)] | None, says("Most entries of one source.")] = None
    keep: Annotated[tuple[str, ...], says("Words; an entry needs one of them.", forms.WORD)] = ()
    drop: Annotated[tuple[str, ...], says("Words; an entry with one of them stays out.", forms.WORD)] = ()
    tags: Annotated[tuple[str, ...], says("Only entries with one of these tags.", forms.TAG)] = ()
    archive: Annotated[bool, says("Older entries as RFC 5005 archive documents.")] = False


class Topic(Table, frozen=True, kw_only=True):
    """One of `[[topics]]`."""

    name: Annotated[str, says("Name of the topic, part of its address: [a-z0-9-].", forms.SLUG)]
    match: Annotated[tuple[str, ...], says("Words; an entry with one of them gets the topic.", forms.WORD)]
    title: Annotated[str, says("Title of the topic. Default: its name.")] = ""


class Source(Table, frozen=True, kw_only=True):
    """One of `[[sources]]`."""

    url: Annotated[str, says("Address of the feed, without user name or password.", forms.ADDRESS)]
    id: Annotated[str, says("Name of the source: [a-z0-9-]. Default: made from the url.", forms.SOURCE_ID)] = ""
    title: Annotated[str, says("Replaces the feed's own title.")] = ""
    home: Annotated[str, says("Address of its site. Default: what the feed says.", forms.ADDRESS)] = ""
    content: Annotated[
        Show, says("How much of its entries any feed shows; of this and the feed's own, the poorer holds.")
    ] = Show.TEASER
    keep: Annotated[tuple[str, ...], says("Words; an entry needs one of them.", forms.WORD)] = ()
    drop: Annotated[tuple[str, ...], says("Words; an entry with one of them stays out.", forms.WORD)] = ()
    tags: Annotated[tuple[str, ...], says("Added to each of its entries.", forms.TAG)] = ()
    enabled: Annotated[bool, says("false: not asked and not published.")] = True


class Polling(Table, frozen=True, kw_only=True):
    """`[polling]`. Durations in seconds, sizes in bytes."""

    interval: Annotated[float, says("Least time between two requests to one source.", forms.duration("1h"))] = 3600.0
    max_interval: Annotated[
        float, says("Most time of our own waits: adaptive and back-off.", forms.duration("24h"))
    ] = 86400.0
    timeout: Annotated[float, says("Of a whole exchange, all redirects included.", forms.duration("30s"))] = 30.0
    max_bytes: Annotated[int, says("Most bytes of an answer, decoded.", forms.size("10 MiB"))] = 10 * 1024 * 1024
    concurrency: Annotated[int, says("Requests under way at once.", ge=1, le=256)] = 16
    per_host: Annotated[int, says("Requests under way at one host.", ge=1, le=64)] = 1
    host_delay: Annotated[
        float, says("Time between two request starts at one host.", forms.duration("1s", zero=True))
    ] = 1.0
    allow_private: Annotated[
        tuple[str, ...], says("Networks that may be polled in spite of the address guard.", forms.NETWORK)
    ] = ()
    contact: Annotated[str, says("Goes into the User-Agent. Default: site.url.", forms.HEADER)] = ""


class Schedule(Table, frozen=True, kw_only=True):
    """`[schedule]`."""

    build: Annotated[float, says("Most time between two builds of the daemon.", forms.duration("10m"))] = 600.0
    cron: Annotated[str, says("Builds at these times instead; weekdays by name.", forms.CRON)] = ""
    jitter: Annotated[float, says("Share of a wait that may be added to it.", forms.share("10%"))] = 0.1


class Serve(Table, frozen=True, kw_only=True):
    """`[serve]`."""

    host: Annotated[str, says("Address the HTTP server listens on.", forms.HOST)] = "127.0.0.1"
    port: Annotated[int, says("Port of the HTTP server; 0 takes a free one.", ge=0, le=65535)] = 8080
    admin_port: Annotated[int, says("Port of health, metrics and status, on loopback only.", ge=0, le=65535)] = 8081


class Store(Table, frozen=True, kw_only=True):
    """`[store]`."""

    url: Annotated[str, says("sqlite:///path or postgresql://…", forms.STORE)] = "sqlite:///var/feedsvc.db"
    retention: Annotated[float, says("Of entries that left their source and every feed.", forms.duration("730d"))] = (
        730 * 86400.0
    )


class WebSub(Table, frozen=True, kw_only=True):
    """`[websub]`."""

    hubs: Annotated[tuple[str, ...], says("Hubs, pinged for each feed that changed.", forms.ADDRESS)] = ()
    callback_url: Annotated[str, says("Where hubs reach us; set: subscribe to the hubs of sources.", forms.BASE)] = ""


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


class Project(Struct, frozen=True):
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
