"""Media types by suffix: a small table of our own, the same on every machine (the system's is not)."""

from pathlib import PurePosixPath

_IMAGES = {
    "avif": "image/avif",
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
}
_SOUND_AND_FILM = {
    "aac": "audio/aac",
    "flac": "audio/flac",
    "m4a": "audio/mp4",
    "m4v": "video/mp4",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "oga": "audio/ogg",
    "ogg": "audio/ogg",
    "ogv": "video/ogg",
    "opus": "audio/ogg",
    "vtt": "text/vtt",
    "wav": "audio/wav",
    "webm": "video/webm",
}
_PAPERS = {"epub": "application/epub+zip", "pdf": "application/pdf"}
_ARCHIVES = {"7z": "application/x-7z-compressed", "gz": "application/gzip", "zip": "application/zip"}

PUBLISHED = _IMAGES | _SOUND_AND_FILM | _PAPERS
"""What may be published beside a post."""

_TYPES = PUBLISHED | _ARCHIVES

_MEANT = {
    "audio/mp3": "audio/mpeg",
    "audio/x-mp3": "audio/mpeg",
    "audio/m4a": "audio/mp4",
    "audio/x-m4a": "audio/mp4",
    "image/jpg": "image/jpeg",
    "image/svg": "image/svg+xml",
    "video/x-m4v": "video/mp4",
}
"""Types that are written often and registered nowhere (S5)."""


def suffix(path: str) -> str:
    """Return the suffix of a file's name in lower case, without its dot."""
    return PurePosixPath(path).suffix[1:].lower()


def media_type(path: str) -> str | None:
    """Return the media type of a file by its suffix, None where that tells none (S5)."""
    return _TYPES.get(suffix(path))


def meant_type(written: str) -> str:
    """Return a media type as it is registered: `image/jpg` is `image/jpeg` (S5)."""
    return _MEANT.get(written.lower(), written)
