"""The Atom document, read back (generating.md, section 8)."""

from datetime import timedelta

from msgspec.structs import replace

from feedsvc.model import Feed, Item, Person, Show, Teaser, Text
from feedsvc.render import atom
from tests.render import feeds
from tests.render.reading import ATOM_NS, MEDIA_NS, atom_root


def entry(item: Item, **changes: object) -> object:
    """Return the one entry of a feed of one item."""
    return atom_root(feeds.feed(item, **changes)).find(f"{ATOM_NS}entry")


def links(element: object, rel: str) -> list[tuple[str | None, str]]:
    """Return type and address of the links of a relation."""
    found = element.findall(f"{ATOM_NS}link")
    return [(link.get("type"), link.get("href")) for link in found if link.get("rel") == rel]


def test_the_feed_says_what_it_is() -> None:
    """A1."""
    root = atom_root(feeds.everything())
    said = {
        "id": "tag:warp.example,2026:feed/posts",
        "title": "Warp Notes",
        "updated": "2026-05-01T13:00:07+00:00",
        "subtitle": "Notes & news on a<b",
        "rights": "© 2026 R&D",
        "icon": "https://warp.example/icon.png",
        "logo": "https://warp.example/logo.svg",
        "generator": "feedsvc",
        "author/name": "Ada",
    }
    paths = {name: "/".join(ATOM_NS + step for step in name.split("/")) for name in said}
    assert {name: root.findtext(path) for name, path in paths.items()} == said
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"


def test_self_twins_and_hubs_are_links_of_the_feed() -> None:
    """A2, K3."""
    root = atom_root(feeds.everything())
    assert links(root, "self") == [("application/atom+xml", "https://warp.example/atom.xml")]
    assert links(root, "alternate") == [
        ("text/html", "https://warp.example/"),
        ("application/rss+xml", "https://warp.example/rss.xml"),
        ("application/feed+json", "https://warp.example/feed.json"),
    ]
    assert links(root, "hub") == [(None, "https://hub.example/")]


def test_metadata_stands_before_the_first_entry() -> None:
    """A3."""
    names = [child.tag for child in atom_root(feeds.everything())]
    first = names.index(f"{ATOM_NS}entry")
    assert set(names[first:]) == {f"{ATOM_NS}entry"}


def test_a_teaser_feed_has_summaries_and_no_content() -> None:
    """A5."""
    found = entry(feeds.item())
    assert found.findtext(f"{ATOM_NS}summary").endswith('<a href="https://warp.example/warps/">Read more</a></p>')
    assert found.find(f"{ATOM_NS}content") is None


def test_a_full_feed_has_the_teaser_beside_the_text() -> None:
    """A5."""
    found = entry(feeds.item(show=Show.FULL))
    assert found.findtext(f"{ATOM_NS}content") == "<p>All about <em>warps</em> and more.</p>"
    assert found.findtext(f"{ATOM_NS}summary").startswith("<p>All about")


def test_a_title_feed_shows_no_text_but_the_link() -> None:
    """A5, T14, MG-13."""
    found = entry(feeds.item(show=Show.TITLE), more="Weiter <hier> & dort")
    label = "Weiter &lt;hier&gt; &amp; dort"
    assert found.findtext(f"{ATOM_NS}summary") == f'<p><a href="https://warp.example/warps/">{label}</a></p>'
    assert "All" not in atom.render(feeds.feed(feeds.item(show=Show.TITLE))).decode()


def test_an_entry_without_text_has_a_link_for_a_summary() -> None:
    """A5, T14."""
    found = entry(feeds.item(teaser=Teaser("", ""), text=Text(), link="https://warp.example/?a=1&b=2"))
    assert found.findtext(f"{ATOM_NS}summary") == '<p><a href="https://warp.example/?a=1&amp;b=2">Read more</a></p>'


def test_an_entry_without_link_has_content_and_no_invented_link() -> None:
    """LI-06."""
    found = entry(feeds.item(link=None, teaser=Teaser("<p>Adrift</p>", "Adrift")))
    assert found.findtext(f"{ATOM_NS}content") == "<p>Adrift</p>"
    assert found.find(f"{ATOM_NS}link") is None


