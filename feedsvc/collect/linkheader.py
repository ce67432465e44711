"""The hub and the topic that a feed names in its `Link` header (polling W-01; RFC 8288)."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from feedsvc.patterns import pattern

_LINK = pattern(r'<([^<>"]{0,2000})>((?:[ \t]*;[ \t]*[^,;="<>]{1,40}(?:=(?:"[^"]{0,500}"|[^,;"<>]{0,500}))?){0,20})')
_REL = pattern(r';[ \t]*rel[ \t]*=[ \t]*(?:"([^"]*)"|([^ \t,;]+))', re.IGNORECASE)
LONGEST = 8192


def links(header: str, base: str, rel: str) -> Iterator[str]:
    """Yield the http(s) addresses of a relation; relative ones against `base`, the address that answered."""
    for found in _LINK.finditer(header[:LONGEST]):
        said = _REL.search(found[2])
        if said and rel in (said[1] or said[2] or "").lower().split():
            try:
                url = urljoin(base, found[1].strip())
            except ValueError:
                continue
            if url.lower().startswith(("http://", "https://")):
                yield url
