"""Whether a source that a claim does not cite contradicts it, or is merely worded otherwise."""

from __future__ import annotations

from ..claims.words import Token, WordBook
from ..verification.assessing.elsewhere import Elsewhere
from ..verification.model import SlotCheck, SlotKind, SlotOutcome

_VALUES = (SlotKind.NUMBER, SlotKind.DATE, SlotKind.QUOTE)
_CELLS = "|"


def differs_in_value(says: Elsewhere, book: WordBook) -> bool:
    """Whether the source that is `against` a claim has another figure, date, name or the contrary.

    Of a source that the claim cites another word in the same sentence is a change of it. Any other
    source has sentences of its own, in which another word is nothing more.
    """
    if says.against is None:
        return False
    differing = [slot for slot in says.slots if slot.outcome is SlotOutcome.MISMATCH]
    return any(_is_value(slot, says.against.quote, book) for slot in differing)


def _is_value(slot: SlotCheck, quote: str, book: WordBook) -> bool:
    if slot.kind in _VALUES or any(map(str.isdigit, slot.claimed + slot.found)):
        return True
    claimed, found = book.tokens(slot.claimed), book.tokens(slot.found)
    if not claimed:
        # A cell may say "no" of one column alone.
        return _CELLS not in quote
    return (
        not found
        or any(token.word in book.guards for token in (*claimed, *found))
        or (_names(claimed) and _names(found))
        or any(other.stem in book.opposites.get(one.stem, ()) for one in claimed for other in found)
    )


def _names(tokens: list[Token]) -> bool:
    return any(token.capital for token in tokens)
