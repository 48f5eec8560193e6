"""Everything that is known about one claim and one source before it is decided.

Signals are read (the reader's scores of the passages that are most about the claim) or exact
(figures, quotations, identifiers, rows, edits).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..claims.lexicon import Lexicon
from ..claims.model import Claim, Figure, Quantity
from .exact.binding import (
    Fit,
    Swap,
    bound_in_cells,
    bound_in_text,
    bound_in_unit,
    find_other_cell,
    find_other_difference,
    find_swap,
    fits,
    is_equal,
    misbinding,
    share_of_other_rows,
)
from .exact.comparison import differ_by_scale, in_other_unit, is_bare, stands_otherwise
from .exact.derivation import Operands, check_figures, with_derivation
from .exact.edits import find_edit, find_verbatim, reservation
from .exact.model import Edit, FigureCheck, QuoteCheck
from .exact.periods import periods_after
from .exact.quotes import check_quotations
from .exact.words import missing_identifiers, turned
from .model import SlotOutcome
from .passages.figures import claim_figures, find_figures
from .passages.retrieval import SourceText
from .passages.rows import label_of, row_label
from .passages.units import Unit, UnitKind, terms
from .policy import VerificationPolicy
from .reader.model import Reader, StanceScores

MOST_SCANNED = 600
"""Units of a source that are searched for a figure that its best ones lack."""


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

    `passage` is the place that is most about the claim with the page round it: what qualifies it
    stands beside it, and what tells a story, an exercise or what is taken back often far away. It
    is None where the source has no word of the claim. `units` are the best units of the whole
    source, in the order of the text: a claim may rest on two places. `figures` are checked
    against these units; `nowhere` are those that the whole source lacks. `identifiers` are those of
    the claim that the source lacks. `verbatim` is the place where the source repeats the sentence
    word for word. `edit` is the one place where the claim differs from a sentence that it repeats.
    `swap` is the difference if the source gives the values in another order or column.
    `reservation` is the word that keeps sentences that repeat the claim from stating it, "" if
    there is none. `other_rows` (0-1) is the share of the claim's figures that appear in table rows,
    but in no row that the claim names. `other_unit` says whether a number that the source lacks
    stands there with another unit or scale. `misbinding` (-1 to 1) is how much better the words
    beside a figure fit another figure of the source. `row_stated` says whether the claim is a table
    row, and each of its figures stands in the source beside the words of its row and column.
    """

    passage: ReadPassage | None
    units: tuple[Unit, ...]
    figures: tuple[FigureCheck, ...]
    nowhere: tuple[Figure, ...]
    quotations: tuple[QuoteCheck, ...]
    identifiers: tuple[str, ...]
    verbatim: tuple[int, int] | None
    edit: Edit | None
    swap: Swap | None
    reservation: str
    other_rows: float
    other_unit: bool
    misbinding: float
    row_stated: bool

    @property
    def scores(self) -> StanceScores | None:
        """What the reader says of the passage; None without a passage or a reader."""
        return self.passage.scores if self.passage else None


def texts_to_read(claim: Claim) -> tuple[str, ...]:
    """The claim as the reader gets it: alone, and with what stands before it where it needs that.

    The form with ``||`` is that of the training pairs; what is better understood counts.
    """
    before = ": ".join(part for part in (claim.heading, claim.previous) if part)
    if not claim.needs_context or not before:
        return (claim.text,)
    return claim.text, f"{before} || {claim.text}"


def pairs_to_read(claim: Claim, source: SourceText) -> list[tuple[str, str]]:
    """What the reader is to read of a source for a claim: a passage with each form of the claim."""
    passage = _passage(claim, source)
    return [(passage.text, text) for text in texts_to_read(claim)] if passage else []


def _passage(claim: Claim, source: SourceText) -> ReadPassage | None:
    """The best window with the page round it; None if no window is about the claim."""
    windows = source.rank(claim.text, 1, context=f"{claim.heading} {claim.previous}")
    if not windows:
        return None
    return ReadPassage(source.surroundings(windows[0]), *source.span(windows[0]))


