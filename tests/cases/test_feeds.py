"""Every case of tests/corpus/feeds, run with the installed program (rules of aggregating.md are named in each)."""

from pathlib import Path

import pytest

from tests.cases.feeds import check, names
from tests.servers import Server


@pytest.mark.parametrize("name", names())
def test_feeds_in_a_planet_out(name: str, tmp_path: Path) -> None:
    """The truth of each case stands in its expected.json under `behaviour`."""
    with Server() as server:
        check(name, tmp_path, server)
