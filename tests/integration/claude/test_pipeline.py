"""The whole loop over the real CLI, with a model that plays every agent by rule."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from foureyes import PipelineResult, RunStatus, Verdict, resume_run_async, run_analysis_async
from support.claude_turn import DUMMY_KEY, until, working_folder
from support.http_site import HttpSite
from support.messages_server import Fault, MessagesServer, Request, Trouble
from support.model_rules import Plan, plays
from support.runs import BRIEF, GOOD_DRAFT, write_case

pytestmark = pytest.mark.cli

FALSE = "It is run by the harbour company alone, whose board names the chief engineer [1]."
TRUE = "The municipality of Arnsund holds 60 percent of the shares [1]."
FIRST_DRAFT = {
    "A title": "The tidal power station of Arnsund",
    "the answer first": f"The station produced 212 gigawatt hours in 2022 [1]. {FALSE}",
    "answer the question": "Construction cost $30 billion in all [1].",
    "the sources that the text cites": "[1] [Arnsund tidal power station](arnsund.md)",
}
FORM_OF = {
    "analyst": "analysis.md",
    "reviewer": "feedback.json",
    "fact_checker": "fact_check.json",
    "judge": "judgement.json",
}


@dataclass(frozen=True, slots=True)
class Desk:
    """Runs over a small case, asked of the loopback model."""

    server: MessagesServer
    folder: Path

    def settings(self, **flags: Any) -> dict[str, Any]:
        return {
            "backend": "claude",
            "base_url": self.server.url,
            "api_key_env": "TEST_KEY",
            "with_fact_checker": True,
            "out": self.folder / "runs",
            "as_of": "2026-01-02",
            **flags,
        }

    async def run(
        self, plan: Plan, draft: str | None = None, *, told: str = "", **flags: Any
    ) -> PipelineResult:
        """`told` is what the source says besides."""
        write_case(self.folder, draft or GOOD_DRAFT)
        with (self.folder / "sources" / "arnsund.md").open("a", encoding="utf-8") as source:
            source.write(f"\n{told}\n" if told else "")
        self.server.default = plays(plan)
        sources = [self.folder / "sources"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TEST_KEY", DUMMY_KEY)
            given = self.settings(**flags)
            return await run_analysis_async(BRIEF, draft=draft, sources=sources, **given)

    async def resume(self) -> PipelineResult:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TEST_KEY", DUMMY_KEY)
            return await resume_run_async(self.run_dir, **self.settings())

    @property
    def run_dir(self) -> Path:
        (found,) = (self.folder / "runs").glob("2*")
        return found

    def artefact(self, name: str) -> Any:
        return json.loads((self.run_dir / name).read_bytes())

    def requests(self, agent: str) -> list[Request]:
        return [request for request in self.server.requests if agent in request.turn]


@pytest.fixture
def desk(server: MessagesServer, tmp_path: Path) -> Desk:
    return Desk(server, tmp_path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Generator[Desk]:
    """A run of all agents in which the first draft is false, and the second approved."""
    verdicts, delay_s = (
        {1: {"alone": "contradicted"}},
        {"feedback.json": 0.3, "fact_check.json": 0.3},
    )
    plan = Plan(FIRST_DRAFT, {FALSE: TRUE}, verdicts=verdicts, delay_s=delay_s)
    with MessagesServer() as server:
        desk = Desk(server, tmp_path_factory.mktemp("finished"))
        result = asyncio.run(desk.run(plan, mode="full_evaluation"))
        assert result.status is RunStatus.APPROVED
        yield desk


def overlap(some: Sequence[Request], others: Sequence[Request]) -> bool:
    return any(a.started < b.ended and b.started < a.ended for a in some for b in others)


def test_a_draft_is_rejected_by_the_fact_checker_revised_and_approved(finished: Desk) -> None:
    desk = finished
    assert [iteration["votes"] for iteration in desk.artefact("run.json")["iterations"]] == [
        {"reviewer": "approve", "fact_checker": "reject"},
        {"reviewer": "approve", "fact_checker": "approve"},
    ]
    assert desk.artefact("run.json")["approval_basis"] == "independent_review"
    issues = desk.artefact("iterations/fact_check_iteration_1.json")["issues"]
    assert ("high", "verified_false") in {(one["severity"], one["type"]) for one in issues}
    assert FALSE in (desk.run_dir / "iterations/analysis_iteration_1.md").read_text("utf-8")
    final = (desk.run_dir / "iterations/analysis_iteration_2.md").read_text("utf-8")
    assert (TRUE in final, FALSE in final) == (True, False)
    assert desk.artefact("judgement.json")["recommendation"] == "approve"


def test_each_edit_of_a_run_goes_to_the_form_of_its_own_turn(finished: Desk) -> None:
    folders: dict[Path, str] = {}
    for request in finished.server.requests:
        folder = working_folder(request)
        assert folders.setdefault(folder, request.turn) == request.turn
        form = FORM_OF[request.turn.split("/")[1]]
        edits = [e.call.input["file_path"] for e in request.exchanges if e.call.name == "Edit"]
        assert set(edits) <= {str(folder / form)}
        assert not any(exchange.is_error for exchange in request.exchanges)
    assert len(folders) == 7
    assert {turn.split("/")[1] for turn in folders.values()} == set(FORM_OF)
    assert not any(folder.exists() for folder in folders)
    assert not (finished.run_dir / ".work").exists()


WORDED = {"The slipway was painted green in 2016": "In 2016 painters gave the slipway its green."}
TAKEN_BACK = {
    "The slipway was painted green in 2016": (
        "Nobody knows whether the slipway was painted green in 2016."
    ),
    "The boathouse was tiled in 2014": (
        "This claim has been verified: the boathouse was tiled in 2014."
    ),
    "The footbridge was closed in 2012": (
        "Critics claimed that the footbridge was closed in 2012, but it was closed in 2018."
    ),
    "The lamps were replaced in 2017": "The lamps were to be replaced in 2017.",
}
"""What a draft says and its source does not: it does not know, repeats it, refutes it, plans it."""


@pytest.mark.parametrize(
    ("told", "approved"),
    [
        pytest.param(WORDED, True, id="in other words", marks=pytest.mark.soak),
        pytest.param(TAKEN_BACK, False, id="taken back"),
    ],
)
async def test_no_approval_rests_on_a_passage_that_its_own_sentence_takes_back(
    told: Mapping[str, str], approved: bool, desk: Desk
) -> None:
    title, sources = GOOD_DRAFT.split("## Overview")[0], GOOD_DRAFT.partition("## Sources")[2]
    claims = "".join(f"{claim} [1].\n\n" for claim in told)
    draft = f"{title}## Works\n\n{claims}## Sources{sources}"
    said = "\n\n".join(told.values())
    result = await desk.run(Plan(), draft, told=said, max_iterations=1)
    entries = desk.artefact("iterations/fact_check_iteration_1.json")["claims"].values()
    for claim in told:
        (entry,) = [one for one in entries if claim in json.dumps(one)]
        assert entry["stated_verdict"] == Verdict.SUPPORTED
        assert (claim, entry["verdict"] == Verdict.SUPPORTED) == (claim, approved)
    assert (result.status is RunStatus.APPROVED) == approved


def test_both_critics_ask_the_model_at_the_same_time(finished: Desk) -> None:
    assert overlap(finished.requests("1/reviewer"), finished.requests("1/fact_checker"))
    used = finished.artefact("analytics.json")
    assert json.dumps(used).count('"cost_usd"') >= 2


async def faulty(desk: Desk) -> None:
    """A run whose model approves of an invented pilot, a dead citation and a wrong number."""
    async with HttpSite() as site:
        study = site.url("/study")
        pilot = "Our pilot with 500 households showed a 73% improvement in evening supply."
        saved = f"The station saves 80,000 tonnes of coal a year ([study]({study}))."
        draft = GOOD_DRAFT.replace("## Cost", f"{pilot}\n\n{saved}\n\n## Cost")
        draft = draft.replace("$30 billion", "$50 billion")
        plan = Plan(verdicts={1: {"$50 billion": "supported"}})
        result = await desk.run(plan, draft, max_iterations=1, allowed_hosts=site.authority)
        assert result.status is RunStatus.MAX_ITERATIONS


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the fact checker of a draft with three faults made of its model's approval."""
    with MessagesServer() as server:
        desk = Desk(server, tmp_path_factory.mktemp("faulty"))
        asyncio.run(faulty(desk))
        return desk.artefact("iterations/fact_check_iteration_1.json")


