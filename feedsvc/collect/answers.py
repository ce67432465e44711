"""What a server was asked and what came of it, as frozen values; never an exception for what a server does.

    Ask ──▶ Fetched      a whole body, decoded: whether it is a feed, the parser says
        ├─▶ NotModified  a 304 to validators that were sent
        └─▶ Failed       everything else, with a short code and plain words for `status`

Header names are in lower case; values are latin-1 text, so that `value.encode("latin-1")` gives back the bytes that
came over the wire (F-01).
"""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field


class Validators(Struct, frozen=True):
    """What the last good answer of `url` called its version; opaque latin-1 text, None what it did not give."""

    url: str
    etag: str | None = None
    modified: str | None = None

    def __bool__(self) -> bool:
        return self.etag is not None or self.modified is not None


class Ask(Struct, frozen=True):
    """One poll: where to, and the validators to send; they are sent to `validators.url` and nowhere else (F-05)."""

    url: str
    validators: Validators | None = None


class Hop(Struct, frozen=True):
    """A redirect that was followed: who sent it, with which status and headers."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)


class Fetched(Struct, frozen=True):
    """A whole body from `url`, where the chain of redirects ended.

    `raw` counts the bytes that came over the wire, `body` is decoded; `seconds` is the time the exchange took.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    raw: int
    coding: str = ""
    chain: tuple[Hop, ...] = ()
    seconds: float = 0.0

    @property
    def validators(self) -> Validators:
        """Return what to send next time; not to be stored for a part (226) nor for a body that is no feed (F-06)."""
        return validators_of(self.url, self.headers)


class NotModified(Struct, frozen=True):
    """A 304 to validators that were sent."""

    url: str
    headers: Mapping[str, str]
    chain: tuple[Hop, ...] = ()
    seconds: float = 0.0

    @property
    def status(self) -> int:
        """Return 304."""
        return 304


class Failed(Struct, frozen=True):
    """No body to be read.

    `kind` is a short code, one of KINDS; `message` says the same in plain words, for `status` and the log (S-07: never
    for the public). `status` is None where no answer came. `until`: for `held`, when the host may be asked again.
    """

    kind: str
    message: str
    url: str
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    chain: tuple[Hop, ...] = ()
    seconds: float = 0.0
    until: datetime | None = None


class Posted(Struct, frozen=True):
    """A form that was taken with a 2xx."""

    url: str
    status: int
    headers: Mapping[str, str]


Answer = Fetched | NotModified | Failed

KINDS: Mapping[str, str] = {
    "bad-address": "the address itself is not one that is asked (S-01)",
    "refused-address": "its host has an address that is not public (S-04)",
    "dns": "the name of the host was not found",
    "connect": "no connection to the host",
    "tls": "the certificate or the encryption failed",
    "closed": "the server closed the connection without an answer",
    "timeout": "polling.timeout passed (S-12)",
    "slow": "less than 100 bytes a second (S-18)",
    "bad-answer": "not an answer in HTTP, or beyond its limits (S-17)",
    "status": "a status that is no success",
    "unasked-304": "a 304 though no validator was sent (F-10)",
    "redirects": "a redirect that leads nowhere: a loop, too many hops, no target (F-34)",
    "coding": "a content coding that is not read (S-15)",
    "size": "larger than allowed (S-13, S-14)",
    "cut": "the body ended before its end (S-16)",
    "empty": "a body without a byte (F-49)",
    "held": "not asked: the host said when to come again (F-18)",
    "stopped": "feedsvc is shutting down",
}


def validators_of(url: str, headers: Mapping[str, str]) -> Validators:
    """Return the validators of an answer; a value that cannot be sent back whole counts as not given (S-35)."""
    return Validators(url, sendable(headers.get("etag")), sendable(headers.get("last-modified")))


def renewed(validators: Validators, headers: Mapping[str, str]) -> Validators:
    """Return validators after a 304: those it carries are replaced, the others stay (F-03)."""
    given = validators_of(validators.url, headers)
    return Validators(
        validators.url,
        validators.etag if given.etag is None else given.etag,
        validators.modified if given.modified is None else given.modified,
    )


def sendable(value: str | None) -> str | None:
    """Return a value that can be a header of ours, None where it is empty or would break out of it (S-35)."""
    return value if value and not set(value) & {"\r", "\n", "\0"} else None
