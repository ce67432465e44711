"""Our own published feeds taken in as a source give the same entries, in every format."""

from pathlib import Path

import pytest

from feedsvc.collect.identity import Rules, take
from feedsvc.text.clean import plain
from tests.cases.planet import BASE
from tests.cases.posts import moment
from tests.collect.documents import feed
from tests.installed import feedsvc
from tests.readback import Read, atom, jsonfeed, rss

NOW = "2026-06-15T12:00:00Z"
FULL = '[[feeds]]\nname = "posts"\npath = ""\ncontent = "full"\n'
POSTS = {
    "one.md": "---\ntitle: 'Templates: <T> & friends'\ndate: 2026-05-01T09:00:00Z\ntags: [C++, GPU]\n---\n\n"
    "First words.\n\n```cuda\nk<<<grid, block>>>(p);\n```\n",
    "two.md": "---\ntitle: Ünïcode “quotes”\ndate: 2026-05-02\nupdated: 2026-05-03\nauthors: [Ada, Grace]\n"
    "lang: de\n---\n\n"
    "Text with a [link](other/) and `code`.\n",
    "three.md": "---\ntitle: Sound\ndate: 2026-05-04\nid: urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8\n"
    "enclosure: {url: https://blog.example/a.mp3, type: audio/mpeg, length: 5}\n---\n\nHear.\n",
}


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish three posts."""
    root = tmp_path_factory.mktemp("blog")
    (root / "posts").mkdir()
    (root / "feedsvc.toml").write_text(BASE + FULL, "utf-8")
    for name, text in POSTS.items():
        (root / "posts" / name).write_text(text, "utf-8")
    ran = feedsvc(
        "build", "--config", "feedsvc.toml", cwd=root, env={"SOURCE_DATE_EPOCH": str(int(moment(NOW).timestamp()))}
    )
    assert ran.status == 0, ran.said
    return root / "public"


@pytest.mark.parametrize(("name", "read"), [("atom.xml", atom), ("rss.xml", rss), ("feed.json", jsonfeed)])
def test_what_we_publish_is_read_back_as_it_was(public: Path, name: str, read: object) -> None:
    """ID-07, TI-01, DT-09, CL-07: ids, titles, links, dates, authors, tags, words, languages, files."""
    published: list[Read] = {"atom.xml": atom, "rss.xml": rss, "feed.json": jsonfeed}[name](public / name).entries
    parsed = feed((public / name).read_bytes(), url=f"https://blog.example/{name}")
    rules = Rules("planet.example,2026")
    taken = take("blog", (), parsed, now=moment(NOW), rules=rules, claims=lambda _: ())
    assert not [*parsed.warnings, *taken.warnings]
    assert len(taken.new) == len(published) == len(POSTS)
    for entry, there in zip(taken.new, published, strict=True):
        assert (entry.id, entry.title, entry.link) == (there.id, there.title, there.link)
        assert entry.published == there.published
        assert entry.updated == (there.updated or there.published)
        assert [person.name for person in entry.authors or parsed.channel.authors] == there.authors
        assert list(entry.tags) == there.tags
        assert entry.lang == (there.lang or "en")
        assert [one.url for one in entry.enclosures] == [one["url"] for one in there.enclosures]
        assert entry.text is not None
        assert plain(entry.text.content) == plain(there.content or "")
