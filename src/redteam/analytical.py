"""The analytical lens: figures, statistics and conclusions."""

from __future__ import annotations

from collections.abc import Iterator

from ..claims.model import QuantityKind
from ..documents.model import BlockKind
from .model import Flaw, FlawKind
from .reading import Reading
from .restated import find_restated_values
from .worked import find_wrong_sums

_STATISTICS = (QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS)


def find_analytical_flaws(reading: Reading) -> Iterator[Flaw]:
    """Yield every flaw of the document's reasoning, in no particular order."""
    yield from _sums(reading)
    yield from (flaw for _, flaw in find_restated_values(reading))
    yield from _statistics(reading)
    yield from _conclusions(reading)


def _sums(reading: Reading) -> Iterator[Flaw]:
    """Results that do not follow from the document's own figures."""
    reported: set[int] = set()
    for one in reading.sums:
        reported.add(one.sentence)
        if not one.calculation.agrees:
            yield reading.flaw_at(
                FlawKind.ARITHMETIC_ERROR,
                one.location.start,
                one.location.end,
                f"It does not come out: {one.calculation.working}.",
                sentence=reading.document.sentences[one.sentence],
            )
    yield from (flaw for index, flaw in find_wrong_sums(reading) if index not in reported)


def _statistics(reading: Reading) -> Iterator[Flaw]:
    """Statistics without a source, in a document that cites sources."""
    document, rules = reading.document, reading.rules.statistics
    if not document.citations:
        return
    reckoned = {one.sentence for one in reading.sums if one.calculation.agrees}
    surveyed: set[tuple[str, ...]] = set()
    for one in reading.figures:
        sentence = one.sentence
        if rules.surveyed.search(sentence.text):
            surveyed.add(sentence.section)
        if sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        if document.covering(sentence.index) or sentence.index in reckoned:
            continue
        if sentence.section in surveyed:
            continue
        share = any(each.kind in _STATISTICS for each in one.quantities)
        statistic = one.quantities and rules.words.search(sentence.text)
        if not (share or statistic or rules.fractions.search(sentence.text)):
            continue
        if not rules.own.search(sentence.text) and not sentence.text.endswith("?"):
            problem = "A statistic without a source."
            yield reading.flaw(FlawKind.UNSUPPORTED_STATISTIC, sentence, problem)


def _conclusions(reading: Reading) -> Iterator[Flaw]:
    """Conclusions on a subject that no sentence before them mentions."""
    rules = reading.rules.conclusions
    known: set[str] = set()
    for section in reading.document.sections[:1]:
        known |= reading.weight(section.title)
    for sentence in reading.document.sentences:
        own = reading.weight(sentence.text)
        opener = rules.openers.match(sentence.text) if sentence in reading.prose_set else None
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
