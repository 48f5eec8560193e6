"""A critique by code, in words for an agent."""

from __future__ import annotations

from ..verification.quality.critique import Critique


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
