"""`feedsvc check` from inside: what it says of a configuration that loads (interface, Command line)."""

import json
from pathlib import Path

from click.testing import CliRunner

from feedsvc.cli.main import main

SITE = """[site]
title = "Warp Notes"
url = "https://warp.example/"
author = { name = "Warp Notes" }
id_authority = "warp.example,2026"
"""
FEEDS = """
[[feeds]]
name = "posts"
path = ""

[[feeds]]
name = "one"
include = ["shown"]
"""
SOURCES = """
[[sources]]
id = "shown"
url = "https://a.example/feed"

[[sources]]
id = "lost"
url = "https://b.example/feed"

[[sources]]
id = "off"
url = "https://c.example/feed"
enabled = false
"""


def codes(root: Path, config: str) -> list[tuple[int, str]]:
    """Return line and code of what is said of a configuration; the machine is another matter."""
    (root / "posts").mkdir(exist_ok=True)
    (root / "feedsvc.toml").write_text(config)
    result = CliRunner().invoke(main, ["check", "--config", str(root / "feedsvc.toml"), "--format", "json"])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    return [(one["line"], one["code"]) for one in found if one["path"] == str(root / "feedsvc.toml")]


def test_a_source_that_no_feed_takes_is_named_with_its_line(tmp_path: Path) -> None:
    """Polled for nothing: `sources add` would seem to do nothing. One that is disabled is not polled either."""
    assert codes(tmp_path, SITE + FEEDS + SOURCES) == [(19, "source-in-no-feed")]


def test_a_source_that_some_feed_or_topic_takes_is_fine(tmp_path: Path) -> None:
    """Topics are of entries of every origin."""
    assert codes(tmp_path, SITE + SOURCES) == []
    assert codes(tmp_path, SITE + FEEDS.replace('"shown"', '"sources"') + SOURCES) == []
    assert codes(tmp_path, SITE + FEEDS + '[[topics]]\nname = "rocm"\nmatch = ["ROCm"]\n' + SOURCES) == []


def test_an_authority_that_is_not_written_down_is_asked_for(tmp_path: Path) -> None:
    """I1: ids must survive a move of the site."""
    bare = "\n".join(line for line in SITE.splitlines() if "authority" not in line)
    assert codes(tmp_path, bare) == [(1, "no-id-authority")]


def test_a_template_or_an_asset_that_would_end_a_build_is_named(tmp_path: Path) -> None:
    """`check` found nothing wrong with it, and the build ended with 2."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "feed.html").write_text("<p>\n{% bad")
    (tmp_path / "posts").mkdir()
    (tmp_path / "feedsvc.toml").write_text(SITE)
    arguments = ["check", "--config", str(tmp_path / "feedsvc.toml")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "config/templates/feed.html:2: error: Encountered unknown tag 'bad'" in result.stdout
    (tmp_path / "templates" / "feed.html").unlink()
    (tmp_path / "assets" / "folder").mkdir(parents=True)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "must be a file of at most 5 MiB" in result.stdout
