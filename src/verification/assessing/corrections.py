"""Correction of a claim: the source's own words replace the one part that is proved wrong.

No other part is corrected (decision 42). The author decides about a part that only the reader finds
wrong.
"""

from __future__ import annotations

from ...base.vocabulary import Correction
from ...claims.model import Claim
from ..exact.quotations import QuoteCheck
from ..judge import Judgement
from ..model import SlotKind, SlotOutcome
from ..passages.retrieval import SourceText

_STOPS = tuple(".!?")


def correction(claim: Claim, judgement: Judgement, source: SourceText) -> Correction | None:
    """The replacement that settles a proved contradiction; None if another part is open.

    Its offsets are offsets into the document.
    """
    if judgement.quote is not None:
        return _of_quotation(claim, judgement, judgement.quote, source)
    edit = judgement.edit
    open_ = [slot for slot in judgement.slots if slot.outcome is SlotOutcome.ABSENT]
    if edit is None or open_:
        return None
    return Correction(*claim.source_span(edit.claim_start, edit.claim_end), edit.found)


def _of_quotation(
    claim: Claim, judgement: Judgement, check: QuoteCheck, source: SourceText
) -> Correction | None:
    altered = [
        slot
        for slot in judgement.slots
        if slot.kind is SlotKind.QUOTE and slot.outcome is not SlotOutcome.MATCH
    ]
    if len(altered) != 1:
        return None
    words = " ".join(source.text[check.start : check.end].split()).rstrip(",;")
    if check.quote.text[-1:] in _STOPS and words[-1:] not in _STOPS:
        words += check.quote.text[-1]
    return Correction(*claim.source_span(check.quote.start, check.quote.end), words)
