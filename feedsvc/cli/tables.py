"""What commands list: tables on a terminal, else a line with tabs for each row, which stays as it is for programs.

What strangers say is text here, never markup of the terminal or of rich (S-36).
"""

import sys
from collections.abc import Iterable, Mapping, Sequence

import click
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from feedsvc.cli.edges import printable

Row = Sequence[str]
Styles = Mapping[str, str]
"""How a cell looks, by what stands in it."""

PLAIN: Styles = {}


def on_terminal() -> bool:
    """Return whether somebody reads what is printed, and no program does."""
    return sys.stdout.isatty()


def listed(head: Row, rows: Iterable[Row], styles: Styles = PLAIN) -> None:
    """Print rows: a table with a head on a terminal, else lines with tabs, `-` where a cell is empty."""
    if on_terminal():
        shown(table(head, rows, styles))
    else:
        lines(rows)


def lines(rows: Iterable[Row]) -> None:
    """Print rows as lines with tabs."""
    for row in rows:
        click.echo("\t".join(printable(cell) or "-" for cell in row))


def shown(*things: RenderableType) -> None:
    """Print what only a terminal shows."""
    console = Console(highlight=False)
    for thing in things:
        console.print(thing)


def table(head: Row, rows: Iterable[Row], styles: Styles = PLAIN) -> Table:
    """Return rows under a head."""
    made = Table(*head, box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for row in rows:
        made.add_row(*(cell(text, styles) for text in row))
    return made


def facts(rows: Iterable[Row]) -> Table:
    """Return names with what they stand for, without lines around."""
    made = Table.grid(padding=(0, 2))
    for name, value in rows:
        made.add_row(Text(name, style="dim"), cell(value))
    return made


def cell(text: str, styles: Styles = PLAIN) -> Text:
    """Return a cell; one that is empty is a hyphen. Addresses and words longer than a column go on in the next line."""
    return Text(printable(text) or "-", style=styles.get(text, ""), overflow="fold")
