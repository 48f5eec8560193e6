"""Parts of a page, common to runs, checks, batches and reviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TypeAlias

from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ..labels import Label, Tone
from ..wording import spaced

NOT_APPLICABLE = -1
"""The value of a facet that does not concern a thing; no choice of that filter hides it."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A way to filter and its choices."""

    title: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One thing in a list of the page, and its place `[start, end)` in the text.

    `number` counts from 1 over all lists of the page, `id` is what a link to it ends in; `noun` and
    `mark` are its name. `facets` are its values of its list's facets by index, `NOT_APPLICABLE`
    where it has none. `label` is that of its place; an `outside` one belongs to the external
    verification, which the text shows only on request. `record` is what is on record.
    """

    number: int
    id: str
    noun: str
    mark: str
    labels: tuple[Label, ...]
    text: str
    place: str
    facets: tuple[int, ...]
    label: Label
    start: int
    end: int
    outside: bool
    record: object


@dataclass(frozen=True, slots=True)
class SourceCard:
    """A source by its number in the report. `rating` is None where it was not scored.

    `source` is None where nothing but its score is on record. `used_by` is how many claims
    have evidence of it.
    """

    number: int
    url: str
    rating: SourceRating | None
    source: Source | None
    used_by: int


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text. `texts` are the columns of words, the others of figures."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    _: KW_ONLY
    caption: str
    texts: frozenset[int] = frozenset({0})


NOTHING = Label("none", "", Tone.MUTED)
"""The choice of what has no value of a kind."""


def plain_label(name: str) -> Label:
    """A label without a sign, in words."""
    return Label(spaced(name).lower(), "", Tone.MUTED)


Filters: TypeAlias = Sequence[tuple[Facet, Counter[int]]]
"""Filters with the number of things for each choice, by its index."""


def count_choices(facets: Sequence[Facet], codes: Iterable[Sequence[int]]) -> Filters:
    """Return the filters; `codes` are each thing's choices of `facets`."""
    columns = [*zip(*codes, strict=True)] or [()] * len(facets)
    return [*zip(facets, map(Counter, columns), strict=True)]


class Listing:
    """One list of a page: its rows, whose numbers begin `after` others.

    Args:
        noun: What each row is called.
        facets: The ways to filter them.
        after: How many rows of the page are before them.
        outside: Whether they belong to the external verification.
    """

    def __init__(
        self, noun: str, facets: Sequence[Facet], *, after: int = 0, outside: bool = False
    ) -> None:
        self.noun, self._facets = noun, facets
        self._after, self._outside = after, outside
        self._codes = [{label: n for n, label in enumerate(one.labels)} for one in facets]
        self.rows: list[Row] = []

    @property
    def things(self) -> str:
        """What all of them are called."""
        return f"{self.noun.lower()}s"

    def add(
        self,
        record: object,
        id_: str,
        text: str,
        *,
        place: str,
        span: tuple[int | None, int | None],
        labels: tuple[Label, ...],
        choices: Iterable[Label | None],
        mark: str = "",
        label: Label | None = None,
    ) -> None:
        """Add `record`.

        `choices` are its values of the facets, None for those that do not concern it. `mark` is its
        number in the list unless given. Its place in the text is marked with `label`, else with the
        first of its `labels`.
        """
        coded = zip(self._codes, choices, strict=True)
        codes = (NOT_APPLICABLE if one is None else codes[one] for codes, one in coded)
        start, end = span
        self.rows.append(
            Row(
                self._after + len(self.rows) + 1,
                id_,
                self.noun,
                mark or str(len(self.rows) + 1),
                labels,
                text,
                place,
                tuple(codes),
                label or labels[0],
                start or 0,
                end or 0,
                self._outside,
                record,
            )
        )

    @property
    def filters(self) -> Filters:
        """The filters of the list."""
        return count_choices(self._facets, (row.facets for row in self.rows))


def in_text_order(rows: Iterable[Row]) -> list[Row]:
    """Return those of `rows` that have a place in the text, by their places."""
    placed = (row for row in rows if row.end)
    return sorted(placed, key=lambda row: (row.start, row.end, row.number))
