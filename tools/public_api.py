"""The public names of the package, all that they lead to, and a record of both.

Run as a program it writes `tests/unit/public_api.json` and `src/datatypes.pyi` anew.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, cast

import foureyes
from pydantic import BaseModel

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "tests" / "unit" / "public_api.json"
DATATYPES = ROOT / "src" / "datatypes.pyi"
SPECIAL = ("__init__", "__call__", "__add__", "__aenter__", "__aexit__")
NAMED_APART = {
    "foureyes.review.types.GateDecision": "ReviewGateDecision",
    "foureyes.experiments.analysis.Analysis": "ExperimentAnalysis",
    "foureyes.experiments.statistics.comparison.Conclusion": "ExperimentConclusion",
}
"""Types that have their name with a type of another part."""


def public() -> dict[str, object]:
    """What `foureyes` offers, by name."""
    return {name: getattr(foureyes, name) for name in foureyes.__all__ if name != "__version__"}


def led_to() -> dict[str, type]:
    """The types of the package that public names lead to and that are not among them, by name."""
    own = public()
    found: dict[type, None] = {}
    waiting: list[object] = list(own.values())
    while waiting:
        for kind in _referred(waiting.pop()):
            if kind.__module__.startswith("foureyes.") and kind not in found:
                found[kind] = None
                waiting.append(kind)
    known = {id(thing) for thing in own.values()}
    others = [kind for kind in found if id(kind) not in known]
    named = {_public_name(kind): kind for kind in others}
    assert len(named) == len(others), "two types have one name: add one to NAMED_APART"
    return dict(sorted(named.items()))


def _public_name(kind: type) -> str:
    return NAMED_APART.get(f"{kind.__module__}.{kind.__name__}", kind.__name__)


def _referred(thing: object) -> Iterator[type]:
    """The classes that the annotations of a function or a class name, and its bases."""
    if inspect.isfunction(thing):
        for hint in _hints(thing).values():
            yield from _classes(hint)
    elif inspect.isclass(thing) and not issubclass(thing, Enum):
        yield from thing.__bases__
        for name, hint in _hints(thing).items():
            if not name.startswith("_"):
                yield from _classes(hint)
        for name, member in members(thing):
            # What a generated one takes are the fields, of which those of a base are named there.
            if name != "__init__" or not dataclasses.is_dataclass(thing):
                yield from _referred(member)


def _hints(thing: Callable[..., object] | type) -> dict[str, Any]:
    """The annotations, evaluated; a name that is imported for type checkers only is looked up."""
    known: dict[str, object] = {}
    while True:
        try:
            return typing.get_type_hints(thing, localns=known)
        except NameError as error:
            name = str(error.name)
            known[name] = _of_a_checker(name, sys.modules[thing.__module__])


def _of_a_checker(name: str, module: Any) -> object:
    tree = inspect.getsource(module).split("if TYPE_CHECKING:")[1]
    line = next(line for line in tree.splitlines() if line.strip().endswith(f"import {name}"))
    home = importlib.import_module(line.split()[1], module.__package__)
    return home if line.split()[0] == "import" else getattr(home, name)


def _classes(hint: object) -> Iterator[type]:
    for one in (hint, typing.get_origin(hint)):
        if inspect.isclass(one):
            yield one
    for part in typing.get_args(hint):
        for one in cast("list[object]", part) if isinstance(part, list) else [part]:
            yield from _classes(one)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """The functions of a class that are its own and public; of a property the one that reads."""
    for name, member in vars(kind).items():
        if name.startswith("_") and name not in SPECIAL:
            continue
        if isinstance(member, property):
            yield name, member.fget
        elif isinstance(member, (classmethod, staticmethod)):
            yield name, cast("Any", member).__func__
        elif inspect.isfunction(member):
            yield name, member


def record() -> dict[str, str]:
    """Every public name and what it offers, each as one line."""
    lines: dict[str, str] = {}
    for place, names in (("foureyes", public()), ("foureyes.datatypes", led_to())):
        for name, thing in names.items():
            lines |= _described(f"{place}.{name}", thing)
    return dict(sorted(lines.items()))


def _described(path: str, thing: object) -> dict[str, str]:
    if inspect.isfunction(thing):
        return {path: f"{_kind_of_function(thing)} {_signature(thing)}"}
    kind = cast("type[object]", thing)
    lines = {path: _kind(kind)}
    if issubclass(kind, Enum):
        lines[path] += " " + ", ".join(f"{one.name}={one.value!r}" for one in kind)
        own = [one for one in members(kind) if one[0] not in SPECIAL]
    else:
        lines |= {f"{path}.{name}": text for name, text in _fields(kind)}
        generated = dataclasses.is_dataclass(cast("Any", kind)) or issubclass(kind, BaseModel)
        own = [one for one in members(kind) if not (generated and one[0] == "__init__")]
    for name, member in own:
        what = "property" if isinstance(vars(kind)[name], property) else _kind_of_function(member)
        lines[f"{path}.{name}"] = f"{what} {_signature(member)}"
    return lines


def _kind(kind: type) -> str:
    bases = [base.__name__ for base in kind.__bases__ if base not in (object, typing.Generic)]
    what = "dataclass" if dataclasses.is_dataclass(kind) else "class"
    return f"{what}({', '.join(bases)})" if bases else what


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    annotations = inspect.get_annotations(kind)
    for name, annotation in annotations.items():
        if name.startswith("_"):
            continue
        yield name, f"field {annotation}{_default(kind, name)}"


def _default(kind: type[object], name: str) -> str:
    if issubclass(kind, BaseModel):
        model = kind.model_fields[name]
        made = model.default_factory is not None
        return "" if model.is_required() else f" = {'made anew' if made else repr(model.default)}"
    if not dataclasses.is_dataclass(cast("Any", kind)):
        return ""
    field = next(one for one in dataclasses.fields(cast("Any", kind)) if one.name == name)
    text = ", keyword-only" if field.kw_only else ""
    if field.default is not dataclasses.MISSING:
        return f"{text} = {field.default!r}"
    return text if field.default_factory is dataclasses.MISSING else f"{text} = made anew"


def _kind_of_function(function: Any) -> str:
    return "async function" if inspect.iscoroutinefunction(function) else "function"


class _Plain(str):
    """An annotation as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(function: Any) -> str:
    plain = inspect.signature(function)
    given = [one.replace(annotation=_plain(one.annotation)) for one in plain.parameters.values()]
    returned = _plain(plain.return_annotation)
    return str(plain.replace(parameters=given, return_annotation=returned))


def _plain(annotation: object) -> object:
    return _Plain(annotation) if isinstance(annotation, str) else annotation


def datatypes() -> str:
    """The source of `src/datatypes.pyi`."""
    imports = sorted(
        f"from {kind.__module__.removeprefix('foureyes')} import {kind.__name__} as {name}"
        for name, kind in led_to().items()
    )
    # Type checkers take `X as X` for an export; a name that is another here has to be listed.
    return "\n".join([*imports, "", f"__all__ = {sorted(NAMED_APART.values())}", ""])


def recorded() -> dict[str, str]:
    """The record on file."""
    return cast("dict[str, str]", json.loads(RECORD.read_bytes()))


if __name__ == "__main__":
    DATATYPES.write_text(datatypes(), encoding="utf-8")
    for step in (("check", "--fix", "--quiet"), ("format", "--quiet")):
        ruff = Path(sys.executable).with_name("ruff")
        subprocess.run([ruff, *step, DATATYPES], check=True)
    RECORD.write_text(json.dumps(record(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
