"""Health, metrics and status, for the operator alone: on a loopback address (serving V-24 to V-29; security S-42).

A thread for each request: a status that waits for the store must not hold the health check up.
"""

import json
import socket
from collections.abc import Callable, Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Thread

from msgspec import Struct

from feedsvc.serve.metrics import CONTENT_TYPE
from feedsvc.serve.reply import NOTHING, Answer, answer, said
from feedsvc.serve.statuspage import status_page
from feedsvc.service.statuses import Status, document

HOST = "127.0.0.1"
_SECONDS = 10.0
_STORELESS = "the store does not answer; the log says why"
PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_NO_STORE = ("Cache-Control", "no-store")


class View(Struct, frozen=True):
    """What the operator may see. `health` and `ready` say what is wrong, "" for nothing; `health` never waits."""

    health: Callable[[], str]
    ready: Callable[[], str]
    metrics: Callable[[], bytes]
    status: Callable[[], tuple[Status, ...]]


def respond(method: str, target: str, headers: Mapping[str, str], view: View) -> Answer:
    """Answer a request on the admin port; `headers` by name in lower case.

    `/status` is JSON (V-29), and a page for whoever asks for one, as browsers do.
    """
    if method not in {"GET", "HEAD"}:
        return said(405, "Only GET and HEAD.", ("Allow", "GET, HEAD"), _NO_STORE)
    if not _is_local(headers.get("host", "")):
        # A name could be anybody's that leads here: a page on it would read what only the operator may (rebinding).
        return said(403, "Ask with the address: 127.0.0.1 or localhost.", _NO_STORE)
    pages = {"/healthz": _health, "/readyz": _ready, "/metrics": _metrics, "/status": _status, "/status.json": _json}
    page = pages.get(target.partition("?")[0])
    if page is None:
        return said(404, "Here are /healthz, /readyz, /metrics and /status.", _NO_STORE)
    as_page = "text/html" in headers.get("accept", "")
    return (_json if page is _status and not as_page else page)(view)


def _health(view: View) -> Answer:
    return _state(view.health())


def _ready(view: View) -> Answer:
    return _state(view.ready())


def _state(wrong: str) -> Answer:
    return said(503, wrong, _NO_STORE, ("Retry-After", "30")) if wrong else said(200, "ok", _NO_STORE)


def _metrics(view: View) -> Answer:
    return _shown(view.metrics(), CONTENT_TYPE)


def _status(view: View) -> Answer:
    return _shown(status_page(view.status()).encode(), "text/html; charset=utf-8")


def _json(view: View) -> Answer:
    return _shown(json.dumps(document(view.status()), ensure_ascii=False).encode(), "application/json; charset=utf-8")


def _shown(body: bytes, media_type: str) -> Answer:
    policy = PAGE_POLICY if "html" in media_type else NOTHING
    headers = ("Content-Type", media_type), _NO_STORE, ("Vary", "Accept")
    return answer(200, (*headers, ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", policy)), body)


def _is_local(host: str) -> bool:
    name = host[: host.rindex("]") + 1] if "]" in host else host.partition(":")[0]
    try:
        return name in {"", "localhost"} or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


class Admin:
    """The server of the admin port; OSError when the port is taken."""

    def __init__(self, port: int, view: View) -> None:
        class Handler(BaseHTTPRequestHandler):
            timeout = _SECONDS
            protocol_version = "HTTP/1.0"

            def __getattr__(self, name: str) -> Callable[[], None]:
                if name.startswith("do_"):  # every method is answered, those that are not allowed too
                    return partial(_send, self, view)
                raise AttributeError(name)

            def send_error(self, code: int, *_: object, **__: object) -> None:
                """Refuse what is no request: like every answer with its policies and without a version (V-16)."""
                _write(self, said(code, "Not a request that is answered here.", _NO_STORE))

            def log_message(self, *_: object) -> None:
                """Say nothing: a scrape every few seconds is no news."""

        self._server = _Threads((HOST, port), Handler)
        self.port: int = self._server.server_address[1]
        Thread(target=self._server.serve_forever, name="admin", daemon=True).start()

    def end(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Threads(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Say nothing: a client that went away is no news."""


def _send(handler: BaseHTTPRequestHandler, view: View) -> None:
    headers = {name.lower(): value for name, value in handler.headers.items()}
    try:
        found = respond(handler.command, handler.path, headers, view)
    except Exception:
        found = said(503, _STORELESS, _NO_STORE)
    _write(handler, found)


def _write(handler: BaseHTTPRequestHandler, found: Answer) -> None:
    body = b"" if handler.command == "HEAD" else found.body
    handler.wfile.write(found.head + b"Connection: close\r\n\r\n" + body)
