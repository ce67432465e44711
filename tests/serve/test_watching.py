"""Folders that are watched for months: what stands at their place may be another one by then (interface, HTTP)."""

from pathlib import Path
from queue import Empty, Queue

import pytest

from feedsvc.serve import watching
from feedsvc.serve.watching import Watched, Watcher


@pytest.mark.parametrize("way", ["renamed", "link"])
def test_a_folder_that_takes_the_place_of_another_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A deployment puts a checkout in place of the last one; what is saved in it afterwards is noticed as ever."""
    monkeypatch.setattr(watching, "LOOK_MILLISECONDS", 50)
    monkeypatch.setattr(watching, "RETRY_SECONDS", 0.05)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "feedsvc.toml").touch()
    place = tmp_path / ("config" if way == "link" else "one")
    if way == "link":
        place.symlink_to("one")
    came = Queue[str]()
    watcher = Watcher(Watched(place, deep=False, names=frozenset({"feedsvc.toml"})), lambda: came.put("changed"))
    try:
        _until_told(came, place)
        if way == "link":
            (tmp_path / "next").symlink_to("two")
            (tmp_path / "next").replace(place)
        else:
            place.rename(tmp_path / "old")
            (tmp_path / "two").rename(place)
        came.get(timeout=20)
        _until_told(came, place)
    finally:
        watcher.end()


def _until_told(came: "Queue[str]", place: Path) -> None:
    """Save the file until that is noticed: a watcher begins in its own time."""
    while not came.empty():
        came.get()
    for _ in range(10):
        (place / "feedsvc.toml").write_text("x")
        try:
            came.get(timeout=2)
        except Empty:
            continue
        return
    raise AssertionError("what was saved was not noticed")
