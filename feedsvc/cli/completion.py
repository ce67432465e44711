"""`feedsvc completion`: what a shell needs to complete our command line."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "feedsvc"
VARIABLE = "_FEEDSVC_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell. In the start file of bash: eval "$(feedsvc completion bash)"."""
    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(made(ctx.find_root().command, {}, PROGRAM, VARIABLE).source())
