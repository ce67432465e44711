"""The lines of the house (docs/design.md): layers, owners of third-party packages, clean rooms below the edges."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import PROJECT

ROOT = PROJECT / "feedsvc"
MODULES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.py"))

MAY_IMPORT = {
    "__init__": set(),
    "patterns": set(),
    "model": set(),
    "errors": {"model"},
    "settings": {"model", "errors"},
    "text": {"model", "errors"},
    "collect": {"model", "errors", "settings", "text"},
    "store": {"model", "errors", "settings", "collect"},
    "compose": {"model", "errors", "settings", "text"},
    "render": {"model", "errors", "text"},
    "publish": {"model", "errors", "text", "render"},
    "service": {"model", "errors", "settings", "text", "collect", "store", "compose", "render", "publish"},
    "serve": {"model", "errors", "settings", "publish", "service"},
    "cli": {
        "model",
        "errors",
        "settings",
        "text",
        "collect",
        "store",
        "compose",
        "render",
        "publish",
        "service",
        "serve",
    },
    "__main__": {"cli"},
}

OWNERS = {
    "apscheduler": r"serve/",
    "backports": r"publish/compress|collect/codings",
    "brotli": r"publish/compress|collect/codings",
    "certifi": r"collect/fetch\b.*",
    "click": r"cli/",
    "comrak": r"text/markdown",
    "dateutil": r"(?!)",
    "feedgen": r"render/feedgen_\w+",
    "feedparser": r"collect/loose\w*",
    "frontmatter": r"collect/frontmatter",
    "idna": r"text/urls",
    "jinja2": r"render/page",
    "lxml": r"text/tree|render/xml|collect/xml\w*|publish/check|publish/xml\w*",
    "msgspec": r"",
    "nh3": r"text/clean",
    "prometheus_client": r"serve/metrics",
    "regex": r"text/words",
    "requests": r"collect/fetch\b.*|collect/transport",
    "rich": r"cli/",
    "sqlalchemy": r"store/",
    "tomlkit": r"settings/(edit|spots)",
    "urllib3": r"collect/fetch\b.*|collect/transport",
    "watchfiles": r"serve/",
    "yaml": r"collect/(frontmatter|yaml\w*)",
}
"""Third-party package → the modules that may import it; msgspec makes the values that all rooms pass on."""

EDGES = (
    r"collect/(library|fetch|transport|guard|child|reader|loose|posts_folder|cache|memory|cores)|store/|publish/(folder|files|websub|difference)"
    r"|serve/|cli/|settings/load|__main__|render/page"
)
"""Where the outside begins; `render/page` reads the templates that are part of the package."""

FORBIDDEN_CALLS = re.compile(
    r"^(open|datetime\.now|datetime\.today|date\.today|time\.(time|monotonic|sleep)|os\.(environ|getenv|open|stat|walk)|"
    r"\w+\.(read_text|read_bytes|write_text|write_bytes)|subprocess\.\w+|socket\.\w+)$"
)


def tree(module: str) -> ast.Module:
    """Parse a module of the program."""
    return ast.parse((ROOT / f"{module}.py").read_text("utf-8"))


def room(module: str) -> str:
    """Return the room of a module: its folder, or itself at the top."""
    return module.split("/", maxsplit=1)[0]


def imports(module: str) -> Iterator[str]:
    """Yield the dotted names that a module imports."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            yield node.module or ""


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down_only(module: str) -> None:
    for name in imports(module):
        if name.startswith("feedsvc."):
            target = name.split(".")[1]
            assert target in {"patterns", room(module)} | MAY_IMPORT[room(module)], f"{module} imports {name}"


@pytest.mark.parametrize("module", MODULES)
def test_each_third_party_package_has_one_owner(module: str) -> None:
    for name in imports(module):
        package = name.split(".")[0]
        if package != "feedsvc" and package not in sys.stdlib_module_names:
            assert package in OWNERS, f"{module} imports {package}, which has no owner"
            assert re.match(OWNERS[package], module), f"{module} imports {package}; it belongs to {OWNERS[package]}"


@pytest.mark.parametrize("module", [module for module in MODULES if not re.match(EDGES, module)])
def test_no_clock_and_no_outside_below_the_edges(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert not FORBIDDEN_CALLS.match(called), f"{module}:{node.lineno} calls {called}"


@pytest.mark.parametrize("module", MODULES)
def test_no_import_is_lazy_or_for_type_checking_only(module: str) -> None:
    """The one lazy import of the house is importlib's, in cli/main.py."""
    top = tree(module)
    for node in ast.walk(top):
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert node in top.body, f"{module}:{node.lineno} imports below the top"


def test_no_imports_go_round_in_a_circle() -> None:
    graph = {}
    for module in MODULES:
        names = {
            name.removeprefix("feedsvc.").replace(".", "/") for name in imports(module) if name.startswith("feedsvc.")
        }
        graph[module] = {name if name in MODULES else f"{name}/__init__" for name in names}
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, f"circle: {' → '.join([*above, module])}"
        if module not in done:
            for name in graph.get(module, ()):
                visit(name, (*above, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_small_and_named_for_what_they_hold(module: str) -> None:
    path = Path(ROOT / f"{module}.py")
    assert len(path.read_text("utf-8").splitlines()) <= 300
    assert not re.search(r"util|helper|common|misc", path.stem)


def test_few_functions_are_long() -> None:
    sizes = sorted(
        (node.end_lineno or 0) - node.lineno + 1
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert sizes[int(len(sizes) * 0.9)] <= 25, "more than one function in ten has over 25 lines"


@pytest.mark.parametrize("module", MODULES)
def test_public_functions_say_what_they_do(module: str) -> None:
    for node in tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{module}:{node.lineno} {node.name} has no docstring"


def test_no_test_mocks() -> None:
    for path in sorted((PROJECT / "tests").rglob("*.py")):
        assert not re.search(
            r"^\s*(from unittest import mock|import unittest\.mock|from unittest\.mock)",
            path.read_text("utf-8"),
            re.MULTILINE,
        ), path
