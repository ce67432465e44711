"""What several threads want to write at one moment, in one transaction: in SQLite that costs more than the rows in it.

Who comes while nobody writes begins at once; who comes meanwhile waits, and the next one writes for all that wait.
Nobody returns before that transaction is committed.
"""

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import Connection

Result = TypeVar("Result")
Writing = Callable[[], AbstractContextManager[Connection]]


class Together:
    """Runs pieces of work, those that wait in one transaction; usable from many threads."""

    def __init__(self, writing: Writing) -> None:
        self.writing = writing
        self._waiting: deque[_Piece] = deque()
        self._turn = Lock()

    @property
    def waiting(self) -> int:
        """Return how many pieces wait for the transaction that is under way."""
        return len(self._waiting)

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Return what a piece of work returns, its transaction committed; it may be run twice.

        One that fails takes nothing back but its own: then each of them has a transaction to itself.
        """
        piece = _Piece(work)
        self._waiting.append(piece)
        with self._turn:
            if not piece.done:
                self._run([self._waiting.popleft() for _ in range(self.waiting)])
        if piece.error is not None:
            raise piece.error
        result: Result = piece.result
        return result

    def _run(self, pieces: list["_Piece"]) -> None:
        try:
            with self.writing() as connection:
                for piece in pieces:
                    piece.result = piece.work(connection)
        except Exception as problem:
            if len(pieces) == 1:
                pieces[0].error = problem
            else:
                for piece in pieces:
                    self._run([piece])
        except BaseException as end:  # this thread is to end, and what it did not do is not done for the others either
            for piece in pieces:
                piece.error = piece.error or end
        for piece in pieces:
            piece.done = True


class _Piece:
    """A piece of work, and what came of it once it is done."""

    def __init__(self, work: Callable[[Connection], Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False
