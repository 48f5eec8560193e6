"""Answers held against what a claim says, value by value."""

from __future__ import annotations

from collections.abc import Iterator

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Quantity, QuantityKind
from ...claims.quantity.quantities import find_slots
from ..assessing.combine import FILLED
from ..exact.comparison import compare_dates, compare_quantities
from ..model import SlotOutcome
from ..policy import NumberPolicy
from ..registry import Registry
from ..source_index import SourceIndex
from .model import Answer, AnswerOutcome, CheckedAnswer, Probe, Reply

_Value = Quantity | DateSpan


def check_answer(
    probe: Probe, answer: Answer, sources: SourceIndex, registry: Registry
) -> CheckedAnswer:
    """`answer` beside what the claim says there.

    An answer whose quote is not in its snapshot, or does not hold what it is said to say, is
    unclear: it shows nothing.

    Raises:
        SnapshotError: The source of the answer has no text.
    """
    return CheckedAnswer(answer, _outcome(probe, answer, sources, registry))


def _outcome(
    probe: Probe, answer: Answer, sources: SourceIndex, registry: Registry
) -> AnswerOutcome:
    match answer.reply:
        case Reply.NONE:
            return AnswerOutcome.UNCLEAR
        case Reply.NOT_STATED:
            return AnswerOutcome.SILENT
        case Reply.FOUND:
            pass
    if not _stands(answer, sources) or answer.evidence is None:
        return AnswerOutcome.UNCLEAR
    lexicon, numbers = registry.lexicon, registry.verification.numbers
    if isinstance(probe.claimed, str):
        if same_words(probe.claimed, answer.said, lexicon):
            return AnswerOutcome.CONFIRMS
        named = any(token.capital for token in lexicon.words.tokens(answer.said))
        return AnswerOutcome.DIFFERS if named and answer.certain else AnswerOutcome.UNCLEAR
    said: set[SlotOutcome | None] = set()
    beside: set[SlotOutcome | None] = set()
    for value, answers in values_in(answer.said, answer.evidence.quote, lexicon):
        outcome = compare(probe.claimed, value, lexicon, numbers)
        (said if answers else beside).add(outcome)
    if not said.isdisjoint(FILLED):
        return AnswerOutcome.CONFIRMS
    # Words that state what the claim says as well do not settle which of the two was asked for.
    differs = SlotOutcome.MISMATCH in said and beside.isdisjoint(FILLED)
    return AnswerOutcome.DIFFERS if differs and answer.certain else AnswerOutcome.UNCLEAR


def _stands(answer: Answer, sources: SourceIndex) -> bool:
    """Whether the quote is in the snapshot at its place, and holds the answer's words."""
    item = answer.evidence
    if item is None or not answer.said or answer.said not in item.quote:
        return False
    readable = sources.readable(item.url)
    if readable is None or readable[0].sha256 != item.sha256:
        return False
    return readable[1].text[item.start : item.end] == item.quote


def values_in(words: str, quote: str, lexicon: Lexicon) -> Iterator[tuple[_Value, bool]]:
    """The numbers and dates of `quote`, and whether they lie in its part `words`."""
    at = quote.find(words)
    for values in find_slots(quote, lexicon):
        for value in values:
            yield value, value.start < at + len(words) and at < value.end


def compare(
    claimed: _Value, found: _Value, lexicon: Lexicon, numbers: NumberPolicy
) -> SlotOutcome | None:
    """How two values relate; None if they measure different things."""
    if isinstance(claimed, DateSpan) or isinstance(found, DateSpan):
        if isinstance(claimed, DateSpan) and isinstance(found, DateSpan):
            comparable = claimed.fiscal == found.fiscal and not (found.relative or found.yearless)
            return compare_dates(claimed, found).outcome if comparable else None
        return None
    if _counts_others(claimed, found, lexicon):
        return None
    comparison = compare_quantities(claimed, found, lexicon, numbers)
    return comparison.outcome if comparison else None


def _counts_others(claimed: Quantity, found: Quantity, lexicon: Lexicon) -> bool:
    """Whether two counts name different things."""
    if claimed.kind is not QuantityKind.COUNT or not (claimed.unit and found.unit):
        return False
    return lexicon.words.stem(claimed.unit) != lexicon.words.stem(found.unit)


def values_agree(words: str, other: str, lexicon: Lexicon, numbers: NumberPolicy) -> bool:
    """Whether two values as written can be one: equal, or one the other rounded."""
    pairs = ((one, two) for one in _read(words, lexicon) for two in _read(other, lexicon))
    return any(
        compare(one, two, lexicon, numbers) in FILLED
        or compare(two, one, lexicon, numbers) in FILLED
        for one, two in pairs
    )


def _read(words: str, lexicon: Lexicon) -> Iterator[_Value]:
    for values in find_slots(words, lexicon):
        yield from values


def same_words(name: str, other: str, lexicon: Lexicon) -> bool:
    """Whether two names may be one: a word in common, or one the initials of the other."""
    book = lexicon.words
    own, theirs = ([t for t in book.tokens(words) if t.capital] for words in (name, other))
    if {token.stem for token in own} & {token.stem for token in theirs}:
        return True
    initials = {"".join(token.word[0] for token in tokens) for tokens in (own, theirs)}
    return bool(initials & {token.word for token in (*own, *theirs)})
