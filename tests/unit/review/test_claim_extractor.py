"""The claim extractor: it classifies code's claims, adds others, and is offered no web."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import Error, FailureKind, Success
from foureyes.core.tasks import AgentResult
from foureyes.datatypes import ClaimTopic, ExtractedClaim, Materiality, Polarity, Temporality
from foureyes.review.extraction import extracted_claim
from foureyes.review.types import ClaimExtractorConfig
from pydantic import JsonValue
from support.agent_kit import offline
from support.evidence_run import services
from support.scripted_backend import Fill, Move, ScriptedBackend
from support.web_agents_kit import extraction_contexts, extractor

TEXT = """# Port

The port of Alden employs 240 people. The quay is old.

The ministry should repair the quay of Alden.

The quay of Alden was built in 1934, and the
crane was bought “second-hand” in Borum.

The quay is old.
"""


def adds(**changes: JsonValue) -> dict[str, JsonValue]:
    return {
        "claim": "The crane came from Borum.",
        "quote": "crane was bought “second-hand” in Borum",
        "line": 8,
        "category": "historical",
        "materiality": "BACKGROUND",
        "temporality": "static",
        "polarity": "Asserted",
        **changes,
    }


def move(*added: dict[str, JsonValue], **slots: JsonValue) -> Fill:
    return Fill({"/added_claims": list(added), **slots})


async def extracted(folder: Path, given: Move) -> AgentResult[tuple[ExtractedClaim, ...]]:
    (context,) = extraction_contexts(services(folder), TEXT)
    return await extractor(ScriptedBackend([given] * 3)).process(context)


def floor(folder: Path) -> tuple[ExtractedClaim, ...]:
    (context,) = extraction_contexts(services(folder), TEXT)
    return tuple(extracted_claim(claim, context.inputs.document) for claim in context.inputs.claims)


async def test_code_s_claims_come_back_with_the_extractors_classes(tmp_path: Path) -> None:
    own = floor(tmp_path)
    place = f"/claims/{own[0].id}"
    given = move(**{f"{place}/polarity": "attributed", f"{place}/category": "Org Fact"})
    result = await extracted(tmp_path, given)
    assert isinstance(result, Success)
    changed = replace(own[0], polarity=Polarity.ATTRIBUTED, topic=ClaimTopic.ORG_FACT)
    assert result.output == (changed, *own[1:])


PLACES = [
    ("its line", adds(), "crane was bought “second-hand” in Borum", 8),
    ("plain quotation marks", adds(quote='crane was bought "second-hand" in Borum'), None, 8),
    ("a wrong line", adds(line="line 3"), None, 8),
    ("no line", adds(line="unknown"), None, 8),
    (
        "words over two lines",
        adds(quote="and the crane was bought", line=7),
        "and the crane was bought",
        7,
    ),
    ("the second of two places", adds(quote="The quay is old.", line=10), "The quay is old.", 10),
    (
        "words that nobody wrote",
        adds(quote="The crane is green.", line=4),
        "The crane is green.",
        4,
    ),
]


@pytest.mark.parametrize(
    ("entry", "quote", "line"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES]
)
async def test_code_looks_up_what_an_added_claim_quotes(
    entry: dict[str, JsonValue], quote: str | None, line: int, tmp_path: Path
) -> None:
    result = await extracted(tmp_path, move(entry))
    assert isinstance(result, Success)
    added = result.output[-1]
    assert (added.quote, added.line) == (quote or "crane was bought “second-hand” in Borum", line)
    assert (added.topic, added.materiality) == (ClaimTopic.HISTORICAL, Materiality.BACKGROUND)
    assert (added.temporality, added.polarity) == (Temporality.STATIC, Polarity.ASSERTED)
    assert not added.by_rules


async def test_what_a_rule_excludes_is_not_in_the_form(tmp_path: Path) -> None:
    backend = ScriptedBackend([move()])
    (context,) = extraction_contexts(services(tmp_path), TEXT)
    await extractor(backend).process(context)
    (files,) = backend.files
    assert "The ministry should" not in files["claims.json"]
    assert files["document.md"] == TEXT


async def test_no_settings_give_it_a_tool_that_reaches_the_web(tmp_path: Path) -> None:
    long = TEXT + "Why, how and when? " * 1500
    backend = ScriptedBackend([move()] * 9)
    for context in extraction_contexts(services(tmp_path), long):
        await extractor(backend).process(context)
    assert backend.tasks
    assert {tool.name for task in backend.tasks for tool in task.tools} == {"grep_document"}


UNREADABLE = [
    (move(adds(category="rumour")), "none of budget, date"),
    (move(adds(polarity="DOUBTED")), "none of ASSERTED, ATTRIBUTED, REFUTED"),
    (Fill({}), "/added_claims"),
    (Fill(move().values, coverage=0.5), "only 50 % of the text"),
]


@pytest.mark.parametrize(("given", "told"), UNREADABLE)
async def test_what_cannot_be_read_is_no_extraction(given: Move, told: str, tmp_path: Path) -> None:
    result = await extracted(tmp_path, given)
    assert isinstance(result, Error)
    assert result.kind is FailureKind.MALFORMED
    assert told in result.message


async def test_a_part_is_told_where_it_begins(tmp_path: Path) -> None:
    config = ClaimExtractorConfig(part_chars=1000, part_claims=1, retries=0)
    contexts = extraction_contexts(services(tmp_path), TEXT, config)
    assert len(contexts) > 1
    backend = ScriptedBackend([move()] * len(contexts))
    agent = extractor(backend)
    seen = [await agent.process(context) for context in contexts]
    assert all(isinstance(result, Success) for result in seen)
    assert "lines 1 to" in backend.tasks[0].user_prompt
    last = contexts[-1].inputs
    first = last.document.position(last.start)[0]
    assert f"The text begins in line {first} of the document." in backend.tasks[-1].user_prompt
    assert [task.name for task in backend.tasks] == [
        f"1/extraction/part-{number:02}" for number in range(1, len(contexts) + 1)
    ]


async def test_offline_the_floor_is_what_is_extracted(tmp_path: Path) -> None:
    (context,) = extraction_contexts(services(tmp_path), TEXT)
    result = await extractor(offline()).process(context)
    assert isinstance(result, Success)
    assert result.output == floor(tmp_path)
