"""The judge: scores the delivered analysis, and can withhold an approval (decision 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..base.vocabulary import GateDecision, Recommendation, Severity
from ..core.artefacts import Judgement, issue_record
from ..core.config import JudgeConfig
from ..core.forms import read_reply
from ..core.tasks import AgentResult, AgentTask, Role, Success, Turn
from ..core.work import JudgeContext, JudgeInput, JudgeWork
from ..verification.model import Ledger
from .document_search import search_tools
from .prompted_agent import AgentSpec, PromptedAgent, log_difference
from .reading import CHARS_PER_TOKEN, SECTION_TOKENS, UntrustedText, as_files
from .replies import GradingReply
from .rules import basis_of, critique_lines

_QUOTE_CHARS = 240


class JudgeAgent(PromptedAgent[JudgeConfig, JudgeContext, Judgement]):
    """Scores the delivered analysis from everything the run left behind."""

    _spec = AgentSpec(Role.JUDGE, "judgement.json")

    def build_task(self, context: JudgeContext) -> AgentTask[JudgeInput]:
        """The judgement form for the delivered analysis.

        Raises:
            TemplateError: The agent's template is broken.
        """
        inputs = context.inputs
        files = {**as_files("brief", inputs.brief), **as_files("analysis", inputs.draft)}
        for name, text in sorted(inputs.artefacts.items()):
            stem, dot, suffix = name.rpartition(".")
            if inputs.ledger is None or len(text) <= SECTION_TOKENS * CHARS_PER_TOKEN:
                files.update(as_files(stem or name, text, dot + suffix))
        if inputs.ledger is not None:
            files.update(as_files("claims", "\n".join(_claim_lines(inputs.ledger))))
        readable = files
        return self._prompted_task(
            context,
            "judge",
            inputs,
            readable=readable,
            system={"language": self._language(inputs.brief)},
            user={
                "findings": inputs.open_findings,
                "critique": critique_lines(inputs.critique),
            },
            revision=context.iteration > 1,
            tools=search_tools(self.config, readable, UntrustedText.of(inputs.draft)),
        )

    def read_reply(self, context: JudgeContext, turn: Turn) -> Judgement:
        """The judgement; its recommendation is computed.

        Raises:
            ReplyError: A value cannot be read.
        """
        reply = read_reply(GradingReply, turn.text)
        inputs = context.inputs
        return Judgement(
            recommendation=self._recommend(reply, inputs),
            stated_recommendation=reply.recommendation,
            summary=reply.summary,
            criteria=reply.scores(),
            open_findings=[issue_record(finding) for finding in inputs.open_findings],
            timestamp=self._rules.time_stamp(self.agent_name),
            basis=basis_of(self.backend),
        )

    def _recommend(self, reply: GradingReply, inputs: JudgeInput) -> Recommendation:
        """The recommendation that counts: approve only without any objection.

        Objections are the judge's own rejection, an open finding of high severity or above, a gate
        that did not pass, a critique that failed, and scores below the rules. A criterion without a
        score does not count.
        """
        rules = self._rules.judge
        scores = [one.score for one in reply.criteria.values() if one.score is not None]
        objections = (
            reply.recommendation is Recommendation.REJECT,
            any(finding.severity.at_least(Severity.HIGH) for finding in inputs.open_findings),
            inputs.gate is not None and inputs.gate.decision is not GateDecision.PASS,
            inputs.critique is not None and not inputs.critique.passed,
            bool(scores) and min(scores) < rules.lowest,
            bool(scores) and sum(scores) / len(scores) < rules.mean,
        )
        return Recommendation.REJECT if any(objections) else Recommendation.APPROVE


def _claim_lines(ledger: Ledger) -> Iterable[str]:
    """The ledger in words, the claims that the argument rests on first."""
    yield "# Claims\n"
    for entry in sorted(ledger.entries, key=lambda entry: not entry.load_bearing):
        bearing = ", the argument rests on it" if entry.load_bearing else ""
        yield f"- {entry.claim_id} ({entry.verdict}{bearing}), line {entry.location.line}:"
        yield f"  {' '.join(entry.text.split())}"
        yield f"  {entry.reason}"
        for evidence in entry.evidence[:1]:
            yield f"  > {' '.join(evidence.quote.split())[:_QUOTE_CHARS]} <{evidence.url}>"


@dataclass(frozen=True, slots=True)
class AgentJudge:
    """`Judge` over the judge agent."""

    agent: JudgeAgent

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judgement; a difference between what it stated and what counts is logged."""
        result = await self.agent.process(
            JudgeContext(
                iteration=work.iteration,
                max_iterations=work.iteration,
                services=work.services,
                analysis_input_path=Path(f"iterations/analysis_iteration_{work.iteration}.md"),
                judgement_output_path=Path("judgement.json"),
                inputs=work.inputs,
            )
        )
        if isinstance(result, Success):
            log_difference(self.agent.agent_name, work.iteration, result.output)
        return result
