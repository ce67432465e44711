"""How each source stands, for the operator: the document of `/status` and `feedsvc status --json` (V-29, SO-09)."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from feedsvc.collect.pacing import may_ask
from feedsvc.collect.pollstate import Policy, PollState, State
from feedsvc.settings.tree import Settings, Source
from feedsvc.store.sources import Remembered


class Status(Struct, frozen=True):
    """A source as it stands. `word` is `state` as people read it: also waiting and disabled. `entries` are stored."""

    id: str
    url: str
    state: State
    word: str
    last_success: datetime | None
    last_error: str | None
    last_error_at: datetime | None
    next_poll: datetime | None
    reason: str
    entries: int = 0


def statuses(settings: Settings, known: Mapping[str, Remembered], policy: Policy, now: datetime) -> tuple[Status, ...]:
    """Return every configured source in the order of the configuration, also those never asked or disabled."""
    return tuple(_status(source, known.get(source.id), policy, now) for source in settings.sources)


def document(found: Iterable[Status]) -> Mapping[str, object]:
    """Return the document of V-29: times RFC 3339 or null."""
    return {
        "sources": [
            {
                "id": one.id,
                "url": one.url,
                "state": str(one.state),
                "last_success": _time(one.last_success),
                "last_error": one.last_error,
                "next_poll": _time(one.next_poll),
                "reason": one.reason,
            }
            for one in found
        ]
    }


def _status(source: Source, known: Remembered | None, policy: Policy, now: datetime) -> Status:
    same = known if known and known.state.url == source.url else None
    state, pushed = (same.state, same.pushed) if same else (PollState(source.url), False)
    due = (state.next_poll if pushed else may_ask(state, policy, now)) if source.enabled else None
    return Status(
        id=source.id,
        url=source.url,
        state=state.state,
        word=_word(source, state),
        last_success=state.last_success,
        last_error=state.last_error or None,
        last_error_at=state.last_error_at,
        next_poll=due,
        reason=_reason(source, state, pushed=pushed),
        entries=known.entries if known else 0,
    )


def _reason(source: Source, state: PollState, *, pushed: bool) -> str:
    if not source.enabled:
        return "disabled in the configuration"
    return "push: its hub has news" if pushed else state.reason


def _word(source: Source, state: PollState) -> str:
    if not source.enabled:
        return "disabled"
    never = state.state is State.OK and state.last_success is None
    return "waiting" if never else str(state.state)


def _time(moment: datetime | None) -> str | None:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else None
