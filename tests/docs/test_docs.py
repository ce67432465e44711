"""What is documented is what is there, and all of it: commands, options, paths, metrics, statuses, links, sessions."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from feedsvc import errors
from feedsvc.cli.main import main
from feedsvc.collect.admission import Outcome
from feedsvc.compose.decisions import Rule
from feedsvc.model import Outline
from feedsvc.render.about import Source
from feedsvc.serve.metrics import Metrics
from feedsvc.service.documents import Foreign, made
from tests.compose.making import PLANET, configured, planned, post
from tests.docs.sessions import DOCUMENTS, steps, typed_again
from tests.places import PROJECT

DOCS = PROJECT / "docs"
WRITTEN = sorted([*DOCS.glob("*.md"), *PROJECT.glob("*.md"), *(PROJECT / "tests").rglob("README.md")])
COMMANDS, HTTP, OPERATE = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("commands", "http", "operate"))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^(```.*?^```$|    [^\n]*$)|`[^`\n]*`", re.MULTILINE | re.DOTALL)
TWIN = re.compile(r"\bFEEDSVC_[A-Z_]+\b")


def commands(command: click.Command = main, name: str = "feedsvc") -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its whole name, those of groups too."""
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for one in command.list_commands(ctx):
            found = command.get_command(ctx, one)
            assert found is not None
            yield from commands(found, f"{name} {one}")
    else:
        yield name, command


EVERY = dict(commands())


def options(command: click.Command) -> set[str]:
    """Return the options of a command."""
    return {one.opts[0] for one in command.params if isinstance(one, click.Option)}


@pytest.mark.parametrize("name", EVERY)
def test_every_command_is_described_with_its_arguments_and_exactly_its_options(name: str) -> None:
    """Issue 6.5: docs/commands.md has a section for it, or a row where it is one of a group."""
    command = EVERY[name]
    arguments = [one.make_metavar(click.Context(command)) for one in command.params if isinstance(one, click.Argument)]
    usage = " ".join([name, *(argument.replace("]...", "…]") for argument in arguments)])
    usage = usage.replace("{bash|zsh|fish}", "SHELL")
    section = re.search(rf"^## `{re.escape(usage)}`\n(.*?)(?=^## |\Z)", COMMANDS, re.MULTILINE | re.DOTALL)
    row = re.search(rf"^\| `{re.escape(usage)}` \|(.*)$", COMMANDS, re.MULTILINE)
    found = section or row
    assert found, usage
    listed = re.findall(r"Options: ((?:`--[a-z-]+`(?:, )?)+)", found[1])
    assert set(re.findall(r"`(--[a-z-]+)`", " ".join(listed))) == options(command)


def test_every_option_has_its_row_with_its_twin_and_its_commands() -> None:
    """Issue 6.5; `all but` names those without it."""
    rows = re.findall(r"^\| `(--[a-z-]+)[^`]*` \| `(FEEDSVC_[A-Z_]+)` \| ([^|]*) \|", COMMANDS, re.MULTILINE)
    told = {option: twin for option, twin, _ in rows}
    there = {one.opts[0]: one.envvar for command in EVERY.values() for one in command.params if one.opts[0][0] == "-"}
    assert told == there
    for option, _, where in rows:
        named = {f"feedsvc {name}" for name in re.findall(r"`([a-z ]+)`", where)}
        having = {name for name, command in EVERY.items() if option in options(command)}
        assert (set(EVERY) - named if where.startswith("all but") else named) == having, option


def test_every_twin_that_is_mentioned_anywhere_exists() -> None:
    """A variable that is misspelled does nothing, silently."""
    there = {one.envvar for command in EVERY.values() for one in command.params} | {"_FEEDSVC_COMPLETE"}
    files = [*WRITTEN, *(path for path in (PROJECT / "deploy").iterdir() if path.is_file())]
    for path in files:
        assert set(TWIN.findall(path.read_text("utf-8"))) <= there, path


def test_every_exit_status_is_documented() -> None:
    """Interface, Exit status."""
    said = {int(status) for status in re.findall(r"^\| ([0-9]+) \|", COMMANDS, re.MULTILINE)}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert {kind.exit_status for kind in kinds if issubclass(kind, errors.FeedsvcError)} <= said
    assert said == {0, 1, 2, 3, 75}


