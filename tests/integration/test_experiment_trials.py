"""Trials of every task, and whether each kind of override of a variant reaches its trial."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from foureyes.datatypes import TrialOutcome, TrialResult
from support.commands import EXAMPLES, ROOT
from support.experiment_kit import trials_of_an_item, write_experiment

CHECKED = {"mode": "analyze_review_with_fact_check", "fetch": "none"}
OWN = """
from foureyes import Examination, GateDecision, GateObjection, Recommendation, TurnUsage


class Nods:
    name = "nods"

    async def examine(self, work):
        return Examination(Recommendation.APPROVE, None, (), 1.0, TurnUsage())


def doubts(case):
    return GateObjection(GateDecision.FAIL, reason="doubt", would_change="trust")
"""
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "agents": {"mode": "analyze_and_review", "fetch": "none"},
    "prompts": {**CHECKED, "prompts_dir": "prompts"},
    "models": {**CHECKED, "model": {"reviewer": "some-model"}},
    "strictness": {**CHECKED, "fact_checker_strictness": "lenient"},
    "critics": {**CHECKED, "critics": ["own.py:Nods"]},
    "gate_policy": {**CHECKED, "gate_policy": "own.py:doubts"},
    "gate": {**CHECKED, "registry_dir": "registry"},
    "backend": {**CHECKED, "backend": "claude"},
}


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, TrialResult]:
    """The trial of each variant on one item."""
    folder = tmp_path_factory.mktemp("variants")
    (folder / "own.py").write_text(OWN)
    gate = (ROOT / "config" / "registry" / "gate.yaml").read_text(encoding="utf-8")
    (folder / "registry").mkdir()
    (folder / "registry" / "gate.yaml").write_text(
        gate.replace("pass_rate: 0.8", "pass_rate: 0.97"), encoding="utf-8"
    )
    prompt = folder / "prompts" / "agents" / "reviewer" / "system.md"
    prompt.parent.mkdir(parents=True)
    prompt.write_text("You read what a harbour master wrote.\n")
    path = write_experiment(
        folder,
        variants=VARIANTS,
        baseline="agents",
        metrics={"primary": "accepted", "secondary": ["gate_passed", "coverage"]},
    )
    return trials_of_an_item(path)


def artefact(run_dir: Path, name: str) -> dict[str, Any]:
    """A JSON file of a run's directory, empty if there is none."""
    path = run_dir / name
    return json.loads(path.read_bytes()) if path.exists() else {}


def settings(run_dir: Path) -> Mapping[str, object]:
    """The settings that a run went by."""
    return artefact(run_dir, "config.json")["settings"]


def votes(run_dir: Path) -> set[str]:
    """Who voted on the first draft."""
    return set(artefact(run_dir, "iterations/outcome_iteration_1.json")["critics"])


def gate(run_dir: Path) -> tuple[float, str]:
    """The share of supported claims at which the gate passes, and what the own policy said."""
    found = artefact(run_dir, "verify/evidence_gate_result.json")
    limits: list[float] = [one["limit"] for one in found.get("limits", [])]
    policy = cast("dict[str, str]", found.get("policy") or {})
    return max(limits, default=0.0), policy.get("reason", "")


def asked(run_dir: Path) -> str:
    """All that agents were given."""
    texts = (run_dir / "turns" / "texts").glob("*.gz")
    return "".join(gzip.decompress(path.read_bytes()).decode() for path in texts)


REACHED: Mapping[str, Callable[[Path], bool]] = {
    "agents": lambda run: votes(run) == {"reviewer"},
    "prompts": lambda run: "what a harbour master wrote" in asked(run),
    "models": lambda run: settings(run)["model"] == {"reviewer": "some-model"},
    "strictness": lambda run: settings(run)["fact_checker_strictness"] == "lenient",
    "critics": lambda run: votes(run) == {"reviewer", "fact_checker", "nods"},
    "gate_policy": lambda run: gate(run)[1] == "doubt",
    "gate": lambda run: gate(run)[0] == 0.97,
}


