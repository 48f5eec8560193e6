"""The signals of a claim and a source as numbers, which the fitted decision weighs.

Their names are those of `decide.READ`, which need a reader, and of `decide.EXACT`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..base.vocabulary import CitationState
from ..claims.model import Claim
from .model import SlotOutcome
from .passages.figures import Figure
from .passages.retrieval import render, terms
from .reader.model import StanceScores
from .signals import Signals

_SMALLEST = 1e-5
_SILENT = StanceScores(0.01, 0.01, 0.98)


def features(claim: Claim, signals: Signals) -> dict[str, float]:
    """The features of one claim and one source; those of `READ` only if passages were read.

    A source without a passage on the claim counts as read, and as silent.
    """
    found = _exact(claim, signals)
    scores = [passage.scores for passage in signals.passages if passage.scores is not None]
    if signals.passages and not scores:
        return found
    page = signals.page.scores if signals.page else None
    return {**_read(scores or [_SILENT], page or _SILENT), **found}


def _read(scores: Sequence[StanceScores], page: StanceScores) -> dict[str, float]:
    decided = max(scores, key=lambda one: max(one.supports, one.contradicts))
    best = max(scores, key=lambda one: one.supports)
    worst = max(scores, key=lambda one: one.contradicts)
    return {
        "support_first": _odds(scores[0].supports, scores[0].neutral),
        "contradiction_first": _odds(scores[0].contradicts, scores[0].neutral),
        "support_decided": _odds(decided.supports, decided.neutral),
        "contradiction_decided": _odds(decided.contradicts, decided.neutral),
        "support_best": _odds(best.supports, 1 - best.supports),
        "support_page": _odds(page.supports, 1 - page.supports),
        "contradiction_page": _odds(page.contradicts, 1 - page.contradicts),
        "contradiction_best": _odds(worst.contradicts, 1 - worst.contradicts),
    }


def _odds(one: float, other: float) -> float:
    return math.log(max(one, _SMALLEST) / max(other, _SMALLEST))


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
