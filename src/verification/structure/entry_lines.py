"""An entry of the claim's table or list laid over the lines of a source with the very same words.

"Registered nurses | 4" under "Posts at night" is the line "Registered nurses 4" below "NIGHT", and
not the one below "DAY". The order of the words in a line, and of its figures, tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...claims.lexicon import Lexicon
from ...claims.model import Quantity, QuantityKind
from ...claims.words import Token
from ..model import SlotOutcome
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm, covered
from ..reading.index import Figure, TextIndex
from ..reading.records import RecordCheck, RecordOutcome
from ..values.comparison import compare_quantities

# A line with more figures is a row of a table with columns of its own.
_MOST_FIGURES = 3
# One word by itself, "Total", may be the label of anything.
_LEAST_WORDS = 2
# What stands over a line is looked for so many lines above; a longer line is a sentence.
_REACH, _LONGEST = 40, 90


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with the entry's words.

    `figures` are its values in the order of the entry's. `over` are the words that stand over it,
    `shared` those of them that the entry's titles have, too.
    """

    number: int
    figures: tuple[Quantity, ...]
    over: frozenset[str]
    shared: frozenset[str]


def check_entry(
    form: ClaimForm, index: TextIndex, lexicon: Lexicon, policy: VerificationPolicy
) -> RecordCheck | None:
    """What the lines of a source with all words of an entry, and no others, say of it.

    Of several lines those answer over which most words of the entry's titles stand; a line with
    another figure denies the entry only if it alone does. None if it is open which line is meant.
    """
    asked = _Asked(form, index, lexicon, policy)
    if not form.claim.context or not asked.terms or not asked.values:
        return None
    lines = list(asked.lines())
    most = max((len(line.shared) for line in lines), default=0)
    meant = [line for line in lines if len(line.shared) == most]
    # A heading that the entry knows nothing of may make its lines those of something else.
    if not meant or (most == 0 and any(line.over for line in meant)):
        return None
    if len(asked.terms) + most < _LEAST_WORDS:
        return None
    return asked.answer(meant, surely=len(meant) == 1 < len(lines))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A claim that is an entry, and what is needed to find its line."""

    form: ClaimForm
    index: TextIndex
    lexicon: Lexicon
    policy: VerificationPolicy

    @property
    def terms(self) -> frozenset[str]:
        """The entry's own words."""
        return frozenset(term.stem for term in self.form.terms if term.counts)

    @property
    def values(self) -> tuple[Quantity, ...]:
        """The entry's figures; none if there are too many of them, or a date."""
        values = [slot.value for slot in self.form.slots]
        found = tuple(value for value in values if isinstance(value, Quantity))
        return found if len(found) == len(values) <= _MOST_FIGURES else ()

    def lines(self) -> Iterator[_Line]:
        """The lines that have all of the entry's words, no others, and a figure for each of its."""
        titles = self._alike(self.lexicon.words.tokens(self.form.claim.context))
        own = titles | self._alike(self.form.tokens)
        for number in sorted(self.index.holding(self.terms)):
            if self.index.is_meta(number):
                continue
            figures = self._paired(self.index.facts(number).figures, titles)
            if figures and own.issuperset(self._words(number)):
                over = frozenset(self._over(number))
                yield _Line(number, figures, over, over & titles)

    def answer(self, lines: Sequence[_Line], *, surely: bool) -> RecordCheck | None:
        """Whether all of `lines` have the entry's figures; if not, and `surely`, what one has."""
        wrong = [at for line in lines for at in self._differing(line)]
        if not wrong:
            return self._record(lines[0], RecordOutcome.CONFIRMED)
        denied = surely and len(wrong) == 1
        return self._record(lines[0], RecordOutcome.DENIED, wrong[0]) if denied else None

    def _alike(self, tokens: Iterable[Token]) -> frozenset[str]:
        """The words that say something, with all that means the same."""
        book = self.lexicon.words
        stems = {token.stem for token in tokens if token.stem not in book.stop_words}
        return frozenset[str]().union(*map(book.alike, stems))

    def _words(self, number: int) -> frozenset[str]:
        """The words of a line that say something, its figures left out."""
        facts = self.index.facts(number)
        spans = [span for figure in facts.figures for span in figure.spans]
        stops = self.lexicon.words.stop_words
        return frozenset(
            token.stem
            for token in facts.tokens
            if token.stem not in stops and not covered(token, spans)
        )

    def _over(self, number: int) -> Iterator[str]:
        """The words of the nearest short line without a figure, and of what titles the line."""
        index = self.index
        yield from index.governing(number)
        segment = index.segments[number]
        if segment.header:
            yield from (token.stem for token in index.tokens_at(*segment.header))
        for above in range(number - 1, max(-1, number - 1 - _REACH), -1):
            line = index.segments[above]
            if line.style is None and not index.facts(above).figures:
                if line.end - line.start <= _LONGEST:
                    yield from (token.stem for token in index.facts(above).tokens)
                return

    def _paired(self, figures: Sequence[Figure], titles: frozenset[str]) -> tuple[Quantity, ...]:
        """The one figure that each of the entry's may be; none if that is open."""
        values = [one.value for one in figures if isinstance(one.value, Quantity)]
        if not len(values) == len(figures) == len(self.values):
            return ()
        pairs = [
            [one for one in values if self._is_of_sort(mine, one, titles)] for mine in self.values
        ]
        found = tuple(one for pair in pairs for one in pair)
        return found if all(len(pair) == 1 for pair in pairs) and _are_apart(found) else ()

    def _is_of_sort(self, claimed: Quantity, found: Quantity, titles: frozenset[str]) -> bool:
        """Whether two figures are of one unit, which the entry's titles may give."""
        if compare_quantities(claimed, found, self.lexicon, self.policy.numbers) is None:
            return False
        bare = claimed.kind is QuantityKind.COUNT and not claimed.unit
        if not bare or not found.unit:
            return bool(claimed.unit) == bool(found.unit)
        return titles.issuperset(token.stem for token in self.lexicon.words.tokens(found.unit))

    def _differing(self, line: _Line) -> Iterator[int]:
        """Which of the entry's figures a line gives otherwise."""
        pairs = zip(self.values, line.figures, strict=True)
        for at, (claimed, found) in enumerate(pairs):
            compared = compare_quantities(claimed, found, self.lexicon, self.policy.numbers)
            if compared is None or compared.outcome is SlotOutcome.MISMATCH:
                yield at

    def _record(self, line: _Line, outcome: RecordOutcome, at: int | None = None) -> RecordCheck:
        segment = self.index.segments[line.number]
        start, end = segment.start, segment.end
        text = self.index.text
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if at is None:
            claim = self.form.claim.text
            return RecordCheck(outcome, start, end, claim, text[start:end], complete=True)
        claimed, found = self.values[at], line.figures[at]
        compared = compare_quantities(claimed, found, self.lexicon, self.policy.numbers)
        return RecordCheck(
            outcome,
            start,
            end,
            claimed.text,
            found.text,
            slot=self.form.slots[at],
            change=compared.change if compared else None,
            complete=True,
        )


def _are_apart(figures: Sequence[Quantity]) -> bool:
    return len({one.start for one in figures}) == len(figures)
