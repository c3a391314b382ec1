"""Descriptions of the kinds of objectives and constraints, with their keys and units, from the schema of controller
files. `python tests/kinds.py --write` updates the texts that the native module takes as docstrings; the stub has the
keys as arguments."""

from __future__ import annotations

import ast
import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "controller.schema.json").read_text(encoding="utf-8"))
SOURCES = ROOT / "python" / "src"
WIDTH = 112
#: Keys that `add_constraint` and its objectives set otherwise.
ELSEWHERE = {"name"}

INTRODUCTIONS = {
    "Objective": """\
An objective of any kind that a controller file can name, with the same keys: `Objective("com_height", target=0.9)`.

A number may be an expression of quantities as text (`target="0.9 * standing_height"`), a vector three numbers or one
expression; `aplomb list quantities` lists the quantities. Names of a controller, such as its parameters, are not among
them. A key that is None is left out; `from_` is the key `from`. `Character.add_objective` adds it, with weight and
form.

Raises ValueError for an unknown kind or key and for a value that a key cannot have; bodies, joints and expressions are
checked when it is added.
""",
    "Constraint": """\
A constraint of a kind with settings, with the keys that it has in a controller file: `Constraint("collision_avoidance",
bodies=["left_hand"], from_=["chest"], clearance=0.05)`.

The other constraints hold for every character to which they apply (`Constraint.kinds()`); `torque_limits` and
`self_collision` of `World.add_character` drop two of them. With `hard=True`, `Character.add_objective` makes a
constraint of any objective. A key that is None is left out; `from_` is the key `from`. `Character.add_constraint` adds
it.

Raises ValueError for an unknown kind or key and for a value that a key cannot have; bodies and expressions are checked
when it is added.
""",
}


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    ref = schema.get("$ref", "")
    return SCHEMA["$defs"][ref.removeprefix("#/$defs/")] if ref.startswith("#/$defs/") else schema


def kinds(name: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Kinds of objectives or constraints in controller files: a sentence and the schema of each."""
    if name == "Objective":
        found = {}
        for variant in SCHEMA["$defs"]["ObjectiveSpec"]["oneOf"]:
            ((kind, spec),) = variant["properties"].items()
            found[kind] = (variant["description"], _resolved(spec))
        return found
    is_table = {key: _resolved(value.get("items", {})) for key, value in SCHEMA["properties"].items()}
    specs = {key: spec for key, spec in is_table.items() if "properties" in spec and key != "objectives"}
    return {kind: (" ".join(spec["description"].split("\n\n")[0].split()), spec) for kind, spec in specs.items()}


def _keys(spec: dict[str, Any]) -> dict[str, tuple[dict[str, Any], bool]]:
    """The keys of a kind, those that must be given first, each with whether it must."""
    required = [key for key in spec.get("required", []) if key not in ELSEWHERE]
    others = [key for key in spec.get("properties", {}) if key not in required and key not in ELSEWHERE]
    return {key: (spec["properties"][key], key in required) for key in [*required, *others]}


def _argument(key: str) -> str:
    return f"{key}_" if keyword.iskeyword(key) else key


def _type(schema: dict[str, Any]) -> str:
    named = {"number": "Number", "vector": "Vector", "condition": "bool | str"}
    ref = schema.get("$ref", "").removeprefix("#/$defs/")
    if ref:
        return named.get(ref, "str")
    if schema.get("type") == "array":
        return f"Sequence[{_type(schema['items'])}]"
    if schema.get("type") == "object":
        return f"Mapping[str, {_type(schema.get('additionalProperties', {}))}]"
    return {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}.get(schema.get("type", ""), "Any")


def text(name: str) -> str:
    """The docstring of the class, with every kind."""
    parts = [INTRODUCTIONS[name]]
    for kind, (about, spec) in kinds(name).items():
        lines = textwrap.wrap(f"{kind}: {about}", WIDTH, subsequent_indent="    ")
        for key, (schema, is_required) in _keys(spec).items():
            # A unit alone describes a key whose name says the rest.
            described = " ".join(schema.get("description", "").split()).replace("`\"", "\"").replace("\"`", "\"")
            described += f" Default: {json.dumps(schema['default'])}." if "default" in schema else ""
            what = f"{_argument(key)}{'' if is_required else ' (optional)'}: {described}"
            lines += textwrap.wrap(what, WIDTH, initial_indent="    ", subsequent_indent="        ")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def constructors(name: str) -> list[ast.stmt]:
    """An overload of the constructor for each kind, for editors."""
    made = []
    kinds_of = kinds(name)
    for kind, (_, spec) in kinds_of.items():
        arguments = [
            f"{_argument(key)}: {_type(schema)}" + ("" if is_required else " | None = None")
            for key, (schema, is_required) in _keys(spec).items()
        ]
        star = ["*", *arguments] if arguments else []
        overload = "@overload\n" if len(kinds_of) > 1 else ""
        head = ", ".join(["cls", f"kind: Literal[{kind!r}]", "/", *star])
        made += ast.parse(f"{overload}def __new__({head}) -> {name}: ...").body
    return made


def path(name: str) -> Path:
    return SOURCES / f"{name.lower()}s.txt"


if __name__ == "__main__":
    for each in INTRODUCTIONS:
        if "--write" in sys.argv:
            path(each).write_text(text(each), encoding="utf-8")
        elif path(each).read_text(encoding="utf-8") != text(each):
            sys.exit(f"{path(each)} is not of the schema: run with --write")
