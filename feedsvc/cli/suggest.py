"""What a shell offers for the arguments of commands, when it completes a line."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from feedsvc.cli.edges import CONFIG
from feedsvc.errors import FeedsvcError
from feedsvc.settings.load import load


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete names of files: an entry may be the path of a post."""
    return [CompletionItem(incomplete, type="file")]


def sources(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of the configured sources; none where the configuration cannot be read."""
    try:
        here = load(Path(ctx.params.get("config") or CONFIG))
    except FeedsvcError:
        return []
    found = [source for source in here.settings.sources if source.id.startswith(incomplete)]
    return [CompletionItem(source.id, help=source.title or source.url) for source in found]
