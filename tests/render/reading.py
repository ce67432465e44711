"""Reading our documents back, as a reader of feeds would."""

import json
from typing import Any
from xml.etree import ElementTree

from feedsvc.model import Feed
from feedsvc.render import atom, jsonfeed, rss

ATOM_NS = "{http://www.w3.org/2005/Atom}"
DC_NS = "{http://purl.org/dc/elements/1.1/}"
CONTENT_NS = "{http://purl.org/rss/1.0/modules/content/}"
MEDIA_NS = "{http://search.yahoo.com/mrss/}"


def atom_root(feed: Feed) -> Any:
    """Return the feed element of the Atom document."""
    return ElementTree.fromstring(atom.render(feed))


def channel(feed: Feed) -> Any:
    """Return the channel of the RSS document."""
    return ElementTree.fromstring(rss.render(feed))[0]


def members(feed: Feed) -> Any:
    """Return the JSON document."""
    return json.loads(jsonfeed.render(feed))
