"""What can go wrong, as one tree.

    FeedsvcError                 anything a person has to act on; never a bug
    ├── ConfigError              the configuration: exit status 2
    ├── PublishError             what was published before still stands: exit status 1
    ├── StoreError               the store cannot be opened, is newer than we are, or is damaged
    └── LockHeldError            another instance holds the state folder: exit status 75

What one post, source or entry does wrong is no exception but a `Diagnostic` (model.py): it costs its owner one entry.
"""

from collections.abc import Sequence

from feedsvc.model import Diagnostic


class FeedsvcError(Exception):
    """Anything a person has to act on; `exit_status` is what the command ends with."""

    exit_status = 1


class ConfigError(FeedsvcError):
    """The configuration cannot be used; each fault is a diagnostic with its line."""

    exit_status = 2

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(str(found) for found in diagnostics))
        self.diagnostics = tuple(diagnostics)


class PublishError(FeedsvcError):
    """Nothing was replaced; the last good set of files still stands."""


class StoreError(FeedsvcError):
    """The store cannot be used; the message says which one and what to do."""


class LockHeldError(FeedsvcError):
    """Another instance works on this state folder (serving V-33)."""

    exit_status = 75
