"""The weather test: a simulated week of hundreds of sources, no waiting; at its end no rule of polling was broken."""

import random
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

from feedsvc.collect.pacing import begin
from feedsvc.collect.parse import read
from feedsvc.service.cycle import deps_of, store_of
from feedsvc.service.poll import poll
from tests.cases.scenarios import START
from tests.servers import Server
from tests.service.projects import project
from tests.service.weather import Weather, table

WEEK = timedelta(days=7)
TICK = timedelta(minutes=30)
BASE = timedelta(hours=1)


def test_no_rule_is_broken_in_a_week_of_every_weather(tmp_path: Path) -> None:
    """F-01 to F-18, F-31 to F-39 as the server sees them (F-13): nothing unconditional after the first success, no gap
    under the base, no invented validator, no return inside a block, nothing lost, one User-Agent.

    Each day a process dies with leases in its hands, and another one goes on with the same store.
    """
    random.seed(20260504)
    began = time.monotonic()
    results: Counter[str] = Counter()
    with Server("0.0.0.0") as server:
        weather = Weather(server, turning=80, base=BASE)
        here = project(
            tmp_path,
            {f"s{place.number}": weather.url(place) for place in weather.places},
            timeout=2,  # an answer that a loaded machine holds up for longer counts as one that never came
            max_bytes=1 << 20,
        )
        clock = lambda: weather.now  # noqa: E731
        while weather.now < START + WEEK:
            day_ends = weather.now + timedelta(days=1)
            with store_of(here, clock) as store, deps_of(here, store, clock, read) as deps:
                while weather.now < day_ends:
                    done = poll(deps, here.settings.polling.concurrency)
                    results.update(str(one.result) for one in done.polled)
                    weather.now = _next(weather.now, store.next_due() or day_ends, day_ends)
                for lease in store.claim(3, weather.now):
                    assert store.start(lease, begin(lease.state, deps.policy, weather.now)[0])
        with store_of(here, clock) as store:
            stored = {(entry.source, entry.title) for entry in store.entries()}
            states = {name: found.state for name, found in store.remembered().items()}
    print(f"\n{table(weather, results, time.monotonic() - began)}")
    assert weather.broken == []
    assert {asked.agent for asked in weather.asked} == {weather.asked[0].agent}
    served = {(f"s{place.number}", title) for place in weather.places for title in place.titles}
    assert served - stored == set(), "entries were lost"
    assert stored - served == set(), "entries were invented"
    assert results["failed"] > 500 < results["ok"]
    assert results["unchanged"] > 50
    assert {str(state.state) for state in states.values()} >= {"ok", "failing", "blocked"}
    late = [name for name, state in states.items() if state.next_poll and state.next_poll < weather.now - 2 * BASE]
    assert late == [], "sources were forgotten"


def _next(now, due, end):  # type: ignore[no-untyped-def]
    """Return the next half hour at which something is due."""
    steps = max(1, -((now - due) // TICK))
    return min(end, now + steps * TICK)
