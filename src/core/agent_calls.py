"""Calls of the agents, a user's own among them: journalled, with usage on record.

A user's agent is untrusted code: its answer is validated before anything depends on it. A crash of
an agent turns into an `Error`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

import structlog

from ..base.errors import BudgetExceeded, FoureyesError, ReplyError, SettingsError
from ..base.files import as_recorded, to_json
from ..base.off_loop import run_in_parallel
from ..base.registry import first_line
from ..base.vocabulary import Finding, Recommendation, Verdict
from ..core import tracing
from ..verification.model import ClaimAssessment
from .approval import RunEnding, RunStatus
from .artefacts import Analysis, Judgement
from .critique import MAP_FILE
from .gaps import EVIDENCE_CRITIQUE_FILE, GAPS_FILE, QUERIES_FILE
from .iteration import CHALLENGE_RECORD, IterationResult
from .record_folder import journal_result
from .run_analytics import NO_USAGE, RunAnalytics
from .tasks import AgentResult, Error, FailureKind, Role, Success, TurnUsage, digest
from .work import (
    Critic,
    Drafter,
    DraftWork,
    Examination,
    Guidance,
    IterationWork,
    Judge,
    JudgeInput,
    JudgeWork,
)

DRAFTER = "analyst"
JUDGE = "judge"


AnsweredT = TypeVar("AnsweredT", bound="Success[Any] | Examination")
OutputT = TypeVar("OutputT")


async def ask(
    agent: str,
    iteration: int,
    analytics: RunAnalytics,
    question: Callable[[], Awaitable[AnsweredT | Error]],
) -> AnsweredT | Error:
    """The answer of `agent`; what it raises in place of an answer becomes an `Error`.

    An agent that reports no turns under its name is taken to have used what its answer says.

    Raises:
        FoureyesError: The run itself cannot go on: the disk, a template, a prompt.
    """
    named: tracing.Attributes = {"gen_ai.agent.name": agent, "foureyes.iteration": iteration}
    with tracing.open_span(f"ask {agent}", named) as span:
        answer, usage = await call_agent(agent, iteration, question)
        outcome = answer.kind.value if isinstance(answer, Error) else "ok"
        tracing.set_attributes(span, {}, "" if outcome == "ok" else outcome)
    analytics.record_answer(agent, iteration, usage, outcome)
    return answer


async def call_agent(
    agent: str, iteration: int, question: Callable[[], Awaitable[AnsweredT | Error]]
) -> tuple[AnsweredT | Error, TurnUsage]:
    """The answer and what it used; a crash is an answer.

    Raises:
        FoureyesError: The run itself cannot go on.
    """
    try:
        answer = await question()
        return answer, answer.usage
    except BudgetExceeded as error:
        return Error(FailureKind.BUDGET, str(error)), NO_USAGE
    except ReplyError as error:
        return Error(FailureKind.MALFORMED, str(error)), NO_USAGE
    except FoureyesError:
        raise
    # An agent may be anyone's code: its bug is its own failure and loses no sibling's answer.
    except Exception as error:
        log = structlog.get_logger()
        log.error("agent crashed", agent=agent, iteration=iteration, exc_info=True)
        message = first_line(f"{type(error).__name__}: {error}")
        return Error(FailureKind.CRASHED, message), NO_USAGE


async def write_draft(
    drafter: Drafter, work: DraftWork, analytics: RunAnalytics
) -> Analysis | Error:
    """The drafter's next version, journalled."""
    call = partial(drafter.write, work)
    return await _ask_journalled(DRAFTER, work, draft_key(work), Analysis, analytics, call)


async def _ask_journalled(
    agent: str,
    work: DraftWork | JudgeWork,
    key: str,
    kind: type[OutputT],
    analytics: RunAnalytics,
    call: Callable[[], Awaitable[AgentResult[OutputT]]],
) -> OutputT | Error:
    async def run() -> OutputT | Error:
        answer = await ask(agent, work.iteration, analytics, call)
        output = answer.output if isinstance(answer, Success) else answer
        if agent == JUDGE and isinstance(output, Judgement | Error):
            tracing.record_judgement(output)
        return output

    return await work.services.steps.step(f"{work.iteration}/{agent}", key, kind, run)


async def ask_critic(critic: Critic, work: IterationWork, analytics: RunAnalytics) -> Answer:
    """The critic's answer, journalled.

    An unfinished answer that has a vote is not journalled here, so that a resumed run completes
    it.
    """
    unfinished: list[Examination] = []

    async def run() -> Examination | Error:
        answer = await ask(critic.name, work.iteration, analytics, partial(critic.examine, work))
        tracing.record_examination(critic.name, answer)
        if isinstance(answer, Error) or answer.advisory or not answer.unfinished:
            return answer
        unfinished.append(answer)
        return answer.unfinished[0]

    step = critic_step(critic.name, work), work.fingerprint()
    answer = await work.services.steps.step(*step, Examination, run)
    return unfinished[0] if unfinished else answer


