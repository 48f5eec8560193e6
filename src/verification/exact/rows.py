"""Figures of a claim that a table gives to another row than the one that the claim names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..passages.rows import label_of
from ..passages.terms import terms
from ..passages.units import Unit, UnitKind

# Share of a row label's words that the claim has to name the row.
_NAMED = 0.5


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
        for label in {label_of(unit.text) for unit in units if unit.kind is UnitKind.ROW}
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
