"""What an SQLite store keeps to (V-35 to V-38, S-31, S-44)."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from feedsvc.errors import StoreError
from feedsvc.store.connect import connected
from feedsvc.store.entries import Seen
from feedsvc.store.store import opened
from tests.places import PROJECT
from tests.store.stores import HOUR, NOW, POLICY, TERMS, entry, ids, poll, source


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "var" / "feeds.db"


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def filled(file: Path, count: int = 3) -> None:
    with opened(url(file), TERMS) as store:
        store.sync([source(f"s{number}") for number in range(count)], POLICY, NOW)
        for lease in store.claim(count, NOW):
            poll(store, lease, NOW, Seen([entry("one", lease.source)]))


def test_every_connection_has_the_pragmas_of_the_rule(file: Path) -> None:
    """V-35, S-44"""
    wanted = {
        "journal_mode": "wal",
        "synchronous": 1,
        "busy_timeout": 5000,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "mmap_size": 0,
    }
    database = connected(url(file))
    for work in (database.writing, database.reading, database.outside):
        with work() as connection:
            assert {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted} == wanted
    database.close()


def test_the_store_is_its_owners_alone(file: Path) -> None:
    """S-31: whatever the umask."""
    before = os.umask(0)
    try:
        filled(file)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_closed_store_is_one_file(file: Path) -> None:
    """V-36: the one that writes folds the journal in."""
    filled(file)
    assert [found.name for found in file.parent.iterdir()] == ["feeds.db"]


def test_a_reader_sees_what_is_committed_beside_a_writer_and_writes_nothing(file: Path) -> None:
    """V-36: `status` beside a daemon."""
    filled(file)
    with opened(url(file), TERMS) as writer, opened(url(file), read_only=True) as reader:
        assert len(reader.entries()) == 3
        (lease,) = writer.claim(1, NOW + 2 * HOUR)
        poll(writer, lease, NOW + 2 * HOUR, Seen([entry("two", lease.source)]))
        assert len(reader.entries()) == 4
        with pytest.raises(StoreError, match="readonly"):
            reader.claim(1, NOW + 9 * HOUR)


def test_a_reader_makes_no_store(file: Path) -> None:
    with pytest.raises(StoreError, match="unable to open"):
        opened(url(file), read_only=True)
    assert not file.parent.exists()


@pytest.mark.parametrize("damage", ["zeros", "text", "cut"])
def test_a_damaged_file_is_refused_with_a_way_out(file: Path, damage: str) -> None:
    """V-38: quick_check at start."""
    filled(file, 200)
    raw = file.read_bytes()
    middle = len(raw) // 2
    bad = {
        "zeros": raw[: middle - 8192] + b"\0" * 16384 + raw[middle + 8192 :],
        "text": b"not a database at all, but long enough to be one\n" * 99,
        "cut": raw[: middle - 100],
    }
    file.write_bytes(bad[damage])
    with pytest.raises(StoreError, match=r"feeds\.db: is damaged \(.*\); put back a backup, or move the file away"):
        opened(url(file), TERMS)


def test_a_backup_is_a_whole_store_and_replaces_nothing(file: Path, tmp_path: Path) -> None:
    """V-38"""
    filled(file)
    copy = tmp_path / "copy.db"
    with opened(url(file), TERMS) as store:
        store.backup(copy)
        with pytest.raises(StoreError, match=r"copy\.db: is there already"):
            store.backup(copy)
        before = store.entries()
    with opened(url(copy), TERMS) as restored:
        assert restored.entries() == before


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(StoreError, match=r"var/feeds\.db: cannot be opened: "):
        opened(url(tmp_path / "var" / "feeds.db"), TERMS)


BUSY = """
import sys
from datetime import datetime
from feedsvc.store.entries import Seen
from feedsvc.store.store import opened
from tests.store.stores import NOW, POLICY, TERMS, entry, poll, source
store = opened(sys.argv[1], TERMS)
store.sync([source(f"s{number}") for number in range(60)], POLICY, NOW)
print("begun", flush=True)
for lease in store.claim(64, NOW):
    poll(store, lease, NOW, Seen([entry(f"e{number}", lease.source) for number in range(40)]))
    print(lease.source, flush=True)
"""


@pytest.mark.parametrize("after", [1, 8, 25])
def test_after_kill_9_the_file_is_whole_and_no_validator_is_newer_than_its_entries(file: Path, after: int) -> None:
    """V-37, F-11: what was committed is there, all of it or nothing, and nobody is asked again inside the base."""
    command = [sys.executable, "-c", BUSY, url(file)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        done = [process.stdout.readline().decode().strip() for _ in range(after + 1)][1:]
        process.send_signal(signal.SIGKILL)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with opened(url(file), TERMS) as store:
        counts = {name: found.entries for name, found in store.remembered().items()}
        polled = {name for name, found in store.remembered().items() if found.state.last_success}
        assert polled >= set(done)
        assert {count for name, count in counts.items() if name in polled} == {40}
        assert {count for name, count in counts.items() if name not in polled} <= {0}
        begun = {name for name, found in store.remembered().items() if found.state.last_start}
        assert not begun & set(ids(store.claim(99, NOW + HOUR - timedelta(seconds=1))))
