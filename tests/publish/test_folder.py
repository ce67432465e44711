"""The output folder: sets change together, equal files are left alone, nothing of others is touched."""

import gzip
import os
import shutil
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from feedsvc.errors import PublishError
from feedsvc.model import Document
from feedsvc.publish import files
from feedsvc.publish.folder import is_real, publish, releases
from tests.places import PROJECT

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
LONG = b"<p>kernel&lt;&lt;&lt;grid, block>>></p>\n" * 100


def doc(path: str, body: bytes = b"x") -> Document:
    return Document(path, body, "text/html", f"https://gpu.example/{path}")


def put(root: Path, *documents: Document, now: datetime = NOW, hold: tuple[str, ...] = ()) -> tuple[str, ...]:
    done = publish(documents, root / "public", root / "var", now=now, codings=("gzip",), hold=hold)
    return done.changed


def tree(root: Path) -> dict[str, bytes]:
    return {path: (root / "public" / path).read_bytes() for path in files.below(root / "public")}


def times(root: Path) -> dict[str, float]:
    return {path: (root / "public" / path).stat().st_mtime for path in files.below(root / "public")}


def test_the_output_is_a_link_to_a_release_beside_it(tmp_path: Path) -> None:
    """V-19."""
    put(tmp_path, doc("a.html"), doc("tags/cuda/atom.xml"))
    assert (tmp_path / "public").is_symlink()
    assert os.readlink(tmp_path / "public") == "public.releases/000001"
    assert tree(tmp_path) == {"a.html": b"x", "tags/cuda/atom.xml": b"x"}


def test_equal_documents_touch_nothing(tmp_path: Path) -> None:
    """N2: no new release, no new time."""
    put(tmp_path, doc("a.html", LONG))
    before = os.readlink(tmp_path / "public"), times(tmp_path)
    assert put(tmp_path, doc("a.html", LONG), now=NOW + timedelta(hours=1)) == ()
    assert (os.readlink(tmp_path / "public"), times(tmp_path)) == before


def test_a_change_writes_the_changed_file_alone(tmp_path: Path) -> None:
    """N2: the other file is the same file under a second name."""
    put(tmp_path, doc("a.html"), doc("b.html"))
    old = (tmp_path / "public" / "a.html").stat()
    assert put(tmp_path, doc("a.html"), doc("b.html", b"y"), now=NOW + timedelta(hours=1)) == ("b.html",)
    new = (tmp_path / "public" / "a.html").stat()
    assert (new.st_ino, new.st_mtime) == (old.st_ino, old.st_mtime)


def test_a_replaced_file_is_a_second_newer_even_when_the_clock_stood_still(tmp_path: Path) -> None:
    """V-05."""
    put(tmp_path, doc("a.html", b"1"))
    put(tmp_path, doc("a.html", b"2"), now=NOW - timedelta(days=1))
    assert times(tmp_path)["a.html"] == NOW.timestamp() + 1


def test_a_twin_holds_the_same_bytes_and_has_the_time_of_its_file(tmp_path: Path) -> None:
    """V-09, V-11: gzip with neither time nor name, and none under a kilobyte."""
    put(tmp_path, doc("a.html", LONG), doc("b.html", b"short"))
    twin = (tmp_path / "public" / "a.html.gz").read_bytes()
    assert gzip.decompress(twin) == LONG
    assert twin[3:8] == b"\0\0\0\0\0"
    assert set(tree(tmp_path)) == {"a.html", "a.html.gz", "b.html"}
    assert len(set(times(tmp_path).values())) == 1


def test_a_document_that_went_away_goes_with_its_twin(tmp_path: Path) -> None:
    """V-21."""
    put(tmp_path, doc("a.html", LONG), doc("b.html"))
    put(tmp_path, doc("b.html"))
    assert set(tree(tmp_path)) == {"b.html"}


def test_a_document_that_failed_the_gate_keeps_its_last_good_version(tmp_path: Path) -> None:
    """Interface, Published files: the last good file stands, its twin too."""
    put(tmp_path, doc("a.html", LONG), doc("b.html"))
    put(tmp_path, doc("a.html", b"bad"), doc("b.html", b"y"), hold=("a.html",))
    assert tree(tmp_path)["a.html"] == LONG
    assert gzip.decompress(tree(tmp_path)["a.html.gz"]) == LONG
    assert tree(tmp_path)["b.html"] == b"y"


def test_the_release_before_stays_for_readers_under_way_and_older_ones_go(tmp_path: Path) -> None:
    """V-19."""
    for turn in range(4):
        put(tmp_path, doc("a.html", b"%d" % turn), now=NOW + timedelta(minutes=turn))
    assert sorted(old.name for old in releases(tmp_path / "public").iterdir()) == ["000003", "000004"]


