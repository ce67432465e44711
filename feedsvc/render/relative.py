"""Addresses as a page writes them: relative to its own place, so that it works under any prefix."""

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

WEB = ("http://", "https://")


def relative(base: str, target: str) -> str:
    """Return the shortest way from the page at `base` to `target`; `target` itself where it is on another origin.

    Resolving the answer against `base` gives `target` again (RFC 3986, 4.2). Both are absolute addresses.
    """
    here, there = _parts(base), _parts(target)
    if here.origin != there.origin or here.is_odd_folder or there.is_odd:
        return target
    shared = _shared(here.steps[:-1], there.steps[:-1])
    path = "/".join([".."] * (len(here.steps) - 1 - shared) + there.steps[shared:])
    # An empty first step, or one with a colon, would be read as another kind of reference.
    first = path.split("/", 1)[0]
    return ("" if first and ":" not in first else "./") + path + there.tail


class _Parts(NamedTuple):
    """An address in parts; steps that are empty or made of dots do not survive every reader's resolving: odd."""

    origin: tuple[str, str]
    steps: list[str]
    tail: str
    is_odd_folder: bool
    is_odd: bool


@lru_cache(maxsize=4096)
def _parts(address: str) -> _Parts:
    parts = urlsplit(address)
    steps = (parts.path or "/").split("/")
    odd_folder = not {"", ".", ".."}.isdisjoint(steps[1:-1])
    return _Parts(
        (parts.scheme, parts.netloc),
        steps,
        _tail(parts.query, parts.fragment),
        odd_folder,
        odd_folder or steps[-1] in {".", ".."},
    )


def root(path: str) -> str:
    """Return the way from a page in the folder `path` to the top of the output folder: `../` for each step."""
    return "../" * len([step for step in path.split("/") if step])


def web(address: str | None) -> str:
    """Return an http(s) address as it is, and "" for anything else: a page links nothing else (S-20, S-22)."""
    return address if address and address.lower().startswith(WEB) else ""


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many first steps two paths have in common."""
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return same


def _tail(query: str, fragment: str) -> str:
    return (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
