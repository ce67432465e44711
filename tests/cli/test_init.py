"""`feedsvc init` writes a project that loads, and overwrites nothing."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feedsvc.cli.main import main
from feedsvc.settings.load import load
from feedsvc.settings.starter import CONFIG, POST_PATH


def init(*arguments: str, **environment: str) -> Result:
    """Run `feedsvc init`."""
    return CliRunner().invoke(main, ["init", *arguments], env={"SOURCE_DATE_EPOCH": "1777638600", **environment})


def test_a_new_project_loads_with_its_authority_written_down(tmp_path: Path) -> None:
    """Interface: `init` writes id_authority down; it is the one that would be the default."""
    result = init(str(tmp_path), "--title", "Über “GPUs”", "--url", "https://Gpu.example", "--author", "Ann")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / CONFIG}\n{tmp_path / POST_PATH}\n")
    settings = load(tmp_path / CONFIG).settings
    assert (settings.site.title, settings.site.author.name) == ("Über “GPUs”", "Ann")
    assert 'id_authority = "gpu.example,2026"' in (tmp_path / CONFIG).read_text("utf-8")
    assert "date: 2026-05-01T12:30:00Z\n" in (tmp_path / POST_PATH).read_text("utf-8")


def test_nothing_is_asked_and_the_environment_is_heard(tmp_path: Path) -> None:
    """Interface: every flag has an environment twin."""
    assert init(str(tmp_path / "a")).exit_code == 0
    assert load(tmp_path / "a" / CONFIG).settings.site.author.name == "My notes"
    assert init(str(tmp_path / "b"), FEEDSVC_TITLE="T", FEEDSVC_URL="https://t.example/b").exit_code == 0
    assert load(tmp_path / "b" / CONFIG).settings.site.url == "https://t.example/b/"


@pytest.mark.parametrize("there", [CONFIG, POST_PATH])
def test_what_is_there_is_named_and_not_touched(tmp_path: Path, there: str) -> None:
    """Interface: refuses to overwrite; 2 is a usage error, and nothing was written."""
    (tmp_path / there).parent.mkdir()
    (tmp_path / there).write_text("mine")
    result = init(str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"{tmp_path / there}: error: is there already; nothing was written [file-exists]\n"
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]


def test_a_link_that_leads_nowhere_is_something_that_is_there(tmp_path: Path) -> None:
    """S-31: no link is followed when a file is made."""
    (tmp_path / "config").mkdir()
    (tmp_path / CONFIG).symlink_to(tmp_path / "elsewhere")
    assert init(str(tmp_path)).exit_code == 2
    assert not (tmp_path / "elsewhere").exists()


def test_a_bad_address_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """A project that does not load is no help."""
    result = init(str(tmp_path), "--url", "gpu.example")
    assert result.exit_code == 2
    assert "site.url: must begin with https:// or http://" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_a_failure_in_words(tmp_path: Path) -> None:
    """Exit status 1; no traceback."""
    (tmp_path / "config").write_text("a file, no folder")
    result = init(str(tmp_path))
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr


def test_a_folder_that_cannot_be_made_is_told_in_words(tmp_path: Path) -> None:
    result = init(str(tmp_path / ("x" * 300)))
    assert result.exit_code == 1
    assert "cannot be written: File name too long" in result.stderr
