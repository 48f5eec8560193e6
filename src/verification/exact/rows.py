"""Figures of a claim that a table gives to another row than the one that the claim names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..passages.retrieval import terms
from ..passages.rows import row_cells
from ..passages.units import Unit, UnitKind

# Share of a row label's words that the claim has to name the row.
_NAMED = 0.5


def label_of(unit: Unit) -> str:
    """Label of a table row: its first cell that is more than a serial number."""
    return row_label(cell.partition(": ")[2] or cell for cell in row_cells(unit.text))


def row_label(cells: Iterable[str]) -> str:
    """The first of the texts of a row's cells that is no bare number, or else the first."""
    texts = [cell.strip() for cell in cells]
    return next((text for text in texts if any(map(str.isalpha, text))), texts[0])


def share_of_other_rows(
    claim: str, units: Sequence[Unit], holders: Sequence[Callable[[Unit], bool]]
) -> float:
    """Share of the claim's figures that stand in rows, but in none that the claim names, 0–1.

    Each of `holders` tells whether a unit prints one figure of the claim. 0 if the claim names no
    row of a table.
    """
    words = set(terms(claim))
    named_by = {
        label: {term for term in terms(label) if not term[0].isdigit()}
        for label in {label_of(unit) for unit in units if unit.kind is UnitKind.ROW}
    }
    labels = {label: own for label, own in named_by.items() if own}
    shares = {label: len(own & words) / len(own) for label, own in labels.items()}
    best = max(shares.values(), default=0.0)
    if best < _NAMED:
        return 0.0
    named = [labels[label] for label, share in shares.items() if share >= best]
    strayed = [
        not any(_is_about(unit, named) for unit in units if holds(unit))
        for holds in holders
        if any(unit.kind is UnitKind.ROW and holds(unit) for unit in units)
    ]
    return sum(strayed) / len(strayed) if strayed else 0.0


def _is_about(unit: Unit, named: Sequence[set[str]]) -> bool:
    words = set(terms(unit.text))
    return any(len(own & words) >= _NAMED * len(own) for own in named)
