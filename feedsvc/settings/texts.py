"""Texts of keys: what each may say. A function returns the value that the settings hold, or raises `Unfit`."""

import re
import zoneinfo
from datetime import date

from feedsvc.settings.faults import Unfit, shown

RFC4151 = (
    r"(?:[a-z0-9._-]+@)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*"
    r",(?P<date>[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)"
)


def line(text: str) -> str:
    """Return text of one line without control characters."""
    if any(is_control(one) for one in text):
        raise Unfit(f"must be one line without control characters: {shown(text)}")
    return text


def prose(text: str) -> str:
    """Return text that may have several lines."""
    if any(is_control(one) and one not in "\n\t" for one in text):
        raise Unfit(f"must not hold control characters: {shown(text)}")
    return text


def name(text: str) -> str:
    """Return a line that is not blank, with single blanks."""
    if not text.strip():
        raise Unfit("must not be blank")
    return re.sub(" +", " ", line(text).strip())


def person(text: str) -> str:
    """Return the name of somebody: readers show it, so it is no address (A3)."""
    if re.fullmatch(r"<?(?:mailto:)?[^\s@<>]+@[^\s@<>]+>?|[A-Za-z][A-Za-z0-9+.-]*://\S+", text.strip()):
        raise Unfit(f"must be a name, not an address: {shown(text)}; write that as email or url")
    return name(text)


def header(text: str) -> str:
    """Return text that may stand in an HTTP header (S-35)."""
    if not (text.isascii() and text.isprintable()):
        raise Unfit(f"goes into an HTTP header: letters, digits and signs of ASCII on one line, not {shown(text)}")
    return text


def slug(text: str) -> str:
    """Return a name that can stand in an address and an id."""
    if not re.fullmatch(r"[a-z0-9-]{1,80}", text):
        raise Unfit(f"must be small letters a-z, digits and hyphens, at most 80: {shown(text)}")
    return text


def own_id(text: str) -> str:
    """Return an id of a source; `posts` and `sources` mean something else in `include`."""
    if text in {"posts", "sources"}:
        raise Unfit(f"must not be {shown(text)}: that word has its own meaning in include")
    return slug(text)


def feed_name(text: str) -> str:
    """Return the name of a feed: `/` would make it the id of a tag's feed."""
    if "/" in text or "\\" in text:
        raise Unfit(f"must not hold / or \\: {shown(text)}; a folder is written as path")
    return name(text)


def clock(text: str) -> str:
    """Return a time of day."""
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise Unfit(f'is no time of day: {shown(text)}; write hours and minutes, such as "12:00" or "07:30"')
    return text


def zone(text: str) -> str:
    """Return an IANA time zone; names that mean another zone on each machine are refused."""
    try:
        fixed = re.fullmatch(r"[A-Z][A-Za-z0-9_+/-]*", text) is not None and text != "Factory"
        if fixed and zoneinfo.ZoneInfo(text):
            return text
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        pass
    raise Unfit(f'is no time zone: {shown(text)}; write an IANA name, such as "UTC" or "Europe/Berlin"')


def authority(text: str) -> str:
    """Return the authority of tag: ids in lower case: host or mail address, comma, date (RFC 4151, I3)."""
    found = re.fullmatch(RFC4151, text.lower())
    if not found or not _is_date(found["date"]):
        raise Unfit(
            f"is no authority of tag: ids (RFC 4151): {shown(text)}; write a host or mail address that is yours, a "
            'comma and a date on which it was, such as "blog.example,2026"'
        )
    return text.lower()


def store(text: str) -> str:
    """Return the address of a store; it is never shown, it may hold a password."""
    scheme, _, rest = text.partition("://")
    path = rest.removeprefix("/")
    if scheme in {"postgresql", "postgresql+psycopg"} and rest and text.isprintable():
        return text
    if scheme != "sqlite":
        raise Unfit(
            f"must begin with sqlite:/// or postgresql://, found {shown(scheme, 20) if '://' in text else 'neither'}"
        )
    if path == rest or path.endswith(("/", ":memory:")) or not path or not path.isprintable() or "?" in path:
        raise Unfit(
            'must name a file: "sqlite:///var/feedsvc.db", or "sqlite:////srv/feedsvc.db" with an absolute path'
        )
    return text


def is_control(one: str) -> bool:
    """Return whether a character is one that no text of a configuration may hold (S-34, S-35)."""
    return one < " " or "\x7f" <= one <= "\x9f" or "\ud800" <= one <= "\udfff" or one in "\u2028\u2029\ufffe\uffff"


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text + "-01-01"[len(text) - 4 :]) is not None
    except ValueError:
        return False
