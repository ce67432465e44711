"""Why an entry is not in a feed, as values that the code which decides leaves behind (SO-10)."""

from enum import StrEnum

from msgspec import Struct

from feedsvc.model import Entry


class Rule(StrEnum):
    """What kept an entry out, in the order in which it is asked (MG-10), in words; `{}` is what it was about."""

    WAITS = "it waits for its date, {}"
    REMOVED = "its source {} is not in the configuration"
    DISABLED = "its source {} is disabled"
    NOT_INCLUDED = "the feed does not include where it comes from"
    DUPLICATE = "it is a copy of {}"
    TAGS = "it has none of the tags {}"
    DROP = "it holds “{}”, a word of drop"
    KEEP = "it holds none of the words {}"
    UNREADABLE = "its text cannot be read"
    PER_SOURCE = "newer entries of its source are there, and the feed takes {} of each source"
    LIMIT = "newer entries fill the feed, which takes {}"
    INVALID = "a document that holds it would be invalid: {}"

    @property
    def code(self) -> str:
        """Return the rule as programs read it: `per-source`."""
        return self.name.lower().replace("_", "-")


class Reason(Struct, frozen=True):
    """A rule and what it was about: the word, the number, the entry that won."""

    rule: Rule
    detail: str = ""

    def __str__(self) -> str:
        return self.rule.value.replace("{}", self.detail)


class Decision(Struct, frozen=True):
    """An entry that a feed leaves out; `feed` is its name, "" where the reason holds for all.

    `winner` is the entry of which it is a copy.
    """

    feed: str
    entry: Entry
    reason: Reason
    winner: Entry | None = None
