"""A draft judged as a whole: what a failed critique asks for, and what the loop makes of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    Analysis,
    DraftWork,
    Error,
    Examination,
    IterationWork,
    ReviewCriterion,
    RunStatus,
    Severity,
    Success,
)
from foureyes.core.brief import Assignment
from foureyes.core.critique import DraftScorer
from foureyes.core.evidence import DocumentEvidence, EvidenceLimits
from foureyes.core.tasks import AgentResult
from support.agent_kit import registry
from support.evidence_run import open_reader
from support.http_site import HttpSite
from support.loop_agents import APPROVE, AS_OF, BRIEF, ListedCritic, Loop, quality, vote

PAGE = "The city built 42 kilometres of bicycle paths in 2024.\n\nThe lanes cost 8 million euros.\n"
ASKED = Assignment(("What do the lanes cost?",), BRIEF)


@pytest.fixture
async def site() -> AsyncGenerator[HttpSite]:
    async with HttpSite() as opened:
        opened.page("/lanes.txt", PAGE, media_type="text/plain")
        yield opened


def test_a_failed_critique_asks_for_the_remedy_of_each_weak_dimension() -> None:
    source_tools = DraftScorer(registry(), ASKED)
    (finding,) = source_tools.findings(quality(0.6))
    assert (finding.type, finding.severity) == (ReviewCriterion.COVERAGE, Severity.MEDIUM)
    assert (finding.origin, finding.recommendation) == ("critique", "a remedy")
    assert finding.problem == "The quality gate failed (coverage 0.60): a reason"
    assert finding.id == source_tools.findings(quality(0.1))[0].id
    assert source_tools.findings(quality(0.7)) == ()


class Answering:
    """Writes of the lanes' length first, and of their cost when asked for it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.asked: list[DraftWork] = []

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        self.asked.append(work)
        said = ["The city built 42 kilometres of bicycle paths in 2024"]
        said += ["The lanes cost 8 million euros"] if work.findings else []
        text = " ".join(f"{one} ({self._url})." for one in said)
        return Success(Analysis(markdown=f"# Cycling\n\n{text}\n"))


class Agreeing:
    """A checker of claims that agrees with code."""

    name = "fact_checker"

    def __init__(self) -> None:
        self.works: list[IterationWork] = []

    async def examine(self, work: IterationWork) -> Examination | Error:
        assert work.evidence is not None
        self.works.append(work)
        return replace(vote(APPROVE), assessments=tuple(work.evidence.assessments.values()))


async def test_a_draft_that_does_not_answer_its_brief_is_revised_until_it_does(
    tmp_path: Path, site: HttpSite
) -> None:
    drafter, checker = Answering(site.url("/lanes.txt")), Agreeing()
    async with open_reader(tmp_path, site) as reader:
        stage = DocumentEvidence(
            reader, registry(), EvidenceLimits(), as_of=AS_OF, assignment=ASKED
        )
        pair = (ListedCritic("reviewer", vote(APPROVE)), checker)
        result = await Loop(drafter, pair, evidence=stage).pipeline().run(BRIEF, ())
    assert (result.status, result.best_iteration) == (RunStatus.APPROVED, 2)
    (depth, coverage) = drafter.asked[1].findings
    assert coverage.recommendation.endswith("or list as open: What do the lanes cost?")
    assert depth.problem.startswith("The quality gate failed (depth 0.50)")
    before = [work.critique.passed for work in checker.works if work.critique]
    assert before == [False, True]
    first, second = result.analytics.iterations()
    assert (first.quality_score, second.quality_score) == (0.0, 1.0)
