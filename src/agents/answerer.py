"""The answerer: questions answered by a model from the sources, without having seen the claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from ..base.errors import BudgetExceeded, ReplyError
from ..base.vocabulary import CitationState, Stance
from ..claims.classify import bare_claim
from ..claims.model import CitedAddress
from ..core.config import FactCheckerConfig
from ..core.evidence_parts import AnswersUnavailable
from ..core.forms import read_reply
from ..core.source_tools import READ_CHARS, slice_text
from ..core.tasks import AgentTask, Error, Role, ToolFailure, Turn, digest
from ..core.work import BaseContext, RunServices
from ..verification.challenge.model import Answer, Question
from ..verification.challenge.model import Reply as Outcome
from ..verification.model import Evidence, Passage
from ..verification.passages.retrieval import SourceIndex, find_passages
from ..verification.registry import Registry
from .fact_check_batches import describe_passages
from .prompted_agent import AgentSpec, PromptedAgent
from .reading import UntrustedText, as_files
from .replies import Reply, Words, named_passage, word_in
from .source_tools import read_source_tool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswererContext(BaseContext):
    """A call of the answerer: questions, and the sources to answer them from."""

    questions: tuple[Question, ...]
    sources: SourceIndex


PASSAGES_NAME = "passages"
PASSAGES = 5
READS = 12
"""`read_source` calls a turn, each up to 8,000 characters."""

_STATED = {"yes": Outcome.FOUND, "no": Outcome.NOT_STATED, "unsure": Outcome.NONE}


def question_passages(
    question: Question, sources: SourceIndex, registry: Registry
) -> tuple[Passage, ...]:
    """The passages of all sources that hold most of the question's words, best first.

    Raises:
        SnapshotError: A readable source has no text.
    """
    asked = bare_claim(question.bare, registry.lexicon)
    cited = (CitedAddress(url, CitationState.DIRECT, "") for url in sorted(sources.sources.sources))
    everywhere = replace(asked, cited=tuple(cited))
    return find_passages(everywhere, sources, registry.verification, k=PASSAGES)


class AnswerReply(Reply):
    """One question's entry."""

    stated: Annotated[Outcome, word_in(_STATED, tuple(_STATED))]
    answer: Words
    passage: Words


class AnswersReply(Reply):
    """The filled form of one call."""

    answers: dict[str, AnswerReply]


class AnswererAgent(PromptedAgent[FactCheckerConfig, AnswererContext, tuple[Answer, ...]]):
    """Answers questions from stored sources; it is given questions and passages, and nothing else.

    It has the fact checker's settings, for which it works.
    """

    _spec = AgentSpec(Role.FACT_CHECKER, "answers.json", name="answerer")

    def build_task(self, context: AnswererContext) -> AgentTask[tuple[Question, ...]]:
        """The form with the questions of one call."""
        asked = _numbered(context.questions)
        untrusted = UntrustedText.of(*(one.text for one in context.questions))
        readable = as_files(PASSAGES_NAME, self._passages_file(asked, context.sources, untrusted))
        texts = context.sources.sources.texts

        def read(sha256: str, offset: int) -> str:
            if sha256 not in texts:
                raise ToolFailure("no such snapshot in this run")
            return slice_text(texts[sha256], offset, READ_CHARS)

        call = digest(f"{one.id}\x00{one.text}" for one in context.questions)[:8]
        return self._prompted_task(
            context,
            f"answerer/{call}",
            context.questions,
            entries={name: {"question": one.text} for name, one in asked.items()},
            readable=readable,
            system={"passages_name": PASSAGES_NAME},
            user={"questions": tuple(asked)},
            tools=(read_source_tool(read, untrusted, READS),),
        )

    def _passages_file(
        self, asked: Mapping[str, Question], sources: SourceIndex, untrusted: UntrustedText
    ) -> str:
        parts = ["# What the stored sources have\n"]
        for name, question in asked.items():
            passages = question_passages(question, sources, self._rules.registry)
            shown = describe_passages(passages, untrusted) or "No passage was found.\n"
            parts.append(f"## {name}\n\nQuestion: {question.text}\n\n{shown}")
        return "\n".join(parts)

    def read_reply(self, context: AnswererContext, turn: Turn) -> tuple[Answer, ...]:
        """The answers, each with the exact place that it was read from.

        Raises:
            ReplyError: A value cannot be read, a passage does not exist, or does not hold the
                answer's words.
        """
        reply = read_reply(AnswersReply, turn.text)
        return tuple(
            self._answer(question, reply.answers[name], f"/answers/{name}", context.sources)
            for name, question in _numbered(context.questions).items()
        )

    def _answer(
        self, question: Question, entry: AnswerReply, place: str, sources: SourceIndex
    ) -> Answer:
        if entry.stated is not Outcome.FOUND:
            return Answer(question.id, self.agent_name, entry.stated)
        passages = question_passages(question, sources, self._rules.registry)
        known = sources.sources
        passage = named_passage(entry.passage.strip(), passages, sorted(known.sources), known)
        if passage is None:
            raise ReplyError(
                f"{place}/passage: {entry.passage[:80]!r} is neither the id of a passage of this "
                "question nor words that stand in a stored source"
            )
        said = entry.answer.strip()
        if not said or said not in passage.text:
            raise ReplyError(f"{place}/answer: {said[:80]!r} are not words of the passage")
        span = passage.start, passage.end
        evidence = Evidence(passage.url, passage.sha256, passage.text, *span, Stance.NEUTRAL)
        return Answer(question.id, self.agent_name, Outcome.FOUND, said=said, evidence=evidence)


@dataclass(frozen=True, slots=True)
class ModelAnswerer:
    """`verification`'s `Answerer` over the agent, for one iteration."""

    agent: AnswererAgent
    iteration: int
    services: RunServices

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.agent_name

    async def answer(
        self, questions: Sequence[Question], sources: SourceIndex
    ) -> tuple[Answer, ...]:
        """The answers of one call.

        Raises:
            AnswersUnavailable: The agent gave none.
            StorageError: The disk refused.
        """
        context = AnswererContext(
            iteration=self.iteration,
            max_iterations=self.iteration,
            services=self.services,
            questions=tuple(questions),
            sources=sources,
        )
        try:
            result = await self.agent.process(context)
        except (BudgetExceeded, ReplyError) as error:
            raise AnswersUnavailable(error.message, error.hint) from error
        if isinstance(result, Error):
            raise AnswersUnavailable(f"{result.kind}: {result.message}")
        return result.output


def _numbered(questions: Sequence[Question]) -> dict[str, Question]:
    """The questions under names that tell nothing of the claims they are about."""
    return {f"Q{number}": one for number, one in enumerate(questions, start=1)}
