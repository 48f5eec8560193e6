"""A run that waits for a person: what it asks, what they decide, and how it goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import foureyes
import pytest
from foureyes import (
    FoureyesError,
    GateDecision,
    InputError,
    PipelineMode,
    ReviewAnswer,
    ReviewChoice,
    RunDirectoryError,
    RunStatus,
    StorageError,
    decide_claims,
    pack_run,
    review_queue,
    verify_pack,
)
from support.commands import execute
from support.runs import BRIEF, write_case

C = ReviewChoice
DECISIONS_FILE = "review_decisions.json"
PACK_FILE = "evidence_pack.zip"
DRAFT = """# The tidal power station of Arnsund

## Overview

The Arnsund tidal power station began regular service on 4 May 2019 [1]. Its 24 turbines have an
installed capacity of 96 megawatts [1].

## Cost and ownership

The construction of the station cost $30 billion [1]. The station employs 140 people [1].

## Sources

[1] [Arnsund tidal power station](arnsund.md)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of whose claims one could not be settled."""
    folder = tmp_path_factory.mktemp("case")
    write_case(folder, DRAFT)
    result = foureyes.run_analysis(
        BRIEF,
        draft=DRAFT,
        sources=[folder / "sources"],
        with_fact_checker=True,
        out=folder / "runs",
    )
    assert (result.status, result.run_dir is None) == (RunStatus.INCONCLUSIVE, False)
    return result.run_dir or folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def waiting(run: Path) -> str:
    (item,) = review_queue(run).waiting
    return item.subject


def test_the_queue_shows_the_claim_and_what_was_found(made: Path) -> None:
    found = review_queue(made)
    (item,) = found.items
    assert (item.text, item.line) == ("The station employs 140 people.", 10)
    assert item.reason == "the source does not state 140"
    assert item.evidence[0].url.endswith("arnsund.md")
    assert (found.is_open, found.gate.decision) == (True, GateDecision.PENDING_REVIEW)


def test_an_accepted_claim_lets_the_run_go_on_to_a_pack_that_holds(run: Path) -> None:
    subject = waiting(run)
    answer = ReviewAnswer(subject, C.ACCEPT, "the register of staff says so")
    assert decide_claims(run, [answer], by="Ana").gate.decision is GateDecision.PASS
    # Until the run goes on, its record is what it was.
    assert verify_pack(packed(run)).differences == ()
    turns = len(list((run / "turns").glob("*.json")))
    result = foureyes.resume_run(run)
    assert result.status is RunStatus.APPROVED
    assert result.reason.endswith("a person settled 1 claim")
    assert len(list((run / "turns").glob("*.json"))) == turns
    ledger = json.loads((run / "verify" / "claim_ledger.json").read_bytes())
    (entry,) = [one for one in ledger["entries"] if one["claim_id"] == subject]
    assert entry["checked_by"] == ["engine", "fact_checker", "human"]
    assert entry["history"][-1]["by"] == "human"
    assert "accepted by Ana on" in (run / "summary.md").read_text(encoding="utf-8")
    assert verify_pack(run / PACK_FILE).differences == ()
    forged = (run / DECISIONS_FILE).read_bytes().replace(b"the register", b"a register")
    (run / DECISIONS_FILE).write_bytes(forged)
    found = verify_pack(packed(run)).differences
    assert {one.member for one in found} >= {"verify/claim_ledger.json"}


def packed(run: Path) -> Path:
    return pack_run(run, run.parent / "before.zip").path


def test_a_rejected_claim_goes_back_to_the_analyst(run: Path) -> None:
    answer = ReviewAnswer(waiting(run), C.REJECT, "they were 90 in 2022")
    queue = decide_claims(run, [answer], by="Ana")
    assert (queue.gate.decision, queue.waiting) == (GateDecision.FAIL, ())
    result = foureyes.resume_run(run)
    assert (result.status, result.best_iteration) == (RunStatus.APPROVED, 2)
    assert "140 people" not in result.analysis
    assert verify_pack(run / PACK_FILE).differences == ()
    with pytest.raises(InputError, match="does not wait for a person: its gate says pass"):
        decide_claims(run, [answer], by="Ana")


def test_a_contradiction_that_a_person_lifts_no_longer_bars_the_approval(tmp_path: Path) -> None:
    write_case(tmp_path, DRAFT)
    draft = DRAFT.replace("96 megawatts", "69 megawatts")
    stopped = foureyes.run_analysis(
        BRIEF,
        draft=draft.replace(" The station employs 140 people [1].", ""),
        sources=[tmp_path / "sources"],
        with_fact_checker=True,
        max_iterations=1,
        out=tmp_path / "runs",
    )
    assert (stopped.status, stopped.run_dir is None) == (RunStatus.MAX_ITERATIONS, False)
    run = stopped.run_dir or tmp_path
    answer = ReviewAnswer(waiting(run), C.ACCEPT, "the plate on the turbine says 69")
    queue = decide_claims(run, [answer], by="Ana")
    assert (queue.before.decision, queue.gate.decision) == (GateDecision.FAIL, GateDecision.PASS)
    result = foureyes.resume_run(run)
    assert result.status is RunStatus.APPROVED
    assert result.reason.endswith("a person settled 1 claim")
    assert "69 megawatts" in result.analysis
    assert "accepted by Ana on" in (run / "summary.md").read_text(encoding="utf-8")
    assert verify_pack(run / PACK_FILE).differences == ()


@pytest.mark.parametrize(
    ("answers", "by", "said"),
    [
        ([ReviewAnswer("c-1", C.ACCEPT, "why")], "Ana", "iteration 1 has no claim 'c-1'"),
        ([ReviewAnswer("{}", C.ACCEPT, " ")], "Ana", "needs who decides and why"),
        ([ReviewAnswer("{}", C.ACCEPT, "why")], " ", "needs who decides and why"),
        ([ReviewAnswer("{}", C.ACCEPT, "why")] * 2, "Ana", "is decided twice"),
        ([ReviewAnswer("gate", C.ACCEPT, "why")], "Ana", "asks nothing beyond single claims"),
    ],
)
def test_what_cannot_be_recorded_is_refused_whole(
    answers: list[ReviewAnswer], by: str, said: str, made: Path
) -> None:
    subject = waiting(made)
    given = [ReviewAnswer(one.subject.format(subject), one.choice, one.why) for one in answers]
    with pytest.raises(InputError, match=said):
        decide_claims(
            made, [ReviewAnswer(subject, C.REJECT, "first"), *given][-len(given) :], by=by
        )
    assert not (made / DECISIONS_FILE).exists()


def cut(name: str) -> Callable[[Path], object]:
    def damage(run: Path) -> object:
        path = run / name
        return path.write_bytes(path.read_bytes()[:200])

    return damage


def half_a_decision(run: Path) -> object:
    return (run / DECISIONS_FILE).write_text("[{", encoding="utf-8")


def told(run: Path, **changes: object) -> object:
    path = run / "run.json"
    manifest = json.loads(path.read_bytes()) | changes
    return path.write_text(json.dumps(manifest), encoding="utf-8")


def gone_on(run: Path) -> object:
    return told(run, status=None)


def another_ledger(run: Path) -> object:
    path = run / "verify" / "claim_ledger.json"
    text = path.read_text(encoding="utf-8").replace('"iteration": 1', '"iteration": 7', 1)
    return path.write_text(text, encoding="utf-8")


def replayed(run: Path) -> object:
    return (run / "replay.json").write_text("{}", encoding="utf-8")


def unchecked(run: Path) -> object:
    return told(run, mode=PipelineMode.ANALYZE_AND_REVIEW)


DAMAGES: list[tuple[Callable[[Path], object], type[FoureyesError], str]] = [
    (cut("verify/claim_ledger.json"), RunDirectoryError, "claim_ledger.json' is damaged"),
    (cut("verify/evidence_gate_result.json"), RunDirectoryError, "result.json' is damaged"),
    (cut("iterations/claims_iteration_1.json"), RunDirectoryError, "_1.json' is damaged"),
    (cut("run.json"), RunDirectoryError, "run.json' is damaged"),
    (half_a_decision, StorageError, "is damaged"),
    (gone_on, RunDirectoryError, "has not come to an end: under way"),
    (another_ledger, RunDirectoryError, "is of iteration 7, and run.json ends with 1"),
    (replayed, RunDirectoryError, "is a replay, which cannot go on"),
    (unchecked, InputError, "has no evidence gate"),
]


@pytest.mark.parametrize(("damage", "error", "said"), DAMAGES)
def test_a_damaged_run_directory_is_refused_by_the_name_of_the_file(
    damage: Callable[[Path], object], error: type[FoureyesError], said: str, run: Path
) -> None:
    damage(run)
    with pytest.raises(error, match=said):
        review_queue(run)


def test_what_the_gate_asks_beyond_claims_is_accepted_or_rejected(run: Path) -> None:
    path = run / "iterations" / "claims_iteration_1.json"
    text = path.read_text(encoding="utf-8").replace('"language": "en"', '"language": "de"')
    path.write_text(text, encoding="utf-8")
    assert [item.subject for item in review_queue(run).waiting] == [waiting_claim(run), "gate"]
    with pytest.raises(InputError, match="the gate is accepted or rejected"):
        decide_claims(run, [ReviewAnswer("gate", C.EXCLUDE, "why")], by="Ana")
    both = [ReviewAnswer(one, C.ACCEPT, "why") for one in (waiting_claim(run), "gate")]
    assert decide_claims(run, both, by="Ana").gate.rule == "person"


def waiting_claim(run: Path) -> str:
    return review_queue(run).items[0].subject


def test_a_choice_may_be_plain_text() -> None:
    plain: Any = "accept"
    assert ReviewAnswer("c", plain, "why").choice is C.ACCEPT
    plain = "perhaps"
    with pytest.raises(InputError, match="'perhaps' is none of accept, reject, exclude"):
        ReviewAnswer("c", plain, "why")


class Command:
    """`foureyes claims decide` over a run."""

    def __init__(self, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._run = run
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = execute(["claims", "decide", str(self._run), *arguments])
        said = self._capsys.readouterr()
        return code, said.out, said.err


def test_the_command_lists_takes_decisions_and_goes_on(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, subject = Command(run, capsys), waiting(run)
    code, out, _ = command()
    assert (code, f"{subject} line 10: unverifiable" in out) == (1, True)
    code, out, err = command("--continue", "--json")
    assert (code, json.loads(out)["waiting"], "does not go on" in err) == (1, [subject], True)
    file = run.parent / "decisions.yaml"
    file.write_text(f"- {{claim: {subject}, decision: exclude, note: no fact}}\n", encoding="utf-8")
    code, out, _ = command("--decisions", str(file), "--by", "Ana")
    assert (code, "excluded by Ana on" in out, "--continue" in out) == (0, True, True)
    code, out, _ = command("--accept", subject, "--note", "I see", "--json")
    found: dict[str, Any] = json.loads(out)
    assert (code, found["waiting"], found["items"][0]["decision"]["choice"]) == (0, [], "accept")
    code, out, _ = command("--continue", "--json", "--quiet")
    assert (code, json.loads(out)["status"]) == (0, "approved")
    code, out, _ = command()
    assert (code, "nothing waits for a decision" in out) == (0, True)
    execute(["report", "log", str(run)])
    said = capsys.readouterr().out
    told = [said.index(words) for words in ("excluded by Ana", "accepted by", "run resumed")]
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {claim: c-1, decision: perhaps, note: x}", "0.decision: Input should be"),
        ("claim: c-1", "Input should be a list"),
        ("[", "decisions.yaml"),
    ],
)
def test_a_file_that_is_none_of_decisions_gives_one_line(
    text: str, said: str, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "decisions.yaml"
    file.write_text(text, encoding="utf-8")
    code, out, err = Command(made, capsys)("--decisions", str(file))
    assert (code, out, err.count("\n"), said in err) == (4, "", 1, True)


def test_a_decision_needs_a_reason(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = Command(made, capsys)("--accept", "c-1")
    assert (code, err) == (
        4,
        "foureyes: error: a decision needs a reason (say why with --note TEXT)\n",
    )
