"""`feedsvc sources`: what is added is a feed that is there, asked once, and the file stays a person's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feedsvc.cli.edges import lock
from feedsvc.cli.main import main
from feedsvc.settings.load import load
from tests.collect.documents import rss
from tests.servers import Reply, Server

CONFIG = """# Mine.
[site]
title = "Blog"
url = "https://blog.example/"
author = { name = "Blog" }
id_authority = "blog.example,2026"

[polling]
allow_private = ["127.0.0.0/8"]   # the test server
host_delay = "0s"
"""
FEED = rss("<item><title>kept</title><link>https://warp.example/1</link></item>").encode()
PAGE = """<title>Warp</title><link rel="alternate" type="application/atom+xml" href="/gone">
<link rel="alternate" type="application/rss+xml" href="/feed">
<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments">"""


class Project:
    """A project in a folder, whose commands are run in this process, and a server beside it."""

    def __init__(self, root: Path, server: Server) -> None:
        self.config = root / "feedsvc.toml"
        self.config.write_text(CONFIG, "utf-8")
        (root / "posts").mkdir()
        self.root = root
        self.server = server

    def run(self, *words: str, command: str = "sources", clock: str = "1781524800") -> Result:
        """Run a command; nothing but an exit status comes out of it."""
        env = {"SOURCE_DATE_EPOCH": clock}
        found = CliRunner().invoke(main, [command, *words, "--config", str(self.config)], env=env)
        assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
        return found

    def paths(self) -> list[str]:
        """Return what was asked of the server."""
        return [request.path for request in self.server.requests]

    def sources(self) -> list[tuple[str, str]]:
        """Return title and address of the configured sources."""
        return [(one.title, one.url) for one in load(self.config).settings.sources]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Server() as server:
        server.answers["/feed"] = Reply(200, {"Content-Type": "text/html", "ETag": '"1"'}, FEED)
        server.answers["/"] = Reply(200, {"Content-Type": "text/html"}, PAGE.encode())
        server.answers["/plain"] = Reply(200, {}, b"<title>Nothing here</title>")
        yield Project(tmp_path, server)


def test_the_one_request_of_add_is_the_first_poll(project: Project) -> None:
    """F-08, F-11, SO-08: an update right behind it publishes the entry and asks nothing."""
    added = project.run("add", project.server.url("/feed"), "--id", "warp")
    assert added.exit_code == 0, added.output
    assert added.stdout == f"added warp: {project.server.url('/feed')} ('Warp', rss, 1 entry)\n"
    assert project.config.read_text("utf-8").startswith(CONFIG)
    assert project.run(command="update").exit_code == 0
    assert project.paths() == ["/feed"]
    assert "kept" in (project.root / "public" / "planet" / "rss.xml").read_text("utf-8")
    project.run(command="update", clock="1781697600")
    assert project.server.requests[-1].header("If-None-Match") == b'"1"'


def test_a_source_that_comes_back_is_not_asked_again_inside_the_base(project: Project) -> None:
    """F-11, ID-11: it comes back as it was, and its next poll is a conditional one."""
    url = project.server.url("/feed")
    project.run("add", url, "--id", "warp")
    project.run("remove", "warp", clock="1781524860")
    back = project.run("add", url, "--id", "warp", clock="1781528399")
    assert (back.exit_code, back.stdout) == (0, f"added warp: {url} (not asked)\n")
    assert "asked less than 1 h ago (polling.interval)" in back.stderr
    assert project.run("--all", command="poll", clock="1781528399").exit_code == 0
    assert project.paths() == ["/feed"]
    assert project.run("--all", command="poll", clock="1781528400").exit_code == 0
    assert project.paths() == ["/feed", "/feed"]
    assert project.server.requests[-1].header("If-None-Match") == b'"1"'


def test_of_a_page_the_first_feed_that_is_one_is_taken_and_the_others_are_named(project: Project) -> None:
    """SO-02, SO-03."""
    added = project.run("add", project.server.url("/"))
    assert added.exit_code == 0, added.output
    assert project.paths() == ["/", "/gone", "/feed"]
    assert [url for _, url in project.sources()] == [project.server.url("/feed")]
    assert f"the page names 3 feeds; taken: {project.server.url('/feed')}" in added.stderr
    assert f"not taken: {project.server.url('/comments')} Comments" in added.stderr


def test_a_feed_that_is_there_already_is_refused_with_its_id_and_not_asked(project: Project) -> None:
    """SO-04: however it is spelled."""
    project.run("add", project.server.url("/feed"), "--id", "warp")
    before = project.config.read_bytes()
    for again in (project.server.url("/feed"), project.server.url("/feed?#top"), "feed:" + project.server.url("/feed")):
        refused = project.run("add", again)
        assert refused.exit_code == 2
        assert "is here already, as source 'warp'" in refused.output
    assert "`feedsvc poll warp` asks it" in project.run("test", project.server.url("/feed")).output
    assert project.paths() == ["/feed"]
    assert project.config.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/plain", 1, "no feed: neither XML nor JSON, and it names no feed"),
        ("/nowhere", 1, "404"),
        ("ftp://warp.example/", 2, "no http or https address"),
    ],
)
def test_where_there_is_no_feed_nothing_is_written(project: Project, path: str, status: int, words: str) -> None:
    """SO-02: none declared, say so."""
    address = project.server.url(path) if path.startswith("/") else path
    refused = project.run("add", address)
    assert (refused.exit_code, project.config.read_text("utf-8")) == (status, CONFIG)
    assert words in refused.output


