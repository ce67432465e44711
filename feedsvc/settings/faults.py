"""What is wrong with a configuration, before its line is known."""

import difflib
from collections.abc import Iterable, Sequence

import msgspec

Place = tuple[str | int, ...]
"""The way to a value: keys, and indices of arrays from 0."""


class Unfit(ValueError):  # noqa: N818 - never leaves this room; a value is unfit, nothing failed
    """A value of the right type that cannot be meant; says what is wrong and what to write instead."""


class Fault(msgspec.Struct, frozen=True):
    """One fault: the key it stands at, what is wrong, and the key it contradicts, where there is one."""

    place: Place
    message: str
    code: str
    other: Place | None = None


def dotted(place: Place) -> str:
    """Return the name of a key as messages show it: `feeds[0].limit`; keys that are not bare are quoted."""
    name = ""
    for part in place:
        if isinstance(part, int):
            name += f"[{part}]"
        else:
            name += ("." if name else "") + (part if _bare(part) else shown(part))
    return name


def shown(text: str, most: int = 60) -> str:
    """Return a value as a message may hold it: quoted, on one line, control and format characters escaped (S-36)."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return '"' + "".join(one if one.isprintable() and one not in '"\\' else _escaped(one) for one in cut) + '"'


def nearest(text: str, known: Iterable[str]) -> str | None:
    """Return the known word that was most likely meant, None when none is near."""
    by_form = {folded(word): word for word in known}
    asked = folded(text)
    close = difflib.get_close_matches(asked, by_form, n=1, cutoff=0.6)
    close += [form for form in by_form if len(asked) > 1 and (form.startswith(asked) or asked.startswith(form))]
    return by_form[close[0]] if close else None


def meant(text: str, known: Sequence[str]) -> str:
    """Return the end of a message: the nearest known word, else all of them."""
    near = nearest(text, known)
    return f"did you mean {shown(near)}?" if near else f"known here: {', '.join(known)}"


def folded(key: str) -> str:
    """Return a key without what people mix up: case, and - for _."""
    return key.casefold().replace("-", "_")


def _bare(key: str) -> bool:
    return key != "" and key.isascii() and key.replace("-", "").replace("_", "a").isalnum()


def _escaped(one: str) -> str:
    if one in '"\\':
        return "\\" + one
    return f"\\u{ord(one):04x}" if ord(one) <= 0xFFFF else f"\\U{ord(one):08x}"
