"""A build of posts and of what the store holds; apart, since a build of posts alone needs no store."""

from datetime import datetime

from feedsvc.service.build import build, outcome
from feedsvc.service.dressing import Dress
from feedsvc.service.held import foreign_of, store_of
from feedsvc.service.standing import Outcome
from feedsvc.settings.tree import Project


def of_all(project: Project, now: datetime, dress: Dress) -> Outcome:
    """Build from posts and from what the store has of the sources."""
    with store_of(project, lambda: now) as store:
        return outcome(build(project, now, foreign_of(project, store, now), dress))
