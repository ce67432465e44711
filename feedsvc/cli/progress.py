"""A bar on a terminal that says how far a cycle of polls is; apart, since rich is slow to import."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def progress(total: int) -> Iterator[tuple[Callable[[], None], Callable[[str], None]]]:
    """Show a bar; return what moves it and what prints a line above it."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("polling", total=total)
        yield (lambda: bar.advance(task)), (lambda line: console.print(line, markup=False, highlight=False))
