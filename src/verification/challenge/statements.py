"""A statement that stands in no document, made ready to be laid over a source."""

from __future__ import annotations

from ...base.finding import Location
from ...base.vocabulary import ClaimKind
from ...claims.lexicon import Lexicon
from ...claims.model import Claim, ClaimCategory
from ...claims.quantity.quantities import find_slots

_NOWHERE = Location(1, 1, 0, 0)


def statement(text: str, lexicon: Lexicon) -> Claim:
    """`text` as a claim without a place, a citation or an id."""
    quantities, dates = find_slots(text, lexicon)
    return Claim(
        "",
        text,
        _NOWHERE,
        0,
        ClaimKind.NAMED_ENTITY,
        ClaimCategory.GENERAL,
        quantities=quantities,
        dates=dates,
    )