def test_what_a_killed_run_left_is_cleared(tmp_path: Path) -> None:
    """N3, V-20."""
    put(tmp_path, doc("a.html"))
    left = releases(tmp_path / "public") / f"{files.UNFINISHED}0"
    left.mkdir()
    (left / "half").write_bytes(b"h")
    (tmp_path / f"{files.UNFINISHED}1").symlink_to("nowhere")
    put(tmp_path, doc("a.html"), now=NOW + timedelta(minutes=1))
    assert not left.exists()
    assert not (tmp_path / f"{files.UNFINISHED}1").is_symlink()


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.publish.test_folder import NEW, put

left = int(sys.argv[2])

def hook(event, args):
    global left
    changing = event in ("open", "os.rename", "os.mkdir", "os.link", "os.symlink", "os.remove")
    if changing and str(args[0]).startswith(sys.argv[1]):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
put(Path(sys.argv[1]), *NEW)
"""
OLD = (doc("a.html", LONG), doc("tags/old/b.html"))
NEW = (doc("a.html", LONG + b"new"), doc("tags/new/b.html"))


@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("step", [1, 4, 7, 10, 13, 16, 19, 22])
def test_a_run_that_is_killed_leaves_nothing_half_and_the_next_one_leaves_nothing_of_it(
    tmp_path: Path, step: int, real: bool
) -> None:
    """N3: at any step; also where the next run has what the one before had."""
    if real:
        (tmp_path / "public").mkdir()
    put(tmp_path, *OLD)
    before = tree(tmp_path)
    run = [sys.executable, "-c", KILLED, str(tmp_path), str(step)]
    assert subprocess.run(run, cwd=PROJECT, check=False).returncode in (-signal.SIGKILL, 0)
    assert tree(tmp_path)["a.html"] in (LONG, LONG + b"new")
    put(tmp_path, *OLD)
    assert tree(tmp_path) == before
    assert list(tmp_path.rglob(f"{files.UNFINISHED}*")) == []
    assert not (tmp_path / "public" / "tags" / "new").exists()


def test_modes_do_not_follow_the_umask(tmp_path: Path) -> None:
    """V-18."""
    old = os.umask(0o077)
    try:
        put(tmp_path, doc("tags/a.html"))
    finally:
        os.umask(old)
    place = tmp_path / "public" / "tags"
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert stat.S_IMODE((place / "a.html").stat().st_mode) == 0o644


@pytest.mark.parametrize("path", ["../a", "/etc/a", "a/../../b", ".."])
def test_nothing_is_written_outside_the_folder(tmp_path: Path, path: str) -> None:
    """S-29."""
    with pytest.raises(PublishError, match="refusing to publish outside the output folder"):
        put(tmp_path, doc(path))
    assert not list(tmp_path.rglob("a"))


def test_a_file_in_the_place_of_the_folder_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "public").write_text("mine")
    with pytest.raises(PublishError, match=r"public: is not a folder; move it away or change output\.directory"):
        put(tmp_path, doc("a.html"))


def test_a_full_disk_leaves_the_old_set_whole(tmp_path: Path) -> None:
    """V-20: here the release folder cannot be made."""
    put(tmp_path, doc("a.html"))
    os.rename(releases(tmp_path / "public"), tmp_path / "kept")
    (tmp_path / "public.releases").write_text("in the way")
    with pytest.raises(PublishError, match="what was published before still stands"):
        put(tmp_path, doc("a.html", b"y"))


def test_half_a_release_takes_no_room_once_it_failed(tmp_path: Path) -> None:
    """V-20: on a full disk the store has to write until the next build comes."""
    put(tmp_path, doc("a.html"))
    with pytest.raises(PublishError, match="what was published before still stands"):
        put(tmp_path, doc("a", LONG), doc("a/b.html"))
    assert [each.name for each in releases(tmp_path / "public").iterdir()] == ["000001"]


class TestARealFolder:
    """A mounted volume, say: files are replaced one by one."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        (tmp_path / "public").mkdir()
        (tmp_path / "public" / "theirs.html").write_bytes(b"not ours")
        put(tmp_path, doc("a.html", LONG), doc("tags/b.html"))
        return tmp_path

    def test_files_of_others_stay_and_ours_are_written_and_removed(self, root: Path) -> None:
        put(root, doc("a.html", LONG), doc("tags/a/b.html"))
        put(root, doc("a.html", LONG))
        assert set(tree(root)) == {"a.html", "a.html.gz", "theirs.html"}
        assert not (root / "public" / "tags").exists()

    def test_it_says_that_sets_are_not_atomic(self, root: Path) -> None:
        assert is_real(root / "public")
        assert not publish([doc("a.html")], root / "public", root / "var", now=NOW).atomic

    def test_equal_documents_touch_nothing(self, root: Path) -> None:
        """N2."""
        before = times(root)
        put(root, doc("a.html", LONG), doc("tags/b.html"), now=NOW + timedelta(hours=1))
        assert times(root) == before

    def test_a_twin_of_a_version_that_was_never_published_is_replaced(self, root: Path) -> None:
        """V-11: a run killed between a twin and its file, and the change taken back."""
        files.replace(root / "public" / "a.html.gz", gzip.compress(b"never published"), NOW.timestamp() + 60)
        put(root, doc("a.html", LONG), doc("tags/b.html"))
        assert gzip.decompress(tree(root)["a.html.gz"]) == LONG

    def test_a_link_inside_it_that_leads_out_is_not_followed(self, root: Path) -> None:
        """S-29."""
        (root / "elsewhere").mkdir()
        (root / "public" / "out").symlink_to(root / "elsewhere")
        with pytest.raises(PublishError, match="leads out of the output folder"):
            put(root, doc("out/a.html"))
        assert not list((root / "elsewhere").iterdir())

    def test_half_written_files_of_a_killed_run_are_cleared(self, root: Path) -> None:
        """N3."""
        left = root / "public" / f"{files.UNFINISHED}1"
        left.write_bytes(b"half")
        put(root, doc("a.html", LONG + b"y"), doc("tags/b.html"))
        assert not left.exists()


