"""The daemon's side of the serving process: starts it, keeps it alive, takes its counts and what hubs sent."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Condition, Lock, Thread

from msgspec import Struct

from feedsvc.serve.child import CALLBACK, COUNTS, LARGEST_MESSAGE, SEEN
from feedsvc.serve.documents import Public

GRACE_SECONDS = 1.0
LOOK_SECONDS = 5.0
Counts = dict[tuple[int, str], int]


class Served(Struct, frozen=True):
    """What is served: the folder, what answers say of it, and the path below which hubs call, "" for none."""

    output: Path
    state: Path
    public: Public
    callbacks: str = ""


class Supervisor:
    """Runs one serving process on a listening socket. `told` gets counts, `called` a hub's connection (V-32).

    The socket stays open while the process is replaced: clients wait a moment, none is refused.
    """

    def __init__(
        self, listener: socket.socket, told: Callable[[Counts], None], called: Callable[[socket.socket, bytes], None]
    ) -> None:
        self.listener, self._told, self._called = listener, told, called
        self._process: subprocess.Popen[bytes] | None = None
        self._served: Served | None = None
        self._channel: socket.socket | None = None
        self._lock = Lock()
        self._news = Condition()
        self._asked = self._seen = 0

    def serve(self, served: Served) -> None:
        """Serve this from now on; a process that serves something else ends first, so that no set is mixed.

        One that serves the same goes on, and nobody who is reading notices.
        """
        with self._lock:
            if served == self._served and self.alive():
                return
            self._end(GRACE_SECONDS)
            self._served = served
            self._start(served)

    def look(self) -> None:
        """Say that another set was published, and wait until it is served: who is told of it now gets it (W-07)."""
        channel = self._channel
        if channel:
            with suppress(OSError), self._news:  # it is being replaced, and its successor looks first of all
                self._asked = number = self._asked + 1
                channel.send(str(number).encode(), socket.MSG_DONTWAIT)
                self._news.wait_for(lambda: self._seen >= number or channel.fileno() < 0, LOOK_SECONDS)

    def revive(self) -> bool:
        """Start the process again if it died; return whether it had."""
        with self._lock:
            if self._served is None or (self._process and self._process.poll() is None):
                return False
            self._start(self._served)
            return True

    def alive(self) -> bool:
        """Return whether the serving process runs."""
        process = self._process
        return process is not None and process.poll() is None

    def end(self, seconds: float) -> None:
        """Stop serving; answers under way get so many seconds."""
        with self._lock:
            self._served = None
            self._end(seconds)
            self.listener.close()

    def ask_to_end(self) -> None:
        """Say that serving ends, without waiting for it."""
        process = self._process
        if process and process.poll() is None:
            process.terminate()

    def kill(self) -> None:
        """End the process at once; for a signal handler."""
        process = self._process
        if process and process.poll() is None:
            process.kill()

    def _end(self, seconds: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self, served: Served) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        said = {
            "listener": self.listener.fileno(),
            "channel": theirs.fileno(),
            "output": str(served.output),
            "state": str(served.state),
            "url": served.public.url,
            "hubs": served.public.hubs,
            "callbacks": served.callbacks,
        }
        # -P and a path of our own: what lies in the folder that the daemon was started in is never imported.
        words = [sys.executable, "-P", "-m", "feedsvc.serve.child", json.dumps(said)]
        files = (self.listener.fileno(), theirs.fileno())
        with theirs, ExitStack() as failed:
            failed.callback(ours.close)
            self._process = subprocess.Popen(
                words, pass_fds=files, stdin=subprocess.DEVNULL, cwd="/", env=_environment()
            )
            failed.pop_all()
        self._channel = ours
        Thread(target=self._listen, args=(ours,), name="served", daemon=True).start()

    def _listen(self, channel: socket.socket) -> None:
        with channel, suppress(OSError):
            self._hear(channel)
        with self._news:
            self._news.notify_all()

    def _hear(self, channel: socket.socket) -> None:
        before: Counts = {}
        while True:
            message, files, _, _ = socket.recv_fds(channel, LARGEST_MESSAGE, 1)
            if not message:
                return
            if message[:1] == COUNTS:
                before = self._count(message[1:], before)
            elif message[:1] == SEEN:
                with self._news:
                    self._seen = int(message[1:])
                    self._news.notify_all()
            for number in files:
                connection = socket.socket(fileno=number)
                if message[:1] == CALLBACK:
                    self._called(connection, message[1:])
                else:
                    connection.close()

    def _count(self, message: bytes, before: Counts) -> Counts:
        counts = {(status, kind): count for status, kind, count in json.loads(message)}
        self._told({key: count - before.get(key, 0) for key, count in counts.items()})
        return counts


def _environment() -> dict[str, str]:
    """Return our environment, in which the same feedsvc is found from any folder."""
    places = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(place for place in places if place)}
