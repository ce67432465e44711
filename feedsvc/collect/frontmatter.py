"""Front matter at the head of a post: the owner of python-frontmatter and PyYAML, and the cure of their traps.

python-frontmatter splits at the fences; what it would make of the values is never asked for (F3, F4): YAML is read
event by event, so that every scalar stays a string, and anchors, aliases, tags and second keys are refused with their
lines before anything is built of them (S-33).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import yaml
from frontmatter.default_handlers import BaseHandler, YAMLHandler

from feedsvc.collect.matter import DEEPEST, LARGEST, Field, FrontMatter, PostFault, Repair, Value
from feedsvc.collect.plainyaml import plain_fields
from feedsvc.collect.tomlmatter import toml_fields
from feedsvc.collect.yamltext import StandIns
from feedsvc.patterns import pattern

_Loader: Any = getattr(
    yaml, "CBaseLoader", yaml.BaseLoader
)  # libyaml reads ten times as fast; both give the same events
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_LATE_FENCE = pattern(
    r"(?P<before>[\s\u200b-\u200f\u2060\ufeff]+)(?:---|\+\+\+)[ \t]*\n[ \t]*[A-Za-z_][\w-]*[ \t]*[:=]"
)
_OTHER_FENCE = pattern(
    r"(?:-{3,}|\+{3,}|;{3,})[ \t]*(?:[a-zA-Z]+|#[^\n]*)[ \t]*\n\s*+(?:#[^\n]*\n\s*+)*+(?:[A-Za-z_][\w.-]*[ \t]*[:=]|\{)"
    r"|;;;[ \t]*\n|\{\s*+\"[A-Za-z_][\w-]*+\"\s*+:"
)
_NO_BREAK_GAP = pattern(r"^(?:[ \u00a0]*(?:[\w-]+:|-)?)[ \u00a0]*\u00a0[ \u00a0]*", re.MULTILINE)
_PROSE = pattern(r"^(?P<key>[\w-]*title|summary|description|excerpt):[ \t]+(?P<value>[^\n]+)$", re.MULTILINE)
_NOT_PLAIN = tuple("\"'[{|>&*!%@`#")
_COMMENT = pattern(r"[ \t]#")
_COLON = pattern(r":(?:[ \t]|$)")
_HALF_A_CHARACTER = "found invalid Unicode character escape code"
_MOST_ESCAPES = 200
_BEGAN_EARLIER = ("found unexpected", "could not find expected ':'", "did not find expected ','")
"""Problems that the parser meets far behind the line that caused them: they are told where it began to read."""


class YamlFence(YAMLHandler):
    """Three dashes; the blank after them may be any, the line may not be."""

    FM_BOUNDARY = re.compile(r"^(?:-{3,}|\.{3})[ \t\u00a0]*$", re.MULTILINE)
    opening = "---"


class TomlFence(BaseHandler):
    """Three plus signs (the library's own needs a package that reads dates wrongly)."""

    FM_BOUNDARY = re.compile(r"^\+{3,}[ \t\u00a0]*$", re.MULTILINE)
    opening = "+++"


_FENCES = (YamlFence(), TomlFence())


def split(text: str) -> FrontMatter:
    """Return the fields and the body of a post; a text without fence in its first line is all body.

    `text` has LF line ends and no byte order mark. Raises PostFault for a fence that is never closed, front matter
    that is no table, broken YAML or TOML, a key given twice, anchors, aliases, tags. Source: F1 to F6, S-33.
    """
    for fence in _FENCES:
        if text.startswith(fence.opening) and fence.detect(text):
            return _divide(text, fence)
    if late := _LATE_FENCE.match(text):
        line = late["before"].count("\n") + 1
        raise PostFault("front matter begins only on the first line: delete what stands before it", line, "late-fence")
    if _OTHER_FENCE.match(text):
        message = "front matter is YAML between lines of `---`, or TOML between lines of `+++`: write it so"
        raise PostFault(message, 1, "other-front-matter")
    return FrontMatter({}, text)


def _divide(text: str, fence: YamlFence | TomlFence) -> FrontMatter:
    try:
        head, body = fence.split(text)
    except ValueError:
        fault = f"the front matter that opens here is never closed: add a line {fence.opening} after it"
        raise PostFault(fault, 1, "open-front-matter") from None
    if len(head.encode()) > LARGEST:
        raise PostFault(f"the front matter is larger than {LARGEST // 1024} KiB: shorten it", 1, "large-front-matter")
    fields, repairs = (toml_fields(head), ()) if isinstance(fence, TomlFence) else _yaml_fields(head)
    body = body.removeprefix("\n")
    return FrontMatter(_by_key(fields), body, text.count("\n", 0, len(text) - len(body)) + 1, repairs)


def _by_key(fields: Iterable[Field]) -> dict[str, Field]:
    """Return the fields by key in lower case; `Draft` beside `draft` is a key given twice, lest one undo the other."""
    known: dict[str, Field] = {}
    for field in fields:
        key = _plain_key(field.key)
        if key in known:
            raise _twice(field.key, known[key].line, field.line)
        known[key] = field
    return known


def _plain_key(key: str) -> str:
    """Return a key in lower case without what nobody sees: `draft` with a pasted zero width space is a mark too."""
    if not key.isascii():
        key = "".join(one for one in key if unicodedata.category(one) != "Cf")
    return key.strip().lower()


def _twice(key: str, first: int, again: int) -> PostFault:
    return PostFault(f"the key {key!r} is given twice, first in line {first}: keep one", again, "duplicate-key")


def _yaml_fields(head: str) -> tuple[tuple[Field, ...], tuple[Repair, ...]]:
    """Return the fields, after one attempt to quote titles that hold an unquoted colon (F2)."""
    if (plain := plain_fields(head)) is not None:
        return plain, ()
    if "\u00a0" in head:
        head = _NO_BREAK_GAP.sub(lambda found: found[0].replace("\u00a0", " "), head)
    try:
        return _read_yaml(head), ()
    except PostFault as fault:
        mended, repairs = _quoted(head)
        if not repairs or fault.code != "bad-front-matter":
            raise
        try:
            return _read_yaml(mended), repairs
        except PostFault:
            raise fault from None


def _quoted(head: str) -> tuple[str, tuple[Repair, ...]]:
    repairs: list[Repair] = []

    def quote(found: re.Match[str]) -> str:
        key, value = found["key"], _COMMENT.split(found["value"], maxsplit=1)[0].rstrip()
        if value.startswith(_NOT_PLAIN) or not _COLON.search(value):
            return found[0]
        line = head.count("\n", 0, found.start()) + 1
        repairs.append(Repair(line, f"the {key} holds a colon: put it in quotes; this time it was read as meant"))
        return f"{key}: '" + value.replace("'", "''") + "'"

    return _PROSE.sub(quote, head), tuple(repairs)


def _read_yaml(head: str) -> tuple[Field, ...]:
    stand_ins = StandIns(head)
    for _ in range(_MOST_ESCAPES):
        loader = _Loader(stand_ins.text)
        try:
            return _Tree(loader.get_event, stand_ins.restored).fields()
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            half = getattr(error, "problem", None) == _HALF_A_CHARACTER
            if mark is None or not (half and stand_ins.mend_escape(mark.index)):
                raise _yaml_fault(error, head) from error
        finally:
            loader.dispose()
    raise PostFault("the front matter holds half characters: write the characters", 1, "bad-front-matter")


def _yaml_fault(error: yaml.YAMLError, head: str) -> PostFault:
    """Return the fault with its line; what is missed at the end is missed in the last line that says anything."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    what = getattr(error, "problem", None) or str(error)
    if mark is not None and what.startswith(_BEGAN_EARLIER):
        mark = getattr(error, "context_mark", None) or mark
    line = min(mark.line, head.rstrip().count("\n")) + 1 if mark else 1
    return PostFault(f"the YAML front matter cannot be read: {what}", line, "bad-front-matter")


class _Tree:
    """Builds values from the events of a parser, so that nothing is ever expanded, resolved or constructed."""

    def __init__(self, next_event: Callable[[], Any], restored: Callable[[str], str]) -> None:
        self.next_event, self.restored = next_event, restored

    def fields(self) -> tuple[Field, ...]:
        self.next_event()  # the stream starts
        if isinstance(self.next_event(), yaml.StreamEndEvent):
            return ()
        root = self.next_event()
        fields = self._root(root)
        self.next_event()  # the document ends
        after = self.next_event()
        if not isinstance(after, yaml.StreamEndEvent):
            raise PostFault("the front matter is more than one YAML document", _line(after), "bad-front-matter")
        return fields

    def _root(self, root: Any) -> tuple[Field, ...]:
        if isinstance(root, yaml.MappingStartEvent):
            return tuple(self._mapping(root, 1).values())
        if isinstance(root, yaml.ScalarEvent) and not root.value and root.implicit[0]:
            return ()  # nothing but comments
        what = "a list" if isinstance(root, yaml.SequenceStartEvent) else "a bare text"
        raise PostFault(
            f"the front matter is {what}, not lines of `key: value`", max(_line(root), 2), "bad-front-matter"
        )

    def _mapping(self, start: Any, depth: int) -> dict[str, Field]:
        _refuse(start, depth)
        fields: dict[str, Field] = {}
        while type(event := self.next_event()) is not yaml.MappingEndEvent:
            if type(event) is not yaml.ScalarEvent:
                raise PostFault("a key of the front matter is no plain word", _line(event), "bad-front-matter")
            _refuse(event, depth)
            key, line = self.restored(event.value), _line(event)
            if key in fields:
                raise _twice(key, fields[key].line, line)
            fields[key] = Field(key, self._value(self.next_event(), depth + 1), line)
        return fields

    def _value(self, event: Any, depth: int) -> Value:
        if type(event) is yaml.ScalarEvent:
            _refuse(event, 0)
            return None if event.implicit[0] and event.value in _NULLS else self.restored(event.value)
        if type(event) is yaml.MappingStartEvent:
            return {key: field.value for key, field in self._mapping(event, depth).items()}
        _refuse(event, depth)
        values: list[Value] = []
        while type(each := self.next_event()) is not yaml.SequenceEndEvent:
            values.append(self._value(each, depth + 1))
        return tuple(values)


def _refuse(event: Any, depth: int) -> None:
    if event.anchor is not None:  # an alias has one too
        message = "anchors and aliases (& and *) are not read: write it out or quote it"
        raise PostFault(message, _line(event), "yaml-anchor")
    if event.tag is not None:
        raise PostFault(f"the YAML tag {event.tag} is not read: take it out or quote it", _line(event), "yaml-tag")
    if depth > DEEPEST:
        message = f"the front matter nests deeper than {DEEPEST} levels: flatten it"
        raise PostFault(message, _line(event), "deep-front-matter")


def _line(event: Any) -> int:
    """Return the line in the file: the first line that the parser sees is the rest of the opening fence, line 1."""
    return int(event.start_mark.line) + 1
