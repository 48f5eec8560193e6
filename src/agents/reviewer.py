"""The reviewer: compares the analysis with its brief, and can veto it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ..base.errors import ReplyError
from ..base.vocabulary import Finding, Recommendation, ReviewCriterion
from ..core.artefacts import ReviewerFeedback, artefact_file, count_severities, issue_record
from ..core.config import ReviewerConfig
from ..core.forms import read_reply
from ..core.tasks import AgentTask, Role, Turn, TurnUsage
from ..core.work import Examination, IterationWork, ReviewerContext, ReviewerInput
from .document_search import search_tools
from .prompted_agent import AgentCritic, AgentSpec, PromptedAgent
from .reading import UntrustedText, as_files
from .replies import GradingReply, Issue, Words, locate_issues, word_of
from .rules import basis_of, critique_lines

_CRITERIA = tuple(one for one in ReviewCriterion if one.is_reviewed)


class IssueReply(Issue):
    """An issue as the reviewer fills it in."""

    criterion: Annotated[ReviewCriterion, word_of(_CRITERIA)]


class ReviewerReply(GradingReply):
    """The reviewer's filled template."""

    recommendation_reason: Words
    strengths: list[Words]
    issues: list[IssueReply]
    top_priorities: list[Words] = Field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Review:
    """The reviewer's artefact, and its issues as located findings."""

    feedback: ReviewerFeedback
    findings: tuple[Finding, ...]


class ReviewerAgent(PromptedAgent[ReviewerConfig, ReviewerContext, Review]):
    """Judges an analysis against its brief; `config.strictness` is its own (decision 2)."""

    _spec = AgentSpec(Role.REVIEWER, "feedback.json")

    def build_task(self, context: ReviewerContext) -> AgentTask[ReviewerInput]:
        """The feedback form for one draft.

        Raises:
            TemplateError: The agent's template is broken.
        """
        inputs = context.inputs
        readable = {**as_files("brief", inputs.brief), **as_files("analysis", inputs.draft)}
        return self._prompted_task(
            context,
            "reviewer",
            inputs,
            readable=readable,
            system={
                "strictness": self.config.strictness.value,
                "strictness_rule": self._strictness_rule(self.config.strictness),
                "language": self._language(inputs.brief),
            },
            user={
                "findings": inputs.previous_findings,
                "critique": critique_lines(inputs.critique),
            },
            revision=bool(inputs.previous_findings),
            tools=search_tools(self.config, readable, UntrustedText.of(inputs.draft)),
        )

    def read_reply(self, context: ReviewerContext, turn: Turn) -> Review:
        """The review; its recommendation and counts are computed from the issues.

        Raises:
            ReplyError: A value cannot be read, or a rejection names no issue.
        """
        reply = read_reply(ReviewerReply, turn.text)
        if reply.recommendation is Recommendation.REJECT and not reply.issues:
            raise ReplyError("/issues: a rejection names at least one issue")
        issues = [(one.criterion, one) for one in reply.issues]
        findings = locate_issues(issues, context.inputs.draft, self.agent_name)
        feedback = ReviewerFeedback(
            recommendation=self._vote(findings, self.config.strictness),
            stated_recommendation=reply.recommendation,
            recommendation_reason=reply.recommendation_reason,
            timestamp=self._rules.time_stamp(self.agent_name),
            analysis_path=context.analysis_input_path.as_posix(),
            summary=reply.summary,
            criteria=reply.scores(),
            strengths=reply.strengths,
            issues=[issue_record(finding) for finding in findings],
            severity_counts=count_severities(findings),
            read_coverage=turn.read_coverage,
            top_priorities=reply.top_priorities,
            basis=basis_of(self.backend),
        )
        return Review(feedback, findings)


def reviewer_critic(agent: ReviewerAgent) -> AgentCritic[ReviewerConfig, ReviewerContext, Review]:
    """The reviewer as a critic."""

    def to_context(work: IterationWork) -> ReviewerContext:
        return ReviewerContext(
            iteration=work.iteration,
            max_iterations=work.max_iterations,
            services=work.services,
            analysis_input_path=Path(work.draft_path),
            feedback_output_path=Path(
                f"iterations/reviewer_feedback_iteration_{work.iteration}.json"
            ),
            inputs=ReviewerInput(work.brief, work.draft, work.previous_findings, work.critique),
        )

    def to_examination(review: Review, usage: TurnUsage, work: IterationWork) -> Examination:
        feedback = review.feedback
        return Examination(
            recommendation=feedback.recommendation,
            stated_recommendation=feedback.stated_recommendation,
            findings=review.findings,
            coverage=feedback.read_coverage,
            usage=usage,
            artefact=artefact_file(f"reviewer_feedback_iteration_{work.iteration}.json", feedback),
            independent=agent.backend.independent,
        )

    return AgentCritic(agent, to_context, to_examination)
