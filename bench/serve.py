"""How fast published feeds are served, beside nginx over the same folder on the same core.

    python -m bench.serve [--seconds 3] [--rounds 5] [--granian]

Each server has one core, the load generator (wrk, or a plain one where that is missing) another. The two take turns,
so that what else the machine does hits both; the ratio is the median of the rounds. "varied" asks with another
User-Agent each time, as many readers do.
"""

import argparse
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from feedsvc.model import Document
from feedsvc.publish.folder import publish

CONNECTIONS = 16
TICKS = os.sysconf("SC_CLK_TCK")
AGENT = "Mozilla/5.0 (compatible; some-reader/3.1; +https://reader.example/about; 12 subscribers)"
CONFIG = """
site = { title = "Bench", url = "https://feeds.example/", author = { name = "Bench" } }
"""
NGINX = """
worker_processes 1; daemon off; pid nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; types { application/atom+xml xml; } charset utf-8; charset_types *;
  gzip_static on; etag on; keepalive_requests 100000000; server_tokens off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fast; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {
    listen 127.0.0.1:PORT; root FOLDER;
    add_header Cache-Control "public, max-age=1800, stale-while-revalidate=600, stale-if-error=86400" always;
    add_header X-Content-Type-Options nosniff always;
    add_header Content-Security-Policy "default-src 'none'; style-src 'self'; sandbox" always;
    add_header Access-Control-Allow-Origin * always;
    add_header Access-Control-Expose-Headers "ETag, Last-Modified" always;
    add_header Vary Accept-Encoding always;
    add_header Link '<https://feeds.example/atom.xml>; rel="self"; type="application/atom+xml"' always;
  }
}
"""
VARIED = """
local n = 0
request = function()
  n = n + 1
  wrk.headers["User-Agent"] = "some-reader/3.1 (" .. n .. " subscribers)"
  return wrk.format()
end
"""


@dataclass(frozen=True)
class Case:
    """What is asked for, and whether no two requests are alike."""

    name: str
    conditional: bool
    varied: bool


CASES = (
    Case("200 gzip", conditional=False, varied=False),
    Case("304", conditional=True, varied=False),
    Case("200 gzip, varied", conditional=False, varied=True),
    Case("304, varied", conditional=True, varied=True),
)


@dataclass(frozen=True)
class Measured:
    """Answers a second, and CPU microseconds of the server for each."""

    rate: float
    cost: float


def folder(place: Path) -> Path:
    """Publish a feed of 30 kB with its compressed twin."""
    words = ["kernel", "warp", "wavefront", "occupancy", "shared", "memory", "ROCm", "CUDA", "the", "of", "a", "and"]
    dice = random.Random(1)
    text = " ".join(f"{dice.choice(words)}{dice.randrange(400)}" for _ in range(3530))
    feed = f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>{text}</title></feed>'.encode()
    document = Document("atom.xml", feed, "application/atom+xml", "")
    publish([document], place / "public", place / "var", now=datetime.now(UTC), codings=["gzip"])
    twin = (place / "public/atom.xml.gz").stat().st_size
    print(f"a feed of {len(feed):,} bytes, {twin:,} as gzip")
    return place / "public"


def pinned(core: int) -> list[str]:
    """Return what runs a command on one core, where there are two."""
    return ["taskset", "-c", str(core)] if shutil.which("taskset") and (os.cpu_count() or 1) > 1 else []


