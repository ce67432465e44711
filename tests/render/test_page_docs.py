"""What is written about pages is so: issue 6, point 5."""

import re
from importlib import resources

from msgspec.structs import fields

from feedsvc.render.page import assets
from feedsvc.render.views import Card, View
from tests.places import PROJECT

PAGES = (PROJECT / "docs/pages.md").read_text("utf-8")
EMBEDDING = (PROJECT / "docs/embedding.md").read_text("utf-8")


def test_each_template_and_each_value_it_is_given_is_documented() -> None:
    """Who writes a template of her own finds every name."""
    templates = {file.name for file in (resources.files("feedsvc.render") / "templates").iterdir() if file.is_file()}
    values = {one.name for kind in (View, Card) for one in fields(kind)}
    assert {name for name in templates | values if f"`{name}`" not in PAGES} == set()


def test_each_custom_property_of_the_style_sheet_is_documented() -> None:
    """And none that is not there."""
    sheet = assets()["feedsvc.css"].decode()
    assert set(re.findall(r"`(--[a-z]+)`", PAGES)) == set(re.findall(r"^\s+(--[a-z]+):", sheet, re.MULTILINE))


def test_each_attribute_part_and_property_of_the_snippet_is_documented() -> None:
    """And the classes of the fragment."""
    script = assets()["snippet.js"].decode()
    fragment = (resources.files("feedsvc.render") / "templates/fragment.html").read_text("utf-8")
    names = set(re.findall(r"--feedsvc-[a-z]+", script)) | set(re.findall(r"feedsvc-[a-z]+(?=\")", fragment))
    parts = re.findall(r"make\(\"\w+\", \"(\w+)\"|link\(\"(\w+)\"", script)
    names |= {one or other for one, other in parts}
    assert {name for name in names if f"`{name}`" not in EMBEDDING and f"{name}:" not in EMBEDDING} == set()
    assert {"data-feedsvc", "data-count"} <= set(re.findall(r"data-\w+", EMBEDDING))
