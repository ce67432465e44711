"""Regular expressions that are compiled late: each of them can be, and serves like any other then."""

import gc
import re
from importlib import import_module

import pytest

from feedsvc.patterns import _Late, pattern
from tests.test_architecture import MODULES


def test_every_expression_of_the_house_can_be_compiled() -> None:
    """What is compiled at its first use would else be found wrong by its first user."""
    for module in MODULES:
        if module != "__main__":
            import_module("feedsvc." + module.replace("/", ".").removesuffix(".__init__"))
    expressions = [one for one in gc.get_objects() if isinstance(one, _Late)]
    assert len(expressions) > 150
    for one in expressions:
        assert re.compile(one.pattern, one.flags)


def test_an_expression_serves_like_any_other() -> None:
    words = pattern(r"(?P<first>[a-z])[a-z]*", re.IGNORECASE)
    assert [found["first"] for found in words.finditer("Warp shuffle")] == ["W", "s"]
    assert words.sub("x", "a b") == "x x"
    assert words.fullmatch("warp") is not None
    assert pattern(rb"\s+").split(b"a b") == [b"a", b"b"]


def test_a_wrong_expression_is_told_at_its_first_use() -> None:
    wrong = pattern("(")
    with pytest.raises(re.error, match="missing"):
        wrong.search("a")
