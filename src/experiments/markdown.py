"""An analysis in sentences and tables, and all of it as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..report.html.model import Table
from ..report.wording import render_markdown
from .analysis import Analysis, Compared, Failure, ItemPair

_HERE = Path(__file__).parent


def _in_one_line(shown: Any) -> Any:
    """A line is a sentence, whatever the names of arms and metrics have in them."""
    return " ".join(shown.splitlines()) if isinstance(shown, str) else shown


@cache
def _sentences() -> Any:
    """The macros of `sentences.jinja`: text that is made safe where it is shown."""
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_in_one_line,
    )
    return environment.get_template("sentences.jinja").module


def said(macro: str, about: object) -> list[str]:
    """The sentences of a macro of `sentences.jinja` about an analysis, or comparisons of it."""
    lines: str = getattr(_sentences(), macro)(about)
    return [line for line in lines.splitlines() if line.strip()]


def look_table(analysis: Analysis) -> Table:
    """A row for each treatment at each look."""
    columns = ("look", "fraction", "items", "level", "treatment", "p", "adjusted p",
               "difference", "decision")  # fmt: skip
    rows = (
        (
            f"{look.number} of {look.of}",
            f"{look.fraction:.3f}",
            str(look.items),
            f"{look.level:.3g}",
            one.treatment,
            "" if one.p is None else f"{one.p:.3g}",
            "" if one.adjusted_p is None else f"{one.adjusted_p:.3g}",
            "" if one.difference is None else f"{one.difference:+.3f}",
            one.conclusion.value,
        )
        for look in analysis.looks
        for one in look.decisions
    )
    caption = f"Looks: {said('looks', analysis)[0]}"
    return Table(columns, tuple(rows), caption=caption, texts=frozenset({0, 4, 8}))


def arm_table(analysis: Analysis) -> Table:
    """A row for each arm."""
    columns = ("arm", "finished", "inconclusive", "errors", "missing", "cost", "tokens", "seconds")
    rows = (
        (
            one.arm,
            str(one.finished),
            str(one.inconclusive),
            str(one.errors),
            str(one.missing),
            "unknown" if one.cost_usd is None else f"${one.cost_usd:.2f}",
            f"{one.tokens:,}",
            f"{one.seconds:.1f}",
        )
        for one in analysis.arms
    )
    return Table(columns, tuple(rows), caption="How the trials of each arm ended, and their use")


def failure_table(found: Iterable[Failure]) -> Table:
    """A row for each reason."""
    rows = ((one.arm, str(one.trials), one.outcome.value, one.reason) for one in found)
    columns = ("arm", "trials", "end", "reason")
    caption = "Trials that did not finish"
    return Table(columns, tuple(rows), caption=caption, texts=frozenset({0, 2, 3}))


def compared_table(found: Iterable[Compared], caption: str) -> Table:
    """A row for each comparison."""
    columns = ("treatment", "metric", "baseline", "treatment", "difference", "interval", "p",
               "adjusted p", "detectable", "conclusion")  # fmt: skip
    rows = tuple((one.treatment, *_row(one)) for one in found)
    return Table(columns, rows, caption=caption, texts=frozenset({0, 1, 9}))


def _row(one: Compared) -> tuple[str, ...]:
    name = f"{one.metric} (primary)" if one.primary else one.metric
    name = f"{name}, {one.slice}" if one.slice else name
    if one.concluded is None:
        return (name, *[""] * 7, "not compared")
    comparison = one.concluded.comparison
    detectable = comparison.detectable
    return (
        name,
        f"{comparison.control.mean:.3f}",
        f"{comparison.treatment.mean:.3f}",
        f"{comparison.difference:+.3f}",
        f"{comparison.interval.low:.3f} to {comparison.interval.high:.3f}",
        f"{comparison.test.p:.4f}",
        f"{one.concluded.adjusted_p:.4f}",
        "none" if detectable is None else f"{detectable:.3f}",
        one.concluded.conclusion.value,
    )


class ShownAnalysis:
    """An analysis in the words and tables of its Markdown and its page."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.basis = said("basis", analysis)
        self.exceptions = said("exceptions", analysis.declared)
        self.arms = arm_table(analysis)
        self.failures = failure_table(analysis.failures) if analysis.failures else None
        self.looks = look_table(analysis) if analysis.looks else None
        self.looks_line = said("looks", analysis)[0] if analysis.looks else ""
        caption = "Every treatment on every declared metric; p-values adjusted by Holm"
        self.declared = compared_table(analysis.declared, caption)
        caption = "Every treatment on the primary metric, slice by slice"
        self.slices = compared_table(analysis.slices, caption) if analysis.slices else None
        self.slice_exceptions = [
            f"{one.slice}: {line}" for one in analysis.slices for line in said("exceptions", [one])
        ]
        self.powers = said("powers", analysis)


def markdown(analysis: Analysis) -> str:
    """The report: arms, declared metrics, slices, and the items on which arms differ."""
    return render_markdown(
        "experiment.md.jinja",
        _HERE,
        report=ShownAnalysis(analysis),
        analysis=analysis,
        flips=[(*_pair(one), one.baseline_run, one.treatment_run) for one in analysis.flips],
        pairs=[_pair(one) for one in analysis.pairs],
    )


def _pair(one: ItemPair) -> tuple[str, ...]:
    return one.item, one.treatment, f"{one.baseline_value:g}", f"{one.treatment_value:g}"
