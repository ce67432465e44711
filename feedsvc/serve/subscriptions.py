"""Subscriptions to the hubs of sources: what a hub may say of them, and when it is asked again (W-01 to W-06)."""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256, sha384, sha512
from typing import Annotated

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from feedsvc.patterns import pattern

LEAST_LEASE, LONGEST_LEASE = timedelta(hours=1), timedelta(days=30)
ASKED_LEASE = timedelta(days=10)
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=5), timedelta(days=1)
BETWEEN_PUSHES = timedelta(seconds=60)
TOKEN = pattern(r"[A-Za-z0-9_-]{43}")
"""What ends the address of a callback: 32 random bytes."""
_HASHES = {"sha256": sha256, "sha384": sha384, "sha512": sha512}
_Moment = Annotated[datetime, msgspec.Meta(tz=True)]
_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class State(StrEnum):
    """How a subscription stands: asked for and not confirmed, confirmed, on its way out, or refused by the hub."""

    PENDING = "pending"
    ACTIVE = "active"
    LEAVING = "leaving"
    DENIED = "denied"


class Subscription(Struct, frozen=True):
    """A source's topic at its hub. `token` makes our callback's address, which nobody can guess; `secret` signs.

    `lease` is in seconds; `until` is when it ends; `next_try` when we ask the hub again; `pushed` the last good push.
    """

    source: str
    topic: str
    hub: str
    token: str
    secret: str
    state: State = State.PENDING
    lease: float = 0.0
    until: _Moment = _NO_TIME
    next_try: _Moment = _NO_TIME
    tries: int = 0
    pushed: _Moment = _NO_TIME


def fresh(source: str, topic: str, hub: str) -> Subscription:
    """Return a new subscription with a secret and an address of its own (W-03: well below 200 bytes)."""
    return Subscription(source, topic, hub, secrets.token_urlsafe(32), secrets.token_urlsafe(48))


def wanted(
    now_there: Sequence[Subscription], offers: Mapping[str, tuple[str, str]], now: datetime
) -> tuple[Subscription, ...]:
    """Return the subscriptions for what sources offer (source → topic and hub): known ones stay, others come or leave.

    One whose source or hub is no longer there is left; without ever having been confirmed, it is forgotten.
    """
    kept: list[Subscription] = []
    for one in now_there:
        if offers.get(one.source) == (one.topic, one.hub):
            kept.append(replace(one, state=State.PENDING) if one.state is State.LEAVING else one)
        elif one.state is State.ACTIVE and one.until > now:
            kept.append(replace(one, state=State.LEAVING, next_try=now, tries=0))
        elif one.state is State.LEAVING and one.until > now:
            kept.append(one)
    held = {one.source for one in kept if one.state is not State.LEAVING}
    return (*kept, *(fresh(source, *offer) for source, offer in offers.items() if source not in held))


def is_due(one: Subscription, now: datetime) -> bool:
    """Return whether the hub is asked now: at first, when less than a tenth of the lease is left (W-04), to leave."""
    if one.next_try > now:
        return False
    if one.state is State.ACTIVE:
        return (one.until - now).total_seconds() < one.lease / 10
    return True


def request(one: Subscription, callback: str) -> Mapping[str, str]:
    """Return the form that asks the hub; `callback` is the address of this subscription."""
    leaving = one.state is State.LEAVING
    form = {"hub.mode": "unsubscribe" if leaving else "subscribe", "hub.topic": one.topic, "hub.callback": callback}
    lease = str(int(ASKED_LEASE.total_seconds()))
    return form if leaving else {**form, "hub.secret": one.secret, "hub.lease_seconds": lease}


def asked(one: Subscription, now: datetime) -> Subscription:
    """Return a subscription after its hub was asked, with or without success: waits double to a day (W-04)."""
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(one.tries, 10))
    return replace(one, tries=one.tries + 1, next_try=now + wait)


def confirmed(
    one: Subscription, said: Mapping[str, str], now: datetime
) -> tuple[Subscription | None, str | None] | None:
    """Return what a hub's verification makes of a subscription, and the challenge to echo; None for 404 (W-02, W-06).

    A subscription of None is at its end. Only what we asked for is confirmed.
    """
    if said.get("hub.topic") != one.topic:
        return None
    mode, challenge = said.get("hub.mode"), said.get("hub.challenge", "")
    if mode == "denied":
        return replace(one, state=State.DENIED, next_try=now + LONGEST_WAIT, tries=0), ""
    if not challenge or not one.tries:
        return None
    if mode == "unsubscribe":
        return (None, challenge) if one.state is State.LEAVING else None
    if mode != "subscribe" or one.state is State.LEAVING or (one.state is State.ACTIVE and one.next_try <= now):
        return None
    lease = _lease(said.get("hub.lease_seconds", ""))
    settled = replace(one, state=State.ACTIVE, lease=lease.total_seconds(), until=now + lease, next_try=now, tries=0)
    return settled, challenge


def is_signed(one: Subscription, header: str, body: bytes) -> bool:
    """Return whether a push bears the secret of its subscription, compared in constant time (W-03)."""
    name, _, signature = header.strip().partition("=")
    kind = _HASHES.get(name.lower())
    if kind is None:
        return False
    made = hmac.new(one.secret.encode(), body, kind).hexdigest()
    return hmac.compare_digest(made.encode(), signature.lower().encode())


def pushed(one: Subscription, now: datetime) -> Subscription | None:
    """Return a subscription whose push makes its source due, None for one too soon after the last (W-05)."""
    live = one.state is State.ACTIVE and one.until > now
    return replace(one, pushed=now) if live and now - one.pushed >= BETWEEN_PUSHES else None


def plain(one: Subscription) -> dict[str, object]:
    """Return a subscription as JSON can hold it."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(one).items()}


def read(body: bytes) -> list[Subscription]:
    """Return the subscriptions that were written down; ValueError for what are none."""
    return msgspec.json.decode(body, type=list[Subscription])


def _lease(text: str) -> timedelta:
    """Return the lease that a hub grants, between an hour and 30 days; what we asked for where it says none (W-06)."""
    seconds = int(text) if text.isdecimal() and len(text) < 12 else int(ASKED_LEASE.total_seconds())
    return min(LONGEST_LEASE, max(LEAST_LEASE, timedelta(seconds=seconds)))
