"""Regular expressions that are compiled when they are first asked, since a command asks few of those it imports."""

import re
from typing import AnyStr, Generic, cast


class _Late(Generic[AnyStr]):
    """Stands for a compiled expression, and takes over each of its methods as it is asked for."""

    def __init__(self, source: AnyStr, flags: int) -> None:
        self._source: AnyStr = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled at its first use.

    `flags` are those of `re`. What is wrong with an expression raises `re.error` at that use: a test uses each of them.
    """
    return cast("re.Pattern[AnyStr]", _Late(source, flags))
