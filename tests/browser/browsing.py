"""A Chromium for the tests: started once a module, in the dark or in the light, wide or narrow; and axe-core."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.places import PROJECT

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
AXE = (PROJECT / "build/npm/node_modules/axe-core/axe.min.js", PROJECT / "node_modules/axe-core/axe.min.js")
Scheme = Literal["light", "dark"]
WIDE, NARROW = (1280, 900), (390, 844)


def needed(there: bool, what: str) -> None:
    """Skip the test, visibly, where something is not installed; in CI that is a failure."""
    if there:
        return
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


def axe() -> str:
    """Return the source of axe-core."""
    found = next((path for path in AXE if path.exists()), None)
    needed(found is not None, "axe-core (npm install --prefix build/npm axe-core@4)")
    assert found is not None
    return found.read_text("utf-8")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a browser with an empty profile."""
    needed(CHROMIUM.exists(), str(CHROMIUM))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, ignore_default_args=["--hide-scrollbars"]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page that is open, and what happened while it was: what it said to the console, whom it asked."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@contextmanager
def visit(
    browser: Browser,
    url: str,
    scheme: Scheme = "light",
    size: tuple[int, int] = WIDE,
    **options: Any,
) -> Iterator[Visit]:
    """Open a page and wait until all that it links has come."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": size[0], "height": size[1]}, **options)
    try:
        seen = Visit(context.new_page())
        seen.page.on("console", lambda message: seen.said.append(message.text))
        seen.page.on("pageerror", lambda error: seen.said.append(str(error)))
        seen.page.on("request", lambda request: seen.asked.append(request.url))
        seen.page.goto(url)
        yield seen
    finally:
        context.close()
