"""`feedsvc update --metrics FILE`: what cron's runs leave for Prometheus (V-27)."""

from pathlib import Path

from tests.installed import feedsvc
from tests.serve.daemons import FEED, configure, site
from tests.servers import Reply, Server

SUCCESS = "feedsvc_build_last_success_timestamp_seconds"


def sample(target: Path, name: str) -> str:
    return next(line for line in target.read_text().splitlines() if line.startswith(f"{name} "))


def test_update_writes_its_metrics_and_a_failed_build_leaves_the_last_success(tmp_path: Path) -> None:
    """V-26, V-27: replaced whole, readable by the collector."""
    target = tmp_path / "feedsvc.prom"
    with Server() as server:
        server.answers["/feed"] = Reply(200, {}, FEED)
        place = site(tmp_path)
        configure(place, f'[[sources]]\nid = "far"\nurl = "{server.url()}"\n')
        done = feedsvc("update", "--metrics", target, cwd=place)
    assert done.status == 0, done.said
    text = target.read_text()
    assert 'feedsvc_fetch_total{code="200",outcome="ok"} 1.0' in text
    assert 'feedsvc_sources{state="ok"} 1.0' in text
    assert target.stat().st_mode & 0o777 == 0o644
    before = sample(target, SUCCESS)
    assert float(before.split()[1]) > 0
    (place / "public").unlink()
    (place / "public").write_text("in the way")
    failed = feedsvc("update", "--metrics", target, cwd=place)
    assert failed.status == 1
    assert sample(target, SUCCESS) == before
    assert sample(target, "feedsvc_build_duration_seconds_count").endswith(" 1.0")


def test_a_place_that_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    place = site(tmp_path)
    done = feedsvc("update", "--metrics", "missing/feedsvc.prom", cwd=place)
    assert done.status == 1
    assert "missing/feedsvc.prom: metrics could not be written: No such file or directory" in done.err
    assert "Traceback" not in done.err
    assert (place / "public/atom.xml").exists()
