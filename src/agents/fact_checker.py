"""The fact checker: planned by code, filled batch by batch, merged by code; it has a veto."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..base.errors import ReplyError
from ..base.off_loop import run_in_parallel
from ..base.vocabulary import Finding, SourceState
from ..core.artefacts import FactCheck, VerificationDetails, artefact_file, issue_record
from ..core.config import FactCheckerConfig
from ..core.tasks import AgentResult, AgentTask, Error, Role, Success, Turn, TurnUsage
from ..core.work import (
    ClaimWork,
    Examination,
    FactCheckerContext,
    FactCheckInput,
    IterationEvidence,
    IterationWork,
)
from ..verification.model import ClaimAssessment
from .document_search import search_tools
from .fact_check_artefact import (
    carry_over,
    claim_verdicts,
    combine_stated,
    merge,
    priorities,
    recommendation_reason,
    summarise,
)
from .fact_check_batches import claims_file, excerpts, form_entries, plan_batches
from .fact_check_reply import BatchAnswer, BatchReader, CheckedClaims
from .prompted_agent import AgentCritic, AgentSpec, PromptedAgent
from .reading import UntrustedText, as_files
from .rules import basis_of
from .source_tools import fact_check_tools

EXCERPT_NAME = "analysis-excerpt"
DOCUMENT_NAME = "analysis.md"
PASSAGES_NAME = "passages"


@dataclass(frozen=True, slots=True)
class FactChecked:
    """The fact checker's artefact with what the ledger and the analyst need of it.

    `assessments` contains the answered claims; a claim missing there is an open slot.
    `failures` says how batches failed.
    """

    fact_check: FactCheck
    findings: tuple[Finding, ...]
    assessments: tuple[ClaimAssessment, ...]
    failures: tuple[Error, ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is carried over of an iteration, and its batches with what each is given to read."""

    carried: CheckedClaims
    batches: Sequence[Sequence[ClaimWork]]
    excerpts: Sequence[str]
    untrusted: UntrustedText


