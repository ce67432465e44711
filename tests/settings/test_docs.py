"""What is written about the configuration is what the tree holds."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from feedsvc.settings.load import load, read
from feedsvc.settings.schema import schema, written
from feedsvc.settings.shape import all_keys
from tests.places import PROJECT

DOCS = sorted((PROJECT / "docs").glob("*.md"))
CONFIGURATION = (PROJECT / "docs" / "configuration.md").read_text("utf-8")
SITE = '[site]\ntitle = "A"\nurl = "https://a.example/"\nauthor = { name = "A" }\n'
FENCE = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `([a-z_.]+)` \| [^|]* \| ([^|]*) \| [^|]+ \|$", re.MULTILINE)
EXAMPLES = [(path.name, text) for path in DOCS for text in FENCE.findall(path.read_text("utf-8"))]


def test_the_schema_is_the_one_that_the_tree_makes() -> None:
    """`python -m feedsvc.settings.schema` rewrites it."""
    assert (PROJECT / "docs" / "feedsvc.schema.json").read_text("utf-8") == written()


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[f"{name}-{at}" for at, (name, _) in enumerate(EXAMPLES)])
def test_every_toml_example_of_the_documentation_loads(name: str, text: str) -> None:
    """An example without [site] is one for a file that has it; whatever loads, the schema takes too."""
    whole = text if re.search(r"^\[site\]", text, re.MULTILINE) else SITE + text
    assert read(whole, name)
    assert misfits(schema(), tomllib.loads(whole)) == []


def test_the_configuration_of_this_project_loads() -> None:
    """config/feedsvc.toml, with the line that tells editors where the schema is."""
    path = PROJECT / "config" / "feedsvc.toml"
    project = load(path)
    assert project.root == PROJECT
    assert [feed.name for feed in project.settings.feeds] == ["posts", "planet"]
    text = path.read_text("utf-8")
    assert (path.parent / text.splitlines()[0].removeprefix("#:schema ")).resolve().is_file()
    assert misfits(schema(), tomllib.loads(text)) == []


def test_every_key_is_documented_with_its_default_and_an_example() -> None:
    """docs/configuration.md: a row in the table of its section, the default as the schema has it, and an example."""
    tables = {
        "site",
        "posts",
        "teaser",
        "output",
        "feeds",
        "topics",
        "sources",
        "polling",
        "schedule",
        "serve",
        "store",
    }
    documented = dict(rows())
    keys = {key for key in all_keys() if key not in tables | {"websub"}}
    assert set(documented) == keys
    for key, default in documented.items():
        assert default == told_default(key), key
        assert re.search(rf"\b{key.rpartition('.')[2]} =", "\n".join(FENCE.findall(CONFIGURATION))), key


def test_the_schema_refuses_what_it_does_not_know() -> None:
    """additionalProperties is false everywhere, and forms are patterns."""
    bad = SITE + '[teaser]\nwrods = 3\nwords = 0\n[polling]\ninterval = "1 hour"\n[[feeds]]\npath = "x y"\n'
    assert misfits(schema(), tomllib.loads(bad)) == [
        "teaser.wrods: not known",
        "teaser.words: below 1",
        "feeds[0].name: required",
        "feeds[0].path: no match",
        "polling.interval: no match",
    ]


def rows() -> Iterator[tuple[str, str]]:
    """Yield the dotted name and the default of each documented key."""
    for section in re.split(r"^## ", CONFIGURATION, flags=re.MULTILINE)[1:]:
        heading = re.match(r"`\[+([a-z]+)\]+`", section)
        if heading:
            yield from ((f"{heading[1]}.{key}", default.strip()) for key, default in ROW.findall(section))


def told_default(key: str) -> str:
    """Return how the documentation tells a default."""
    place: Mapping[str, Any] = schema()
    for part in key.split("."):
        owner = place.get("items", place)
        place = owner["properties"][part]
    if key.rpartition(".")[2] in owner.get("required", ()):
        return "required"
    prose = {"feeds.path": "the name", "feeds.per_source": "no limit"}
    return prose.get(key) or f"`{json.dumps(place['default'], ensure_ascii=False)}`"


def misfits(rules: Mapping[str, Any], value: Any, name: str = "") -> list[str]:
    """Return what a JSON Schema of ours says against a value: the keywords that it uses, and no more."""
    known = {"type", "properties", "additionalProperties", "required", "items", "anyOf", "enum", "pattern"}
    assert set(rules) <= known | {"minimum", "maximum", "default", "description", "title", "$schema"}, rules
    if "anyOf" in rules:
        tries = [misfits(rule, value, name) for rule in rules["anyOf"]]
        return [] if [] in tries else tries[0]
    kinds = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
    if not isinstance(value, kinds[rules["type"]]) or (isinstance(value, bool) and rules["type"] == "integer"):
        return [f"{name}: no {rules['type']}"]
    return [*_misfits_of_a_leaf(rules, value, name), *_misfits_inside(rules, value, name)]


def _misfits_of_a_leaf(rules: Mapping[str, Any], value: Any, name: str) -> Iterator[str]:
    if "pattern" in rules and not re.search(rules["pattern"], value):
        yield f"{name}: no match"
    if "enum" in rules and value not in rules["enum"]:
        yield f"{name}: not one of them"
    if value < rules["minimum"] if "minimum" in rules else False:
        yield f"{name}: below {rules['minimum']}"
    if value > rules["maximum"] if "maximum" in rules else False:
        yield f"{name}: above {rules['maximum']}"


def _misfits_inside(rules: Mapping[str, Any], value: Any, name: str) -> Iterator[str]:
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from misfits(rules["items"], item, f"{name}[{at}]")
    elif isinstance(value, dict):
        yield from _misfits_of_a_table(rules, value, f"{name}." if name else "")


def _misfits_of_a_table(rules: Mapping[str, Any], value: Mapping[str, Any], before: str) -> Iterator[str]:
    properties = rules.get("properties", {})
    yield from (f"{before}{key}: required" for key in rules.get("required", ()) if key not in value)
    yield from (f"{before}{key}: not known" for key in value if key not in properties and properties)
    for key, inner in properties.items() if properties else [(key, rules["additionalProperties"]) for key in value]:
        if key in value:
            yield from misfits(inner, value[key], f"{before}{key}")
