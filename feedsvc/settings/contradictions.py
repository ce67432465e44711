"""What no key says alone: two keys, or two elements, that cannot both be meant."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from feedsvc.settings.addresses import address_key
from feedsvc.settings.defaults import default_authority, id_of, path_of
from feedsvc.settings.faults import Fault, Place, Unfit, dotted, meant, shown
from feedsvc.settings.paths import folder
from feedsvc.settings.texts import authority
from feedsvc.settings.tree import FeedSettings, Settings, Source

NOWHERE = "/project/folder/that/is/not/known"
Named = tuple[Place, str]


def contradictions(
    settings: Settings, raw: Mapping[str, object], doubted: Sequence[Place], root: str = NOWHERE
) -> list[Fault]:
    """Return what contradicts what; what is said of a key that is at fault already (`doubted`) is left out.

    `settings` are as written, before defaults that depend on other keys; `raw` says which keys were written; `root` is
    the project folder.
    """
    found = [
        *_twins(settings, doubted),
        *_orders(settings),
        *_empty(settings),
        *_folders(settings, root),
        *_derived(settings),
    ]
    sure = [fault for fault in found if not _touched(fault.place, doubted) and not _touched(fault.other, doubted)]
    return [*sure, *_both_times(raw), *_unknown_sources(settings, doubted)]


def _touched(place: Place | None, doubted: Sequence[Place]) -> bool:
    return place is not None and any(one[: len(place)] == place for one in doubted)


def _twins(settings: Settings, doubted: Sequence[Place]) -> Iterator[Fault]:
    """Yield elements that share what must be their own."""
    yield from _feeds_alike(settings.feeds, doubted)
    yield from _sources_alike(settings.sources)
    yield from _taken([(("topics", at, "name"), one.name) for at, one in enumerate(settings.topics)], "name")
    for place, words in _lists(settings):
        yield from _taken([((*place, at), word) for at, word in enumerate(words)], "value")


def _feeds_alike(feeds: Sequence[FeedSettings], doubted: Sequence[Place]) -> Iterator[Fault]:
    """Yield feeds of one name or one folder; a folder that is at fault says nothing."""
    names = list(_taken([(("feeds", at, "name"), one.name.casefold()) for at, one in enumerate(feeds)], "name"))
    yield from names
    paths: list[Named] = []
    for at, one in enumerate(feeds):
        if (one.path is not None or one.name) and ("feeds", at, "path") not in doubted:
            paths.append((("feeds", at, "name" if one.path is None else "path"), path_of(one).casefold() or "/"))
    told = {fault.place for fault in names}
    yield from (fault for fault in _taken(paths, "path") if fault.place not in told)


def _sources_alike(sources: Sequence[Source]) -> Iterator[Fault]:
    """Yield sources of one address, else of one id (SO-04, SO-05)."""
    owners: dict[str | int, str] = {at: id_of(one) for at, one in enumerate(sources)}
    urls = [(("sources", at, "url"), one.url and address_key(one.url)) for at, one in enumerate(sources)]
    ids = [(("sources", at, "id" if one.id else "url"), owners[at]) for at, one in enumerate(sources)]
    same = list(_taken(urls, "address", owners))
    yield from same
    told = {fault.place[:2] for fault in same if not sources[int(fault.place[1])].id}
    yield from (fault for fault in _taken(ids, "id") if fault.place[:2] not in told)


def _taken(named: Iterable[Named], what: str, owners: Mapping[str | int, str] | None = None) -> Iterator[Fault]:
    """Yield each element after the first of its name; blank ones are at fault already."""
    first: dict[str, Place] = {}
    for place, text in named:
        if text and text in first:
            owner = f"source {shown(owners[first[text][1]])}" if owners else dotted(first[text])
            yield Fault(place, f"has the same {what} as {owner}", f"duplicate-{what}", first[text])
        first.setdefault(text, place)


def _lists(settings: Settings) -> Iterator[tuple[Place, Sequence[str]]]:
    """Yield arrays in which a value stands once."""
    yield ("output", "formats"), settings.output.formats
    yield ("output", "compress"), settings.output.compress
    yield ("websub", "hubs"), settings.websub.hubs
    yield ("polling", "allow_private"), settings.polling.allow_private
    yield from ((("feeds", at, "include"), feed.include) for at, feed in enumerate(settings.feeds))


def _orders(settings: Settings) -> Iterator[Fault]:
    polling, serve = settings.polling, settings.serve
    if polling.max_interval < polling.interval:
        message = "must not be shorter than polling.interval"
        yield Fault(("polling", "max_interval"), message, "contradiction", ("polling", "interval"))
    if serve.port == serve.admin_port != 0:
        yield Fault(("serve", "admin_port"), "must not be serve.port", "contradiction", ("serve", "port"))


def _empty(settings: Settings) -> Iterator[Fault]:
    if not settings.output.formats:
        yield Fault(("output", "formats"), "must name at least one of atom, rss, json", "bad-value")
    for at, feed in enumerate(settings.feeds):
        if not feed.include:
            yield Fault(("feeds", at, "include"), 'must name "posts", "sources" or ids of sources', "bad-value")
    for at, topic in enumerate(settings.topics):
        if not topic.match:
            yield Fault(("topics", at, "match"), "must hold at least one word", "bad-value")


def _folders(settings: Settings, root: str) -> Iterator[Fault]:
    """Yield folders that publishing would replace or show."""
    place: Place = ("output", "directory")
    output = _joined(root, settings.output.directory)
    if _within(_joined(root, ""), output):
        yield Fault(place, "must be a folder of its own: publishing replaces it, with all in it", "contradiction")
        return
    if _within(_joined(root, "config"), output):
        yield Fault(place, "must not hold the configuration: all that is in it is published", "contradiction")
    if _within(_joined(root, settings.posts.directory), output):
        yield Fault(
            place, "must not hold posts.directory: publishing replaces it", "contradiction", ("posts", "directory")
        )
    if settings.store.url.startswith("sqlite:///"):
        file = _joined(root, settings.store.url.removeprefix("sqlite:///"))
        if _within(file, output):
            yield Fault(
                ("store", "url"), "must not be below output.directory: it would be published", "contradiction", place
            )


def _joined(root: str, text: str) -> str:
    return posixpath.normpath(posixpath.join(root, text))


def _within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(outer.rstrip("/") + "/")


def _derived(settings: Settings) -> Iterator[Fault]:
    """Yield keys that must be written because their default cannot be made."""
    for at, feed in enumerate(settings.feeds):
        if feed.path is None and feed.name and not _fits(folder, feed.name):
            message = f"cannot be the name of a folder: {shown(feed.name)}; write a path beside it"
            yield Fault(("feeds", at, "name"), message, "bad-value")
    site = settings.site
    if site.url and not site.id_authority and not _fits(authority, default_authority(site.url)):
        message = 'must be written: the host of site.url cannot stand in ids; such as "blog.example,2026"'
        yield Fault(("site", "id_authority"), message, "missing-key")


def _fits(read: Callable[[str], str], text: str) -> bool:
    try:
        return read(text) is not None
    except Unfit:
        return False


def _both_times(raw: Mapping[str, object]) -> Iterator[Fault]:
    schedule = raw.get("schedule")
    if isinstance(schedule, dict) and "build" in schedule and schedule.get("cron", "") != "":
        message = "must not stand beside schedule.build: builds come at times or at intervals; take one of them out"
        yield Fault(("schedule", "cron"), message, "contradiction", ("schedule", "build"))


def _unknown_sources(settings: Settings, doubted: Sequence[Place]) -> Iterator[Fault]:
    """Yield names in `include` that are no source; none as long as the id of a source is in doubt."""
    unsure = any(not one.id and _touched(("sources", at), doubted) for at, one in enumerate(settings.sources))
    if unsure or any(len(place) == 1 for place in doubted):
        return
    known = ["posts", "sources", *map(id_of, settings.sources)]
    for at, feed in enumerate(settings.feeds):
        for index, name in enumerate(feed.include):
            if name and name not in known:
                message = f"names no source: {shown(name)}; {meant(name, known)}"
                yield Fault(("feeds", at, "include", index), message, "unknown-source")
