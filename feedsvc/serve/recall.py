"""Head of a request → what goes back, remembered as long as the published set stands.

An answer depends on a few lines of the head and on the shelf, and readers ask in the same words every hour: what was
answered once is looked up, which costs half of making it.
"""

from typing import NamedTuple, Protocol

from feedsvc.serve.answer import respond
from feedsvc.serve.documents import Shelf
from feedsvc.serve.reply import Answer
from feedsvc.serve.subscriptions import TOKEN
from feedsvc.serve.wire import Essence, essence, parse

REMEMBERED = 8192
LONGEST = 1024


class Reply(NamedTuple):
    """What the server does: send an answer, or, where it is None, hand the connection over (a hub's callback).

    `lasting`: the connection goes on; `old`: the client has to be told so.
    """

    answer: Answer | None
    lasting: bool
    old: bool


class Holder(Protocol):
    """Who holds the current shelf."""

    @property
    def shelf(self) -> Shelf:
        """The published set that answers are made from."""


def reply(lines: Essence, shelf: Shelf, callbacks: str = "") -> Reply:
    """Answer a request; `callbacks` is the path below which hubs call us, "" for none: our documents may lie there."""
    request = parse(lines)
    if callbacks and _calls(request.target, callbacks):
        return Reply(None, lasting=False, old=request.old)
    answer = respond(request.method, request.target, request.headers, shelf)
    return Reply(answer, request.lasting, request.old)


def _calls(target: str, callbacks: str) -> bool:
    path = target.partition("?")[0]
    return path.startswith(callbacks) and TOKEN.fullmatch(path, len(callbacks)) is not None


class Recall:
    """Answers heads of requests from the shelf that `holder` holds at that moment; for one thread."""

    def __init__(self, holder: Holder, callbacks: str = "") -> None:
        self._holder, self._callbacks = holder, callbacks
        self._shelf, self._known = holder.shelf, dict[Essence, Reply]()

    def __call__(self, head: bytes) -> Reply:
        """Return the reply to a request; MalformedError when it is none."""
        lines = essence(head)
        if self._holder.shelf is not self._shelf:
            self._shelf, self._known = self._holder.shelf, {}
        return self._known.get(lines) or self._learn(lines)

    def _learn(self, lines: Essence) -> Reply:
        made = reply(lines, self._shelf, self._callbacks)
        if sum(map(len, lines)) <= LONGEST:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[lines] = made
        return made