class FactCheckerAgent(PromptedAgent[FactCheckerConfig, FactCheckerContext, FactChecked]):
    """Verifies every claim of a draft against the source that it cites.

    `config.max_webfetches` is its allowance an iteration.
    """

    _spec = AgentSpec(Role.FACT_CHECKER, "fact_check.json")

    async def process(self, context: FactCheckerContext) -> AgentResult[FactChecked]:
        """Check every claim of the iteration.

        What did not change since the last iteration is carried over. A failed batch leaves its
        claims open; only if all fail is the answer an `Error`. Cancellation is raised.

        Raises:
            FoureyesError: The run cannot go on; the other batches had finished.
        """
        plan = self._plan(context)
        works = [
            partial(
                self.run_task,
                self._task(context, plan, number),
                context,
                partial(self._read, context, batch),
            )
            for number, batch in enumerate(plan.batches)
        ]
        results = await run_in_parallel(works, at_once=len(works))
        usage = sum((one.usage for one in results), TurnUsage())
        answers = [one.output for one in results if isinstance(one, Success)]
        failed = [one for one in results if isinstance(one, Error)]
        if failed and not answers:
            first = failed[0]
            message = f"every batch failed ({len(failed)}); the first: {first.message}"
            return Error(first.kind, message, usage, first.partial)
        failures = tuple(Error(error.kind, error.message) for error in failed)
        return Success(self._output(context, plan, answers, usage, failures), usage)

    def tasks(self, context: FactCheckerContext) -> tuple[AgentTask[FactCheckInput], ...]:
        """The task of each batch, in order.

        Raises:
            RunDirectoryError: The previous fact check is none.
            TemplateError: The agent's template is broken.
        """
        plan = self._plan(context)
        return tuple(self._task(context, plan, number) for number in range(len(plan.batches)))

    def build_task(self, context: FactCheckerContext) -> AgentTask[FactCheckInput]:
        """The first batch's task; `process` runs all of `tasks`.

        Raises:
            ReplyError: There is nothing to check.
        """
        tasks = self.tasks(context)
        if not tasks:
            raise ReplyError("there is no claim to check")
        return tasks[0]

    def read_reply(self, context: FactCheckerContext, turn: Turn) -> FactChecked:
        """The fact check of an iteration that has one batch, from that batch's filled form.

        Raises:
            ReplyError: The form cannot be read.
        """
        plan = self._plan(context)
        answers = [self._read(context, batch, turn) for batch in plan.batches[:1]]
        return self._output(context, plan, answers, turn.usage)

    def _plan(self, context: FactCheckerContext) -> _Plan:
        evidence = context.evidence
        carried = carry_over(context.previous_fact_check, evidence)
        works = [
            ClaimWork(claim, assessment)
            for claim in evidence.claims
            if (assessment := evidence.assessments.get(claim.id)) is not None
            and not assessment.needs_no_answer
            and claim.id not in carried.checked
        ]
        base = self._form_bytes([], evidence)
        batches = plan_batches(
            works,
            lambda work: self._form_bytes([work], evidence) - base,
            most_claims=self.config.batch_claims,
            most_bytes=self.config.batch_bytes - base,
        )
        untrusted = UntrustedText.of(
            evidence.document.text, *(claim.id for claim in evidence.claims)
        )
        return _Plan(carried, batches, excerpts(batches, evidence), untrusted)

    def _form_bytes(self, works: Sequence[ClaimWork], evidence: IterationEvidence) -> int:
        """The size of the form for `works` as a file."""
        entries = form_entries(works, evidence)
        form = self.templates.json_template(self._spec.template, claims=entries)
        return len(form.text.encode())

    def _task(
        self, context: FactCheckerContext, plan: _Plan, number: int
    ) -> AgentTask[FactCheckInput]:
        """The task of the batch at `number`, from 0."""
        evidence, works, reaches = context.evidence, plan.batches[number], context.source_tools
        fetches = context.max_webfetches if reaches and self.config.allows("fetch_source") else 0
        search = self.config.allows("search_sources") and context.max_searches > 0
        search = search and reaches is not None
        ids = [work.claim.id for work in works]
        findings = tuple(one for one in context.previous_findings if one.claim_id in ids)
        readable = {
            **as_files(EXCERPT_NAME, plan.excerpts[number]),
            **as_files(PASSAGES_NAME, claims_file(works, evidence.sources, plan.untrusted)),
        }
        tools = search_tools(self.config, {DOCUMENT_NAME: evidence.document.text}, plan.untrusted)
        if reaches is not None:
            tools += fact_check_tools(
                reaches, ids, plan.untrusted, max_webfetches=fetches, searches=search
            )
        return self._prompted_task(
            context,
            f"fact_checker/batch-{number + 1:02}",
            FactCheckInput(evidence.document.text, tuple(works), findings),
            entries=form_entries(works, evidence),
            readable=readable,
            system={
                "severity": self._rules.registry.severity,
                "strictness": self.config.strictness.value,
                "strictness_rule": self._strictness_rule(self.config.strictness),
                "max_webfetches": fetches,
                "search": search,
                "excerpt_name": EXCERPT_NAME,
                "passages_name": PASSAGES_NAME,
                "language": self._rules.reading.wordings.of(evidence.document.language).name,
            },
            user={
                "batch": number + 1,
                "batches": len(plan.batches),
                "as_of": context.as_of.isoformat(),
                "claims": ids,
                "decided": sum(work.assessment.decided for work in works),
                "findings": findings,
            },
            revision=context.iteration > 1,
            tools=tools,
            protocol=self._rules.protocol if search else None,
        )

    def _read(
        self, context: FactCheckerContext, works: Sequence[ClaimWork], turn: Turn
    ) -> BatchAnswer:
        severities = self._rules.fact_checker.issues
        by_id = {work.claim.id: work for work in works}
        reader = BatchReader(by_id, context.evidence, context.source_tools, severities)
        return reader.read(turn.text)

    def _output(
        self,
        context: FactCheckerContext,
        plan: _Plan,
        answers: Sequence[BatchAnswer],
        usage: TurnUsage,
        failures: tuple[Error, ...] = (),
    ) -> FactChecked:
        evidence, rules = context.evidence, self._rules
        merged = merge(evidence, plan.carried, answers, rules.registry)
        recommendation = self._vote(merged.findings, self.config.strictness)
        summary = summarise(merged, evidence)
        stated = [answer.stated for answer in answers]
        sources = evidence.sources.sources.values()
        tried = [one for one in sources if one.state is not SourceState.NOT_FETCHED]
        fact_check = FactCheck(
            recommendation=recommendation,
            stated_recommendation=combine_stated(stated),
            recommendation_reason=recommendation_reason(recommendation, merged.findings, summary),
            timestamp=rules.time_stamp(self.agent_name),
            analysis_path=context.analysis_input_path.as_posix(),
            summary=summary,
            issues=[issue_record(finding) for finding in merged.findings],
            claims=claim_verdicts(merged, evidence),
            additional_claims=list(merged.added),
            verification_details=VerificationDetails(
                webfetch_attempts=len(tried) + usage.fetches,
                webfetch_successful=sum(source.state.readable for source in tried),
                websearch_fallbacks=0,
                processing_time_seconds=round(usage.wall_s, 3),
                batches=len(plan.batches),
                failed_batches=len(failures),
            ),
            top_priorities=priorities(merged.findings),
            stated=stated,
            basis=basis_of(self.backend),
        )
        assessments = tuple(one.assessment for one in merged.checked.values())
        return FactChecked(fact_check, merged.findings, assessments, failures)


def fact_checker_critic(
    agent: FactCheckerAgent,
) -> AgentCritic[FactCheckerConfig, FactCheckerContext, FactChecked]:
    """The fact checker as a critic; runs without evidence give it nothing to check."""

    def to_context(work: IterationWork) -> FactCheckerContext | None:
        if work.evidence is None:
            return None
        previous = work.previous_examinations.get(agent.agent_name)
        last = previous.artefact if previous else None
        return FactCheckerContext(
            iteration=work.iteration,
            max_iterations=work.max_iterations,
            services=work.services,
            analysis_input_path=Path(work.draft_path),
            fact_check_output_path=Path(f"iterations/fact_check_iteration_{work.iteration}.json"),
            evidence=work.evidence,
            source_tools=work.source_tools,
            as_of=work.as_of,
            max_webfetches=agent.config.max_webfetches,
            max_searches=agent.config.max_searches,
            previous_fact_check_path=Path(f"iterations/{last.name}") if last else None,
            previous_fact_check=last.text if last else "",
            previous_findings=work.previous_findings,
        )

    def to_examination(checked: FactChecked, usage: TurnUsage, work: IterationWork) -> Examination:
        fact_check = checked.fact_check
        share = fact_check.summary.coverage
        return Examination(
            recommendation=fact_check.recommendation,
            stated_recommendation=fact_check.stated_recommendation,
            findings=checked.findings,
            coverage=1.0 if share is None else share / 100,
            usage=usage,
            artefact=artefact_file(f"fact_check_iteration_{work.iteration}.json", fact_check),
            assessments=checked.assessments,
            independent=agent.backend.independent,
            unfinished=checked.failures,
        )

    return AgentCritic(agent, to_context, to_examination)
