"""The JSON Schema of the configuration, made from the tree: editors complete and check the file with it.

`python -m feedsvc.settings.schema` rewrites docs/feedsvc.schema.json. The schema is gentler than `load`: it knows each
key by itself, `load` also what two keys say together.
"""

import json
from pathlib import Path

from msgspec import NODEFAULT
from msgspec import inspect as types

from feedsvc.settings import forms
from feedsvc.settings.shape import choices, plain, structure

TARGET = Path("docs") / "feedsvc.schema.json"
Schema = dict[str, object]


def schema() -> Schema:
    """Return the schema (draft 7, which TOML editors read) of a whole configuration."""
    head: Schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "feedsvc",
        "description": "Configuration of feedsvc, config/feedsvc.toml.",
    }
    return head | _kind(structure(), forms.LINE)


def written() -> str:
    """Return the text of docs/feedsvc.schema.json."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _kind(kind: types.Type, form: forms.Form) -> Schema:
    match kind:
        case types.StructType():
            return _table(kind)
        case types.VarTupleType():
            return {"type": "array", "items": _kind(plain(kind.item_type)[0], form)}
        case types.UnionType():
            return _either([_kind(one, form) for one in kind.types if not isinstance(one, types.NoneType)])
        case types.DictType():
            return {"type": "object", "additionalProperties": _kind(kind.value_type, form)}
        case types.BoolType():
            return {"type": "boolean"}
        case types.EnumType() | types.LiteralType():
            return {"type": "string", "enum": choices(kind)}
        case types.IntType() if form is forms.LINE:
            return _without_none({"type": "integer", "minimum": kind.ge, "maximum": kind.le})
        case _:
            return _without_none({"type": "string", "pattern": form.pattern or None})


def _table(kind: types.StructType) -> Schema:
    required = [field.encode_name for field in kind.fields if field.required]
    table: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {field.encode_name: _key(field) for field in kind.fields},
        "required": required or None,
    }
    return _without_none(table)


def _key(field: types.Field) -> Schema:
    kind, form, description = plain(field.type)
    said: Schema = {"description": description} if description else {}
    return said | _kind(kind, form) | _default(field, form)


def _default(field: types.Field, form: forms.Form) -> Schema:
    """Return the default as a file would spell it; tables and keys without one have none."""
    if form.default:
        return {"default": form.default}
    if field.default is NODEFAULT or field.default is None:
        return {}
    return {"default": list(field.default) if isinstance(field.default, tuple) else field.default}


def _either(kinds: list[Schema]) -> Schema:
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _without_none(schema: Schema) -> Schema:
    return {keyword: value for keyword, value in schema.items() if value is not None}


if __name__ == "__main__":
    with TARGET.open("w", encoding="utf-8") as file:
        file.write(written())
