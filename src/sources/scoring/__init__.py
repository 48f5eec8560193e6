"""Sources to scores, tiers, gaps and citations, by rules alone.

registry = load_scoring()
given = scoring_input(source, text, registry.rules.features)
score = score_source(given, registry, as_of=date(2026, 2, 3), topic="pod scheduling")
score.total, score.tier, score.badge, score.mark, score.authority.reason, score.review
gaps = detect_gaps([score], registry.rules.gaps, as_of=date(2026, 2, 3))
"""

from .bibliography import bibtex, csl_json
from .citations import (
    CitationFormat,
    CitedSource,
    choose_format,
    citation_yaml,
    cited_source,
    footnote_mark,
    footnotes,
    inline_mark,
    reference_list,
    reference_numbers,
)
from .classify import classify
from .confidence import Backing, combined_confidence, recency_weight
from .gaps import (
    Gap,
    GapChoice,
    GapDecision,
    GapType,
    detect_gaps,
    gap_decisions,
    normal_topic,
    parse_choice,
    unsettled,
)
from .independence import Publication, independence_clusters
from .inputs import page_features, scoring_input
from .memory import GapMemory, MemoryRow
from .model import (
    ConfidenceMark,
    DomainTier,
    Override,
    PageFeatures,
    Part,
    ScoringInput,
    Site,
    SourceScore,
    Tier,
)
from .overrides import apply_overrides, override_for, overrides_in, parse_decision
from .record_file import RecordFile
from .rules import ScoringRegistry, ScoringRules, load_scoring
from .score import score_all, score_source, tier_of
from .validation_log import ValidationRun, log_validation, validation_line, validation_run

__all__ = [
    "Backing",
    "CitationFormat",
    "CitedSource",
    "ConfidenceMark",
    "DomainTier",
    "Gap",
    "GapChoice",
    "GapDecision",
    "GapMemory",
    "GapType",
    "MemoryRow",
    "Override",
    "PageFeatures",
    "Part",
    "Publication",
    "RecordFile",
    "ScoringInput",
    "ScoringRegistry",
    "ScoringRules",
    "Site",
    "SourceScore",
    "Tier",
    "ValidationRun",
    "apply_overrides",
    "bibtex",
    "choose_format",
    "citation_yaml",
    "cited_source",
    "classify",
    "combined_confidence",
    "csl_json",
    "detect_gaps",
    "footnote_mark",
    "footnotes",
    "gap_decisions",
    "independence_clusters",
    "inline_mark",
    "load_scoring",
    "log_validation",
    "normal_topic",
    "override_for",
    "overrides_in",
    "page_features",
    "parse_choice",
    "parse_decision",
    "recency_weight",
    "reference_list",
    "reference_numbers",
    "score_all",
    "score_source",
    "scoring_input",
    "tier_of",
    "unsettled",
    "validation_line",
    "validation_run",
]
