"""Where tests find things: the project, its cases, and the shared corpus beside it, which may be absent."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
CASES = PROJECT / "tests" / "corpus"
SHARED = PROJECT.parent / "shared" / "corpus"


def shared(*parts: str) -> Path:
    """Return a place in the shared corpus, or skip the test, visibly, where that is absent."""
    place = SHARED.joinpath(*parts)
    if not place.exists():
        pytest.skip(f"the shared corpus is not beside this project: {'/'.join(parts)}")
    return place
