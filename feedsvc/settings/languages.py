"""Language tags, as BCP 47 (RFC 5646) forms them and people misspell them."""

import re

from feedsvc.settings.faults import Unfit, shown

_TWO_LETTERS = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw "
    "ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt "
    "my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm "
    "sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh "
    "zu"
)
TWO_LETTERS = frozenset(_TWO_LETTERS.split())
"""ISO 639-1, with the few withdrawn codes that the registry still lists."""

_GRANDFATHERED = (
    "en-gb-oed sgn-be-fr sgn-be-nl sgn-ch-de art-lojban cel-gaulish no-bok no-nyn zh-guoyu zh-hakka zh-min zh-min-nan "
    "zh-xiang"
)
GRANDFATHERED = frozenset(_GRANDFATHERED.split())
"""Without `i-klingon` and its like: others stand in their place (RFC 5646 2.2.8), and readers of feeds refuse them."""

# Languages of four to eight letters are reserved and none is registered: "english" is a name, not a tag.
TAG = (
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)(?P<extensions>(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*)"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+"
)


def language(text: str) -> str:
    """Return a BCP 47 language tag as it was written."""
    if not _well_formed(text.lower()):
        spelled = text.replace("_", "-").split(".")[0]
        hint = (
            f"did you mean {shown(spelled)}?" if _well_formed(spelled.lower()) else 'such as "en", "de-AT", "zh-Hans"'
        )
        raise Unfit(f"is no language tag (BCP 47): {shown(text)}; {hint}")
    return text


def _well_formed(tag: str) -> bool:
    if tag in GRANDFATHERED:
        return True
    found = re.fullmatch(TAG, tag)
    if not found or not tag.isascii():
        return False
    code = found["language"]
    if code and len(code) == 2 and code not in TWO_LETTERS:
        return False
    variants = (found["variants"] or "").split("-")[1:]
    singletons = [part for part in (found["extensions"] or "").split("-") if len(part) == 1]
    return len(set(variants)) == len(variants) and len(set(singletons)) == len(singletons)
