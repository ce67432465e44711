"""The configuration file as one frozen value; all that is wrong with it at once."""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from feedsvc.errors import ConfigError
from feedsvc.model import Diagnostic, Level
from feedsvc.settings.contradictions import NOWHERE, contradictions
from feedsvc.settings.defaults import completed
from feedsvc.settings.faults import Fault, dotted, shown
from feedsvc.settings.shape import shaped
from feedsvc.settings.spots import BYTE_ORDER_MARK, spots
from feedsvc.settings.tree import Project, Settings

MOST_BYTES = 8 * 1024 * 1024
SQLITE = "sqlite:///"
SYNTAX = r"(?P<what>.*) \(at (?:line (?P<line>[0-9]+), column (?P<column>[0-9]+)|end of document)\)"

HINTS = {
    "Invalid value": "; text needs quotes",
    "Expected '=' after a key in a key/value pair": "; write key = value",
}


def load(path: Path) -> Project:
    """Return the project that a configuration file describes.

    Relative paths resolve against the project folder: the file's folder, or its parent when that is called `config`.
    Raises ConfigError with a diagnostic for each fault, or for a file that cannot be read.
    """
    config = Path(os.path.abspath(path))
    root = config.parent.parent if config.parent.name == "config" else config.parent
    settings = _examined(_text(path), str(path), str(root))
    return project(settings, config, root)


def read(text: str, path_shown: str) -> Settings:
    """Return the settings that a text holds, complete; raise ConfigError with a diagnostic for each fault."""
    return _examined(text, path_shown, NOWHERE)


def project(settings: Settings, config: Path, root: Path) -> Project:
    """Return settings with their paths made absolute. The state folder is the one of the SQLite file, else `var`."""
    url = settings.store.url
    file = root / url.removeprefix(SQLITE) if url.startswith(SQLITE) else None
    return Project(
        settings=settings,
        config=config,
        root=root,
        posts=_below(root, settings.posts.directory),
        output=_below(root, settings.output.directory),
        state=_below(root, "var") if file is None else _below(root, str(file.parent)),
        store_url=url if file is None else f"{SQLITE}{_below(root, str(file))}",
    )


def _below(root: Path, text: str) -> Path:
    return Path(os.path.normpath(root / text))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _refused(path, None, "does not exist; `feedsvc init` writes one, --config names another") from None
    except OSError as reason:
        raise _refused(path, None, f"cannot be read: {reason.strerror}") from reason
    if len(raw) > MOST_BYTES:
        raise _refused(path, None, "is larger than 8 MiB")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = raw.count(b"\n", 0, reason.start) + 1
        raise _refused(path, line, f"is not UTF-8: byte 0x{raw[reason.start]:02x}; save the file as UTF-8") from None


def _refused(path: Path, line: int | None, message: str) -> ConfigError:
    return ConfigError([Diagnostic(str(path), line, Level.ERROR, message, "bad-config")])


def _examined(text: str, path_shown: str, root: str) -> Settings:
    raw = _parsed(text, path_shown)
    settings, faults = shaped(raw)
    faults = (*faults, *contradictions(settings, raw, [fault.place for fault in faults], root))
    if faults:
        raise ConfigError(_located(faults, text, path_shown))
    return completed(settings)


def _parsed(text: str, path_shown: str) -> Mapping[str, object]:
    """Return what TOML says; tomllib raises plain ValueError for numbers of thousands of digits."""
    try:
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except RecursionError:
        raise ConfigError([Diagnostic(path_shown, None, Level.ERROR, "is nested too deep", "bad-toml")]) from None
    except ValueError as reason:
        line, message = _syntax(str(reason), text)
        raise ConfigError([Diagnostic(path_shown, line, Level.ERROR, message, "bad-toml")]) from None


def _syntax(reason: str, text: str) -> tuple[int | None, str]:
    """Return the line of a syntax error and what is wrong there."""
    found = re.fullmatch(SYNTAX, reason, re.DOTALL)
    if not found:
        return None, f"is no valid TOML: {reason}"
    last = text.rstrip().count("\n") + 1
    column = f", column {found['column']}" if found["column"] else ", at the end of the file"
    line, hint = int(found["line"] or last), HINTS.get(found["what"], "")
    if found["what"] == "Cannot overwrite a value":
        key = text.split("\n")[line - 1].partition("=")[0].strip()
        hint = f"; {shown(key)} stands here a second time: take one of them out"
    return line, f"is no valid TOML: {found['what']}{column}{hint}"


def _located(faults: Sequence[Fault], text: str, path_shown: str) -> list[Diagnostic]:
    """Return faults as diagnostics, in the order of the file."""
    where = spots(text)
    found = []
    for fault in faults:
        other = f" (line {where.line(fault.other)})" if fault.other in where.starts else ""
        message = f"{dotted(fault.place)}: {fault.message}{other}"
        found.append(Diagnostic(path_shown, where.line(fault.place), Level.ERROR, message, fault.code))
    return sorted(found, key=lambda one: one.line or 0)
