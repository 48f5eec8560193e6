"""Public names of a module that are loaded when first used; its type stub declares them once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache


@cache
def _homes(package: str, stub: str) -> Mapping[str, tuple[str, str]]:
    """The relative module and the name there of each public name."""
    # `foureyes --help` uses no public name, and need not wait for these.
    import ast
    import pkgutil

    text = pkgutil.get_data(package, stub)
    if text is None:
        raise ImportError(f"{package} is installed without {stub}")
    return {
        alias.asname or alias.name: ("." * node.level + (node.module or ""), alias.name)
        for node in ast.parse(text).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def list_names(package: str, stub: str) -> list[str]:
    """The public names that the file `stub` of `package` imports, sorted."""
    return sorted(_homes(package, stub))


def load_name(package: str, stub: str, name: str) -> object:
    """The public `name` from the module that `stub` imports it from.

    Raises:
        AttributeError: `stub` imports no such name.
    """
    home = _homes(package, stub).get(name)
    if home is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r} in {stub}")
    module, own = home
    import importlib

    return getattr(importlib.import_module(module, package), own)
