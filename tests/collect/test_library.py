"""The folder of posts (B6, B7, S-30): what is read, what is refused, what is published beside a post."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from feedsvc.collect.admission import Outcome
from feedsvc.collect.assets import Asset, apart, wanted
from feedsvc.collect.library import LARGEST_ASSET, LARGEST_POST, Library, assets, complete, read_asset, scan
from feedsvc.model import Entry, Level, Text
from feedsvc.settings.tree import Author, Output, Posts, Project, Settings, Site
from tests.places import shared

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
HEAD = "---\ntitle: {title}\ndate: {date}\n---\n"


def project(root: Path, output_url: str = "https://warp.example/", permalink: str = "{slug}/") -> Project:
    author = Author(name="Warp Notes")
    site = Site(title="Warp Notes", url="https://warp.example/", author=author, id_authority="warp.example,2026")
    settings = Settings(site=site, posts=Posts(permalink=permalink), output=Output(url=output_url))
    return Project(
        settings=settings,
        config=root / "feedsvc.toml",
        root=root,
        posts=root / "posts",
        output=root / "public",
        state=root / "var",
        store_url="sqlite://",
    )


def write(root: Path, path: str, title: str = "", date: str = "2026-05-01T10:00:00Z", body: str = "Words.\n") -> Path:
    place = root / "posts" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(HEAD.format(title=title or place.stem, date=date) + body)
    return place


def keys(library: Library) -> list[str]:
    return [entry.key for entry in library.entries]


def told(library: Library) -> list[tuple[str, int | None, Level, str]]:
    return [(one.path, one.line, one.level, one.code) for one in library.diagnostics]


def completed(root: Path, name: str) -> Entry:
    (entry,) = [entry for entry in scan(project(root), NOW).entries if entry.key == name]
    found = complete(project(root), entry)
    assert found.entry is not None
    return found.entry


def test_every_post_below_the_folder_is_read_newest_first(tmp_path: Path) -> None:
    """D11; interface "Configuration"."""
    write(tmp_path, "a.md")
    write(tmp_path, "2025/b.markdown", date="2026-05-03")
    write(tmp_path, "2025/deep/C.MD", date="2026-05-02")
    library = scan(project(tmp_path), NOW)
    assert (keys(library), library.diagnostics) == (["2025/b", "2025/deep/C", "a"], ())
    assert all(entry.text is None for entry in library.entries)


def test_hidden_files_backups_and_other_types_are_no_posts_and_stop_nothing(tmp_path: Path) -> None:
    """B6."""
    write(tmp_path, "good.md")
    for name in (".hidden.md", "x.md~", "#x.md#", "x.md.bak", "x.mdx", "x.txt", ".git/config.md", "picture.png"):
        write(tmp_path, name)
    (tmp_path / "posts" / ".#x.md").symlink_to("nobody@nowhere.1234")
    library = scan(project(tmp_path), NOW)
    assert (keys(library), library.diagnostics, library.held) == (["good"], (), ())


def test_a_fifo_a_socket_and_a_folder_named_like_posts_are_passed_without_waiting(tmp_path: Path) -> None:
    """S-30, B7."""
    write(tmp_path, "good.md")
    write(tmp_path, "folder.md/inside.md")
    os.mkfifo(tmp_path / "posts" / "pipe.md")
    library = scan(project(tmp_path), NOW)
    assert sorted(keys(library)) == ["folder.md/inside", "good"]
    assert told(library) == [("posts/pipe.md", 1, Level.ERROR, "no-regular-file")]
    assert library.skipped == 1


def test_a_link_inside_is_read_and_a_link_out_is_refused(tmp_path: Path) -> None:
    """S-30."""
    outside = tmp_path / "outside.md"
    outside.write_text(HEAD.format(title="Secret", date="2026-05-01") + "Secret.\n")
    write(tmp_path, "real.md", date="2026-05-01")
    (tmp_path / "posts" / "inside.md").symlink_to("real.md")
    (tmp_path / "posts" / "out.md").symlink_to(outside)
    (tmp_path / "posts" / "up.md").symlink_to("../outside.md")
    (tmp_path / "posts" / "dangling.md").symlink_to("nothing.md")
    library = scan(project(tmp_path), NOW)
    assert sorted(keys(library)) == ["inside", "real"]
    assert told(library) == [
        ("posts/dangling.md", 1, Level.ERROR, "unreadable-file"),
        ("posts/out.md", 1, Level.ERROR, "link-outside"),
        ("posts/up.md", 1, Level.ERROR, "link-outside"),
    ]


def test_a_linked_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    """S-30: nor does a link to the folder itself lead round in a circle."""
    write(tmp_path, "good.md")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.md").write_text(HEAD.format(title="x", date="2026-05-01"))
    (tmp_path / "posts" / "out").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "posts" / "round").symlink_to(".")
    library = scan(project(tmp_path), NOW)
    assert keys(library) == ["good"]
    assert {(path, code) for path, _, _, code in told(library)} == {
        ("posts/out", "linked-folder"),
        ("posts/round", "linked-folder"),
    }


def test_a_file_beyond_two_megabytes_is_refused(tmp_path: Path) -> None:
    """S-30."""
    place = write(tmp_path, "large.md")
    place.write_text(place.read_text() + "x" * LARGEST_POST)
    write(tmp_path, "good.md")
    library = scan(project(tmp_path), NOW)
    assert (keys(library), told(library)) == (["good"], [("posts/large.md", 1, Level.ERROR, "large-file")])


def test_a_name_that_is_no_text_keeps_its_file_out(tmp_path: Path) -> None:
    """B7, I3."""
    write(tmp_path, "good.md")
    place = os.fsencode(tmp_path / "posts") + b"/caf\xe9.md"
    with open(place, "w") as file:
        file.write(HEAD.format(title="x", date="2026-05-01"))
    library = scan(project(tmp_path), NOW)
    assert keys(library) == ["good"]
    assert told(library) == [("posts/caf\\udce9.md", 1, Level.ERROR, "bad-file-name")]


def test_no_folder_of_posts_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    """B7."""
    library = scan(project(tmp_path), NOW)
    assert (library.entries, told(library)) == ((), [("posts", 1, Level.ERROR, "no-posts-folder")])


def test_one_bad_file_of_each_kind_leaves_the_others_published_and_is_named(tmp_path: Path) -> None:
    """B7, F13."""
    write(tmp_path, "good.md")
    (tmp_path / "posts" / "latin.md").write_bytes(b"---\ntitle: caf\xe9\n---\n")
    write(tmp_path, "late.md", date="2027-01-01")
    write(tmp_path, "draft.md", date="2026-05-01\ndraft: true")
    write(tmp_path, "password.md", date="2026-05-01\npassword: x")
    write(tmp_path, "undated.md", date="")
    write(tmp_path, "twice.md", date="2026-05-01\nslug: good")
    library = scan(project(tmp_path), NOW)
    assert (keys(library), [entry.key for entry in library.waiting]) == (["good"], ["late"])
    assert library.next_due == library.waiting[0].published
    assert {held.key: held.outcome for held in library.held} == {
        "draft": Outcome.DRAFT,
        "latin": Outcome.SKIPPED,
        "password": Outcome.RESTRICTED,
        "twice": Outcome.SKIPPED,
        "undated": Outcome.SKIPPED,
    }
    assert all(held.reason and held.path == f"posts/{held.key}.md" for held in library.held)
    assert [one.path for one in library.diagnostics] == [
        f"posts/{name}.md" for name in ("latin", "password", "twice", "undated")
    ]


def test_a_completed_entry_has_its_text_and_keeps_its_settled_dates(tmp_path: Path) -> None:
    """D4, T10, C1."""
    write(tmp_path, "a.md", date="2026-05-01", body="Lead *text*.\n\n<!--more-->\n\n![x](fig/a.png)\n")
    (entry,) = scan(project(tmp_path), NOW).entries
    found = complete(project(tmp_path), entry)
    assert found.entry is not None
    assert found.entry.published == entry.published
    assert found.entry.text is not None
    assert "<em>text</em>" in (found.entry.text.lead or "")
    assert 'src="https://warp.example/a/fig/a.png"' in found.entry.text.content
    assert found.diagnostics == ()


def test_a_post_that_became_a_draft_between_scan_and_completion_stays_out(tmp_path: Path) -> None:
    """F10, F13."""
    place = write(tmp_path, "a.md")
    (entry,) = scan(project(tmp_path), NOW).entries
    write(tmp_path, "a.md", date="2026-05-01\ndraft: true", body="Secret.\n")
    found = complete(project(tmp_path), entry)
    assert found.entry is None
    assert [(one.path, one.code) for one in found.diagnostics] == [("posts/a.md", "changed-file")]
    write(tmp_path, "a.md", date="2026-05-01\nid: tag:warp.example,2026:other")
    assert complete(project(tmp_path), entry).entry is None
    place.unlink()
    assert complete(project(tmp_path), entry).entry is None


# Files beside a post


def picture(root: Path, path: str) -> None:
    place = root / "posts" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"picture of " + path.encode())


def beside(root: Path, name: str) -> dict[str, str]:
    return {asset.source: asset.path for asset in assets(project(root), completed(root, name))}


def test_a_file_beside_a_post_is_published_where_its_address_resolves(tmp_path: Path) -> None:
    """C1; issue "Assets beside a post are published with it"."""
    picture(tmp_path, "triton/auto tune.svg")
    picture(tmp_path, "fig/b.png")
    picture(tmp_path, "unnamed.png")
    write(tmp_path, "triton/index.md", body="![x](<auto tune.svg>) [again](auto%20tune.svg#x)\n")
    write(tmp_path, "plain.md", body="![x](fig/b.png) ![gone](gone.png) [text](notes.txt)\n")
    assert beside(tmp_path, "triton/index") == {"triton/auto tune.svg": "triton/auto tune.svg"}
    assert beside(tmp_path, "plain") == {"fig/b.png": "plain/fig/b.png"}
    (asset,) = assets(project(tmp_path), completed(tmp_path, "triton/index"))
    assert (asset.url, asset.media_type) == ("https://warp.example/triton/auto%20tune.svg", "image/svg+xml")
    assert read_asset(project(tmp_path), asset) == b"picture of triton/auto tune.svg"


def test_image_and_enclosure_of_the_front_matter_are_published_too(tmp_path: Path) -> None:
    """S5; issue "Assets beside a post are published with it"."""
    picture(tmp_path, "cover.webp")
    picture(tmp_path, "talk.mp3")
    write(tmp_path, "a.md", date="2026-05-01\nimage: cover.webp\nenclosure: talk.mp3")
    assert beside(tmp_path, "a") == {"cover.webp": "a/cover.webp", "talk.mp3": "a/talk.mp3"}


@pytest.mark.parametrize(
    "reference",
    ["../secret.png", ".hidden.png", "sub/.h/x.png", "/secret.png", "%2e%2e/secret.png", "a%5c..%5cb.png", "pipe.png"],
)
def test_no_reference_reaches_what_is_not_beside_the_post(tmp_path: Path, reference: str) -> None:
    """S-29, S-30, S-32."""
    for place in ("secret.png", "d/.hidden.png", "d/sub/.h/x.png"):
        picture(tmp_path, place)
    write(tmp_path, "d/a.md", body=f"![x]({reference})\n")
    os.mkfifo(tmp_path / "posts" / "d" / "pipe.png")
    assert beside(tmp_path, "d/a") == {}


def test_a_linked_picture_is_published_only_where_its_target_is_inside(tmp_path: Path) -> None:
    """S-30: also where a folder on the way is the link."""
    (tmp_path / "secret.png").write_bytes(b"secret")
    write(tmp_path, "a.md", body="![x](out.png) ![y](dir/secret.png) ![z](in.png)\n")
    picture(tmp_path, "real.png")
    (tmp_path / "posts" / "out.png").symlink_to("../secret.png")
    (tmp_path / "posts" / "dir").symlink_to(tmp_path)
    (tmp_path / "posts" / "in.png").symlink_to("real.png")
    assert beside(tmp_path, "a") == {"in.png": "a/in.png"}


def test_a_picture_that_is_too_large_or_replaced_by_a_link_out_is_not_read(tmp_path: Path) -> None:
    """S-30."""
    write(tmp_path, "a.md", body="![x](large.png) ![y](b.png)\n")
    picture(tmp_path, "b.png")
    with open(tmp_path / "posts" / "large.png", "wb") as file:
        file.truncate(LARGEST_ASSET + 1)
    (asset,) = assets(project(tmp_path), completed(tmp_path, "a"))
    (tmp_path / "posts" / "b.png").unlink()
    assert read_asset(project(tmp_path), asset) is None
    (tmp_path / "secret.png").write_bytes(b"secret")
    (tmp_path / "posts" / "b.png").symlink_to(tmp_path / "secret.png")
    assert read_asset(project(tmp_path), asset) is None
    (tmp_path / "posts" / "dir").symlink_to(tmp_path)
    assert read_asset(project(tmp_path), replace(asset, source="dir/secret.png")) is None


def test_a_backslash_never_becomes_part_of_a_published_path(tmp_path: Path) -> None:
    """S-29: elsewhere it is a slash."""
    write(tmp_path, "a.md", date="2026-05-01\nimage: 'x%5C..%5Cb.png'")
    (entry,) = scan(project(tmp_path), NOW).entries
    assert entry.image == "https://warp.example/a/x%5C..%5Cb.png"
    assert wanted(entry, "a.md", "https://warp.example/") == ()


def test_a_post_whose_page_is_published_elsewhere_brings_no_files(tmp_path: Path) -> None:
    """Issue "Assets beside a post are published with it": its files are not below output.url."""
    picture(tmp_path, "b.png")
    write(tmp_path, "a.md", date="2026-05-01\ncanonical_url: https://other.example/a/", body="![y](b.png)\n")
    assert beside(tmp_path, "a") == {}
    write(tmp_path, "c.md", body="![y](b.png)\n")
    elsewhere = project(tmp_path, output_url="https://feeds.example/")
    assert assets(elsewhere, completed(tmp_path, "c")) == ()


# Real posts


DIALECTS = ("rocm-blogs", "vllm", "kokkos", "juliagpu", "raphlinus", "rust-lang-blog", "blog_os", "lesleylai")


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_real_post_gives_an_entry_or_a_diagnostic_that_names_it(tmp_path: Path, dialect: str) -> None:
    """B7, section 16."""
    place = shared("posts", dialect)
    (tmp_path / "posts").mkdir()
    for file in place.rglob("*"):
        if file.suffix in {".md", ".markdown"}:
            copy = tmp_path / "posts" / file.relative_to(place)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    here = project(tmp_path)
    library = scan(here, NOW)
    files = {f"posts/{file.relative_to(tmp_path / 'posts')}" for file in (tmp_path / "posts").rglob("*.m*")}
    named = {one.path for one in library.diagnostics}
    quiet = {held.path for held in library.held if held.outcome in {Outcome.DRAFT, Outcome.UNLISTED}}
    assert files - {entry.path for entry in (*library.entries, *library.waiting)} <= named | quiet
    for entry in library.entries:
        done = complete(here, entry)
        assert done.entry is not None
        assert done.entry.text is not None
        assert entry.title
        assert all(one.path == entry.path and (one.line or 0) >= 1 for one in done.diagnostics)


def test_a_file_that_is_kept_out_is_known_by_the_id_and_the_link_it_would_have(tmp_path: Path) -> None:
    """SO-10: explain answers for a draft, for a post without a date and for a rival, however one asks."""
    write(tmp_path, "draft.md").write_text("---\ntitle: D\ndate: 2026-05-01\nslug: soon\nstatus: draft\n---\n")
    write(tmp_path, "undated.md").write_text("---\ntitle: U\nid: urn:uuid:4f0e2d1c-0000-4000-8000-000000000001\n---\n")
    write(tmp_path, "a/same.md")
    write(tmp_path, "b/same.md")
    write(tmp_path, "bad.md").write_text("---\ntitle: B\ndate: 2026-05-01\nslug: ../up\n---\n")
    dated = {held.key: held.names for held in scan(project(tmp_path, permalink="{year}/{slug}/"), NOW).held}
    assert dated["draft"] == ("tag:warp.example,2026:draft", "https://warp.example/2026/soon/")
    assert dated["undated"] == ("urn:uuid:4f0e2d1c-0000-4000-8000-000000000001",)
    assert dated["b/same"] == ("tag:warp.example,2026:b/same", "https://warp.example/2026/same/")
    assert dated["bad"] == ("tag:warp.example,2026:bad",)
    undated = {held.key: held.names for held in scan(project(tmp_path), NOW).held}["undated"]
    assert undated[1] == "https://warp.example/undated/"


def test_a_link_that_leads_to_itself_stops_no_other_post(tmp_path: Path) -> None:
    """B6, B7, S-30: asking what it leads to is an error of the system, not of the build."""
    write(tmp_path, "good.md")
    (tmp_path / "posts" / "loop.md").symlink_to("loop.md")
    (tmp_path / "posts" / "there").symlink_to("back")
    (tmp_path / "posts" / "back").symlink_to("there")
    library = scan(project(tmp_path), NOW)
    assert keys(library) == ["good"]
    assert told(library) == [("posts/loop.md", 1, Level.ERROR, "unreadable-file")]


def test_an_asset_that_would_be_a_file_and_a_folder_at_once_has_no_place() -> None:
    """B7: a slug such as `index.html` costs its own picture, never the publication."""
    assets = [
        Asset("1.png", path, "", "image/png")
        for path in ("index.html/a.png", "a/b.png", "a/b.png", "a/b.png/c.png", "tags")
    ]
    free = apart(assets, ["index.html", "tags/cuda/atom.xml"])
    assert [asset.path for asset in free] == ["a/b.png"]


@pytest.mark.parametrize("folder", ["x" * 241, "feeds.opml.gz"])
def test_an_asset_whose_place_no_file_system_takes_or_a_twin_may_need_is_not_wanted(folder: str) -> None:
    """B7, S-29."""
    link = f"https://warp.example/{folder}/"
    entry = Entry("tag:a,2026:b", "a", link, "T", NOW, NOW, text=Text(f'<p><img src="{link}a.png"></p>'))
    assert wanted(entry, "a.md", "https://warp.example/") == ()
