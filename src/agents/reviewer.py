"""The reviewer: holds the analysis against its brief, and can veto it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from ..base.errors import ReplyError
from ..base.finding import Finding, finding_id
from ..base.vocabulary import Recommendation, ReviewCriterion
from ..core.agent_base import BaseAgent
from ..core.config import ReviewerConfig
from ..core.contexts import ReviewerContext
from ..core.outline import BriefReading
from ..core.prompts import PromptLibrary
from ..core.templates import TemplateLibrary
from ..core.types import (
    AgentBackend,
    AgentTask,
    CriterionScore,
    ReviewerFeedback,
    ReviewerInput,
    Role,
    Turn,
    issue_record,
)
from ..documents.parse import parse_document
from ..verification.severity import SeverityPolicy, recommend
from .document_search import search_tools
from .fences import Fence
from .measures import critique_lines
from .places import Places
from .policy import severity_figures, strictness_rule
from .reading import SECTION_TOKENS, as_files
from .replies import (
    CriterionReply,
    RecommendationWord,
    Reply,
    SeverityWord,
    Words,
    read_reply,
)
from .tasks import Clock, basis_of, limits_of, time_stamp, utc_now

TEMPLATE = "agents/reviewer/feedback.json"
FILE_NAME = "feedback.json"
_SYSTEM = "agents/reviewer/system.md"
_INITIAL = "agents/reviewer/user/initial.md"
_REVISION = "agents/reviewer/user/revision.md"
_SYSTEM_VARIABLES = (
    "strictness",
    "strictness_rule",
    "file_name",
    "language",
)
_USER_VARIABLES = (
    "iteration",
    "max_iterations",
    "readable",
    "split",
    "section_tokens",
    "file_name",
    "findings",
    "critique",
)


class IssueReply(Reply):
    """An issue as the reviewer fills it in."""

    severity: SeverityWord
    criterion: Words
    quote: Words
    problem: Words
    evidence: Words
    recommendation: Words


class ReviewerReply(Reply):
    """The reviewer's filled template."""

    recommendation: RecommendationWord
    recommendation_reason: Words
    summary: Words
    criteria: dict[str, CriterionReply]
    strengths: list[Words]
    issues: list[IssueReply]
    top_priorities: list[Words] = Field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Review:
    """The reviewer's artefact, and its issues as located findings."""

    feedback: ReviewerFeedback
    findings: tuple[Finding, ...]


