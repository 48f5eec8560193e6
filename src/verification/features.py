"""The signals of a claim and a source as numbers, which the fitted decision weighs.

Each feature has a name that a reason can be printed with. Those in `READ` need a reader; without
one the decision uses weights that were fitted without them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from ..base.vocabulary import CitationState
from ..claims.model import Claim
from .exact.edits import shared_order
from .exact.figures import FigureCheck
from .model import SlotOutcome
from .passages.figures import Figure
from .passages.retrieval import SourceText, render, terms
from .reader.model import StanceScores
from .signals import Signals

_SMALLEST = 1e-5
_SILENT = StanceScores(0.01, 0.01, 0.98)
_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][\w’'-]+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nobody)\b|n['’]t\b", re.I
)

READ: Mapping[str, str] = {
    "support_first": "the passage most about the claim supports it",
    "contradiction_first": "the passage most about the claim contradicts it",
    "support_decided": "the most decided passage supports it",
    "contradiction_decided": "the most decided passage contradicts it",
    "support_best": "some passage supports it",
    "contradiction_best": "some passage contradicts it",
}
EXACT: Mapping[str, str] = {
    "has_figures": "it states figures",
    "figures_missing": "figures are not found in the best passages",
    "words_missing": "numbers in words are not found in the best passages",
    "figures_nowhere": "figures stand nowhere in the source",
    "digits_nowhere": "a number in digits stands nowhere in the source that it cites",
    "unit_differs": "a figure stands in the source with another unit or scale",
    "one_figure_differs": "one figure differs and the others are found",
    "all_printed": "every figure is printed",
    "derived": "a figure follows from others of the source",
    "quotation_altered": "quoted words are not those of the source",
    "quotation_exact": "quoted words stand in the source",
    "identifier_missing": "an identifier is not in the source",
    "other_row": "figures stand in another row of the table",
    "bound_elsewhere": "the words beside a figure stand beside another one in the source",
    "edited": "one slot of a sentence of the source differs",
    "verbatim": "the sentence stands in the source",
    "coverage": "share of its words in the best passages",
    "near_copy": "share of its words in the order of the source",
    "names_missing": "share of its names that the source lacks",
    "negation_differs": "one of the two is negated",
    "short_claim": "it is short",
    "carried": "its citation stands further above",
}


def features(claim: Claim, signals: Signals, source: SourceText) -> dict[str, float]:
    """The features of one claim and one source; those in `READ` only if passages were read.

    A source without a passage on the claim counts as read, and as silent.
    """
    found = _exact(claim, signals, source)
    scores = [passage.scores for passage in signals.passages if passage.scores is not None]
    if signals.passages and not scores:
        return found
    return {**_read(scores or [_SILENT]), **found}


def _read(scores: Sequence[StanceScores]) -> dict[str, float]:
    decided = max(scores, key=lambda one: max(one.supports, one.contradicts))
    best = max(scores, key=lambda one: one.supports)
    worst = max(scores, key=lambda one: one.contradicts)
    return {
        "support_first": _odds(scores[0].supports, scores[0].neutral),
        "contradiction_first": _odds(scores[0].contradicts, scores[0].neutral),
        "support_decided": _odds(decided.supports, decided.neutral),
        "contradiction_decided": _odds(decided.contradicts, decided.neutral),
        "support_best": _odds(best.supports, 1 - best.supports),
        "contradiction_best": _odds(worst.contradicts, 1 - worst.contradicts),
    }


def _odds(one: float, other: float) -> float:
    return math.log(max(one, _SMALLEST) / max(other, _SMALLEST))


def _exact(claim: Claim, signals: Signals, source: SourceText) -> dict[str, float]:
    figures = signals.figures
    direct = claim.citation_state is CitationState.DIRECT
    missing = [check for check in figures if not check.is_found]
    rivals = [check for check in missing if check.outcome is SlotOutcome.MISMATCH]
    outcomes = [check.outcome for check in signals.quotations]
    held = render(signals.units)
    order = max((shared_order(claim.text, unit.text) for unit in signals.units), default=0.0)
    return {
        "has_figures": float(bool(figures)),
        "figures_missing": min(3.0, sum(_has_digit(check.value) for check in missing)),
        "words_missing": min(3.0, sum(not _has_digit(check.value) for check in missing)),
        "figures_nowhere": min(3.0, sum(map(_has_digit, signals.nowhere))),
        "digits_nowhere": float(direct and any(_has_digit(one) for one in signals.nowhere)),
        "unit_differs": float(signals.other_unit),
        "one_figure_differs": float(len(missing) == 1 and len(rivals) == 1),
        "all_printed": float(bool(figures) and all(check.is_printed for check in figures)),
        "derived": max((_sureness(check) for check in figures), default=0.0),
        "quotation_altered": float(any(one is not SlotOutcome.MATCH for one in outcomes)),
        "quotation_exact": float(bool(outcomes) and all(o is SlotOutcome.MATCH for o in outcomes)),
        "identifier_missing": float(bool(signals.identifiers)),
        "other_row": signals.other_rows,
        "bound_elsewhere": signals.misbinding,
        "edited": float(signals.edit is not None),
        "verbatim": float(signals.verbatim is not None),
        "coverage": _coverage(claim.text, held),
        "near_copy": order,
        "names_missing": _names_missing(claim.text, source.stated),
        "negation_differs": float(is_negated(claim.text) is not is_negated(held)),
        "short_claim": float(len(claim.text.split()) < 8),
        "carried": float(claim.citation_state is CitationState.CARRIED),
    }


def _has_digit(value: Figure) -> bool:
    return any(map(str.isdigit, value.text))


def _sureness(check: FigureCheck) -> float:
    """How surely (0-1) a figure that is not printed follows from others."""
    return 1 - check.derivation.chance if check.derivation else 0.0


def is_negated(text: str) -> bool:
    """Whether a word of `text` negates."""
    return bool(_NEGATION.search(text))


def _coverage(claim: str, text: str) -> float:
    wanted = set(terms(claim))
    return len(wanted & set(terms(text))) / len(wanted) if wanted else 0.0


def _names_missing(claim: str, text: str) -> float:
    names = {name.lower() for name in _NAME.findall(claim)}
    known = text.lower()
    return sum(name not in known for name in names) / len(names) if names else 0.0
