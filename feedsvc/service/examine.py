"""What `feedsvc check` looks at: every post whole, every published file, and the machine; writes nothing."""

import gzip
import mimetypes
import pyexpat
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from feedsvc.collect.library import complete, scan
from feedsvc.model import Diagnostic, Document, Level
from feedsvc.publish import files
from feedsvc.publish.check import faults
from feedsvc.publish.compress import SUFFIXES, missing
from feedsvc.publish.folder import is_real
from feedsvc.render.formats import FORMATS
from feedsvc.settings.tree import Project

_FEEDS = {form.file for form in FORMATS.values()}
_TYPES = {form.file: form.media_type for form in FORMATS.values()}


def posts(project: Project, now: datetime) -> Iterator[Diagnostic]:
    """Yield what is wrong with the posts, those that wait for their date and those that no feed shows included."""
    library = scan(project, now)
    yield from library.diagnostics
    for entry in (*library.entries, *library.waiting):
        yield from complete(project, entry).diagnostics


def published(project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with the published files; paths are shown below `output.directory`."""
    shown = project.settings.output.directory.rstrip("/")
    try:
        yield from _published(project, project.output, shown)
    except OSError as problem:
        yield _unreadable(shown, problem)


def _published(project: Project, output: Path, shown: str) -> Iterator[Diagnostic]:
    if not output.exists():
        yield Diagnostic(shown, None, Level.WARNING, "nothing is published yet; run `feedsvc build`", "not-published")
        return
    if is_real(output):
        message = "is a real folder: files are replaced one by one, so that readers can meet sets that are half new"
        yield Diagnostic(shown, None, Level.WARNING, message, "not-atomic")
    for path in files.below(output):
        yield from _file(project, output, shown, path)


def _file(project: Project, output: Path, shown: str, path: str) -> Iterator[Diagnostic]:
    plain, suffix = path, Path(path).suffix
    if suffix in SUFFIXES.values():
        plain = path.removesuffix(suffix)
        yield from _twin(output, shown, path, plain)
        return
    try:
        body = (output / path).read_bytes()
    except OSError as problem:
        yield _unreadable(f"{shown}/{path}", problem)
        return
    name = path.rpartition("/")[2]
    media_type = _TYPES.get(name) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name in _FEEDS or suffix in (".html", ".opml"):
        feed = path.removesuffix(name).rstrip("/") or "posts" if name in _FEEDS else ""
        document = Document(f"{shown}/{path}", body, media_type, project.settings.output.url + path, feed)
        yield from faults(document)


def _unreadable(path: str, problem: OSError) -> Diagnostic:
    return Diagnostic(path, None, Level.ERROR, f"can't be read: {problem.strerror}", "unreadable-file")


def _twin(output: Path, shown: str, path: str, plain: str) -> Iterator[Diagnostic]:
    """Yield what is wrong with a compressed twin: nginx sends it in place of its file (V-11)."""
    if not (output / plain).is_file():
        yield Diagnostic(f"{shown}/{path}", None, Level.ERROR, f"has no {plain} beside it; remove it", "stray-twin")
        return
    try:
        same = (
            not path.endswith(".gz") or gzip.decompress((output / path).read_bytes()) == (output / plain).read_bytes()
        )
    except (OSError, EOFError, ValueError):
        same = False
    if not same:
        message = f"does not hold the bytes of {plain}; run `feedsvc build` after removing both"
        yield Diagnostic(f"{shown}/{path}", None, Level.ERROR, message, "stale-twin")


def machine(project: Project) -> Iterator[Diagnostic]:
    """Yield what this machine lacks or has too old (X-10, V-36), and codings whose package is not installed."""
    for coding in project.settings.output.compress:
        package = missing(coding)
        if package:
            message = (
                f'output.compress asks for "{coding}", which needs the package {package}: install feedsvc[codings]'
            )
            yield Diagnostic("config", None, Level.ERROR, message, "missing-package")
    expat = tuple(int(part) for part in pyexpat.EXPAT_VERSION.removeprefix("expat_").split("."))
    if expat < (2, 7, 5):
        slow = "slow on huge tokens (CVE-2023-52425) and " if expat < (2, 6, 0) else ""
        message = (
            f"expat {'.'.join(map(str, expat))} is {slow}older than 2.7.5: update Python; our guards stand before it"
        )
        yield Diagnostic("machine", None, Level.WARNING, message, "old-expat")
    if sqlite3.sqlite_version_info < (3, 51, 3) and project.store_url.startswith("sqlite"):
        message = f"SQLite {sqlite3.sqlite_version} is older than 3.51.3: keep to one process on a store (V-36)"
        yield Diagnostic("machine", None, Level.WARNING, message, "old-sqlite")
