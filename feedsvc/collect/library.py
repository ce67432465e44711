"""The posts of a project: what their folder holds (posts_folder.py), as posts.py and settle.py say; an edge.

What is known of a file since the last build (memory.py) is not asked again.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.admission import Outcome
from feedsvc.collect.assets import Asset, wanted
from feedsvc.collect.cores import spread
from feedsvc.collect.memory import Known, Memory, Told
from feedsvc.collect.posts import PostRead, PostSite, read_post
from feedsvc.collect.posts_folder import (
    Listed,
    Raw,
    Unreadable,
    is_there,
    listing,
    post_file,
    real,
    shown,
    stamp_at,
    whole,
)
from feedsvc.collect.settle import settle
from feedsvc.collect.texts import Body, read_text
from feedsvc.model import Diagnostic, Entry, Level
from feedsvc.settings.tree import Project

LARGEST_POST = 2 * 1024 * 1024
LARGEST_ASSET = 20 * 1024 * 1024
FEW_FOR_A_CORE = 1000
NOWHERE = (0, 0, 0, 0, 0)
NO_FOLDER = "no-posts-folder"
"""The code that says that the folder of posts is not there."""


class Held(Struct, frozen=True):
    """A file of posts/ without entry: what became of it, why, in words, and the id and link it would have."""

    path: str
    key: str
    outcome: Outcome
    reason: str
    line: int = 1
    names: tuple[str, ...] = ()


class Library(Struct, frozen=True):
    """What posts/ holds: entries newest first and without text, those that wait soonest first, and the rest.

    `next_due` is the moment at which a scan would give something else though no file changed.
    """

    entries: tuple[Entry, ...]
    waiting: tuple[Entry, ...] = ()
    held: tuple[Held, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    next_due: datetime | None = None

    @property
    def skipped(self) -> int:
        """Return how many files are left out because of a fault, for `--strict`."""
        return sum(held.outcome is Outcome.SKIPPED for held in self.held)


class Completed(Struct, frozen=True):
    """An entry with its text, None where its file has changed meanwhile so that it may not be published.

    `wanted` are the files beside the post that it names, whether or not they are there.
    """

    entry: Entry | None
    diagnostics: tuple[Diagnostic, ...] = ()
    wanted: tuple[Asset, ...] = ()


def scan(project: Project, now: datetime, memory: Memory | None = None) -> Library:
    """Return what the posts of a project are at a moment. Never raises for what a file holds or is.

    `now` is aware; `memory` knows the files that were read before. Diagnostics are in path order.
    Source: B6, B7, D4, D7, D9, D11, F13, I4, I5, S-30.
    """
    site = PostSite.of(project)
    if _is_missing(project.posts):
        message = "there is no such folder: make it, or name another as posts.directory"
        return Library((), diagnostics=(Diagnostic(site.folder, 1, Level.ERROR, message, NO_FOLDER),))
    memory = Memory() if memory is None else memory
    there = memory.there or listing(project)
    reads = _reads(project.posts, there.files, site, memory)
    found = [*there.diagnostics, *(one for read in reads for one in read.diagnostics)]
    settled = settle([read.post for read in reads if read.post], now)
    held = [
        Held(read.path, read.key, read.outcome, read.reason, read.line, read.names) for read in reads if not read.post
    ]
    held.extend(_rival(each.entry, each.reason) for each in settled.rivals)
    diagnostics = sorted((*found, *settled.diagnostics), key=lambda one: (one.path, one.line or 0))
    return Library(settled.entries, settled.waiting, tuple(held), tuple(diagnostics), settled.next_due)


def _is_missing(folder: Path) -> bool:
    """Return whether there is no such folder; where nobody can tell, the listing says why."""
    try:
        return not folder.is_dir()
    except OSError:
        return False


def _reads(root: Path, files: Sequence[Listed], site: PostSite, memory: Memory) -> list[PostRead]:
    """Return what came of each file, in path order; those that are known are not read, of many each core reads some."""
    new = [file for file in files if memory.same(file) is None]
    met = spread(lambda part: [_met(root, file, site, memory) for file in part], new, Known, FEW_FOR_A_CORE)
    read = {file.path: known.read for file, known in zip(new, met, strict=True)}
    for file, known in zip(new, met, strict=True):
        if known.stamp == file.stamp:
            memory.learn(file.path, known)
    return [read.get(file.path) or memory.heads[file.path].read for file in files]


def _met(root: Path, file: Listed, site: PostSite, memory: Memory) -> Known:
    """Return what came of a file; the stamp of one that cannot be read is that of none."""
    raw = _raw(root, file.path, site)
    if isinstance(raw, PostRead):
        return Known(NOWHERE, b"", raw)
    return memory.known_by(raw, memory.equal(file.path, raw) or _without_text(read_post(raw.body, file.path, site)))


def _without_text(read: PostRead) -> PostRead:
    """Return what came of a file without its text: ten thousand of them would fill the memory."""
    return replace(read, body=Body())


def _rival(entry: Entry, reason: str) -> Held:
    return Held(entry.path, entry.key, Outcome.SKIPPED, reason, names=(entry.id, entry.link or ""))


def complete(project: Project, entry: Entry, memory: Memory | None = None) -> Completed:
    """Return an entry of `scan` with its text, from its file unless `memory` has it of the same one.

    Whether it may be published is asked again, for the file may have become a draft since.
    """
    site, memory = PostSite.of(project), Memory() if memory is None else memory
    path = _below(entry.path, site)
    stamp = stamp_at(os.path.join(project.posts, path))
    if told := memory.text(entry.path, stamp):
        return Completed(replace(entry, text=told.text), told.diagnostics, told.wanted)
    raw = _raw(project.posts, path, site)
    read = raw if isinstance(raw, PostRead) else read_post(raw.body, path, site)
    if read.post is None or read.post.entry.id != entry.id:
        message = f"the file changed while it was read, the post is left out: {read.reason or 'its id is another'}"
        return Completed(None, (*read.diagnostics, Diagnostic(entry.path, 1, Level.WARNING, message, "changed-file")))
    text, diagnostics = read_text(read.post.entry, read.body)
    full = replace(entry, text=text)
    asked = wanted(full, path, project.settings.output.url)
    if isinstance(raw, Raw) and raw.stamp == stamp:
        memory.learn_text(entry.path, raw, Told(text, diagnostics, asked))
    return Completed(full, diagnostics, asked)


def assets(project: Project, entry: Entry) -> tuple[Asset, ...]:
    """Return the media files beside a post that its entry names and that are there to be published with it.

    `entry` has its text. Each is a regular file inside posts/, no link out, not hidden, at most 20 MiB (S-30, S-32).
    """
    site = PostSite.of(project)
    asked = wanted(entry, _below(entry.path, site), project.settings.output.url)
    return tuple(asset for asset in asked if is_there(project.posts, asset.source, LARGEST_ASSET))


def read_asset(project: Project, asset: Asset) -> bytes | None:
    """Return the bytes of a media file beside a post, None where it is gone or not to be published."""
    try:
        return whole(real(project.posts, asset.source), LARGEST_ASSET).body
    except Unreadable:
        return None


def _below(path: str, site: PostSite) -> str:
    return path.removeprefix(f"{site.folder}/")


def _raw(root: Path, path: str, site: PostSite) -> Raw | PostRead:
    """Return the bytes of a file, else what it is left out for."""
    try:
        raw = post_file(root, path, LARGEST_POST)
        path.encode()
    except Unreadable as fault:
        return _skipped(path, site, f"the file is not read: {fault.reason}", fault.code)
    except UnicodeEncodeError:
        return _skipped(path, site, "the name of the file is not UTF-8: rename it", "bad-file-name")
    return raw


def _skipped(path: str, site: PostSite, reason: str, code: str) -> PostRead:
    named = shown(f"{site.folder}/{path}")
    found = Diagnostic(named, 1, Level.ERROR, reason, code)
    return PostRead(named, path, Outcome.SKIPPED, reason=reason, diagnostics=(found,))
