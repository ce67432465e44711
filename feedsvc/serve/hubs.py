"""Both sides of WebSub in the daemon: hubs hear what we published, and their pushes make sources due.

Subscriptions, with their secrets, are a file of the state folder that only its owner reads (S-31).
"""

import json
import socket
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import BoundedSemaphore, Lock, Thread
from urllib.parse import urlsplit

from feedsvc.publish import files
from feedsvc.publish.websub import FILE as PINGS
from feedsvc.publish.websub import Publisher
from feedsvc.serve import subscriptions
from feedsvc.serve.callback import NOT_OURS, Call, answer_hub, echo
from feedsvc.serve.plan import Log, Plan, Work
from feedsvc.serve.reply import Answer, said
from feedsvc.serve.subscriptions import Subscription

FILE = "websub.json"
AT_ONCE = 8
HEARD = said(202, "Heard.", ("Cache-Control", "no-store"))
Ask = Callable[[], object]
Clock = Callable[[], datetime]


class Hubs:
    """Talks to hubs: `work` from one job's thread, `called` from any. `again` asks for that job, `poll` for polls."""

    def __init__(
        self, plan: Plan, work: Work, log: Log, clock: Callable[[], datetime], *, again: Ask, poll: Ask
    ) -> None:
        self._plan, self._work, self._log, self._clock, self._again, self._poll = plan, work, log, clock, again, poll
        self._publisher = Publisher(plan.state / PINGS)
        self._places = BoundedSemaphore(AT_ONCE)
        self._lock = Lock()
        self._known = {one.token: one for one in _written(plan.state / FILE)}

    @property
    def path(self) -> str:
        """Return the path below which hubs call us, "" where they cannot reach us."""
        if not self._plan.callback:
            return ""
        return f"{urlsplit(self._plan.callback).path.rstrip('/')}/"

    def follow(self, plan: Plan, work: Work) -> None:
        """Take another configuration."""
        self._plan, self._work = plan, work

    def changed(self, topics: tuple[str, ...]) -> None:
        """Note feeds that changed; the hubs are told in the job's own time (W-07)."""
        if self._plan.hubs and topics:
            self._publisher.changed(self._plan.hubs, topics, self._clock())
            self._again()

    def work(self) -> None:
        """Tell hubs what is due, and ask those of our sources."""
        for found in self._publisher.send(self._work.post, self._clock()):
            self._log("warning", "hub failed", hub=urlsplit(found.path).hostname, error=found.message)
        if self._plan.callback or self._known:
            self._subscribe()

    def called(self, connection: socket.socket, data: bytes) -> None:
        """Answer a hub in a thread of its own; more than a few at once are closed: hubs come again."""
        if not self._places.acquire(blocking=False):
            connection.close()
            return
        Thread(target=self._serve, args=(connection, data), name="hub", daemon=True).start()

    def _serve(self, connection: socket.socket, data: bytes) -> None:
        try:
            answer_hub(connection, data, self.path, self._is_known, self._answer)
        finally:
            self._places.release()

    def _is_known(self, token: str) -> bool:
        with self._lock:
            return token in self._known

    def _answer(self, call: Call) -> Answer:
        with self._lock:
            one = self._known.get(call.token)
            if one is None:
                return NOT_OURS
            return self._push(one, call) if call.push else self._verify(one, call)

    def _verify(self, one: Subscription, call: Call) -> Answer:
        found = subscriptions.confirmed(one, call.query, self._clock())
        if found is None:
            return NOT_OURS
        settled, challenge = found
        self._keep(one, settled)
        state = settled.state if settled else "left"
        self._log("info", "subscription", source=one.source, state=str(state), hub=urlsplit(one.hub).hostname)
        return echo(challenge or "")

    def _push(self, one: Subscription, call: Call) -> Answer:
        """Take a push: whatever it says, the hub hears that it arrived (W-03); it brings no content (W-05)."""
        if not subscriptions.is_signed(one, call.signature, call.body):
            self._log("warning", "push without a good signature", source=one.source)
            return HEARD
        settled = subscriptions.pushed(one, self._clock())
        if settled:
            self._keep(one, settled)
            self._work.make_due(one.source)
            self._poll()
        return HEARD

    def _subscribe(self) -> None:
        now, offers = self._clock(), self._offers()
        with self._lock:
            known = subscriptions.wanted(tuple(self._known.values()), offers, now)
            due = [one for one in known if subscriptions.is_due(one, now)]
            self._known = {one.token: one for one in known} | {one.token: subscriptions.asked(one, now) for one in due}
            self._write()
        for one in due:
            wrong = self._work.post(one.hub, subscriptions.request(one, self._callback(one)))
            if wrong:
                self._log("warning", "hub failed", source=one.source, hub=urlsplit(one.hub).hostname, error=wrong)

    def _offers(self) -> dict[str, tuple[str, str]]:
        if not self._plan.callback:
            return {}
        return {source: (offer.topic, offer.hubs[0]) for source, offer in self._work.offers().items() if offer.hubs}

    def _callback(self, one: Subscription) -> str:
        return f"{self._plan.callback.rstrip('/')}/{one.token}"

    def _keep(self, old: Subscription, new: Subscription | None) -> None:
        if new is None:
            self._known.pop(old.token, None)
        else:
            self._known[new.token] = new
        self._write()

    def _write(self) -> None:
        body = json.dumps([subscriptions.plain(one) for one in self._known.values()], indent=1).encode()
        target = self._plan.state / FILE
        if not target.exists() or target.read_bytes() != body:
            files.replace(target, body, self._clock().timestamp(), 0o600)


def _written(path: Path) -> list[Subscription]:
    """Return the subscriptions that were written down; a file nobody can read is none: hubs are asked anew."""
    try:
        return subscriptions.read(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
