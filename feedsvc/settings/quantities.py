"""Durations, sizes and shares as people write them: "90s", "10 MiB", "10%"."""

import re

from feedsvc.settings.faults import Unfit, shown

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
BYTES = {"B": 1, "KB": 1000, "MB": 1000**2, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
DURATION = r"[0-9]{1,9} ?[smhdw]"
SIZE = r"[0-9]{1,12} ?(B|KB|KiB|MB|MiB|GiB)"
SHARE = r"(100|[0-9]{1,2})(\.[0-9]{1,3})? ?%"
CENTURY = 100 * 366 * 86400


def duration(text: str) -> float:
    """Return seconds. `text` is a whole number and one of s, m, h, d, w, with at most one blank between."""
    if not re.fullmatch(DURATION, text):
        raise Unfit(
            f'is no duration: {shown(text)}; write a number and a unit, such as "90s", "15m", "1h", "7d" or "2w"'
        )
    seconds = float(int(text[:-1]) * SECONDS[text[-1]])
    if seconds > CENTURY:
        raise Unfit(f"is too long: {shown(text)}; at most a hundred years")
    return seconds


def some_time(text: str) -> float:
    """Return seconds, more than none."""
    seconds = duration(text)
    if not seconds:
        raise Unfit(f'must be longer than nothing: {shown(text)}; such as "90s"')
    return seconds


def size(text: str) -> int:
    """Return bytes, more than none. Units: B, KB, MB of 1000 and KiB, MiB, GiB of 1024."""
    found = re.fullmatch(r"([0-9]+) ?([A-Za-z]+)", text)
    if not found or not re.fullmatch(SIZE, text):
        raise Unfit(f'is no size: {shown(text)}; write a number and B, KB, KiB, MB, MiB or GiB, such as "10 MiB"')
    count = int(found[1]) * BYTES[found[2]]
    if not count:
        raise Unfit(f'must be more than nothing: {shown(text)}; such as "10 MiB"')
    return count


def share(text: str) -> float:
    """Return a share from 0 to 1 of a percentage."""
    percent = text.removesuffix("%").rstrip(" ")
    if not re.fullmatch(SHARE, text) or float(percent) > 100:
        raise Unfit(f'is no share: {shown(text)}; write a percentage from "0%" to "100%", such as "10%"')
    return float(percent) / 100