def test_a_host_that_asked_to_be_left_alone_is_not_asked_for_another_feed(project: Project) -> None:
    """F-14, F-18: whether a poll heard it or the look for a feed itself, until the time is over."""
    project.server.answers["/busy"] = Reply(429, {"Retry-After": "7200"})
    assert "429" in project.run("add", project.server.url("/busy")).output
    for words, path in (
        ("sources add", "/busy"),
        ("sources add", "/feed"),
        ("sources test", "/feed"),
        ("check", "/feed"),
    ):
        command, *more = words.split()
        held = project.run(*more, project.server.url(path), command=command, clock="1781528400")
        assert held.exit_code == 1
        assert "asked to be left alone until 2026-06-15 14:00:00 UTC" in held.output
    assert project.paths() == ["/busy"]
    assert project.run("add", project.server.url("/feed"), clock="1781532001").exit_code == 0


def test_a_test_leaves_no_block_behind(project: Project) -> None:
    """SO-01: it changes nothing."""
    project.server.answers["/busy"] = Reply(429, {"Retry-After": "7200"})
    assert "429" in project.run("test", project.server.url("/busy")).output
    assert not (project.root / "var" / "feedsvc.db").exists()


@pytest.mark.parametrize("url", ["https://ada:pass-word@warp.example/feed", "feed://ada:pass@word@warp.example/"])
@pytest.mark.parametrize("command", ["add", "test"])
def test_the_password_of_an_address_is_never_repeated(project: Project, command: str, url: str) -> None:
    """S-01, S-36."""
    refused = project.run(command, url)
    assert refused.exit_code == 2
    assert "//…@warp.example/" in refused.output
    assert not [word for word in ("ada", "pass", "word@") if word in refused.output]


def test_test_says_what_is_there_and_changes_nothing(project: Project) -> None:
    """SO-01."""
    tested = project.run("test", project.server.url("/feed"))
    assert tested.exit_code == 0
    assert tested.stdout == f"{project.server.url('/feed')}: 'Warp', rss, 1 entry\n  kept  https://warp.example/1\n"
    assert project.config.read_text("utf-8") == CONFIG
    assert not (project.root / "var" / "feedsvc.db").exists()


def test_a_source_is_listed_and_removed_with_its_comments_left_alone(project: Project) -> None:
    """SO-08."""
    project.run("add", project.server.url("/feed"), "--id", "warp")
    assert project.run("list").stdout.split("\t")[:3] == ["warp", project.server.url("/feed"), "Warp"]
    removed = project.run("remove", "warp")
    assert removed.stdout == "removed warp; its entries leave every feed at the next build\n"
    assert project.config.read_text("utf-8") == CONFIG
    missing = project.run("remove", "wrap")
    assert (missing.exit_code, "wrap" in missing.output) == (2, True)
    assert "no sources are configured" in project.run("list").stderr


def test_an_imported_list_is_exported_as_the_same_list(project: Project) -> None:
    """SO-06, SO-07: a second import changes nothing and says so."""
    outlines = project.root / "list.opml"
    outlines.write_text(
        '<opml><body><outline text="GPU"><outline text="A & B" xmlUrl="https://a.example/f" htmlUrl="https://a.example/"/>'
        '</outline><outline text="bad" xmlUrl="file:///x"/></body></opml>'
    )
    first = project.run("import", str(outlines))
    assert first.stdout == "1 source added, 0 here already, 1 outline left out\n"
    assert "outline 'bad' was left out" in first.stderr
    (source,) = load(project.config).settings.sources
    assert (source.title, source.home, source.tags) == ("A & B", "https://a.example/", ("GPU",))
    exported = project.run("export").stdout
    again = project.root / "again.opml"
    again.write_text(exported)
    before = project.config.read_bytes()
    assert project.run("import", str(again)).stdout == "0 sources added, 1 here already, 0 outlines left out\n"
    assert project.config.read_bytes() == before
    project.run("remove", source.id)
    project.run("import", str(again))
    assert project.run("export").stdout == exported


def test_beside_a_running_instance_that_one_asks_the_source_and_nobody_else_does(project: Project) -> None:
    """V-33, F-08, F-11: a request before its first poll would be one too many."""
    with lock(load(project.config).state):
        added = project.run("add", "feed:" + project.server.url("/feed"), "--id", "warp")
        again = project.run("add", project.server.url("/feed"))
    assert (added.exit_code, added.stdout) == (0, f"added warp: {project.server.url('/feed')} (not asked)\n")
    assert "another instance is at work here and asks it" in added.stderr
    assert (again.exit_code, "as source 'warp'" in again.stderr) == (2, True)
    assert project.paths() == []
    assert len(project.sources()) == 1


def test_a_page_whose_feed_is_a_source_already_does_not_cause_a_request_of_it(project: Project) -> None:
    """SO-04, F-11."""
    project.server.answers["/"] = Reply(200, {}, b'<link rel=alternate type="application/rss+xml" href="/feed?">')
    project.run("add", project.server.url("/feed"), "--id", "warp")
    refused = project.run("add", project.server.url("/"))
    assert (refused.exit_code, "is here already, as source 'warp'" in refused.stderr) == (2, True)
    assert project.paths() == ["/feed", "/"]