@pytest.mark.parametrize("variant", REACHED)
def test_an_override_reaches_its_run_and_no_other(
    variant: str, trials: Mapping[str, TrialResult]
) -> None:
    runs = {arm: Path(one.run_dir) for arm, one in trials.items() if one.run_dir}
    assert [arm for arm, run_dir in runs.items() if REACHED[variant](run_dir)] == [variant]


def test_a_backend_that_cannot_answer_is_an_error_of_its_own(
    trials: Mapping[str, TrialResult],
) -> None:
    assert trials["backend"].outcome is TrialOutcome.ERROR
    assert "ANTHROPIC_API_KEY" in trials["backend"].error
    ended = {one.outcome for arm, one in trials.items() if arm != "backend"}
    assert TrialOutcome.ERROR not in ended


def test_runs_without_a_gate_have_no_value_of_it(trials: Mapping[str, TrialResult]) -> None:
    assert "gate_passed" not in trials["agents"].values
    assert trials["gate_policy"].values["gate_passed"] == 0


def documents(folder: Path, task: str, variants: Mapping[str, object]) -> Path:
    """An experiment on two documents with a false claim each."""
    shipped = EXAMPLES / "experiment"
    rows = [json.loads(line) for line in (shipped / "items.jsonl").read_text().splitlines()[:2]]
    listed = [
        {
            "id": row["id"],
            "document": row["draft"],
            "sources": [str(shipped / name) for name in row["sources"]],
            "gold": row["gold"],
        }
        for row in rows
    ]
    metrics = {"primary": "false_claims_caught"}
    return write_experiment(
        folder,
        task=task,
        dataset=None,
        items=listed,
        variants=variants,
        baseline=next(iter(variants)),
        metrics=metrics,
    )


def test_a_check_is_measured_without_any_agent(tmp_path: Path) -> None:
    path = documents(tmp_path, "check", {"all": {"fetch": "none"}, "few": {"max_fetches": 0}})
    found = trials_of_an_item(path)["all"]
    assert found.outcome is TrialOutcome.FINISHED
    assert found.status is None
    assert found.values["seconds"] > 0
    assert {name: value for name, value in found.values.items() if name != "seconds"} == {
        "all_false_claims_caught": 1,
        "false_claims_caught": 1,
        "false_claims_missed": 0,
        "true_claims_rejected": 0,
        "valid_citations": 1,
        "citation_accuracy": 0.75,
        "coverage": 1,
        "findings": 1,
        "gate_passed": 0,
    }
    assert json.loads((Path(found.run_dir) / "check.json").read_text("utf-8"))


def test_a_review_goes_past_its_gate_by_the_settings_of_its_variant(tmp_path: Path) -> None:
    path = documents(tmp_path, "review", {"web": {"fetch": "none"}, "none": {"no_web": True}})
    trials = trials_of_an_item(path)
    assert {one.status for one in trials.values()} == {"completed"}
    assert set(trials["web"].values) == {
        *("all_false_claims_caught", "false_claims_caught", "false_claims_missed"),
        *("true_claims_rejected", "coverage", "findings", "cost_usd", "tokens", "seconds"),
    }
    assert [trials[arm].values["false_claims_caught"] for arm in ("web", "none")] == [1, 0]
    assert "coverage" not in trials["none"].values
    assert (Path(trials["web"].run_dir) / "report.md").is_file()


def test_a_review_that_was_broken_off_goes_on_in_its_directory(tmp_path: Path) -> None:
    path = documents(tmp_path, "review", {"web": {"fetch": "none"}, "none": {"no_web": True}})
    begun = partial(any_file, tmp_path / "engine", "jobs/*/*/*/runs/*/red_findings.json")
    trials_of_an_item(path, until=begun)
    [broken_off] = (tmp_path / "engine").glob("jobs/*/*/*/runs/*")
    trials = trials_of_an_item(path)
    assert {one.status for one in trials.values()} == {"completed"}
    assert str(broken_off) in {one.run_dir for one in trials.values()}
    assert len(list((tmp_path / "engine").glob("jobs/*/*/*/runs/*"))) == 2


def any_file(folder: Path, pattern: str) -> bool:
    """Whether there is a file of that pattern."""
    return any(folder.glob(pattern))
