"""One form for each kind of text in a configuration; `tree` says which key has which.

A form turns a text into the value that the settings hold, or raises `Unfit`.
"""

from collections.abc import Callable

import msgspec

from feedsvc.settings import addresses, paths, quantities, texts
from feedsvc.settings.cron import cron
from feedsvc.settings.languages import language

WEB = "^$|^[Hh][Tt][Tt][Pp][Ss]?://"
SEGMENT = "[A-Za-z0-9_~-][A-Za-z0-9._~-]*"


class Form(msgspec.Struct, frozen=True):
    """How a text is read, what a wrong type is told, the pattern an editor can check, and the default as written."""

    read: Callable[[str], object]
    wanted: str = "text"
    pattern: str = ""
    default: str = ""


def duration(default: str, *, zero: bool = False) -> Form:
    """Return the form of a duration, with its default as it is written."""
    read = quantities.duration if zero else quantities.some_time
    return Form(read, 'a duration in quotes, such as "90s", "1h" or "7d"', f"^{quantities.DURATION}$", default)


def size(default: str) -> Form:
    """Return the form of a size, with its default as it is written."""
    return Form(quantities.size, 'a size in quotes, such as "10 MiB"', f"^{quantities.SIZE}$", default)


def share(default: str) -> Form:
    """Return the form of a percentage, with its default as it is written."""
    return Form(quantities.share, 'a percentage in quotes, such as "10%"', f"^{quantities.SHARE}$", default)


LINE = Form(texts.line)
NAME = Form(texts.name, pattern=r"\S")
PERSON = Form(texts.person, pattern=r"\S")
PROSE = Form(texts.prose)
WORD = Form(texts.name, pattern=r"\S")
TAG = Form(texts.name, pattern=r"\S")
LABEL = Form(texts.name, pattern=r"\S")
HEADER = Form(texts.header, pattern=r"^[ -~]*$")
SLUG = Form(texts.slug, pattern="^[a-z0-9-]{1,80}$")
SOURCE_ID = Form(texts.own_id, pattern="^[a-z0-9-]{0,80}$")
FEED_NAME = Form(texts.feed_name, pattern=r"^[^/\\]+$")
FOLDER = Form(paths.folder, pattern=f"^$|^{SEGMENT}(/{SEGMENT})*/?$")
DIRECTORY = Form(paths.directory, pattern=r"\S")
PERMALINK = Form(paths.permalink, pattern=r"\{slug\}")
CLOCK = Form(texts.clock, 'a time in quotes, such as "12:00"', "^([01][0-9]|2[0-3]):[0-5][0-9]$")
LANGUAGE = Form(language, pattern="^[A-Za-z0-9-]+$")
ZONE = Form(texts.zone)
AUTHORITY = Form(texts.authority, pattern="^$|^[^,]+,[0-9-]{4,10}$")
BASE = Form(addresses.base, pattern=WEB)
ADDRESS = Form(addresses.address, pattern=WEB)
REFERENCE = Form(addresses.reference)
MAIL = Form(addresses.mail, pattern="^$|@")
NETWORK = Form(addresses.network)
HOST = Form(addresses.listener)
CRON = Form(cron)
STORE = Form(texts.store, pattern="^(sqlite:///|postgresql(\\+psycopg)?://)")
