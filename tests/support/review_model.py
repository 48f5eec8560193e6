"""A model that plays the agents of a document review by rule.

Each turn reads all files, replaces its form's text in one edit, and ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from support.claude_turn import edit, read, working_folder
from support.messages_server import Reply, Request
from support.model_rules import NAMED_FILE, OPEN, files_read, first_passage

Json: TypeAlias = Any
FORMS = ("findings.json", "defence.json", "items.json", "claims.json", "results.json")


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """What the model does; where nothing is said, it finds nothing and doubts nothing.

    Attributes:
        findings: What each lens reports.
        defences: Words of a finding's problem -> the outcome and the words of the document.
        failed: Words of a tested statement -> why it failed.
        classes: Words of a claim that code found -> fields of it that the extractor changes.
        added: What an extractor adds, by the name of its part.
        results: Words of a claim -> slots of the web verifier; the passage "first" is the first
            one that is listed for it.
        delay_s: How long each answer of a role takes, by the name of its form.
    """

    findings: Mapping[str, Sequence[Mapping[str, Json]]] = field(
        default_factory=dict[str, Sequence[Mapping[str, Json]]]
    )
    defences: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    failed: Mapping[str, str] = field(default_factory=dict[str, str])
    classes: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    added: Mapping[str, Sequence[Mapping[str, Json]]] = field(
        default_factory=dict[str, Sequence[Mapping[str, Json]]]
    )
    results: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    delay_s: Mapping[str, float] = field(default_factory=dict[str, float])


def reviews(plan: ReviewPlan) -> Callable[[Request], Reply]:
    """The rule that plays `plan`; one rule serves all turns of a review."""

    def rule(request: Request) -> Reply:
        names = tuple(dict.fromkeys(NAMED_FILE.findall(request.prompt)))
        form = next(name for name in FORMS if name in names)
        folder, delay_s = working_folder(request), plan.delay_s.get(form, 0.0)
        match request.step:
            case 0:
                return Reply("", tuple(read(folder / name) for name in names), delay_s)
            case 1:
                before = files_read(request)[form].rstrip()
                after = json.dumps(_filled(form, before, request, plan), indent=2)
                return Reply("", (edit(folder / form, before, after),), delay_s)
            case _:
                return Reply("Done.")

    return rule


def _filled(form: str, text: str, request: Request, plan: ReviewPlan) -> Json:
    data = json.loads(text)
    if form == "findings.json":
        lens = request.turn.rpartition("/")[2]
        return {"summary": "Looked at all of it.", "findings": list(plan.findings.get(lens, ()))}
    if form == "defence.json":
        for entry in data["defences"].values():
            planned = (plan.defences[words] for words in plan.defences if words in entry["problem"])
            outcome, words = next(planned, ("survived", ""))
            entry |= {"outcome": outcome, "words": words, "argument": "As the words say."}
        return data
    if form == "claims.json":
        return _classified(data, plan, request.turn.rpartition("/")[2])
    if form == "results.json":
        return _verified(data, plan, files_read(request))
    for entry in data["items"].values():
        said = (why for words, why in plan.failed.items() if words in entry["statement"])
        if entry["verdict"].startswith(OPEN):
            reason = next(said, "")
            entry |= {"verdict": "FAILED" if reason else "VERIFIED", "reason": reason}
    return data


def _classified(data: Json, plan: ReviewPlan, part: str) -> Json:
    for entry in data["claims"].values():
        for words, changes in plan.classes.items():
            if words in entry["quote"]:
                entry |= changes
    return {**data, "added_claims": list(plan.added.get(part, ()))}


def _verified(data: Json, plan: ReviewPlan, files: Mapping[str, str]) -> Json:
    nothing = {"verdict": "UNVERIFIABLE", "passage": "", "other_passage": "", "reason": "Nothing."}
    for claim_id, entry in data["claims"].items():
        said = next(
            (given for words, given in plan.results.items() if words in entry["claim"]), None
        )
        if said is None and not entry["verdict"].startswith(OPEN):
            continue
        entry |= {**nothing, **(said or {})}
        if entry["passage"] == "first":
            entry["passage"] = first_passage(claim_id, files)
    return data
