"""A batch's filled form at the border: passages, quotations and claims must exist."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import Error, IssueType, Success, Verdict
from foureyes.datatypes import FactCheckInput, IterationEvidence
from pydantic import JsonValue
from support.agent_kit import evidence_of, fact_checker, fact_context
from support.evidence_run import services
from support.scripted_backend import Fill, ScriptedBackend

PAGE = "https://yard.example/a"
TEXT = (
    "The yard of Castrel expects to build twelve ships a year. Its owner is Mara Lind.\n\n"
    + "The slipway was painted green by the apprentices of the yard.\n\n" * 8
    + "A ship for the coast guard of Velm left the yard in June 2021.\n"
)
DRAFT = f"# Yard\n\nThe yard of Castrel builds twelve ships a year ({PAGE}). It is loud there.\n"


def evidence() -> IterationEvidence:
    return evidence_of(DRAFT, {PAGE: TEXT})


def form(found: IterationEvidence, **changes: JsonValue) -> Fill:
    values: dict[str, JsonValue] = {
        "/recommendation": "reject",
        "/recommendation_reason": "Because.",
        "/additional_claims": changes.get("added", []),
        "/issues": changes.get("issues", []),
    }
    for number, claim in enumerate(found.claims):
        first = number == 0
        values[f"/claims/{claim.id}/verdict"] = (
            changes.get("verdict", "unverifiable") if first else "unverifiable"
        )
        values[f"/claims/{claim.id}/passage"] = changes.get("passage", "") if first else ""
        values[f"/claims/{claim.id}/reason"] = "It only expects it."
    return Fill(values)


def added(**changes: str) -> JsonValue:
    entry = {"quote": "It is loud", "verdict": "unverifiable", "passage": "", "reason": "Bare."}
    return dict(entry | changes)


def stated(found: IterationEvidence, **changes: str) -> JsonValue:
    entry = {
        "claim": found.claims[0].id,
        "type": "arithmetic",
        "problem": "The sum is off.",
        "passage": "",
        "recommendation": "Correct it.",
    }
    return dict(entry | changes)


PASSAGES = [
    ("its id", "p1"),
    ("words of the source", "left the yard  in June 2021"),
]


@pytest.mark.parametrize(("how", "named"), PASSAGES, ids=[p[0] for p in PASSAGES])
async def test_a_passage_is_named_by_id_or_by_its_exact_words(
    how: str, named: str, tmp_path: Path
) -> None:
    found = evidence()
    backend = ScriptedBackend([form(found, verdict="contradicted", passage=named)])
    result = await fact_checker(backend).process(fact_context(services(tmp_path), found))
    assert isinstance(result, Success)
    entry = result.output.fact_check.claims[found.claims[0].id]
    assert entry.verdict is Verdict.CONTRADICTED
    record = entry.evidence[0]
    assert found.sources.texts[record.sha256][record.start : record.end] == record.quote


REFUSED: list[tuple[str, dict[str, JsonValue], str]] = [
    ("an invented passage", {"passage": "The yard builds 90 ships"}, "nor words that stand in"),
    ("an invented quotation", {"added": [added(quote="It is silent")]}, "is not in the document"),
    ("an invented source", {"added": [added(passage="never said")]}, "are not words of a source"),
]


@pytest.mark.parametrize(("what", "changes", "problem"), REFUSED, ids=[r[0] for r in REFUSED])
async def test_what_does_not_exist_is_sent_back(
    what: str, changes: dict[str, JsonValue], problem: str, tmp_path: Path
) -> None:
    found = evidence()
    backend = ScriptedBackend([form(found, **changes)] * 3)
    result = await fact_checker(backend).process(fact_context(services(tmp_path), found))
    assert isinstance(result, Error)
    assert problem in result.message
    assert problem in backend.tasks[1].user_prompt


ISSUES = [
    ({"claim": "c-0"}, "'c-0' is none of c-"),
    ({"type": "taste"}, "'taste' is none of arithmetic"),
    ({"type": "misattributed"}, "name the passage that shows it"),
]


@pytest.mark.parametrize(("changes", "problem"), ISSUES)
async def test_an_issue_names_a_claim_a_type_and_a_passage(
    changes: dict[str, str], problem: str, tmp_path: Path
) -> None:
    found = evidence()
    backend = ScriptedBackend([form(found, issues=[stated(found, **changes)])] * 3)
    result = await fact_checker(backend).process(fact_context(services(tmp_path), found))
    assert isinstance(result, Error)
    assert problem in result.message


async def test_an_issue_inside_the_document_needs_no_passage(tmp_path: Path) -> None:
    found = evidence()
    backend = ScriptedBackend([form(found, issues=[stated(found)])])
    result = await fact_checker(backend).process(fact_context(services(tmp_path), found))
    assert isinstance(result, Success)
    (issue,) = [f for f in result.output.findings if f.type is IssueType.ARITHMETIC]
    assert (issue.origin, issue.claim_id) == ("fact_checker", found.claims[0].id)


ADDED: list[tuple[str, str, str, list[IssueType]]] = [
    ("supported with its words", "supported", "painted green", []),
    ("no claim at all", "not_checkable", "", []),
    ("against its words", "contradicted", "painted green", [IssueType.VERIFIED_FALSE]),
    ("not settled by its words", "unverifiable", "painted green", [IssueType.UNVERIFIABLE]),
    ("without any", "supported", "", [IssueType.UNSOURCED]),
]


@pytest.mark.parametrize(("how", "verdict", "words", "types"), ADDED, ids=[a[0] for a in ADDED])
async def test_an_additional_claim_is_held_to_what_its_source_says(
    how: str, verdict: str, words: str, types: list[IssueType], tmp_path: Path
) -> None:
    found = evidence()
    extra = added(verdict=verdict, passage=words)
    backend = ScriptedBackend([form(found, added=[extra])])
    result = await fact_checker(backend).process(fact_context(services(tmp_path), found))
    assert isinstance(result, Success)
    raised = [f.type for f in result.output.findings if f.claim == "It is loud"]
    assert raised == types


async def test_without_a_desk_the_given_passages_are_known(tmp_path: Path) -> None:
    found = evidence_of(f"# Yard\n\nIt is loud in the yard of Castrel ({PAGE}).\n", {PAGE: TEXT})
    context = replace(fact_context(services(tmp_path), found), source_tools=None)
    backend = ScriptedBackend([form(found, verdict="contradicted", passage="P1")])
    agent = fact_checker(backend)
    result = await agent.process(context)
    assert isinstance(result, Success)
    (entry,) = result.output.fact_check.claims.values()
    assert entry.verdict is Verdict.CONTRADICTED
    assert backend.tasks[0].tools == ()
    assert isinstance(backend.tasks[0].inputs, FactCheckInput)


async def test_sentences_that_are_no_claims_are_listed_with_the_rule(tmp_path: Path) -> None:
    found = evidence_of("# Yard\n\nSuppose that the yard builds 12 ships a year.\n", {})
    assert [claim.exclusion for claim in found.claims] == ["hypothetical"]
    result = await fact_checker(ScriptedBackend([])).process(
        fact_context(services(tmp_path), found)
    )
    assert isinstance(result, Success)
    (entry,) = result.output.fact_check.claims.values()
    assert entry.verdict is Verdict.NOT_CHECKABLE
    assert result.output.fact_check.summary.not_checkable_claims == 1


async def test_what_cites_nothing_and_has_no_figure_costs_no_batch(tmp_path: Path) -> None:
    found = evidence_of("# Yard\n\nThe yard of Castrel builds 12 ships a year.\n", {})
    weighed = {
        claim_id: replace(assessment, verdict=Verdict.NOT_CHECKABLE, decided=True)
        for claim_id, assessment in found.assessments.items()
    }
    backend = ScriptedBackend([])
    result = await fact_checker(backend).process(
        fact_context(services(tmp_path), replace(found, assessments=weighed))
    )
    assert isinstance(result, Success)
    (entry,) = result.output.fact_check.claims.values()
    assert entry.verdict is Verdict.NOT_CHECKABLE
    assert backend.tasks == []
