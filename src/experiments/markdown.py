"""An analysis as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.markdown import cell, inline
from .analysis import Analysis, Failure
from .sentences import (
    LOOK_HEADINGS,
    basis,
    describe_looks,
    exceptions,
    format_expense,
    frontier_sentences,
    look_rows,
    powers,
    slice_exceptions,
)
from .treatments import Compared, ItemPair

HEADINGS = ("metric", "baseline", "treatment", "difference", "interval", "p", "adjusted p",
            "detectable", "conclusion")  # fmt: skip


def markdown(analysis: Analysis) -> str:
    """The report: arms, declared metrics, slices, and the items on which arms differ."""
    lines = [
        f"# {cell(analysis.name)}",
        "",
        f"Conclusion: **{analysis.conclusion.value.upper()}**, against the baseline "
        f"{cell(analysis.baseline)}, on {analysis.complete} of {analysis.items} items.",
    ]
    if analysis.note:
        lines += ["", f"Nothing more may be concluded yet: {cell(analysis.note)}."]
    lines += _list(basis(analysis))
    if analysis.looks:
        lines += ["", "## Looks", "", *_table(LOOK_HEADINGS, look_rows(analysis))]
        lines += _list([describe_looks(analysis)])
    lines += ["", "## Arms", ""]
    lines += _table(ARM_HEADINGS, arm_rows(analysis))
    if analysis.failures:
        lines += ["", "## Trials that did not finish", ""]
        lines += _table(FAILURE_HEADINGS, failure_rows(analysis.failures))
    lines += ["", "## Declared metrics", ""]
    lines += _table(("treatment", *HEADINGS), compared_rows(analysis.declared))
    lines += _list(exceptions(analysis.declared))
    lines += ["", "## Power", *_list(powers(analysis))]
    lines += ["", "## Cost and quality", *_list(frontier_sentences(analysis.frontier))]
    if analysis.frontier is not None:
        lines += ["", *_table(POINT_HEADINGS, point_rows(analysis))]
    if analysis.slices:
        lines += ["", "## Slices", "", "Hints for the next experiment, no more.", ""]
        lines += _table(("treatment", *HEADINGS), compared_rows(analysis.slices))
        lines += _list(slice_exceptions(analysis))
    if analysis.flips:
        lines += ["", "## Items that differ on the primary metric", ""]
        lines += _table(
            ("item", "treatment", "baseline", "with it", "run of the baseline", "run with it"),
            [
                (
                    one.item,
                    one.treatment,
                    f"{one.baseline_value:g}",
                    f"{one.treatment_value:g}",
                    one.baseline_run,
                    one.treatment_run,
                )
                for one in analysis.flips
            ],
        )
    if analysis.pairs:
        lines += ["", "## All items on the primary metric", ""]
        lines += _table(("item", "treatment", "baseline", "with it"), map(_pair, analysis.pairs))
    return "\n".join(lines) + "\n"


def _pair(one: ItemPair) -> tuple[str, ...]:
    return one.item, one.treatment, f"{one.baseline_value:g}", f"{one.treatment_value:g}"


ARM_HEADINGS = ("arm", "finished", "inconclusive", "errors", "missing", "cost", "tokens", "seconds")


def arm_rows(analysis: Analysis) -> list[tuple[str, ...]]:
    """A row an arm."""
    return [
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
    ]


FAILURE_HEADINGS = ("arm", "trials", "end", "reason")


def failure_rows(found: Iterable[Failure]) -> list[tuple[str, ...]]:
    """A row a reason."""
    return [(one.arm, str(one.trials), one.outcome.value, one.reason) for one in found]


POINT_HEADINGS = ("arm", "primary metric", "expense of a trial", "on the front")


def point_rows(analysis: Analysis) -> list[tuple[str, ...]]:
    """A row an arm of the frontier, if there is one."""
    found = analysis.frontier
    if found is None:
        return []
    return [
        (
            one.arm,
            f"{one.value:.3f}",
            format_expense(found.expense, one.expense),
            "yes" if one.front else "no",
        )
        for one in found.points
    ]


def compared_rows(found: Iterable[Compared]) -> list[tuple[str, ...]]:
    """A row a comparison, its treatment first."""
    return [(one.treatment, *_row(one)) for one in found]


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


def _list(sentences: Iterable[str]) -> list[str]:
    """A list of what is said, set off; nothing for nothing."""
    lines = [f"- {inline(said)}." for said in sentences]
    return ["", *lines] if lines else []


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cells)} |"

    return [
        line(headings),
        line("---" for _ in headings),
        *(line(map(cell, row)) for row in rows),
    ]
