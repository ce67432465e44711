"""What plugins and counters put around other people's words, and goes: CL-06, S-21."""

import re

from feedsvc.patterns import pattern
from feedsvc.text.elements import BLOCK
from feedsvc.text.tree import Element, remove, words_of

_BOXES = pattern(
    r"(?:^|\s)(?:sharedaddy|sd-sharing\S*|sd-block|jp-relatedposts|addtoany\S*|a2a_\S+|addthis\S*|sharethis\S*|st_(?:facebook|twitter|linkedin|sharethis)\S*"
    r"|ssba\S*|ssbp\S*|heateor\S*|feedflare|social-?share\S*|share-?(?:buttons?|links?|bar|icons?|post)|essb\S*"
    r"|post-?share\S*|wp-block-jetpack-sharing-buttons|mc4wp\S*|shareaholic\S*|simplesocial\S*|swp_\S+|wpcnt|wpa)(?:$|\s)",
    re.IGNORECASE,
)
_APPEARED = pattern(
    r"(?:the post|the article|this post|der beitrag|l[’']article|la entrada|l[’']articolo|o post|het bericht)\b.*"
    r"(?:appeared first on|first appeared on|erschien zuerst auf|est apparu en premier sur|se public[oó] primero en"
    r"|aparece primero en|proviene da|apareceu primeiro em|verscheen eerst op)\b.*",
    re.IGNORECASE | re.DOTALL,
)
# One word of each: where none of them stands, nothing is looked into.
_APPEARING = ("appeared", "erschien", "apparu", "publico", "publicó", "aparece", "proviene", "apareceu", "verscheen")
_LONGEST_NOTICE = 500
_SHARING = pattern(
    r"https?://(?:www\.|m\.|web\.)?(?:facebook\.com/(?:sharer|share|dialog)|(?:twitter|x)\.com/(?:share|intent|home\?status)"
    r"|linkedin\.com/(?:shareArticle|sharing|cws)|reddit\.com/submit|news\.ycombinator\.com/submitlink"
    r"|pinterest\.com/pin/create|tumblr\.com/(?:share|widgets)|plus\.google\.com/share|t\.me/share|telegram\.me/share"
    r"|api\.whatsapp\.com/send|wa\.me/\?|getpocket\.com/(?:save|edit)|addtoany\.com/|addthis\.com/|digg\.com/submit"
    r"|delicious\.com/(?:save|post)|stumbleupon\.com/submit|feeds\.feedburner\.com/~f|feeds\.wordpress\.com/1\.0/go"
    r"|bsky\.app/intent|mastodonshare\.com/)",
    re.IGNORECASE,
)
_AROUND = pattern(
    r"(?:[\W_]|\b(?:share|this|post|article|on|via|with|to|or|and|tweet|email|follow|us|teilen|partager|compartir)\b)*",
    re.IGNORECASE,
)
_PIXELS = pattern(
    r"(?:pixel|stats?)\.(?:wp|wordpress|quantserve)\.com|/b\.gif\?|feedburner\.com/~(?:r|ff|a)|feeds\.wordpress\.com/1\.0/"
    r"|doubleclick\.net|google-analytics\.com|/_/stat\?event=|scorecardresearch\.com|blogger\.googleusercontent\.com/tracker"
    r"|blogger\.com/tracker|/tracking[-_]?pixel|feedsportal\.com|pheedo\.com|rss-?pixel",
    re.IGNORECASE,
)
_UNSEEN = pattern(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_LATER = ("data-src", "data-lazy-src", "data-original", "data-orig-file", "srcset", "data-srcset")
_SIDE = pattern(r"(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*([0-9.]+)(?:px)?\s*(?:;|$|!)", re.IGNORECASE)


def drop_clutter(root: Element) -> None:
    """Remove share buttons, counters and "appeared first on" lines from the tree of a strange entry."""
    for element in list(root.iterdescendants()):
        if isinstance(element.tag, str) and _is_clutter(element):
            remove(element, gap="\n" if element.tag in BLOCK else "")
    for anchor in list(root.iter("a")):
        _drop_sharing(anchor)
    _drop_notices(root)


def _is_clutter(element: Element) -> bool:
    if element.tag == "img":
        return is_pixel(element)
    named, known = element.get("class"), element.get("id")
    if not (named or known):
        return False
    boxed = element.tag in BLOCK or element.tag in ("span", "a")
    return boxed and bool(_BOXES.search(f"{named or ''} {known or ''}"))


def is_pixel(image: Element) -> bool:
    """Return whether an image is of one pixel or none in a direction, hidden for good, or of a known counter."""
    if _is_unseen(image) and not any(image.get(name) for name in _LATER):
        return True
    sides = [image.get("width", ""), image.get("height", ""), *_SIDE.findall(image.get("style", ""))]
    if any(_is_small(side) for side in sides):
        return True
    return _PIXELS.search(image.get("src", "")[:2000]) is not None


def _is_unseen(image: Element) -> bool:
    return image.get("hidden") is not None or _UNSEEN.search(image.get("style", "")) is not None


def _is_small(side: str) -> bool:
    number = side.strip().removesuffix("px").strip()
    return number in ("0", "1") or (number[:2] in ("0.", "1.") and not number[2:].strip("0"))


def _drop_sharing(anchor: Element) -> None:
    """Remove a link to a share dialog with the block it stands in, where that holds nothing but such links."""
    if not _SHARING.match(anchor.get("href", "").strip()):
        return
    block = next((step for step in anchor.iterancestors() if step.tag in BLOCK), None)
    around = None if block is None else block.getparent()
    if block is None or around is None or not _only_sharing(block):
        return
    remove(block, gap="\n")
    if around.tag in ("ul", "ol") and not len(around) and not words_of(around) and around.getparent() is not None:
        remove(around, gap="\n")


def _only_sharing(block: Element) -> bool:
    links = list(block.iter("a"))
    if not all(_SHARING.match(link.get("href", "").strip()) for link in links):
        return False
    around = [block.text or "", *(step.tail or "" for step in block.iterdescendants()), *_inside(block)]
    return all(_AROUND.fullmatch(text) for text in around) and next(block.iter("pre", "table", "figure"), None) is None


def _inside(block: Element) -> list[str]:
    """Return the texts of the elements in a block that are no links and in no link."""
    steps = (
        step for step in block.iterdescendants() if step.tag != "a" and next(step.iterancestors("a"), None) is None
    )
    return [step.text or "" for step in steps]


def _drop_notices(root: Element) -> None:
    text = words_of(root).casefold()
    if not any(word in text for word in _APPEARING):
        return
    for block in list(root.iter("p", "div")):
        text = words_of(block)
        if len(text) <= _LONGEST_NOTICE and _APPEARED.fullmatch(text) and next(block.iter("a"), None) is not None:
            remove(block, gap="\n")
