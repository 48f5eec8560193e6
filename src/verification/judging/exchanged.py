"""Two names or things with two figures that a sentence of the source gives the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ...claims.model import DateSpan
from ...claims.words import Token
from ..meaning.objection import Objection, ObjectionKind
from ..reading.form import covered
from .alignment import Aligner, Alignment

# Orders that tell which figure is whose; of "were beaten 3–1 by" the winner's is the first.
_ORDERS = frozenset({"nvnv", "vnvn"})
# "54 in the stalls, and in the gallery 61": the comma tells.
_MIRRORED = frozenset({"vnnv", "nvvn"})
_PAUSE = re.compile(r"[,;]")
_NAME, _FIGURE, _PAIR = "n", "v", 2
_SURE = 0.7
_Pairs = frozenset[tuple[str, str]]


class _Label(NamedTuple):
    """What a figure is of: by the stem of its first word, as written, and whether it is a name."""

    stem: str
    text: str
    named: bool


class _Item(NamedTuple):
    """A name or a figure, known by what it says, and where it stands."""

    start: int
    kind: str
    key: str


def exchanged(aligner: Aligner, alignment: Alignment) -> Objection | None:
    """What one sentence says of two things that the claim says of them the other way round.

    "A took 22 minutes and B 37" against "B needed 22 minutes, A 37". Each of the four must stand
    there just once, and the claim must give no other figure. What is no name must stand alike in
    the claim: "12 to the north and 9 to the south".
    """
    found = list(_arranged(aligner, alignment))
    if not found or any(claimed == given for claimed, given in found):
        return None
    claimed, given = found[0]
    return Objection(
        ObjectionKind.ORDER, _shown(claimed), _shown(given), flipped=True, strength=_SURE
    )


def keeps_pairs(aligner: Aligner, alignment: Alignment) -> bool:
    """Whether the passage gives both figures of the claim to the things to which it gives them."""
    found = list(_arranged(aligner, alignment))
    return bool(found) and all(claimed == given for claimed, given in found)


def _arranged(aligner: Aligner, alignment: Alignment) -> Iterator[tuple[_Pairs, _Pairs]]:
    """Which of two things has which figure, in the claim and in a passage of one sentence."""
    window, tokens = alignment.window, aligner.form.tokens
    single = window.first == window.last and not aligner.index.segments[window.first].header
    years = {t.word for t in tokens if t.word[0].isdigit() and _is_in_date(t, aligner)}
    figures = [t.word for t in tokens if t.word[0].isdigit() and t.word not in years]
    if not single or len(figures) != _PAIR or len(set(figures)) != _PAIR:
        return
    for labels in _labels(aligner):
        claimed = _pairs(_items(labels, figures, tokens), aligner.form.claim.text)
        given = _pairs(_items(labels, figures, window.tokens), aligner.index.text)
        if claimed and given:
            yield claimed, given


def _is_in_date(token: Token, aligner: Aligner) -> bool:
    values = (slot.value for slot in aligner.form.slots)
    return covered(token, [(v.start, v.end) for v in values if isinstance(v, DateSpan)])


def _labels(aligner: Aligner) -> Iterator[tuple[_Label, ...]]:
    """The claim's two names, or else each two of its words that stand after the same word."""
    names = aligner.form.names
    if len(names) == _PAIR:
        yield tuple(_Label(name.stems[0], name.text, named=True) for name in names)
        return
    stems = {term.stem for term in aligner.form.terms if term.counts}
    following = [
        (before.word, token)
        for before, token in pairwise(aligner.form.tokens)
        if token.stem in stems and not before.word[0].isdigit()
    ]
    for (one, first), (other, second) in combinations(following, 2):
        if one == other and one in aligner.lexicon.words.stop_words:
            yield tuple(_Label(token.stem, token.word, named=False) for token in (first, second))


def _items(
    labels: Sequence[_Label], figures: Sequence[str], tokens: Sequence[Token]
) -> list[_Item]:
    """Where the labels and figures stand in a text, if each stands there once."""
    items = [
        _Item(token.start, _NAME, label.text)
        for label in labels
        for token in tokens
        if token.stem == label.stem and (token.capital or not label.named)
    ]
    items += [_Item(t.start, _FIGURE, t.word) for t in tokens if t.word in figures]
    return items if len({item.key for item in items}) == len(items) == 2 * _PAIR else []


def _pairs(items: Sequence[_Item], text: str) -> _Pairs:
    """Which label has which figure, none if their order and the commas do not tell."""
    ordered = sorted(items)
    order = "".join(item.kind for item in ordered)
    if order in _MIRRORED and _PAUSE.search(text, ordered[1].start, ordered[2].start):
        ordered = [*ordered[:2], ordered[3], ordered[2]]
    elif order not in _ORDERS:
        return frozenset()
    names = [item.key for item in ordered if item.kind == _NAME]
    figures = [item.key for item in ordered if item.kind == _FIGURE]
    return frozenset(zip(names, figures, strict=True))


def _shown(pairs: _Pairs) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in sorted(pairs))
