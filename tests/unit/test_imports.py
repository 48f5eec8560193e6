"""How deep modules import each other, and how many one needs: what a reader has to hold."""

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


@cache
def graph() -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """The modules that each module imports."""
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for name, path in MODULES.items():
        found[name] = set()
        inside = name if path.name == "__init__.py" else name[:-1]
        for statement in statements(ast.parse(path.read_text(encoding="utf-8"))):
            base = inside[: len(inside) - statement.level + 1]
            base += tuple((statement.module or "").split(".")) if statement.module else ()
            targets = {(*base, alias.name) for alias in statement.names} & MODULES.keys()
            found[name] |= (targets or {base}) - {name}
    return found


def test_no_chain_of_imports_is_long() -> None:
    depth: dict[tuple[str, ...], int] = {}
    for name in TopologicalSorter(graph()).static_order():
        depth[name] = 1 + max((depth[one] for one in graph()[name]), default=0)
    assert max(depth.values()) <= LONGEST_CHAIN


def test_no_module_needs_many_others() -> None:
    crowded = {".".join(name): len(needs) for name, needs in graph().items()}
    assert {name: count for name, count in crowded.items() if count > MOST_IMPORTED} == {}
