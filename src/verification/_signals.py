"""Everything that is known about one claim and one source before it is decided.

Signals are read (the reader's scores of the passages that are most about the claim) or exact
(figures, quotations, identifiers, rows, edits).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..base.vocabulary import CitationState
from ..claims.model import Claim, Figure, Quantity
from .exact.binding import (
    Fit,
    Swap,
    bound_in_cells,
    bound_in_text,
    find_other_cell,
    find_other_difference,
    find_swap,
    fits,
    is_equal,
    misbinding,
    share_of_other_rows,
)
from .exact.comparison import differ_by_scale, in_other_unit, is_bare, stands_otherwise
from .exact.crossing import find_crossing
from .exact.derivation import Operands, check_figure, is_share, with_derivation
from .exact.edits import find_edits, find_verbatim, reservation
from .exact.model import Edit, FigureCheck, QuoteCheck
from .exact.quotes import check_quotations
from .exact.scanned import ScannedFigures, scanned_figures
from .exact.words import missing_identifiers, periods_after, turned
from .model import SlotOutcome
from .passages.figures import claim_figures, find_figures
from .passages.retrieval import SourceText, render
from .passages.rows import row_label
from .passages.units import Unit, terms
from .reader.model import StanceScores
from .registry import Registry

READ_ALONE = (1, 3)
"""So many of the best units are read without their page, too: a page hides what a sentence says."""


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage with what the reader says about the claim; `scores` is None without a reader.

    `[start, end)` is the part of the source's text to quote for it.
    """

    text: str
    start: int
    end: int
    scores: StanceScores | None = None


@dataclass(frozen=True, slots=True)
class Signals:
    """Results of the reader and of the exact checks for one claim in one source.

    `passage` is the place that is most about the claim with the page round it, None where the
    source has no word of the claim. `units` are the best units of the whole source, in the order of
    the text: a claim may rest on two places. `alone` is what the reader says of the best of them
    without their page (`READ_ALONE`), as the passage's scores are. `figures` are checked
    against these units; `nowhere` are those that the whole source lacks. `identifiers` are those of
    the claim that the source lacks. `verbatim` is the place where the source repeats the sentence
    word for word. `edits` are the places where the claim differs from a sentence that it repeats.
    `swap` is the difference if the source gives the values in another order or column.
    `reservation` is the word that keeps sentences that repeat the claim from stating it, "" if
    there is none. `other_rows` (0-1) is the share of the claim's figures that appear in table rows,
    but in no row that the claim names. `other_unit` counts the digits of a number that the source
    lacks and has with another unit or scale, 0 if there is none. `misbinding` (-1 to 1) is how much
    better the words beside a figure fit another figure of the source. `row_stated` says whether the
    claim is a table row, and each of its figures stands in the source beside the words of its row
    and column.
    """

    passage: ReadPassage | None
    alone: tuple[StanceScores, ...]
    units: tuple[Unit, ...]
    figures: tuple[FigureCheck, ...]
    nowhere: tuple[Figure, ...]
    quotations: tuple[QuoteCheck, ...]
    identifiers: tuple[str, ...]
    verbatim: tuple[int, int] | None
    edits: tuple[Edit, ...]
    swap: Swap | None
    reservation: str
    other_rows: float
    other_unit: int
    misbinding: float
    row_stated: bool

    @property
    def scores(self) -> StanceScores | None:
        """What the reader says of the passage; None without a passage or a reader."""
        return self.passage.scores if self.passage else None


def pairs_to_read(claim: Claim, source: SourceText) -> list[tuple[str, str]]:
    """What the reader is to read of a source for a claim, none if no passage is about it.

    The best units without their page, then the passage. What stands before the claim in its
    document helps to find them, but is only read where the claim is a row of a table: with
    sentences it told nothing more (`training/README.md`).
    """
    passage = _passage(claim, source)
    if passage is None:
        return []
    # A row is read after its heading and what leads to its table, too, as in training.
    before = ": ".join(part for part in (claim.heading, claim.previous) if part)
    texts = [claim.text, *([f"{before} || {claim.text}"] if claim.cells and before else ())]
    return [*pairs_to_glance(claim, source), *((passage.text, text) for text in texts)]


