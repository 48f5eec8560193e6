"""A document review over the real CLI: killed, attacked in every phase, and right all the same."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from integration.claude.claude_run import cli_processes
from integration.claude.review_case import (
    ABSENT,
    ATTACKED,
    DOCUMENT,
    DOUBTED,
    FALSE_CLAIMS,
    FERRY,
    HEADING,
    KILLED,
    PLAN,
    PLAN_OF_SHORT,
    SHORT,
    SPARED,
    WEAKENED,
    attacks,
    write_case,
)
from integration.claude.review_model import FORMS, ReviewPlan, reviews
from support.claude_turn import DUMMY_KEY, working_folder
from support.commands import foureyes_here
from support.messages_server import Answer, MessagesServer, Request
from support.model_rules import NAMED_FILE

pytestmark = [pytest.mark.cli, pytest.mark.timeout(600)]

PHASES = (
    "1/red/",
    "1/blue/",
    "1/smoke/findings",
    "1/extraction/",
    "1/smoke/claims",
    "1/web/",
)
"""How the names of the turns of each phase begin."""
ALONE = ("1/extraction/", "1/web/")
"""Phases of a single turn, or of turns that end together: none need be finished before a kill."""
DEFENDERS, AT_ONCE = 3, 4
GONE_S = 10.0
SLOW = {"1/red/strategic": 0.6, "1/smoke/findings-3": 0.6, "1/smoke/claims": 0.5, "1/web/": 0.3}


@dataclass(frozen=True, slots=True)
class Kill:
    """A process killed: the entries of the journal then, and the requests that had been made."""

    phase: str
    finished: frozenset[str]
    requests: int


@dataclass
class Killer:
    """Kills a process as soon as a phase has one turn done and another under way."""

    folder: Path
    phase: str = ""
    program: subprocess.Popen[bytes] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def see(self, request: Request) -> None:
        with self._lock:
            if self.program is None or not self.phase or not request.turn.startswith(self.phase):
                return
            if request.step and (self.phase in ALONE or self.finished(self.phase)):
                self.phase = ""
                os.kill(self.program.pid, signal.SIGKILL)

    def finished(self, phase: str = "") -> frozenset[str]:
        entries = self.folder.glob(f"reviews/*/journal/{phase.replace('/', '-')}*.json")
        return frozenset(path.name.partition(".")[0] for path in entries)


@dataclass(frozen=True)
class Reviewed:
    """A review that went on to its end in spite of all."""

    folder: Path
    requests: Sequence[Request]
    kills: Sequence[Kill]

    @property
    def review_dir(self) -> Path:
        (found,) = (self.folder / "reviews").iterdir()
        return found

    def artefact(self, name: str) -> Any:
        return json.loads((self.review_dir / name).read_bytes())

    def text(self, name: str) -> str:
        return (self.review_dir / name).read_text(encoding="utf-8")

    def of(self, phase: str) -> list[Request]:
        return [request for request in self.requests if request.turn.startswith(phase)]


def review(
    server: MessagesServer, folder: Path, plan: ReviewPlan, kill_in: Iterable[str], *more: str
) -> Reviewed:
    """Review the case in `folder`, killed once in each of these phases and gone on with."""
    server.requests.clear()
    killer = Killer(folder)
    play = reviews(replace(plan, tries=attacks, delay_s=SLOW))

    def rule(request: Request) -> Answer:
        killer.see(request)
        return play(request)

    server.default = rule
    connection = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "REVIEW_KEY"]
    connection += [
        "--defenders",
        str(DEFENDERS),
        "--max-parallel",
        str(AT_ONCE),
        "--yes",
        "--quiet",
    ]
    begin = ["plan.md", "--sources", "shelf", "--fetch", "none", "--as-of", "2026-11-01", *more]
    given, kills = begin, list[Kill]()
    for phase in (*kill_in, ""):
        killer.phase = phase
        command = [sys.executable, "-m", "pipeline", "review", *given, *connection]
        with (folder / "stderr").open("wb") as said:
            killer.program = subprocess.Popen(
                command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True
            )
            code = killer.program.wait(240)
        assert code == (-signal.SIGKILL if phase else 0), (folder / "stderr").read_text()
        if phase:
            assert gone(folder)
            kills.append(Kill(phase, killer.finished(), len(server.requests)))
            (review_dir,) = (folder / "reviews").iterdir()
            given = ["--resume", str(review_dir)]
    return Reviewed(folder, tuple(server.requests), kills)


def gone(folder: Path) -> bool:
    deadline = time.monotonic() + GONE_S
    while cli_processes(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not cli_processes(folder)


@pytest.fixture(scope="module")
def server() -> Generator[MessagesServer]:
    with MessagesServer() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("REVIEW_KEY", DUMMY_KEY)
        yield server
        assert {request.headers["x-api-key"] for request in server.requests} == {DUMMY_KEY}


@pytest.fixture(scope="module")
def reviewed(server: MessagesServer, tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    """The short case, killed while the web is looked at, when nearly all is paid for."""
    folder = tmp_path_factory.mktemp("review")
    write_case(folder, SHORT)
    options = ("--verify-background", "--testers", "2")
    return review(server, folder, PLAN_OF_SHORT, ("1/web/",), *options)


@pytest.fixture(scope="module")
def whole(server: MessagesServer, tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    """The same for the long document."""
    folder = tmp_path_factory.mktemp("whole")
    write_case(folder, DOCUMENT)
    return review(server, folder, PLAN, ("1/web/",), "--verify-background")


def test_findings_and_claims_come_to_their_ends(reviewed: Reviewed) -> None:
    assert reviewed.artefact("review.json")["status"] == "completed"
    found = reviewed.artefact("red_findings.json")["findings"]
    assert (len(found), sum(one["by_rules"] for one in found)) == (8, 2)
    assert len(reviewed.artefact("defences.json")["defences"]) == 8
    tested = reviewed.artefact("smoke.json")
    assert (len(tested["findings"]), len(tested["dropped"])) == (6, 1)
    claims = reviewed.artefact("claim_smoke.json")
    assert (len(claims["claims"]), len(claims["dropped"])) == (12, 5)
    assert len(reviewed.artefact("web.json")["results"]) == 12


@pytest.mark.soak
def test_eleven_findings_and_over_twenty_claims_come_to_their_ends(whole: Reviewed) -> None:
    reviewed = whole
    assert reviewed.artefact("review.json")["status"] == "completed"
    found = reviewed.artefact("red_findings.json")["findings"]
    assert (len(found), sum(one["by_rules"] for one in found)) == (11, 2)
    assert len(reviewed.artefact("defences.json")["defences"]) == 11
    tested = reviewed.artefact("smoke.json")
    assert (len(tested["findings"]), len(tested["dropped"])) == (9, 1)
    claims = reviewed.artefact("claim_smoke.json")
    assert (len(claims["claims"]), len(claims["dropped"])) == (19, 5)
    assert len(reviewed.artefact("web.json")["results"]) == 19


def test_nothing_that_was_finished_is_paid_for_twice(reviewed: Reviewed) -> None:
    (kill,) = reviewed.kills
    before = {request.turn for phase in PHASES[:-1] for request in reviewed.of(phase)}
    assert {turn.replace("/", "-") for turn in before} <= kill.finished
    assert_paid_once(reviewed)


def assert_paid_once(reviewed: Reviewed) -> None:
    for kill in reviewed.kills:
        again = {request.turn.replace("/", "-") for request in reviewed.requests[kill.requests :]}
        assert kill.finished or kill.phase == "1/red/"
        assert again
        assert again.isdisjoint(kill.finished)
    counted = reviewed.artefact("analytics.json")["total"]["requests"]
    assert counted <= len(reviewed.requests)


def sessions(requests: Iterable[Request]) -> list[tuple[float, float]]:
    """When each session began to ask and had its last answer."""
    spans: dict[tuple[str, int], tuple[float, float]] = {}
    number: dict[str, int] = {}
    for request in requests:
        number[request.turn] = number.get(request.turn, 0) + (request.step == 0)
        key = request.turn, number[request.turn]
        begun = spans.get(key, (request.started, 0.0))[0]
        spans[key] = begun, request.ended
    return list(spans.values())


def most_at_once(requests: Iterable[Request]) -> int:
    spans = sessions(requests)
    return max(sum(start <= moment < end for start, end in spans) for moment, _ in spans)


def test_agents_work_at_the_same_time_and_no_more_than_may(reviewed: Reviewed) -> None:
    assert 2 <= most_at_once(reviewed.of("1/red/")) <= 3
    assert 2 <= most_at_once(reviewed.of("1/blue/")) <= DEFENDERS
    assert 2 <= most_at_once(reviewed.of("1/smoke/claims")) <= 3
    assert 2 <= most_at_once(reviewed.of("1/web/")) <= AT_ONCE
    assert most_at_once(reviewed.requests) <= AT_ONCE


def test_whatever_a_turn_tries_it_reads_its_files_and_fills_its_form(reviewed: Reviewed) -> None:
    tried = 0
    for turn in ATTACKED:
        *_, last = (request for request in reviewed.requests if request.turn == turn)
        folder = working_folder(last)
        names = dict.fromkeys(NAMED_FILE.findall(last.prompt))
        own = {str(folder / name) for name in names}
        form = str(folder / next(name for name in FORMS if name in names))
        for exchange in last.exchanges:
            path = exchange.call.input.get("file_path")
            if exchange.call.name == "Read" and path in own:
                assert not exchange.is_error
            elif exchange.call.name == "Edit" and path == form:
                assert not exchange.is_error, exchange.result
            else:
                assert exchange.is_error, exchange
                tried += 1
    assert tried >= 10 * len(ATTACKED)
    refused = [json.loads(line) for line in reviewed.text("events.jsonl").splitlines()]
    assert {one["agent"] for one in refused if one["event"] == "tool_refused"} == {
        "red_reviewer",
        "blue_defender",
        "smoke_tester",
        "claim_extractor",
        "web_verifier",
    }


def test_1_nobody_has_the_web_before_claims_are_tested(reviewed: Reviewed) -> None:
    for phase in PHASES[:-1]:
        assert {request.tools for request in reviewed.of(phase)} == {("Edit", "Read")}
    offered = {tool for request in reviewed.of("1/web/") for tool in request.tools}
    assert offered > {"Edit", "Read", "mcp__foureyes__fetch_source"}
    assert not {tool for tool in offered if "WebSearch" in tool or "Bash" in tool}


def test_2_what_is_found_outside_stands_in_an_appendix_of_its_own(reviewed: Reviewed) -> None:
    report = reviewed.text("report.md")
    findings, appendix = report.split(f"\n{HEADING}\n")
    assert "CONTRADICTED" not in findings
    assert "census.gov" not in findings
    assert "#### T-99" not in report
    assert "<script>" not in report + reviewed.text("annotated.md")
    parts = [line[4:] for line in appendix.splitlines() if line.startswith("### ")]
    assert parts[:3] == ["Summary", "Verification Results", "Pipeline Calibration"]
    assert "Claims That Failed Their Smoke Test (5)" in parts
    assert not any("finding" in part.casefold() for part in parts)


def test_3_no_finding_changes_after_the_web_was_asked(reviewed: Reviewed, tmp_path: Path) -> None:
    compiled = reviewed.artefact("compiled.json")["findings"]
    tested = reviewed.artefact("smoke.json")
    dropped = {one["finding"]["number"] for one in tested["dropped"]}
    assert tested["findings"] == [one for one in compiled if one["number"] not in dropped]
    changed = tmp_path / "review"
    shutil.copytree(reviewed.review_dir, changed)
    text = (changed / "smoke.json").read_text(encoding="utf-8")
    (changed / "smoke.json").write_text(text.replace(SPARED, "two are counted"))
    given = ("--backend", "claude", "--base-url", "http://127.0.0.1:9", "--api-key-env", "none")
    for command in (("report",), ("review", *given, "--yes", "--resume")):
        refused = foureyes_here(*command, changed, cwd=tmp_path)
        assert refused.returncode == 4
        assert "finding A-2" in refused.stderr


def test_4_only_claims_that_passed_their_test_are_looked_up(reviewed: Reviewed) -> None:
    dropped = reviewed.artefact("claim_smoke.json")["dropped"]
    assert {one["claim"]["statement"] for one in dropped} >= {one["claim"] for one in FALSE_CLAIMS}
    assert any(DOUBTED in one["claim"]["statement"] for one in dropped)
    shown = "\n".join(e.result for request in reviewed.of("1/web/") for e in request.exchanges)
    assert "91,000 passengers" in shown
    for word in ("40.25", "nine piers", "never bought", DOUBTED):
        assert word not in shown
    handed = "\n".join(
        e.result
        for request in reviewed.of("1/smoke/claims")
        for e in request.exchanges
        if str(e.call.input.get("file_path", "")).endswith("items.json")
    )
    assert DOUBTED in handed
    assert "40.25" not in handed


def test_6_what_only_the_documents_own_source_confirms_is_called_circular(
    reviewed: Reviewed,
) -> None:
    result = result_of(reviewed, "91,000")
    assert (result["verdict"], result["circular"]) == ("CONFIRMED", True)
    assert [source["evidence"]["url"] for source in result["sources"]] == [FERRY]
    assert "not the underlying fact" in reviewed.text("report.md")


def test_7_what_is_outdated_is_told_from_what_never_was_so(reviewed: Reviewed) -> None:
    employs, quay = result_of(reviewed, "employs 240"), result_of(reviewed, "north quay")
    assert (employs["verdict"], employs["drift"]) == ("CONFIRMED", "outdated")
    assert "Now outdated: 310" in employs["temporal_note"]
    assert (quay["verdict"], quay["drift"]) == ("CONTRADICTED", "never_true")
    assert "Was always incorrect: 1936" in quay["temporal_note"]
    assert result_of(reviewed, "lighthouse")["verdict"] == "UNVERIFIABLE"


def result_of(reviewed: Reviewed, words: str) -> Any:
    claims = reviewed.artefact("claim_smoke.json")["claims"]
    (claim,) = (one for one in claims if words in one["statement"])
    (result,) = (
        one for one in reviewed.artefact("web.json")["results"] if one["claim_id"] == claim["id"]
    )
    return result


def test_8_the_appendix_begins_with_how_it_is_to_be_read(reviewed: Reviewed) -> None:
    _, appendix = reviewed.text("report.md").split(f"\n{HEADING}\n")
    first = next(line for line in appendix.splitlines() if line)
    assert first.startswith("> **Reading order.** Read the findings above first")


def test_a_defence_that_lies_kills_nothing(reviewed: Reviewed) -> None:
    findings = {one["id"]: one for one in reviewed.artefact("red_findings.json")["findings"]}
    outcomes = {
        findings[one["finding_id"]]["problem"]: one["outcome"]
        for one in reviewed.artefact("defences.json")["defences"]
    }
    killed = [problem for problem, outcome in outcomes.items() if outcome == "killed"]
    assert len(killed) == 1
    assert KILLED in killed[0]
    (sum_,) = (problem for problem in outcomes if "come out" in problem)
    assert outcomes[sum_] == "weakened"
    assert outcomes[f"There {WEAKENED}."] == "weakened"
    dropped = reviewed.artefact("smoke.json")["dropped"]
    assert [one["finding"]["finding"]["quote"] for one in dropped] == [ABSENT]


@pytest.mark.soak
def test_5_findings_are_the_same_without_the_web(
    whole: Reviewed, server: MessagesServer, tmp_path: Path
) -> None:
    write_case(tmp_path, DOCUMENT)
    alone = review(server, tmp_path, PLAN, (), "--no-web")
    for name in ("red_findings.json", "defences.json", "compiled.json", "smoke.json"):
        assert alone.artefact(name) == whole.artefact(name)
    assert prompts(alone) == {
        turn: said for turn, said in prompts(whole).items() if turn in prompts(alone)
    }
    assert not alone.of("1/extraction/") + alone.of("1/web/")


def prompts(reviewed: Reviewed) -> dict[str, str]:
    """What each turn was told, without the folder that it worked in."""
    return {
        request.turn: request.prompt.replace(str(working_folder(request)), "")
        for request in reviewed.requests
        if request.step == 0
    }


@pytest.mark.soak
def test_a_review_killed_in_each_phase_goes_on_to_the_same_end(
    whole: Reviewed, server: MessagesServer, tmp_path: Path
) -> None:
    write_case(tmp_path, DOCUMENT)
    killed = review(server, tmp_path, PLAN, PHASES, "--verify-background")
    assert [kill.phase for kill in killed.kills] == list(PHASES)
    assert_paid_once(killed)
    for name in ("red_findings", "defences", "compiled", "smoke", "claims", "claim_smoke"):
        assert killed.artefact(f"{name}.json") == whole.artefact(f"{name}.json")
    # Of the sources it is kept when they were read.
    assert killed.artefact("web.json")["results"] == whole.artefact("web.json")["results"]