async def journal_unfinished(examinations: Mapping[str, Examination], work: IterationWork) -> None:
    """Journal the unfinished answers to `work`, by critic: the next iteration builds on them."""
    for critic, examination in examinations.items():
        if examination.unfinished and not examination.advisory:
            step = critic_step(critic, work), work.fingerprint()
            await journal_result(work.services.steps, step, Examination, examination)


def critic_step(critic: str, work: IterationWork) -> str:
    """The name under which a critic's answer to `work` is journalled."""
    return f"{work.iteration}/{critic}"


async def call_judge(judge: Judge, work: JudgeWork, analytics: RunAnalytics) -> Judgement | Error:
    """The judge's judgement, journalled."""
    call = partial(judge.judge, work)
    return await _ask_journalled(JUDGE, work, judge_key(work), Judgement, analytics, call)


def draft_key(work: DraftWork) -> str:
    """sha256 over what the drafter is given."""
    parts = [str(work.iteration), work.brief, work.draft]
    for material in work.materials:
        parts += [material.url, material.title, material.sha256]
    for finding in work.findings:
        parts += [finding.id, finding.severity, finding.problem, finding.recommendation]
    if work.guidance is not None:
        parts.append(to_json(Guidance, work.guidance))
    return digest(parts)


def judge_key(work: JudgeWork) -> str:
    """sha256 over what the judge is given."""
    inputs = work.inputs
    parts = [str(work.iteration), inputs.brief, inputs.draft]
    for name, text in sorted(inputs.artefacts.items()):
        parts += [name, text]
    return digest(parts)


Answer: TypeAlias = Examination | Error


async def examine(
    critics: Sequence[Critic],
    work: IterationWork,
    analytics: RunAnalytics,
    on_answer: Callable[[str, Answer], Awaitable[None]],
) -> dict[str, Answer]:
    """Every critic's answer, by name, in the order of `critics`.

    The critics work in parallel. Each answer is journalled, and `on_answer` called with it, when
    that critic is done, before the others are waited for.

    Raises:
        FoureyesError: A critic could not go on, after the others had finished.
    """

    async def examine_one(critic: Critic) -> Answer:
        answer = await ask_critic(critic, work, analytics)
        await on_answer(critic.name, answer)
        return answer

    works = [partial(examine_one, critic) for critic in critics]
    answers = await run_in_parallel(works, at_once=len(works))
    return {critic.name: answer for critic, answer in zip(critics, answers, strict=True)}


def claim_answers(examinations: Iterable[Examination]) -> dict[str, ClaimAssessment]:
    """The critics' assessments by claim id. One that does not support outweighs one that does."""
    answers: dict[str, ClaimAssessment] = {}
    for examination in examinations:
        for assessment in examination.assessments or ():
            known = answers.get(assessment.claim_id)
            if known is None or known.verdict is Verdict.SUPPORTED:
                answers[assessment.claim_id] = assessment
    return answers


# These files repeat the ledger in another order, or address the analyst.
_OMITTED = frozenset({MAP_FILE, EVIDENCE_CRITIQUE_FILE, GAPS_FILE, QUERIES_FILE, CHALLENGE_RECORD})


def judge_input(brief: str, delivered: IterationResult) -> JudgeInput:
    """The delivered analysis, every critic's file, the ledger and the gate."""
    conclusion = delivered.conclusion
    files = [e.artefact for e in delivered.examinations.values() if e.artefact is not None]
    concluded = conclusion.artefacts if conclusion else ()
    files += [file for file in concluded if file.name not in _OMITTED]
    return JudgeInput(
        brief=brief,
        draft=delivered.draft,
        artefacts={file.name: file.text for file in files},
        open_findings=delivered.findings,
        ledger=conclusion.ledger if conclusion else None,
        gate=conclusion.gate if conclusion else None,
        critique=conclusion.quality.critique if conclusion else None,
    )


def apply_judgement(end: RunEnding, judgement: Judgement | Error | None) -> RunEnding:
    """The end after the judge's answer: the judge can withhold an approval, never give one."""
    if not isinstance(judgement, Judgement) or not end.status.accepted:
        return end
    if judgement.recommendation is Recommendation.APPROVE:
        return end
    reason = f"{end.status}, but the judge rejects: {judgement.summary}"
    return RunEnding(RunStatus.INCONCLUSIVE, reason)


