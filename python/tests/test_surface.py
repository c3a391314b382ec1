"""Public names of the package, their signatures and docstrings."""

import ast
import inspect

import aplomb
import aplomb._aplomb as native
import kinds
import pytest
import stubs


def nodes(kind):
    return [node for node in ast.parse(stubs.STUB.read_text(encoding="utf-8")).body if isinstance(node, kind)]


def test_the_stub_says_what_the_module_says():
    assert stubs.described(stubs.STUB.read_text(encoding="utf-8")) == stubs.STUB.read_text(encoding="utf-8"), (
        "run python tests/stubs.py --write"
    )


@pytest.mark.parametrize("name", kinds.INTRODUCTIONS)
def test_classes_describe_every_kind_with_its_keys(name):
    assert kinds.path(name).read_text(encoding="utf-8") == kinds.text(name), "run python tests/kinds.py --write"
    assert getattr(native, name).__doc__.strip() == kinds.text(name).strip()


def test_the_stub_names_all_that_there_is_and_nothing_else():
    stubbed = {node.name for node in nodes((ast.ClassDef, ast.FunctionDef))} - {"HasResidual"}
    there = {name for name in dir(native) if not name.startswith("_")} - {"HAS_CLI"}
    assert stubbed == there
    for node in nodes(ast.ClassDef):
        if node.name == "HasResidual":
            continue
        members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        of = getattr(native, node.name)
        public = {name for name in vars(of) if not name.startswith("_")}
        assert {name for name in members if not name.startswith("_")} == public, node.name


@pytest.mark.parametrize("node", nodes(ast.ClassDef), ids=lambda node: node.name)
def test_the_stub_has_the_arguments_that_functions_take(node):
    if node.name == "HasResidual":
        return
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or any(isinstance(one, ast.Attribute) for one in item.decorator_list):
            continue
        of = getattr(native, node.name)
        if item.name.startswith("__") or isinstance(vars(of).get(item.name), property):
            continue
        member = vars(of)[item.name]
        if inspect.isgetsetdescriptor(member):
            continue
        there = list(inspect.signature(getattr(of, item.name)).parameters)
        arguments = [argument.arg for argument in (*item.args.args, *item.args.kwonlyargs)]
        arguments += [item.args.kwarg.arg] if item.args.kwarg else []
        assert arguments == there, f"{node.name}.{item.name}"


def test_everything_public_is_described():
    for name in aplomb.__all__:
        thing = getattr(aplomb, name)
        assert name == "__version__" or thing.__doc__, name
        if inspect.isclass(thing):
            for member in vars(thing):
                if not member.startswith("_") and not issubclass(thing, (Exception, tuple)):
                    assert getattr(thing, member).__doc__, f"{name}.{member}"
