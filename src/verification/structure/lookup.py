"""A claim laid over a table: the cell of its row and its column, or two cells that it compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind
from ...claims.words import WordBook
from ..model import SlotOutcome
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm, Slot
from ..reading.index import TextIndex
from ..reading.labels import Bag, Named
from ..reading.records import RecordCheck, RecordOutcome, free_slots
from ..values.comparison import Comparison, compare_dates, compare_quantities, unsigned
from ..values.derivation import operations
from ..values.rates import differ, rate_of
from .answers import answers, calls_extreme, compared, extremes, is_extreme
from .asked import Asked, cell_check, cell_text, is_figure, span_text
from .grid import PERCENT, Grid, Row, cell_scale, read_grid
from .worked import worked

_FILLED = (SlotOutcome.MATCH, SlotOutcome.ROUNDED)
_TABLES_READ = 3
# A claim that a table settles may have this share of words that the source does not.
_KNOWN = 0.65
_CLOCK = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])")
_YEAR = re.compile(r"(?:19|20)\d\d")
_AND = re.compile(r"\b(?:and|but|while|whereas)\b|;", re.I)
_NOT = re.compile(r"\b(?:not|no|never|neither|nor|none|without|cannot)\b|n['’]t\b", re.I)


def check_tables(
    form: ClaimForm,
    index: TextIndex,
    held: Sequence[int],
    lexicon: Lexicon,
    policy: VerificationPolicy,
) -> list[RecordCheck]:
    """What the tables of a source say about a claim; `held` are the segments with its words.

    A cell answers only for the row and the column that the claim names, both without doubt.
    """
    bag = Bag(form, lexicon.words)
    near = set(held)
    checks: list[RecordCheck] = []
    runs = [run for run in index.tables if any(run[0] <= n <= run[1] for n in near)]
    for run in runs[:_TABLES_READ]:
        grid = read_grid(index, *run, held)
        rows = bag.named([row.label for row in grid.rows])
        columns = [
            replace_number(one, grid.keys) for one in bag.named(list(grid.columns[grid.keys :]))
        ]
        if not any(row.share == 1.0 for row in rows):
            rows = _latest(bag, grid) or rows
        rows = _without_echoes(rows, columns, grid, form, bag)
        asked = Asked(form, index, grid, bag, rows, columns, lexicon, policy)
        found = [
            check
            for check in (
                *_values(asked),
                *_changes(asked),
                *worked(asked),
                *_clock_times(asked),
                *answers(asked),
                *compared(asked),
                *extremes(asked),
            )
            if not _is_of_another(check, asked)
        ]
        complete = _is_complete(asked, found)
        checks += [replace(check, complete=complete) for check in found]
    return checks


def _is_of_another(check: RecordCheck, asked: Asked) -> bool:
    """Whether the label of a row names somebody else than the claim, and nothing round it him.

    "Patients treated by Brigg Laboratories" is no row of those of Falkner Hospitals.
    """
    index, grid = asked.index, asked.grid
    row = next((one for one in grid.rows if check.start <= one.cells[0][0] < check.end), None)
    if row is None:
        return False
    number, own = index.segment_at(row.label.start), [set(n.stems) for n in asked.form.names]
    claimed = {token.stem for token in asked.form.tokens}
    there = [set(n.stems) for n in index.cast.names(number) if n.start < row.label.end]
    # Of Falun Clinics and Norden Clinics each has a word that the other lacks.
    rivals = [
        name for name in there if any(name - one and one - name for one in own) and name - claimed
    ]
    if not rivals:
        return False
    spans = (grid.caption, row.label[1:], *(title[1:] for title in grid.columns))
    around = frozenset(token.stem for span in spans for token in index.tokens_at(*span))
    known = around | index.heading_stems | index.governing(number)
    return not all(_is_held(name.difference(*rivals), known, asked.book) for name in own)


def _is_held(words: set[str], known: frozenset[str], book: WordBook) -> bool:
    """Whether the words of a name that no rival has are known, or one that is no common noun."""
    return bool(words) and (
        known.issuperset(words) or any(w in known and not book.thesaurus.of(w) for w in words)
    )


def _without_echoes(
    rows: Sequence[Named], columns: Sequence[Named], grid: Grid, form: ClaimForm, bag: Bag
) -> list[Named]:
    """The rows that the claim means, where it names one in full.

    "Of the four ports, Lisk" does not name Port Verity, nor "25 to 99 pieces" the 25 cm size.
    """
    full = [one for one in (*rows, *columns) if one.share == 1.0]
    taken = {place for one in full for place in one.places}
    capitals = {
        place
        for token, place in list(zip(form.tokens, bag.positions, strict=True))[1:]
        if token.capital
    }
    common = any(one.share == 1.0 for one in rows)
    # "Sales of rye bread" are "of which rye bread", and not all of the "sales of bread".
    parents = {grid.rows[one.number].parent for one in rows if one.share == 1.0}
    return [
        one
        for one in rows
        if one.number not in parents
        if one.share == 1.0
        or not (taken.issuperset(one.places) or (common and capitals.isdisjoint(one.places)))
    ]


def _latest(bag: Bag, grid: Grid) -> list[Named]:
    """The rows that the claim names but for their year, where it leaves out that of the last ones.

    "With decay, 2025", "With decay, 2021".
    """
    dated = [[w for w in row.label.words if _YEAR.fullmatch(w)] for row in grid.rows]
    years = [max(words, default="") for words in dated]
    last = max(years, default="")
    labels = [
        row.label._replace(words=tuple(w for w in row.label.words if w != last) if last else ())
        if year == last
        else row.label._replace(words=())
        for row, year in zip(grid.rows, years, strict=True)
    ]
    told = any(bag.places(year) for year in years if year)
    return [] if told or not last else bag.named(labels)


def replace_number(named: Named, by: int) -> Named:
    """`named` counted from the table's first column."""
    return named._replace(number=named.number + by)


