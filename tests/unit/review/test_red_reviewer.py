"""The red reviewer: its findings placed by code, its form bounded, nothing but reading allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import EditRefused, Error, FailureKind, Severity, Success
from foureyes.core.edit_policy import fill_slots
from foureyes.datatypes import JsonSlots, Lens, RedFinding
from pydantic import JsonValue
from support.agent_kit import offline
from support.review_kit import ACRONYM, red_context, red_reviewer
from support.scripted_backend import Fill, ScriptedBackend, Write


def entry(**changes: JsonValue) -> dict[str, JsonValue]:
    fields: dict[str, JsonValue] = {
        "issue": "Inconsistent number",
        "severity": "high",
        "quote": "The crane lifts 40 tonnes at low tide",
        "line": "line 9",
        "problem": "Above it is about 40.",
    }
    return fields | changes


def filled(*findings: dict[str, JsonValue]) -> Fill:
    return Fill({"/summary": "Looked at the text.", "/findings": list(findings)})


async def reviewed(folder: Path, *findings: dict[str, JsonValue]) -> tuple[RedFinding, ...]:
    result = await red_reviewer(ScriptedBackend([filled(*findings)])).process(red_context(folder))
    assert isinstance(result, Success), result
    return result.output


async def test_a_finding_is_given_an_id_and_the_words_of_the_document(tmp_path: Path) -> None:
    (finding,) = await reviewed(tmp_path, entry(quote='The crane lifts "about" 40 tonnes.'))
    assert finding == RedFinding(
        finding.id,
        Lens.TEXTUAL,
        "The crane lifts “about” 40 tonnes",
        3,
        "inconsistent_number",
        "Above it is about 40.",
        Severity.HIGH,
    )


PLACES = [
    ("as stated", "The crane lifts", 9, 9),
    ("the first of two", "The crane lifts", 5, 3),
    ("another line than stated", "at low tide", 4, 9),
    ("no number at all", "at low tide", "at the end", 9),
]


@pytest.mark.parametrize(("quote", "stated", "line"), [p[1:] for p in PLACES], ids=lambda p: str(p))
async def test_code_sets_the_line_of_a_quotation(
    quote: str, stated: int | str, line: int, tmp_path: Path
) -> None:
    (finding,) = await reviewed(tmp_path, entry(quote=quote, line=stated))
    assert (finding.quote, finding.line) == (quote, line)


async def test_words_that_stand_nowhere_are_kept_for_the_smoke_test(tmp_path: Path) -> None:
    (finding,) = await reviewed(tmp_path, entry(quote="The crane lifts 50 tonnes", line=9))
    assert (finding.quote, finding.line) == ("The crane lifts 50 tonnes", 9)


async def test_the_same_finding_twice_is_one_and_another_has_another_id(tmp_path: Path) -> None:
    found = await reviewed(tmp_path, entry(), entry(), entry(problem="It is at low tide only."))
    assert len(found) == 2
    assert len({finding.id for finding in found}) == 2


UNREADABLE = [
    (filled(entry(severity="blocker")), "/findings/0/severity: "),
    (Fill({"/summary": "Half.", "/findings": [entry(problem="")]}), "/findings/0/problem is empty"),
    (Write("{}"), "/summary is gone"),
    (Fill({"/summary": "Well.", "/findings": []}, coverage=0.4), "only 40 % of the text"),
]


@pytest.mark.parametrize(("move", "told"), UNREADABLE, ids=[told for _, told in UNREADABLE])
async def test_what_cannot_be_read_is_no_review(
    move: Fill | Write, told: str, tmp_path: Path
) -> None:
    result = await red_reviewer(ScriptedBackend([move] * 3)).process(red_context(tmp_path))
    assert isinstance(result, Error)
    assert result.kind is FailureKind.MALFORMED
    assert told in result.message


TOO_MUCH: list[tuple[list[JsonValue], str]] = [
    ([entry()] * 41, "at most 40"),
    ([entry(quote="x" * 601)], "at most 600"),
    ([entry(problem="x" * 1501)], "at most 1,500"),
    ([entry(issue="x" * 61)], "at most 60"),
    ([entry(problem="\x1b[2J")], "control character"),
]


@pytest.mark.parametrize(("findings", "told"), TOO_MUCH, ids=[told for _, told in TOO_MUCH])
def test_no_form_holds_more_than_its_bounds(
    findings: list[JsonValue], told: str, tmp_path: Path
) -> None:
    task = red_reviewer(ScriptedBackend([])).build_task(red_context(tmp_path))
    assert isinstance(task.policy, JsonSlots)
    with pytest.raises(EditRefused, match=told):
        fill_slots(task.template, task.policy, {"/summary": "Much.", "/findings": findings})


def test_each_lens_is_told_what_it_looks_for_and_what_is_known(tmp_path: Path) -> None:
    agent = red_reviewer(ScriptedBackend([]))
    tasks = {lens: agent.build_task(red_context(tmp_path, lens=lens)) for lens in Lens}
    assert [task.name for task in tasks.values()] == [
        "1/red/textual",
        "1/red/analytical",
        "1/red/strategic",
    ]
    assert len({task.system_prompt for task in tasks.values()}) == 3
    assert list(tasks[Lens.TEXTUAL].readable) == ["document.md"]
    informed = agent.build_task(red_context(tmp_path, ACRONYM))
    assert "never spelled out" in informed.readable["known.md"]
    assert "`known.md`" in informed.user_prompt


def test_a_long_document_comes_in_parts_that_can_be_searched(tmp_path: Path) -> None:
    long = "The crane lifts 40 tonnes.\n" * 6000
    task = red_reviewer(ScriptedBackend([])).build_task(red_context(tmp_path, document=long))
    assert list(task.readable) == [f"document-part-{n}-of-4.md" for n in range(1, 5)]
    assert [tool.name for tool in task.tools] == ["grep_document"]
    assert "cut into parts" in task.user_prompt


async def test_offline_it_adds_nothing_to_what_rules_found(tmp_path: Path) -> None:
    result = await red_reviewer(offline()).process(red_context(tmp_path, ACRONYM))
    assert isinstance(result, Success)
    assert result.output == ()
