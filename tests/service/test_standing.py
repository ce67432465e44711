"""Builds that remember, beside builds that do not: the same bytes after whatever happened in between (N1, N2)."""

import errno
import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import replace

from feedsvc.cli.build import built
from feedsvc.cli.dress import dress
from feedsvc.collect.cache import Cache
from feedsvc.collect.posts_folder import listing
from feedsvc.errors import PublishError
from feedsvc.service.build import build
from feedsvc.service.standing import Outcome, Standing, stands
from feedsvc.settings.load import load
from feedsvc.settings.tree import Project

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SITE = """
[site]
title = "Warp"
url = "https://warp.example/"
author = { name = "Ada" }
"""
POST = "---\ntitle: {title}\ndate: {date}\ntags: [{tags}]\n---\n{body}\n"


def project(root: Path) -> Project:
    return load(root / "config/feedsvc.toml")


def laid(root: Path, number: int = 6) -> Path:
    """Lay out a project with posts that were written a while ago, as far as a stamp can say so."""
    (root / "config").mkdir(parents=True)
    (root / "config/feedsvc.toml").write_text(SITE)
    (root / "posts").mkdir()
    for place in range(number):
        write(
            root, f"p{place}.md", f"Post {place}", f"2026-05-{place + 1:02}", tags="CUDA" if place % 2 else "HIP, C++"
        )
    return root


def write(
    root: Path, name: str, title: str, date: str = "2026-05-20", tags: str = "", body: str = "Some *text*."
) -> None:
    (root / "posts" / name).write_text(POST.format(title=title, date=date, tags=tags, body=body))


def files(root: Path) -> dict[str, bytes]:
    """Return everything that is published, by path; twins too."""
    out = root / "public"
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def afresh(root: Path, now: datetime, scratch: Path) -> tuple[dict[str, bytes], Outcome]:
    """Build a copy of a project that remembers nothing."""
    shutil.copytree(root, scratch, symlinks=True, ignore=shutil.ignore_patterns("public*", "var"))
    done = built(project(scratch), now)
    return files(scratch), done


def same(root: Path, now: datetime = NOW) -> Outcome | None:
    here = project(root)
    return stands(here, now, listing(here), dress(here))


def edit(root: Path) -> None:
    write(root, "p3.md", "Edited", tags="Triton")


