"""What a worker does for each call, in this process."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from foureyes import FoureyesError, InputError, Progress, SettingsError
from foureyes.assembly.settings import load_settings
from foureyes.base.files import from_json
from foureyes.mcp_server._records import ROOT, list_resources, read_resource
from foureyes.mcp_server._worker import answer, describe_progress, run_call
from foureyes.mcp_server.inputs import (
    CallInput,
    CheckDocument,
    ExplainVerdict,
    FetchSource,
    GetRun,
    ListClaims,
    ReviewDocument,
    RunPipeline,
    ScoreSource,
    SourceText,
    VerifyClaim,
)
from foureyes.mcp_server.outputs import (
    ClaimVerified,
    DocumentChecked,
    RunState,
    SourceFetched,
    SourceScored,
    VerdictExplained,
)
from foureyes.mcp_server.processes import MESSAGE
from foureyes.mcp_server.service import Call, CallContext, Limits, Service, real_roots
from mcp_types import TextResourceContents
from pydantic import BaseModel
from support.report_run import ReportRun
from support.runs import BRIEF, GOOD_DRAFT, SOURCE


@dataclass(slots=True)
class Bench:
    """A desk for calls, and what they told."""

    service: Service
    folder: Path
    told: list[Progress] = field(default_factory=list[Progress])
    begun: list[Path] = field(default_factory=list[Path])

    def do(self, call: CallInput) -> BaseModel:
        told, begun = self.told.append, self.begun.append
        desk = CallContext(self.service, self.folder, "tests", told, begun)
        return asyncio.run(answer(Call(call), desk))


def service_of(folder: Path, **flags: object) -> Service:
    (folder / "notes").mkdir(exist_ok=True)
    given = {"out": folder / "runs", "memory": "none", "as_of": "2026-01-02", **flags}
    loaded = load_settings(given, environ={}, folder=folder)
    return Service(loaded, real_roots([folder / "notes"]), Limits())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    desk = tmp_path / "desk"
    desk.mkdir()
    return Bench(service_of(tmp_path), desk)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bench, RunState]:
    """A run with a fact checker over texts that the caller holds."""
    folder = tmp_path_factory.mktemp("ran")
    (folder / "desk").mkdir()
    bench = Bench(service_of(folder), folder / "desk")
    call = RunPipeline.model_validate(
        {
            "brief": BRIEF,
            "draft": GOOD_DRAFT,
            "texts": [{"name": "arnsund.md", "text": SOURCE}],
            "mode": "analyze_review_with_fact_check",
        }
    )
    state = bench.do(call)
    assert isinstance(state, RunState)
    return bench, state


def test_a_run_leaves_its_directory_and_tells_how_it_stands(ran: tuple[Bench, RunState]) -> None:
    bench, state = ran
    assert bench.begun == [Path(state.directory)]
    assert bench.told[0].event == "run_started"
    assert (state.status, state.approved, state.iteration) == ("approved", True, 1)
    assert state.gate is not None
    assert state.next_step == ""
    assert bench.do(GetRun(name=state.name)) == state


def test_a_run_that_has_ended_can_be_gone_on_with_and_says_the_same(
    ran: tuple[Bench, RunState],
) -> None:
    bench, state = ran
    again = bench.do(RunPipeline(resume=state.name))
    assert isinstance(again, RunState)
    assert (again.name, again.status, again.gate) == (state.name, state.status, state.gate)


def test_every_claim_of_a_run_is_explained(ran: tuple[Bench, RunState]) -> None:
    bench, state = ran
    ledger = read_resource(bench.service, f"{ROOT}{state.name}/verify/claim_ledger.json")
    (content,) = ledger.contents
    assert isinstance(content, TextResourceContents)
    for claim in {part.split('"')[0] for part in content.text.split('"claim_id": "')[1:]}:
        explained = bench.do(ExplainVerdict(run=state.name, claim=claim))
        assert isinstance(explained, VerdictExplained)
        assert explained.claim == claim


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (GetRun(name="other"), "there is no run or review 'other' (there are none yet)"),
        (ExplainVerdict(run="other", claim="c-1"), "there is no run 'other'"),
        (ReviewDocument(resume="other"), "there is no review 'other'"),
        (ReviewDocument(resume="other", text="x"), "takes nothing else"),
        (FetchSource(url="notes.md", offset=3), "the offset 3 is behind the end"),
        (CheckDocument(text="x" * 2_000_001), "2,000,001 bytes are more than this server takes"),
        (VerifyClaim(claim="It rained."), "there is nothing to hold the claim against"),
    ],
)
def test_what_cannot_be_done_is_said(bench: Bench, call: CallInput, words: str) -> None:
    with pytest.raises(FoureyesError) as caught:
        bench.do(call)
    assert words in str(caught.value)


def test_more_sources_than_a_claim_is_held_against_are_refused(bench: Bench) -> None:
    texts = tuple(SourceText(name=f"{n}.md", text="It rained.") for n in range(51))
    with pytest.raises(InputError, match="51 sources are more than"):
        bench.do(VerifyClaim(claim="It rained.", texts=texts))


def test_of_several_claims_in_one_text_the_worst_verdict_counts(bench: Bench) -> None:
    texts = (SourceText(name="a.md", text="It rained on 3 days in 2020. The dam is 40 m high."),)
    claim = "It rained on 3 days in 2020. The dam is 50 m high."
    found = bench.do(VerifyClaim(claim=claim, texts=texts))
    assert isinstance(found, ClaimVerified)
    assert [one.verdict for one in found.claims] == ["supported", "contradicted"]
    assert found.verdict == "contradicted"


def test_what_is_beyond_the_limit_is_counted(bench: Bench) -> None:
    text = "# Wells\n\n" + " ".join(f"Well {n} is {n + 100} metres deep." for n in range(5))
    found = bench.do(CheckDocument(text=text, limit=2))
    assert isinstance(found, DocumentChecked)
    assert (len(found.claims), found.more_claims) == (2, 3)
    assert (len(found.findings), found.more_findings) == (2, 3)


def test_sources_are_judged_under_the_servers_guard(bench: Bench) -> None:
    fetched = bench.do(FetchSource(url="http://127.0.0.1:9/"))
    scored = bench.do(ScoreSource(url="http://127.0.0.1:9/", topic="rain"))
    assert isinstance(fetched, SourceFetched)
    assert isinstance(scored, SourceScored)
    assert fetched.state == scored.state == "refused_by_policy"
    assert scored.remarks


@pytest.mark.parametrize("path", ["other/run.json", "other/../run.json", "other"])
def test_a_resource_that_is_not_there_is_refused(bench: Bench, path: str) -> None:
    with pytest.raises(InputError, match=r"there is no (run or review 'other'|resource)"):
        read_resource(bench.service, ROOT + path)


def test_resources_are_listed_a_page_at_a_time(bench: Bench) -> None:
    for _ in range(12):
        ReportRun(claims=1, iterations=1).write(bench.service.folders[0])
    first = list_resources(bench.service, "")
    second = list_resources(bench.service, first.next_cursor or "")
    names = [{str(one.uri).split("/")[3] for one in page.resources} for page in (first, second)]
    assert (len(names[0]), len(names[1]), second.next_cursor) == (10, 2, None)
    assert not names[0] & names[1]


def test_a_review_of_text_waits_at_its_gate(bench: Bench) -> None:
    call = ReviewDocument(text="# Dams\n\nEvery dam leaks.\n", web=False)
    state = bench.do(call)
    assert isinstance(state, RunState)
    assert (state.kind, state.status) == ("review", "awaiting_decision")
    assert "go_on" in state.next_step


def test_a_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is not a folder"):
        real_roots([tmp_path / "nothing"])


@pytest.fixture
def telling(bench: Bench) -> Generator[list[tuple[str, str]]]:
    """What a worker tells of a call that works and of one that does not."""
    mine, theirs = multiprocessing.Pipe()
    with mine, theirs:
        for call in (ListClaims(text="It rained on 3 days."), ListClaims()):
            asyncio.run(run_call(theirs, Call(call), bench.service, bench.folder))
        told: list[tuple[str, str]] = []
        while mine.poll():
            told.append(from_json(MESSAGE, mine.recv_bytes()))
        yield told


def test_a_worker_tells_its_output_or_why_there_is_none(telling: list[tuple[str, str]]) -> None:
    assert [kind for kind, _ in telling] == ["done", "failed"]
    assert '"total":1' in telling[0][1]
    assert telling[1][1] == "document: give its text or its path, and not both"


def test_a_process_goes_on_after_work_that_has_ended(bench: Bench) -> None:
    mine, theirs = multiprocessing.Pipe()
    before = set(threading.enumerate())
    with mine, theirs:
        call = Call(ListClaims(text="It rained on 3 days."))
        asyncio.run(run_call(theirs, call, bench.service, bench.folder))
        (listening,) = set(threading.enumerate()) - before
    listening.join(5)
    assert not listening.is_alive()


def test_steps_are_told_in_words() -> None:
    step = Progress("draft_failed", "fact_checker", 2, "a\x1b[31m word")
    assert describe_progress(step) == "iteration 2, draft failed, fact checker, a\\u001b[31m word"
