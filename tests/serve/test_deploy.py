"""What stands under deploy/: checked by the programs that read it, and a real nginx over a published folder."""

import gzip
import http.client
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from feedsvc.cli.main import COMMANDS
from feedsvc.serve.answer import respond
from feedsvc.serve.documents import Public, Shelf, load
from tests.places import PROJECT
from tests.serve.folders import ATOM, NOW, SET, put
from tests.serve.test_http import serving

DEPLOY = PROJECT / "deploy"
GUIDE = PROJECT / "docs/operate.md"
UNITS = ("feedsvc.service", "feedsvc-update.service", "feedsvc-update.timer")
HARDENING = (
    "DynamicUser StateDirectory ProtectSystem=strict ProtectHome PrivateTmp PrivateDevices NoNewPrivileges "
    "RestrictNamespaces RestrictAddressFamilies MemoryDenyWriteExecute LockPersonality SystemCallFilter "
    "CapabilityBoundingSet=\n ProtectKernelTunables ProtectKernelModules ProtectKernelLogs ProtectClock UMask=0022 "
    "MemoryMax TasksMax IPAddressDeny"
)


def program(name: str) -> str:
    """Return where a program is, or skip the test, visibly; in CI it has to be there where CI installs it."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if not found:
        assert name != "nginx" or not os.environ.get("CI"), "CI installs nginx"
        pytest.skip(f"{name} is not installed")
    return found


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a program and return what it did."""
    env = {**os.environ, "HOME": "/nonexistent"}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=env)


