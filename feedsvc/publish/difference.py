"""What changes between the published files and the documents that should stand there."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field

from feedsvc.model import Document
from feedsvc.publish import files
from feedsvc.publish.compress import SMALLEST, SUFFIXES, compressor


class Write(Struct, frozen=True):
    """Bytes that will stand at a path, with the time they get."""

    body: bytes
    mtime: float


class Difference(Struct, frozen=True):
    """Files to write, to leave as they are, and to remove; all by path below the output folder."""

    write: Mapping[str, Write]
    keep: frozenset[str]
    drop: frozenset[str]


class _Draft(Struct):
    output: Path
    now: datetime
    codings: Sequence[str]
    write: dict[str, Write] = field(default_factory=dict)
    keep: set[str] = field(default_factory=set)

    def take(self, document: Document) -> None:
        place = self.output / files.safe(document.path)
        equal = standing(self.output, document.path) == document.body
        # Siblings have one time (V-11); a twin with another is what a killed run left of a version never published.
        stamp = place.stat().st_mtime if equal else files.later(self.now, place)
        if equal:
            self.keep.add(document.path)
        else:
            self.write[document.path] = Write(document.body, stamp)
        for coding in self.codings if len(document.body) >= SMALLEST else ():
            twin = f"{document.path}{SUFFIXES[coding]}"
            if equal and _mtime(self.output / twin) == stamp:
                self.keep.add(twin)
            else:
                self.write[twin] = Write(compressor(coding)(document.body), stamp)


def _mtime(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return None


def standing(output: Path, path: str) -> bytes | None:
    """Return the published bytes of a document, None when there are none."""
    try:
        return (output / files.safe(path)).read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None


def twins_of(path: str) -> list[str]:
    """Return every path that a compressed twin of a document may have."""
    return [f"{path}{suffix}" for suffix in SUFFIXES.values()]


def difference(
    documents: Iterable[Document],
    output: Path,
    ours: frozenset[str],
    *,
    now: datetime,
    codings: Sequence[str],
    hold: Collection[str],
) -> Difference:
    """Compare documents with the folder; `ours` are the paths there that we wrote, `hold` those that stay."""
    draft = _Draft(output, now, codings)
    for path in hold:
        draft.keep.update(ours.intersection([path, *twins_of(path)]))
    for document in documents:
        if document.path not in hold:
            draft.take(document)
    return Difference(draft.write, frozenset(draft.keep), ours - draft.keep - draft.write.keys())
