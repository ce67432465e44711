"""`feedsvc init`: a new project, written only where nothing is yet."""

import os
from collections.abc import Mapping
from pathlib import Path

import click

from feedsvc.cli.edges import clock, report
from feedsvc.errors import ConfigError, FeedsvcError
from feedsvc.model import Diagnostic, Level
from feedsvc.settings.load import read
from feedsvc.settings.starter import CONFIG, starter


@click.command()
@click.argument("directory", metavar="[DIR]", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--title", envvar="FEEDSVC_TITLE", default="My notes", show_default=True, show_envvar=True, help="Name of the site."
)
@click.option(
    "--url",
    envvar="FEEDSVC_URL",
    default="https://example.org/",
    show_default=True,
    show_envvar=True,
    help="Address of the site.",
)
@click.option("--author", envvar="FEEDSVC_AUTHOR", show_envvar=True, help="Who writes; the title when not given.")
@click.pass_context
def init(ctx: click.Context, directory: Path, title: str, url: str, author: str | None) -> None:
    """Write a commented configuration and a first post into DIR (here when not given); refuse to overwrite."""
    files = starter(title, url, author or title, clock())
    try:
        read(files[CONFIG], str(directory / CONFIG))
        refuse_existing(directory, files)
        write(directory, files)
    except ConfigError as refused:
        report(refused.diagnostics)
        ctx.exit(refused.exit_status)
    for path in files:
        click.echo(directory / path)
    click.echo(f"Next: set title, url and id_authority in {directory / CONFIG}, then `feedsvc build`.", err=True)


def refuse_existing(directory: Path, files: Mapping[str, str]) -> None:
    """Raise ConfigError that names every file that is there already, also a link that leads nowhere."""
    there = [directory / path for path in files if os.path.lexists(directory / path)]
    if there:
        message = "is there already; nothing was written"
        raise ConfigError([Diagnostic(str(path), None, Level.ERROR, message, "file-exists") for path in there])


def write(directory: Path, files: Mapping[str, str]) -> None:
    """Write the files and their folders; one that appears meanwhile is not overwritten."""
    try:
        for path, text in files.items():
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as reason:
        raise FeedsvcError(f"{reason.filename or directory}: cannot be written: {reason.strerror}") from reason
