"""The one table of formats: a new format is a module and a line here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from feedsvc.model import FEED_FILES, Feed
from feedsvc.render import atom, jsonfeed, rss
from feedsvc.render.links import MEDIA_TYPES


class Format(Struct, frozen=True):
    """A format of a feed: its name in the configuration, its file, its media type (X2), and what writes it."""

    name: str
    file: str
    media_type: str
    render: Callable[[Feed], bytes]


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.name: each
        for each in (
            Format("atom", FEED_FILES["atom"], MEDIA_TYPES["atom"], atom.render),
            Format("rss", FEED_FILES["rss"], MEDIA_TYPES["rss"], rss.render),
            Format("json", FEED_FILES["json"], MEDIA_TYPES["json"], jsonfeed.render),
        )
    }
)
