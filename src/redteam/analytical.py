"""The analytical lens: figures, statistics, conclusions, premises and shares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..claims.arithmetic.checks import check_arithmetic
from ..claims.arithmetic.chronology import find_misdated
from ..claims.arithmetic.consistency import find_values
from ..claims.arithmetic.enumerations import find_miscounts
from ..claims.model import QuantityKind
from ..documents.model import BlockKind, Sentence
from .model import Flaw, FlawKind
from .reading import Reading
from .restated import restated_values
from .shares import shares
from .worked import worked_sums


def analytical_flaws(reading: Reading) -> Iterator[Flaw]:
    """Every flaw of the document's reasoning, in no order."""
    yield from _sums(reading)
    yield from _contradictions(reading)
    yield from _statistics(reading)
    yield from _conclusions(reading)
    yield from _premises(reading)
    yield from shares(reading)


def _sums(reading: Reading) -> Iterator[Flaw]:
    """Results that do not follow from the document's own figures."""
    told: set[int] = set()
    for one in check_arithmetic(reading.document, reading.figures, reading.lexicon):
        told.add(one.sentence)
        if not one.calculation.agrees:
            yield reading.flaw_at(
                FlawKind.ARITHMETIC_ERROR,
                one.location.start,
                one.location.end,
                f"It does not come out: {one.calculation.working}.",
                sentence=reading.document.sentences[one.sentence],
                related=tuple(operand.location for operand in one.operands),
            )
    yield from (flaw for index, flaw in worked_sums(reading) if index not in told)


def _contradictions(reading: Reading) -> Iterator[Flaw]:
    """Values, dates, counts and orders that cannot both be right."""
    document, figures = reading.document, reading.figures
    told: set[int] = set()
    for one in (
        *find_values(document, figures, reading.lexicon, reading.consistency),
        *find_miscounts(document, figures, reading.lexicon, reading.consistency),
        *find_misdated(document, figures),
    ):
        told |= {one.here.sentence} | ({one.there.sentence} if one.there else set())
        yield reading.flaw_at(
            FlawKind.INCONSISTENT_NUMBER,
            one.here.location.start,
            one.here.location.end,
            f"It does not agree with the rest of the document: {one.working}.",
            sentence=document.sentences[one.here.sentence],
            related=(one.there.location,) if one.there else (),
        )
    yield from (flaw for index, flaw in restated_values(reading) if index not in told)


def _statistics(reading: Reading) -> Iterator[Flaw]:
    """Statistics that nothing cited bears out, in a document that cites."""
    document, rules = reading.document, reading.rules.statistics
    if not document.citations:
        return
    reckoned = {
        one.sentence
        for one in check_arithmetic(document, reading.figures, reading.lexicon)
        if one.calculation.agrees
    }
    surveyed: set[tuple[str, ...]] = set()
    for one in reading.figures:
        sentence = one.sentence
        if rules.survey.search(sentence.text):
            surveyed.add(sentence.section)
        if sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        if document.covering(sentence.index) or sentence.index in reckoned:
            continue
        if sentence.section in surveyed:
            continue
        shares = [q for q in one.quantities if q.kind in _STATISTICS]
        told = one.quantities and rules.pattern.search(sentence.text)
        if not (shares or told or rules.fraction.search(sentence.text)):
            continue
        if not rules.own_pattern.search(sentence.text) and not sentence.text.endswith("?"):
            yield reading.flaw(
                FlawKind.UNSUPPORTED_STATISTIC,
                sentence,
                "A statistic without a source.",
            )


_STATISTICS = (QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS)


def _conclusions(reading: Reading) -> Iterator[Flaw]:
    """Conclusions that speak of what nothing before them speaks of."""
    rules = reading.rules.conclusions
    known: set[str] = set()
    for section in reading.document.sections[:1]:
        known |= reading.weight(section.title)
    for sentence in reading.document.sentences:
        own = reading.weight(sentence.text)
        opener = rules.pattern.match(sentence.text) if sentence in reading.prose_set else None
        if opener and not reading.document.covering(sentence.index):
            weighed = reading.weight(sentence.text[opener.end() :])
            if len(weighed) >= rules.fewest_words and (
                len(weighed & known) < rules.shared * len(weighed)
            ):
                yield reading.flaw(
                    FlawKind.UNSUPPORTED_CONCLUSION,
                    sentence,
                    "It is drawn from nothing that the document says before it.",
                )
        known |= own


@dataclass(frozen=True, slots=True)
class _Hedged:
    """A sentence that says something with a hedge, and its words of weight without it."""

    sentence: Sentence
    hedge: str
    words: frozenset[str]


def _premises(reading: Reading) -> Iterator[Flaw]:
    """Grounds that were said with a hedge before, and are now used as facts."""
    rules = reading.rules.premises
    hedged: list[_Hedged] = []
    before: Sentence | None = None
    for sentence in reading.prose:
        hedge = rules.hedge.search(sentence.text)
        if hedge is None:
            source = _premise(reading, sentence, before, hedged)
            if source:
                yield reading.flaw(
                    FlawKind.HEDGED_PREMISE,
                    sentence,
                    f"Line {source.sentence.line} says this with {source.hedge!r}; here it is a"
                    " fact on which something rests.",
                    related=(reading.place(source.sentence),),
                )
        else:
            words = reading.weight(rules.hedge.sub(" ", sentence.text))
            if len(words) >= rules.fewest_words:
                hedged.append(_Hedged(sentence, hedge[0], words))
        before = sentence if hedge is None else None


def _premise(
    reading: Reading, sentence: Sentence, before: Sentence | None, hedged: Sequence[_Hedged]
) -> _Hedged | None:
    """The hedged statement that `sentence` uses as a fact.

    That is a clause behind or before the word that makes a ground of it, or the sentence `before`
    if that word begins this one.
    """
    rules = reading.rules.premises
    ground = rules.ground.search(sentence.text)
    if ground is None:
        return None
    clauses = [
        re.split(r"[,;:]", sentence.text[ground.end() :], maxsplit=1)[0],
        sentence.text[: ground.start()],
    ]
    if before and before.block == sentence.block and not sentence.text[: ground.start()].strip():
        clauses.append(before.text)
    for clause in clauses:
        words = reading.weight(clause)
        if len(words) < rules.fewest_words:
            continue
        for one in hedged:
            # A few words must be the whole of both; more of them tell by themselves.
            few = len(words) <= rules.fewest_words
            of = max(len(words), len(one.words)) if few else len(words)
            common = len(words & one.words)
            if common >= rules.fewest_words and common >= rules.same_statement * of:
                return one
    return None
