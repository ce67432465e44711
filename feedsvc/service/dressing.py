"""What an operator puts in place of ours."""

from collections.abc import Mapping

from msgspec import Struct, field


class Dress(Struct, frozen=True):
    """Templates by name, and files of `assets/` by name, in place of ours."""

    templates: tuple[tuple[str, str], ...] = ()
    assets: Mapping[str, bytes] = field(default_factory=dict)


PLAIN = Dress()
