"""An operator's own templates and assets: `templates/` and `assets/` beside the configuration file (docs/pages.md)."""

from collections.abc import Iterator
from pathlib import Path

from feedsvc.errors import ConfigError
from feedsvc.model import Diagnostic, Level
from feedsvc.patterns import pattern
from feedsvc.service.dressing import Dress
from feedsvc.settings.tree import Project

_NAME = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LARGEST = 5 * 1024 * 1024


def dress(project: Project) -> Dress:
    """Read what stands in place of our templates and assets; ConfigError for a file that can't be taken."""
    home = project.config.parent
    try:
        templates = tuple((path.name, _text(path)) for path in _files(home / "templates"))
        return Dress(templates, {path.name: path.read_bytes() for path in _files(home / "assets")})
    except OSError as problem:
        raise _refused(Path(problem.filename or home), f"cannot be read: {problem.strerror}") from None


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name.startswith(".") or path.name.endswith("~"):
            continue
        if not _NAME.fullmatch(path.name) or not path.is_file() or path.stat().st_size > _LARGEST:
            raise _refused(path, "must be a file of at most 5 MiB whose name holds letters, digits, dots, - and _ only")
        yield path


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise _refused(path, "is not UTF-8; save the file as UTF-8") from None


def _refused(path: Path, message: str) -> ConfigError:
    return ConfigError([Diagnostic(str(path), None, Level.ERROR, message, "bad-override")])
