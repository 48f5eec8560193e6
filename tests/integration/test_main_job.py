"""The main job through the real command, offline."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.commands import EXAMPLES, foureyes, foureyes_here
from support.programs import Program
from support.runs import GOOD_DRAFT, Outcome, examine, outcome, write_case


def run_modes(folder: Path, *options: str) -> Outcome:
    command = foureyes_here(
        *("--draft", "draft.md", "--sources", "sources", "--json", "--quiet"),
        *options,
        "brief.md",
        cwd=folder,
    )
    assert command.stdout, command.stderr
    return outcome(command, folder)


def test_the_example_ends_approved_by_rules_and_says_what_that_means(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    started = time.monotonic()
    command = ["--with-fact-checker", "--sources", "examples/sources", "examples/brief.md"]
    run = foureyes(*command, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert time.monotonic() - started < 30
    assert "approved by rules only; not reviewed for reasoning" in run.stdout
    assert "reasoning: no language model took part" in run.stdout
    (run_dir,) = (tmp_path / "runs").iterdir()
    assert f"report:   runs/{run_dir.name}/report.html" in run.stdout
    assert f"summary:  runs/{run_dir.name}/summary.md" in run.stdout
    names = {path.name for path in run_dir.iterdir()}
    assert names >= {"run.json", "summary.md", "analytics.json", "events.jsonl", "verify"}
    summary = (run_dir / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("# approved by rules only; not reviewed for reasoning\n")
    assert "evidence_gathered" in run.stderr


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        (["--mode", "analyze"], "not_reviewed", 0),
        (["--mode", "analyze", "--require-approval"], "not_reviewed", 1),
        ([], "reviewed", 0),
        (["--mode", "full_evaluation"], "approved", 0),
        (["--with-fact-checker", "--require-independent"], "approved", 2),
        (["--with-fact-checker", "--max-minutes", "0.000001"], "budget_exceeded", 3),
    ],
)
def test_each_end_has_its_exit_code(
    options: list[str], status: str, code: int, tmp_path: Path
) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    run = run_modes(tmp_path, *options)
    assert (run.json["status"], run.command.returncode) == (status, code)
    assert run.json["exit_code"] == code
    assert run.json["approved"] is (status == "approved")
    assert run.command.stderr == ""


def test_an_allowance_of_searches_without_a_provider_is_remarked_on(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    command = ["--draft", "draft.md", "--sources", "sources", "--quiet", "brief.md"]
    run = foureyes_here("--analyst-max-websearches", "3", *command, cwd=tmp_path)
    assert run.returncode == 0
    assert "foureyes: note: no search provider is configured" in run.stderr
    assert "note:" not in foureyes_here(*command, cwd=tmp_path).stderr


def test_a_rejected_draft_is_corrected_and_then_approved(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT.replace("$30 billion", "$50 billion"))
    run = examine(tmp_path)
    votes = [iteration["votes"] for iteration in run.artefact("run.json")["iterations"]]
    assert votes[0]["fact_checker"] == "reject"
    assert votes[-1] == {"reviewer": "approve", "fact_checker": "approve"}
    text = (tmp_path / run.json["analysis"]).read_text(encoding="utf-8")
    assert "$30 billion" in text
    assert "$50 billion" not in text


def test_without_further_iterations_a_rejected_draft_is_not_approved(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT.replace("$30 billion", "$50 billion"))
    run = examine(tmp_path, "--max-iterations", "1")
    assert (run.json["status"], run.command.returncode) == ("max_iterations", 1)
    (finding,) = (f for f in run.json["findings"] if f["type"] == "numeric_error")
    assert finding["location"]["line"] == 15


def test_a_finished_run_can_be_resumed_told_and_looked_at(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    first = examine(tmp_path)
    again = foureyes_here("resume", first.run_dir, "--json", "--quiet", cwd=tmp_path)
    assert json.loads(again.stdout)["findings"] == first.json["findings"]
    told = foureyes_here("report", "log", first.run_dir, cwd=tmp_path)
    assert told.returncode == 0
    assert told.stdout.splitlines()[-1].startswith("status: approved, ")
    # Nothing of an ended run changes, not even its log.
    assert "run resumed" not in told.stdout


def test_a_run_that_cannot_go_on_says_why_and_how(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    run = examine(tmp_path)
    shutil.rmtree(tmp_path / "sources")
    again = foureyes_here("resume", run.run_dir, "--quiet", cwd=tmp_path)
    reason, advice = again.stderr.splitlines()
    assert (again.returncode, again.stdout) == (4, "")
    assert reason.startswith("foureyes: error: ")
    assert "sources' is not a folder" in reason
    assert advice == f"foureyes: go on with: foureyes resume {run.run_dir}"


def test_going_on_with_a_model_needs_its_connection_again(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    connection = "--backend claude --base-url http://127.0.0.1:9 --api-key-env none"
    limit = ["--max-minutes", "0.000001", "--quiet"]
    run = foureyes_here(*connection.split(), *limit, "brief.md", cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    (run_dir,) = (tmp_path / "runs").iterdir()
    advice = f"go on with: foureyes resume runs/{run_dir.name} {connection}"
    assert run.stdout.splitlines()[-1] == advice


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "foureyes"],
        [sys.executable, "-m", "pipeline"],
        [str(Path(sys.executable).parent / "foureyes")],
    ],
    ids=["package", "module", "program"],
)
def test_every_way_in_leads_to_the_same_command(command: list[str], tmp_path: Path) -> None:
    run = subprocess.run(
        [*command, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == "foureyes 0.1.0\n"


def test_a_run_directory_from_elsewhere_cannot_choose_the_backend(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    run = examine(tmp_path)
    path = run.run_dir / "config.json"
    config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    config["settings"]["backend"] = "claude"
    path.write_text(json.dumps(config), encoding="utf-8")
    again = foureyes_here(
        "resume", run.run_dir, cwd=tmp_path, env={"ANTHROPIC_API_KEY": "not-a-real-key"}
    )
    assert again.returncode == 4
    assert "add --backend claude" in again.stderr


def test_ctrl_c_ends_the_run_cleanly_and_tells_how_to_go_on(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    command = [sys.executable, "-m", "pipeline", "--with-fact-checker", "--json"]
    with Program[str](
        [*command, "--sources", "examples/sources", "examples/brief.md"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stderr is not None
        while "drafting" not in program.stderr.readline():
            assert program.poll() is None
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
    assert program.returncode == 130, err
    told = json.loads(out)
    assert (told["status"], told["exit_code"]) == ("cancelled", 130)
    assert f"foureyes resume {told['run_dir']}" in err
    again = foureyes_here("resume", told["run_dir"], "--json", "--quiet", cwd=tmp_path)
    assert json.loads(again.stdout)["status"] == "approved"


def test_check_finds_locates_and_fails_on_a_severity(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT.replace("$30 billion", "$50 billion"))
    command = ["check", "draft.md", "--sources", "sources"]
    run = foureyes_here(*command, cwd=tmp_path)
    assert run.returncode == 1
    first, problem, *_, sources, sentences, last, rule = run.stdout.splitlines()
    assert sources.startswith("sources: ")
    assert sentences.startswith("6 sentences: 6 with claims that cite a source")
    assert first.startswith("draft.md:15:1 high numeric_error ")
    assert "+67 %" in problem
    assert last.startswith("gate fail: 5 of 6 checkable claims supported (83%)")
    assert rule.startswith("gate rule, open contradiction: 1 claim is contradicted; ")
    # The gate fails all the same.
    assert foureyes_here(*command, "--fail-on", "critical", cwd=tmp_path).returncode == 1
    seen = json.loads(foureyes_here(*command, "--json", cwd=tmp_path).stdout)
    assert (seen["exit_code"], seen["findings"][0]["location"]["column"]) == (1, 1)


def test_check_is_inconclusive_when_sources_were_not_fetched(tmp_path: Path) -> None:
    text = "The tower is 300 metres high ([site](https://tower.example/facts)).\n"
    (tmp_path / "d.md").write_text(text, encoding="utf-8")
    run = foureyes_here("check", "d.md", "--fetch", "none", cwd=tmp_path)
    assert run.returncode == 2
    assert "not fetched: https://tower.example/facts" in run.stdout


def test_doctor_tells_the_backend_and_what_is_missing(tmp_path: Path) -> None:
    run = foureyes_here("doctor", cwd=tmp_path)
    assert run.returncode == 0
    assert "backend: offline (nothing chose another" in run.stdout
    claude = foureyes_here("doctor", "--backend", "claude", "--json", cwd=tmp_path)
    assert claude.returncode == 4
    assert "ANTHROPIC_API_KEY is not set" in json.loads(claude.stdout)["missing"][0]