def test_an_entry_with_neither_link_nor_text_shows_its_title() -> None:
    """LI-06: content is demanded, and may not be blank."""
    found = entry(feeds.item(link=None, title="a<b", teaser=Teaser("", ""), text=Text()))
    assert found.findtext(f"{ATOM_NS}content") == "<p>a&lt;b</p>"


def test_an_untitled_entry_takes_the_first_words_then_its_link_then_its_id() -> None:
    """TI-05, A1."""
    untitled = feeds.foreign(title=None)
    titles = [
        untitled,
        replace(untitled, title=""),
        replace(untitled, title="", entry=replace(untitled.entry, link="https://x.example/")),
        replace(untitled, title="", entry=replace(untitled.entry, link=None)),
    ]
    found = [entry(item).findtext(f"{ATOM_NS}title") for item in titles]
    assert found == ["All about", "xla", "x.example", "https://openxla.example/xla"]


def test_the_source_of_a_foreign_entry_is_told_whole() -> None:
    """A7, MG-05, MG-07."""
    source = entry(feeds.foreign()).find(f"{ATOM_NS}source")
    assert source.findtext(f"{ATOM_NS}id") == "https://openxla.example/"
    assert source.findtext(f"{ATOM_NS}title") == "OpenXLA"
    assert source.findtext(f"{ATOM_NS}updated") == "2026-05-01T12:00:07+00:00"
    assert source.findtext(f"{ATOM_NS}rights") == "CC BY"
    assert links(source, "self") == [(None, "https://openxla.example/feed.xml")]
    assert links(source, "alternate") == [(None, "https://openxla.example/")]
    assert "@" not in "".join(source.itertext())


def test_a_source_without_a_date_takes_that_of_the_entry() -> None:
    """A7: `updated` is demanded, and the clock would change the bytes."""
    item = feeds.foreign()
    undated = replace(item, entry=replace(item.entry, origin=replace(item.entry.origin, updated=None)))
    source = entry(undated).find(f"{ATOM_NS}source")
    assert source.findtext(f"{ATOM_NS}updated") == "2026-05-01T13:00:07+00:00"


def test_authors_of_strangers_are_named_without_mail_and_never_replaced_by_ours() -> None:
    """MG-07."""
    item = feeds.foreign(authors=(Person("Mia", "mia@x.example", "https://x.example/mia"), Person(" ")))
    anonymous = replace(item.entry.origin, authors=())
    for authors, origin, names in (
        (item.entry.authors, item.entry.origin, ["Mia"]),
        ((), item.entry.origin, ["The OpenXLA team"]),
        ((), anonymous, ["OpenXLA"]),
    ):
        found = entry(replace(item, entry=replace(item.entry, authors=authors, origin=origin)))
        people = found.findall(f"{ATOM_NS}author")
        assert [person.findtext(f"{ATOM_NS}name") for person in people] == names
        assert all(person.find(f"{ATOM_NS}email") is None for person in people)


def test_the_picture_is_media_content() -> None:
    found = entry(feeds.item(image="https://warp.example/a.png?x=1&y=2"))
    assert dict(found.find(f"{MEDIA_NS}content").attrib) == {
        "url": "https://warp.example/a.png?x=1&y=2",
        "medium": "image",
    }


def test_fragments_stay_fragments() -> None:
    """C2."""
    item = feeds.item(show=Show.FULL, text=Text('<p><a href="#n">1</a></p><p id="n">Note</p>'))
    assert '<a href="#n">' in entry(item).findtext(f"{ATOM_NS}content")


def test_the_style_sheet_is_announced_before_the_root() -> None:
    """G3; an address can neither end the instruction nor its attribute."""
    body = atom.render(feeds.feed(style='https://warp.example/a.css?x=1&y="?>'))
    second = body.splitlines()[1].decode()
    assert second == '<?xml-stylesheet href="https://warp.example/a.css?x=1&amp;y=%22?%3E" type="text/css"?>'
    assert b"xml-stylesheet" not in atom.render(feeds.feed())


def test_the_declaration_is_the_first_byte_and_names_utf_8() -> None:
    """X1."""
    assert atom.render(feeds.everything()).startswith(b"<?xml version='1.0' encoding='UTF-8'?>\n")


def test_a_feed_without_entries_is_a_feed() -> None:
    empty: Feed = feeds.feed(updated=feeds.NOON + timedelta(days=1))
    assert atom_root(empty).findtext(f"{ATOM_NS}updated") == "2026-05-02T12:00:07+00:00"
