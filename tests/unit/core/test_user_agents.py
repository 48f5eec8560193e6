"""A user's own critic: what of its answers counts, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from foureyes import (
    ArtefactFile,
    Correction,
    Error,
    Examination,
    FailureKind,
    Finding,
    IssueType,
    IterationResult,
    IterationWork,
    Recommendation,
    SettingsError,
    Severity,
    TurnUsage,
    run_analysis_async,
)

FOUND = Finding("f-1", Severity.HIGH, IssueType.ERROR, "words", "a problem", origin="the judge")
VETO = Examination(Recommendation.REJECT, None, (FOUND,), 1.0, TurnUsage(input_tokens=3))


class Listed:
    """A critic that gives what it was made with."""

    def __init__(self, answer: Any, name: str = "tone") -> None:
        self.answer, self.name = answer, name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """As listed."""
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


async def examined(folder: Path, critic: Listed) -> IterationResult:
    """The only iteration of a run over a draft, which `critic` examines."""
    result = await run_analysis_async(
        "a brief",
        draft="a draft",
        critics=[critic],
        mode="analyze",
        max_iterations=1,
        reader="none",
        out=folder / "runs",
    )
    return result.iterations[0]


async def test_a_veto_counts_with_findings_in_the_critics_own_name(tmp_path: Path) -> None:
    file = ArtefactFile("tone_iteration_1.md", "# Tone")
    found = await examined(tmp_path, Listed(replace(VETO, artefact=file)))
    assert found.examinations["tone"] == replace(
        VETO, artefact=file, findings=(replace(FOUND, origin="tone"),)
    )


async def test_what_plainly_means_a_record_is_one(tmp_path: Path) -> None:
    loose = replace(VETO, recommendation="reject", findings=[FOUND], coverage=1)
    found = await examined(tmp_path, Listed(loose))
    assert found.examinations["tone"] == replace(VETO, findings=(replace(FOUND, origin="tone"),))


async def test_a_failure_stays_one(tmp_path: Path) -> None:
    failed = Error(FailureKind.TIMEOUT, "no\nanswer")
    crashed = Error(FailureKind.CRASHED, "SettingsError: no such setting (mend it)")
    for answer, failure in (
        (failed, Error(FailureKind.TIMEOUT, "no answer")),
        (SettingsError("no such setting", "mend it"), crashed),
        (replace(VETO, unfinished=(failed,)), failed),
    ):
        assert (await examined(tmp_path, Listed(answer))).failures == {"tone": failure}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "tone gave a NoneType, and no Examination or Error"),
        ("approve", "tone gave a str"),
        (replace(VETO, coverage=1.5), "a coverage of 1.5 is no share"),
        (replace(VETO, coverage=float("nan")), "no whole Examination: coverage: "),
        (replace(VETO, recommendation=True), "no whole Examination: recommendation: "),
        (replace(VETO, findings=({"id": 1},)), "no whole Examination: findings.0.id: "),
        (replace(VETO, findings=(object(),)), "no whole Examination: Unable to serialize"),
        (
            replace(VETO, findings=(replace(FOUND, correction=Correction(3, 8, "")),)),
            "3 to 8 is no place of the draft (in 'f-1')",
        ),
        (replace(VETO, assessments=()), "verdicts on claims are the fact checker's"),
        (replace(VETO, findings=(FOUND,) * 1001), "1001 findings are more than"),
        (replace(VETO, artefact=ArtefactFile("../run.json", "")), "its file is to be named tone_"),
        (
            replace(VETO, artefact=ArtefactFile("claims_iteration_1.json", "")),
            "its file is to be named tone_iteration_1.json",
        ),
        (
            replace(VETO, artefact=ArtefactFile("tone_iteration_1.md", "x" * 10**6 + "x")),
            "its file is longer than 1,000,000",
        ),
        (SystemExit(0), "tone called sys.exit(0)"),
    ],
)
async def test_no_answer_passes_for_one(answer: object, said: str, tmp_path: Path) -> None:
    found = await examined(tmp_path, Listed(answer))
    assert said in found.failures["tone"].message
    assert dict(found.examinations) == {}


@pytest.mark.parametrize("name", ["", "Tone", "a-b", "../x", "1st", "x" * 41, None])
async def test_a_name_that_could_not_name_files_is_refused(name: Any, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be a critic's name"):
        await examined(tmp_path, Listed(VETO, name))


@pytest.mark.parametrize("name", ["reviewer", "fact_checker", "judge", "claims", "sources", "gate"])
async def test_a_name_of_ours_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=f"'{name}' cannot be a critic's name: foureyes uses it"
    ):
        await examined(tmp_path, Listed(VETO, name))
