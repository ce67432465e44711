"""Every case of tests/corpus/posts and own-posts, run with the installed program (each names its rules)."""

from pathlib import Path

import pytest

from tests.cases.posts import Case, names


@pytest.mark.parametrize("name", names())
def test_posts_in_feeds_out(name: str, tmp_path: Path) -> None:
    """The truth of each case stands in its expected.json under `says`."""
    Case.at(name, tmp_path).check()
