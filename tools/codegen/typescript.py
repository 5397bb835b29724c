"""Generate the TypeScript types of the protocol: `python -m tools.codegen.typescript --write`.

The source is the JSON schemas of the Python types, which pydantic also validates with.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode
from typing_extensions import is_typeddict

from dicemasters.service.catalog.team_builder import TeamCheckRequest, TrialRequest
from dicemasters.service.drafts.draft_room import DraftAction, DraftPickRequest, DraftPoll
from dicemasters.service.drafts.draft_session import NewDraftRequest
from dicemasters.service.games.game_setup import NewGameRequest
from dicemasters.service.protocol import card_schema, draft_schema, game_schema, http_schema, messages, puzzle_schema
from dicemasters.service.puzzle_views import PuzzleExplainRequest, PuzzleTryRequest
from tools.codegen import write_or_check

FILE = Path(__file__).parents[2] / "web" / "src" / "api" / "protocol.ts"
HEADER = """\
/** Types of the HTTP and WebSocket API (docs/http-api.md). Generated from service/protocol by
 * `python -m tools.codegen.typescript --write`. Do not edit. */
"""
WIDTH = 120
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

ORDERED = (game_schema, messages, http_schema, card_schema)  # their types come first, in this order
MODULES = (*ORDERED, draft_schema, puzzle_schema)  # every TypedDict in them is sent
RECEIVED = (
    messages.ClientMessage,
    NewGameRequest,
    TeamCheckRequest,
    TrialRequest,
    NewDraftRequest,
    DraftPoll,
    DraftPickRequest,
    DraftAction,
    PuzzleTryRequest,
    PuzzleExplainRequest,
)

Schema = dict[str, Any]


def sent_types() -> tuple[Any, ...]:
    """Return the messages of the server and every `TypedDict` of the protocol."""
    return (
        messages.ServerMessage,
        *(
            value
            for module in MODULES
            for name, value in vars(module).items()
            if is_typeddict(value) and value.__module__ == module.__name__ and not name.startswith("_")
        ),
    )


def write() -> str:
    """Return the protocol as a TypeScript module. Raise `ValueError` if two types have one name."""
    modes: list[tuple[Any, JsonSchemaMode]] = [(one, "serialization") for one in sent_types()]
    modes += [(one, "validation") for one in RECEIVED]
    _, whole = TypeAdapter.json_schemas([(one, mode, TypeAdapter(one)) for one, mode in modes])
    found: dict[str, Schema] = whole["$defs"]
    order = [name for module in ORDERED for name in vars(module)]
    names = sorted(found, key=lambda name: (order.index(name) if name in order else len(order), name))
    if twice := [name.replace("__", ".") for name in names if "__" in name]:  # pydantic's names for equal ones
        raise ValueError(f"the page needs different names for these types; rename all but one: {', '.join(twice)}")
    return HEADER + "".join(f"\n{_definition(name, found[name])}" for name in names)


def _definition(name: str, schema: Schema) -> str:
    about = _comment(schema.get("description", ""), "")
    if schema.get("type") != "object":
        return about + _union(f"export type {name} =", _members(schema))
    lines: list[str] = []
    for key, value in schema["properties"].items():
        optional = "" if key in schema.get("required", ()) else "?"
        lines.append(f"{_comment(value.get('description', ''), '  ')}  {_key(key)}{optional}: {_type(value)};\n")
    return f"{about}export interface {name} {{\n{''.join(lines)}}}\n"


def _comment(text: str, indent: str) -> str:
    lines = text.split("\n\n")[0].split("\n")
    return f"{indent}/** {' '.join(lines)} */\n" if text else ""


def _union(head: str, members: list[str]) -> str:
    line = f"{head} {' | '.join(members)};\n"
    return line if len(line) <= WIDTH else f"{head}\n" + "\n".join(f"  | {one}" for one in members) + ";\n"


def _members(schema: Schema) -> list[str]:
    """Return the members of a union type."""
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return [member for one in schema[several] for member in _members(one)]
    if "enum" in schema:
        return [json.dumps(value) for value in schema["enum"]]
    return [_one(schema)]


def _type(schema: Schema) -> str:
    return " | ".join(_members(schema))


def _one(schema: Schema) -> str:
    if "$ref" in schema:
        name: str = schema["$ref"].rpartition("/")[2]
        return name
    if "const" in schema:
        return json.dumps(schema["const"])
    if "prefixItems" in schema:
        return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
    if schema["type"] == "array":
        inner = _members(schema["items"])
        return f"{inner[0]}[]" if len(inner) == 1 else f"({' | '.join(inner)})[]"
    if schema["type"] == "object":  # a mapping
        record = (
            f"Record<{_type(schema.get('propertyNames', {'type': 'string'}))}, {_type(schema['additionalProperties'])}>"
        )
        return f"Partial<{record}>" if "propertyNames" in schema else record
    return SIMPLE[schema["type"]]


def _key(key: str) -> str:
    return key if re.fullmatch(r"\w+", key) else json.dumps(key)


def main(argv: list[str] | None = None) -> int:
    """Write the types with --write, otherwise check that the file is up to date. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.codegen.typescript", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write web/src/api/protocol.ts")
    args = parser.parse_args(argv)
    try:
        text = write()
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return write_or_check(FILE, text, write=args.write)


if __name__ == "__main__":
    sys.exit(main())
