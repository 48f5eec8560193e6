"""The groups of attacks, read from `catalogue.yaml` and `reviews.yaml`.

A group has an `Attack` for each entry of `attacks`, or, where an entry has `cases`, for each of
these: ``{case}`` is its name, ``{value}`` all that it is given, ``{0}``, ``{1}`` … its parts. With
`only` it is for some of the cases; `every` names edits that replace all, `let_through` attacks that
are made harmless without a refusal. A call is ``{tool: arguments}``; `read`, `edit` and `fetch`
take just their words. ``«x*9»`` stands for nine x, ``{whole}`` for all of the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

from integration.claude.attacks.attack import Attack, Group, a_form, filled_in
from integration.claude.attacks.judging import MEANWHILE, judge
from integration.claude.attacks.tasks import TASKS
from ruamel.yaml import YAML
from support.claude_turn import edit, read
from support.messages_server import ToolCall

Entry = Mapping[str, Any]
REPEATED = re.compile(r"«(.+?)\*(\d+)»")
OWN = {field.name for field in fields(Attack)}


def groups_of(name: str) -> tuple[Group, ...]:
    """The groups of a file beside this one."""
    data = cast("Any", YAML(typ="safe")).load(Path(__file__).with_name(name))
    return tuple(map(group_of, data))


def group_of(entry: Entry) -> Group:
    """A group as it stands in a file."""
    words = {"whole": a_form().template.rstrip("\n"), **entry.get("words", {})}
    attacks = tuple(attack_of(filled_in(one, words)) for one in expanded(entry["attacks"]))
    known = {name: value for name, value in entry.items() if name != "words"}
    known |= {"task": TASKS[entry.get("task", "form")], "attacks": attacks}
    known["meanwhile"] = MEANWHILE.get(entry.get("meanwhile", ""))
    return Group(**known)


def expanded(entries: list[Any]) -> Iterator[Entry]:
    """Every attack of the entries, one for each of their cases."""
    for entry in entries:
        if isinstance(entry, list):
            yield from expanded(cast("list[Any]", entry))
        elif "cases" not in entry:
            yield entry
        else:
            given = cast("dict[str, Any] | list[str]", entry["cases"])
            pairs = given if isinstance(given, dict) else dict[str, Any].fromkeys(given)
            for case, value in pairs.items():
                if case in entry.get("only", given):
                    yield one_case(entry, case, value)


def one_case(entry: Entry, case: str, value: Any) -> Entry:
    """The attack of an entry for one of its cases."""
    parts = cast("list[Any]", value if isinstance(value, list) else [value])
    words = {str(number): part for number, part in enumerate(parts)}
    one = filled_in(dict(entry), {**words, "case": case, "value": value})
    if case in entry.get("let_through", ()):
        one["reason"] = ""
    if case in entry.get("every", ()):
        one["more"] = {"replace_all": True}
    return one


def attack_of(entry: Entry) -> Attack:
    """An attack as it stands in a file."""
    known: dict[str, Any] = {name: value for name, value in entry.items() if name in OWN}
    more = entry.get("more", {})
    calls = tuple(call_of(one, more) for one in entry.get("calls", ())) * entry.get("times", 1)
    known |= {"calls": calls, "passed": judge(entry["passed"])}
    return Attack(**known)


def call_of(given: Mapping[str, Any], more: Mapping[str, Any]) -> ToolCall:
    """A call as it stands in a file."""
    ((name, arguments),) = given.items()
    words = repeated(arguments)
    if isinstance(words, dict):
        return ToolCall(name, cast("dict[str, Any]", words))
    match name:
        case "read":
            return read(words)
        case "edit":
            return edit(*words, **more)
        case _:
            return ToolCall("mcp__foureyes__fetch_source", {"url": words})


def repeated(value: Any) -> Any:
    """`value` with what stands for a word many times written out."""
    if isinstance(value, str):
        return REPEATED.sub(lambda found: found[1] * int(found[2]), value)
    if isinstance(value, list):
        return [repeated(part) for part in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: repeated(part) for key, part in cast("dict[str, Any]", value).items()}
    return value


GROUPS = groups_of("catalogue.yaml")
NAMED = {group.name: group for group in GROUPS}
DESK_GROUPS = tuple(group for group in GROUPS if group.family in ("fetch", "allowances"))
"""Those in which the fact checker's tools are offered."""

REVIEWS = {group.name: group for group in groups_of("reviews.yaml")}


def verifying(name: str, *attacks: Attack) -> Group:
    """Attacks on the tools of a web verifier, which cannot search the document."""
    fit = (one for one in attacks if all("grep_document" not in call.name for call in one.calls))
    return replace(REVIEWS["a web verifier's form"], name=name, attacks=tuple(fit))


VERIFIER_WEB = verifying(
    "a web verifier's tools",
    *NAMED["fetching"].attacks[::6],
    *NAMED["pages and snapshots"].attacks,
    *NAMED["searching"].attacks,
)
VERIFIER_CARRIERS = verifying("every way to carry words out", *NAMED["fetching"].attacks)
