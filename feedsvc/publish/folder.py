"""The output folder: how a new set of files takes the place of the old one.

`output` is a symbolic link to the current release in `<output>.releases/`; publishing builds a release beside it, in
which unchanged files are the same files, and replaces the link (V-19). Where a real folder stands there (a mounted
volume), files are replaced one by one, each whole; then only files that we wrote are ever removed, and `atomic` says
so.
"""

import json
import os
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from feedsvc.errors import PublishError
from feedsvc.model import Document
from feedsvc.publish import files
from feedsvc.publish.compress import SUFFIXES
from feedsvc.publish.difference import Difference, difference, twins_of

_EARLY = (".css", ".js", ".svg", ".png", ".html")
_MANIFEST = "published.json"


class Published(Struct, frozen=True):
    """What one publication did; paths of documents, without their compressed twins."""

    changed: tuple[str, ...]
    removed: tuple[str, ...]
    atomic: bool


def releases(output: Path) -> Path:
    """Return the folder that holds the releases of an output folder."""
    return output.with_name(f"{output.name}.releases")


def is_real(output: Path) -> bool:
    """Return whether a folder, or somebody else's link, stands where our link belongs: sets are then not atomic."""
    if output.is_symlink():
        return output.exists() and not _is_ours(output)
    return output.is_dir()


def _is_ours(output: Path) -> bool:
    """Return whether a link leads to a release, be it there or not; a link to itself leads nowhere."""
    return os.path.dirname(os.path.realpath(output)) == os.path.realpath(releases(output))


def publish(
    documents: Sequence[Document],
    output: Path,
    state: Path,
    *,
    now: datetime,
    codings: Sequence[str] = (),
    hold: Collection[str] = (),
) -> Published:
    """Make the output folder hold these documents and their twins, and nothing else of ours.

    `hold` names documents whose last good version stays as it is. A file whose bytes stay is not touched; when none
    changes, nothing is. PublishError: the old set stands whole. (N2, N3, V-18 to V-21)
    """
    try:
        if output.exists() and not output.is_dir():
            raise PublishError(f"{output}: is not a folder; move it away or change output.directory")
        if output.is_symlink() and not output.exists() and not _is_ours(output):
            reason = (
                f"is a link to {os.readlink(output)}, which is not there: mount or make that, or take the link away"
            )
            raise PublishError(f"{output}: {reason}; nothing was published")
        real = is_real(output)
        ours = _manifest(state) if real else frozenset(files.below(output)) if output.exists() else frozenset()
        _clear_up(output, state, ours, real=real)
        change = difference(documents, output, ours, now=now, codings=codings, hold=hold)
        if real and not change.write.keys() <= ours:
            _remember(state, ours | change.write.keys())  # before they are there: a run that is killed owns them
        if change.write or change.drop:
            (_in_place if real else _release)(output, change)
        if real and ours != change.keep | change.write.keys():
            _remember(state, change.keep | change.write.keys())
    except OSError as problem:
        raise PublishError(f"{output}: {problem}; what was published before still stands") from problem
    changed = sorted({document.path for document in documents} & change.write.keys())
    twins = {twin for path in ours for twin in twins_of(path)}
    return Published(tuple(changed), tuple(sorted(change.drop - twins)), not real)


def _clear_up(output: Path, state: Path, ours: Collection[str], *, real: bool) -> None:
    """Remove what runs that were killed have left: unfinished files, and releases that never became the current one.

    The output folder is never read while it is being cleared, so that nobody misses anything (N3).
    """
    home = releases(output)
    root = output.resolve()
    unused = () if real else home.glob("[0-9]*")
    for old in unused:
        if old.name > root.name:
            shutil.rmtree(old, ignore_errors=True)
    for place in {state, root, *((root / path).parent for path in ours)} if real else (home, output.parent):
        files.clear(place)


def _release(output: Path, change: Difference) -> None:
    home = releases(output)
    files.folder(home)
    fresh = files.unfinished(home)
    try:
        _fill(fresh, output, change)
    except OSError:  # half a release on a full disk leaves no room for the store
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    newest = max((int(old.name) for old in home.iterdir() if old.name.isdecimal()), default=0)
    done, before = home / f"{newest + 1:06}", output.resolve().name
    fresh.rename(done)
    files.flush([home])
    pointer = files.unfinished(output.parent)
    pointer.symlink_to(Path(home.name, done.name))
    pointer.replace(output)
    files.flush([output.parent])
    # Readers under way may still open files of the release before (V-19).
    for old in home.iterdir():
        if old.name not in (done.name, before):
            shutil.rmtree(old, ignore_errors=True)


def _fill(fresh: Path, output: Path, change: Difference) -> None:
    files.folder(fresh)
    for path in sorted(change.keep):
        files.folder((fresh / path).parent)
        files.link((output / path).resolve(), fresh / path)
    for path, new in change.write.items():
        files.folder((fresh / path).parent)
        files.write(fresh / path, new.body, new.mtime)
    files.flush([*(fresh / path for path in change.write), *(Path(place) for place, _, _ in os.walk(fresh))])


def _in_place(output: Path, change: Difference) -> None:
    root = output.resolve()
    for path in sorted(change.write, key=_turn):
        target = root / path
        files.folder(target.parent)
        if not target.parent.resolve().is_relative_to(root):
            raise PublishError(f"{target.parent}: leads out of the output folder; nothing is written through it")
        files.replace(target, change.write[path].body, change.write[path].mtime)
        files.flush([target.parent])
    for path in change.drop:
        if (root / path).parent.resolve().is_relative_to(root):
            (root / path).unlink(missing_ok=True)
        with suppress(OSError):  # folders that hold something else stay
            for parent in (root / path).relative_to(root).parents[:-1]:
                (root / parent).rmdir()


def _turn(path: str) -> tuple[int, bool, str]:
    """Order twins before their files, assets before pages before feeds: nothing new beside an old twin (V-11)."""
    plain = next((path.removesuffix(end) for end in SUFFIXES.values() if path.endswith(end)), path)
    rank = next((place for place, end in enumerate(_EARLY) if plain.endswith(end)), len(_EARLY))
    return rank, plain == path, path


def _manifest(state: Path) -> frozenset[str]:
    """Return the paths that we wrote; a list that is damaged is none, for what stands in it is removed (S-29)."""
    try:
        said = msgspec.json.decode((state / _MANIFEST).read_bytes(), type=list[str])
        return frozenset(path for path in said if files.safe(path))
    except (FileNotFoundError, ValueError, PublishError):
        return frozenset()


def _remember(state: Path, paths: frozenset[str]) -> None:
    files.folder(state)
    files.replace(state / _MANIFEST, json.dumps(sorted(paths), indent=0).encode(), 0)
