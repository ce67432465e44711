"""How this configuration asks: `[polling]` as the policy of every request."""

from ipaddress import ip_network

from feedsvc import __version__
from feedsvc.collect.fetch import FetchPolicy, user_agent
from feedsvc.settings.tree import Settings


def fetch_policy(settings: Settings) -> FetchPolicy:
    """Return what every request keeps to (F-41, S-06, S-12, S-13)."""
    polling = settings.polling
    return FetchPolicy(
        user_agent(__version__, polling.contact),
        timeout=polling.timeout,
        max_bytes=polling.max_bytes,
        allow_private=tuple(ip_network(network, strict=False) for network in polling.allow_private),
    )
