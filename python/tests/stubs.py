"""The stub of the native module with the docstrings of its source, and with the keys of every kind of objective and
constraint. `python tests/stubs.py --write` updates it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import aplomb._aplomb as native
import kinds

STUB = Path(__file__).resolve().parent.parent / "aplomb" / "_aplomb.pyi"


def described(text: str) -> str:
    """The stub with the docstrings of the installed module."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and hasattr(native, node.name):
            of = getattr(native, node.name)
            if node.name in kinds.INTRODUCTIONS:
                doc = [] if ast.get_docstring(node) is None else node.body[:1]
                others = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name != "__new__"]
                node.body = [*doc, *kinds.constructors(node.name), *others]
            _describe(node, of)
            seen: set[str] = set()
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and not item.name.startswith("__") and item.name not in seen:
                    seen.add(item.name)
                    _describe(item, getattr(of, item.name))
        elif isinstance(node, ast.FunctionDef):
            _describe(node, getattr(native, node.name))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _describe(node: ast.ClassDef | ast.FunctionDef, of: object) -> None:
    doc = getattr(of, "__doc__", None)
    old = ast.get_docstring(node, clean=False)
    body = node.body[1:] if old is not None else node.body
    is_empty = all(isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) for item in body)
    if not doc:
        node.body = body or [ast.Expr(ast.Constant(...))]
        return
    indent = "        " if isinstance(node, ast.FunctionDef) and _is_method(node) else "    "
    doc = doc.strip()
    if "\n" in doc:
        doc = doc.replace("\n", "\n" + indent).replace("\n" + indent + "\n", "\n\n") + "\n" + indent
    node.body = [ast.Expr(ast.Constant(doc)), *([] if is_empty else body)]


def _is_method(node: ast.FunctionDef) -> bool:
    first = node.args.args[:1]
    is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
    return is_static or bool(first) and first[0].arg in ("self", "cls")


if __name__ == "__main__":
    made = described(STUB.read_text(encoding="utf-8"))
    if "--write" in sys.argv:
        STUB.write_text(made, encoding="utf-8")
    else:
        sys.exit(0 if made == STUB.read_text(encoding="utf-8") else "the stub is not of this module: run with --write")
