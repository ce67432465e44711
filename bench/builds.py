"""Builds: 10,000 posts cold, with one changed, with none; 100 posts; 100,000 posts; and the start of the program.

All make the same: the newest 50 posts and the newest of each tag. We write Atom, RSS, JSON, pages and compressed twins,
checked and flushed to the disk; the peers write RSS alone, and no page of a post, but Eleventy, whose feeds need them.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from bench import posts
from bench.contest import Contender, Line, Took, contest, feedsvc, run
from bench.peers import Missing, Peer, find

CONFIG = """
[site]
title = "Bench"
url = "https://bench.example/"
id_authority = "bench.example,2026"
author = { name = "Bench" }

[[feeds]]
name = "posts"
path = ""
limit = 50
"""
HUGO = """
baseURL = "https://bench.example/"
title = "Bench"
contentDir = "{posts}"
disableKinds = ["section", "404", "sitemap", "robotsTXT"]
[outputs]
home = ["RSS"]
taxonomy = ["RSS"]
term = ["RSS"]
[services.rss]
limit = 50
"""
PELICAN = """
SITENAME, SITEURL, AUTHOR, PATH = "Bench", "https://bench.example", "Bench", {posts!r}
FEED_ALL_RSS, TAG_FEED_RSS, FEED_MAX_ITEMS = "rss.xml", "tags/{{slug}}/rss.xml", 50
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
ARTICLE_SAVE_AS = AUTHOR_SAVE_AS = CATEGORY_SAVE_AS = TAG_SAVE_AS = ""
DIRECT_TEMPLATES, TIMEZONE, DEFAULT_DATE, LOG_LEVEL = [], "UTC", "fs", "ERROR"
"""
ELEVENTY = """
import {{ feedPlugin }} from "@11ty/eleventy-plugin-rss";
export default function (config) {{
  config.addPlugin(feedPlugin, {{ type: "rss", outputPath: "/rss.xml", collection: {{ name: "all", limit: 50 }},
    metadata: {{ language: "en", title: "Bench", base: "https://bench.example/", author: {{ name: "Bench" }} }} }});
  config.setTemplateFormats(["md", "njk"]);
}}
export const config = {{ dir: {{ input: "{posts}", output: "public" }} }};
"""
Before = Callable[[int], None]


def cold(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:
    """10,000 posts, nothing remembered."""
    yield from _row("10,000 posts, cold", "≤ 0.5 × Hugo", scratch, 10_000, rounds, _forget, others=others)


def changed(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:  # noqa: ARG001 - a row's signature
    """One of 10,000 posts changed."""
    change = _changing(_project(scratch, 10_000))
    yield from _row("10,000 posts, one changed", "≤ 0.15 × Hugo", scratch, 10_000, rounds, lambda _: change, warm=True)


def nothing(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:  # noqa: ARG001
    """None of 10,000 posts changed."""
    yield from _row("10,000 posts, none changed", "≤ 0.10 × Hugo", scratch, 10_000, rounds, lambda _: _none, warm=True)


def few(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:
    """100 posts, nothing remembered."""
    yield from _row("100 posts, cold", "≤ 1.0 × Hugo", scratch, 100, rounds, _forget, others=others)


def growth(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:  # noqa: ARG001
    """100,000 posts beside 10,000 of them: we are our own peer."""
    sizes = [_ours(_project(scratch, number), _forget(_project(scratch, number))) for number in (100_000, 10_000)]
    many, fewer = sizes
    peer = Contender("10,000 posts", fewer.command, fewer.folder, fewer.before)
    yield from contest("100,000 posts, cold", "≤ 11 ×", [many, peer], max(1, rounds // 3))


def start(scratch: Path, rounds: int, others: bool) -> Iterator[Line]:  # noqa: ARG001
    """`feedsvc --version` beside Python that does nothing."""
    ours = Contender("feedsvc --version", feedsvc("--version"), scratch)
    python = Contender("python -c pass", [sys.executable, "-c", "pass"], scratch)
    pairs = [(run(ours), run(python)) for _ in range(max(rounds, 5))]
    more = sorted(one.wall - other.wall for one, other in pairs)[len(pairs) // 2]
    yield Line(
        "--version",
        "python -c pass",
        _ms(o for o, _ in pairs),
        _ms(p for _, p in pairs),
        f"+{more * 1000:.0f} ms",
        "≤ 100 ms more",
    )


def _ms(took: Iterator[Took]) -> str:
    walls = sorted(one.wall for one in took)
    return f"{walls[len(walls) // 2] * 1000:.0f} ms"


def _row(
    row: str,
    reach: str,
    scratch: Path,
    number: int,
    rounds: int,
    before: Callable[[Path], Before],
    *,
    warm: bool = False,
    others: bool = False,
) -> Iterator[Line]:
    here = _project(scratch, number)
    ours = _ours(here, before(here))
    if warm:
        run(ours)
    hugo = _peer("hugo", here, scratch)
    yield from contest(row, reach, [ours, *([hugo] if isinstance(hugo, Contender) else [])], rounds)
    if not isinstance(hugo, Contender):
        yield Line(row, hugo, "", "", "", reach)
    for name in ("pelican", "eleventy") if others else ():
        peer = _peer(name, here, scratch)
        if isinstance(peer, Contender):
            yield from contest(row, "", [ours, peer], 1)
        else:
            yield Line(row, peer, "", "", "")


def _project(scratch: Path, number: int) -> Path:
    """Return a project with that many posts, which are written once; their folder is its only hint of age."""
    here = scratch / f"posts-{number}"
    if not (here / "done").exists():
        shutil.rmtree(here, ignore_errors=True)
        posts.write(here / "posts", number)
        (here / "config").mkdir()
        (here / "config" / "feedsvc.toml").write_text(CONFIG)
        (here / "done").touch()
    return here


def _ours(here: Path, before: Before) -> Contender:
    return Contender("feedsvc", feedsvc("build"), here, before, {"SOURCE_DATE_EPOCH": "1790000000"})


def _none(_: int) -> None:
    """Change nothing."""


def _forget(here: Path) -> Before:
    def forget(_: int) -> None:
        (here / "public").unlink(missing_ok=True)
        shutil.rmtree(here / "public.releases", ignore_errors=True)
        shutil.rmtree(here / "var", ignore_errors=True)

    return forget


def _changing(here: Path) -> Before:
    newest = max((here / "posts").rglob("*.md"))

    def change(turn: int) -> None:
        with newest.open("a") as file:
            file.write(f"\nOne more line, {turn}.\n")

    return change


def _peer(name: str, here: Path, scratch: Path) -> Contender | str:
    """Return a peer over the posts of a project, else why there is none."""
    try:
        peer = find(name, scratch)
    except Missing as why:
        print(f"  {why}", file=sys.stderr)
        return str(why)
    folder = scratch / f"{name}-{here.name}"
    folder.mkdir(exist_ok=True)
    return Contender(f"{peer.name} {peer.version}", _COMMANDS[name](peer, here, folder), folder, _emptying(folder))


def _emptying(folder: Path) -> Before:
    def empty(_: int) -> None:
        for name in ("public", "resources", "output"):
            with suppress(FileNotFoundError):
                shutil.rmtree(folder / name)

    return empty


def _hugo(peer: Peer, here: Path, folder: Path) -> list[str]:
    (folder / "hugo.toml").write_text(HUGO.format(posts=here / "posts"))
    return list(peer.command)


def _pelican(peer: Peer, here: Path, folder: Path) -> list[str]:
    (folder / "pelicanconf.py").write_text(PELICAN.format(posts=str(here / "posts")))
    return [*peer.command, "-s", "pelicanconf.py", "-o", "public", "-q"]


def _eleventy(peer: Peer, here: Path, folder: Path) -> list[str]:
    modules = Path(peer.command[0]).parent.parent
    link = folder / "node_modules"
    if not link.exists():
        link.symlink_to(modules)
    source = folder / "posts"
    if not source.exists():
        source.symlink_to(here / "posts")
    (folder / "eleventy.config.mjs").write_text(ELEVENTY.format(posts="posts"))
    return [*peer.command, "--config=eleventy.config.mjs"]


_COMMANDS: dict[str, Callable[[Peer, Path, Path], list[str]]] = {
    "hugo": _hugo,
    "pelican": _pelican,
    "eleventy": _eleventy,
}
