"""Severities, strictness and critique in words for an agent."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.counting import counted
from ..base.vocabulary import Severity, Strictness
from ..core.critique import Critique
from ..verification.severity import SeverityPolicy


def definitions(policy: SeverityPolicy) -> str:
    """The meaning of each severity in the registry, as a Markdown list."""
    meanings: dict[Severity, list[str]] = {severity: [] for severity in Severity}
    for severity, meaning in _meanings(policy):
        meanings[severity].append(meaning)
    return "\n".join(
        f"- **{severity}**: {'; '.join(found)}." for severity, found in meanings.items() if found
    )


def strictness_rule(policy: SeverityPolicy, strictness: Strictness) -> str:
    """Which issues reject, as a sentence."""
    rule = policy.strictness[strictness]
    severe = f"{counted(rule.high, 'issue')} of severity high or critical"
    if rule.medium is None:
        return f"the document is rejected at {severe}; medium and low issues never reject."
    medium = f"{rule.medium} of severity medium"
    return f"the document is rejected at {severe}, or at {medium}; low issues never reject."


def _meanings(policy: SeverityPolicy) -> Iterator[tuple[Severity, str]]:
    for category, issue in policy.unsourced.items():
        yield issue.severity, f"{_UNSOURCED[category]} without any source"
    yield policy.own_estimate, "an estimate that is called one and states its basis"
    yield policy.verified_false, "a claim that its source contradicts"
    yield policy.altered_quote, "quoted words that are not in the source"
    numbers = policy.numeric_error
    yield (
        numbers.small.severity,
        f"a number less than {numbers.small.below:.0%} off the source's "
        f"({numbers.load_bearing} if the argument rests on it)",
    )
    yield (
        numbers.medium.severity,
        f"a number {numbers.small.below:.0%} to {numbers.medium.upto:.0%} off",
    )
    yield numbers.large, f"a number more than {numbers.medium.upto:.0%} off"
    states: dict[Severity, list[str]] = {}
    for state, issue in policy.source_states.items():
        states.setdefault(issue.severity, []).append(state.value.replace("_", " "))
    for severity, names in states.items():
        yield (
            severity,
            f"the only source is {', '.join(names[:-1] or names)}"
            + (f" or {names[-1]}" if len(names) > 1 else ""),
        )
    yield (
        policy.unverifiable,
        "a source that does not say what it is cited for "
        f"({policy.unverifiable_general} for a general statement)",
    )
    yield policy.incomplete_citation, "a citation that leads to no address"
    yield policy.outdated, "a statement about the present from a source that is too old"


_UNSOURCED = {
    "own_result": "a result of the author's own",
    "statistical": "a figure or statistic",
    "market": "a statement about a market or competitors",
    "company_metric": "a company's figure",
    "general": "a general statement",
}


def critique_lines(critique: Critique | None) -> tuple[str, ...]:
    """One line for each dimension: score, reason, and what would raise it; none without one."""
    if critique is None:
        return ()
    return tuple(
        f"{dimension.value.replace('_', ' ')} "
        f"{'not scored' if one.score is None else format(one.score, '.2f')}: {one.reason}"
        + (f"; remedy: {one.remediation_action}" if one.remediation_action else "")
        for dimension, one in critique.dimensions.items()
    )
