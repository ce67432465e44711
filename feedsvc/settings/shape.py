"""From what TOML holds to the tree: every unknown key, wrong type and unfit value at once."""

from collections.abc import Mapping
from datetime import date, datetime, time
from functools import cache
from typing import Any

from msgspec import inspect as types

from feedsvc.settings import forms
from feedsvc.settings.faults import Fault, Place, Unfit, dotted, folded, meant, nearest, shown
from feedsvc.settings.tree import Settings


class _Bad:
    """Stands for a value that was refused; its fault is on the list."""


BAD = _Bad()


def shaped(raw: Mapping[str, object]) -> tuple[Settings, tuple[Fault, ...]]:
    """Return the settings that a TOML document holds, and all that is wrong with its keys, types and values.

    Where there are faults, the settings hold defaults, or blanks, in the places of the bad values: enough to look for
    contradictions among the rest.
    """
    reader = _Reader()
    settings: Settings = reader.table(structure(), forms.LINE, raw, ())
    return settings, tuple(reader.faults)


@cache
def structure() -> types.StructType:
    """Return the whole tree as msgspec describes it."""
    found = types.type_info(Settings)
    assert isinstance(found, types.StructType)
    return found


def plain(kind: types.Type) -> tuple[types.Type, forms.Form, str]:
    """Return a type without what is known beside it, the form of its texts, and its description."""
    if not isinstance(kind, types.Metadata):
        return kind, forms.LINE, ""
    return kind.type, (kind.extra or {}).get("form", forms.LINE), (kind.extra_json_schema or {}).get("description", "")


def choices(kind: types.EnumType | types.LiteralType) -> list[str]:
    """Return the words that a key allows, as they are spelled."""
    return (
        [str(member.value) for member in kind.cls] if isinstance(kind, types.EnumType) else list(map(str, kind.values))
    )


@cache
def all_keys() -> tuple[str, ...]:
    """Return the dotted name of every key of the tree, without the indices of arrays."""
    return tuple(_keys(structure(), ()))


def describe(raw: object) -> str:
    """Return what a TOML value is, in words, with the value where it is short."""
    match raw:
        case bool():
            return str(raw).lower()
        case str():
            return f"the text {shown(raw)}"
        case int() | float():
            return f"the number {str(raw)[:40]}"
        case datetime() | date() | time():
            return f"the date or time {raw.isoformat()}"
        case _:
            return "an array" if isinstance(raw, list) else "a table"


