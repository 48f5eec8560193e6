"""The public names: what they offer, where they lead, and that they explain themselves."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import foureyes
import pytest
from foureyes import RunOptions, SettingValues, datatypes
from foureyes.assembly.model import PART_KEYS, Settings
from foureyes.base import errors
from public_api import ROOT, led_to, members, public, record, recorded

ANEW = "run `python tools/public_api.py`, and read docs/stability.md on what may change"


def test_the_public_names_offer_what_is_on_record() -> None:
    now, before = record(), recorded()
    changed = {name for name in now.keys() & before.keys() if now[name] != before[name]}
    assert (now.keys() - before.keys(), before.keys() - now.keys(), changed) == (
        set(),
        set(),
        set(),
    ), ANEW


def test_no_public_name_leads_to_a_type_that_has_no_public_name() -> None:
    assert {name: getattr(datatypes, name) for name in datatypes.__all__} == led_to(), ANEW


def offered() -> Iterator[tuple[str, object]]:
    """Every public thing, and every function of a public class."""
    for name, thing in {**public(), **led_to()}.items():
        yield name, thing
        if isinstance(thing, type):
            yield from ((f"{name}.{member}", function) for member, function in members(thing))


def test_every_public_name_tells_what_it_is_for() -> None:
    untold = [
        name
        for name, thing in offered()
        if not name.rpartition(".")[2].startswith("__") and not (thing.__doc__ or "").strip()
    ]
    assert untold == []


def test_every_error_that_a_public_name_tells_of_is_public_or_pythons_own() -> None:
    told = {(name, error) for name, thing in offered() for error in _errors(thing)}
    known = {*foureyes.__all__, "ValueError"}
    assert {(name, error) for name, error in told if error not in known} == set()
    assert told >= {("run_analysis_async", "InputError"), ("EditPolicy.check", "EditRefused")}


def test_every_public_function_tells_of_what_it_raises() -> None:
    things = dict(offered())
    untold = [
        (name, raised)
        for name, thing in things.items()
        for raised in re.findall(r"^ +raise ([A-Z]\w+)", _source(thing), re.MULTILINE)
        # The docstring of a class is that of its `__init__`.
        if raised not in f"{thing.__doc__} {things[name.removesuffix('.__init__')].__doc__}"
    ]
    assert untold == []


def _source(thing: object) -> str:
    """The source of a function or a property of the package, "" of anything else."""
    function = getattr(thing, "fget", thing)
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    if not isinstance(code, CodeType) or not Path(code.co_filename).is_relative_to(ROOT / "src"):
        return ""
    return inspect.getsource(code)


def _errors(thing: object) -> set[str]:
    """The errors under "Raises:", and those of ours that any other sentence names."""
    text = inspect.cleandoc(thing.__doc__ or "")
    raised = re.findall(r"^ {4,8}(\w+): ", text.partition("Raises:")[2], re.MULTILINE)
    ours = {name for name, kind in vars(errors).items() if inspect.isclass(kind)}
    return {*raised, *(ours & set(re.findall(r"\w+", text)))}


NUMBER = re.compile(r"\b(?:int|float|Decimal|Dollars)\b")


def test_every_number_of_a_public_record_says_what_it_counts() -> None:
    untold = [
        f"{name}.{field}"
        for name, kind in {**public(), **led_to()}.items()
        # The keywords of settings are those of `Settings`, where each has a description.
        if isinstance(kind, type) and not typing.is_typeddict(kind)
        for field, annotation in inspect.get_annotations(kind).items()
        if NUMBER.search(str(annotation)) and not _is_told(kind, field)
    ]
    assert untold == []


UNIT = re.compile(
    r"""\b(?:counts?|how\ many|at\ most|from\ [01]|0\ to\ \d|1\ to\ \d|seconds?|minutes|dollars
    |characters|bytes|tokens|offsets?|shares?|probabilit|index|unit|level|p-value|power|HTTP|number)\b|[01]–\d""",
    re.VERBOSE | re.IGNORECASE,
)
"""What tells the unit or the range of a number."""


def test_every_public_number_has_a_unit_or_a_range() -> None:
    unitless = [
        f"{name}.{field}"
        for name, kind in {**public(), **led_to()}.items()
        if isinstance(kind, type) and not typing.is_typeddict(kind)
        for field, annotation in inspect.get_annotations(kind).items()
        if NUMBER.search(str(annotation)) and not UNIT.search(_told(kind, field))
    ]
    assert unitless == []


def _told(kind: type, field: str) -> str:
    """The description of a field, or the paragraphs of its class and its bases that name it."""
    of_model = getattr(kind, "model_fields", {}).get(field)
    named = re.compile(rf"`[^`]*\b{field}\b[^`]*`|^ *{field}: ", re.MULTILINE)
    docs = [inspect.cleandoc(base.__doc__ or "") for base in kind.__mro__]
    parts = [part for doc in docs for part in re.split(r"\n\n|\n(?= *\w+: )", doc)]
    return "\n".join([of_model.description or "" if of_model else "", *filter(named.search, parts)])


def _is_told(kind: type, field: str) -> bool:
    """Whether the field has a description, or its class or a base of it names it."""
    of_model = getattr(kind, "model_fields", {}).get(field)
    named = re.compile(rf"`[^`]*\b{field}\b[^`]*`|^ +{field}: ", re.MULTILINE)
    docs = (base.__doc__ or "" for base in kind.__mro__)
    return bool(of_model and of_model.description) or any(map(named.search, docs))


@pytest.mark.parametrize("name", ["Critic", "SearchProvider"])
def test_the_protocols_can_be_asked_of_an_object(name: str) -> None:
    assert not isinstance(object(), getattr(foureyes, name))


def test_a_users_program_that_type_checkers_read_uses_every_public_name() -> None:
    tree = ast.parse((ROOT / "tests" / "typed" / "every_public_name.py").read_text("utf-8"))
    used = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    used.update(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    assert [name for name in foureyes.__all__ if not used[name]] == []


def test_every_setting_is_a_typed_keyword() -> None:
    parts = set(PART_KEYS)
    named = {name for name in Settings.model_fields if name not in parts}
    assert SettingValues.__annotations__.keys() == named
    assert RunOptions.__annotations__.keys() == SettingValues.__annotations__.keys() | parts
