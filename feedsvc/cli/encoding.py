"""One spelling of file names and of what is printed, whatever the locale says (N1), and streams to print to."""

import io
import os
import sys
from typing import TextIO


def settle() -> None:
    """Start this process anew where names of files would not be read as UTF-8; let no character stop a message.

    In a locale of another encoding, or of none, a post's name would be another one, and with it its id. A stream that
    was closed leads nowhere: the next file that is opened would get its number, and with it what others write there.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONUTF8": "1"})  # noqa: S606 - ourselves again
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _nowhere(number))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere(number: int) -> TextIO:
    handle = os.open(os.devnull, os.O_RDWR)
    if handle != number:
        os.dup2(handle, number)
        os.close(handle)
    os.set_inheritable(number, True)  # noqa: FBT003 - it takes no other
    return open(number, "w" if number else "r", encoding="utf-8")