def test_a_link_of_the_operator_counts_as_a_real_folder(tmp_path: Path) -> None:
    (tmp_path / "volume").mkdir()
    (tmp_path / "public").symlink_to("volume")
    put(tmp_path, doc("a.html"))
    assert os.readlink(tmp_path / "public") == "volume"
    assert (tmp_path / "volume" / "a.html").read_bytes() == b"x"


@pytest.mark.parametrize("target", ["public", "volume/feeds"])
def test_a_link_of_the_operator_that_leads_nowhere_is_left_alone(tmp_path: Path, target: str) -> None:
    """V-20: a volume that is not mounted for now, or a link to itself."""
    (tmp_path / "public").symlink_to(target)
    with pytest.raises(PublishError, match=f"is a link to {target}, which is not there"):
        put(tmp_path, doc("a.html"))
    assert os.readlink(tmp_path / "public") == target


def test_a_link_whose_release_is_gone_gets_another(tmp_path: Path) -> None:
    put(tmp_path, doc("a.html"))
    shutil.rmtree(releases(tmp_path / "public"))
    put(tmp_path, doc("a.html"))
    assert tree(tmp_path) == {"a.html": b"x"}


def test_strange_names_among_the_releases_are_no_releases(tmp_path: Path) -> None:
    put(tmp_path, doc("a.html"))
    (releases(tmp_path / "public") / "²").touch()
    put(tmp_path, doc("a.html", b"y"))
    assert os.readlink(tmp_path / "public") == "public.releases/000002"


@pytest.mark.parametrize(
    "list_of_ours",
    [b"", b"5", b"null", b"[1]", b"[[1]]", b'["a\\u0000"]', b'["\\ud800"]', b"\xff", b"[" * 99_999, b'["../victim"]',
     b'["{place}/victim"]'],
)  # fmt: skip
def test_a_damaged_list_of_what_is_ours_removes_nothing(tmp_path: Path, list_of_ours: bytes) -> None:
    """S-29: the files of a real folder are ours by that list alone, and those outside never are."""
    for name in ("public", "var"):
        (tmp_path / name).mkdir()
    for name in ("victim", "public/other.html"):
        (tmp_path / name).touch()
    (tmp_path / "var/published.json").write_bytes(list_of_ours.replace(b"{place}", bytes(tmp_path)))
    put(tmp_path, doc("a.html"))
    assert sorted(tree(tmp_path)) == ["a.html", "other.html"]
    assert (tmp_path / "victim").exists()


def test_nothing_is_removed_through_a_link_out_of_a_real_folder(tmp_path: Path) -> None:
    """S-29."""
    for name in ("public", "elsewhere"):
        (tmp_path / name).mkdir()
    put(tmp_path, doc("tags/atom.xml"), doc("a.html"))
    (tmp_path / "public/tags").rename(tmp_path / "elsewhere/tags")
    (tmp_path / "public/tags").symlink_to(tmp_path / "elsewhere/tags")
    put(tmp_path, doc("a.html"))
    assert (tmp_path / "elsewhere/tags/atom.xml").exists()


def test_what_cannot_take_its_place_leaves_nothing_beside_it(tmp_path: Path) -> None:
    """V-20: on a disk that is full for a day, a daemon tries thousands of times."""
    (tmp_path / "pings.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        files.replace(tmp_path / "pings.json", b"x", 0)
    assert [each.name for each in tmp_path.iterdir()] == ["pings.json"]


def test_what_cannot_be_flushed_stops_the_publication(tmp_path: Path) -> None:
    """V-18: a set is current only when all of it is on the disk; which of many threads failed does not matter."""
    there = [tmp_path / f"{number}" for number in range(20)]
    for path in there:
        path.write_bytes(b"x")
    files.flush([*there, tmp_path])
    files.flush([])
    there[13].unlink()
    with pytest.raises(FileNotFoundError, match="13"):
        files.flush(there)
