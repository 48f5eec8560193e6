"""The log line after the sources of a run were scored, to measure scoring over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog

from .gaps import Gap, GapType
from .model import SourceScore

EVENT = "WEB-RESEARCH-VALIDATION"


@dataclass(frozen=True, slots=True)
class ValidationRun:
    """The figures of one run: means are None without a source; `seconds` is wall time."""

    sources: int
    average: float | None
    part_averages: tuple[tuple[str, float], ...]
    gaps: tuple[GapType, ...]
    seconds: float
    conflicts: int


def validation_run(
    scores: Sequence[SourceScore], gaps: Sequence[Gap], *, seconds: float
) -> ValidationRun:
    """The figures of a run over `scores` that found `gaps`."""
    count = len(scores)
    names = tuple(scores[0].parts) if scores else ()
    return ValidationRun(
        count,
        sum(score.total for score in scores) / count if count else None,
        tuple((name, sum(s.parts[name].points for s in scores) / count) for name in names),
        tuple(gap.type for gap in gaps),
        seconds,
        sum(1 for score in scores if score.conflict),
    )


def validation_line(run: ValidationRun, at: datetime) -> str:
    """The line of `run`: a time in UTC, then fields between bars; ``n/a`` without a source."""
    stamp = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    average = "n/a" if run.average is None else f"{run.average:.1f}"
    return (
        f"[{stamp}] {EVENT} | sources={run.sources} | avg_score={average}"
        f" | gaps=[{','.join(run.gaps)}] | time={run.seconds:.2f}s | conflicts={run.conflicts}"
    )


def log_validation(run: ValidationRun, at: datetime) -> str:
    """Log `run` through structlog, with the mean of each part; return its line for a file."""
    log = structlog.get_logger()
    log.info(
        EVENT,
        sources=run.sources,
        avg_score=None if run.average is None else round(run.average, 1),
        gaps=[str(gap) for gap in run.gaps],
        time=round(run.seconds, 2),
        conflicts=run.conflicts,
        **{f"avg_{name}": round(points, 1) for name, points in run.part_averages},
    )
    return validation_line(run, at)
