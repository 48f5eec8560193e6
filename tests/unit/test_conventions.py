"""The rules of the code base that a test can hold."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

import foureyes
import pytest
from support.yaml_text import read_yaml

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
HEAVY = (
    "claude_agent_sdk", "httpx2", "jinja2", "nupunkt", "py3langid", "pydantic", "pypdfium2",
    "rich", "trafilatura", "typer",
)  # fmt: skip
READS_THE_ENVIRONMENT = {
    "assembly/settings.py",
    "backends/claude/endpoint.py",
    "backends/claude/_relay.py",
    "base/confined.py",
    "backends/claude/_session.py",
}
"""A process of the agent SDK inherits the environment, so its starters see what to blank in it."""
MUTABLE_RECORDS = {
    "Agent",
    "RowJobs",
    "Tally",
    "Workload",
}
"""Counters, builders and the state of a display, a worker or a list of jobs under way: each has one
owner that never hands it on."""


def modules() -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(foureyes.__path__, "foureyes."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def imported(node: ast.AST) -> list[str]:
    """The modules that an absolute import names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []


@cache
def nodes(path: Path) -> Sequence[ast.AST]:
    """All of a module's syntax, read once."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def relative(path: Path) -> str:
    return path.relative_to(ROOT / "src").as_posix()


def test_the_public_names_are_all_there_and_no_others() -> None:
    assert dir(foureyes) == sorted(foureyes.__all__)
    for name in foureyes.__all__:
        assert getattr(foureyes, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'anything'"):
        getattr(foureyes, "anything")  # noqa: B009 - pyright refuses the plain form


def test_importing_the_package_is_fast_and_light() -> None:
    code = (
        "import sys, time; start = time.perf_counter(); import foureyes;"
        "print(time.perf_counter() - start); print(*sys.modules)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for _ in range(3)
    ]
    assert min(float(seconds) for seconds, _ in runs) < 0.3
    assert set(runs[0][1].split()) & set(HEAVY) == set()


def test_importing_every_module_does_not_import_the_sdk() -> None:
    code = (
        "import pkgutil, importlib, sys, foureyes\n"
        "for info in pkgutil.walk_packages(foureyes.__path__, 'foureyes.'):\n"
        "    if 'claude' not in info.name and not info.name.endswith('__main__'):\n"
        "        importlib.import_module(info.name)\n"
        "print('claude_agent_sdk' in sys.modules, 'src' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_imports_inside_the_package_are_relative() -> None:
    found = [
        f"{relative(path)}: {name}"
        for path in SOURCES
        for node in nodes(path)
        for name in imported(node)
        if name.split(".")[0] in ("src", "foureyes")
    ]
    assert found == []


def test_records_are_frozen() -> None:
    thawed = {
        name
        for module in modules()
        for name, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__ and not name.startswith("_")
        if dataclasses.is_dataclass(kind)
        if not vars(kind)["__dataclass_params__"].frozen
    }
    assert thawed <= MUTABLE_RECORDS


def test_the_environment_is_read_where_it_must_be() -> None:
    readers = {
        relative(path)
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv")
        if isinstance(node.value, ast.Name) and node.value.id == "os"
    }
    assert readers == READS_THE_ENVIRONMENT


def test_no_private_name_is_imported_from_another_module() -> None:
    found = [
        f"{relative(path)}: {alias.name}"
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert found == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "config/registry").glob("*.yaml")), ids=lambda path: path.name
)
def test_every_registry_file_is_yaml_that_some_code_loads(path: Path) -> None:
    assert read_yaml(path.read_text(encoding="utf-8")) is not None
    assert any(f'"{path.name}"' in source.read_text(encoding="utf-8") for source in SOURCES)


def test_every_package_is_listed_for_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {
        ".".join(("foureyes", *path.parent.relative_to(ROOT / "src").parts))
        for path in SOURCES
        if path.name == "__init__.py"
    }
    assert listed == found | {"foureyes.config"}


def test_every_dependency_is_explained_and_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = {re.split(r"[^\w.-]", entry)[0] for entry in project["project"]["dependencies"]}
    explained = (ROOT / "system-architecture.md").read_text(encoding="utf-8")
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").replace("_", "-").lower()
    assert [name for name in sorted(names) if f"| {name} |" not in explained] == []
    assert [name for name in sorted(names) if f"\n{name}==" not in pins] == []


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    top = re.search(r"^## \[(.+?)\] - \d{4}-\d{2}-\d{2}$", changelog, re.M)
    assert top is not None
    assert foureyes.__version__ == project["project"]["version"] == top[1]


def test_constraints_pin_versions_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[\w.!+]+", line)] == []
