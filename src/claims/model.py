"""Model of a claim. Spans are half-open character offsets into the text that was parsed."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from ..base.vocabulary import CitationState, ClaimKind, Location


class QuantityKind(StrEnum):
    """Kind of quantity; only quantities of the same kind are compared.

    A clock time is a number of minutes after midnight.
    """

    COUNT = "count"
    MONEY = "money"
    PERCENT = "percent"
    PERCENTAGE_POINTS = "percentage_points"
    BASIS_POINTS = "basis_points"
    RATIO = "ratio"
    ORDINAL = "ordinal"
    MEASURE = "measure"
    CLOCK = "clock"


class Modifier(StrEnum):
    """How the words around a quantity qualify it."""

    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    MORE_THAN = "more_than"
    LESS_THAN = "less_than"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, in the unit as written.

    `low` equals `high` unless a range is given; both are in `unit` and already include the scale
    word ("$50 million" is 50000000 USD). `unit` is an ISO 4217 code for money, a singular unit name
    for measures, the counted noun for counts ("" when there is none). `step` is the value of the
    last digit written, with its scale (for "1.5 million" 100000): the precision that rounding is
    judged by.

    `[start, end)` is the place of `text` in the text that was searched, in characters.
    """

    low: Decimal
    high: Decimal
    kind: QuantityKind
    unit: str
    modifier: Modifier
    step: Decimal
    text: str
    start: int
    end: int


class Granularity(StrEnum):
    """The finest part of a date that is given."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date expression as the closed interval of days it may mean, `first` to `last`.

    `fiscal` marks a fiscal year or quarter, which is never compared with a calendar one, `yearless`
    a date that gives no year: it lies in the placeholder year of `yearless.YEARLESS`.

    `[start, end)` is the place of `text` in the text that was searched, in characters.
    """

    first: date
    last: date
    granularity: Granularity
    text: str
    start: int
    end: int
    fiscal: bool = False
    yearless: bool = False


@dataclass(frozen=True, slots=True)
class ClaimQuote:
    """A verbatim quotation inside a claim, without its quotation marks.

    `[start, end)` is the place of `text` in the claim's text, in characters.
    """

    text: str
    start: int
    end: int


class EntityType(StrEnum):
    """Type of an entity (decision 26)."""

    PERSON = "PERSON"
    ORG = "ORG"
    LOCATION = "LOCATION"
    PRODUCT = "PRODUCT"
    DATE = "DATE"
    NUMBER = "NUMBER"
    REGULATION = "REGULATION"


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something that a text names.

    `type` is None where nothing tells what a name stands for. `[start, end)` is the place of `text`
    in the text that was searched, in characters.
    """

    text: str
    type: EntityType | None
    start: int
    end: int


class ClaimCategory(StrEnum):
    """Category of a claim, which sets the rule for it if it is unsourced."""

    STATISTICAL = "statistical"
    MARKET = "market"
    COMPANY_METRIC = "company_metric"
    OWN_RESULT = "own_result"
    GENERAL = "general"


class ClaimTopic(StrEnum):
    """Topic of a claim: the document review's categories (decision 26)."""

    DISTANCE = "distance"
    BUDGET = "budget"
    DATE = "date"
    TITLE = "title"
    ORG_FACT = "org-fact"
    HISTORICAL = "historical"
    STATISTICAL = "statistical"
    GEOGRAPHIC = "geographic"
    OTHER = "other"


class Materiality(StrEnum):
    """Whether the document's argument rests on a claim."""

    LOAD_BEARING = "LOAD-BEARING"
    BACKGROUND = "BACKGROUND"


class Temporality(StrEnum):
    """Whether a claim may be true on one day and false on another."""

    STATIC = "STATIC"
    TEMPORAL = "TEMPORAL"


class Polarity(StrEnum):
    """Whose claim it is: the document's, that of somebody it names, or one it argues against."""

    ASSERTED = "ASSERTED"
    ATTRIBUTED = "ATTRIBUTED"
    REFUTED = "REFUTED"


class Route(StrEnum):
    """Who can check a claim: arithmetic, the author's own records, sources, or nobody."""

    COMPUTATIONAL = "computational"
    INTERNAL = "internal"
    EXTERNAL = "external"
    OPINION = "opinion"


