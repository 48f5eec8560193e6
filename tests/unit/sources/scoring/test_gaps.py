from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.datatypes import (
    Gap,
    GapChoice,
    GapType,
    Override,
    PageFeatures,
    ScoringInput,
    SourceScore,
    Tier,
)
from foureyes.sources.scoring.appraisal import apply_overrides, score_source
from foureyes.sources.scoring.gaps import (
    GapDecision,
    detect_gaps,
    gap_decisions,
    normal_topic,
    open_gaps,
    parse_choice,
)
from foureyes.sources.scoring.rules import ScoringRegistry

AS_OF = date(2026, 2, 3)
AT = datetime(2026, 2, 3, 10, tzinfo=UTC)
TOPIC = "pods"
DOCS = "https://kubernetes.io/docs/"
PAPER = "https://www.nature.com/articles/1"
POST = "https://medium.com/@a/b"


def scored(
    registry: ScoringRegistry, url: str, age: int | None = 3, read: bool = True
) -> SourceScore:
    source = ScoringInput(
        url,
        title="All about pods",
        published=None if age is None else AS_OF - timedelta(age),
        features=PageFeatures(code_examples=True) if read else None,
    )
    return score_source(source, registry, as_of=AS_OF, topic=TOPIC)


MISSING, OUTDATED = GapType.MISSING_OFFICIAL_DOCS, GapType.OUTDATED_SOURCES
FEW, LOW = GapType.INSUFFICIENT_COVERAGE, GapType.LOW_RELIABILITY

CASES: dict[str, tuple[list[tuple[str, int | None, bool]], list[GapType]]] = {
    "enough": ([(DOCS, 3, True), (PAPER, 3, True)], []),
    "no source of tier 1": ([(PAPER, 200, True), (POST, 3, True)], [MISSING]),
    "all older than two years": ([(DOCS, 732, True), (PAPER, 900, True)], [MISSING, OUTDATED]),
    "one of them younger": ([(DOCS, 731, True), (PAPER, 900, True)], [MISSING]),
    "undated ones do not count as old": ([(DOCS, 3, True), (PAPER, None, True)], []),
    "old besides undated": ([(PAPER, 900, True), (DOCS, None, True)], [MISSING, OUTDATED]),
    "only one": ([(DOCS, 3, True)], [FEW]),
    "one was not read": ([(DOCS, 3, True), (PAPER, 3, False)], [FEW]),
    "none that is good": ([(POST, 900, True), (POST + "c", 300, True)], [MISSING, LOW]),
    "nothing": ([], [MISSING, FEW, LOW]),
}


@pytest.mark.parametrize(("sources", "expected"), CASES.values(), ids=CASES.keys())
def test_each_gap_has_its_trigger(
    sources: list[tuple[str, int | None, bool]], expected: list[GapType], registry: ScoringRegistry
) -> None:
    scores = [scored(registry, *source) for source in sources]
    gaps = detect_gaps(scores, registry.rules.gaps, as_of=AS_OF)
    assert [gap.type for gap in gaps] == expected
    assert all(gap.trigger and gap.suggestion for gap in gaps)


def test_a_gap_offers_the_three_choices_with_its_figures(registry: ScoringRegistry) -> None:
    (gap,) = detect_gaps([scored(registry, DOCS)], registry.rules.gaps, as_of=AS_OF)
    assert gap == Gap(
        FEW, "1 source usable, 2 needed", "find at least 1 more, from another publisher"
    )
    assert [choice.value for choice in gap.options] == ["research more", "defer", "accept"]


def test_a_persons_decisions_on_sources_count(registry: ScoringRegistry) -> None:
    scores = [scored(registry, DOCS), scored(registry, PAPER, 200)]
    overridden = apply_overrides(
        scores,
        [Override(DOCS, None, "Ann", AT, "old"), Override(PAPER, Tier.T1, "Ann", AT, "primary")],
    )
    gaps = detect_gaps(overridden, registry.rules.gaps, as_of=AS_OF)
    assert [gap.type for gap in gaps] == [FEW]


@pytest.mark.parametrize(
    ("words", "choice"),
    [
        ("research more", GapChoice.RESEARCH_MORE), ("Research more!", GapChoice.RESEARCH_MORE),
        ("defer", GapChoice.DEFER), ("accept", GapChoice.ACCEPT),
        ("accept limitation", GapChoice.ACCEPT), ("reject all", GapChoice.ACCEPT),
    ],
)  # fmt: skip
def test_choices_are_read_from_words(words: str, choice: GapChoice) -> None:
    assert parse_choice(words) is choice


def test_other_words_choose_nothing() -> None:
    with pytest.raises(InputError, match="'perhaps' is no choice about a gap"):
        parse_choice("perhaps")


def decision(choice: GapChoice, until: date | None = None, topic: str = TOPIC) -> GapDecision:
    return GapDecision(FEW, topic, choice, "Ann", AT, deferred_until=until)


@pytest.mark.parametrize(
    ("decisions", "raised"),
    [
        ([], True),
        ([decision(GapChoice.ACCEPT)], False),
        ([decision(GapChoice.ACCEPT, topic="nodes")], True),
        ([decision(GapChoice.RESEARCH_MORE)], True),
        ([decision(GapChoice.ACCEPT), decision(GapChoice.RESEARCH_MORE)], True),
        ([decision(GapChoice.DEFER)], False),
        ([decision(GapChoice.DEFER, AS_OF + timedelta(1))], False),
        ([decision(GapChoice.DEFER, AS_OF)], True),
    ],
)
def test_what_was_decided_for_the_topic_is_not_raised_again(
    decisions: list[GapDecision], raised: bool
) -> None:
    gap, other = Gap(FEW, "t", "s"), Gap(LOW, "t", "s")
    expected = (gap, other) if raised else (other,)
    assert open_gaps([gap, other], TOPIC, decisions, as_of=AS_OF) == expected


def test_decisions_outlive_the_process(tmp_path: Path) -> None:
    made = decision(GapChoice.DEFER, AS_OF)
    gap_decisions(tmp_path).add(made)
    assert gap_decisions(tmp_path).all() == (made,)


@pytest.mark.parametrize(
    ("title", "topic"),
    [
        ("  Pod Scheduling: a brief\n", "pod scheduling a brief"),
        ("C++ & Größe", "c++ grösse"),
        ("", ""),
        ("word " * 60, ("word " * 24).strip()),
    ],
)
def test_a_title_becomes_a_topic(title: str, topic: str) -> None:
    assert normal_topic(title) == topic
