"""The judge's part: what it is given, and what its word can change (decision 9)."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.vocabulary import Recommendation
from ..verification.deepening.model import CRITIQUE_FILE, GAPS_FILE, QUERIES_FILE
from .approval import Ended, RunStatus
from .challenging import CHALLENGE_RECORD
from .iteration import IterationResult
from .quality import MAP_FILE
from .types import JudgeInput, Judgement

# They tell in another order what the ledger tells, or what the analyst is to look for.
_RETOLD = frozenset({MAP_FILE, CRITIQUE_FILE, GAPS_FILE, QUERIES_FILE, CHALLENGE_RECORD})


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of asking the judge, if it was asked."""

    judgement: Judgement | None = None
    failed: bool = False


def judge_input(brief: str, delivered: IterationResult) -> JudgeInput:
    """The delivered analysis, every critic's file, the ledger and the gate."""
    conclusion = delivered.conclusion
    quality = conclusion.quality if conclusion else None
    files = [e.artefact for e in delivered.examinations.values() if e.artefact is not None]
    files += (
        [file for file in conclusion.artefacts if file.name not in _RETOLD] if conclusion else ()
    )
    return JudgeInput(
        brief=brief,
        draft=delivered.draft,
        artefacts={file.name: file.text for file in files},
        open_findings=delivered.findings,
        ledger=conclusion.ledger if conclusion else None,
        gate=conclusion.gate if conclusion else None,
        critique=quality.critique if quality else None,
    )


def after_judge(end: Ended, judged: Judged) -> Ended:
    """The end once the judge has spoken: it can withhold what critics gave, and never give it."""
    judgement = judged.judgement
    if judgement is None or judgement.recommendation is Recommendation.APPROVE:
        return end
    if not end.status.accepted:
        return end
    reason = f"{end.status}, but the judge rejects: {judgement.summary}"
    return Ended(RunStatus.INCONCLUSIVE, reason)
