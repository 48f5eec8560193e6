"""Every mode through the command, over the real CLI: who is asked, what is left, how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from support.claude_turn import DUMMY_KEY
from support.commands import foureyes_here
from support.messages_server import Fault, MessagesServer, Trouble
from support.model_rules import Plan, plays
from support.runs import GOOD_DRAFT, Outcome, outcome, write_case

pytestmark = pytest.mark.cli

TEXTS = {
    "A title": "The tidal power station of Arnsund",
    "the answer first": "The station produced 212 gigawatt hours in 2022 [1].",
    "answer the question": "Construction cost $30 billion in all [1].",
    "the sources that the text cites": "[1] [Arnsund tidal power station](arnsund.md)",
}
ARTEFACTS = {
    "iterations/reviewer_feedback_iteration_1.json": "reviewer",
    "iterations/fact_check_iteration_1.json": "fact_checker",
    "verify/evidence_gate_result.json": "fact_checker",
    "verify/claim_ledger.json": "fact_checker",
    "judgement.json": "judge",
}
"""What a run leaves behind, and whose work it is."""
DRAFT = ("--draft", "draft.md")
JUDGED = "analyze_review_and_judge"


@dataclass(frozen=True, slots=True)
class Case:
    """A mode, who takes part in it, and how a run in it ends if nobody objects."""

    options: tuple[str, ...]
    mode: str
    agents: str
    status: str


SOAK = pytest.mark.soak
CASES = [
    Case(("--mode", "analyze"), "analyze", "analyst", "not_reviewed"),
    Case(DRAFT, "analyze_and_review", "reviewer", "reviewed"),
    Case(
        (*DRAFT, "--with-fact-checker"),
        "analyze_review_with_fact_check",
        "fact_checker reviewer",
        "approved",
    ),
    Case(
        ("--mode", "analyze_review_with_fact_check"),
        "analyze_review_with_fact_check",
        "analyst fact_checker reviewer",
        "approved",
    ),
    Case((*DRAFT, "--mode", JUDGED), JUDGED, "judge reviewer", "reviewed"),
    Case(
        (*DRAFT, "--mode", JUDGED, "--with-fact-checker"),
        "full_evaluation",
        "fact_checker judge reviewer",
        "approved",
    ),
    Case(
        ("--mode", "full_evaluation"),
        "full_evaluation",
        "analyst fact_checker judge reviewer",
        "approved",
    ),
]


def run(server: MessagesServer, folder: Path, *options: str) -> Outcome:
    write_case(folder, GOOD_DRAFT)
    connection = ("--base-url", server.url, "--api-key-env", "OWN_KEY", "--model", "local")
    command = foureyes_here(
        *("--backend", "claude", *connection, "--sources", "sources", "--json", "--quiet"),
        *("--as-of", "2026-01-02", "--max-iterations", "1", *options, "brief.md"),
        cwd=folder,
        env={"OWN_KEY": DUMMY_KEY},
    )
    assert command.stdout, command.stderr
    return outcome(command, folder)


def asked(server: MessagesServer) -> str:
    """The agents whose turns reached the model."""
    return " ".join(sorted({request.turn.split("/")[1] for request in server.requests}))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=" ".join(case.options),
            # A run with all agents is shown in test_pipeline.py; the others have some of them.
            marks=SOAK if "fact_checker" in case.agents or "judge" in case.agents else [],
        )
        for case in CASES
    ],
)
def test_a_mode_asks_its_agents_and_nobody_else(
    server: MessagesServer, tmp_path: Path, case: Case
) -> None:
    server.default = plays(Plan(TEXTS))
    done = run(server, tmp_path, *case.options)
    assert (done.json["status"], done.command.returncode) == (case.status, 0)
    assert asked(server) == case.agents
    left = {name for name in ARTEFACTS if (done.run_dir / name).is_file()}
    assert left == {name for name, agent in ARTEFACTS.items() if agent in case.agents.split()}
    assert done.artefact("run.json")["mode"] == case.mode


# As in the tests of what fails in a run, but for the command.
@SOAK
def test_a_judge_without_an_answer_is_told_by_the_exit_code(
    server: MessagesServer, tmp_path: Path
) -> None:
    server.default = plays(Plan())
    server.rules["1/judge"] = lambda _request: Trouble(Fault.STATUS, 401)
    done = run(server, tmp_path, *DRAFT, "--mode", "full_evaluation")
    assert (done.json["status"], done.command.returncode) == ("approved", 2)
    assert done.json["judge_failed"]
    assert not (done.run_dir / "judgement.json").exists()


def test_a_fact_checker_cannot_join_a_mode_without_a_reviewer(
    server: MessagesServer, tmp_path: Path
) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    connection = ("--base-url", server.url, "--api-key-env", "none")
    flags = ("--mode", "analyze", "--with-fact-checker")
    command = foureyes_here("--backend", "claude", *connection, *flags, "brief.md", cwd=tmp_path)
    assert (command.returncode, server.requests) == (4, [])
    assert "--with-fact-checker cannot be combined with mode analyze" in command.stderr