class _Reader:
    """One walk over a document; what is wrong gathers in `faults`."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def value(self, kind: types.Type, form: forms.Form, raw: object, place: Place) -> Any:
        """Return the value, or BAD."""
        match kind:
            case types.UnionType():
                return self.value(_member(kind, raw), form, raw, place)
            case types.StructType():
                return self.table(kind, form, raw, place)
            case types.VarTupleType():
                return self.array(kind, form, raw, place)
            case types.DictType():
                return self.labels(kind, form, raw, place)
            case types.BoolType():
                return raw if isinstance(raw, bool) else self.wrong("true or false", raw, place)
            case types.EnumType() | types.LiteralType():
                return self.word(kind, raw, place)
            case types.IntType() if form is forms.LINE:
                return self.number(kind, raw, place)
            case _:
                return self.text(form, raw, place)

    def table(self, kind: types.StructType, _form: forms.Form, raw: object, place: Place) -> Any:
        """Return a table as its struct."""
        if not isinstance(raw, dict):
            self.wrong("a table", raw, place)
            return _blank(kind)
        fields = {field.encode_name: field for field in kind.fields}
        unknown = [key for key in raw if key not in fields]
        self.faults += [_unknown(key, list(fields), place) for key in unknown]
        misspelled = {nearest(key, fields) for key in unknown}
        return kind.cls(
            **{
                key: self.field(field, raw, place, misspelled=key in misspelled)
                for key, field in fields.items()
                if field.required or key in raw
            }
        )

    def field(self, field: types.Field, raw: Mapping[str, object], place: Place, *, misspelled: bool) -> Any:
        """Return the value of one key, its default in the place of a bad one; one misspelled is not missing as well."""
        key = field.encode_name
        kind, form, _ = plain(field.type)
        if key not in raw:
            return _blank(kind) if misspelled else self.missing(kind, (*place, key))
        if raw[key] == "" and field.default in ("", None):
            return raw[key]
        found = self.value(kind, form, raw[key], (*place, key))
        return found if found is not BAD else _blank(kind) if field.required else field.default

    def missing(self, kind: types.Type, place: Place) -> Any:
        """Return a blank; of a table that is missing, each key that must stand there is."""
        if isinstance(kind, types.StructType):
            return self.table(kind, forms.LINE, {}, place)
        sample = '["…"]' if isinstance(kind, types.VarTupleType) else '"…"'
        self.faults.append(
            Fault(place, f"is missing; write {place[-1]} = {sample} in {_heading(place)}", "missing-key")
        )
        return _blank(kind)

    def array(self, kind: types.VarTupleType, form: forms.Form, raw: object, place: Place) -> Any:
        """Return an array as a tuple; a bad element leaves a blank, so that indices stay."""
        item, _, _ = plain(kind.item_type)
        if not isinstance(raw, list):
            tables = isinstance(item, types.StructType) and isinstance(raw, dict)
            return self.wrong(f"an array of tables: [[{place[-1]}]]" if tables else "an array", raw, place)
        found = [self.value(item, form, one, (*place, index)) for index, one in enumerate(raw)]
        return tuple(_blank(item) if one is BAD else one for one in found)

    def labels(self, kind: types.DictType, form: forms.Form, raw: object, place: Place) -> Any:
        """Return a table of texts by language (`teaser.more`)."""
        assert isinstance(raw, dict)
        for key in raw:
            self.text(forms.LANGUAGE, key, (*place, key))
        return {key: self.value(kind.value_type, form, one, (*place, key)) for key, one in raw.items()}

    def number(self, kind: types.IntType, raw: object, place: Place) -> Any:
        """Return a whole number within its bounds."""
        if isinstance(raw, bool) or not isinstance(raw, int):
            return self.wrong("a whole number", raw, place)
        if raw < (kind.ge or 0) or (kind.le is not None and raw > kind.le):
            bounds = f"at least {kind.ge}" if kind.le is None else f"from {kind.ge} to {kind.le}"
            return self.bad(f"must be {bounds}, found {describe(raw)}", place)
        return raw

    def word(self, kind: types.EnumType | types.LiteralType, raw: object, place: Place) -> Any:
        """Return one of the few words that a key allows."""
        words = choices(kind)
        if not isinstance(raw, str):
            return self.wrong(f"one of {', '.join(words)}", raw, place)
        if raw not in words:
            return self.bad(f"must be one of {', '.join(words)}, found {shown(raw)}; {meant(raw, words)}", place)
        return kind.cls(raw) if isinstance(kind, types.EnumType) else raw

    def text(self, form: forms.Form, raw: object, place: Place) -> Any:
        """Return what the form of a text reads."""
        if not isinstance(raw, str):
            return self.wrong(form.wanted, raw, place)
        try:
            return form.read(raw)
        except Unfit as reason:
            return self.bad(str(reason), place)

    def wrong(self, wanted: str, raw: object, place: Place) -> _Bad:
        """Note a wrong type."""
        self.faults.append(Fault(place, f"must be {wanted}, found {describe(raw)}", "wrong-type"))
        return BAD

    def bad(self, message: str, place: Place) -> _Bad:
        """Note a value that cannot be meant."""
        self.faults.append(Fault(place, message, "bad-value"))
        return BAD


def _member(kind: types.UnionType, raw: object) -> types.Type:
    """Return the one type of a union that a value is meant for: the table where there is one, else the other."""
    named = [member for member in kind.types if not isinstance(member, types.NoneType)]
    return next((one for one in named if isinstance(one, types.DictType) == isinstance(raw, dict)), named[0])


def _blank(kind: types.Type) -> Any:
    """Return a value that contradicts nothing."""
    if isinstance(kind, types.StructType):
        return kind.cls(**{field.encode_name: _blank(plain(field.type)[0]) for field in kind.fields if field.required})
    return () if isinstance(kind, types.VarTupleType) else ""


def _unknown(key: str, known: list[str], place: Place) -> Fault:
    near = nearest(key, known)
    elsewhere = [name for name in all_keys() if name.rpartition(".")[2] == folded(key)]
    hint = f"did you mean {shown(elsewhere[0])}?" if elsewhere and not near else meant(key, known)
    return Fault((*place, key), f"unknown key; {hint}", "unknown-key")


def _heading(place: Place) -> str:
    """Return the table that a key stands in, as a file spells it."""
    named = ".".join(part for part in place[:-1] if isinstance(part, str))
    return f"[[{named}]]" if any(isinstance(part, int) for part in place) else f"[{named}]"


def _keys(kind: types.StructType, place: Place) -> list[str]:
    names = []
    for field in kind.fields:
        inner, _, _ = plain(field.type)
        item = plain(inner.item_type)[0] if isinstance(inner, types.VarTupleType) else inner
        names.append(dotted((*place, field.encode_name)))
        names += _keys(item, (*place, field.encode_name)) if isinstance(item, types.StructType) else []
    return names
