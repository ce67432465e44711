"""`feedsvc serve`."""

import signal
import socket
from pathlib import Path

import click

from feedsvc.cli.edges import config_option, project
from feedsvc.errors import FeedsvcError
from feedsvc.serve.connection import listen
from feedsvc.serve.documents import Public, Shelf
from feedsvc.serve.http import Server
from feedsvc.serve.keeper import Keeper
from feedsvc.serve.process import limits, serve_until_stopped
from feedsvc.serve.recall import Recall

host_option = click.option(
    "--host", envvar="FEEDSVC_HOST", show_envvar=True, help="Address to listen on.  [default: serve.host]"
)
port_option = click.option(
    "--port",
    envvar="FEEDSVC_PORT",
    show_envvar=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes a free one.  [default: serve.port]",
)


@click.command()
@config_option
@host_option
@port_option
def serve(config: Path, host: str | None, port: int | None) -> None:
    """Serve the output folder over HTTP, without polling or building. Ends with Ctrl-C."""
    here = project(config)
    settings = here.settings
    listener = listening(host or settings.serve.host, settings.serve.port if port is None else port)
    keeper = Keeper(here.output, Public(settings.output.url, settings.websub.hubs), here.state)
    keeper.look(settled=True)
    click.echo(welcome(settings.output.directory, listener, keeper.shelf))
    if not keeper.shelf.documents:
        click.echo(f"{here.output}: nothing is published yet; run `feedsvc build`", err=True)
    server = Server(listener, Recall(keeper), limits())
    serve_until_stopped(server, keeper, (signal.SIGTERM, signal.SIGINT))


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket; FeedsvcError says why there is none."""
    try:
        return listen(host, port)
    except OSError as problem:
        raise FeedsvcError(f"cannot listen on {host} port {port}: {problem.strerror}") from problem


def welcome(folder: str, listener: socket.socket, shelf: Shelf) -> str:
    """Return the addresses to open: the page, and the feeds at the top."""
    host, port = listener.getsockname()[:2]
    name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    root = f"http://{name}:{port}"
    feeds = sorted(path for path in shelf.feeds() if path.count("/") == 1)
    return "\n".join([f"Serving {folder} at {root}/", *(f"  {root}{path}" for path in feeds)])
