"""What is known of files since the last build: trusted only where it cannot be wrong, and never needed (N1, S-30)."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from feedsvc.collect.cache import Cache, digest
from feedsvc.collect.library import Library, complete, scan
from feedsvc.collect.memory import Memory, key_of
from feedsvc.collect.posts_folder import YOUNG, is_young, stamp_at
from feedsvc.settings.load import load
from feedsvc.settings.tree import Project

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SITE = '[site]\ntitle = "Warp"\nurl = "https://warp.example/"\nauthor = { name = "Ada" }\n'
POST = "---\ntitle: {title}\ndate: 2026-05-01\n---\n{body}\n"


def project(root: Path, more: str = "") -> Project:
    (root / "config").mkdir(exist_ok=True)
    (root / "config/feedsvc.toml").write_text(SITE + more)
    return load(root / "config/feedsvc.toml")


def write(root: Path, name: str, title: str = "One", body: str = "Text.", *, old: bool = True) -> Path:
    place = root / "posts" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(POST.format(title=title, body=body))
    if old:
        age(place)
    return place


def age(place: Path) -> None:
    """Make a file old for all that a user can set: its time of change stays that of now, as the kernel has it."""
    os.utime(place, (1, 1))


def remembered(here: Project, *, seconds_later: int = 10) -> Memory:
    """Return a memory of a build that many seconds later, so that files written just now are old."""
    memory = Memory.of(here)
    memory.now = time.time_ns() + seconds_later * 1_000_000_000
    return memory


def learnt(here: Project, *, seconds_later: int = 10) -> Library:
    """Scan and complete all as a build does, and keep what was learnt."""
    memory = remembered(here, seconds_later=seconds_later)
    library = scan(here, NOW, memory)
    for entry in library.entries:
        complete(here, entry, memory)
    memory.save()
    return library


def titles(library: Library) -> list[str | None]:
    return [entry.title for entry in library.entries]


def test_a_file_that_is_as_it_was_is_not_read_again(tmp_path: Path) -> None:
    """Issue "Speed", 2: seen by its bytes, which nothing but its stamp would give away."""
    here = project(tmp_path)
    place = write(tmp_path, "a.md")
    learnt(here)
    memory = remembered(here)
    known = memory.heads["a.md"]
    assert known.read.post is not None
    memory.heads["a.md"] = replace(known, read=replace(known.read, post=replace(known.read.post, updated_line=77)))
    assert memory.same(memory.there.files[0] if memory.there else None) is memory.heads["a.md"].read  # type: ignore[arg-type]
    assert known.stamp == stamp_at(str(place))


@pytest.mark.parametrize("game", ["same size and times", "renamed over", "touched back", "longer"])
def test_no_game_with_clocks_brings_back_what_a_file_held_before(tmp_path: Path, game: str) -> None:
    """Issue "Speed", 2: size and time of writing can be set to anything, the time of change and the inode cannot."""
    here = project(tmp_path)
    place = write(tmp_path, "a.md", "One")
    before = place.stat()
    learnt(here)
    if game == "renamed over":
        other = write(tmp_path, "b.txt", "Two")
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
        other.rename(place)
    else:
        place.write_text(POST.format(title="Two" if game != "longer" else "Twenty", body="Text."))
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = place.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns) or game == "longer"
    library = scan(here, NOW, remembered(here))
    assert titles(library) == ["Twenty" if game == "longer" else "Two"]
    (entry,) = library.entries
    done = complete(here, entry, remembered(here)).entry
    assert done is not None
    assert done.title == entry.title


def test_a_file_that_was_young_when_it_was_read_is_read_again(tmp_path: Path) -> None:
    """Issue "Speed", 2: within one tick of the file system's clock a second writing leaves no trace in its stamp."""
    here = project(tmp_path)
    place = write(tmp_path, "a.md", "One", old=False)
    learnt(here, seconds_later=0)
    memory = remembered(here)
    known = memory.heads["a.md"]
    assert known.young
    assert memory.texts == {}
    place.write_text(POST.format(title="Two", body="Text."))
    stamp = stamp_at(str(place))
    assert stamp is not None
    memory.heads["a.md"] = replace(known, stamp=stamp)  # as if the writing had left no trace
    assert titles(scan(here, NOW, memory)) == ["Two"]


def test_a_time_of_change_in_the_future_is_never_trusted() -> None:
    """Issue "Speed", 2: after a clock was set back, files are from the future until it has caught up."""
    now = 10**18
    assert is_young((1, 1, 1, 0, now + 10**15), now)
    assert is_young((1, 1, 1, now + 10**15, 0), now)
    assert not is_young((1, 1, 1, 0, now - YOUNG), now)


def test_another_setting_or_program_makes_all_be_read_anew(tmp_path: Path) -> None:
    """Issue "Speed", 2: the date of a post without zone moves with `site.timezone`."""
    write(tmp_path, "a.md")
    here = project(tmp_path)
    utc = learnt(here)
    moved = project(tmp_path, 'timezone = "Asia/Tokyo"\n')
    assert remembered(moved).heads == {}
    assert scan(moved, NOW, remembered(moved)).entries[0].published < utc.entries[0].published
    assert key_of(here) != key_of(moved)
    assert Cache(here.state).load("posts-1-0", dict, digest("another program")) is None