def _is_complete(asked: Asked, found: Sequence[RecordCheck]) -> bool:
    """Whether the table settles all of the claim: each number, each date, nearly every word."""
    if calls_extreme(asked) and not any(check.extreme for check in found):
        return False
    answered = [check.slot for check in found if check.slot]
    if any(is_figure(slot, asked) and slot not in answered for slot in asked.form.slots):
        return False
    if answered and len(answered) == len(found) and _NOT.search(asked.text):
        return False
    if len(_CLOCK.findall(asked.text)) > sum(bool(_CLOCK.fullmatch(c.claimed)) for c in found):
        return False
    terms = [t for t in asked.form.terms if t.counts and not is_extreme(t.word)]
    book, knows = asked.book, asked.index.knows
    known = sum(
        any(map(knows, book.alike(term.stem))) or any(map(knows, book.close(term.stem)))
        for term in terms
    )
    return known >= _KNOWN * len(terms)


def _values(asked: Asked) -> list[RecordCheck]:
    """The numbers of the claim against the cells that they are about."""
    slots = [slot for slot in free_slots(asked.form) if is_figure(slot, asked)]
    checks = [check for slot in slots for check in [_value(slot, slots, asked)] if check]
    # A cell that gives one value of the claim is not what another one of it should be.
    given = {check.found for check in checks if not check.denied}
    return [check for check in checks if not (check.denied and check.found in given)]


def _value(slot: Slot, slots: Sequence[Slot], asked: Asked) -> RecordCheck | None:
    value = slot.value
    row = _nearest(slot, asked.rows, len(slots))
    if row is None:
        return None
    columns = _columns(slot, asked)
    found = [
        (column, comparison)
        for column in columns
        if (comparison := _compared_cell(value, asked.grid.rows[row.number], column, asked))
    ]
    if len(found) != 1 or len(columns) > 1:
        return None
    column, comparison = found[0]
    outcome = _outcome(comparison)
    names = _names_counted(value, row, column, asked)
    in_part = outcome is RecordOutcome.DENIED and row.share < 1
    if in_part and not _is_in_row(value, asked.grid.rows[row.number], asked):
        return None
    if outcome is RecordOutcome.DENIED and not (names and _is_misread(value, row, asked)):
        return None
    if outcome is RecordOutcome.DENIED and row.share < 1 and _is_told(value, asked):
        return None
    if outcome is RecordOutcome.DENIED and _is_multiple(value, asked.grid.rows[row.number], column):
        return None
    if outcome is RecordOutcome.DENIED and _stands_beside(slot, row, column, asked):
        return None
    return cell_check(asked, row, column, outcome, slot, comparison) if outcome else None


def _is_in_row(claimed: Quantity | DateSpan, row: Row, asked: Asked) -> bool:
    """Whether another cell of a row has the claimed value: the claim means that row, then."""
    return any(
        comparison.outcome is SlotOutcome.MATCH
        for column in range(asked.grid.keys, len(row.cells))
        if (comparison := _compared_cell(claimed, row, column, asked))
    )


