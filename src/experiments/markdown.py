"""An analysis in sentences and tables, and all of it as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..base.printable import counted
from ..report.html.model import Table
from ..report.wording import render_markdown
from .analysis import Analysis, Compared, Failure, ItemPair
from .statistics.comparison import Comparison, Concluded, IntervalMethod
from .statistics.paired import Method


def basis(analysis: Analysis) -> Iterator[str]:
    """The basis of the conclusion, a sentence for each treatment on the primary metric."""
    for one in analysis.declared:
        if one.primary and one.concluded is not None:
            yield _describe_basis(one, one.concluded, analysis)


def _describe_basis(one: Compared, concluded: Concluded, analysis: Analysis) -> str:
    found = concluded.comparison
    level = 100 * (1 - found.design.alpha)
    said = (
        f"{one.treatment} is {concluded.conclusion.value}: {one.metric} "
        f"({found.metric.direction.value} is better) went from {found.control.mean:.3f} to "
        f"{found.treatment.mean:.3f}, a difference of {found.difference:+.3f} with the {level:g} % "
        f"interval {found.interval.low:+.3f} to {found.interval.high:+.3f} "
        f"({_INTERVALS[found.interval_method]}). {_TESTS[found.test.method]}: "
        f"p = {found.test.p:.4f}"
    )
    if analysis.design.family > 1:
        said += (
            f", and {concluded.adjusted_p:.4f} adjusted by Holm for the {analysis.design.family} "
            "treatments"
        )
    same = found.items - found.higher - found.lower
    return (
        f"{said}. Wilcoxon's signed-rank test, which decides nothing: p = {found.wilcoxon.p:.4f}. "
        f"{_describe_margin(found)}The level is {found.design.alpha:g}. Of {found.items} items "
        f"{found.higher} rose, {found.lower} fell and {same} stayed the same"
    )


def _describe_margin(found: Comparison) -> str:
    """Whether the difference was shown to be too small to matter; "" without a margin."""
    margin, held = found.metric.margin, found.equivalence
    if margin is None or held is None:
        return ""
    inside = "inside" if -margin < held.low and held.high < margin else "not inside"
    level = 100 * (1 - 2 * found.design.alpha / found.design.family)
    return (
        f"The {level:.4g} % interval, {held.low:+.3f} to {held.high:+.3f}, is {inside} the margin "
        f"of {margin:g}. "
    )


_INTERVALS: Mapping[IntervalMethod, str] = {
    IntervalMethod.NEWCOMBE: "Newcombe's",
    IntervalMethod.CLUSTER_BOOTSTRAP: "cluster bootstrap",
}
_TESTS: Mapping[Method, str] = {
    Method.MCNEMAR_EXACT: "Exact McNemar test",
    Method.SIGN_FLIP_EXACT: "Permutation test of all signs",
    Method.SIGN_FLIP_DRAWN: "Permutation test of drawn signs",
    Method.WILCOXON_EXACT: "Wilcoxon's signed-rank test",
    Method.WILCOXON_NORMAL: "Wilcoxon's signed-rank test",
}
_FAILED = ("trial failed and counts as a failure", "trials failed and count as failures")


def exceptions(found: Iterable[Compared]) -> Iterator[str]:
    """Sentences on comparisons not made, items left out, and failures counted."""
    for one in found:
        name = f"{one.metric} of {one.treatment}"
        if one.why_not:
            yield f"{name} was not compared: {one.why_not}"
        if one.left_out:
            some = "1 item is" if one.left_out == 1 else f"{one.left_out} items are"
            whom = "it" if one.left_out == 1 else "them"
            yield f"{name}: {some} left out, as the metric does not apply to {whom}"
        if one.counted:
            yield f"{name}: {counted(one.counted, *_FAILED)}"


def slice_exceptions(analysis: Analysis) -> Iterator[str]:
    """The same for each slice."""
    for one in analysis.slices:
        for said in exceptions([one]):
            yield f"{one.slice}: {said}"


def powers(analysis: Analysis) -> Iterator[str]:
    """The power of each declared comparison, and the items that its margin needs."""
    for one in analysis.declared:
        if one.concluded is not None:
            yield f"{one.metric} of {one.treatment}: {_describe_power(one.concluded.comparison)}"


def _describe_power(found: Comparison) -> str:
    design = found.design
    at = f"with power {design.power:g} at the level {design.alpha:g}"
    if found.detectable is None:
        text = f"no difference can be detected {at} on {found.items} such items"
    else:
        text = (
            f"{found.items} such items detect a difference of {found.detectable:.3f} or more {at}"
        )
    margin = found.metric.margin
    if margin is None:
        return f"{text}; no margin was declared"
    if found.needed is None:
        return f"{text}; how many would detect the margin of {margin:g} cannot be said"
    if found.needed <= found.items:
        return f"{text}; for the margin of {margin:g} they are enough"
    return f"{text}; the margin of {margin:g} needs about {found.needed:,}"


def describe_looks(analysis: Analysis) -> str:
    """How far the looks of an experiment have come that has taken some."""
    last = analysis.looks[-1]
    where = f"look {last.number} of {last.of}, on {last.items} of {analysis.items} items"
    if last.stops:
        return (
            f"the experiment stopped early at {where}; all comparisons are of these items, at the "
            "level of this look"
        )
    return f"the experiment did not stop early; the last was {where}"


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
    caption = f"Looks: {describe_looks(analysis)}" if analysis.looks else ""
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


def markdown(analysis: Analysis) -> str:
    """The report: arms, declared metrics, slices, and the items on which arms differ."""
    return render_markdown(
        "experiment.md.jinja",
        Path(__file__).parent,
        analysis=analysis,
        arm_table=arm_table,
        basis=basis,
        compared_table=compared_table,
        describe_looks=describe_looks,
        exceptions=exceptions,
        failure_table=failure_table,
        flips=[(*_pair(one), one.baseline_run, one.treatment_run) for one in analysis.flips],
        look_table=look_table,
        pairs=[_pair(one) for one in analysis.pairs],
        powers=powers,
        slice_exceptions=slice_exceptions,
    )


def _pair(one: ItemPair) -> tuple[str, ...]:
    return one.item, one.treatment, f"{one.baseline_value:g}", f"{one.treatment_value:g}"