def units(place: Path) -> list[str]:
    """Copy the units with a program that exists here; return their paths."""
    for name in UNITS:
        text = (DEPLOY / name).read_text().replace("/opt/feedsvc/bin/feedsvc", "/bin/true")
        (place / name).write_text(text)
    return [str(place / name) for name in UNITS]


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    done = ran(program("systemd-analyze"), "verify", *units(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_finds_the_services_well_closed_in(tmp_path: Path) -> None:
    """V-31."""
    for unit in units(tmp_path)[:2]:
        done = ran(program("systemd-analyze"), "security", "--offline=true", "--no-pager", unit)
        level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
        assert level, done.stderr
        assert float(level[1]) < 2.0


def test_the_unit_has_each_line_of_the_rule() -> None:
    """V-30, V-31, V-34."""
    unit = (DEPLOY / "feedsvc.service").read_text()
    assert [word for word in HARDENING.split(" ") if f"\n{word}" not in unit] == []
    assert "Type=notify" in unit
    timer = (DEPLOY / "feedsvc-update.timer").read_text()
    assert "RandomizedDelaySec=" in timer
    assert "Persistent=true" in timer


def test_caddy_takes_its_file() -> None:
    done = ran(program("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))
    assert done.returncode == 0, done.stderr


def test_each_file_is_explained_and_calls_only_commands_that_exist() -> None:
    guide = GUIDE.read_text("utf-8")
    for path in sorted(DEPLOY.iterdir()):
        assert f"deploy/{path.name}" in guide, path.name
        for command in re.findall(r"bin/feedsvc (\w+)|\"feedsvc\", \"(\w+)\"", path.read_text()):
            assert set(command) & set(COMMANDS), path.name


def test_the_container_file_copies_what_there_is() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    copied = [word for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE) for word in line.split()]
    assert copied
    assert all((PROJECT / word).exists() for word in copied)
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == ["feedsvc"]


# ---- nginx -------------------------------------------------------------------------------------------------------


@contextmanager
def nginx(place: Path, name: str, root: Path, behind: int = 0) -> Iterator[int]:
    """Check and run nginx with one of our files; yields its port."""
    text = (DEPLOY / name).read_text().replace("/srv/feedsvc/public", str(root))
    text = text.replace("gpu-notes.example", "gpu.example").replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    with started(place, text) as port:
        yield port


@contextmanager
def started(place: Path, text: str) -> Iterator[int]:
    """Check and run nginx with servers that listen at port 80; yields the port it is here."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    text = text.replace("listen 80", f"listen 127.0.0.1:{port}")
    paths = " ".join(f"{kind}_temp_path {place}/{kind};" for kind in "client_body proxy fastcgi uwsgi scgi".split())
    user = "user root;" if os.geteuid() == 0 else ""
    (place / "nginx.conf").write_text(
        f"{user} daemon off; worker_processes 1; pid {place}/pid; error_log {place}/error.log;\n"
        f"events {{ }}\nhttp {{ access_log off; {paths}\n{text}\n}}\n"
    )
    words = [program("nginx"), "-p", str(place), "-c", str(place / "nginx.conf"), "-e", str(place / "error.log")]
    tested = ran(*words, "-t")
    assert tested.returncode == 0, tested.stderr
    process = subprocess.Popen(words)
    try:
        pause = threading.Event()
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            pause.wait(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def ask(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Host": "gpu.example", **headers})
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Shelf]:
    root = put(tmp_path_factory.mktemp("site"), {**SET, "tags/cuda/rss.xml": "", "tags/cuda/feed.json": ""})
    return root, load(root, Public("https://gpu.example/"), NOW.timestamp() + 60)


def test_nginx_says_what_our_own_server_says(shelf: tuple[Path, Shelf], tmp_path: Path) -> None:
    """V-22: types, charset, policies, CORS, Vary, links; 304 and 404 too; no version (V-16)."""
    same = ("content-type", "cache-control", "content-security-policy", "x-content-type-options", "vary")
    with nginx(tmp_path, "nginx.conf", shelf[0]) as port:
        for path in (
            "/atom.xml",
            "/rss.xml",
            "/feed.json",
            "/feeds.opml",
            "/",
            "/assets/feedsvc.css",
            "/assets/drawing.svg",
        ):
            status, headers, body = ask(port, path)
            ours = respond("GET", path, {}, shelf[1])
            assert (status, body) == (200, ours.body)
            names = (*same, "last-modified", "access-control-allow-origin", "access-control-expose-headers")
            assert {name: headers.get(name) for name in names} == {name: ours.header(name) for name in names}, path
            assert headers.get("link") == ours.header("Link"), path
            again = ask(port, path, **{"If-None-Match": headers["etag"]})
            assert again[0] == 304
            assert {name: again[1].get(name) for name in same[1:]} == {name: ours.header(name) for name in same[1:]}
        status, headers, _ = ask(port, "/nothing")
        assert (status, headers["server"], headers["x-content-type-options"]) == (404, "nginx", "nosniff")
        assert headers["content-security-policy"].startswith("default-src 'none'")


def test_nginx_gives_each_coding_a_strong_tag_and_leaks_nothing(shelf: tuple[Path, Shelf], tmp_path: Path) -> None:
    """V-06, V-17, S-41."""
    with nginx(tmp_path, "nginx.conf", shelf[0]) as port:
        plain, packed = ask(port, "/atom.xml"), ask(port, "/atom.xml", **{"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed[2]) == plain[2] == ATOM.encode()
        assert packed[1]["content-encoding"] == "gzip"
        assert plain[1]["etag"] != packed[1]["etag"]
        assert not packed[1]["etag"].startswith("W/")
        moved = ask(port, "/tags/cuda", Host="evil.example")
        assert (moved[0], moved[1]["location"]) == (301, "/tags/cuda/")
        assert {ask(port, path)[0] for path in ("/atom.xml.gz", "/.git", "/../x", "/published.json")} <= {400, 404}


def test_nginx_shows_a_new_set_at_once(tmp_path: Path) -> None:
    """V-05, V-19, V-22: the link is followed anew, and a replacement of equal size is no false 304."""
    root = put(tmp_path)
    with nginx(tmp_path, "nginx.conf", root) as port:
        tag = ask(port, "/atom.xml")[1]["etag"]
        put(tmp_path, {**SET, "atom.xml": ATOM.replace("warp", "wave")})
        status, _, body = ask(port, "/atom.xml", **{"If-None-Match": tag})
        assert (status, b"wave" in body) == (200, True)


def test_nginx_before_the_daemon_passes_everything_on(shelf: tuple[Path, Shelf], tmp_path: Path) -> None:
    with serving(shelf[1]) as (_, behind), nginx(tmp_path, "nginx-proxy.conf", shelf[0], behind) as port:
        for path in ("/atom.xml", "/", "/tags/cuda", "/nothing"):
            status, headers, body = ask(port, path, **{"Accept-Encoding": "gzip"})
            ours = respond("GET", path, {"accept-encoding": "gzip"}, shelf[1])
            assert (status, body) == (ours.status, ours.body)
            assert all(headers[name.lower()] == value for name, value in ours.headers)
        tag = ask(port, "/atom.xml")[1]["etag"]
        assert ask(port, "/atom.xml", **{"If-None-Match": tag})[0] == 304


def test_nginx_puts_a_fragment_into_a_page_as_the_guide_says(tmp_path: Path) -> None:
    """Also where the browser takes gzip: nginx passes that on, and would put compressed bytes into the page."""
    guide = (PROJECT / "docs/embedding.md").read_text("utf-8")
    found = re.search(r"```nginx\n(.*?)```\n\n```html\n(.*?)```", guide, re.DOTALL)
    assert found
    root = put(tmp_path, {**SET, "fragment.html": "<p>Teaser</p>" * 200})
    (theirs := tmp_path / "theirs").mkdir()
    (theirs / "index.html").write_text(f"<main>{found[2]}</main>")
    with serving(load(root, Public("https://gpu.example/"), NOW.timestamp() + 60)) as (_, behind):
        coding = ask(behind, "/fragment.html", **{"Accept-Encoding": "gzip"})[1].get("content-encoding")
        place = found[1].replace("https://gpu-notes.example", f"http://127.0.0.1:{behind}")
        with started(tmp_path, f"server {{ listen 80; root {theirs};\n{place}}}") as port:
            body = ask(port, "/index.html", **{"Accept-Encoding": "gzip"})[2]
    assert coding == "gzip"
    assert body.startswith(b"<main><p>Teaser</p>")
