"""feedsvc: Markdown posts and external blogs in, valid Atom, RSS and JSON feeds with teasers out."""

__version__ = "0.1.0"
