"""The status of the sources as a page for people: no script, no style of its own, everything escaped (S-27)."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

from feedsvc.service.statuses import Status

_COLUMNS = ("source", "state", "entries", "last success", "last error", "next poll", "why then")


def status_page(found: Sequence[Status]) -> str:
    """Return the page of `/status`: what is wrong first, else in the order of the configuration."""
    rows = sorted(found, key=lambda one: one.word in {"ok", "waiting", "disabled"})
    well = sum(one.word in {"ok", "waiting"} for one in found)
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(one))}</tr>\n" for one in rows)
    heads = "".join(f"<th>{name}</th>" for name in _COLUMNS)
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>Sources</title></head>\n<body>\n'
        f"<h1>Sources</h1>\n<p>{well} of {len(found)} answer as they should. "
        '<a href="/status.json">The same as JSON</a>, <a href="/metrics">metrics</a>.</p>\n'
        f'<table border="1" cellpadding="6">\n<tr>{heads}</tr>\n{table}</table>\n</body>\n</html>\n'
    )


def _cells(one: Status) -> tuple[str, ...]:
    error = f"{one.last_error} ({_when(one.last_error_at)})" if one.last_error else ""
    name = f'<a href="{escape(one.url)}" rel="noreferrer">{escape(one.id)}</a>'
    texts = (one.word, str(one.entries), _when(one.last_success), error, _when(one.next_poll), one.reason)
    return (name, *(escape(text) for text in texts))


def _when(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC" if moment else "never"