def _read(claim: Claim, source: SourceText, reader: Reader) -> ReadPassage | None:
    """The passage with the reader's scores for the form of the claim that it supports more."""
    passage = _passage(claim, source)
    if passage is None or not reader.available:
        return passage
    scores = reader.read(pairs_to_read(claim, source))
    return replace(passage, scores=max(scores, key=lambda one: one.supports))


def collect(
    claim: Claim,
    source: SourceText,
    reader: Reader,
    lexicon: Lexicon,
    policy: VerificationPolicy,
) -> Signals:
    """The signals of a claim and a source; the reader is asked for what it has not read yet.

    Raises:
        InputError: The reader's files are missing or broken.
    """
    return _Collector(claim, source, lexicon, policy).collect(reader)


@dataclass(frozen=True, slots=True)
class _Collector:
    claim: Claim
    source: SourceText
    lexicon: Lexicon
    policy: VerificationPolicy

    def collect(self, reader: Reader) -> Signals:
        claim, source = self.claim, self.source
        units = self._best(self.policy.search.units)
        figures = claim_figures(claim, self.lexicon)
        checks = self._derived(self._checked(figures, units))
        scanned = source.units[:MOST_SCANNED]
        lacking = [check.value for check in checks if not check.is_printed]
        everywhere = self._checked(lacking, scanned)
        standing = [one for unit in scanned for one in source.figures(unit)] if lacking else []
        derived = [check.value for check in checks if check.is_derived]
        bound = self._fits(checks, scanned)
        return Signals(
            passage=_read(claim, source, reader),
            units=units,
            figures=checks,
            nowhere=tuple(
                check.value
                for check in everywhere
                if not check.is_printed
                and check.value not in derived
                and not (is_bare(check.value) and source.has_digits(check.value.text))
                and not stands_otherwise(check.value, standing)
            ),
            quotations=check_quotations(claim, source),
            identifiers=missing_identifiers(claim.text, source.stated),
            verbatim=find_verbatim(claim.text, source) or find_verbatim(turned(claim.text), source),
            edit=find_edit(claim.text, source),
            swap=find_swap(claim.text, units)
            or (find_other_cell(bound, self._differ) if claim.cells else None)
            or find_other_difference(claim.text, figures, units, source.figures),
            reservation=reservation(claim.text, units, self.lexicon),
            other_rows=self._other_rows(checks, scanned),
            other_unit=self._other_unit(checks, everywhere, units),
            misbinding=misbinding(bound),
            row_stated=bool(claim.cells and bound) and all(fit.is_best for fit in bound),
        )

    def _best(self, most: int) -> tuple[Unit, ...]:
        context = f"{self.claim.heading} {self.claim.previous}"
        return self.source.best_units(self.claim.text, most, context=context)

    def _compare(self, one: Figure, other: Figure) -> FigureCheck:
        return check_figures((one,), (other,), self.lexicon, self.policy.numbers)[0]

    def _differ(self, one: Figure, other: Figure) -> bool:
        """Whether two figures of a table row can't both be right."""
        differ = self._compare(one, other).outcome is SlotOutcome.MISMATCH
        return differ and not differ_by_scale(one, other)

    def _fits(self, checks: Sequence[FigureCheck], scanned: Sequence[Unit]) -> tuple[Fit, ...]:
        """How well the words beside the claim's figures fit figures of the source.

        Of a sentence, only printed figures count; of a table row all, since the source may have
        another value in that place.
        """

        def same(one: Figure, other: Figure) -> bool:
            return self._compare(one, other).is_printed

        cells, values = self.claim.cells, self.source.figures_in
        label = set(terms(row_label(cell.text for cell in cells))) if cells else set[str]()
        stated = [check.value for check in checks if check.is_printed or cells]
        best = self._best(2 * self.policy.search.units)
        further = [
            unit
            for unit in scanned
            if unit not in best
            and (
                (cells and unit.kind is UnitKind.ROW and label & set(terms(label_of(unit.text))))
                or any(is_equal(one, other) for one in stated for other in values(unit))
            )
        ]
        found = [bound for unit in (*best, *further) for bound in bound_in_unit(unit, values(unit))]
        if cells:
            return fits(bound_in_cells(cells, stated), found, same)
        bound = bound_in_text(self.claim.text, [check.value for check in checks])
        return fits([one for one in bound if one.value in stated], found, same)

    def _other_unit(
        self,
        checks: Sequence[FigureCheck],
        everywhere: Sequence[FigureCheck],
        units: Sequence[Unit],
    ) -> bool:
        """Whether a figure stands in the best units with another unit, or for another period.

        A derivation is no excuse: near figures make most others by accident.
        """
        printed = [one.value for one in everywhere if one.is_printed]
        found = [one for unit in units for one in self.source.figures(unit)]
        sizes = [one for one in found if isinstance(one, Quantity)]
        return any(
            self._in_other_period(check.value, units)
            if check.is_printed
            else check.value not in printed
            and any(in_other_unit(check.value, other, self.lexicon) for other in sizes)
            for check in checks
            if isinstance(check.value, Quantity)
        )

    def _in_other_period(self, value: Quantity, units: Sequence[Unit]) -> bool:
        """Whether the units give the figure for another period than the claim, and not for its."""
        own = periods_after(self.claim.text, value.end)
        theirs = [
            periods
            for unit in units
            for other in self.source.figures_in(unit)
            if is_equal(value, other) and (periods := periods_after(unit.text, other.end))
        ]
        return bool(own and theirs) and not any(own & periods for periods in theirs)

    def _checked(self, figures: Sequence[Figure], units: Sequence[Unit]) -> tuple[FigureCheck, ...]:
        found = [value for unit in units for value in self.source.figures(unit)]
        return check_figures(figures, found, self.lexicon, self.policy.numbers)

    def _derived(self, checks: Sequence[FigureCheck]) -> tuple[FigureCheck, ...]:
        """The checks, with a derivation of each figure that follows from others.

        What it follows from stands in the units that are most about the claim, or in the claim
        itself and the sentence before it.
        """
        if all(check.is_found for check in checks):
            return tuple(checks)
        claim, source, most = self.claim, self.source, self.policy.search.units
        printed_values = [check.value for check in checks if check.is_printed]
        # A figure of the claim that the source lacks proves no other one.
        stated = [*printed_values, *find_figures(claim.previous, self.lexicon)]
        scopes = [
            Operands.of(figures, (unit.text,))
            for unit in self._best(most)
            # What stands beside a figure of the claim is what it is compared with.
            if any(is_equal(one, o) for one in printed_values for o in source.figures_in(unit))
            and (figures := source.figures(unit))
        ]
        for units in (self._best(most), self._best(2 * most)):
            texts = [unit.text for unit in units]
            printed = [value for unit in units for value in source.figures(unit)]
            scopes.append(Operands.of(printed, texts))
            own_texts = (claim.previous, claim.text)
            scopes.append(Operands.of((*printed, *stated), (*texts, *own_texts)))
        return tuple(
            with_derivation(
                check,
                claim.text,
                [scope.without(check.value) for scope in scopes],
                source.totals,
                self.lexicon,
                self.policy.numbers,
            )
            for check in checks
        )

    def _other_rows(self, checks: Sequence[FigureCheck], units: Sequence[Unit]) -> float:
        if not any(unit.kind is UnitKind.ROW for unit in units):
            return 0.0

        def printed(value: Figure, unit: Unit) -> bool:
            return self._checked((value,), (unit,))[0].is_printed

        holders = [
            functools.partial(printed, check.value)
            for check in checks
            if isinstance(check.value, Quantity) and check.is_printed
        ]
        return share_of_other_rows(self.claim.text, units, holders)
