"""The serving process of the daemon: `python -m feedsvc.serve.child`, started and watched by `serve/supervise.py`.

It gets one JSON argument and two open files: the listening socket, so that connections wait while it is replaced, and
a channel. On the channel it hears of a new set and says when it serves it, says how many answers it gave, and hands
over what hubs send; when the channel closes, its daemon is gone, and so is it. No pickle (S-44).
"""

import json
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from feedsvc.serve.documents import Public
from feedsvc.serve.http import Server
from feedsvc.serve.keeper import Keeper
from feedsvc.serve.process import limits, serve_until_stopped
from feedsvc.serve.recall import Recall

COUNT_SECONDS = 1.0
COUNTS, CALLBACK, SEEN = b"c", b"h", b"s"
LARGEST_MESSAGE = 64 * 1024


def main(said: Mapping[str, Any]) -> None:
    """Serve until SIGTERM, or until the daemon is gone."""
    listener = socket.socket(fileno=said["listener"])
    channel = socket.socket(fileno=said["channel"])
    keeper = Keeper(Path(said["output"]), Public(said["url"], tuple(said["hubs"])), Path(said["state"]))
    keeper.look(settled=True)

    def hand_over(connection: socket.socket, data: bytes) -> None:
        with suppress(OSError):  # nobody there to take it: the hub will try again
            socket.send_fds(channel, [CALLBACK + data], [connection.fileno()], socket.MSG_DONTWAIT)

    server = Server(listener, Recall(keeper, said["callbacks"]), limits(), hand_over)
    # Ctrl-C and the end of a terminal reach both processes; the daemon says when this one ends.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    Thread(target=_listen, args=(channel, server, keeper), name="channel", daemon=True).start()
    serve_until_stopped(server, keeper, (signal.SIGTERM,))
    _say(channel, server)


def _listen(channel: socket.socket, server: Server, keeper: Keeper) -> None:
    """Take another set when the daemon says that it is whole, say counts every second, end with the other side."""
    channel.settimeout(COUNT_SECONDS)
    while True:
        try:
            number = channel.recv(32)
            if not number:
                break
            keeper.look(settled=True)
            channel.send(SEEN + number)
        except TimeoutError:
            _say(channel, server)
        except OSError:
            break
    server.stop()


def _say(channel: socket.socket, server: Server) -> None:
    counts = [[status, kind, count] for (status, kind), count in list(server.counts.items())]
    with suppress(OSError):
        channel.send(COUNTS + json.dumps(counts).encode())


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
