"""A user's own critic: what of its answers counts, and what is refused."""

from __future__ import annotations

from dataclasses import replace
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
    IterationWork,
    Recommendation,
    ReplyError,
    SettingsError,
    Severity,
    TurnUsage,
)
from foureyes.core.agent_calls import MOST_CHARACTERS, MOST_FINDINGS, UserCritic
from support.evidence_run import AS_OF, services

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


@pytest.fixture
def work(tmp_path: Any) -> IterationWork:
    """The second iteration of a run."""
    return IterationWork(2, 3, "a brief", "a draft", "draft.md", AS_OF, services(tmp_path))


async def test_a_veto_counts_with_findings_in_the_critics_own_name(work: IterationWork) -> None:
    file = ArtefactFile("tone_iteration_2.md", "# Tone")
    answer = await UserCritic(Listed(replace(VETO, artefact=file))).examine(work)
    assert answer == replace(VETO, artefact=file, findings=(replace(FOUND, origin="tone"),))


async def test_what_plainly_means_a_record_is_one(work: IterationWork) -> None:
    loose = replace(VETO, recommendation="reject", findings=[FOUND], coverage=1)
    answer = await UserCritic(Listed(loose)).examine(work)
    assert answer == replace(VETO, findings=(replace(FOUND, origin="tone"),))


async def test_a_failure_stays_one(work: IterationWork) -> None:
    failed = Error(FailureKind.TIMEOUT, "no\nanswer")
    assert await UserCritic(Listed(failed)).examine(work) == Error(FailureKind.TIMEOUT, "no answer")
    broken = Listed(SettingsError("no such setting", "mend it"))
    assert await UserCritic(broken).examine(work) == Error(
        FailureKind.CRASHED, "SettingsError: no such setting (mend it)"
    )
    half = replace(VETO, unfinished=(failed,))
    assert await UserCritic(Listed(half)).examine(work) == failed


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
            r"3 to 8 is no place of the draft \(in 'f-1'\)",
        ),
        (replace(VETO, assessments=()), "verdicts on claims are the fact checker's"),
        (replace(VETO, findings=(FOUND,) * (MOST_FINDINGS + 1)), "1001 findings are more than"),
        (replace(VETO, artefact=ArtefactFile("../run.json", "")), "its file is to be named tone_"),
        (
            replace(VETO, artefact=ArtefactFile("claims_iteration_2.json", "")),
            "its file is to be named tone_iteration_2.json",
        ),
        (
            replace(VETO, artefact=ArtefactFile("tone_iteration_2.md", "x" * 10**6 + "x")),
            f"its file is longer than {MOST_CHARACTERS:,}",
        ),
        (SystemExit(0), r"tone called sys.exit\(0\)"),
    ],
)
async def test_no_answer_passes_for_one(answer: object, said: str, work: IterationWork) -> None:
    with pytest.raises(ReplyError, match=said):
        await UserCritic(Listed(answer)).examine(work)


@pytest.mark.parametrize("name", ["", "Tone", "a-b", "../x", "1st", "x" * 41, None])
def test_a_name_that_could_not_name_files_is_refused(name: Any) -> None:
    with pytest.raises(SettingsError, match="cannot be a critic's name"):
        UserCritic(Listed(VETO, name))


@pytest.mark.parametrize("name", ["reviewer", "fact_checker", "judge", "claims", "sources", "gate"])
def test_a_name_of_ours_is_refused(name: str) -> None:
    with pytest.raises(
        SettingsError, match=f"'{name}' cannot be a critic's name: foureyes uses it"
    ):
        UserCritic(Listed(VETO, name))
