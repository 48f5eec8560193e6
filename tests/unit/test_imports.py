"""How modules import each other: how deep, how many one needs, and which are their folder's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src"
LONGEST_CHAIN = 20
MOST_IMPORTED = 20


def module_name(path: Path) -> tuple[str, ...]:
    """`path` below the package as the parts of a module's name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def statements(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """The relative imports that happen when the module is loaded."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.level:
            yield child
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from statements(child)


def targets(name: tuple[str, ...], path: Path, found: ast.ImportFrom) -> set[tuple[str, ...]]:
    """The modules that an import of the module `name` names, relative or from the package."""
    inside = name if path.stem == "__init__" else name[:-1]
    below = tuple((found.module or "").split(".")) if found.module else ()
    base = (*inside[: len(inside) - found.level + 1], *below) if found.level else below[1:]
    return {(*base, alias.name) for alias in found.names} & MODULES.keys() or {base}


@cache
def graph() -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """The modules that each module imports."""
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for name, path in MODULES.items():
        found[name] = set()
        for statement in statements(ast.parse(path.read_text(encoding="utf-8"))):
            found[name] |= targets(name, path, statement) - {name}
    return found


@cache
def importers() -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """The modules and stubs that import each module, at whatever time."""
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = {name: set() for name in MODULES}
    for path in (*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")):
        name = module_name(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                for target in targets(name, path, node) & found.keys():
                    found[target].add(name)
    return found


def test_no_chain_of_imports_is_long() -> None:
    depth: dict[tuple[str, ...], int] = {}
    for name in TopologicalSorter(graph()).static_order():
        depth[name] = 1 + max((depth[one] for one in graph()[name]), default=0)
    assert max(depth.values()) <= LONGEST_CHAIN


def test_no_module_needs_many_others() -> None:
    crowded = {".".join(name): len(needs) for name, needs in graph().items()}
    assert {name: count for name, count in crowded.items() if count > MOST_IMPORTED} == {}


def named_whole() -> set[tuple[str, ...]]:
    """The modules that others import as modules, whose names stand before those in them."""
    return {
        (*name[:-1], alias.name)
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and not node.module
        for alias in node.names
    }


def test_a_module_has_an_underscore_if_only_its_own_folder_takes_names_from_it() -> None:
    wrong: set[str] = set()
    whole = named_whole()
    for name, path in MODULES.items():
        if len(name) < 2 or path.stem.startswith("__") or name in whole:
            continue
        outside = {one for one in importers()[name] if one[: len(name) - 1] != name[:-1]}
        if name[-1].startswith("_") == bool(outside):
            wrong.add(".".join(name))
    assert wrong == set()
