"""Texts of keys that name places: folders on this machine, folders of feeds, templates of permalinks."""

import re

from feedsvc.model import FEED_FILES
from feedsvc.settings.faults import Unfit, shown
from feedsvc.settings.texts import is_control

PUBLISHED_NAMES = (*FEED_FILES.values(), "index.html", "fragment.html", "feeds.opml", "sources.opml")
RESERVED_FOLDERS = ("tags", "authors", "topics", "assets")


def folder(text: str) -> str:
    """Return a feed's folder below the output folder, without slashes at its ends, "" for the top."""
    for part in text.removesuffix("/").split("/") if text else ():
        _check_folder_name(part, text)
    first = text.casefold().split("/")[0]
    if first in RESERVED_FOLDERS:
        raise Unfit(
            f"must not begin with {shown(first + '/')}: feeds of tags, authors and topics and our files are there"
        )
    return text.removesuffix("/")


def directory(text: str) -> str:
    """Return the path of a folder on this machine."""
    if not text.strip() or any(is_control(one) for one in text):
        raise Unfit(f"must be a path of a folder: {shown(text)}")
    if text.startswith("~"):
        raise Unfit(f"must be written out: {shown(text)}; ~ is not replaced here")
    return text


def permalink(text: str) -> str:
    """Return a template of addresses below site.url."""
    fields = re.findall(r"\{([^{}]*)\}", text)
    for field in fields:
        if field not in {"slug", "year", "month", "day"}:
            raise Unfit(
                f"has an unknown field {shown('{' + field + '}')}; there are {{slug}}, {{year}}, {{month}}, {{day}}"
            )
    if re.search(r"[{}]", re.sub(r"\{[^{}]*\}", "", text)):
        raise Unfit(f"has a brace that is not closed or not opened: {shown(text)}")
    if "slug" not in fields:
        raise Unfit(f'must hold {{slug}}, or all posts would have one address: {shown(text)}; such as "{{slug}}/"')
    return _relative(text)


def _check_folder_name(part: str, text: str) -> None:
    if not text or text.startswith("/"):
        raise Unfit(f"must be relative: {shown(text)}; it is a folder below output.directory")
    if part.startswith(".") or not re.fullmatch(r"[A-Za-z0-9._~-]{1,100}", part):
        raise Unfit(
            f"must be names of letters a-z, digits, - and _ with / between them, none empty or .hidden: {shown(text)}"
        )
    taken = next((file for file in PUBLISHED_NAMES if part.casefold().startswith(file)), None)
    if taken or part.casefold() == "archive":
        raise Unfit(f"must not hold {shown(part)}: {'a file' if taken else 'a folder'} of each feed has that name")


def _relative(text: str) -> str:
    if text.startswith("/") or ":" in text.partition("/")[0]:
        raise Unfit(f"must be relative to site.url: {shown(text)}; without scheme, host or / at its start")
    if {"..", ".", ""} & set(text.removesuffix("/").split("/")):
        raise Unfit(f"must not hold empty parts, . or ..: {shown(text)}")
    if "\\" in text or any(one.isspace() or not one.isprintable() for one in text):
        raise Unfit(f"must not hold blanks, backslashes or control characters: {shown(text)}")
    return text
