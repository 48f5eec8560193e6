"""The signals of a claim and a source as numbers, which the fitted decision weighs.

Their names are those of `decide.READ`, which need a reader, and of `decide.EXACT`.
"""

from __future__ import annotations

import math

from ..base.vocabulary import CitationState
from ..claims.model import Claim
from .model import SlotOutcome
from .passages.figures import Figure
from .passages.retrieval import render
from .passages.terms import terms
from .reader.model import StanceScores
from .signals import Signals

_SMALLEST = 1e-5
_SILENT = StanceScores(0.01, 0.01, 0.98)


def features(claim: Claim, signals: Signals) -> dict[str, float]:
    """The features of one claim and one source; those of `READ` only if passages were read.

    A source without a passage on the claim counts as read, and as silent.
    """
    found = _exact(claim, signals)
    scores = signals.scores if signals.passage else _SILENT
    if scores is None:
        return found
    read = {"support": _odds(scores.supports), "contradiction": _odds(scores.contradicts)}
    return {**read, **found}


def _odds(share: float) -> float:
    return math.log(max(share, _SMALLEST) / max(1 - share, _SMALLEST))


def _exact(claim: Claim, signals: Signals) -> dict[str, float]:
    direct = claim.citation_state is CitationState.DIRECT
    missing = [check for check in signals.figures if not check.is_found]
    rivals = [check for check in missing if check.outcome is SlotOutcome.MISMATCH]
    outcomes = [check.outcome for check in signals.quotations]
    return {
        "digits_nowhere": float(direct and any(_has_digit(one) for one in signals.nowhere)),
        "unit_differs": float(signals.other_unit),
        "one_figure_differs": float(len(missing) == 1 and len(rivals) == 1),
        "quotation_altered": float(any(one is not SlotOutcome.MATCH for one in outcomes)),
        "other_row": signals.other_rows,
        "bound_elsewhere": signals.misbinding,
        "by_accident": max(
            (check.derivation.chance for check in signals.figures if check.derivation), default=0.0
        ),
        "row_stated": float(signals.row_stated),
        "coverage": _coverage(claim.text, render(signals.units)),
        "short_claim": float(len(claim.text.split()) < 8),
        "carried": float(claim.citation_state is CitationState.CARRIED),
    }


def _has_digit(value: Figure) -> bool:
    return any(map(str.isdigit, value.text))


def _coverage(claim: str, text: str) -> float:
    wanted = set(terms(claim))
    return len(wanted & set(terms(text))) / len(wanted) if wanted else 0.0