MOST_FINDINGS = 1_000
MOST_CHARACTERS = 1_000_000
"""Of the file that a critic leaves."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = frozenset(Role) | {
    *("analysis", "answerer", "challenge", "claims", "deepening", "engine", "gate", "outcome"),
    *("recovery", "reviewer_feedback", "fact_check", "settlement", "sources"),
}
"""Names in use for agents, steps of the journal and files of `iterations/`."""


class UserCritic:
    """A `Critic` around the user's own.

    Args:
        critic: The user's critic; its name is read once.

    Raises:
        SettingsError: Its name cannot be used.
    """

    def __init__(self, critic: Critic) -> None:
        self._critic = critic
        self.name = require_usable_name(critic.name)

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The critic's answer. Its findings bear its name.

        Raises:
            ReplyError: It is no answer, or one that only a critic of ours may give.
        """
        answer = await _call_guarded(self.name, partial(self._critic.examine, work))
        match answer:
            case Error():
                return answer
            case Examination():
                return self._checked(answer, work)
            case _:
                kind = type(answer).__name__
                raise ReplyError(f"{self.name} gave a {kind}, and no Examination or Error")

    def _checked(self, answer: Examination, work: IterationWork) -> Examination | Error:
        try:
            answer = as_recorded(Examination, answer)
        except ValueError as error:
            wrong = first_line(str(error))
            raise ReplyError(f"{self.name} gave no whole Examination: {wrong}") from error
        if answer.unfinished:
            return answer.unfinished[0]
        if wrong := _find_fault(answer, len(work.draft), f"{self.name}_iteration_{work.iteration}"):
            raise ReplyError(f"{self.name}: {wrong}")
        named = (replace(finding, origin=self.name) for finding in answer.findings)
        return replace(answer, findings=tuple(named))


@dataclass(frozen=True, slots=True)
class UserDrafter:
    """A `Drafter` around the user's own; raises `ReplyError` for what is no answer."""

    drafter: Drafter

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The analyst's answer."""
        return await _call_own(DRAFTER, Analysis, partial(self.drafter.write, work))


@dataclass(frozen=True, slots=True)
class UserJudge:
    """A `Judge` around the user's own; raises `ReplyError` for what is no answer."""

    judging: Judge

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judge's answer."""
        return await _call_own(JUDGE, Judgement, partial(self.judging.judge, work))


async def _call_own(
    name: str, kind: type[OutputT], ask: Callable[[], Awaitable[object]]
) -> AgentResult[OutputT]:
    answer = await _call_guarded(name, ask)
    if isinstance(answer, Error):
        return answer
    given = cast("Success[object]", answer)
    if isinstance(answer, Success) and isinstance(given.output, kind):
        return Success(given.output, given.usage)
    raise ReplyError(f"the {name} gave neither a Success with {kind.__name__} nor an Error")


async def _call_guarded(name: str, ask: Callable[[], Awaitable[object]]) -> object:
    """Call the user's code; one of our errors in it fails only that critic.

    Raises:
        ReplyError: It called `sys.exit`, which must not end the program.
    """
    try:
        answer = await ask()
    except SystemExit as error:
        raise ReplyError(f"{name} called sys.exit({error.code})") from error
    except FoureyesError as error:
        # An error of ours would end the run; a user critic's error fails only that critic.
        return Error(FailureKind.CRASHED, first_line(f"{type(error).__name__}: {error}"))
    if isinstance(answer, Error):
        # The record keeps kind and message of a failure, and a replay gives them again.
        return Error(answer.kind, first_line(answer.message)[:500])
    return answer


def require_usable_name(name: object) -> str:
    """`name`, if a critic can have it.

    Raises:
        SettingsError: It is none, or taken.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SettingsError(
            f"{name!r} cannot be a critic's name",
            "use at most 40 small letters, digits and underscores, a letter first",
        )
    if name in _RESERVED:
        raise SettingsError(
            f"{name!r} cannot be a critic's name: foureyes uses it", "choose another"
        )
    return name


def _find_fault(answer: Examination, characters: int, stem: str) -> str:
    file = answer.artefact
    if file is not None and file.name not in (f"{stem}.json", f"{stem}.md", f"{stem}.txt"):
        return f"its file is to be named {stem}.json, .md or .txt"
    if file is not None and len(file.text) > MOST_CHARACTERS:
        return f"its file is longer than {MOST_CHARACTERS:,} characters"
    if not 0 <= answer.coverage <= 1:
        return f"a coverage of {answer.coverage:g} is no share"
    if answer.assessments is not None:
        return "verdicts on claims are the fact checker's; give findings"
    if len(answer.findings) > MOST_FINDINGS:
        return f"{len(answer.findings)} findings are more than {MOST_FINDINGS}"
    return find_misplaced(answer.findings, characters)


def find_misplaced(findings: Iterable[Finding], characters: int) -> str:
    """The first place of `findings` outside a draft of so many `characters`, or ""."""
    for finding in findings:
        for place in (finding.location, finding.correction):
            if place is not None and not 0 <= place.start <= place.end <= characters:
                return f"{place.start} to {place.end} is no place of the draft (in {finding.id!r})"
    return ""