@dataclass(frozen=True, slots=True)
class RegulatoryReference:
    """A citation of a law, regulation, standard or decision.

    `[start, end)` is the place in the text that was searched, in characters; of a list each member
    has its own place. `norm` is equal for two references to the same thing: ``cfr/12/226.5a``.
    """

    scheme: str
    text: str
    norm: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CitedAddress:
    """An address that covers a claim; `target` is None for an incomplete citation."""

    target: str | None
    state: CitationState
    label: str


class Change(StrEnum):
    """How a claim came out of claims of the iteration before (decision 25)."""

    SPLIT = "split"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Lineage:
    """Origin of a claim: a part of one earlier claim, or several merged claims."""

    change: Change
    ids: tuple[str, ...]


class TableCell(NamedTuple):
    """A cell of a table row: title of its column, and its text.

    `[start, end)` is its span in the claim's text in characters, the white space around it
    included.
    """

    title: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One factual claim of the document.

    `id` is stable over iterations (decision 25). `text` is the claim as plain words; `location`
    covers its source, `sentence` is the index of its sentence in the document, from 0. `context` is
    its table header or list lead-in, "" in prose; `heading` the title of its section, `previous`
    the sentence before it in its paragraph or list, both plain. `needs_context` is true where
    `text` can't be understood without them. `load_bearing` marks claims that the document's
    argument rests on. `own_estimate` is true when the sentence calls the number the author's own
    estimate or assumption and states its basis (decision 8). `exclusion` names the rule by which
    the claim is not checkable, "" if it is checkable. `core` is `text` without its intensifiers, ""
    if it has none. `lineage` tells of a claim that was split off or put together since the
    iteration before. Spans of quantities, dates, quotes, entities and references are offsets into
    `text`; `anchors` lead from there to the document, in characters: an anchor `(i, d)` says that
    `text[i:]` stands from offset `d` on, up to the next one.
    """

    id: str
    text: str
    location: Location
    sentence: int
    kind: ClaimKind
    category: ClaimCategory
    _: KW_ONLY
    context: str = ""
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[DateSpan, ...] = ()
    quotes: tuple[ClaimQuote, ...] = ()
    cited: tuple[CitedAddress, ...] = ()
    load_bearing: bool = False
    own_estimate: bool = False
    exclusion: str = ""
    topic: ClaimTopic = ClaimTopic.OTHER
    temporality: Temporality = Temporality.STATIC
    polarity: Polarity = Polarity.ASSERTED
    route: Route = Route.EXTERNAL
    core: str = ""
    entities: tuple[Entity, ...] = ()
    references: tuple[RegulatoryReference, ...] = ()
    anchors: tuple[tuple[int, int], ...] = ()
    lineage: Lineage | None = None
    heading: str = ""
    previous: str = ""
    needs_context: bool = False

    @property
    def cells(self) -> tuple[TableCell, ...]:
        """The cells of a claim that is a row of a table, () for all other claims."""
        if "|" not in self.text or "|" not in self.context:
            return ()
        titles = [title.strip() for title in self.context.split("|")]
        start, cells = 0, list[TableCell]()
        for at, cell in enumerate(self.text.split("|")):
            title = titles[at] if at < len(titles) else ""
            cells.append(TableCell(title, cell.strip(), start, start + len(cell)))
            start += len(cell) + 1
        return tuple(cells)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The document span of `text[start:end]` in characters; `start < end`, with anchors."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, index: int) -> int:
        at, offset = self.anchors[bisect.bisect_right(self.anchors, (index, math.inf)) - 1]
        return offset + index - at

    @property
    def materiality(self) -> Materiality:
        """Load-bearing or background."""
        return Materiality.LOAD_BEARING if self.load_bearing else Materiality.BACKGROUND

    @property
    def citation_state(self) -> CitationState:
        """The strongest way in which the claim is cited."""
        if not self.cited:
            return CitationState.NONE
        states = {address.state for address in self.cited}
        return next(state for state in CitationState if state in states)


@dataclass(frozen=True, slots=True)
class Detection:
    """The claims of a document, and the rule by which each other sentence makes none.

    `left` names the rule by the sentence's index: that of an excluded sentence, or
    `detect.GENERAL`.
    """

    claims: tuple[Claim, ...]
    left: Mapping[int, str]


Figure = Quantity | DateSpan


SUMMED = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
"""Kinds of quantity that may be added up."""
