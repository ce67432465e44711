"""One build: posts and stored external entries → the output folder; no network (interface, `feedsvc build`)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from feedsvc.collect.assets import apart
from feedsvc.collect.library import NO_FOLDER, Library, assets, complete, read_asset, scan
from feedsvc.collect.memory import Memory
from feedsvc.compose.feeds import Plan, plan
from feedsvc.errors import PublishError
from feedsvc.model import Diagnostic, Document, Entry
from feedsvc.publish.folder import Published, publish
from feedsvc.service.documents import NOTHING, PLAIN, Dress, Foreign, made
from feedsvc.settings.tree import Project


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did, and what it found wrong; `held` are documents whose last good version stands."""

    library: Library
    plan: Plan
    published: Published
    held: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    documents: int


def planned(
    project: Project, now: datetime, foreign: Foreign, memory: Memory
) -> tuple[Library, Plan, list[Diagnostic]]:
    """Read the posts and decide what each feed holds; writes nothing.

    Where the folder of posts is gone and nothing else feeds the feeds, PublishError: it may be a volume not mounted.
    """
    library = scan(project, now, memory)
    found = list(library.diagnostics)
    if not project.settings.sources and any(one.code == NO_FOLDER for one in found):
        raise PublishError("\n".join(map(str, found)) + "\nnothing was published; what was before still stands")

    def whole(entry: Entry) -> Entry | None:
        if not entry.own:
            return foreign.whole(entry)
        done = complete(project, entry, memory)
        found.extend(done.diagnostics)
        return done.entry

    chosen = plan(project.settings, library.entries, foreign.entries, foreign.sources, whole, now=now)
    return library, chosen, found


def build(project: Project, now: datetime, foreign: Foreign = NOTHING, dress: Dress = PLAIN) -> Built:
    """Make the output folder hold what posts and store say; PublishError: what was published before stands."""
    memory = Memory.of(project)
    library, chosen, found = planned(project, now, foreign, memory)
    memory.save()
    ready = made(project.settings, chosen.feeds, foreign, dress)
    taken = {document.path for document in ready.documents} | set(ready.held)
    whole = [*ready.documents, *_assets(project, chosen, taken)]
    codings = project.settings.output.compress
    published = publish(whole, project.output, project.state, now=now, codings=codings, hold=ready.held)
    diagnostics = sorted({*found, *ready.diagnostics}, key=lambda one: (one.path, one.line or 0, one.message))
    return Built(library, chosen, published, ready.held, tuple(diagnostics), len(whole))


def _assets(project: Project, chosen: Plan, taken: Collection[str]) -> list[Document]:
    """Read the files beside the posts that are shown; an address that a document of ours has stays its own."""
    shown = {item.entry.id: item.entry for feed in chosen.feeds for item in feed.items if item.entry.own}
    files: dict[str, Document] = {}
    wanted = [asset for entry in shown.values() for asset in assets(project, entry)]
    for asset in apart(wanted, taken):
        body = read_asset(project, asset)
        if body is not None:
            files[asset.path] = Document(asset.path, body, asset.media_type, asset.url)
    return list(files.values())