class ReviewerAgent(BaseAgent[ReviewerConfig, ReviewerContext, Review]):
    """Judges an analysis against its brief.

    Args:
        config: Its settings; `strictness` is its own (decision 2).
        backend: Who fills the form.
        prompts: Where its prompts are.
        templates: Where its template is.
        reading: How briefs are read.
        policy: Severities and what rejects.
        clock: The time stamp of its artefact.

    Raises:
        PromptError: A prompt of the reviewer cannot be used.
    """

    def __init__(
        self,
        config: ReviewerConfig,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
        *,
        reading: BriefReading,
        policy: SeverityPolicy,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(config, backend, prompts, templates)
        self._reading = reading
        self._policy = policy
        self._clock = clock
        prompts.check(_SYSTEM, _SYSTEM_VARIABLES)
        prompts.check(_INITIAL, _USER_VARIABLES)
        prompts.check(_REVISION, _USER_VARIABLES)

    @property
    def agent_name(self) -> str:
        """``reviewer``."""
        return "reviewer"

    def build_task(self, context: ReviewerContext) -> AgentTask[ReviewerInput]:
        """The feedback form for one draft."""
        inputs = context.inputs
        readable = {**as_files("brief", inputs.brief), **as_files("analysis", inputs.draft)}
        form = self.templates.json_template(TEMPLATE)
        return AgentTask(
            role=Role.REVIEWER,
            name=f"{context.iteration}/reviewer",
            inputs=inputs,
            system_prompt=self.prompts.render(
                _SYSTEM,
                strictness=self.config.strictness.value,
                strictness_rule=strictness_rule(self._policy, self.config.strictness),
                file_name=FILE_NAME,
                language=self._reading.wording(inputs.brief).name,
            ),
            user_prompt=self.prompts.render(
                _REVISION if inputs.previous_findings else _INITIAL,
                iteration=context.iteration,
                max_iterations=context.max_iterations,
                readable=tuple(readable),
                split=len(readable) > 2,
                section_tokens=SECTION_TOKENS,
                file_name=FILE_NAME,
                findings=inputs.previous_findings,
                critique=critique_lines(inputs.critique),
            ),
            file_name=FILE_NAME,
            template=form.text,
            policy=form.policy,
            readable=readable,
            tools=search_tools(self.config, readable, Fence.of(inputs.draft)),
            limits=limits_of(self.config),
            model=self.config.model,
            effort=self.config.effort,
            to_do_list=self.config.allows("TodoWrite"),
        )

    def read_reply(self, context: ReviewerContext, turn: Turn) -> Review:
        """The review; its recommendation and counts are computed from the issues.

        Raises:
            ReplyError: A value cannot be read, or a rejection names no issue.
        """
        reply = read_reply(ReviewerReply, turn.text)
        if reply.recommendation is Recommendation.REJECT and not reply.issues:
            raise ReplyError("/issues: a rejection names at least one issue")
        findings = self._findings(reply.issues, context.inputs.draft)
        return Review(self._feedback(context, turn, reply, findings), findings)

    def _feedback(
        self,
        context: ReviewerContext,
        turn: Turn,
        reply: ReviewerReply,
        findings: tuple[Finding, ...],
    ) -> ReviewerFeedback:
        return ReviewerFeedback(
            recommendation=recommend(findings, self.config.strictness, self._policy),
            stated_recommendation=reply.recommendation,
            recommendation_reason=reply.recommendation_reason,
            timestamp=time_stamp(self._clock),
            analysis_path=context.analysis_input_path.as_posix(),
            summary=reply.summary,
            criteria={
                name: CriterionScore(score=criterion.score, reason=criterion.reason)
                for name, criterion in reply.criteria.items()
            },
            strengths=reply.strengths,
            issues=[issue_record(finding) for finding in findings],
            severity_counts=severity_figures(findings),
            read_coverage=turn.read_coverage,
            top_priorities=reply.top_priorities,
            basis=basis_of(self.backend),
        )

    def _findings(self, issues: Sequence[IssueReply], draft: str) -> tuple[Finding, ...]:
        places = Places(parse_document(draft))
        found: dict[str, Finding] = {}
        for number, issue in enumerate(issues):
            criterion = _criterion(issue.criterion, number)
            id_ = finding_id(criterion, issue.quote or issue.problem)
            if id_ in found and found[id_].problem != issue.problem:
                # Another issue at the same place.
                id_ = finding_id(criterion, f"{issue.quote} {issue.problem}")
            finding = Finding(
                id=id_,
                severity=issue.severity,
                type=criterion,
                claim=issue.quote,
                problem=issue.problem,
                origin=self.agent_name,
                location=places.locate(issue.quote),
                evidence=issue.evidence,
                recommendation=issue.recommendation,
            )
            known = found.get(id_)
            if known is None or finding.severity.rank < known.severity.rank:
                found[id_] = finding
        return tuple(found.values())


def _criterion(word: str, number: int) -> ReviewCriterion:
    folded = "_".join(word.replace("-", " ").replace("_", " ").casefold().split())
    known = [c for c in ReviewCriterion if c.is_reviewed]
    for criterion in known:
        if criterion.value == folded:
            return criterion
    raise ReplyError(
        f"/issues/{number}/criterion: {word[:60]!r} is none of "
        f"{', '.join(criterion.value for criterion in known)}"
    )
