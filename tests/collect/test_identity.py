"""Which entry is which, under which id, with which dates: ID-01 to ID-12, DT-06 to DT-10, S-38 to S-40."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feedsvc.collect.found import Found, FoundChannel, FoundOrigin, Kind, ParsedFeed
from feedsvc.collect.identity import ARCHIVE, Rules, Taken, take
from feedsvc.model import Enclosure, Entry, Person, Text

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=2)
RULES = Rules("blog.example,2026")
DATE = "Mon, 03 Mar 2025 09:00:00 GMT"


def entry(id: str = "", link: str | None = None, title: str | None = "A post", **more: object) -> Found:  # noqa: A002
    return replace(Found(id, link, title, Text("<p>Words.</p>")), **more)  # type: ignore[arg-type]


def feed(*entries: Found) -> ParsedFeed:
    return ParsedFeed(Kind.RSS, FoundChannel(), tuple(replace(one, place=at) for at, one in enumerate(entries)))


class Stored:
    """A source with what is stored of it, and what other sources claim."""

    def __init__(self, *others: Entry) -> None:
        self.entries: list[Entry] = []
        self.others = others
        self.last = Taken()

    def poll(self, *entries: Found, now: datetime = NOW, rules: Rules = RULES) -> Taken:
        def claims(ids: Collection[str]) -> Iterable[Entry]:
            return [one for one in self.others if one.id in ids]

        self.last = take("warp", self.entries, feed(*entries), now=now, rules=rules, claims=claims)
        changed = {one.key: one for one in self.last.changed}
        named = self.last.renamed
        known = [replace(one, key=named.get(one.key, one.key)) for one in self.entries]
        self.entries = [changed.get(one.key, one) for one in known] + list(self.last.new)
        keys = [one.key for one in self.entries]
        assert len(set(keys)) == len(keys)
        assert len({one.id for one in self.entries}) == len(keys)
        return self.last

    def titles(self) -> list[str | None]:
        return [one.title for one in self.entries]

    def codes(self) -> list[str]:
        return [one.code for one in self.last.warnings]


def test_an_entry_seen_again_is_no_news() -> None:
    """ID-01: the key is the raw id."""
    store = Stored()
    store.poll(entry("post-1", "https://warp.example/1"))
    again = store.poll(entry("post-1", "https://warp.example/1"), now=LATER)
    assert (again.new, again.changed, again.keys) == ((), (), frozenset({"post-1"}))


@pytest.mark.parametrize(
    ("found", "key"),
    [
        (entry(link="https://warp.example/1"), "https://warp.example/1"),
        (entry(title="Only a title", published=(DATE,)), "Only a title 2025-03-03T09:00:00+00:00"),
        (entry(title=None), "sha256:"),
    ],
)
def test_an_entry_without_id_is_known_by_link_then_title_and_date_then_text(found: Found, key: str) -> None:
    """ID-02."""
    store = Stored()
    store.poll(found)
    assert store.entries[0].key.startswith(key)
    assert not store.poll(found, now=LATER).new


@pytest.mark.parametrize(
    "other", ["https://warp.example/?p=7", "http://warp.example/?p=7/", "HTTPS://warp.example/?p=7"]
)
def test_scheme_and_final_slash_of_an_id_make_no_other_entry(other: str) -> None:
    """ID-03, ID-04: the id published first stays."""
    store = Stored()
    store.poll(entry("http://warp.example/?p=7", "http://warp.example/?p=7"))
    again = store.poll(entry(other, "https://warp.example/?p=7"), now=LATER)
    assert not again.new
    assert [(one.id, one.link) for one in store.entries] == [("http://warp.example/?p=7", "https://warp.example/?p=7")]


def test_ids_that_are_no_addresses_differ_by_a_slash() -> None:
    """ID-03 is about addresses alone."""
    store = Stored()
    store.poll(entry("a", "https://warp.example/1", "One"), entry("a/", "https://warp.example/2", "Two"))
    assert len(store.entries) == 2


def test_a_source_that_changes_all_its_ids_brings_nothing_new() -> None:
    """ID-04: known again by link, title and date."""
    store = Stored()
    old = [
        entry(f"https://warp.example/{n}", f"https://warp.example/{n}", f"Post {n}", published=(DATE,))
        for n in range(3)
    ]
    store.poll(*old)
    new = [replace(one, id=f"urn:uuid:{n}") for n, one in enumerate(old)]
    for day in range(3):
        taken = store.poll(*new, now=LATER + timedelta(days=day))
        assert (taken.new, taken.changed) == ((), ())
    assert [one.id for one in store.entries] == [f"https://warp.example/{n}" for n in range(3)]


@pytest.mark.parametrize(
    "edit",
    [
        {"title": "Another title"},
        {"published": ("2026-06-20T09:00:00Z",)},
        {"title": "Another title", "published": ("2026-06-20T09:00:00Z",), "link": "https://warp.example/moved"},
    ],
)
@pytest.mark.parametrize(
    "renamed", [{"id": "urn:uuid:1"}, {"id": "", "link": "https://www.warp.example/one?utm_source=a"}]
)
def test_an_entry_whose_id_has_changed_is_edited_in_place_as_any_other(
    renamed: dict[str, object], edit: dict[str, object]
) -> None:
    """ID-04, ID-09, DT-10: a blog that moved to other ids edits its posts afterwards; that makes no second entry."""
    store = Stored()
    before = entry("https://warp.example/?p=1", "https://warp.example/one", "One", published=(DATE,))
    store.poll(before)
    (first,) = store.entries
    after = replace(before, **renamed)  # type: ignore[arg-type]
    if not after.id:
        edit = {name: value for name, value in edit.items() if name != "link"}
    for found in (after, replace(after, **edit)):  # type: ignore[arg-type]
        assert store.poll(found, now=LATER).new == ()
    (last,) = store.entries
    assert (last.id, last.published, last.place) == (first.id, first.published, first.place)
    assert last.title == edit.get("title", "One")


@pytest.mark.parametrize("dated", [True, False])
def test_ids_that_number_places_bring_each_entry_once(dated: bool) -> None:
    """ID-04, ID-06: an id that comes back for another post makes no second entry of a post that has one already."""
    store = Stored()
    dates = [(f"2026-06-0{n}T08:00:00Z",) if dated else () for n in range(8)]
    posts = [entry("", f"https://warp.example/{n}", f"Post {n}", published=dates[n]) for n in range(8)]
    for last in range(3, 8):
        rolling = [replace(post, id=str(at)) for at, post in enumerate(reversed(posts[last - 3 : last]))]
        now = NOW + timedelta(days=last)
        assert [one.title for one in store.poll(*rolling, now=now).new] == [
            post.title for post in reversed(posts[last - 3 if last == 3 else last - 1 : last])
        ]
    assert sorted(map(str, store.titles())) == [f"Post {n}" for n in range(7)]


def test_an_entry_without_id_is_its_link_whatever_counts_readers_in_it() -> None:
    """ID-02, ID-09: title and date may change together with a tracking parameter."""
    store = Stored()
    links = [f"https://warp.example/one?utm_campaign={day}" for day in range(3)]
    store.poll(entry("", links[0], "One", published=(DATE,)), now=NOW)
    assert store.poll(entry("", links[1], "One, edited", published=(DATE,)), now=LATER).new == ()
    assert store.poll(entry("", links[2], "Edited", published=("2026-06-10T09:00:00Z",)), now=LATER).new == ()
    assert store.titles() == ["Edited"]
    assert [one.id for one in store.entries] == links[:1]


def test_entries_without_id_at_one_link_are_several_where_a_parameter_tells_them_apart() -> None:
    """ID-02 must not swallow: what looks like tracking may name a release, and then several stand there at once."""
    store = Stored()
    releases = [entry("", f"https://warp.example/tree?ref=v{n}", f"Release {n}") for n in range(5)]
    for last in range(2, 6):
        store.poll(*releases[last - 2 : last], now=NOW + timedelta(days=last))
    assert sorted(map(str, store.titles())) == [f"Release {n}" for n in range(5)]


def test_a_digest_with_one_link_and_one_title_is_new_each_day() -> None:
    """ID-04 must not swallow: same link and title, another id and another date."""
    store = Stored()
    for day in range(1, 4):
        found = entry(f"d-{day}", "https://warp.example/", "Digest", published=(f"2026-06-0{day}T08:00:00Z",))
        assert len(store.poll(found, now=NOW + timedelta(days=day)).new) == 1


def test_one_id_on_several_links_is_several_entries_for_ever() -> None:
    """ID-05, ID-08: the key is extended by the link; a later poll with one of them knows it."""
    store = Stored()
    releases = [entry("https://warp.example/log", f"https://warp.example/rel/{n}", f"Release {n}") for n in (3, 4, 5)]
    store.poll(*releases)
    assert len(store.entries) == 3
    again = store.poll(
        releases[2], entry("https://warp.example/log", "https://warp.example/rel/6", "Release 6"), now=LATER
    )
    assert [one.title for one in again.new] == ["Release 6"]
    alone = store.poll(entry("https://warp.example/log", "https://warp.example/rel/7", "Release 7"), now=LATER)
    assert [one.title for one in alone.new] == ["Release 7"]


def test_an_id_that_is_shared_later_leaves_the_first_entry_as_it_was() -> None:
    """ID-05, ID-04."""
    store = Stored()
    first = entry("urn:x:1", "https://warp.example/1", "One")
    store.poll(first)
    store.poll(first, entry("urn:x:1", "https://warp.example/2", "Two"), now=LATER)
    assert store.titles() == ["One", "Two"]
    assert store.entries[0].id == "urn:x:1"


def test_one_id_one_link_and_two_titles_are_two_entries() -> None:
    """ID-02: an entry is never dropped for want of an id of its own."""
    store = Stored()
    notes = (entry("x", "https://warp.example/", "Monday"), entry("x", "https://warp.example/", "Tuesday"))
    store.poll(*notes)
    assert store.titles() == ["Monday", "Tuesday"]
    assert not store.poll(*notes, now=LATER).new


def test_a_source_with_one_id_and_one_link_for_all_loses_none_of_them() -> None:
    """ID-02, ID-05: where id and link are shared, the title tells entries apart, also when the first is alone again."""
    store = Stored()
    notes = [entry("x", "https://warp.example/", day) for day in ("Mon", "Tue", "Wed", "Thu")]
    store.poll(notes[0], notes[1])
    store.poll(notes[1], notes[2], now=LATER)
    store.poll(notes[3], now=LATER)
    assert store.titles() == ["Mon", "Tue", "Wed", "Thu"]


def test_of_one_entry_twice_in_a_document_the_newer_counts() -> None:
    """ID-05: same id, title and link."""
    old = entry("x", "https://warp.example/1", updated=("2026-05-01T00:00:00Z",), text=Text("old"))
    store = Stored()
    store.poll(old, replace(old, updated=("2026-05-02T00:00:00Z",), text=Text("new")))
    assert [one.text for one in store.entries] == [Text("new")]


def test_an_id_that_comes_back_for_another_post_is_a_new_entry() -> None:
    """ID-06: another link, another title, a later date; the old one stays what it was, and both stay known."""
    store = Stored()
    old = entry("post-500", "https://warp.example/2023", "Best of 2023", published=("2023-03-06T09:00:00Z",))
    new = entry("post-500", "https://warp.example/2025", "Best of 2025", published=(DATE,))
    store.poll(old)
    assert len(store.poll(new, now=LATER).new) == 1
    assert store.titles() == ["Best of 2023", "Best of 2025"]
    again = store.poll(new, now=LATER)
    assert (again.new, again.changed) == ((), ())


@pytest.mark.parametrize(
    "change",
    [
        {"link": "https://new.example/1"},
        {"link": "https://new.example/1", "published": ("2025-06-01T00:00:00Z",)},
        {"link": "https://new.example/1", "title": "Another title"},
        {"title": "Another title", "published": ("2025-06-01T00:00:00Z",)},
    ],
)
def test_what_changes_less_than_all_three_is_an_edit(change: dict[str, object]) -> None:
    """ID-06, ID-09, DT-10: link, title and date must all differ; the date stays."""
    store = Stored()
    first = entry("post-1", "https://warp.example/1", published=(DATE,))
    store.poll(first)
    edited = store.poll(replace(first, **change), now=LATER)  # type: ignore[arg-type]
    assert (len(edited.new), len(edited.changed)) == (0, 1)
    assert store.entries[0].published == datetime(2025, 3, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "published"),
    [
        ("https://warp.example/1", "https://warp.example/1"),
        ("tag:warp.example,2025:1", "tag:warp.example,2025:1"),
        ("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        ("886840", "tag:blog.example,2026:sources/warp:886840"),
        ("/2025/relative", "tag:blog.example,2026:sources/warp:/2025/relative"),
        ("urn:uuid:no", "tag:blog.example,2026:sources/warp:urn:uuid:no"),
        ("https://warp.example/a b", "tag:blog.example,2026:sources/warp:https://warp.example/a%20b"),
        ("javascript:alert(1)", "tag:blog.example,2026:sources/warp:javascript:alert(1)"),
    ],
)
def test_the_published_id_is_the_original_where_it_is_a_valid_uri(raw: str, published: str) -> None:
    """ID-07."""
    store = Stored()
    store.poll(entry(raw, "https://warp.example/1"))
    assert store.entries[0].id == published


def other(id: str, link: str | None) -> Entry:  # noqa: A002
    return Entry(id, id, link, "Theirs", NOW, NOW, source="other")


def test_an_id_that_another_source_has_is_not_taken_from_it() -> None:
    """S-38, ID-07: at most one keeps it; a copy of one story may have it too (MG-01)."""
    there = other("https://warp.example/1", "https://other.example/1")
    store = Stored(there)
    store.poll(entry("https://warp.example/1", "https://warp.example/1"))
    assert store.entries[0].id == "tag:blog.example,2026:sources/warp:https://warp.example/1"
    copy = Stored(replace(there, link="http://www.warp.example/1/?utm_source=x"))
    copy.poll(entry("https://warp.example/1", "https://warp.example/1"))
    assert copy.entries[0].id == "https://warp.example/1"


def test_an_edit_is_taken_over_in_place_and_stamped_when_it_is_seen() -> None:
    """ID-09, DT-10: RSS says no `updated`, so it is the time this was seen; date, id and place stay."""
    store = Stored()
    first = entry("e", "https://warp.example/e", "Occupanzy", published=("2026-05-01T09:00:00Z",))
    store.poll(entry("n", title="Neighbour"), first)
    store.poll(replace(first, title="Occupancy", published=("2026-06-15T15:00:00Z",)), now=LATER)
    edited = store.entries[1]
    assert (edited.title, edited.published, edited.updated) == ("Occupancy", datetime(2026, 5, 1, 9, tzinfo=UTC), LATER)
    assert edited.place == (0, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"text": Text("<p>One  two</p>")}, {"text": Text("<p>One\n two</p>")}),
        ({"text": Text("<p>Text</p><p>12 comments</p>")}, {"text": Text("<p>Text</p><p>1,305 comments</p>")}),
        ({"text": Text("<p>Views: 7</p>")}, {"text": Text("<p>Views: 8</p>")}),
        (
            {"text": Text('<a href="https://a.example/?utm_source=x&amp;p=1">x</a>')},
            {"text": Text('<a href="https://a.example/?utm_source=y&amp;p=1">x</a>')},
        ),
        ({"link": "https://warp.example/1?utm_campaign=a"}, {"link": "https://warp.example/1"}),
        ({"tags": ("GPU", "HIP")}, {"tags": ("hip", "gpu")}),
    ],
)
def test_white_space_counters_and_tracking_parameters_are_no_change(
    before: dict[str, object], after: dict[str, object]
) -> None:
    """ID-09."""
    store = Stored()
    store.poll(replace(entry("1", "https://warp.example/1"), **before))  # type: ignore[arg-type]
    taken = store.poll(replace(entry("1", "https://warp.example/1"), **after), now=LATER)  # type: ignore[arg-type]
    assert (taken.new, taken.changed) == ((), ())


@pytest.mark.parametrize(
    "change",
    [
        {"title": "B"},
        {"text": Text("<p>12 apples</p>")},
        {"authors": (Person("Ada"),)},
        {"tags": ("GPU",)},
        {"enclosures": (Enclosure("https://warp.example/a.mp3", "audio/mpeg"),)},
        {"link": "https://warp.example/1?page=2"},
    ],
)
def test_every_field_that_readers_see_is_taken_over(change: dict[str, object]) -> None:
    """ID-09."""
    store = Stored()
    first = entry("1", "https://warp.example/1", text=Text("<p>13 apples</p>"))
    store.poll(first)
    taken = store.poll(replace(first, **change), now=LATER)  # type: ignore[arg-type]
    assert len(taken.changed) == 1


def test_a_new_updated_changes_updated_alone_and_an_edit_without_one_keeps_what_atom_says() -> None:
    """DT-10, ID-09."""
    store = Stored()
    first = entry("1", published=(DATE,), updated=("2025-03-04T00:00:00Z",))
    store.poll(first)
    store.poll(replace(first, updated=("2025-04-01T00:00:00Z",)), now=LATER)
    assert store.entries[0].updated == datetime(2025, 4, 1, tzinfo=UTC)
    assert store.entries[0].published == datetime(2025, 3, 3, 9, tzinfo=UTC)
    store.poll(replace(first, updated=("2025-04-01T00:00:00Z",), title="Typo mended"), now=LATER)
    assert (store.entries[0].title, store.entries[0].updated) == ("Typo mended", datetime(2025, 4, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 30 Feb 2025 09:00:00 GMT",
        "Mon, 01 Jan 0001 00:00:00 +0000",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "1989-12-31T00:00:00Z",
        "2026-06-16T12:00:01Z",
        "1741000000",
        "2025-W10-1",
        "",
    ],
)
def test_a_date_that_is_not_believed_counts_as_none_and_first_sight_stays_the_date(text: str) -> None:
    """DT-02, DT-06, DT-07, X-09."""
    store = Stored()
    store.poll(entry("1", published=(text,) if text else ()))
    store.poll(entry("1", published=(text,) if text else ()), now=LATER)
    assert (store.entries[0].published, store.entries[0].updated) == (NOW, NOW)


def test_an_entry_of_tomorrow_keeps_its_date_and_waits() -> None:
    """DT-06: up to a day ahead."""
    store = Stored()
    store.poll(entry("1", published=("2026-06-16T12:00:00Z",), updated=("2026-06-16T12:00:00Z",)))
    assert store.entries[0].published == datetime(2026, 6, 16, 12, tzinfo=UTC)


def test_an_entry_that_has_an_updated_alone_waits_for_it_as_well() -> None:
    """DT-06, DT-09: up to a day ahead; where it is more, the entry counts as undated."""
    tomorrow = datetime(2026, 6, 16, 12, tzinfo=UTC)
    store = Stored()
    coming = entry("1", updated=("2026-06-16T12:00:00Z",))
    taken = store.poll(coming, entry("2", title="B", updated=("2026-06-16T12:00:01Z",)))
    assert [one.published for one in store.entries] == [tomorrow, NOW]
    assert (store.codes(), taken.lasting) == (["unbelievable-date"], False)
    again = store.poll(coming, now=LATER)
    assert (again.changed, again.lasting, store.entries[0].updated) == ((), True, tomorrow)


def test_an_updated_of_tomorrow_holds_back_no_entry_that_has_a_date() -> None:
    """DT-06, DT-10, DT-11: it counts once it is there."""
    store = Stored()
    edited = entry("1", published=(DATE,), updated=("2026-06-16T12:00:00Z",))
    assert not store.poll(edited).lasting
    assert store.entries[0].published == store.entries[0].updated == datetime(2025, 3, 3, 9, tzinfo=UTC)
    store.poll(edited, now=LATER)
    assert store.entries[0].updated == datetime(2026, 6, 16, 12, tzinfo=UTC)


def test_undated_entries_of_one_poll_keep_the_order_of_the_document() -> None:
    """DT-08."""
    store = Stored()
    store.poll(entry("b", title="B"), entry("a", title="A"))
    assert [(one.title, one.place[1]) for one in store.entries] == [("B", 0), ("A", 1)]


def test_published_comes_from_the_first_date_that_is_one_else_from_updated_which_is_never_earlier() -> None:
    """DT-09."""
    store = Stored()
    store.poll(
        entry("1", title="fallen through", published=("soon", DATE)),
        entry("2", title="updated alone", updated=("2025-05-01T00:00:00Z",)),
        entry("3", title="backwards", published=(DATE,), updated=("2024-01-01T00:00:00Z",)),
    )
    march = datetime(2025, 3, 3, 9, tzinfo=UTC)
    assert [(one.published, one.updated) for one in store.entries] == [
        (march, march),
        (datetime(2025, 5, 1, tzinfo=UTC), datetime(2025, 5, 1, tzinfo=UTC)),
        (march, march),
    ]


def test_dates_without_zone_are_in_the_zone_of_the_site() -> None:
    """DT-04."""
    store = Stored()
    store.poll(entry("1", published=("2025-03-03 09:00:00",)), rules=Rules("x,2026", timezone(timedelta(hours=2))))
    assert store.entries[0].published == datetime(2025, 3, 3, 7, tzinfo=UTC)


def test_a_flood_with_one_date_is_kept_and_reported() -> None:
    """ID-12; so is a document without entries where there were some (DX-05)."""
    store = Stored()
    store.poll(*(entry(str(n), title=f"Old {n}", published=(DATE,)) for n in range(ARCHIVE)))
    assert len(store.entries) == ARCHIVE
    assert store.codes() == ["moved-archive"]
    assert f"{ARCHIVE} entries never seen before have one date, 2025-03-03 09:00" in store.last.warnings[0].message
    store.poll(now=LATER)
    assert store.codes() == ["no-entries"]


def test_each_warning_names_source_and_entry_once() -> None:
    """SO-11: only where the entry is new, for its date does not move later."""
    store = Stored()
    store.poll(entry("1", title="Odd one", published=("Montag",)))
    assert [str(one) for one in store.last.warnings] == [
        "warp: warning: the entry 'Odd one': its date 'Montag' is not understood [bad-date]"
    ]
    store.poll(entry("1", title="Odd one", published=("Montag",)), now=LATER)
    assert store.codes() == []


def test_an_entry_that_brings_its_source_keeps_it() -> None:
    """MG-06; an id that is no URI gets a stable one (MG-05)."""
    store = Stored()
    origin = FoundOrigin("urn:orig", "Original", "https://orig.example/feed", updated="2025-03-04T00:00:00Z")
    store.poll(
        entry("1", origin=origin),
        entry("2", title="B", origin=FoundOrigin(title="By name")),
        entry("3", title="C", origin=FoundOrigin()),
    )
    first, second, third = (one.origin for one in store.entries)
    assert first is not None
    assert second is not None
    assert (first.id, first.title, first.url, first.updated) == (
        "urn:orig",
        "Original",
        "https://orig.example/feed",
        datetime(2025, 3, 4, tzinfo=UTC),
    )
    assert second.id == "tag:blog.example,2026:sources/warp:origin:By%20name"
    assert third is None


FOUND = st.builds(
    entry,
    id=st.sampled_from(["", "a", "b", "https://warp.example/1", "http://warp.example/1/"]),
    link=st.sampled_from([None, "https://warp.example/1", "https://warp.example/2", "http://warp.example/2/"]),
    title=st.sampled_from([None, "A", "B"]),
    published=st.sampled_from([(), (DATE,), ("2025-06-01T00:00:00Z",)]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(FOUND, max_size=6), min_size=1, max_size=4))
def test_whatever_a_source_does_no_key_and_no_id_stands_twice_and_published_never_moves(
    polls: list[list[Found]],
) -> None:
    """ID-05, ID-08, DT-10; and the same document again brings nothing (OU-06)."""
    store = Stored()
    for day, entries in enumerate(polls):
        before = {one.id: one.published for one in store.entries}
        store.poll(*entries, now=NOW + timedelta(days=day))
        after = {one.id: one.published for one in store.entries}
        assert before.items() <= after.items()
        again = store.poll(*entries, now=NOW + timedelta(days=day))
        assert (again.new, again.changed, again.renamed) == ((), (), {})


@pytest.mark.parametrize("title", [None, "news:hello", "sha256:abc"])
def test_a_title_or_a_digest_is_never_published_as_an_id(title: str | None) -> None:
    """ID-02, ID-07: it is no original id, however much it looks like an address."""
    store = Stored()
    store.poll(entry(title=title))
    assert store.entries[0].id.startswith("tag:blog.example,2026:sources/warp:")


def test_an_id_in_our_own_name_is_never_a_strangers() -> None:
    """S-38, ID-04: a post of ours may get it one day, and what was published first would have to change."""
    store = Stored()
    store.poll(entry("tag:blog.example,2026:next-post", "https://warp.example/1"), entry("TAG:Blog.example,2026:x"))
    assert [one.id for one in store.entries] == [
        "tag:blog.example,2026:sources/warp:tag:blog.example,2026:next-post",
        "tag:blog.example,2026:sources/warp:TAG:Blog.example,2026:x",
    ]
