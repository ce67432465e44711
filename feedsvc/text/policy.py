"""The allow-list: which elements and attributes may be published, and which values (S-19, S-20, C6)."""

import re

from feedsvc.patterns import pattern
from feedsvc.text.elements import names
from feedsvc.text.tree import Element

_INLINE = names("a em strong b i u s del ins sub sup code kbd samp var abbr cite q")
_BLOCKS = names(
    "p hr h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre figure figcaption table caption thead tbody tfoot tr th td"
    " details summary"
)
_MEDIA = names("img picture source")
_PLAYED = names("audio video")

INLINE = _INLINE
FOREIGN = _INLINE | _BLOCKS | _MEDIA | {"br"}
OWN = FOREIGN | _PLAYED
SILENT = names("script style template noscript iframe frame frameset noframes noembed svg math datalist")

ATTRIBUTES = {
    "*": {"lang", "dir"},
    "a": {"href", "title", "hreflang", "rel"},
    "abbr": {"title"},
    "audio": {"src", "controls"},
    "blockquote": {"cite"},
    "code": {"class"},
    "del": {"cite", "datetime"},
    "details": {"open"},
    "img": {"src", "srcset", "sizes", "alt", "title", "width", "height", "loading", "referrerpolicy"},
    "ins": {"cite", "datetime"},
    "li": {"value"},
    "ol": {"start", "reversed", "type"},
    "q": {"cite"},
    "source": {"src", "srcset", "sizes", "type", "media"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "video": {"src", "poster", "width", "height", "controls"},
}

STRANGE = {
    "a": {"rel": "nofollow noopener noreferrer ugc"},
    "img": {"loading": "lazy", "referrerpolicy": "no-referrer"},
}

_EVERYWHERE = frozenset({"lang", "dir", "id"})
_NONE: frozenset[str] = frozenset()
_WEB = pattern(r"https?://[^\s\"<>\\]+")
_LINK = pattern(r"(?:https?://|mailto:|#)[^\s\"<>\\]+")
_PICTURE = pattern(r"data:image/(?:png|gif|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}")
_CANDIDATES = pattern(r"https?://[^\s\"<>\\]+(?: [0-9.]+[wx])?(?:, https?://[^\s\"<>\\]+(?: [0-9.]+[wx])?)*")
_NUMBER = pattern(r"-?[0-9]{1,6}")
_WORD = pattern(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_LANGUAGE = pattern(r"language-[\w+#.-]+")
_LONGEST_PICTURE = 32 * 1024 * 4 // 3 + 32

_VALUES = {
    "align": pattern("left|right|center"),
    "cite": _WEB,
    "class": _LANGUAGE,
    "colspan": _NUMBER,
    "dir": pattern("ltr|rtl|auto"),
    "height": _NUMBER,
    "href": _LINK,
    "hreflang": _WORD,
    "id": pattern(r"\S+"),
    "lang": _WORD,
    "loading": pattern("lazy"),
    "poster": _WEB,
    "referrerpolicy": pattern("no-referrer"),
    "rel": pattern(re.escape(STRANGE["a"]["rel"])),
    "rowspan": _NUMBER,
    "scope": pattern("row|col|rowgroup|colgroup"),
    "srcset": _CANDIDATES,
    "start": _NUMBER,
    "type": pattern(r"[1aAiI]|[a-z]+/[A-Za-z0-9.+-]+(?:; ?codecs=[\w.\", -]+)?"),
    "value": _NUMBER,
    "width": _NUMBER,
}


def permitted(element: str, attribute: str, value: str) -> str | None:
    """Return the value of an attribute where it may stand, else None: what nh3 asks for each attribute that is left."""
    if attribute == "src":
        allowed = _WEB.fullmatch(value) or (element == "img" and is_picture(value))
    else:
        values = _VALUES.get(attribute)
        allowed = values is None or values.fullmatch(value) is not None
    return value if allowed else None


def drop_attributes(root: Element) -> None:
    """Remove what nh3 would remove, so that it seldom finds anything to change."""
    for element in root.iterdescendants():
        if not isinstance(element.tag, str):
            continue
        allowed = ATTRIBUTES.get(element.tag, _NONE)
        for name, value in element.items():
            if not (name in allowed or name in _EVERYWHERE) or permitted(element.tag, str(name), str(value)) is None:
                del element.attrib[name]


def is_picture(address: str) -> bool:
    """Return whether a `data:` address is a picture of a harmless kind, of at most 32 kB (S-20)."""
    return len(address) <= _LONGEST_PICTURE and _PICTURE.fullmatch(address) is not None
