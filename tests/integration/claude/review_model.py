"""A model that plays the agents of a document review by rule.

Each turn reads all files, makes the calls that are planned for it, replaces its form's text in one
edit, and ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from support.claude_turn import edit, read, working_folder
from support.messages_server import Reply, Request, ToolCall
from support.model_rules import NAMED_FILE, OPEN, files_read, first_passage

Json: TypeAlias = Any
Tries: TypeAlias = Callable[[Request, Path], Sequence[ToolCall]]
"""The calls that a turn makes in its folder before it fills its form."""
FORMS = ("findings.json", "defence.json", "items.json", "claims.json", "results.json")


def nothing(_request: Request, _folder: Path) -> Sequence[ToolCall]:
    """No calls."""
    return ()


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """What the model does; where nothing is said, it finds nothing and doubts nothing.

    Attributes:
        findings: What each lens reports.
        defences: Words of a finding's problem -> the outcome and the words of the document.
        failed: Words of a tested statement -> why it failed.
        classes: Words of a claim that code found -> fields that the extractor changes.
        claims: What the extractor adds.
        results: Words of a claim -> the slots of the verifier, also of what code has settled; the
            passage "first" is the first one that its files list for it.
        tries: What turns try before they fill their form.
        delay_s: How long each answer of a turn takes, by the beginning of its name.
    """

    findings: Mapping[str, Sequence[Mapping[str, Json]]] = field(
        default_factory=dict[str, Sequence[Mapping[str, Json]]]
    )
    defences: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    failed: Mapping[str, str] = field(default_factory=dict[str, str])
    classes: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    claims: Sequence[Mapping[str, Json]] = ()
    results: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    tries: Tries = nothing
    delay_s: Mapping[str, float] = field(default_factory=dict[str, float])


def reviews(plan: ReviewPlan) -> Callable[[Request], Reply]:
    """The rule that plays `plan`; one rule serves all turns of a review."""

    def rule(request: Request) -> Reply:
        names = tuple(dict.fromkeys(NAMED_FILE.findall(request.prompt)))
        form = next(name for name in FORMS if name in names)
        folder = working_folder(request)
        steps: list[tuple[ToolCall, ...]] = [tuple(read(folder / name) for name in names)]
        if calls := tuple(plan.tries(request, folder)):
            steps.append(calls)
        delay_s = max((s for t, s in plan.delay_s.items() if request.turn.startswith(t)), default=0)
        if request.step < len(steps):
            return Reply("", steps[request.step], delay_s)
        if request.step > len(steps):
            return Reply("Done.", delay_s=delay_s)
        before = files_read(request)[form].rstrip()
        after = json.dumps(_filled(form, before, request, plan), indent=2)
        return Reply("", (edit(folder / form, before, after),), delay_s)

    return rule


def _filled(form: str, text: str, request: Request, plan: ReviewPlan) -> Json:
    data = json.loads(text)
    match form:
        case "findings.json":
            lens = request.turn.rpartition("/")[2]
            return {"summary": "Looked.", "findings": list(plan.findings.get(lens, ()))}
        case "defence.json":
            for entry in data["defences"].values():
                outcome, words = _planned(plan.defences, entry["problem"], ("survived", ""))
                entry |= {"outcome": outcome, "words": words, "argument": "As the words say."}
        case "items.json":
            for entry in data["items"].values():
                if entry["verdict"].startswith(OPEN):
                    reason = _planned(plan.failed, entry["statement"], "")
                    entry |= {"verdict": "FAILED" if reason else "VERIFIED", "reason": reason}
        case "claims.json":
            for entry in data["claims"].values():
                entry |= _planned(plan.classes, entry["quote"], {})
            data["added_claims"] = list(plan.claims)
        case _:
            _verify(data, plan, files_read(request))
    return data


def _verify(data: Json, plan: ReviewPlan, files: Mapping[str, str]) -> None:
    for claim, entry in data["claims"].items():
        if entry["verdict"].startswith(OPEN):
            silent = {"verdict": "UNVERIFIABLE", "reason": "No source has it."}
            entry |= {"passage": "", "other_passage": "", **silent}
        entry |= _planned(plan.results, entry["claim"], {})
        if entry["passage"] == "first":
            entry["passage"] = first_passage(claim, files)


def _planned(plan: Mapping[str, Json], text: str, otherwise: Json) -> Json:
    return next((what for words, what in plan.items() if words in text), otherwise)
