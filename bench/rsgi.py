"""The same answers over granian's RSGI, for comparison: `python -m bench.rsgi FOLDER PORT`; needs granian."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from granian.constants import Interfaces
from granian.server.embed import Server

from feedsvc.serve.answer import respond
from feedsvc.serve.documents import Public, load


def main(folder: str, port: str) -> None:
    """Serve a folder until stopped."""
    shelf = load(Path(folder), Public("https://feeds.example/"), time.time())

    async def app(scope: Any, protocol: Any) -> None:
        answer = respond(scope.method, scope.path, dict(scope.headers.items()), shelf)
        protocol.response_bytes(answer.status, list(answer.headers), answer.body)

    server = Server(app, address="127.0.0.1", port=int(port), interface=Interfaces.RSGI)
    asyncio.run(server.serve())


if __name__ == "__main__":
    main(*sys.argv[1:])
