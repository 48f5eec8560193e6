"""`Pipeline`: composed of objects, its events, and what stops it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import foureyes
import pytest
from foureyes import (
    Analysis,
    DraftWork,
    Error,
    FailureKind,
    Judgement,
    JudgeWork,
    Pipeline,
    PipelineMode,
    Recommendation,
    RunStatus,
    Success,
)

BRIEF = "# Station\n"
DRAFT = "# Station\n\nThe station opened on 4 May 2019 ([report](report.md)).\n"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    page = "The station opened on 4 May 2019. It cost $30 billion.\n"
    path.write_text(page, encoding="utf-8")
    return path


def only_run(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


async def test_events_come_as_they_happen_and_the_result_after_them(
    report: Path, tmp_path: Path
) -> None:
    async with Pipeline(with_fact_checker=True, out=tmp_path / "runs") as pipeline:
        assert pipeline.config.mode is PipelineMode.ANALYZE_REVIEW_WITH_FACT_CHECK
        stream = pipeline.stream(draft=DRAFT, sources=[report])
        with pytest.raises(ValueError, match="has not ended"):
            _ = stream.result
        told = [event.event async for event in stream]
        with pytest.raises(ValueError, match="gone through once"):
            _ = [event async for event in stream]
    assert (told[0], told[-1]) == ("run_started", "run_ended")
    assert stream.result.status is RunStatus.APPROVED


@pytest.mark.parametrize("way", ["break", "block", "cancel"])
async def test_a_run_that_is_left_early_is_cancelled_and_goes_on_later(
    way: str, report: Path, tmp_path: Path
) -> None:
    out, reached = tmp_path / "runs", asyncio.Event()

    async def follow(pipeline: Pipeline) -> None:
        async for event in pipeline.stream(draft=DRAFT, sources=[report]):
            if event.event == "evidence_gathered":
                reached.set()
                if way == "cancel":
                    await asyncio.sleep(60)
                return

    async with Pipeline(with_fact_checker=True, out=out) as pipeline:
        following = asyncio.create_task(follow(pipeline))
        if way == "cancel":
            await reached.wait()
            following.cancel()
            with pytest.raises(asyncio.CancelledError):
                await following
        else:
            await following
        if way == "block":
            pipeline.stream(draft=DRAFT, sources=[report])
    run_dir = only_run(out)
    assert '"status": "cancelled"' in (run_dir / "run.json").read_text(encoding="utf-8")
    end = await Pipeline().resume(run_dir)
    assert end.status is RunStatus.APPROVED


async def test_a_run_that_cannot_begin_says_so_in_its_stream(tmp_path: Path) -> None:
    stream = Pipeline(out=tmp_path / "runs").stream()
    with pytest.raises(foureyes.InputError, match="nothing to do"):
        _ = [event async for event in stream]


async def test_calls_without_an_event_loop_say_what_to_await_within_one() -> None:
    for call, twin in (
        (lambda: foureyes.run_analysis(draft=DRAFT), "run_analysis_async"),
        (lambda: foureyes.check(DRAFT), "check_async"),
        (lambda: foureyes.review_document_sync("a.md"), "review_document"),
        (lambda: foureyes.verify_pack("a.zip"), "verify_pack_async"),
    ):
        with pytest.raises(foureyes.InputError, match="within a running event loop") as caught:
            call()
        assert caught.value.hint == f"await {twin}"


class Writer:
    """Leaves out what was found fault with; `answers` are given first."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def write(self, work: DraftWork) -> Any:
        """The next draft, or the next answer of the list."""
        self.asked += 1
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        cost = "" if work.findings else " It cost $50 billion ([report](report.md))."
        return Success(Analysis(markdown=f"{DRAFT.rstrip()}{cost}\n"))


class Judging:
    """Approves, in words of its own."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    async def judge(self, work: JudgeWork) -> Any:
        """The judgement."""
        vote = Recommendation.APPROVE
        summary = f"{len(work.inputs.draft)} characters"
        return self.answer or Success(
            Judgement(
                recommendation=vote, stated_recommendation=vote, summary=summary, criteria={},
                open_findings=[], timestamp=datetime.now(UTC).isoformat(), basis="a count",
            )
        )  # fmt: skip


def run(report: Path, out: Path, **parts: Any) -> foureyes.PipelineResult:
    return foureyes.run_analysis(BRIEF, sources=[report], with_fact_checker=True, out=out, **parts)


def test_an_own_analyst_and_judge_are_replayed_packed_and_needed_again(
    report: Path, tmp_path: Path
) -> None:
    writer = Writer()
    result = run(report, tmp_path / "runs", analyst=writer, judge=Judging())
    assert (result.status, writer.asked, len(result.iterations)) == (RunStatus.APPROVED, 2, 2)
    assert result.judgement is not None
    assert result.judgement.summary == f"{len(DRAFT)} characters"
    assert result.run_dir is not None
    again = foureyes.replay_run(result.run_dir, out=tmp_path / "again")
    assert (again.status, again.judgement) == (result.status, result.judgement)
    packed = foureyes.verify_pack(result.run_dir / "evidence_pack.zip")
    own = (f"analyst {__name__}:Writer", f"judge {__name__}:Judging")
    assert (packed.differences, packed.own_code) == ((), own)
    with pytest.raises(foureyes.RunDirectoryError, match=r"is written by .*Writer"):
        foureyes.resume_run(result.run_dir)
    whole = foureyes.resume_run(result.run_dir, analyst=Writer(), judge=Judging())
    assert whole.status is RunStatus.APPROVED


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (Error(FailureKind.REFUSED, "no"), RunStatus.FAILED, "the analyst gave no draft: no"),
        (RuntimeError("lost"), RunStatus.FAILED, "RuntimeError: lost"),
        (SystemExit(0), RunStatus.FAILED, "analyst called sys.exit(0)"),
        ("a text", RunStatus.FAILED, "gave neither a Success with Analysis nor an Error"),
        (Success(3), RunStatus.FAILED, "gave neither a Success with Analysis nor an Error"),
    ],
)
def test_an_own_analyst_that_gives_no_draft_fails_its_run_alone_and_is_replayed(
    answer: Any, status: RunStatus, said: str, report: Path, tmp_path: Path
) -> None:
    result = run(report, tmp_path / "runs", analyst=Writer(answer))
    assert result.status is status
    assert said in result.reason
    assert result.run_dir is not None
    again = foureyes.replay_run(result.run_dir, out=tmp_path / "again")
    assert (again.status, again.reason) == (result.status, result.reason)


def test_an_own_judge_that_gives_no_judgement_leaves_the_end_as_it_is(
    report: Path, tmp_path: Path
) -> None:
    judge = Judging(Error(FailureKind.TIMEOUT, "asleep"))
    result = run(report, tmp_path / "runs", analyst=Writer(), judge=judge)
    assert (result.status, result.judge_failed, result.exit_code) == (RunStatus.APPROVED, True, 2)
    assert result.run_dir is not None
    assert foureyes.replay_run(result.run_dir, out=tmp_path / "again").judge_failed


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"analyst": object()}, "is not an analyst"),
        ({"judge": Judging}, "is not a judge"),
        ({"judge": Judging(), "mode": "analyze"}, "--judge cannot be combined with mode analyze"),
        ({"critics": [object()]}, "is not a critic"),
    ],
)
def test_what_is_no_such_part_is_refused_before_the_run(
    parts: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(foureyes.SettingsError) as caught:
        foureyes.run_analysis(draft=DRAFT, out=tmp_path / "runs", **parts)
    assert said in caught.value.message
    assert not (tmp_path / "runs").exists()
