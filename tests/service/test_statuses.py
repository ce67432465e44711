"""How each source stands (V-29, SO-09)."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from feedsvc.collect.pollstate import Policy, PollState, State
from feedsvc.model import Show
from feedsvc.service.statuses import Status, document, statuses
from feedsvc.settings.tree import Author, Settings, Site, Source
from feedsvc.store.sources import Remembered

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
URL = "https://a.example/feed"


def status(state: PollState | None, **source: object) -> Status:
    """Return the status of one source."""
    site = Site(title="P", url="https://p.example/", author=Author(name="P"))
    sources = (Source(id="a", url=URL, content=Show.TEASER, **source),)  # type: ignore[arg-type]
    known = {"a": Remembered("a", state, 3, None)} if state else {}
    (found,) = statuses(Settings(site=site, sources=sources), known, Policy(), NOW)
    return found


def test_the_document_holds_exactly_what_the_rule_names() -> None:
    """V-29: times RFC 3339 or null."""
    state = PollState(
        URL,
        State.FAILING,
        "back-off: 2 errors in a row, 2 h",
        NOW + timedelta(hours=2, microseconds=5),
        last_success=NOW - timedelta(days=1),
        last_error="the server answered 500 Internal Server Error",
    )
    assert document([status(state)]) == {
        "sources": [
            {
                "id": "a",
                "url": URL,
                "state": "failing",
                "last_success": "2026-05-03T08:00:00Z",
                "last_error": "the server answered 500 Internal Server Error",
                "next_poll": "2026-05-04T10:00:00Z",
                "reason": "back-off: 2 errors in a row, 2 h",
            }
        ]
    }


def test_a_source_that_was_never_asked_waits_and_is_due() -> None:
    """SO-09"""
    for found in (status(None), status(PollState(URL))):
        assert (found.word, found.state, found.next_poll, found.reason) == ("waiting", State.OK, NOW, "not asked yet")
        assert (found.last_success, found.last_error) == (None, None)


def test_a_disabled_source_keeps_its_state_and_is_not_asked() -> None:
    """SO-09, V-29"""
    found = status(PollState(URL, last_success=NOW, next_poll=NOW), enabled=False)
    assert (found.word, found.state, found.next_poll) == ("disabled", State.OK, None)
    assert found.reason == "disabled in the configuration"


def test_an_edited_address_has_no_past_before_its_first_poll() -> None:
    """F-36"""
    found = status(PollState("https://old.example/", State.GONE, "gone since 2026-01-01"))
    assert (found.word, found.url, found.reason) == ("waiting", URL, "not asked yet")


def test_the_next_poll_is_never_told_sooner_than_the_base_allows() -> None:
    """F-11: the interval was made longer after the poll was planned."""
    state = PollState(URL, last_start=NOW, last_success=NOW, next_poll=NOW + timedelta(minutes=10))
    assert status(state).next_poll == NOW + timedelta(hours=1)
    gone = replace(state, state=State.GONE, next_poll=None)
    assert (status(gone).word, status(gone).next_poll) == ("gone", None)