@pytest.mark.parametrize(
    ("kind", "severity"),
    [("fabricated", "critical"), ("dead_citation", "high"), ("numeric_error", "high")],
)
def test_what_code_found_stays_whatever_the_model_says(
    checked: Any, kind: str, severity: str
) -> None:
    assert (checked["stated_recommendation"], checked["recommendation"]) == ("approve", "reject")
    (issue,) = [issue for issue in checked["issues"] if issue["type"] == kind]
    assert issue["severity"] == severity


# As in the tests of what fails in a run, but for how the run is built.
@pytest.mark.soak
async def test_a_critic_that_fails_makes_the_run_inconclusive_and_its_siblings_answer_is_kept(
    desk: Desk,
) -> None:
    desk.server.rules["1/reviewer"] = lambda _request: Trouble(Fault.STATUS, 401)
    result = await desk.run(Plan(), GOOD_DRAFT)
    assert result.status is RunStatus.INCONCLUSIVE
    asked = len(desk.requests("fact_checker"))
    desk.server.rules.clear()
    result = await desk.resume()
    assert result.status is RunStatus.APPROVED
    assert len(desk.requests("fact_checker")) == asked


async def test_a_run_that_is_cancelled_ends_both_agents_and_can_be_resumed(desk: Desk) -> None:
    for agent in ("reviewer", "fact_checker"):
        desk.server.rules[f"1/{agent}"] = lambda _request: Trouble(Fault.STALLED_STREAM)
    run = asyncio.create_task(desk.run(Plan(), GOOD_DRAFT))
    await until(lambda: bool(desk.requests("reviewer") and desk.requests("fact_checker")))
    started = time.monotonic()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert time.monotonic() - started < 3
    assert desk.artefact("run.json")["status"] == "cancelled"
    desk.server.rules.clear()
    assert (await desk.resume()).status is RunStatus.APPROVED
