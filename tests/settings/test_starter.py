"""A new project loads as it is written, whatever its title."""

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from feedsvc.errors import ConfigError
from feedsvc.settings.load import read
from feedsvc.settings.starter import CONFIG, starter

NOW = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)


@given(st.text(), st.text())
def test_any_title_and_author_load_or_are_refused(title: str, author: str) -> None:
    """TOML is written so that it is read back."""
    text = starter(title, "https://a.example/", author, NOW)[CONFIG]
    assert codes(text) <= {"bad-value"}
    if title.strip() and title.isprintable() and author.strip() and author.isprintable():
        assert read(text, CONFIG).site.title.split() == title.split()


def codes(text: str) -> set[str]:
    """Return the codes of a configuration's faults."""
    try:
        read(text, CONFIG)
    except ConfigError as refused:
        return {fault.code for fault in refused.diagnostics}
    return set()


def test_every_key_shown_as_a_comment_is_the_default() -> None:
    """A line `# key = …` can be taken in without a change; of the feeds, the planet comes with the first source."""
    text = starter("A", "https://a.example/", "A", NOW)[CONFIG] + '[[sources]]\nurl = "https://b.example/feed"\n'
    told = re.compile(r"# (?=\[\[|\w+ = )")
    rows = [told.sub("", row, count=1) if told.match(row) else row for row in text.splitlines()]
    assert read("\n".join(rows), CONFIG) == read(text, CONFIG)
    assert len(rows) - len([row for row in rows if row.startswith("#")]) > 20
