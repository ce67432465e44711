"""Projects for tests of polling: sources at loopback addresses, no host delay."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from feedsvc.settings.load import load
from feedsvc.settings.tree import Project

HEAD = """
[site]
title = "Planet"
url = "https://planet.example/"
author = { name = "Planet" }
id_authority = "planet.example,2026"
[polling]
allow_private = ["127.0.0.0/8"]
host_delay = "0s"
"""


def project(root: Path, sources: Mapping[str, str], text: str = "", **polling: float) -> Project:
    """Write and load the configuration of a project; `polling` in seconds and bytes, below what a file may say too."""
    listed = "".join(f'[[sources]]\nid = "{name}"\nurl = "{url}"\n' for name, url in sources.items())
    (root / "config").mkdir(parents=True, exist_ok=True)
    file = root / "config" / "feedsvc.toml"
    file.write_text(f"{HEAD}{text}\n{listed}")
    found = load(file)
    replaced = msgspec.structs.replace(found.settings.polling, **polling)
    return replace(found, settings=msgspec.structs.replace(found.settings, polling=replaced))
