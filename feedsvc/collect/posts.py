"""Bytes of a post → its entry, without its text; pure: the same bytes and path give the same result at any time."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, time, tzinfo
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

from msgspec import Struct, field
from msgspec.structs import replace

from feedsvc.collect import fields
from feedsvc.collect.admission import Outcome, refusal, truth
from feedsvc.collect.decode import BadByte, Dropped, decode, forbidden, publishable, windows_1252
from feedsvc.collect.frontmatter import split
from feedsvc.collect.matter import Field, FrontMatter, PostFault, Value
from feedsvc.collect.notes import Notes, shown
from feedsvc.collect.permalinks import canonical_of, id_of, key_of, named_date, permalink, slug_of
from feedsvc.collect.texts import Body, title_from
from feedsvc.model import Diagnostic, Entry, Level
from feedsvc.patterns import pattern
from feedsvc.settings.tree import Project
from feedsvc.text.dates import PostDate, read_post_date

_OTHER_DATES = ("created", "pubdate", "publishdate", "created_at", "day", "time", "path")
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_UNCLEAN = pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x80-\x9f\ud800-\udfff\ufffd-\uffff]")


class PostSite(Struct, frozen=True):
    """What a post takes from the configuration. `folder` is posts.directory as diagnostics name it."""

    url: str
    authority: str
    zone: tzinfo
    default_time: time
    permalink: str
    folder: str = "posts"

    @classmethod
    def of(cls, project: Project) -> "PostSite":
        """Return the site of a project."""
        site, posts = project.settings.site, project.settings.posts
        hour, minute = posts.default_time.split(":")
        return cls(
            url=site.url,
            authority=site.id_authority,
            zone=ZoneInfo(site.timezone),
            default_time=time(int(hour), int(minute)),
            permalink=posts.permalink,
            folder=str(PurePosixPath(posts.directory)),
        )

    def date(self, text: str) -> PostDate | None:
        """Return a date of the front matter (D1 to D3)."""
        return read_post_date(text, self.zone, self.default_time)


class Post(Struct, frozen=True):
    """A post that may be published, before what depends on the clock and on its neighbours (collect/settle.py).

    `entry.published` and `entry.updated` are first guesses; `published` and `updated` say what the author wrote.
    """

    entry: Entry
    published: PostDate
    updated: PostDate | None = None
    updated_line: int = 1


class Sheet(Struct, frozen=True):
    """A file on its way: its front matter as written, the same without what cannot be published, its path and key."""

    written: FrontMatter
    matter: FrontMatter
    path: str
    key: str


class PostRead(Struct, frozen=True):
    """What came of a file. `post` is None unless `outcome` is "published"; then `reason` and `line` say why.

    `names` of such a file are the id and the link that it would have, as far as they can be told.
    """

    path: str
    key: str
    outcome: Outcome
    post: Post | None = None
    body: Body = field(default_factory=Body)
    reason: str = ""
    line: int = 1
    diagnostics: tuple[Diagnostic, ...] = ()
    names: tuple[str, ...] = ()


def read_post(raw: bytes, path: str, site: PostSite) -> PostRead:
    """Return what one file of posts/ holds: an entry without text and the text, or why it is kept out. Never raises.

    `path` is relative to posts/, with forward slashes. Source: B1 to B7, F1 to F12, D1 to D3, I1 to I3, S-28, S-33.
    """
    notes = Notes(f"{site.folder}/{path}")
    key = key_of(path)
    try:
        return _read(raw, path, key, site, notes)
    except PostFault as fault:
        notes.add(fault.level, fault.line, fault.message, fault.code)
        return PostRead(notes.path, key, Outcome.SKIPPED, None, Body(), fault.message, fault.line, notes.found)


def _read(raw: bytes, path: str, key: str, site: PostSite, notes: Notes) -> PostRead:
    decoded = decode(raw)
    if isinstance(decoded, BadByte):
        message = f"the file is not UTF-8: the first bad byte is 0x{decoded.value:02X}; save it as UTF-8"
        raise PostFault(message, decoded.line, "not-utf-8")
    written = split(decoded.text)
    escapes = decoded.text.find("\\", 0, len(decoded.text) - len(written.body)) >= 0
    matter, dropped = _clean(written) if escapes else (written, ())
    _note_dropped(decoded.dropped + dropped, notes)
    for repair in written.repairs:
        notes.warn(repair.line, repair.message, "repaired-colon")
    sheet = Sheet(written, matter, path, key)
    if refused := refusal(matter, lambda text: site.date(text) is not None, notes):
        outcome, reason, line = refused.outcome, refused.reason, refused.line
        return PostRead(notes.path, key, outcome, None, Body(), reason, line, notes.found, _names(sheet, site))
    try:
        post = _post(sheet, site, notes)
    except PostFault as fault:
        notes.add(fault.level, fault.line, fault.message, fault.code)
        reason, line, names = fault.message, fault.line, _names(sheet, site)
        return PostRead(notes.path, key, Outcome.SKIPPED, None, Body(), reason, line, notes.found, names)
    summary = matter.first("summary", "description", "excerpt")
    body = Body(matter.body, matter.body_line, *_summary(summary, notes))
    return PostRead(notes.path, key, Outcome.PUBLISHED, post, body, diagnostics=notes.found)


def _post(sheet: Sheet, site: PostSite, notes: Notes) -> Post:
    """Return the post. Slug and id are judged as they were written: what they hold is not mended in silence."""
    matter = sheet.matter
    published = _published(matter, sheet.path, site)
    link = _link(sheet, site, published.instant, notes)
    entry = Entry(
        id=id_of(sheet.written, sheet.key, site.authority),
        key=sheet.key,
        link=link,
        title=_title(matter),
        published=published.instant,
        updated=published.instant,
        authors=fields.authors(matter, notes),
        tags=fields.tags(matter, notes),
        lang=fields.tongue(matter, notes),
        image=fields.image(matter, link, notes),
        enclosures=fields.enclosures(matter, link, notes),
        path=notes.path,
    )
    if not entry.title:
        entry = replace(entry, title=fields.one_line(title_from(matter.body, entry)))
    given = matter.first("updated", "modified", "lastmod")
    return Post(entry, published, _updated(given, site, notes) if given else None, given.line if given else 1)


def _link(sheet: Sheet, site: PostSite, published: datetime, notes: Notes) -> str:
    slug, day = slug_of(sheet.written, sheet.path), published.astimezone(site.zone)
    return canonical_of(sheet.matter, site.url, notes) or permalink(site.url, site.permalink, slug, day)


def _names(sheet: Sheet, site: PostSite) -> tuple[str, ...]:
    """Return the id and the link that a post which is kept out would have, each where it can be told (SO-10)."""
    names: list[str] = []
    with suppress(PostFault):
        names.append(id_of(sheet.written, sheet.key, site.authority))
    with suppress(PostFault):
        dated = "{" in site.permalink.replace("{slug}", "")
        day = _published(sheet.matter, sheet.path, site).instant if dated else _ANY_DAY
        names.append(_link(sheet, site, day, Notes(sheet.path)))
    return tuple(names)


def _title(matter: FrontMatter) -> str | None:
    title = matter.first("title")
    if title and not isinstance(title.value, str):
        raise PostFault(f"the title is {shown(title.value)}: put it in quotes", title.line, "bad-title")
    return fields.plain_text(title) or None


def _published(matter: FrontMatter, path: str, site: PostSite) -> PostDate:
    """Return the date of a post from its front matter, else from its file's name (D2, D9)."""
    given = matter.first("date") or matter.first("published")
    if given and not (given.key.lower() == "published" and truth(given.value)):
        read = site.date(given.value) if isinstance(given.value, str) else None
        if read is None:
            message = (
                f"the date {shown(given.value)} cannot be read in one way or does not exist: write 2026-05-01, or "
            )
            raise PostFault(message + "2026-05-01T10:00:00Z", given.line, "bad-date")
        return read
    named = named_date(path)
    read = site.date(named) if named else None
    if read is None:
        raise _undated(matter)
    return read


