"""Entries of a build with their texts and teasers: those the last build made, those made ahead, and the others."""

from collections.abc import Sequence

from msgspec import Struct, field

from feedsvc.collect.assets import Asset
from feedsvc.collect.cores import spread
from feedsvc.collect.library import Completed, complete
from feedsvc.collect.memory import KnownText, Memory
from feedsvc.compose.reading import rules_of, teaser_of
from feedsvc.model import Diagnostic, Entry, Teaser
from feedsvc.service.documents import Foreign
from feedsvc.settings.tree import Project
from feedsvc.text.teaser import TeaserRules

_FEW_FOR_A_CORE = 32


class _Ahead(Struct, frozen=True):
    """A post that was completed before anybody asked for it, its teaser, and what is to be remembered of it."""

    done: Completed
    teaser: Teaser | None
    known: KnownText | None


class Whole(Struct):
    """Completes entries, and remembers what was wrong with those that were asked for and which files they name."""

    project: Project
    foreign: Foreign
    memory: Memory
    found: list[Diagnostic] = field(default_factory=list)
    wanted: dict[str, tuple[Asset, ...]] = field(default_factory=dict)
    made: dict[str, _Ahead] = field(default_factory=dict)

    def __call__(self, entry: Entry) -> Entry | None:
        """Return an entry with its text, None where it is there no more."""
        if not entry.own:
            return self.foreign.whole(entry)
        ahead = self.made.get(entry.path)
        done = ahead.done if ahead else complete(self.project, entry, self.memory)
        self.found.extend(done.diagnostics)
        self.wanted[entry.id] = done.wanted
        return done.entry

    def tease(self, entry: Entry, rules: TeaserRules) -> Teaser:
        """Return the teaser of an entry that was completed here, as the last build cut it where that is known."""
        if not entry.own:
            return teaser_of(entry, rules)
        ahead = self.made.get(entry.path)
        known = ahead.teaser if ahead else self.memory.teaser(entry, rules)
        if known:
            return known
        teaser = teaser_of(entry, rules)
        self.memory.learn_teaser(entry, rules, teaser)
        return teaser

    def ahead(self, entries: Sequence[Entry]) -> None:
        """Complete posts that are likely to be asked for, of many each core some; what is known already waits."""
        new = [entry for entry in entries if entry.own and entry.path not in self.memory.texts]
        if len(new) > _FEW_FOR_A_CORE:
            rules = rules_of(self.project.settings)
            made = spread(lambda part: [self._made(entry, rules) for entry in part], new, _Ahead, _FEW_FOR_A_CORE)
            for entry, one in zip(new, made, strict=True):
                self.made[entry.path] = one
                if one.known:
                    self.memory.asked[entry.path] = one.known

    def _made(self, entry: Entry, rules: TeaserRules) -> _Ahead:
        done = complete(self.project, entry, self.memory)
        teaser = self.tease(done.entry, rules) if done.entry else None
        return _Ahead(done, teaser, self.memory.asked.get(entry.path))
