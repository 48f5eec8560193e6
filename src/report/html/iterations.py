"""The iterations of a run beside each other: what changed in the text, and which findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from typing import TypeAlias

from ...base.finding import Finding
from ...base.vocabulary import Severity
from ...core.outcome import IterationOutcome
from ...core.run_analytics import AnalyticsFile, IterationFigures
from ...core.run_store import IterationSummary, Manifest
from ..wording import spaced
from .model import VERDICTS, Label, Table, Tone

CONTEXT_LINES = 2
MAX_LINES = 20_000
"""Maximum number of lines compared: the time grows faster than the length."""
_MAX_WORDS = 2_000
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


Piece: TypeAlias = tuple[str, str]
"""A sign and words: "−" or "+" for words of the old or the new text alone, "" for those of both."""


@dataclass(frozen=True, slots=True)
class TextChanges:
    """Changed lines with those around them, in places; `untold` is why they are unknown."""

    places: tuple[tuple[Piece, ...], ...] = ()
    untold: str = ""


def text_changes(before: str, after: str) -> TextChanges:
    """The lines that differ with those around them; empty if none does."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if max(len(old), len(new)) > MAX_LINES:
        return TextChanges(untold=f"texts of more than {MAX_LINES:,} lines are not compared")
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES)
    return TextChanges(
        tuple(
            tuple(
                piece
                for _, i1, i2, j1, j2 in group
                for piece in _pieces("".join(old[i1:i2]), "".join(new[j1:j2]))
            )
            for group in groups
        )
    )


def _pieces(before: str, after: str) -> Iterator[Piece]:
    """Yield both texts as one, in pieces of words."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MAX_WORDS and before != after:
        old, new = [before], [after]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield "", "".join(old[i1:i2])
            continue
        if i1 < i2:
            yield "−", "".join(old[i1:i2])
        if j1 < j2:
            yield "+", "".join(new[j1:j2])


NEW = Label("new", "+", Tone.BAD)
RESOLVED = Label("resolved", "✓", Tone.GOOD)
RECURRING = Label("recurring", "↻", Tone.MIXED)


@dataclass(frozen=True, slots=True)
class IterationView:
    """An iteration: its number, findings new, recurring and resolved, and changes of the text.

    `text` is None for the first one.
    """

    number: int
    groups: tuple[tuple[Label, Sequence[Finding]], ...]
    text: TextChanges | None


def iteration_views(
    outcomes: Iterable[IterationOutcome], draft: Callable[[int], str]
) -> Iterator[IterationView]:
    """Yield the iterations that came to an end; `draft` gives the text of one."""
    before: Mapping[str, Finding] = {}
    text: str | None = None
    for outcome in outcomes:
        now = {finding.id: finding for finding in outcome.findings}
        last, text = text, draft(outcome.iteration)
        groups = (
            (NEW, [one for id_, one in now.items() if id_ not in before]),
            (RECURRING, [one for id_, one in now.items() if id_ in before]),
            (RESOLVED, [one for id_, one in before.items() if id_ not in now]),
        )
        yield IterationView(
            outcome.iteration,
            tuple(group for group in groups if group[1]),
            None if last is None else text_changes(last, text),
        )
        before = now


def iteration_table(manifest: Manifest, analytics: AnalyticsFile | None) -> Table | None:
    """One column for each iteration; None without any."""
    summaries = manifest.iterations
    if not summaries:
        return None
    figures = {one.iteration: one for one in analytics.iterations} if analytics else {}
    columns = [_figures(one, figures.get(one.iteration)) for one in summaries]
    names = dict.fromkeys(name for column in columns for name in column)
    return Table(
        ("", *(f"iteration {one.iteration}" for one in summaries)),
        tuple((name, *(column.get(name, "–") for column in columns)) for name in names),
        caption="The iterations in figures",
    )


def _figures(summary: IterationSummary, figures: IterationFigures | None) -> dict[str, str]:
    """The figures of an iteration by their names."""
    found = {f"vote of the {spaced(name)}": vote.value for name, vote in summary.votes.items()}
    found |= {f"vote of the {spaced(name)}": "failed" for name in summary.failures}
    if summary.gate is not None:
        found["gate"] = spaced(summary.gate)
    if figures is not None and figures.claims is not None:
        verdicts = figures.claims.verdicts
        found["claims"] = str(sum(verdicts.values()))
        found |= {
            f"claims {label.text}": str(verdicts[verdict])
            for verdict, label in VERDICTS.items()
            if verdicts.get(verdict)
        }
        found["claims verified beyond their citation"] = str(figures.metrics.verified_claim_count)
    found |= {f"findings {one}": str(summary.severities.get(one, 0)) for one in Severity}
    found |= {f"findings {name}": str(count) for name, count in asdict(summary.changes).items()}
    if figures is None:
        return found
    quality, cost, each = figures.quality_score, figures.cost_usd, figures.cost_per_verified_claim
    prices = {"cost so far": cost, "cost per verified claim": each}
    if quality is not None:
        found["quality"] = f"{quality:.2f}"
    return found | {name: f"${usd:.4f}" for name, usd in prices.items() if usd is not None}