def _is_multiple(claimed: Quantity | DateSpan, row: Row, column: int) -> bool:
    """Whether the claimed value is a cell's by another number of the row: four cards at 38 each."""
    own = row.figure(column)
    if not isinstance(claimed, Quantity) or own is None:
        return False
    others = (figure.value for figure in row.facts.figures if figure.value.start != own.start)
    return any(
        isinstance(other, Quantity) and other.low > 1 and own.low * other.low == claimed.low
        for other in others
    )


def _stands_beside(slot: Slot, named: Named, column: int, asked: Asked) -> bool:
    """Whether the claimed value stands in a cell that the claim may mean just as well.

    That is one of the same row of which a column of another sort tells, or one of the same column
    in a row that the claim may name in other words, where it names no row in full.
    """
    claimed, grid = slot.value, asked.grid
    own = grid.rows[named.number]
    width = range(grid.keys, len(grid.columns))
    sorts = {number: _sort_of(grid, number) for number in width}
    other = _is_named_of_another(slot, column, asked)
    cells = [(own, n) for n in width if sorts[n] != sorts[column] or other]
    if named.share < 1:
        cells += [(row, column) for row in grid.rows if row is not own]
    return (
        _is_named_by_count(named, asked)
        or _is_column_total(claimed, column, grid)
        or any(
            comparison.outcome is SlotOutcome.MATCH
            for row, number in cells
            if (comparison := _compared_cell(claimed, row, number, asked))
        )
    )


def _is_named_of_another(slot: Slot, column: int, asked: Asked) -> bool:
    """Whether the claim names a column for what comes after a value, in a clause of its own.

    "Fixes until the end of 2026, and security fixes for longer".
    """
    columns = asked.grid.columns
    shared = {w for n, title in enumerate(columns) if n != column for w in title.words}
    own = set(columns[column].words) - shared
    places = [token.start for token in asked.form.tokens if token.stem in own]
    first = min(places, default=0)
    return first > slot.value.end and bool(_AND.search(asked.text, slot.value.end, first))


def _is_named_by_count(named: Named, asked: Asked) -> bool:
    """Whether all that names a row is what the claim counts: "nine coaches", a "seated coach"."""
    if named.share == 1:
        return False
    counted = {
        asked.book.stem(slot.value.unit)
        for slot in asked.form.slots
        if isinstance(slot.value, Quantity) and slot.value.unit
    }
    words = zip(asked.form.tokens, asked.bag.positions, strict=True)
    stems = {token.stem for token, place in words if place in named.places}
    return stems <= counted


def _is_column_total(claimed: Quantity | DateSpan, column: int, grid: Grid) -> bool:
    """Whether the cells of a column add up to the claimed value."""
    figures = [row.figure(column) for row in grid.rows if not row.is_whole]
    sizes = [figure.low for figure in figures if figure is not None]
    return isinstance(claimed, Quantity) and len(sizes) > 1 and sum(sizes) == claimed.low


def may_be_of_table(claimed: Quantity, index: TextIndex, found: int) -> bool:
    """Whether the table with the number at `found` gives the claimed one in its row or column.

    A column gives what it adds up to as well.
    """
    number = index.segment_at(found)
    run = next((run for run in index.tables if run[0] <= number <= run[1]), None)
    if run is None:
        return False
    grid = read_grid(index, *run, (number,))
    own = next((row for row in grid.rows if row.cells[0][0] <= found < row.cells[-1][1]), None)
    column = _column_of(own, found) if own else 0
    if own is None or column < grid.keys:
        return False
    cells = [own.figure(n) for n in range(grid.keys, len(own.cells)) if n != column]
    cells += [row.figure(column) for row in grid.rows if row is not own]
    equal = any(cell and (cell.low, cell.high) == (claimed.low, claimed.high) for cell in cells)
    return equal or _is_column_total(claimed, column, grid)


def _column_of(row: Row, place: int) -> int:
    return next((n for n, (start, end) in enumerate(row.cells) if start <= place < end), 0)


def _sort_of(grid: Grid, column: int) -> tuple[object, ...]:
    """What sort of value the cells of a column are: their kinds and units, and how finely given."""
    values = [figure for row in grid.rows if (figure := row.figure(column))]
    kinds = {(value.kind, value.unit) for value in values}
    return (frozenset(kinds), any(value.step < 1 for value in values))


