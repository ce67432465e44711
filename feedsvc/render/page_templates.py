"""Where templates come from: one's own by name, else ours, which are compiled once as Python's own modules are.

Compiling ours takes as long as a small build does. So they are kept as Python keeps modules, in `__pycache__` beside
them where that can be written, and compiled anew where template, Jinja or these lines are others.
"""

import zlib
from collections.abc import Mapping, MutableMapping
from functools import lru_cache
from importlib import resources
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound, compiler

Templates = tuple[tuple[str, str], ...]

_HERE = resources.files("feedsvc.render") / "templates"
_NAMES = frozenset(file.name for file in _HERE.iterdir() if file.is_file())
_WAYS: Mapping[str, Any] = {
    "autoescape": True,
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
}


@lru_cache(maxsize=4)
def environment(templates: Templates) -> Environment:
    """Return our templates with those of one's own before them; what a feed says is escaped, never run (S-27)."""
    return Environment(loader=_Loader(dict(templates)), **_WAYS)  # noqa: S701 - autoescape is among the ways


class _Loader(BaseLoader):
    """Finds templates by name. Each one's code is named after it, so that a traceback tells file and line."""

    def __init__(self, own: Mapping[str, str]) -> None:
        self.own = own

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:  # noqa: ARG002
        """Return the source of a template; jinja2's signature."""
        if template in self.own:
            return self.own[template], template, None
        if template in _NAMES:
            return (_HERE / template).read_text("utf-8"), template, None
        raise TemplateNotFound(template)

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> Template:
        """Return a template, ours as it was compiled before; jinja2's signature."""
        if name in self.own or name not in _NAMES or not isinstance(_HERE, Path):
            return super().load(environment, name, globals)
        code = _Kept(environment, name, _HERE).get_code(name)
        return environment.template_class.from_code(environment, code, globals or {}, None)


class _Kept(SourceFileLoader):
    """Compiles a template as if it were a module, and so keeps what it compiled."""

    def __init__(self, environment: Environment, name: str, folder: Path) -> None:
        super().__init__(name, str(folder / name))
        self.environment = environment

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the template; there always is one, where the file can be read."""
        code = super().get_code(fullname)
        assert code is not None
        return code

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]  # noqa: ARG002
        """Return the code that Jinja makes of a source; importlib's signature."""
        return self.environment.compile(bytes(data).decode(), self.name, self.name)

    def path_stats(self, path: Any) -> Mapping[str, Any]:
        """Return size and time of a template, the time moved by what else its code depends on."""
        stats = super().path_stats(path)
        return {**stats, "mtime": int(stats["mtime"]) + _salt() & 0xFFFFFFFF}


@lru_cache(maxsize=1)
def _salt() -> int:
    jinja = Path(compiler.__file__).stat()
    return zlib.crc32(f"{jinja.st_mtime_ns} {jinja.st_size} {_WAYS!r}".encode())