@pytest.mark.parametrize("harm", ["gone", "cut", "one bit", "other type", "nonsense"])
def test_a_cache_that_is_harmed_costs_nothing_but_time(tmp_path: Path, harm: str) -> None:
    """Issue "Speed", 2."""
    here = project(tmp_path)
    write(tmp_path, "a.md", body="Lead *text*.")
    fresh = learnt(here)
    folder = here.state / "cache"
    for place in list(folder.iterdir()):
        body = place.read_bytes()
        if harm == "gone":
            place.unlink()
        elif harm == "cut":
            place.write_bytes(body[:-3])
        elif harm == "one bit":
            place.write_bytes(body[:-3] + bytes([body[-3] ^ 1]) + body[-2:])
        elif harm == "other type":
            Cache(here.state).save(place.name, ["other"], body[:32])
        else:
            place.write_bytes(b"\x81\xa1")
    memory = remembered(here)
    assert (memory.heads, memory.texts) == ({}, {})
    assert scan(here, NOW, memory) == fresh


def test_what_a_cache_says_is_what_files_say(tmp_path: Path) -> None:
    """N1: entries, texts, warnings and what is left out, with and without."""
    here = project(tmp_path)
    write(tmp_path, "a.md", "Ein *Titel*", "Text <script>x</script> [a](foo:bar)\n\n<!--more-->\n\n![p](p.png)")
    write(tmp_path, "draft.md", "Draft\ndraft: yes")
    write(tmp_path, "bad.md", "a: b: c: [")
    write(tmp_path, "x/y.md", "Two\nsummary: A *short* one\ntags: [CUDA, C++]\nupdated: 2026-05-09")
    (tmp_path / "posts" / "latin.md").write_bytes(b"\xe9")
    first = learnt(here)
    memory = remembered(here)
    assert set(memory.heads) == {"a.md", "draft.md", "bad.md", "x/y.md", "latin.md"}
    assert scan(here, NOW, memory) == first == scan(here, NOW)
    for entry in first.entries:
        assert complete(here, entry, memory) == complete(here, entry)


def test_a_post_that_went_away_is_forgotten(tmp_path: Path) -> None:
    """Issue "Speed", 2."""
    here = project(tmp_path)
    write(tmp_path, "a.md")
    gone = write(tmp_path, "b.md", "Two")
    learnt(here)
    gone.unlink()
    assert titles(learnt(here)) == ["One"]
    assert set(remembered(here).heads) == {"a.md"}


def test_a_cache_that_cannot_be_written_stops_no_build(tmp_path: Path) -> None:
    """Issue "Speed", 2: a file lies where its folder should be, and half a character is in what should be kept."""
    here = project(tmp_path)
    write(tmp_path, "a.md")
    here.state.mkdir()
    (here.state / "cache").write_text("in the way")
    assert titles(learnt(here)) == ["One"]
    Cache(tmp_path / "other").save("x", "\ud800", bytes(32))
    assert Cache(tmp_path / "other").load("x", str, bytes(32)) is None


def test_what_a_cache_cannot_keep_takes_no_room(tmp_path: Path) -> None:
    """V-20: neither does what runs have left that were killed, each a process of its own."""
    place = tmp_path / "cache"
    (place / "texts").mkdir(parents=True)
    (place / ".feeds").write_bytes(b"half")
    cache = Cache(tmp_path)
    cache.save("texts", "words", bytes(32))
    cache.save("feeds", "words", bytes(32))
    assert sorted(each.name for each in place.iterdir()) == ["feeds", "texts"]
    assert cache.load("feeds", str, bytes(32)) == "words"


def test_a_cache_runs_nothing_that_it_holds(tmp_path: Path) -> None:
    """Issue "Speed", 2: what lies in the state folder is data; a value of another type is none."""
    cache = Cache(tmp_path)
    cache.save("x", {"a": 1}, bytes(32))
    assert cache.load("x", dict[str, int], bytes(32)) == {"a": 1}
    assert cache.load("x", dict[str, str], bytes(32)) is None
    assert (tmp_path / "cache" / "x").read_bytes()[64:] == msgspec.msgpack.encode({"a": 1})
    assert (tmp_path / "cache" / "x").stat().st_mode & 0o777 == 0o600


def test_many_posts_are_read_by_all_cores_and_come_out_in_order(tmp_path: Path) -> None:
    """Issue "Speed", 2: what children read is what one process reads, and what cannot be read is named as well."""
    here = project(tmp_path)
    (tmp_path / "posts").mkdir()
    for number in range(2100):
        title = "*x" if number % 500 == 7 else f"Post {number}"
        (tmp_path / "posts" / f"{number:04}.md").write_text(POST.format(title=title, body="Text."))
    os.mkfifo(tmp_path / "posts" / "1999-pipe.md")
    many = scan(here, NOW)
    assert sorted(held.key for held in many.held) == ["0007", "0507", "1007", "1507", "1999-pipe.md", "2007"]
    assert {entry.key for entry in many.entries} == {f"{number:04}" for number in range(2100) if number % 500 != 7}
    assert [one.path for one in many.diagnostics] == sorted(one.path for one in many.diagnostics)