def edit_in_secret(root: Path) -> None:
    """Write other words of the same length and put the times back."""
    place = root / "posts" / "p2.md"
    before = place.stat()
    place.write_text(place.read_text().replace("Some", "More"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def add_post(root: Path) -> None:
    write(root, "new/index.md", "New", body="![p](p.png)") if (root / "posts/new").mkdir() is None else None


def remove_post(root: Path) -> None:
    (root / "posts" / "p1.md").unlink()


def make_draft(root: Path) -> None:
    place = root / "posts" / "p4.md"
    place.write_text(place.read_text().replace("tags:", "draft: yes\ntags:"))


def break_post(root: Path) -> None:
    (root / "posts" / "p5.md").write_bytes(b"\xff")


def name_picture(root: Path) -> None:
    write(root, "p0.md", "Pictured", body="![p](p.png)")


def add_picture(root: Path) -> None:
    (root / "posts" / "p.png").write_bytes(b"picture")


def change_setting(root: Path) -> None:
    place = root / "config/feedsvc.toml"
    place.write_text(place.read_text() + '\n[teaser]\nwords = 1\nmore = "On"\n')


def add_template(root: Path) -> None:
    (root / "config/assets").mkdir(exist_ok=True)
    (root / "config/assets/feedsvc.css").write_text("p { margin: 0 }")


def harm_published(root: Path) -> None:
    place = root / "public" / "tags" / "hip" / "atom.xml"
    place.write_bytes(place.read_bytes().replace(b"Post", b"Spam"))


def remove_published(root: Path) -> None:
    (root / "public" / "index.html").unlink()


def touch(root: Path) -> None:
    for place in (root / "posts").glob("*.md"):
        os.utime(place)


def nothing(_: Path) -> None:
    """Change nothing."""


CHANGES: Sequence[Callable[[Path], None]] = (
    edit,
    edit_in_secret,
    add_post,
    remove_post,
    make_draft,
    break_post,
    name_picture,
    add_picture,
    change_setting,
    add_template,
    harm_published,
    remove_published,
    touch,
    nothing,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_after_any_change_a_build_that_remembers_writes_what_one_that_does_not_would(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """N1, N2; issue "Speed", 2."""
    root = laid(tmp_path / "project")
    name_picture(root)
    built(project(root), NOW)
    change(root)
    done = built(project(root), NOW)
    wanted, told = afresh(root, NOW, tmp_path / "fresh")
    assert files(root) == wanted
    assert (done.entries, done.feeds, done.diagnostics) == (told.entries, told.feeds, told.diagnostics)
    if change is nothing:
        assert (done.changed, done.removed) == (0, 0)


def some(chance: random.Random) -> Iterator[Callable[[Path], None]]:
    left = [change for change in CHANGES if change not in {harm_published, remove_published}]
    chance.shuffle(left)
    yield from left


@pytest.mark.parametrize("seed", [1, 2])
def test_after_many_changes_in_any_order_the_bytes_are_those_of_a_first_build(tmp_path: Path, seed: int) -> None:
    """N1: nothing that is remembered outlives what it was remembered of."""
    root = laid(tmp_path / "project")
    for place, change in enumerate(some(random.Random(seed))):
        try:
            change(root)
        except FileNotFoundError:  # another change took the file away
            continue
        built(project(root), NOW + timedelta(seconds=place))
        wanted, _ = afresh(root, NOW + timedelta(seconds=place), tmp_path / f"fresh{place}")
        assert files(root) == wanted, change.__name__


def test_where_nothing_changed_nothing_is_built_and_the_same_is_said(tmp_path: Path) -> None:
    """Issue "Speed", 2: warnings are told by each build, so they are kept."""
    root = laid(tmp_path / "project")
    break_post(root)
    assert same(root) is None
    first = built(project(root), NOW)
    assert first.changed
    kept = same(root)
    assert kept is not None
    assert [one.code for one in kept.diagnostics] == ["not-utf-8"]
    assert (kept.changed, kept.entries, kept.skipped, kept.diagnostics) == (0, 5, 1, first.diagnostics)


@pytest.mark.parametrize("change", [one for one in CHANGES if one is not nothing], ids=lambda change: change.__name__)
def test_no_change_leaves_a_build_standing(tmp_path: Path, change: Callable[[Path], None]) -> None:
    """Issue "Speed", 2: also one of a picture that was not there, and one of what is published."""
    root = laid(tmp_path / "project")
    name_picture(root)
    built(project(root), NOW)
    assert same(root) is not None
    change(root)
    assert same(root) is None


def test_a_build_stands_until_a_post_falls_due_and_never_before_it_was_made(tmp_path: Path) -> None:
    """D7."""
    root = laid(tmp_path / "project")
    write(root, "later.md", "Later", "2026-06-02")
    assert built(project(root), NOW).waiting == 1
    assert same(root, NOW + timedelta(hours=23)) is not None
    assert same(root, NOW - timedelta(seconds=1)) is None
    assert same(root, NOW + timedelta(hours=25)) is None
    assert built(project(root), NOW + timedelta(hours=25)).waiting == 0


def test_links_among_the_posts_are_looked_at_by_each_build(tmp_path: Path) -> None:
    """S-30: what a link leads to has no stamp of its own here."""
    root = laid(tmp_path / "project")
    (root / "posts" / "link.md").symlink_to("p1.md")
    built(project(root), NOW)
    assert same(root) is None


def test_names_that_are_no_text_stop_no_build(tmp_path: Path) -> None:
    """N1: neither of the project's folder nor of a link in posts/ that leads to a folder."""
    root = laid(tmp_path / os.fsdecode(b"bl\xf6g"))
    (root / "posts" / os.fsdecode(b"elsewh\xe9re")).symlink_to(tmp_path)
    done = built(project(root), NOW)
    assert (done.entries, [one.path for one in done.diagnostics]) == (6, ["posts/elsewh\\udce9re"])
    assert built(project(root), NOW + timedelta(hours=1)).changed == 0


def _closed(place: str) -> NoReturn:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)


def test_posts_that_cannot_be_listed_empty_no_feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-20: a folder that is closed to us, or a network that stands still, is no folder without posts."""
    root = laid(tmp_path / "blog")
    built(project(root), NOW)
    before = files(root)
    with monkeypatch.context() as patch:
        patch.setattr("feedsvc.collect.posts_folder.os.scandir", _closed)
        with pytest.raises(PublishError, match="the folder cannot be read: Permission denied"):
            built(project(root), NOW)
    assert files(root) == before


def test_posts_that_go_away_while_they_are_read_empty_no_feed(tmp_path: Path) -> None:
    """V-20: what was listed a moment ago is out of reach, not deleted. Also where others are merged in."""
    root = laid(tmp_path / "blog")
    with (root / "config/feedsvc.toml").open("a") as config:
        config.write('[[sources]]\nurl = "https://far.example/feed"\n')
    here = project(root)
    built(here, NOW)
    before, there = files(root), listing(here)
    (root / "posts").rename(root / "away")
    with pytest.raises(PublishError, match="went away while it was read"):
        build(here, NOW, there=there)
    assert files(root) == before


def test_what_a_killed_build_left_is_cleared_by_the_next_one(tmp_path: Path) -> None:
    """N3: a build that stands would leave it there."""
    root = laid(tmp_path / "project")
    built(project(root), NOW)
    (root / "public.releases" / ".feedsvc-new-1").mkdir()
    assert same(root) is None
    built(project(root), NOW)
    assert not (root / "public.releases" / ".feedsvc-new-1").exists()


def test_posts_that_were_young_are_compared_by_their_bytes(tmp_path: Path) -> None:
    """Issue "Speed", 2: written just before the build, a post could change once more without another stamp."""
    root = laid(tmp_path / "project")
    built(project(root), NOW)
    cache, key = Cache(project(root).state), (root / "var/cache/standing").read_bytes()[:32]
    standing = cache.load("standing", Standing, key)
    assert standing is not None
    assert {path for path, _ in standing.young} == {f"p{place}.md" for place in range(6)}
    cache.save("standing", replace(standing, young=(("p1.md", bytes(32)),)), key)
    assert same(root) is None
