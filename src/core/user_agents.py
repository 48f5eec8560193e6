"""A user's own critic, analyst or judge in a run.

It is untrusted code: its answer is validated before anything depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, cast

from ..base.errors import FoureyesError, ReplyError, SettingsError
from ..base.finding import Finding
from ..base.records import as_recorded
from ..base.registry import first_line
from .agent_calls import DRAFTER, JUDGE
from .artefacts import Analysis, ArtefactFile, Judgement
from .tasks import AgentResult, Error, FailureKind, Role, Success
from .work import Critic, Drafter, DraftWork, Examination, IterationWork, Judge, JudgeWork

OutputT = TypeVar("OutputT")

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
        self._name = require_usable_name(critic.name)

    @property
    def name(self) -> str:
        """The critic's own name."""
        return self._name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The critic's answer. Its findings bear its name.

        Raises:
            ReplyError: It is no answer, or one that only a critic of ours may give.
        """
        answer = await _call_guarded(self._name, partial(self._critic.examine, work))
        match answer:
            case Error():
                return answer
            case Examination():
                return self._checked(answer, work)
            case _:
                kind = type(answer).__name__
                raise ReplyError(f"{self._name} gave a {kind}, and no Examination or Error")

    def _checked(self, answer: Examination, work: IterationWork) -> Examination | Error:
        try:
            answer = as_recorded(Examination, answer)
        except ValueError as error:
            wrong = first_line(str(error))
            raise ReplyError(f"{self._name} gave no whole Examination: {wrong}") from error
        if answer.unfinished:
            return answer.unfinished[0]
        stem = f"{self._name}_iteration_{work.iteration}"
        wrong = _find_fault(answer, len(work.draft)) or _find_file_fault(answer.artefact, stem)
        if wrong:
            raise ReplyError(f"{self._name}: {wrong}")
        named = (replace(finding, origin=self._name) for finding in answer.findings)
        return replace(answer, findings=tuple(named))


@dataclass(frozen=True, slots=True)
class UserDrafter:
    """A `Drafter` around the user's own."""

    drafter: Drafter

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The analyst's answer.

        Raises:
            ReplyError: It is no answer.
        """
        return _success(
            DRAFTER, Analysis, await _call_guarded(DRAFTER, partial(self.drafter.write, work))
        )


@dataclass(frozen=True, slots=True)
class UserJudge:
    """A `Judge` around the user's own."""

    judging: Judge

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judge's answer.

        Raises:
            ReplyError: It is no answer.
        """
        return _success(
            JUDGE, Judgement, await _call_guarded(JUDGE, partial(self.judging.judge, work))
        )


def _success(name: str, kind: type[OutputT], answer: object) -> AgentResult[OutputT]:
    if isinstance(answer, Error):
        return answer
    if isinstance(answer, Success):
        output = cast("Success[object]", answer).output
        if isinstance(output, kind):
            return Success(output, cast("Success[object]", answer).usage)
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


def _find_fault(answer: Examination, characters: int) -> str:
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


def _find_file_fault(file: ArtefactFile | None, stem: str) -> str:
    if file is None:
        return ""
    if file.name not in (f"{stem}.json", f"{stem}.md", f"{stem}.txt"):
        return f"its file is to be named {stem}.json, .md or .txt"
    if len(file.text) > MOST_CHARACTERS:
        return f"its file is longer than {MOST_CHARACTERS:,} characters"
    return ""
