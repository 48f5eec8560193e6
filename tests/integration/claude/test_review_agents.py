"""The agents of a document review over the real CLI: their work, and attacks on each of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import ClaudeBackend, Success
from foureyes.datatypes import DefenceOutcome
from integration.claude.attacks.attack import NOTHING, Group
from integration.claude.attacks.catalogue import NAMED, REVIEWS
from integration.claude.attacks.run import faults, run_group
from integration.claude.review_model import ReviewPlan, reviews
from support.claude_turn import MakeSettings
from support.messages_server import MessagesServer
from support.review_kit import (
    ACRONYM,
    GOOD_ITEM,
    OTHER_ITEM,
    blue_defender,
    defence_context,
    red_context,
    red_reviewer,
    smoke_context,
    smoke_tester,
)
from support.variants import variants

pytestmark = pytest.mark.cli

REVIEW_GROUPS = [REVIEWS[name] for name in ("a red reviewer", "a blue defender", "a smoke tester")]
ELSEWHERE = ("reading other files", "editing other files", "other tools")
IN_A_REVIEW = pytest.mark.soak
"""Of what the review of a whole document shows, too, in test_document_review.py."""
HTML = "<script>alert(1)</script> & [a](javascript:b)"


@IN_A_REVIEW
async def test_a_red_reviewer_reads_all_and_reports_what_it_found(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    entry = {"issue": "ambiguity", "severity": "low", "line": 5, "problem": HTML}
    found = [{**entry, "quote": "The HBQ met in May."}, {**entry, "quote": "It never met."}]
    server.default = reviews(ReviewPlan(findings={"textual": found}))
    agent = red_reviewer(ClaudeBackend(settings()))
    result = await agent.process(red_context(tmp_path, ACRONYM))
    assert isinstance(result, Success), result
    assert [(one.quote, one.line, one.problem) for one in result.output] == [
        ("The HBQ met in May.", 5, HTML),
        ("It never met.", 5, HTML),
    ]
    assert set(server.requests[0].tools) == {"Read", "Edit"}


async def test_a_blue_defender_that_invents_its_words_is_told_so_and_kills_nothing(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    plan = ReviewPlan(defences={"HBQ": ("killed", "The HBQ is the harbour board.")})
    server.default = reviews(plan)
    agent = blue_defender(ClaudeBackend(settings()))
    result = await agent.process(defence_context(tmp_path))
    assert not isinstance(result, Success)
    assert "stand in the document" in result.message
    assert sum("cannot be used yet" in request.prompt for request in server.requests) >= 2


@IN_A_REVIEW
async def test_a_blue_defender_kills_by_words_of_the_document(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    server.default = reviews(ReviewPlan(defences={"HBQ": ("killed", "Later the HBQ left.")}))
    result = await blue_defender(ClaudeBackend(settings())).process(defence_context(tmp_path))
    assert isinstance(result, Success), result
    assert result.output.outcome is DefenceOutcome.KILLED
    assert set(server.requests[0].tools) == {"Read", "Edit"}


@IN_A_REVIEW
async def test_a_smoke_tester_fails_what_the_document_does_not_say(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    other = replace(GOOD_ITEM, id="T-3", statement="It met twice.")
    server.default = reviews(ReviewPlan(failed={"twice": "It met once."}))
    agent = smoke_tester(ClaudeBackend(settings()))
    result = await agent.process(smoke_context(tmp_path, GOOD_ITEM, OTHER_ITEM, other))
    assert isinstance(result, Success), result
    assert list(result.output) == ["T-3"]


# All of them are attacked in the review of a whole document, too.
@pytest.mark.parametrize(
    "group",
    variants({one.name: one for one in REVIEW_GROUPS}, {"a red reviewer", "a smoke tester"}),
)
async def test_no_attack_on_a_turn_of_a_review_gets_through(
    group: Group, running_server: MessagesServer, tmp_path: Path
) -> None:
    assert faults(group, await run_group(group, running_server, tmp_path / "scene", NOTHING)) == []


@pytest.mark.soak
@pytest.mark.parametrize("turn", REVIEW_GROUPS, ids=lambda group: group.name)
@pytest.mark.parametrize(
    "catalogue", [NAMED[name] for name in ELSEWHERE], ids=lambda group: group.name
)
async def test_nor_does_any_path_or_tool_of_the_catalogue(
    catalogue: Group, turn: Group, running_server: MessagesServer, tmp_path: Path
) -> None:
    # These turns have no draft; their document is attacked above.
    attacks = tuple(one for one in catalogue.attacks if one.name != "edit the draft")
    group = replace(catalogue, attacks=attacks, task=turn.task, open_slot=turn.open_slot)
    assert faults(group, await run_group(group, running_server, tmp_path / "scene", NOTHING)) == []
