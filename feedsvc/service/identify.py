"""Identity under this configuration, on what the store knows (ID-01 to ID-12)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from feedsvc.collect.found import ParsedFeed
from feedsvc.collect.identity import Rules, take
from feedsvc.service.onepoll import Identify, Taken
from feedsvc.settings.tree import Settings
from feedsvc.store.entries import Seen
from feedsvc.store.store import Known


def identify_for(settings: Settings) -> Identify:
    """Return what makes of a document the entries to write."""
    rules = Rules(settings.site.id_authority, ZoneInfo(settings.site.timezone))

    def identify(source: str, known: Known, parsed: ParsedFeed, now: datetime) -> Taken:
        taken = take(source, known.entries(), parsed, now=now, rules=rules, claims=known.claims)
        return Taken(Seen(taken.new, taken.changed, taken.keys, taken.renamed), taken.warnings, taken.lasting)

    return identify
