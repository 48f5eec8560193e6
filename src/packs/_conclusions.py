"""Conclusions of a packed run, computed again from the pack.

The functions are those of the run. The verdicts are computed by the engine as it is here; what
follows from verdicts is computed from the recorded ones, so that the two can be told apart.
"""

from __future__ import annotations

from dataclasses import replace

from ..agents.fact_check_artefact import summarise
from ..agents.fact_check_reply import CheckedClaim, CheckedClaims
from ..assembly.materials import open_fetcher
from ..assembly.settings import pipeline_config
from ..base.files import to_json
from ..core.agent_calls import claim_answers
from ..core.artefacts import (
    FactCheck,
    ReviewerFeedback,
    count_severities,
    issue_record,
)
from ..core.evidence import DocumentEvidence
from ..core.iteration import (
    FindingHistory,
    IterationOutcome,
    IterationResult,
    PreparedEvidence,
    apply_decisions,
    merge_findings,
    outcome_file,
    outcome_name,
    recorded_failure,
)
from ..core.run_store import IterationSummary
from ..core.run_store import summarise as summary_of
from ..core.source_tools import SourceReader
from ..core.work import Examination
from ..report.evidence_pack import Difference, PackCheck
from ..verification.severity import recommend
from ._packed_run import PackedRun
from ._stage import evidence_stage, run_services

REVIEWER, FACT_CHECKER = "reviewer", "fact_checker"
FILES = {
    REVIEWER: "iterations/reviewer_feedback_iteration_{}.json",
    FACT_CHECKER: "iterations/fact_check_iteration_{}.json",
}


async def recompute_conclusions(run: PackedRun) -> Recomputation:
    """Every iteration's claims, verdicts, ledger, gate, scores and votes.

    Raises:
        FoureyesError: A file that they rest on is missing or damaged.
    """
    again = Recomputation(run)
    summaries = {one.iteration: one for one in run.store.manifest.iterations}
    listed = set(run.iterations())
    checked = run.store.manifest.mode.fact_checks
    async with open_fetcher(run.store.sources, run.settings) as fetcher:
        stage = evidence_stage(run, SourceReader(fetcher, run.snapshots))
        for number in sorted({*listed, *summaries}):
            draft = run.store.read(f"iterations/analysis_iteration_{number}.md")
            prepared = None
            if checked or number in listed:
                prepared = await stage.prepare(number, draft, run_services(run))
                prepared = again.verdicts_of(prepared)
            summary = summaries.get(number)
            if summary is not None:
                await again.iteration(stage, summary, draft, prepared)
    return again


class Recomputation:
    """The iterations so far as they follow from the pack, and how they differ from it."""

    def __init__(self, run: PackedRun) -> None:
        self._run = run
        self._history = FindingHistory()
        self.results: list[IterationResult] = []
        self.differences: list[Difference] = []
        self.verdicts = 0

    def verdicts_of(self, prepared: PreparedEvidence) -> PreparedEvidence:
        """Compare the engine's verdicts; what goes on from here are the recorded ones."""
        for file in prepared.artefacts:
            self._compare(PackCheck.VERDICTS, f"iterations/{file.name}", file.text)
        recorded = self._run.claims(prepared.iteration)
        self.verdicts += len(recorded.claims)
        evidence = replace(
            prepared.evidence, claims=recorded.claims, assessments=recorded.assessments
        )
        return replace(prepared, evidence=evidence)

    async def iteration(
        self,
        stage: DocumentEvidence,
        summary: IterationSummary,
        draft: str,
        prepared: PreparedEvidence | None,
    ) -> None:
        """Compare what the critics' answers of an iteration come to."""
        number = summary.iteration
        answers: dict[str, Examination] = {}
        for critic in summary.votes:
            answer = self._run.examination(number, critic)
            if answer is None:
                # A critic that could not finish left no answer to go on from.
                return
            answers[critic] = answer
        for critic, answer in answers.items():
            self._vote(number, critic, answer, prepared)
        conclusion, settled = None, frozenset[str]()
        if prepared is not None:
            assessments = claim_answers(answers.values())
            conclusion = await stage.conclude(prepared, assessments, run_services(self._run))
            concluded = [one.iteration for one in self._run.store.manifest.iterations]
            folder = "verify" if number >= max(concluded) else f"verify/iteration_{number}"
            for file in conclusion.artefacts:
                self._compare(PackCheck.CONCLUSIONS, f"{folder}/{file.name}", file.text)
            member = f"iterations/{outcome_name(number)}"
            recorded = self._run.record(IterationOutcome, member)
            conclusion = replace(conclusion, unsearched=recorded.unsearched)
            settled = conclusion.settled
        answers = {critic: apply_decisions(answer, settled) for critic, answer in answers.items()}
        groups = [answer.findings for answer in answers.values()]
        findings = merge_findings([*groups, conclusion.findings if conclusion else ()])
        result = IterationResult(
            number,
            draft,
            examinations=answers,
            failures={name: recorded_failure(text) for name, text in summary.failures.items()},
            conclusion=conclusion,
            findings=findings,
            changes=self._history.add(findings),
        )
        self.results.append(result)
        file = outcome_file(result)
        self._compare(PackCheck.CONCLUSIONS, f"iterations/{file.name}", file.text)
        before = to_json(IterationSummary, summary)
        now = to_json(IterationSummary, summary_of(result))
        for one in self._run.compare(PackCheck.CONCLUSIONS, "run.json", before, now):
            self.differences.append(replace(one, place=f"iterations[{number - 1}].{one.place}"))

    def _vote(
        self, number: int, critic: str, answer: Examination, prepared: PreparedEvidence | None
    ) -> None:
        """Compare a critic's file with the answer in the journal, and its counts with its issues.

        Rules of other critics are not known here.
        """
        if (file := answer.artefact) is not None:
            self._compare(PackCheck.VOTES, f"iterations/{file.name}", file.text)
        if critic not in FILES:
            return
        member = FILES[critic].format(number)
        config = pipeline_config(self._run.settings)
        own = config.reviewer if critic == REVIEWER else config.fact_checker
        vote = recommend(answer.findings, own.strictness, self._run.registry.severity)
        found: dict[str, object] = {"recommendation": vote}
        found["issues"] = [issue_record(finding) for finding in answer.findings]
        record = FactCheck if critic == FACT_CHECKER else ReviewerFeedback
        if critic == FACT_CHECKER and prepared is not None:
            # It holds the counts of severities, too.
            claims = {claim.id for claim in prepared.evidence.claims}
            answered = (one for one in answer.assessments or () if one.claim_id in claims)
            merged = CheckedClaims({one.claim_id: CheckedClaim(one) for one in answered})
            merged = replace(merged, findings=answer.findings)
            found["summary"] = summarise(merged, prepared.evidence)
        else:
            found["severity_counts"] = count_severities(answer.findings)
        before = self._run.record(record, member)
        now = before.model_copy(update=found)
        texts = before.model_dump_json(), now.model_dump_json()
        self.differences += self._run.compare(PackCheck.VOTES, member, *texts)

    def _compare(self, check: PackCheck, member: str, found: str) -> None:
        if (self._run.folder / member).is_file():
            recorded = self._run.store.read(member)
            self.differences += self._run.compare(check, member, recorded, found)
        else:
            # A run of another version had no such file.
            told, other = ("no file", "a file that follows"), self._run.other_version
            self.differences.append(Difference(check, member, "", *told, other_version=other))