def _is_told(claimed: Quantity | DateSpan, asked: Asked) -> bool:
    """Whether the prose of the source gives the claimed number to what the claim counts.

    A row that shares a word with the claim, "Days of training", is then of something else.
    """
    if isinstance(claimed, DateSpan):
        return False
    index, digits = asked.index, asked.book.tokens(claimed.text)
    numbers = {number for token in digits for number in index.postings.get(token.stem, ())}
    return any(
        isinstance(figure.value, Quantity)
        and (comparison := _compared(claimed, figure.value, asked)) is not None
        and comparison.outcome is SlotOutcome.MATCH
        for number in numbers
        if index.segments[number].style is None and not index.is_meta(number)
        for figure in index.facts(number).figures
    )


def _compared(claimed: Quantity, found: Quantity, asked: Asked) -> Comparison | None:
    return compare_quantities(claimed, found, asked.lexicon, asked.policy.numbers)


def _names_counted(claimed: Quantity | DateSpan, named: Named, column: int, asked: Asked) -> bool:
    """Whether the table says that its numbers count what the claim counts."""
    if isinstance(claimed, DateSpan) or claimed.kind is not QuantityKind.COUNT or not claimed.unit:
        return True
    grid, index, book = asked.grid, asked.index, asked.lexicon.words
    spans = (grid.caption, grid.columns[column][1:], grid.rows[named.number].label[1:])
    noun = book.alike(book.stem(claimed.unit))
    return any(token.stem in noun for span in spans for token in index.tokens_at(*span))


def _is_misread(claimed: Quantity | DateSpan, named: Named, asked: Asked) -> bool:
    """Whether a value that differs from its cell is no result of several cells.

    It stands in another cell, or nothing in the claim asks for working it out.
    """
    width = range(asked.grid.keys, len(asked.grid.columns))
    row = asked.grid.rows[named.number]
    same_row = [(row, column) for column in width]
    others = [(other, column) for other in asked.grid.rows for column in width]
    derived = isinstance(claimed, Quantity) and operations(asked.text, claimed)
    return not derived or any(
        comparison.outcome is SlotOutcome.MATCH
        for other, column in (*same_row, *others)
        if (comparison := _compared_cell(claimed, other, column, asked))
    )


def _outcome(comparison: Comparison) -> RecordOutcome | None:
    if comparison.outcome in _FILLED:
        return RecordOutcome.CONFIRMED
    return RecordOutcome.DENIED if comparison.outcome is SlotOutcome.MISMATCH else None


def _nearest(slot: Slot, named: Sequence[Named], slots: int) -> Named | None:
    """The row that a slot is about: the only one, or the next one if each slot has its own."""
    if len(named) == 1:
        return named[0]
    if not named or slots != len(named):
        return None
    first, second, *_ = sorted(named, key=lambda one: one.distance(slot.first))
    return first if first.distance(slot.first) < second.distance(slot.first) else None


def _columns(slot: Slot, asked: Asked) -> list[int]:
    """The columns that a slot may be about: of its unit, those named, or the only one there is."""
    counted = _columns_of_unit(slot, asked)
    if len(counted) == 1:
        return counted
    if asked.columns:
        shares = [one for one in asked.columns if _in_percent(slot.value, one.number, asked)]
        return [one.number for one in _next_to(slot.first, shares or asked.columns)]
    every = range(asked.grid.keys, len(asked.grid.columns))
    return list(every) if len(every) == 1 else []


def _in_percent(value: Quantity | DateSpan, column: int, asked: Asked) -> bool:
    """Whether a share may be what a column in per cent gives."""
    title = asked.grid.columns[column]
    share = isinstance(value, Quantity) and value.kind in (QuantityKind.RATIO, QuantityKind.PERCENT)
    return share and bool(PERCENT.search(asked.index.text, title.start, title.end))


def _columns_of_unit(slot: Slot, asked: Asked) -> list[int]:
    """The columns whose titles name the unit of a number: "Delivery (working days)"."""
    value = slot.value
    if isinstance(value, DateSpan) or not value.unit:
        return []
    names = asked.book.alike(asked.book.stem(value.unit))
    return [
        number
        for number, title in enumerate(asked.grid.columns)
        if number >= asked.grid.keys
        and any(t.stem in names for t in asked.index.tokens_at(title.start, title.end))
    ]


