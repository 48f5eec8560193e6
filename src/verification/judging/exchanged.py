"""Two names with two figures that a sentence of the source gives the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...claims.words import Token
from ..meaning.objection import Objection, ObjectionKind
from ..reading.names import Name
from .alignment import Aligner, Alignment

# Orders that tell which figure is whose; of "were beaten 3–1 by" the winner's is the first.
_ORDERS = frozenset({"nvnv", "vnvn"})
_NAME, _FIGURE, _PAIR = "n", "v", 2
_SURE = 0.7


class _Item(NamedTuple):
    """A name or a figure, known by what it says, and where it stands."""

    start: int
    kind: str
    key: str


def exchanged_names(aligner: Aligner, alignment: Alignment) -> Objection | None:
    """What one sentence says of two names that the claim says of them the other way round.

    "A took 22 minutes and B 37" against "B needed 22 minutes, A 37". Each of the four must stand
    there just once, and the claim must give no other figure.
    """
    window, names = alignment.window, aligner.form.names
    single = window.first == window.last and not aligner.index.segments[window.first].header
    if not single or len(names) != _PAIR:
        return None
    figures = [token.word for token in aligner.form.tokens if token.word[0].isdigit()]
    if len(figures) != _PAIR or len(set(figures)) != _PAIR:
        return None
    claimed = _pairs(_items(names, figures, aligner.form.tokens))
    given = _pairs(_items(names, figures, window.tokens))
    if not claimed or not given or claimed == given:
        return None
    return Objection(
        ObjectionKind.ORDER, _shown(claimed), _shown(given), flipped=True, strength=_SURE
    )


def _items(names: Sequence[Name], figures: Sequence[str], tokens: Sequence[Token]) -> list[_Item]:
    """Where the names and figures stand in a text, if each stands there once."""
    items = [
        _Item(token.start, _NAME, name.text)
        for name in names
        for token in tokens
        if token.stem == name.stems[0] and token.capital
    ]
    items += [_Item(t.start, _FIGURE, t.word) for t in tokens if t.word in figures]
    return items if len({item.key for item in items}) == len(items) == 2 * _PAIR else []


def _pairs(items: Sequence[_Item]) -> frozenset[tuple[str, str]]:
    """Which name has which figure, none if their order does not tell."""
    ordered = sorted(items)
    if "".join(item.kind for item in ordered) not in _ORDERS:
        return frozenset()
    names = [item.key for item in ordered if item.kind == _NAME]
    figures = [item.key for item in ordered if item.kind == _FIGURE]
    return frozenset(zip(names, figures, strict=True))


def _shown(pairs: frozenset[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in sorted(pairs))