def pairs_to_glance(claim: Claim, source: SourceText) -> list[tuple[str, str]]:
    """Those of `pairs_to_read` without the page, which tell most in a third of the words."""
    if not source.rank(claim.text, 1, context=context_of(claim)):
        return []
    best = (source.best_units(claim.text, k, context=context_of(claim)) for k in READ_ALONE)
    return [(render(units), claim.text) for units in best]


def context_of(claim: Claim) -> str:
    """Text that stands before the claim in its document, which helps to find passages."""
    return f"{claim.heading} {claim.previous}"


def _passage(claim: Claim, source: SourceText) -> ReadPassage | None:
    """The best window with the page round it; None if no window is about the claim."""
    windows = source.rank(claim.text, 1, context=context_of(claim))
    if not windows:
        return None
    return ReadPassage(source.surroundings(windows[0]), *source.span(windows[0]))


def collect(claim: Claim, source: SourceText, registry: Registry) -> Signals:
    """The signals of a claim and a source; the reader is asked for what it has not read yet.

    Raises:
        InputError: The reader's files are missing or broken.
    """
    return _Collector(claim, source, registry).signals()


@dataclass(frozen=True, slots=True)
class _Collector:
    claim: Claim
    source: SourceText
    registry: Registry

    def signals(self) -> Signals:
        claim, source, lexicon = self.claim, self.source, self.registry.lexicon
        numbers, units = self.registry.verification.numbers, self._best(1)
        figures = claim_figures(claim, lexicon)
        found = [value for unit in units for value in source.figures(unit)]
        checks = self._derived([self._check(value, found) for value in figures])
        scanned = scanned_figures(source)
        printed = (c.value for c in checks if c.is_printed and isinstance(c.value, Quantity))
        rows = (scanned.printing(value, numbers) for value in printed)
        lacking = [check.value for check in checks if not check.is_printed]
        nowhere = [value for value in lacking if not scanned.is_printed(value, numbers)]
        derived = [check.value for check in checks if check.is_derived]
        bound, cited = self._fits(checks, scanned), claim.citation_state is not CitationState.NONE
        passage, alone = self._read()
        return Signals(
            passage=passage,
            alone=alone,
            units=units,
            figures=checks,
            nowhere=tuple(
                value
                for value in nowhere
                if value not in derived
                and not (is_bare(value) and source.has_digits(value.text))
                and not stands_otherwise(value, scanned.forms)
            ),
            quotations=check_quotations(claim, source),
            identifiers=missing_identifiers(claim.text, source.stated),
            verbatim=find_verbatim(claim.text, source) or find_verbatim(turned(claim.text), source),
            edits=find_edits(claim.text, source),
            swap=find_swap(claim.text, figures, units)
            or (find_other_cell(bound, self._differs, cited=cited) if claim.cells else None)
            or find_other_difference(claim.text, figures, units, source.figures)
            or find_crossing(claim.text, source.lexicon, units),
            reservation=reservation(claim.text, units, lexicon),
            other_rows=share_of_other_rows(claim.text, scanned.labels, rows),
            other_unit=self._other_unit(checks, nowhere),
            misbinding=misbinding(bound),
            row_stated=bool(claim.cells and bound) and all(fit.is_best for fit in bound),
        )

    def _read(self) -> tuple[ReadPassage | None, tuple[StanceScores, ...]]:
        """The passage with the scores for the form of the claim that it supports more; `alone`."""
        passage, reader = _passage(self.claim, self.source), self.registry.reader
        if passage is None or not reader.available:
            return passage, ()
        scores = reader.read(pairs_to_read(self.claim, self.source))
        alone, page = scores[: len(READ_ALONE)], scores[len(READ_ALONE) :]
        return replace(passage, scores=max(page, key=lambda one: one.supports)), tuple(alone)

    def _best(self, times: int) -> tuple[Unit, ...]:
        """The best units of the source, `times` the policy's number."""
        most = times * self.registry.verification.search.units
        return self.source.best_units(self.claim.text, most, context=context_of(self.claim))

    def _check(self, value: Figure, found: Sequence[Figure]) -> FigureCheck:
        return check_figure(value, found, self.source.lexicon, self.registry.verification.numbers)

    def _same(self, one: Figure, other: Figure) -> bool:
        return self._check(one, (other,)).is_printed

    def _differs(self, one: Figure, other: Figure) -> bool:
        mismatch = self._check(one, (other,)).outcome is SlotOutcome.MISMATCH
        return mismatch and not differ_by_scale(one, other)

    def _fits(self, checks: Sequence[FigureCheck], scanned: ScannedFigures) -> tuple[Fit, ...]:
        """How well the words beside the claim's figures fit figures of the source.

        Of a sentence, only printed figures count; of a table row all, since the source may have
        another value in that place.
        """
        cells, source = self.claim.cells, self.source
        label = set(terms(row_label(cell.text for cell in cells))) if cells else set[str]()
        stated = [check.value for check in checks if check.is_printed or cells]
        best = self._best(2)
        units = (*best, *scanned.further(best, stated, label))
        found = [bound for unit in units for bound in scanned.bound(unit, source)]
        if cells:
            return fits(bound_in_cells(cells, stated), found, self._same)
        bound = bound_in_text(self.claim.text, [check.value for check in checks])
        return fits([one for one in bound if one.value in stated], found, self._same)

    def _other_unit(self, checks: Sequence[FigureCheck], nowhere: Sequence[Figure]) -> int:
        """The digits of a figure that the best units have with another unit, or for another period.

        A derivation is no excuse: near figures make most others by accident.
        """
        lexicon, every = self.source.lexicon, map(self.source.figures, self._best(1))
        found = [one for figures in every for one in figures if isinstance(one, Quantity)]
        differing = (
            check.value.text
            for check in checks
            if isinstance(value := check.value, Quantity)
            and (
                self._in_other_period(value)
                if check.is_printed
                else value in nowhere and any(in_other_unit(value, o, lexicon) for o in found)
            )
        )
        return max((max(1, sum(map(str.isdigit, text))) for text in differing), default=0)

    def _in_other_period(self, value: Quantity) -> bool:
        """Whether the units give the figure for another period than the claim, and not for its."""
        own = periods_after(self.claim.text, value.end)
        theirs = [
            periods
            for unit in self._best(1)
            for other in self.source.figures_in(unit)
            if is_equal(value, other) and (periods := periods_after(unit.text, other.end))
        ]
        return bool(own and theirs) and not any(own & periods for periods in theirs)

    def _derived(self, checks: Sequence[FigureCheck]) -> tuple[FigureCheck, ...]:
        """The checks, with a derivation of each figure that is not printed, if it follows.

        What it follows from stands in the units that are most about the claim, or in the claim
        itself and the sentence before it.
        """
        if all(check.is_found for check in checks):
            return tuple(checks)
        claim, source = self.claim, self.source
        own_texts = (claim.previous, claim.text)
        printed_values = [check.value for check in checks if check.is_printed]
        # A figure of the claim that the source lacks proves no other one.
        stated = [*printed_values, *find_figures(claim.previous, source.lexicon)]
        scopes = [
            Operands(figures, (unit.text,))
            for unit in self._best(1)
            # What stands beside a figure of the claim is what it is compared with.
            if any(is_equal(a, b) for a in printed_values for b in source.figures_in(unit))
            and (figures := source.figures(unit))
        ]
        nearest = source.best_units(claim.text, 1, context=context_of(claim))
        for units in (nearest, self._best(1), self._best(2)):
            texts = [unit.text for unit in units]
            printed = [value for unit in units for value in source.figures(unit)]
            scopes.append(Operands(printed, texts))
            scopes.append(Operands((*printed, *stated), (*texts, *own_texts)))
        # A share may be one of a whole column.
        wholes = [Operands((*source.totals, *stated), own_texts)]
        numbers = self.registry.verification.numbers
        derived: list[FigureCheck] = []
        for check in checks:
            tried = (*scopes, *(wholes if is_share(check.value) else ()))
            others = [scope.without(check.value) for scope in tried]
            found = with_derivation(
                check, claim.text, others, source.totals, source.lexicon, numbers
            )
            derived.append(found)
        return tuple(derived)
