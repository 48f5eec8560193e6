"""A batch's filled form, read: an answer for each claim, with the passage it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ..base.errors import ReplyError
from ..base.vocabulary import Finding, IssueType, Verdict
from ..claims.model import Claim
from ..core.artefacts import StatedSummary
from ..core.forms import read_reply
from ..core.tasks import ToolFailure
from ..core.work import ClaimWork, EvidenceTools, IterationEvidence
from ..verification.exact.quotes import quote_in_text
from ..verification.model import ClaimAssessment, Passage
from .replies import RecommendationWord, Reply, VerdictWord, Words, passage_with, word_of

STATED_ISSUES = (
    IssueType.OUTDATED,
    IssueType.MISSING_CONTEXT,
    IssueType.MISATTRIBUTED,
    IssueType.INTERNAL_CONTRADICTION,
    IssueType.ARITHMETIC,
)
"""The kinds of issue that a model may raise beside its verdicts."""

_INSIDE_DOCUMENT = (IssueType.INTERNAL_CONTRADICTION, IssueType.ARITHMETIC)


class ClaimReply(Reply):
    """A claim's entry: the first four fields are code's own."""

    claim: str
    where: str
    cited: str
    found_by_code: str
    verdict: VerdictWord
    passage: Words
    reason: Words


class AdditionalReply(Reply):
    """A claim that the detector missed."""

    quote: Words
    verdict: VerdictWord
    passage: Words
    reason: Words


class StatedIssueReply(Reply):
    """An issue that a verdict cannot express."""

    claim: Words
    type: Annotated[IssueType, word_of(STATED_ISSUES)]
    problem: Words
    passage: Words
    recommendation: Words


class BatchReply(Reply):
    """The filled form of one batch."""

    recommendation: RecommendationWord
    recommendation_reason: Words
    claims: dict[str, ClaimReply] = Field(default_factory=dict[str, ClaimReply])
    additional_claims: list[AdditionalReply]
    issues: list[StatedIssueReply]


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict as the agent stated it, with the passage it named, if any."""

    verdict: Verdict
    passage: Passage | None
    reason: str


@dataclass(frozen=True, slots=True)
class AddedClaim:
    """A claim that the agent quoted from the document beyond the list."""

    quote: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class StatedIssue:
    """An issue that the agent raised against a claim of its batch."""

    claim_id: str
    type: IssueType
    problem: str
    passage: Passage | None
    recommendation: str


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """Everything that one batch answered."""

    stated: StatedSummary
    answers: Mapping[str, Answer]
    added: tuple[AddedClaim, ...]
    issues: tuple[StatedIssue, ...]


class PassageBook:
    """Looks up the passages that an agent names.

    `works` are the claims of the batch; `source_tools` finds further passages by claim, the same at
    every call.
    """

    def __init__(
        self,
        works: Iterable[ClaimWork],
        evidence: IterationEvidence,
        source_tools: EvidenceTools | None,
    ) -> None:
        self._works = {work.claim.id: work for work in works}
        self._evidence = evidence
        self._source_tools = source_tools

    def find(self, named: str, claim_id: str, place: str) -> Passage | None:
        """The passage `named` by its id among the claim's, or by its exact words; None for "".

        Words stand for the whole sentences of the source that they touch.

        Raises:
            ReplyError: There is none; `place` is the slot that names it.
        """
        name = named.strip()
        if not name:
            return None
        for passage in self._passages(claim_id):
            if passage.id.casefold() == name.casefold():
                return passage
        found = self._by_words(name, self._works[claim_id].claim)
        if found is None:
            raise ReplyError(
                f"{place}: {name[:80]!r} is neither the id of a passage of this claim nor words "
                "that stand in a source it cites"
            )
        return found

    def find_any(self, named: str, place: str) -> Passage | None:
        """The whole sentences of any source that have the exact words `named`; None for "".

        Raises:
            ReplyError: There is none.
        """
        name = named.strip()
        if not name:
            return None
        for url in self._evidence.sources.sources:
            if found := passage_with(name, url, self._evidence.sources):
                return found
        raise ReplyError(f"{place}: {name[:80]!r} are not words of a source: copy them exactly")

    def _passages(self, claim_id: str) -> Iterable[Passage]:
        yield from self._works[claim_id].assessment.passages
        if self._source_tools is not None:
            try:
                yield from self._source_tools.find_passages(claim_id)
            except ToolFailure:
                return

    def _by_words(self, words: str, claim: Claim) -> Passage | None:
        sources = self._evidence.sources
        for target in (one.target for one in claim.cited):
            if target and (found := passage_with(words, target, sources)):
                return found
        return None


def read_batch(text: str, draft: str, book: PassageBook) -> BatchAnswer:
    """The answers in the filled form `text`.

    Raises:
        ReplyError: A value cannot be read, a passage does not exist, or a quotation is not in
            `draft`.
    """
    reply = read_reply(BatchReply, text)
    return BatchAnswer(
        stated=StatedSummary(
            recommendation=reply.recommendation,
            recommendation_reason=reply.recommendation_reason,
        ),
        answers={
            claim_id: Answer(
                entry.verdict,
                book.find(entry.passage, claim_id, f"/claims/{claim_id}/passage"),
                entry.reason,
            )
            for claim_id, entry in reply.claims.items()
        },
        added=tuple(
            _added(entry, number, draft, book)
            for number, entry in enumerate(reply.additional_claims)
        ),
        issues=tuple(
            _issue(entry, number, reply.claims.keys(), book)
            for number, entry in enumerate(reply.issues)
        ),
    )


def _added(entry: AdditionalReply, number: int, draft: str, book: PassageBook) -> AddedClaim:
    place = f"/additional_claims/{number}"
    quote = entry.quote.strip()
    if quote not in draft and quote_in_text(quote, draft) is None:
        raise ReplyError(f"{place}/quote: {quote[:80]!r} is not in the document: copy it exactly")
    passage = book.find_any(entry.passage, f"{place}/passage")
    return AddedClaim(quote, Answer(entry.verdict, passage, entry.reason))


def _issue(
    entry: StatedIssueReply, number: int, claims: Iterable[str], book: PassageBook
) -> StatedIssue:
    place = f"/issues/{number}"
    claim_id = entry.claim.strip()
    if claim_id not in claims:
        raise ReplyError(f"{place}/claim: {claim_id[:80]!r} is none of {', '.join(claims)}")
    type_ = entry.type
    passage = book.find(entry.passage, claim_id, f"{place}/passage")
    if passage is None and type_ not in _INSIDE_DOCUMENT:
        raise ReplyError(f"{place}/passage: name the passage that shows it")
    return StatedIssue(claim_id, type_, entry.problem, passage, entry.recommendation)


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim that was answered for: the verdict, what the agent stated, and who decided.

    `carried` marks a verdict of the last iteration that nothing has touched since.
    """

    claim: Claim
    assessment: ClaimAssessment
    stated: Verdict | None = None
    reason: str = ""
    decided_by: str = "engine"
    carried: bool = False


@dataclass(frozen=True, slots=True)
class CarriedVerdicts:
    """Verdicts of the last iteration's fact check that still hold."""

    checked: tuple[CheckedClaim, ...] = ()
    added: tuple[AddedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class MergedVerdicts:
    """The merged verdicts of all batches. `open_claims` are those of failed batches."""

    checked: Mapping[str, CheckedClaim]
    open_claims: tuple[Claim, ...]
    added: tuple[AddedClaim, ...]
    findings: tuple[Finding, ...]