@contextmanager
def running(name: str, words: Sequence[str], place: Path, port: int) -> Iterator[int]:
    """Run a server on the first core until the block ends; yields its process id once it answers."""
    with (place / f"{name}.log").open("wb") as log:
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
        process = subprocess.Popen([*pinned(0), *words], cwd=place, stdout=log, stderr=log, env=env)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        else:
            raise SystemExit(f"{name} does not listen: {(place / f'{name}.log').read_text()}")
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def spent(pid: int) -> float:
    """Return the CPU seconds of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    fields = [Path(f"/proc/{each}/stat").read_text("ascii").rsplit(")", 1)[1].split() for each in (pid, *children)]
    return sum(int(found[11]) + int(found[12]) for found in fields) / TICKS


def tag(port: int) -> str:
    """Return the entity tag of the gzip variant."""
    head = b"GET /atom.xml HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head)
        said = b"".join(iter(lambda: connection.recv(65536), b""))
    lines = said.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    return next(line.partition(": ")[2] for line in lines if line.lower().startswith("etag:"))


def headers(case: Case, port: int) -> list[str]:
    """Return what a reader sends."""
    said = ["Accept-Encoding: gzip, deflate, br", f"User-Agent: {AGENT}", "Accept: application/atom+xml, */*;q=0.1"]
    return [*said, f"If-None-Match: {tag(port)}"] if case.conditional else said


def wrk(case: Case, port: int, seconds: float, place: Path) -> int:
    """Load with wrk; return how many answers came."""
    (place / "varied.lua").write_text(VARIED)
    words = [*pinned(1), "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}"]
    words += [part for line in headers(case, port) for part in ("-H", line)]
    words += ["-s", str(place / "varied.lua")] if case.varied else []
    out = subprocess.run([*words, f"http://127.0.0.1:{port}/atom.xml"], check=True, capture_output=True, text=True)
    assert "Non-2xx" not in out.stdout, out.stdout
    assert "Socket errors" not in out.stdout, out.stdout
    return int(next(line.split()[0] for line in out.stdout.splitlines() if "requests in" in line))


def plain_client(port: int, head: str, varied: bool, seconds: float) -> int:
    """Ask one thing after another on each of a few connections; return how many answers came."""
    streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS // 2)]
    files = [stream.makefile("rb") for stream in streams]
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for stream in streams:
            stream.sendall((head.replace("12 sub", f"{count} sub") if varied else head).encode())
            count += 1
        for file in files:
            length = 0
            while (line := file.readline().lower()) != b"\r\n":
                length = int(line[15:]) if line.startswith(b"content-length:") else length
            file.read(length if b"If-None-Match" not in head.encode() else 0)
    for file, stream in zip(files, streams, strict=True):
        file.close()
        stream.close()
    return count


def plain(case: Case, port: int, seconds: float, _place: Path) -> int:
    """Load with two processes of our own."""
    head = "\r\n".join(["GET /atom.xml HTTP/1.1", "Host: x", *headers(case, port), "", ""])
    with get_context("spawn").Pool(2) as pool:
        return sum(pool.starmap(plain_client, [(port, head, case.varied, seconds)] * 2))


def measure(case: Case, port: int, pid: int, seconds: float, place: Path) -> Measured:
    """Load one server with one case."""
    load = wrk if shutil.which("wrk") else plain
    before, start = spent(pid), time.monotonic()
    count = load(case, port, seconds, place)
    passed, cpu = time.monotonic() - start, spent(pid) - before
    return Measured(count / passed, cpu / count * 1e6)


def compare(case: Case, servers: dict[str, tuple[int, int]], rounds: int, seconds: float, place: Path) -> str:
    """Measure the servers in turns; return a line of the table."""
    found: dict[str, list[Measured]] = {name: [] for name in servers}
    for _ in range(rounds):
        for name, (port, pid) in servers.items():
            found[name].append(measure(case, port, pid, seconds, place))
    cells = [case.name]
    for each in found.values():
        cells += [f"{statistics.median(one.rate for one in each):,.0f}"]
        cells += [f"{statistics.median(one.cost for one in each):.1f}"]
    if "nginx" in found:
        pairs = list(zip(found["feedsvc"], found["nginx"], strict=True))
        cells.append(f"{statistics.median(ours.rate / theirs.rate for ours, theirs in pairs):.2f}")
        cells.append(f"{statistics.median(ours.cost / theirs.cost for ours, theirs in pairs):.2f}")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Measure and print a table."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=3)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--granian", action="store_true", help="measure granian (RSGI) over the same answers too")
    chosen = options.parse_args()
    with TemporaryDirectory() as name, ExitStack() as stack:
        place = Path(name)
        output = folder(place)
        (place / "feedsvc.toml").write_text(CONFIG)
        ports = free_port(), free_port()
        ours = [sys.executable, "-m", "feedsvc", "serve", "--config", "feedsvc.toml", "--port", str(ports[0])]
        servers = {"feedsvc": (ports[0], stack.enter_context(running("feedsvc", ours, place, ports[0])))}
        if shutil.which("nginx"):
            (place / "nginx.conf").write_text(NGINX.replace("PORT", str(ports[1])).replace("FOLDER", str(output)))
            theirs = ["nginx", "-p", str(place), "-c", str(place / "nginx.conf")]
            place.chmod(0o755)
            servers["nginx"] = ports[1], stack.enter_context(running("nginx", theirs, place, ports[1]))
        else:
            print("SKIPPED: nginx is not installed; there is nothing to compare with")
        if chosen.granian:
            port = free_port()
            rsgi = [sys.executable, "-m", "bench.rsgi", str(output), str(port)]
            servers["granian"] = port, stack.enter_context(running("granian", rsgi, place, port))
        print(f"load: {'wrk' if shutil.which('wrk') else 'plain Python'}, {CONNECTIONS} connections")
        columns = [f"{name} /s | {name} µs CPU" for name in servers]
        columns += ["rate ratio | CPU ratio"] if "nginx" in servers else []
        print("| case | " + " | ".join(columns) + " |")
        print("|---" * (" | ".join(["case", *columns]).count("|") + 1) + "|")
        for case in CASES:
            print(compare(case, servers, chosen.rounds, chosen.seconds, place), flush=True)


if __name__ == "__main__":
    main()
