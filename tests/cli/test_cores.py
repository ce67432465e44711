"""One core or all of them: a build publishes the same bytes and says the same."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.installed import Ran, feedsvc

SITE = '[site]\ntitle = "Warp"\nurl = "https://warp.example/"\nauthor = { name = "Ada" }\n'
POST = """---
title: Post {place}
date: 2026-05-{day:02}
tags: [CUDA, t{tag}]
---
{first} words *of* post {place}, `kernel<<<grid, block>>>(x)`.{shortcode}

{second}
"""
SHORTCODE = "\n\n{{{{< youtube v{place} >}}}}\n"


@contextmanager
def cores(number: int | None) -> Iterator[None]:
    """Let children have so many cores, None: all."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_of_them)[:number])
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)


def built(root: Path, number: int | None) -> tuple[dict[str, bytes], Ran]:
    """Lay out a project of 120 posts in 21 feeds, some with markup that has to go, and build it."""
    (root / "config").mkdir(parents=True)
    (root / "config/feedsvc.toml").write_text(SITE)
    (root / "posts").mkdir()
    for place in range(120):
        text = POST.format(
            place=place,
            day=place % 28 + 1,
            tag=place % 20,
            first="Some " * 40,
            second="More. " * 60,
            shortcode=SHORTCODE.format(place=place) if place % 7 == 0 else "",
        )
        (root / "posts" / f"p{place:03}.md").write_text(text)
    with cores(number):
        ran = feedsvc("build", cwd=root)
    out = root / "public"
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}, ran


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system gives no process its cores")
def test_all_cores_publish_what_one_does(tmp_path: Path) -> None:
    """Issue "Speed", 2: texts and documents that children made are those that one process makes, warnings too."""
    one, told = built(tmp_path / "one", 1)
    all_of_them, again = built(tmp_path / "all", None)
    assert told.status == again.status == 0
    assert again.said == told.said
    assert told.err.count("shortcode") > 10
    assert all_of_them == one
    assert len(one) > 100
