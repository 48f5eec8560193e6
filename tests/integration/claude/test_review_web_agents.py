"""The claim extractor and the web verifier over the real CLI: their work, and attacks on both."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import ClaudeBackend, Error, Success
from foureyes.datatypes import WebResult, WebVerdict
from integration.claude.attacks.attack import NOTHING, Group
from integration.claude.attacks.catalogue import REVIEWS, VERIFIER_CARRIERS, VERIFIER_WEB
from integration.claude.attacks.run import faults, run_group
from integration.claude.review_model import ReviewPlan, reviews
from support.claude_turn import MakeSettings
from support.evidence_run import services
from support.messages_server import MessagesServer
from support.review_kit import DOCUMENT
from support.variants import variants
from support.web_agents_kit import extraction_contexts, extractor, open_batch, verifier
from support.web_review_kit import GOV, NIST

pytestmark = pytest.mark.cli

IN_A_REVIEW = pytest.mark.soak
"""Of what the review of a whole document shows, too, in test_document_review.py."""
BUILT, BUILT_LATER = "The quay of Alden was built in 1934.", "The quay of Alden was built in 1936."
HINT = "Work on the quay at Alden ended in 1934, two years after the storm."
TEXT = f"# Port\n\n{BUILT}\n"


@IN_A_REVIEW
async def test_an_extractor_reads_all_classifies_and_adds_and_has_no_web(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    added = {
        "claim": "The HBQ is a body.",
        "quote": "Later the HBQ",
        "line": 5,
        "category": "historical",
        "materiality": "BACKGROUND",
        "temporality": "STATIC",
        "polarity": "ASSERTED",
    }
    plan = ReviewPlan(classes={"lifts “about” 40": {"materiality": "LOAD-BEARING"}}, claims=[added])
    server.default = reviews(plan)
    (context,) = extraction_contexts(services(tmp_path), DOCUMENT)
    agent = extractor(ClaudeBackend(settings()))
    assert agent.config.allows("search_sources")
    result = await agent.process(context)
    assert isinstance(result, Success), result
    first, *_, last = result.output
    assert (first.quote, first.by_rules) == ("The crane lifts “about” 40 tonnes.", True)
    assert (first.materiality, first.line) == ("LOAD-BEARING", 3)
    assert (last.quote, last.line, last.by_rules) == ("Later the HBQ", 5, False)
    assert {tool for request in server.requests for tool in request.tools} == {"Read", "Edit"}


async def verified(
    server: MessagesServer, settings: MakeSettings, folder: Path, said: dict[str, str]
) -> WebResult | Error:
    """The result for the quay, which one page denies and another bears out."""
    server.default = reviews(ReviewPlan(results={"quay": said}))
    pages = {GOV: BUILT_LATER, NIST: HINT} if said.get("reason") == "lift" else {NIST: HINT}
    async with open_batch(folder, TEXT, pages) as (web, outside, batch):
        answer = await verifier(ClaudeBackend(settings())).process(batch)
        if isinstance(answer, Error):
            return answer
        (result,) = web.build_result({one.claim_id: one for one in answer.output}, outside).results
        return result


@IN_A_REVIEW
async def test_a_verifier_confirms_by_a_passage_that_it_was_shown(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    said = {"verdict": "CONFIRMED", "passage": "first", "reason": "Ended in 1934."}
    result = await verified(server, settings, tmp_path, said)
    assert isinstance(result, WebResult), result
    assert result.verdict is WebVerdict.CONFIRMED
    assert [source.evidence.quote for source in result.sources] == [HINT]


@IN_A_REVIEW
async def test_a_verifier_cannot_lift_what_code_found_contradicted(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    said = {"verdict": "CONFIRMED", "passage": HINT, "reason": "lift"}
    result = await verified(server, settings, tmp_path, said)
    assert isinstance(result, WebResult), result
    assert (result.verdict, result.found) == (WebVerdict.CONTRADICTED, "1936")
    assert {source.evidence.url for source in result.sources} == {GOV}


async def test_a_verifier_that_invents_its_words_is_told_so_and_confirms_nothing(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    said = {"verdict": "CONFIRMED", "passage": "It was built in 1934, all agree.", "reason": "So."}
    result = await verified(server, settings, tmp_path, said)
    assert isinstance(result, Error)
    assert "copy them exactly" in result.message
    assert sum("cannot be used yet" in request.prompt for request in server.requests) >= 2


GROUPS = [REVIEWS["a claim extractor"], REVIEWS["a web verifier's form"], VERIFIER_WEB]


@pytest.mark.parametrize(
    "group", variants({one.name: one for one in GROUPS}, {"a claim extractor"})
)
async def test_no_attack_on_a_turn_of_phase_4_gets_through(
    group: Group, running_server: MessagesServer, tmp_path: Path
) -> None:
    assert faults(group, await run_group(group, running_server, tmp_path / "scene", NOTHING)) == []


@pytest.mark.soak
async def test_nor_does_any_way_to_carry_words_out(
    running_server: MessagesServer, tmp_path: Path
) -> None:
    group = VERIFIER_CARRIERS
    assert faults(group, await run_group(group, running_server, tmp_path / "scene", NOTHING)) == []
