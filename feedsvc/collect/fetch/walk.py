"""Where a poll stands on its way through redirects, and what the next request of it carries. Pure."""

from datetime import datetime
from http import HTTPStatus

from msgspec import Struct
from msgspec.structs import replace

from feedsvc.collect.address import redirect_target
from feedsvc.collect.answers import Failed, Hop, Validators, sendable
from feedsvc.collect.codings import ACCEPT_ENCODING
from feedsvc.collect.fetch.exchange import BrokenError
from feedsvc.collect.fetch.transport import Reply

ACCEPT = (
    "application/atom+xml, application/rss+xml;q=0.9, application/feed+json;q=0.8, application/rdf+xml;q=0.7, "
    "application/xml;q=0.6, text/xml;q=0.5, */*;q=0.1"
)
MAX_HOPS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
SAME_METHOD = frozenset({307, 308})


class Walk(Struct, frozen=True):
    """One poll on its way: `url` is asked next, `chain` lies behind. `form` makes it a POST."""

    url: str
    now: datetime
    validators: Validators | None = None
    form: bytes | None = None
    chain: tuple[Hop, ...] = ()

    @property
    def method(self) -> str:
        """Return GET, or POST where there is a form."""
        return "GET" if self.form is None else "POST"

    @property
    def conditional(self) -> bool:
        """Return whether the request to `url` carries validators: only those that this very URL gave (F-05, S-11)."""
        return self.form is None and bool(self.validators) and self.validators.url == self.url  # type: ignore[union-attr]

    def headers(self, user_agent: bytes) -> dict[str, bytes]:
        """Return what the request carries, and nothing else (F-07, F-41 to F-44); validators byte for byte (F-01)."""
        headers = {
            "User-Agent": user_agent,
            "Accept": ACCEPT.encode("ascii"),
            "Accept-Encoding": ACCEPT_ENCODING.encode("ascii"),
        }
        if self.form is not None:
            headers["Content-Type"] = b"application/x-www-form-urlencoded"
        if self.conditional and self.validators is not None:
            sent = {"If-None-Match": self.validators.etag, "If-Modified-Since": self.validators.modified}
            headers |= {name: kept.encode("latin-1") for name, value in sent.items() if (kept := sendable(value))}
        return headers

    def leads_on(self, status: int) -> bool:
        """Return whether an answer is a redirect; a form is sent on by 307 and 308 only."""
        return status in (REDIRECTS if self.form is None else SAME_METHOD)

    def onward(self, reply: Reply) -> "Walk":
        """Return the walk after a redirect; BrokenError where that leads nowhere (F-34, S-09)."""
        chain = (*self.chain, Hop(self.url, reply.status, reply.headers))
        target = redirect_target(self.url, reply.headers.get("location", ""))
        if target is None or "location" in reply.many:
            raise BrokenError("redirects", f"{named(reply.status)} without one address to go on to")
        if len(chain) > MAX_HOPS:
            raise BrokenError("redirects", f"more than {MAX_HOPS} redirects")
        if target in {hop.url for hop in chain}:
            raise BrokenError("redirects", "the redirects lead round in a circle")
        return replace(self, url=target, chain=chain)

    def failed(self, kind: str, message: str, reply: Reply | None = None, seconds: float = 0.0) -> Failed:
        """Return the failure of this walk, with what the server said where it said something."""
        status, headers = (reply.status, reply.headers) if reply else (None, {})
        return Failed(kind, message, self.url, status, headers, self.chain, seconds)


def named(status: int) -> str:
    """Return a status with its name, as people know it."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