def _undated(matter: FrontMatter) -> PostFault:
    other = next((matter.fields[key] for key in _OTHER_DATES if key in matter.fields), None)
    hint = f" (`{other.key}` is not read)" if other else ""
    message = f"no date in the front matter or the file's name{hint}: add a line such as date: 2026-05-01"
    return PostFault(message, other.line if other else 1, "no-date", Level.WARNING)


def _updated(given: Field, site: PostSite, notes: Notes) -> PostDate | None:
    read = site.date(given.value) if isinstance(given.value, str) else None
    if read is None:
        message = (
            f"the date {shown(given.value)} of {given.key} cannot be read in one way or does not exist; it is left out"
        )
        notes.warn(given.line, message, "bad-date")
    return read


def _summary(given: Field | None, notes: Notes) -> tuple[str, int]:
    if given is None:
        return "", 1
    if isinstance(given.value, str):
        return given.value.strip(), given.line
    notes.warn(given.line, f"{given.key} is {shown(given.value)}, not a text; it is left out", "bad-summary")
    return "", given.line


def _clean(matter: FrontMatter) -> tuple[FrontMatter, tuple[Dropped, ...]]:
    """Return the front matter without what escapes brought in that XML can't carry, and what that was (B4, B5)."""
    dropped: list[Dropped] = []
    cleaned = {key: _clean_field(given, dropped) for key, given in matter.fields.items()}
    return FrontMatter(cleaned, matter.body, matter.body_line, matter.repairs), tuple(dropped)


def _clean_field(given: Field, dropped: list[Dropped]) -> Field:
    value = _clean_value(given.value, given.line, dropped)
    return given if value is given.value else Field(given.key, value, given.line)


def _clean_value(value: Value, line: int, dropped: list[Dropped]) -> Value:
    if isinstance(value, str):
        if not _UNCLEAN.search(value):
            return value
        dropped.extend(Dropped(line, each.name) for each in forbidden(value))
        return windows_1252(publishable(value))
    if isinstance(value, tuple):
        return tuple(_clean_value(each, line, dropped) for each in value)
    if isinstance(value, Mapping):
        return {_clean_key(key): _clean_value(each, line, dropped) for key, each in value.items()}
    return value


def _clean_key(key: str) -> str:
    return windows_1252(publishable(key))


def _note_dropped(dropped: tuple[Dropped, ...], notes: Notes) -> None:
    """Note in one warning the first line and each code point (B4)."""
    if dropped:
        names = ", ".join(sorted({each.name for each in dropped}))
        message = f"characters that a feed cannot carry were dropped: {names}; delete them"
        notes.warn(min(each.line for each in dropped), message, "control-character")