def test_every_rule_that_explain_may_name_is_documented() -> None:
    """SO-10."""
    (section,) = re.findall(r"^\| rule \|.*?\n\n", COMMANDS, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", section, re.MULTILINE)
    told = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
    kinds = {str(kind) for kind in Outcome if kind is not Outcome.PUBLISHED}
    assert told == kinds | {rule.code for rule in Rule}


def test_every_published_path_is_documented() -> None:
    """Issue 6.5: docs/http.md, for a site that has everything."""
    settings = configured(replace(PLANET, limit=1, archive=True))
    entries = [post(name, day, text="Words.", tags=("cuda",)) for day, name in enumerate("ab")]
    known = (Source("Blog", "https://b.example/feed", "https://b.example/", "well", "Answers as it should."),)
    foreign = Foreign(sources=(Outline("b", "Blog", "https://b.example/feed"),), known=known)
    paths = {document.path for document in made(settings, planned(settings, entries), foreign).documents}
    assert {
        "planet/atom.xml",
        "tags/cuda/feed.json",
        "planet/archive/1/rss.xml",
        "sources.opml",
        "sources.html",
    } <= paths
    names = {path if path.startswith("assets/") else path.rpartition("/")[2] for path in paths}
    assert {name for name in names if f"`{name}`" not in HTTP} == set()
    folders = {path.partition("/")[0] for path in paths if "/" in path} - {"planet", "assets"}
    assert {folder for folder in folders if f"`{folder}/<" not in HTTP} == set()
    assert "`<path>/archive/<n>/`" in HTTP


def test_every_status_code_is_documented() -> None:
    """Issue 6.5: whatever a part of the server answers with."""
    sources = "".join(path.read_text("utf-8") for path in sorted((PROJECT / "feedsvc" / "serve").glob("*.py")))
    codes = set(re.findall(r"\b(?:said|answer)\(([1-5][0-9]{2})\b", sources))
    assert {"200", "304", "404", "503"} <= codes
    assert {code for code in codes if code not in HTTP + OPERATE} == set()


def test_every_metric_is_documented() -> None:
    """Issue 6.5: docs/operate.md."""
    names = set(re.findall(r"^# TYPE (\S+) ", Metrics().text().decode(), re.MULTILINE))
    assert "feedsvc_fetch_total" in names
    assert {name for name in names if f"`{name}" not in OPERATE} == set()
    assert set(re.findall(r"\bfeedsvc_[a-z_]+", OPERATE)) <= names


@pytest.mark.parametrize("path", WRITTEN, ids=[str(path.relative_to(PROJECT)) for path in WRITTEN])
def test_every_link_to_a_place_of_ours_leads_there(path: Path) -> None:
    """Files, and headings in them."""
    for link in LINK.findall(CODE.sub("", path.read_text("utf-8"))):
        if not re.match(r"[a-z]+:", link):
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.exists(), link
            assert not anchor or anchor in headings(target), link


def headings(path: Path) -> set[str]:
    """Return the anchors of a document."""
    found = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_every_document_is_found_from_the_first() -> None:
    """Who reads the README can reach every page."""
    seen, left = set(), [PROJECT / "README.md"]
    while left:
        path = left.pop()
        seen.add(path)
        links = LINK.findall(CODE.sub("", path.read_text("utf-8")))
        near = {(path.parent / link.partition("#")[0]).resolve() for link in links if "://" not in link}
        left += [one for one in near - seen - set(left) if one.suffix == ".md"]
    assert set(DOCS.glob("*.md")) <= seen


def test_every_make_target_is_documented() -> None:
    """docs/contributing.md."""
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE)
    text = (DOCS / "contributing.md").read_text("utf-8")
    assert {target for target in phony.split() if f"`make {target}" not in text} == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_every_session_goes_as_it_is_written(path: Path) -> None:
    """Issue 6.5: a real session. `python -m tests.docs.sessions` writes down what is answered now."""
    written = list(steps(path.read_text("utf-8")))
    assert written
    assert "".join(map(str, typed_again(written))) == "".join(map(str, written))
