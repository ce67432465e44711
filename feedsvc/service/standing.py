"""Whether a build would change nothing at all: the least that has to be looked at, and nothing else is imported.

A build without sources is decided by the files of posts/ and those beside them, the configuration, templates and assets
of one's own, the program, and the moments at which a post falls due. Where all of these, and every published file, are
as they were after the last build, the next one would do what that one did: nothing is left to do but to say so.
"""

import os
from datetime import datetime

from msgspec import Struct

from feedsvc.collect.cache import Cache, digest, program
from feedsvc.collect.posts_folder import Beside, Listing, beside, digest_of
from feedsvc.model import Diagnostic
from feedsvc.publish.folder_state import Found, published
from feedsvc.service.dressing import Dress
from feedsvc.settings.tree import Project

_NAME = "standing"
_MOST_YOUNG = 256


class Outcome(Struct, frozen=True):
    """What a build did, as its command tells it; `held` are documents whose last good version stands."""

    entries: int
    waiting: int
    feeds: int
    documents: int
    changed: int
    removed: int
    skipped: int
    held: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


class Standing(Struct, frozen=True):
    """What an outcome stands on besides its key: from when until when, and files that are not among the posts.

    `young` are posts that could have changed without another stamp, with the digests of their bytes.
    """

    since: datetime
    until: datetime | None
    outcome: Outcome
    published: tuple[Found, ...]
    beside: tuple[Beside, ...]
    young: tuple[tuple[str, bytes], ...]


def stands(project: Project, now: datetime, there: Listing, dress: Dress) -> Outcome | None:
    """Return what a build would do where it would change nothing, None where it has to be made."""
    last = Cache(project.state).load(_NAME, Standing, _key(project, there, dress))
    if last is None or now < last.since or (last.until is not None and now >= last.until):
        return None
    posts = project.posts
    fresh = (
        last.published == published(project.output)
        and all(beside(posts, one.path) == one for one in last.beside)
        and all(digest_of(posts, path) == known for path, known in last.young)
    )
    return last.outcome if fresh else None


def stand(project: Project, there: Listing, dress: Dress, standing: Standing) -> None:
    """Keep what a build did, for as long as it would do the same again; posts that are links are not kept track of."""
    if not (standing.outcome.held or len(standing.young) > _MOST_YOUNG or any(not file.stamp for file in there.files)):
        Cache(project.state).save(_NAME, standing, _key(project, there, dress))


def _key(project: Project, there: Listing, dress: Dress) -> bytes:
    """Return what decides a build before anything is read; who builds is part of it, for not all may read all."""
    places = (*map(os.fsencode, (project.posts, project.output, project.config)), os.geteuid())
    files = [(os.fsencode(file.path), file.stamp) for file in there.files]
    mine = (dress.templates, sorted(dress.assets.items()))
    return digest(program(), project.settings, places, files, there.diagnostics, mine)
