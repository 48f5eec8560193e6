"""A model that plays every agent by rule: it reads what its prompt names and fills its form.

Each turn reads all files, replaces the form's text in one edit, and ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from support.claude_turn import edit, read, working_folder
from support.messages_server import Reply, Request, ToolCall

Json: TypeAlias = Any
Asks: TypeAlias = Callable[[Mapping[str, str]], Sequence[ToolCall]]

FORMS = (
    "form.json",
    "feedback.json",
    "fact_check.json",
    "judgement.json",
    "answers.json",
    "analysis.md",
)
"""The checkers' forms first: a checker is given the analysis to read."""
OPEN = "[TODO:"
NAMED_FILE = re.compile(r"`([\w.-]+\.(?:md|json|txt))`")
NUMBERED_LINE = re.compile(r"(\d+)\t(.*)")
MARKDOWN_SLOT = re.compile(r"\[TODO:(?:[^\[\]]|\[[^\[\]]*\])*\]")


@dataclass(frozen=True, slots=True)
class Plan:
    """What the model does; where nothing is said, it approves and finds nothing.

    Attributes:
        texts: The analyst's first document: words of a slot -> the text for it.
        corrections: The analyst's revision: old words -> new words.
        issues: The reviewer's issues by iteration; some make it reject.
        own: The issues of an agent of the user's own by iteration, in a form's list of that name.
        verdicts: The fact checker's by iteration: words of the claim -> verdict.
        answers: The answerer's: words of the question -> words of a passage; "" for none of them.
        asks: What the fact checker asks of its tools before it fills its form, after its files.
        delay_s: How long each answer of a role takes, by the name of its form.
    """

    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    corrections: Mapping[str, str] = field(default_factory=dict[str, str])
    issues: Mapping[int, Sequence[Mapping[str, str]]] = field(
        default_factory=dict[int, Sequence[Mapping[str, str]]]
    )
    own: Mapping[int, Sequence[Mapping[str, str]]] = field(
        default_factory=dict[int, Sequence[Mapping[str, str]]]
    )
    verdicts: Mapping[int, Mapping[str, str]] = field(default_factory=dict[int, Mapping[str, str]])
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    asks: Asks | None = None
    delay_s: Mapping[str, float] = field(default_factory=dict[str, float])


def plays(plan: Plan) -> Callable[[Request], Reply]:
    """The rule that plays `plan`; one rule serves all turns of a run."""

    def rule(request: Request) -> Reply:
        names = tuple(dict.fromkeys(NAMED_FILE.findall(request.prompt)))
        form = next(name for name in FORMS if name in names)
        folder = working_folder(request)
        files = files_read(request)
        asks = plan.asks if form == "fact_check.json" else None
        steps = ("read", "ask", "fill") if asks else ("read", "fill")
        calls: Sequence[ToolCall] = ()
        match steps[request.step] if request.step < len(steps) else "end":
            case "read":
                calls = [read(folder / name) for name in names]
            case "ask" if asks:
                calls = asks(files)
            case "fill":
                filled = fill(form, files, plan, iteration_of(request))
                calls = [edit(folder / form, files[form].rstrip(), filled.rstrip())]
            case _:
                return Reply("Done.")
        return Reply("", tuple(calls), plan.delay_s.get(form, 0.0))

    return rule


def iteration_of(request: Request) -> int:
    return int(request.turn.partition("/")[0])


def files_read(request: Request) -> dict[str, str]:
    """The files that were read, by name, without the numbers of the lines."""
    texts: dict[str, str] = {}
    for exchange in request.exchanges:
        if exchange.call.name == "Read" and not exchange.is_error:
            name = str(exchange.call.input["file_path"]).rpartition("/")[2]
            texts[name] = "\n".join(_lines(exchange.result))
    return texts


def _lines(result: str) -> Iterator[str]:
    for number, line in enumerate(result.split("\n"), start=1):
        match = NUMBERED_LINE.fullmatch(line)
        if match is None or int(match[1]) != number:
            return
        yield match[2]


def fill(form: str, files: Mapping[str, str], plan: Plan, iteration: int) -> str:
    if form == "analysis.md":
        return _analysis(files[form], plan)
    data = json.loads(files[form])
    if form == "feedback.json":
        data["issues"] = list(plan.issues.get(iteration, ()))
        data["recommendation"] = "reject" if data["issues"] else "approve"
    elif form == "form.json":
        data["issues"] = list(plan.own.get(iteration, ()))
    elif form == "fact_check.json":
        _verdicts(data, plan.verdicts.get(iteration, {}), files)
    elif form == "answers.json":
        _answers(data, plan.answers, files)
    return json.dumps(_closed(data), indent=2, ensure_ascii=False)


def _analysis(text: str, plan: Plan) -> str:
    for old, new in plan.corrections.items():
        text = text.replace(old, new)

    def written(slot: re.Match[str]) -> str:
        found = (new for words, new in plan.texts.items() if words in slot[0])
        return next(found, "Nothing is left to say here.")

    return MARKDOWN_SLOT.sub(written, text)


def _verdicts(data: Json, verdicts: Mapping[str, str], files: Mapping[str, str]) -> None:
    rejects = False
    for claim_id, slots in data["claims"].items():
        planned = next((v for words, v in verdicts.items() if words in slots["claim"]), None)
        if planned:
            slots["verdict"] = planned
        elif slots["verdict"].startswith(OPEN):
            slots["verdict"] = "supported"
        if slots["passage"].startswith(OPEN):
            slots["passage"] = first_passage(claim_id, files)
        rejects |= slots["verdict"] == "contradicted"
    data["recommendation"] = "reject" if rejects else "approve"


def _answers(data: Json, answers: Mapping[str, str], files: Mapping[str, str]) -> None:
    """What is planned, from the first passage; of all else the answerer is unsure."""
    for name, slots in data["answers"].items():
        said = next((said for words, said in answers.items() if words in slots["question"]), None)
        stated = "unsure" if said is None else "yes" if said else "no"
        passage = first_passage(name, files) if said else ""
        slots.update(stated=stated, answer=said or "", passage=passage)


def first_passage(claim_id: str, files: Mapping[str, str]) -> str:
    """The first passage listed for a claim in the files that were read, "" if there is none."""
    text = "\n".join(files.values())
    section = re.search(rf"^## {re.escape(claim_id)}\b.*?(?=^## |\Z)", text, re.M | re.S)
    passage = re.search(r"^Passage (\S+),", section[0], re.M) if section else None
    return passage[1] if passage else ""


def _closed(value: Json, key: str = "") -> Json:
    """`value` with every open slot filled, and every example left out."""
    if isinstance(value, dict):
        entries = cast("dict[str, Json]", value)
        return {name: _closed(part, name) for name, part in entries.items()}
    if isinstance(value, list):
        elements = cast("list[Json]", value)
        return [_closed(part, key) for part in elements if OPEN not in json.dumps(part)]
    if isinstance(value, str) and value.startswith(OPEN):
        return {"recommendation": "approve", "score": 0.9}.get(key, "As the text has it.")
    return value
