"""A feed as a page for people, and the files that pages need: HTML without script or inline style (G3, G4, S-24).

Templates of one's own take the place of ours by name; `templates` is a tuple of (name, source) pairs, so that nothing
here reads a folder. Ours are read once, when this module is imported.
"""

from collections.abc import Mapping
from importlib import resources
from traceback import walk_tb
from types import MappingProxyType

from jinja2 import TemplateError, TemplateSyntaxError

from feedsvc.errors import ConfigError
from feedsvc.model import Diagnostic, Feed, Level
from feedsvc.render.about import Source, around, offers, rows
from feedsvc.render.page_templates import Templates, environment
from feedsvc.render.views import Site, view

__all__ = ["Templates", "assets", "both", "compiled", "fragment", "page", "sources", "subscribe"]

_HERE = resources.files("feedsvc.render") / "assets"
_ASSETS = {file.name: file.read_bytes() for file in sorted(_HERE.iterdir(), key=lambda file: file.name)}


def page(feed: Feed, site: Site, templates: Templates = ()) -> bytes:
    """Return the index.html of a feed as UTF-8; the same bytes for the same values.

    Raises ConfigError, with file and line, where a template of one's own cannot be used.
    """
    return _render("feed.html", templates, {"page": view(feed, site)})


def both(feed: Feed, site: Site, templates: Templates = ()) -> tuple[bytes, bytes]:
    """Return `page` and `fragment` of a feed, which show the same and are spelled out once."""
    values = {"page": view(feed, site)}
    return _render("feed.html", templates, values), _render("fragment.html", templates, values)


def fragment(feed: Feed, site: Site, templates: Templates = ()) -> bytes:
    """Return the entries of a feed for other sites to include on their servers: no head, whole addresses."""
    return _render("fragment.html", templates, {"page": view(feed, site)})


def subscribe(feed: Feed, site: Site, templates: Templates = ()) -> bytes:
    """Return the page that explains feeds, `site.subscribe`, for the top folder; `feed` is the main one."""
    around_it = around(feed, site, site.subscribe, "How to subscribe")
    values = {"page": around_it, "groups": offers(feed, around_it.canonical), "outlines": site.outlines}
    return _render("subscribe.html", templates, values)


def sources(feed: Feed, site: Site, known: tuple[Source, ...], templates: Templates = ()) -> bytes:
    """Return the page of all sources, `site.sources`, for the top folder; `feed` is the main one."""
    values = {"page": around(feed, site, site.sources, "Sources"), "sources": rows(known, site.zone)}
    return _render("sources.html", templates, values)


def assets() -> Mapping[str, bytes]:
    """Return what is published in `assets/`, by file name: the style sheets, and the script for other sites."""
    return MappingProxyType(_ASSETS)


def compiled(templates: Templates) -> None:
    """Raise ConfigError, with file and line, for a template of one's own that is no Jinja template."""
    for name, _ in templates:
        try:
            environment(templates).get_template(name)
        except TemplateError as error:
            raise ConfigError([_fault(name, error)]) from error


def _render(name: str, templates: Templates, values: Mapping[str, object]) -> bytes:
    try:
        return environment(templates).get_template(name).render(values).encode()
    except Exception as error:  # an expression may raise whatever Python does: 1 / 0, page.title + 1
        if not templates and not isinstance(error, TemplateError):
            raise
        raise ConfigError([_fault(name, error)]) from error


def _fault(name: str, error: Exception) -> Diagnostic:
    """Return where a template went wrong: as the parser says, else the last line of a template that ran."""
    ran = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    place = next(
        ((file.rpartition("/")[2], line) for file, line in reversed(ran) if file.endswith(".html")), (name, None)
    )
    if isinstance(error, TemplateSyntaxError):
        place = (error.name or name, error.lineno)
    message = f"{error}; mend the template"
    return Diagnostic(f"config/templates/{place[0]}", place[1], Level.ERROR, message, "bad-template")
