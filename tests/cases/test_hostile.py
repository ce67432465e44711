"""Every case of tests/corpus/hostile, run with the installed program (rules of security.md are named in each)."""

from pathlib import Path

import pytest

from tests.cases.hostile import check, names
from tests.servers import Server


@pytest.mark.parametrize("name", names())
def test_hostile_input_does_no_harm(name: str, tmp_path: Path) -> None:
    """What must happen stands in expected.json under the file's name."""
    with Server() as server:
        check(name, tmp_path, server)
