"""A build of posts and of what the store holds; apart, since a build of posts alone needs no store."""

from datetime import datetime, timedelta

from feedsvc.service.build import Built, build, outcome
from feedsvc.service.dressing import Dress
from feedsvc.service.foreign import foreign_of
from feedsvc.service.held import store_of
from feedsvc.service.standing import Outcome
from feedsvc.settings.tree import Project
from feedsvc.store.store import Store


def of_all(project: Project, now: datetime, dress: Dress) -> Outcome:
    """Build from posts and from what the store has of the sources."""
    with store_of(project, lambda: now) as store:
        return outcome(build(project, now, foreign_of(project, store, now), dress))


def built_and_tidied(project: Project, store: Store, now: datetime, dress: Dress) -> Built:
    """Build from posts and store, then forget what left its source and every feed for longer than `retention`."""
    done = build(project, now, foreign_of(project, store, now), dress)
    keep = {(item.entry.source, item.entry.key) for feed in done.plan.whole for item in feed.items}
    retention = timedelta(seconds=project.settings.store.retention)
    # Retention begins when the last feed lets go, a tenth of it more or less: so much less is written.
    store.hold(now - retention / 10, keep, now)
    store.forget(now - retention, keep)
    return done
