"""One build: posts and stored external entries → the output folder; no network (interface, `feedsvc build`)."""

from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.assets import Asset, apart
from feedsvc.collect.library import NO_FOLDER, Library, read_asset, scan
from feedsvc.collect.memory import Memory
from feedsvc.collect.posts_folder import Listing, beside
from feedsvc.compose.feeds import Plan, plan
from feedsvc.errors import PublishError
from feedsvc.model import Diagnostic, Document
from feedsvc.publish.folder import Published, publish
from feedsvc.publish.folder_state import published
from feedsvc.service.documents import NOTHING, Foreign, made
from feedsvc.service.dressing import PLAIN, Dress
from feedsvc.service.kept import Kept
from feedsvc.service.standing import Outcome, Standing, stand
from feedsvc.service.whole import Whole
from feedsvc.settings.tree import Project


class Built(Struct, frozen=True):
    """What a build did, and what it found wrong; `held` are documents whose last good version stands.

    `beside` are the files beside posts that are shown, whether or not they are there, by their paths below posts/.
    """

    library: Library
    plan: Plan
    published: Published
    held: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    documents: int
    beside: tuple[str, ...] = ()
    young: tuple[tuple[str, bytes], ...] = ()


def build(
    project: Project,
    now: datetime,
    foreign: Foreign = NOTHING,
    dress: Dress = PLAIN,
    there: Listing | None = None,
) -> Built:
    """Make the output folder hold what posts and store say; PublishError: what was published before stands.

    `there` is what lies in posts/, where that was asked already.
    """
    memory, kept = Memory.of(project, there), Kept.of(project)
    whole = Whole(project, foreign, memory)
    library = scan(project, now, memory)
    _refuse_nothing(project, library)
    chosen = plan(
        project.settings,
        library.entries,
        foreign.entries,
        foreign.sources,
        whole,
        now=now,
        reasons=False,
        tease=whole.tease,
        ahead=whole.ahead,
    )
    memory.save()
    ready = made(project.settings, chosen, foreign, dress, kept)
    shown = {item.entry.id for feed in chosen.whole for item in feed.items if item.entry.own}
    wanted = [asset for entry, assets in whole.wanted.items() if entry in shown for asset in assets]
    taken = {document.path for document in ready.documents} | set(ready.held)
    documents = [*ready.documents, *_assets(project, wanted, taken)]
    codings = project.settings.output.compress
    result = publish(documents, project.output, project.state, now=now, codings=codings, hold=ready.held)
    kept.save()
    found = {*library.diagnostics, *whole.found, *ready.diagnostics}
    diagnostics = sorted(found, key=lambda one: (one.path, one.line or 0, one.message))
    beside = tuple(asset.source for asset in wanted)
    return Built(library, chosen, result, ready.held, tuple(diagnostics), len(documents), beside, memory.young())


def _refuse_nothing(project: Project, library: Library) -> None:
    """Raise PublishError where the folder of posts is gone: feeds are not emptied for a volume that is not mounted.

    Who merges sources need not have the folder; but where it is there and cannot be read, nobody knows what it holds.
    """
    folder = str(PurePosixPath(project.settings.posts.directory))
    wrong = [one for one in library.diagnostics if one.path == folder]
    gone = [str(one) for one in wrong if one.code != NO_FOLDER or not project.settings.sources]
    if gone:
        raise PublishError("\n".join([*gone, "nothing was published; what was before still stands"]))


def of_posts(project: Project, now: datetime, there: Listing, dress: Dress) -> Outcome:
    """Build from posts alone, and keep for how long the next build would do the same."""
    done = build(project, now, dress=dress, there=there)
    told = outcome(done)
    around = tuple(beside(project.posts, path) for path in done.beside)
    same = replace(told, changed=0, removed=0)
    stand(
        project,
        there,
        dress,
        Standing(now, done.library.next_due, same, published(project.output), around, done.young),
    )
    return told


def outcome(done: Built) -> Outcome:
    """Return what a build did as its command tells it."""
    return Outcome(
        entries=len({item.entry.id for feed in done.plan.whole for item in feed.items}),
        waiting=len(done.library.waiting),
        feeds=len(done.plan.feeds),
        documents=done.documents,
        changed=len(done.published.changed),
        removed=len(done.published.removed),
        skipped=done.library.skipped,
        held=done.held,
        diagnostics=done.diagnostics,
    )


def _assets(project: Project, wanted: Iterable[Asset], taken: Collection[str]) -> list[Document]:
    """Read the files beside the posts that are shown; an address that a document of ours has stays its own."""
    files: dict[str, Document] = {}
    for asset in apart(wanted, taken):
        body = read_asset(project, asset)
        if body is not None:
            files[asset.path] = Document(asset.path, body, asset.media_type, asset.url)
    return list(files.values())
