"""The program of a child: reads documents until its parent has no more (`child` is how the parent sees it)."""

import gc
import pickle
import resource
import signal
import time
from multiprocessing.connection import Connection

from feedsvc.collect import parse
from feedsvc.collect.child import Broken, Limits


def work(pipe: Connection, limits: Limits) -> None:
    """Read documents until the parent has no more."""
    gc.freeze()  # what was imported stays: there is nothing to look for in it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears of it, and ends us
    resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        try:
            asked = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(asked, limits))


def _answer(asked: bytes, limits: Limits) -> bytes:
    """Read one document; the limit of CPU counts from here, for a child reads many."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + limits.cpu, most))
    try:
        return pickle.dumps(parse.read(pickle.loads(asked)), pickle.HIGHEST_PROTOCOL)  # noqa: S301
    except Exception as problem:  # whatever a parser raises is about this document alone
        return pickle.dumps(Broken(_name(problem, limits.memory)))


def _name(problem: Exception, memory: int) -> str:
    """Return what kind of fault it is: where no more memory is to be had, lxml calls it by all kinds of names."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return MemoryError.__name__ if used > memory // 2 else type(problem).__name__