def _compared_cell(
    claimed: Quantity | DateSpan, row: Row, column: int, asked: Asked
) -> Comparison | None:
    if isinstance(claimed, DateSpan):
        dated = row.date(column)
        return compare_dates(claimed, dated) if dated else None
    found = row.figure(column)
    if found is None:
        return None
    title = asked.index.text[slice(*asked.grid.columns[column][1:])]
    label = asked.index.text[slice(*row.label[1:])]
    told = PERCENT.search(title) or PERCENT.search(label)
    percent = bool(told) or found.kind is QuantityKind.PERCENT
    if percent and claimed.kind is QuantityKind.RATIO:
        found = replace(found, kind=QuantityKind.PERCENT)
        return compare_quantities(claimed, found, asked.lexicon, asked.policy.numbers)
    if percent != (claimed.kind is QuantityKind.PERCENT) and not _caption_percent(asked):
        return None
    if claimed.modifier is Modifier.AT_MOST and claimed.low == found.low:
        # A table of limits leaves out "up to".
        claimed = replace(claimed, modifier=Modifier.EXACT)
    found = unsigned(found, claimed, asked.text)
    factor = cell_scale(asked.index, asked.grid, row, column)
    if found.kind is QuantityKind.COUNT:
        found = _scaled(found, factor, claimed)
    result = compare_quantities(claimed, found, asked.lexicon, asked.policy.numbers)
    if result and result.outcome in _FILLED and _is_divided_apart(claimed, row, column, asked):
        return Comparison(SlotOutcome.MISMATCH)
    return result


def _is_divided_apart(claimed: Quantity, row: Row, column: int, asked: Asked) -> bool:
    """Whether a cell is by another period, or for each of other things, than the claim says."""
    own = rate_of(asked.text, claimed.start, claimed.end, asked.book)
    if own is None or not own.told:
        return False
    spans = row.label[1:], asked.grid.columns[column][1:]
    heads = [span_text(asked, span) for span in spans]
    theirs = [rate_of(f"{head}: ", len(head) + 1, len(head) + 1, asked.book) for head in heads]
    return any(differ(own, rate, asked.book) for rate in theirs)


def _caption_percent(asked: Asked) -> bool:
    return bool(PERCENT.search(asked.index.text, *asked.grid.caption))


def _scaled(found: Quantity, factor: Decimal, claimed: Quantity) -> Quantity:
    """A bare number of a cell in the unit of the claim, which the table names elsewhere."""
    return replace(
        found,
        low=found.low * factor,
        high=found.high * factor,
        step=found.step * factor,
        kind=claimed.kind,
        unit=claimed.unit,
    )


def _changes(asked: Asked) -> Iterator[RecordCheck]:
    """The two values of a change, "from 12 to 19", in the row that has both, in order of time."""
    free = free_slots(asked.form)
    bound = [slot for slot in asked.form.slots if slot not in free and is_figure(slot, asked)]
    if len(bound) != 2:
        return
    old, new = sorted(bound, key=lambda slot: slot.value.start)
    for row in asked.rows:
        times = {
            slot: [n for n in asked.times if _states(slot, asked.grid.rows[row.number], n, asked)]
            for slot in (old, new)
        }
        if not (times[old] and times[new]):
            continue
        first, last = (asked.times[times[slot][0]] for slot in (old, new))
        if first != last:
            outcome = RecordOutcome.CONFIRMED if first < last else RecordOutcome.DENIED
            yield cell_check(asked, row, times[old][0], outcome, old)
            yield cell_check(asked, row, times[new][0], outcome, new)


def _clock_times(asked: Asked) -> Iterator[RecordCheck]:
    """The times of day of the claim, each in the row and the column that it names."""
    for match in _CLOCK.finditer(asked.text):
        at = sum(token.end <= match.start() for token in asked.form.tokens)
        place = asked.bag.positions[min(at, len(asked.bag.positions) - 1)]
        rows, columns = _next_to(place, asked.rows), _next_to(place, asked.columns)
        if len(rows) != 1 or len(columns) != 1:
            continue
        cell = cell_text(asked, asked.grid.rows[rows[0].number], columns[0].number).strip()
        if _CLOCK.fullmatch(cell):
            same = cell.lstrip("0") == match[0].lstrip("0")
            outcome = RecordOutcome.CONFIRMED if same else RecordOutcome.DENIED
            check = cell_check(asked, rows[0], columns[0].number, outcome)
            yield replace(check, claimed=match[0])


def _next_to(place: float, named: Sequence[Named]) -> list[Named]:
    nearest = min((one.distance(place) for one in named), default=0.0)
    return [one for one in named if one.distance(place) == nearest]


def _states(slot: Slot, row: Row, column: int, asked: Asked) -> bool:
    comparison = _compared_cell(slot.value, row, column, asked)
    return comparison is not None and comparison.outcome in _FILLED
