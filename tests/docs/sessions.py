"""Sessions in the documentation: ```console blocks, typed into a shell again with the installed program.

All blocks of a document are one session. A line that begins with `$ ` is typed, one with `> ` goes on with it, and what
stands below is the answer, stdout and stderr as they come, without log records. `https://tiles.example` is a blog on
loopback, and the time is noon.

`python -m tests.docs.sessions` writes what is answered now into the documents; look at the difference before you
commit.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.installed import environment, program
from tests.places import PROJECT
from tests.servers import Reply, Server

DOCUMENTS = (PROJECT / "README.md", PROJECT / "docs" / "getting-started.md")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOME = "https://tiles.example"
END = "--- end of an answer ---"
NOON = "1777638600"
BEFORE = """
feedsvc() {
  command feedsvc "$@" || return
  if [ "$1" = init ]; then
    printf '[polling]\\nallow_private = ["127.0.0.0/8"]\\nhost_delay = "0s"\\n[schedule]\\njitter = "0%%"\\n' \\
      >> "$2/config/feedsvc.toml"
  fi
}
"""
PAGE = b'<!doctype html><title>Tile by Tile</title><link rel="alternate" type="application/atom+xml" href="/feed.xml">'
FEED = b"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Tile by Tile</title><id>tag:tiles.example,2020:feed</id><updated>2026-04-30T09:00:00Z</updated>
<link href="/"/><author><name>Toni Tile</name></author>
<entry><title>Swizzle, then store</title><id>tag:tiles.example,2020:swizzle</id><link href="/swizzle/"/>
<published>2026-04-30T09:00:00Z</published><updated>2026-04-30T09:00:00Z</updated>
<summary>Bank conflicts go when tiles are written swizzled.</summary></entry>
<entry><title>We are hiring</title><id>tag:tiles.example,2020:jobs</id><link href="/jobs/"/>
<published>2026-04-20T09:00:00Z</published><updated>2026-04-20T09:00:00Z</updated><summary>Come.</summary></entry>
</feed>"""


@dataclass(frozen=True, slots=True)
class Step:
    """What is typed, line by line as it stands in the document, and the answer below."""

    typed: tuple[str, ...]
    answer: str

    @property
    def line(self) -> str:
        """Return what the shell gets."""
        return "\n".join(line[2:] for line in self.typed)

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self.typed) + self.answer


def steps(text: str) -> Iterator[Step]:
    """Yield the steps of a document."""
    for block in BLOCK.findall(text):
        yield from _steps(block.splitlines())


def _steps(lines: list[str]) -> Iterator[Step]:
    while lines:
        assert lines[0].startswith("$ "), lines[0]
        more = list(takewhile(lambda line: line == ">" or line.startswith("> "), lines[1:]))
        typed, rest = (lines[0], *more), lines[1 + len(more) :]
        answer = list(takewhile(lambda line: not line.startswith("$ "), rest))
        yield Step(typed, "".join(f"{line}\n" for line in answer))
        lines = rest[len(answer) :]


def typed_again(before: list[Step]) -> list[Step]:
    """Type the steps of a document into a shell, and return them with what is answered."""
    with TemporaryDirectory() as place, Server() as blog:
        blog.answers["/"] = Reply(200, {"Content-Type": "text/html"}, PAGE)
        blog.answers["/feed.xml"] = Reply(200, {"Content-Type": "application/atom+xml"}, FEED)
        there = f"http://127.0.0.1:{blog.port}"
        script = BEFORE + "".join(f"{step.line}\necho '{END}'\n" for step in before)
        said = _shell(script.replace(HOME, there), Path(place)).replace(there, HOME)
    answers = said.split(f"{END}\n")
    assert len(answers) == len(before) + 1, said
    return [replace(step, answer=answer) for step, answer in zip(before, answers, strict=False)]


def _shell(script: str, place: Path) -> str:
    launcher = place / ".bin" / "feedsvc"
    launcher.parent.mkdir()
    launcher.write_text(f'#!/bin/sh\nexec {sys.executable} {program() / "bin" / "feedsvc"} "$@"\n')
    launcher.chmod(0o755)
    env = environment({"SOURCE_DATE_EPOCH": NOON})
    env["PATH"] = f"{launcher.parent}:{env['PATH']}"
    done = subprocess.run(
        ["bash"],
        input=script,
        cwd=place,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=240,
    )
    logs = re.compile(r"^\{.*\}\n", re.MULTILINE)
    return logs.sub("", done.stdout)


def rewritten(text: str) -> str:
    """Return a document with what is answered now."""
    answered = iter(typed_again(list(steps(text))))
    return BLOCK.sub(
        lambda block: "```console\n" + "".join(str(next(answered)) for _ in _steps(block[1].splitlines())) + "```", text
    )


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(rewritten(document.read_text("utf-8")), "utf-8")
