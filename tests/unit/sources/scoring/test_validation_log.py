from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime

import structlog
from foureyes.datatypes import (
    Appraisal,
    Gap,
    GapType,
    PageFeatures,
    RatedSource,
    ScoringInput,
    Source,
    SourceState,
)
from foureyes.sources.scoring.appraisal import log_validation
from foureyes.sources.scoring.rules import ScoringRegistry
from foureyes.sources.scoring.score import score_source

AS_OF = date(2026, 2, 3)
AT = datetime(2026, 2, 3, 10, 30, 5, tzinfo=UTC)
GAPS = (
    Gap(GapType.MISSING_OFFICIAL_DOCS, "t", "s"),
    Gap(GapType.INSUFFICIENT_COVERAGE, "t", "s"),
)


def appraisal(sources: Sequence[ScoringInput], registry: ScoringRegistry, *gaps: Gap) -> Appraisal:
    rated = (
        RatedSource(
            Source(given.url, SourceState.OK, ""), given, score_source(given, registry, as_of=AS_OF)
        )
        for given in sources
    )
    return Appraisal(AS_OF, "", tuple(rated), gaps)


def test_the_line_and_the_event_say_the_same(registry: ScoringRegistry) -> None:
    sources = [
        ScoringInput("https://kubernetes.io/docs/", features=PageFeatures()),
        ScoringInput("https://medium.com/@a/b", published=AS_OF, features=PageFeatures()),
    ]
    with structlog.testing.capture_logs() as events:
        line = log_validation(appraisal(sources, registry, *GAPS), 1.239, AT)
    assert line == (
        "[2026-02-03T10:30:05Z] WEB-RESEARCH-VALIDATION | sources=2 | avg_score=54.5"
        " | gaps=[missing_official_docs,insufficient_coverage] | time=1.24s | conflicts=2"
    )
    assert events == [
        {
            "event": "WEB-RESEARCH-VALIDATION",
            "log_level": "info",
            "sources": 2,
            "avg_score": 54.5,
            "gaps": ["missing_official_docs", "insufficient_coverage"],
            "time": 1.24,
            "conflicts": 2,
        }
    ]


def test_without_a_source_there_is_no_mean(registry: ScoringRegistry) -> None:
    line = log_validation(appraisal([], registry), 0.0, AT)
    assert re.fullmatch(
        r"\[\S+Z\] WEB-RESEARCH-VALIDATION \| sources=0 \| avg_score=n/a \| gaps=\[\]"
        r" \| time=0\.00s \| conflicts=0",
        line,
    )
