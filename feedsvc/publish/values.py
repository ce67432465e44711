"""Whether a single value of a feed is what its format wants: dates, addresses, media types, languages."""

import re
from datetime import UTC, datetime
from urllib.parse import urljoin, urlsplit

from feedsvc.patterns import pattern
from feedsvc.text import names
from feedsvc.text.names import is_absolute_uri

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)

_RFC3339 = pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_RFC822 = pattern(
    rf"(?:({'|'.join(DAYS)}), )?(\d\d?) ({'|'.join(MONTHS)}) (\d{{4}}|\d\d) (\d\d):(\d\d)(?::(\d\d))?"
    r" (?:[+-]\d\d[0-5]\d|UT|GMT|[ECMP][SD]T|[A-IK-Z])",
    re.IGNORECASE,
)
_NAME = r"[A-Za-z0-9!#$&^_.+-]+"
_MEDIA_TYPE = pattern(rf"{_NAME}/{_NAME}(?:\s*;\s*{_NAME}=(?:{_NAME}|\"[^\"]*\"))*")
_LANGUAGE = pattern(r"(?:[A-Za-z]{2,3}|[xX])(?:-[A-Za-z0-9]{1,8})*")
_MAIL = pattern(r"[^\s@<>()]+@[^\s@<>()]+(?: \(.*\))?")
_OTHERS = pattern("[^\x00-\x7f\x80-\xa0\ufffd]")


def rfc3339(text: str) -> datetime | None:
    """Return the moment of an RFC 3339 date, None where it is none or names no day that exists (D5)."""
    if not _RFC3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.replace(":60", ":59", 1) if text[17:19] == "60" else text)
    except ValueError:
        return None


def rfc822(text: str) -> datetime | None:
    """Return an RFC 822 date with a year of two or four digits, its zone set aside, None where it is none (D5).

    The zone must be a number, or a name that RFC 822 has: `UTC` is none. A weekday must be that of the day.
    """
    found = _RFC822.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    day, month, hour, minute = int(found[2]), MONTHS.index(found[3].capitalize()) + 1, int(found[5]), int(found[6])
    year = int(found[4]) + (0 if len(found[4]) == 4 else 1900 if int(found[4]) >= 50 else 2000)
    try:
        moment = datetime(year, month, day, hour, minute, min(int(found[7] or 0), 59), tzinfo=UTC)
    except ValueError:
        return None
    return moment if (found[1] or DAYS[moment.weekday()]).capitalize() == DAYS[moment.weekday()] else None


def is_web_address(text: str) -> bool:
    """Return whether a text is an absolute http(s) address; letters of other scripts are allowed (RFC 3987)."""
    return urlsplit_scheme(text) in ("http", "https") and is_iri(text)


def is_iri(text: str) -> bool:
    """Return whether a text is an absolute IRI, valid for its scheme (RFC 3987)."""
    return is_absolute_uri(_OTHERS.sub("x", text))


def is_feed_id(text: str) -> bool:
    """Return whether a text may be the id of somebody else's feed: any absolute IRI (RFC 4287, 4.2.6)."""
    return names.is_feed_id(_OTHERS.sub("x", text))


def is_reference(text: str) -> bool:
    """Return whether a text is an address, be it a relative one (RFC 3986, 4.1)."""
    try:
        return text == text.strip() and is_iri(urljoin("https://example.org/", text))
    except ValueError:
        return False


def urlsplit_scheme(text: str) -> str:
    """Return the scheme of an address in lower case, "" where it has none."""
    try:
        return urlsplit(text).scheme
    except ValueError:
        return ""


def is_canonical(uri: str) -> bool:
    """Return whether an http(s) id is spelled one way: host in lower case, no default port, a path (A1)."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https"):
        return True
    authority = parts.netloc
    default = ":80" if parts.scheme == "http" else ":443"
    lower = uri.startswith(f"{parts.scheme}:") and authority == authority.lower()
    return lower and not authority.endswith(default) and bool(parts.path)


def is_media_type(text: str) -> bool:
    """Return whether a text is a media type (RFC 2045)."""
    return _MEDIA_TYPE.fullmatch(text) is not None


def is_language(text: str) -> bool:
    """Return whether a text has the form of a language tag (BCP 47)."""
    return _LANGUAGE.fullmatch(text) is not None


def is_mail(text: str) -> bool:
    """Return whether a text is a mail address, with or without the name that RSS puts after it."""
    return _MAIL.fullmatch(text.strip()) is not None
