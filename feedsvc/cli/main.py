"""`feedsvc`: finds the module of a command when it is called (`late.py`)."""

import sys
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from feedsvc import __version__
from feedsvc.cli.encoding import settle
from feedsvc.cli.late import late
from feedsvc.errors import FeedsvcError

COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("init", "Write a commented configuration and a first post."),
    "build": ("build", "Make the feeds of posts and stored external entries; no network."),
    "poll": ("poll", "Ask the sources that are due."),
    "update": ("update", "Poll, then build: the line for cron."),
    "run": ("run", "Poll, build and serve until told to stop: the daemon."),
    "worker": ("worker", "Poll beside other workers over a shared PostgreSQL store."),
    "serve": ("serve", "Serve the output folder over HTTP."),
    "check": ("check", "Check configuration, posts and published files, or the feeds that are named."),
    "explain": ("explain", "Say where an entry came from, which feeds hold it, and why others do not."),
    "status": ("status", "Show each source: state, last success, last error, next poll and why then."),
    "sources": ("sources", "List, add, remove, test, import and export sources."),
    "completion": ("completion", "Print the completion script of a shell."),
}
"""Command → module in feedsvc.cli that holds it under the same name, and its line in the help."""


class Commands(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, or None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = late(f"cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands without importing them, else options."""
        names = [name for name in COMMANDS if name.startswith(incomplete)]
        found = [CompletionItem(name, help=COMMANDS[name][1]) for name in names]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what a person has to act on is said in words, with the exit status of the contract."""
        settle()
        try:
            return super().invoke(ctx)
        except FeedsvcError as problem:
            click.echo(str(problem), err=True)
            sys.exit(problem.exit_status)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="feedsvc", message="%(prog)s %(version)s")
def main() -> None:
    """Markdown posts and external blogs in, valid Atom, RSS and JSON feeds with teasers out."""
