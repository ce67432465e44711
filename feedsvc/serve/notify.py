"""One datagram to the service manager: `Type=notify` without a dependency (serving V-30; sd_notify(3))."""

import socket
from collections.abc import Mapping
from contextlib import suppress

_MICROSECONDS = 1_000_000


class Notifier:
    """Tells systemd how the daemon stands; does nothing where no NOTIFY_SOCKET is set."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{name[1:]}" if name.startswith("@") else name
        said = environment.get("WATCHDOG_USEC", "")
        self.watchdog = int(said) / _MICROSECONDS if said.isdecimal() and int(said) else None
        """Seconds after which systemd takes a silent daemon for dead, None where it does not watch."""

    def say(self, *lines: str) -> None:
        """Send assignments such as `READY=1`, one a line; a manager that does not listen stops nothing."""
        if self._address:
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                sender.sendto("\n".join(line.replace("\n", " ") for line in lines).encode(), self._address)
