"""A published folder in memory: which files are documents, which are twins, and when there is another set."""

import gzip
import os
from pathlib import Path

import pytest

from feedsvc.publish.folder import releases
from feedsvc.serve.answer import respond
from feedsvc.serve.documents import Shelf, load
from feedsvc.serve.keeper import Keeper
from tests.serve.folders import ATOM, NOW, PUBLIC, SET, put

LATER = NOW.timestamp() + 3600


def real(place: Path, files: dict[str, bytes]) -> Path:
    """Write a real folder, as somebody's copy of a set is."""
    for path, body in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(body)
    return place


def unpacked(shelf: Shelf, path: str = "/atom.xml") -> tuple[bytes, bytes]:
    plain = respond("GET", path, {}, shelf)
    packed = respond("GET", path, {"accept-encoding": "gzip"}, shelf)
    return plain.body, gzip.decompress(packed.body) if packed.header("Content-Encoding") else packed.body


def test_a_new_twin_beside_an_old_file_is_not_sent(tmp_path: Path) -> None:
    """V-11: a writer that was stopped between the two leaves readers with one version."""
    output = real(tmp_path / "public", {"atom.xml": ATOM.encode(), "atom.xml.gz": gzip.compress(b"<feed>new</feed>")})
    os.utime(output / "atom.xml", (LATER - 60, LATER - 60))
    assert unpacked(load(output, PUBLIC, LATER)) == (ATOM.encode(), ATOM.encode())


def test_a_twin_whose_time_was_lost_in_a_copy_is_used_when_it_holds_the_same_bytes(tmp_path: Path) -> None:
    output = real(tmp_path / "public", {"atom.xml": ATOM.encode(), "atom.xml.gz": gzip.compress(ATOM.encode())})
    os.utime(output / "atom.xml", (1, 1))
    packed = respond("GET", "/atom.xml", {"accept-encoding": "gzip"}, load(output, PUBLIC, LATER))
    assert packed.header("Content-Encoding") == "gzip"


def test_hidden_files_links_and_pipes_are_no_documents(tmp_path: Path) -> None:
    """V-17, S-30: a link out of the folder publishes nothing, and a FIFO holds nobody up."""
    output = real(tmp_path / "public", {"a.txt": b"a", ".env": b"secret", ".git/config": b"secret", "b\\c": b"x"})
    (tmp_path / "secret").write_text("secret")
    (output / "link.txt").symlink_to(tmp_path / "secret")
    (output / "folder").symlink_to(tmp_path)
    os.mkfifo(output / "pipe")
    assert list(load(output, PUBLIC, LATER).documents) == ["/a.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_takes_no_other_with_it(tmp_path: Path) -> None:
    """V-39: in a folder that others write to as well, one of their files must not stop new sets."""
    output = real(tmp_path / "public", {"a.txt": b"a", "b.txt": b"b"})
    (output / "b.txt").chmod(0)
    assert list(load(output, PUBLIC, LATER).documents) == ["/a.txt"]


def test_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    """V-39: a new set costs what changed in it."""
    before = load(put(tmp_path), PUBLIC, LATER)
    after = load(put(tmp_path, {**SET, "atom.xml": ATOM.replace("warp", "wave")}, later=9), PUBLIC, LATER, before)
    kept = {path for path in SET if after.stored[path] is before.stored[path]}
    assert kept == set(SET) - {"atom.xml"}
    assert unpacked(after) == (after.stored["atom.xml"].body,) * 2


def test_a_new_release_is_taken_whole_and_an_unchanged_one_is_left_alone(tmp_path: Path) -> None:
    """V-19, V-39."""
    keeper = Keeper(put(tmp_path), PUBLIC)
    assert keeper.look(settled=True)
    before = keeper.shelf
    assert not keeper.look()
    put(tmp_path, later=9)  # the same input: nothing is published
    assert not keeper.look()
    assert keeper.shelf is before
    put(tmp_path, {**SET, "atom.xml": ATOM.replace("warp", "wave")}, later=20)
    assert keeper.look()
    assert b"wave" in respond("GET", "/atom.xml", {}, keeper.shelf).body


def test_a_real_folder_is_taken_once_nothing_in_it_changes_any_more(tmp_path: Path) -> None:
    """V-19 as far as files replaced one by one allow: a look in the middle of writing changes nothing."""
    output = real(tmp_path / "public", {"atom.xml": b"<feed>1</feed>", "index.html": b"1"})
    keeper = Keeper(output, PUBLIC)
    keeper.look(settled=True)
    real(output, {"atom.xml": b"<feed>22</feed>"})
    assert not keeper.look()
    real(output, {"index.html": b"22"})
    assert not keeper.look()
    assert respond("GET", "/", {}, keeper.shelf).body == b"1"
    assert keeper.look()
    assert [respond("GET", path, {}, keeper.shelf).body for path in ("/atom.xml", "/")] == [b"<feed>22</feed>", b"22"]


def test_the_last_set_stays_while_the_folder_cannot_be_read(tmp_path: Path) -> None:
    """V-20: a folder that is gone takes no answer with it."""
    output = put(tmp_path)
    keeper = Keeper(output, PUBLIC)
    keeper.look(settled=True)
    releases(output).rename(tmp_path / "away")
    assert not keeper.look()
    assert respond("GET", "/atom.xml", {}, keeper.shelf).status == 200


def test_before_the_first_build_everything_is_not_found_and_then_it_is_there(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "public", PUBLIC)
    assert not keeper.look(settled=True)
    assert respond("GET", "/", {}, keeper.shelf).status == 404
    put(tmp_path)
    assert keeper.look()
    assert respond("GET", "/", {}, keeper.shelf).status == 200
