"""One spelling of file names and of what is printed, whatever the locale says (N1)."""

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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
