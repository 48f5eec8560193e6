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
from support.model_rules import NAMED_FILE, OPEN, files_read

Json: TypeAlias = Any
FORMS = ("findings.json", "defence.json", "items.json")


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """What the model does; where nothing is said, it finds nothing and doubts nothing.

    Attributes:
        findings: What each lens reports.
        defences: Words of a finding's problem -> the outcome and the words of the document.
        failed: Words of a tested statement -> why it failed.
        delay_s: How long each answer of a role takes, by the name of its form.
    """

    findings: Mapping[str, Sequence[Mapping[str, Json]]] = field(
        default_factory=dict[str, Sequence[Mapping[str, Json]]]
    )
    defences: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    failed: Mapping[str, str] = field(default_factory=dict[str, str])
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
    for entry in data["items"].values():
        said = (why for words, why in plan.failed.items() if words in entry["statement"])
        if entry["verdict"].startswith(OPEN):
            reason = next(said, "")
            entry |= {"verdict": "FAILED" if reason else "VERIFIED", "reason": reason}
    return data
