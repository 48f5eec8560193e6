"""The figures of a text: its quantities and dates, also those that give no year."""

from __future__ import annotations

from ...claims.lexicon import Lexicon
from ...claims.model import Claim, DateSpan, Quantity
from ...claims.quantity.quantities import find_slots
from ...claims.temporal.yearless import with_yearless

Figure = Quantity | DateSpan

MOST_FIGURES = 100
"""A unit with more is a list of data: each of them would be compared with each of the claim's."""


def find_figures(text: str, lexicon: Lexicon) -> tuple[Figure, ...]:
    """The quantities and dates of a text in order, at most `MOST_FIGURES`."""
    quantities, dates = with_yearless(text, *find_slots(text, lexicon), lexicon)
    found = sorted((*quantities, *dates), key=lambda value: value.start)
    return tuple(found[:MOST_FIGURES])


def claim_figures(claim: Claim, lexicon: Lexicon) -> tuple[Figure, ...]:
    """The figures that a source has to bear out: those outside quotations.

    A date counted from another day ("last year") is none: a source counts from a day of its own.
    """
    stated = tuple(one for one in claim.dates if not one.relative)
    quantities, dates = with_yearless(claim.text, claim.quantities, stated, lexicon)
    found = sorted((*quantities, *dates), key=lambda value: value.start)
    return tuple(
        value
        for value in found[:MOST_FIGURES]
        if not any(quote.start <= value.start < quote.end for quote in claim.quotes)
    )
