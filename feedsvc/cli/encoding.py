"""One spelling of file names and of what is printed, whatever the locale says (N1), and streams to print to."""

import io
import os
import sys


def settle() -> None:
    """Start this process anew where names of files would not be read as UTF-8; let no character stop a message.

    In a locale of another encoding, or of none, a post's name would be another one, and with it its id.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONUTF8": "1"})  # noqa: S606 - ourselves again
    _open()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _open() -> None:
    """Put /dev/null where who started us closed a standard stream: the lowest free number is that of the stream."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
