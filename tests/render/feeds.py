"""Feeds made by hand: one small builder for the tests of all formats."""

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from feedsvc.model import Enclosure, Entry, Feed, Item, Origin, Person, Show, Teaser, Text

NOON = datetime(2026, 5, 1, 12, 0, 7, tzinfo=UTC)
SITE = "https://warp.example/"


def item(name: str = "warps", *, show: Show = Show.TEASER, **changes: Any) -> Item:
    """Return an own post as a feed shows it; `changes` are of its entry, or `teaser`."""
    link = f"{SITE}{name}/"
    shown = changes.pop("teaser", None) or Teaser(
        f'<p>All about <em>{name}</em> … <a href="{link}">Read more</a></p>', f"All about {name} …"
    )
    entry = Entry(
        id=f"tag:warp.example,2026:{name}",
        key=name,
        link=link,
        title=f"About {name}",
        published=NOON,
        updated=NOON + timedelta(hours=1),
        text=Text(content=f"<p>All about <em>{name}</em> and more.</p>"),
    )
    entry = replace(entry, **changes)
    return Item(entry, shown, show, entry.title or "All about")


def foreign(name: str = "xla", **changes: Any) -> Item:
    """Return an entry of a source."""
    origin = Origin(
        id="https://openxla.example/",
        title="OpenXLA",
        url="https://openxla.example/feed.xml",
        home="https://openxla.example/",
        updated=NOON,
        authors=(Person("The OpenXLA team", "team@openxla.example", "https://openxla.example/team"),),
        rights="CC BY",
    )
    given = {"id": f"https://openxla.example/{name}", "source": "openxla", "origin": origin, **changes}
    return item(name, **given)


def feed(*items: Item, **changes: Any) -> Feed:
    """Return a feed of these items with all three formats."""
    made = Feed(
        name="posts",
        kind="main",
        id="tag:warp.example,2026:feed/posts",
        title="Warp Notes",
        path="",
        home=SITE,
        page=SITE,
        urls={"atom": f"{SITE}atom.xml", "rss": f"{SITE}rss.xml", "json": f"{SITE}feed.json"},
        updated=max((each.entry.updated for each in items), default=NOON),
        items=items,
        authors=(Person("Ada", "ada@warp.example", "https://warp.example/ada"),),
    )
    return replace(made, **changes)


def everything() -> Feed:
    """Return a feed that has all that a feed can have."""
    rich = item(
        "rich",
        show=Show.FULL,
        title="a < b && c: `Array<float>` & R&D, typed &amp; &lt;em>",
        text=Text(
            content='<p>See <a href="#n-1">1</a>.</p>'
            '<p id="n-1">Note &amp; <code>k&lt;&lt;&lt;g, b&gt;&gt;&gt;()</code> ]]&gt;</p>'
        ),
        authors=(Person("Grace"), Person("Ada", "ada@warp.example", "https://warp.example/ada")),
        tags=("CUDA", "R&D", "a<b", "C++"),
        lang="de",
        image="https://warp.example/rich.png",
        enclosures=(
            Enclosure("https://warp.example/unknown"),
            Enclosure("https://warp.example/a.mp3?x=1&y=2", "audio/mpeg", 1234, "Talk & slides"),
            Enclosure("https://warp.example/b.ogg", "audio/ogg"),
        ),
    )
    return feed(
        rich,
        foreign(updated=NOON + timedelta(minutes=2)),
        foreign("untitled", title=None, updated=NOON + timedelta(minutes=3)),
        item("titles", show=Show.TITLE, updated=NOON + timedelta(minutes=4)),
        item("adrift", link=None, updated=NOON + timedelta(minutes=5), teaser=Teaser("<p>No link.</p>", "No link.")),
        item("silent", updated=NOON + timedelta(minutes=6), teaser=Teaser("", ""), text=Text()),
        description="Notes & news on a<b",
        rights="© 2026 R&D",
        icon="https://warp.example/icon.png",
        logo="https://warp.example/logo.svg",
        hubs=("https://hub.example/",),
        ttl=30,
        style="https://warp.example/assets/feed.css",
    )
