"""Values ↔ rows: what is remembered of a source, and its leases."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from feedsvc.collect.address import host_of
from feedsvc.collect.answers import Validators
from feedsvc.collect.pollstate import FeedHints, PollState, State

_PLAIN = ("wait", "gap", "moving_to", "moving_polls", "gone_polls", "body")
_MOMENTS = ("last_new", "moving_since", "gone_since", "missing_since", "unmodified_since", "refreshed")
_COLUMNS = (
    "url",
    "adopted",
    "reason",
    "last_start",
    "last_success",
    "last_error",
    "last_error_at",
    "errors",
    "blocked_until",
)
STATE = (*_COLUMNS, "state", "host", "next_poll_at", "validators_url", "etag", "modified", "memory")
"""The columns that hold a state."""


class Lease(Struct, frozen=True):
    """The right to ask one source until a moment; `token` is what a result must carry to be taken (Q-03).

    `state` is what is remembered of the source, as it was before the claim.
    """

    source: str
    state: PollState
    token: int
    until: datetime


def lease_of(row: Any, until: datetime) -> Lease:
    """Return the lease on a source that is claimed, from its row before that."""
    return Lease(row.id, state_of(row), row.lease_token + 1, until)


def state_of(row: Any) -> PollState:
    """Return what a row remembers of its source."""
    memory: Mapping[str, Any] = row.memory
    fields: dict[str, Any] = {name: getattr(row, name) for name in _COLUMNS}
    fields |= {name: memory[name] for name in _PLAIN if name in memory}
    fields |= {name: datetime.fromisoformat(memory[name]) for name in _MOMENTS if name in memory}
    hints = _hints(memory.get("hints", {}))
    return PollState(
        state=State(row.state), next_poll=row.next_poll_at, validators=_validators(row), hints=hints, **fields
    )


def columns_of(state: PollState) -> dict[str, Any]:
    """Return the columns that hold a state."""
    kept = state.validators
    moments = {name: found.isoformat() for name in _MOMENTS if (found := getattr(state, name))}
    return {
        **{name: getattr(state, name) for name in _COLUMNS},
        "state": state.state.value,
        "host": host_of(state.adopted or state.url),
        "next_poll_at": state.next_poll,
        "validators_url": kept.url if kept else None,
        "etag": _bytes(kept.etag if kept else None),
        "modified": _bytes(kept.modified if kept else None),
        "memory": {name: getattr(state, name) for name in _PLAIN} | moments | {"hints": _plain(state.hints)},
    }


def _validators(row: Any) -> Validators | None:
    if row.validators_url is None:
        return None
    return Validators(row.validators_url, _text(row.etag), _text(row.modified))


def _bytes(value: str | None) -> bytes | None:
    """Return the bytes that came over the wire: they are kept as such, whatever they are (F-01)."""
    return None if value is None else value.encode("latin-1")


def _text(value: bytes | None) -> str | None:
    return None if value is None else bytes(value).decode("latin-1")


def _plain(hints: FeedHints) -> dict[str, Any]:
    return {
        "ttl": hints.ttl,
        "update": hints.update,
        "skip_hours": sorted(hints.skip_hours),
        "skip_days": sorted(hints.skip_days),
    }


def _hints(plain: Mapping[str, Any]) -> FeedHints:
    return FeedHints(
        ttl=plain.get("ttl", 0.0),
        update=plain.get("update", 0.0),
        skip_hours=frozenset(plain.get("skip_hours", ())),
        skip_days=frozenset(plain.get("skip_days", ())),
    )
