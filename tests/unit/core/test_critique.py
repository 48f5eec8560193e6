"""Six dimensions of a document, scored by code, and whether they suffice."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    Analysis,
    DraftWork,
    Error,
    Examination,
    IterationWork,
    RegistryError,
    ReviewCriterion,
    RunStatus,
    Severity,
    Stance,
    Success,
    Verdict,
)
from foureyes.base.files import from_json, to_json
from foureyes.base.registry import load_registry_file
from foureyes.core.brief import Assignment
from foureyes.core.critique import DraftCase, critique_line, quality_findings
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_map import map_claims
from foureyes.core.evidence_parts import EvidenceParts
from foureyes.core.tasks import AgentResult
from foureyes.datatypes import (
    CitationState,
    ClaimEvidenceMap,
    Critique,
    Dimension,
    FailCode,
    LinkedEvidence,
    MappedClaim,
    Source,
    SourceState,
)
from foureyes.documents.parse import parse_document
from foureyes.verification.policy import CritiquePolicy
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import PAGE, check, registry, source, sources
from support.evidence_run import open_reader
from support.http_site import HttpSite
from support.loop_agents import APPROVE, AS_OF, BRIEF, ListedCritic, Loop, quality, vote

TEXT = (
    "The harbour of Osk has 12 cranes. The quay of the harbour is 900 metres long. "
    "The harbour opened on 3 May 1911. The port authority owns 60 percent of the harbour."
)
CRANES, QUAY = (
    f"The harbour of Osk has 12 cranes ({PAGE}).",
    (f"The quay of the harbour is 900 metres long ({PAGE})."),
)
OPENED = f"The harbour opened on 3 May 1911 ({PAGE})."
ASKED = Assignment(("How many cranes does the harbour of Osk have?",), "The harbour of Osk.")
D, NONE = Dimension, CitationState.NONE


def mapped(draft: str, *others: Source) -> tuple[ClaimEvidenceMap, Critique]:
    """The map of a draft over `TEXT` and its critique without a brief."""
    return judged(draft, Assignment(), *others)


def judged(
    draft: str, assignment: Assignment, *others: Source
) -> tuple[ClaimEvidenceMap, Critique]:
    report, document = check(draft, sources({PAGE: TEXT}, *others)), parse_document(draft)
    found = map_claims(document, report.claims, report.ledger)
    rules, book = registry().critique, registry().lexicon.words
    case = DraftCase(document, report.claims, found, rules, book, assignment, report.findings)
    return found, case.critique()


def scores(found: Critique) -> Mapping[Dimension, float | None]:
    return {dimension: one.score for dimension, one in found.dimensions.items()}


def test_a_document_that_answers_its_brief_from_its_source_passes() -> None:
    _, found = judged(f"# Osk\n\n{CRANES} {QUAY}\n", ASKED)
    assert set(scores(found).values()) == {1.0}
    assert (found.score, found.passed, found.fail_code) == (1.0, True, None)
    assert (found.weaknesses, found.suggestions) == ((), ())
    assert critique_line(found).startswith("quality pass: 1.00 (coverage 1.00, depth 1.00, ")


GONE = source("https://gone.example/page", SourceState.DEAD)
TWICE = "The quay of the harbour is 900 metres long"
CASES = [
    ("a question in part", "coverage", OPENED, "Which trams and cables has the harbour?", 0.5),
    ("another question", "coverage", QUAY, "Who pays the pilots?", 0.0),
    ("named as open", "coverage", f"{QUAY}\n\n- Who pays pilots?", "Who pays pilots?", 0.25),
    ("one passage of two", "depth", CRANES, "How many cranes?", 0.5),
    ("a wrong number", "accuracy", f"{CRANES} {QUAY}".replace("12", "13"), "", 0.5),
    ("said three times", "novelty", f"{QUAY}\n\n- {QUAY}\n- {QUAY}\n- {OPENED}", "", 0.75),
    ("said in the brief", "novelty", f"{QUAY} {OPENED}", f"{TWICE}, is it?", 0.5),
    ("a section without text", "coherence", f"## One\n\n## Two\n\n{QUAY}", "", 0.9),
    ("an uncited claim", "citation_quality", f"{QUAY}\n\n## Tugs\n\nIt has 9 tugs.", "", 0.5),
    ("a dead source", "citation_quality", f"{QUAY} It has 9 tugs ({GONE.url}).", "", 0.5),
]


@pytest.mark.parametrize(
    ("name", "draft", "asked", "score"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_each_fault_lowers_its_dimension(name: str, draft: str, asked: str, score: float) -> None:
    assignment = Assignment((asked,) if asked else (), asked)
    _, found = judged(f"# Osk\n\n{draft}\n", assignment, GONE)
    one = found.dimensions[Dimension(name)]
    assert one.score == score
    assert bool(one.remediation_action) is (score != 1)


def test_what_the_argument_rests_on_weighs_more() -> None:
    found, _ = mapped(f"# Osk\n\n{CRANES} {QUAY}\n")
    wrong = replace(found.claims[0], verdict=Verdict.UNVERIFIABLE)
    by_weight = [
        _again(
            found,
            (replace(wrong, load_bearing=bearing), replace(found.claims[1], load_bearing=False)),
        )
        for bearing in (False, True)
    ]
    assert [one.dimensions[D.ACCURACY].score for one in by_weight] == [0.5, 0.3333]


def _again(found: ClaimEvidenceMap, claims: tuple[MappedClaim, ...]) -> Critique:
    """The critique of the document of two cited sentences with other claims."""
    document = parse_document(f"# Osk\n\n{CRANES} {QUAY}\n")
    rules, book = registry().critique, registry().lexicon.words
    return DraftCase(document, (), replace(found, claims=claims), rules, book, ASKED).critique()


def test_contradictions_and_sums_that_do_not_come_out_cost_coherence() -> None:
    draft = f"# Osk\n\n{CRANES} {QUAY}\n"
    found, _ = mapped(draft)
    one, other = (
        replace(c, contradicts=(o.claim_id,))
        for c, o in zip(found.claims, found.claims[::-1], strict=True)
    )
    assert _again(found, (one, other)).dimensions[D.COHERENCE].score == 0.7
    # An overview that says it once more makes no second contradiction.
    again = replace(one, claim_id="c-again", sentence=other.sentence)
    twice = replace(other, contradicts=(one.claim_id, again.claim_id))
    assert _again(found, (one, again, twice)).dimensions[D.COHERENCE].score == 0.7
    summed = "The port spent $3 million on tugs and $4 million on barges, a total of $9 million."
    _, wrong = mapped(f"# Osk\n\n{QUAY} {summed}\n")
    assert wrong.dimensions[D.COHERENCE].score == 0.85


def test_sources_of_low_reliability_count_half() -> None:
    found, _ = mapped(f"# Osk\n\n{CRANES} {QUAY}\n")
    weak = tuple(replace(claim, low_reliability=True) for claim in found.claims)
    one = _again(found, weak).dimensions[D.CITATION_QUALITY]
    assert (one.score, "2 rest on sources of low reliability" in one.reason) == (0.5, True)


def test_a_dimension_below_its_floor_holds_the_whole_score_down() -> None:
    _, found = judged(f"# Osk\n\n{CRANES} {QUAY}\n", Assignment(("Who pays the pilots?",)))
    assert (found.score, found.passed) == (0.0, False)
    assert found.fail_code is FailCode.QUALITY_GATE
    assert found.weaknesses == (
        "coverage: 0 of 1 question of the brief is answered where supported claims are",
    )
    assert found.suggestions == ("answer with sources, or list as open: Who pays the pilots?",)


@pytest.mark.parametrize(
    "draft",
    [
        "# Osk\n\nWe like harbours.\n",
        f"# Osk\n\nDer Hafen von Osk hat 12 Kräne und liegt an der Küste des Landes ({PAGE}). "
        f"Die Stadt hat den Hafen vor vielen Jahren gebaut und danach erweitert ({PAGE}).\n",
    ],
)
def test_where_nothing_could_be_compared_there_is_nothing_to_object_to(draft: str) -> None:
    _, found = judged(draft, ASKED)
    assert set(scores(found).values()) == {None}
    assert (found.score, found.passed) == (None, True)
    assert critique_line(found) == "quality: nothing could be scored"
    assert all(one.reason and not one.remediation_action for one in found.dimensions.values())


def test_a_brief_in_another_language_is_not_looked_for_in_the_words_of_the_document() -> None:
    asked = "Wer bezahlt eigentlich die Lotsen des Hafens, und wie viele Kräne stehen dort heute?"
    _, found = judged(f"# Osk\n\n{CRANES} {QUAY}\n", Assignment((asked,), asked))
    assert found.dimensions[D.COVERAGE].score is None
    assert found.passed


@given(
    verdicts=st.lists(st.sampled_from(Verdict), min_size=4, max_size=4),
    bearing=st.lists(st.booleans(), min_size=4, max_size=4),
    raised=st.integers(0, 3),
)
def test_a_claim_that_becomes_supported_never_lowers_the_score(
    verdicts: list[Verdict], bearing: list[bool], raised: int
) -> None:
    claims = tuple(
        _claim(place, verdict, rests)
        for place, (verdict, rests) in enumerate(zip(verdicts, bearing, strict=True))
    )
    better = tuple(
        _claim(place, Verdict.SUPPORTED, claim.load_bearing) if place == raised else claim
        for place, claim in enumerate(claims)
    )
    empty = ClaimEvidenceMap("draft.md", 1, "", (), (), (), ())
    before, after = _again(empty, claims), _again(empty, better)
    for found in (before, after):
        assert all(score is None or 0 <= score <= 1 for score in scores(found).values())
        assert found.passed is (found.score is None or found.score >= 0.7)
    if before.score is not None and verdicts[raised] is not Verdict.NOT_CHECKABLE:
        assert after.score is not None
        assert after.score >= before.score


def _claim(place: int, verdict: Verdict, bearing: bool) -> MappedClaim:
    """A claim in one of the two sentences, with a passage of its own if it is supported."""
    held = verdict is Verdict.SUPPORTED
    item = LinkedEvidence(PAGE, "sha", f"{place}", 0, 1, Stance.SUPPORTS, 1, 1, "T1", False, False)
    return MappedClaim(
        f"c{place}",
        "The harbour has cranes.",
        1 + place % 2,
        3,
        CitationState.DIRECT,
        verdict,
        False,
        None,
        "so",
        None,
        bearing,
        True,
        (),
        ("sha",) if held else (),
        (item,) if held else (),
        (),
        (),
        False,
        (),
    )


@pytest.mark.parametrize("text", ['{"weights": {"coverage": 1}}', '{"pass_score": 2}'])
def test_a_policy_that_leaves_a_dimension_out_is_refused(text: str, tmp_path: Path) -> None:
    packaged = registry().critique.model_dump_json()
    changed = {**json.loads(packaged), **json.loads(text)}
    (tmp_path / "critique.yaml").write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(RegistryError):
        load_registry_file(CritiquePolicy, "critique.yaml", tmp_path)


def test_a_critique_is_read_back_as_it_was_written() -> None:
    _, found = judged(f"# Osk\n\n{CRANES} {QUAY}\n", Assignment(("Who pays the pilots?",)))
    assert from_json(Critique, to_json(Critique, found)) == found


LANES = (
    "The city built 42 kilometres of bicycle paths in 2024.\n\nThe lanes cost 8 million euros.\n"
)
COST_ASKED = Assignment(("What do the lanes cost?",), BRIEF)


@pytest.fixture
async def site() -> AsyncGenerator[HttpSite]:
    async with HttpSite() as opened:
        opened.page("/lanes.txt", LANES, media_type="text/plain")
        yield opened


def test_a_failed_critique_asks_for_the_remedy_of_each_weak_dimension() -> None:
    medium = registry().critique.severity
    (finding,) = quality_findings(quality(0.6).critique, medium)
    assert (finding.type, finding.severity) == (ReviewCriterion.COVERAGE, Severity.MEDIUM)
    assert (finding.origin, finding.recommendation) == ("critique", "a remedy")
    assert finding.problem == "The quality gate failed (coverage 0.60): a reason"
    assert finding.id == quality_findings(quality(0.1).critique, medium)[0].id
    assert quality_findings(quality(0.7).critique, medium) == ()


class Answering:
    """Writes of the lanes' length first, and of their cost when asked for it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.asked: list[DraftWork] = []

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        self.asked.append(work)
        said = ["The city built 42 kilometres of bicycle paths in 2024"]
        said += ["The lanes cost 8 million euros"] if work.findings else []
        text = " ".join(f"{one} ({self._url})." for one in said)
        return Success(Analysis(markdown=f"# Cycling\n\n{text}\n"))


class Agreeing:
    """A checker of claims that agrees with code."""

    name = "fact_checker"

    def __init__(self) -> None:
        self.works: list[IterationWork] = []

    async def examine(self, work: IterationWork) -> Examination | Error:
        assert work.evidence is not None
        self.works.append(work)
        return replace(vote(APPROVE), assessments=tuple(work.evidence.assessments.values()))


async def test_a_draft_that_does_not_answer_its_brief_is_revised_until_it_does(
    tmp_path: Path, site: HttpSite
) -> None:
    drafter, checker = Answering(site.url("/lanes.txt")), Agreeing()
    async with open_reader(tmp_path, site) as reader:
        parts = EvidenceParts(reader, registry(), as_of=AS_OF, assignment=COST_ASKED)
        stage = DocumentEvidence(parts)
        pair = (ListedCritic("reviewer", vote(APPROVE)), checker)
        result = await Loop(drafter, pair, evidence=stage).pipeline().run(BRIEF, ())
    assert (result.status, result.best_iteration) == (RunStatus.APPROVED, 2)
    (depth, coverage) = drafter.asked[1].findings
    assert coverage.recommendation.endswith("or list as open: What do the lanes cost?")
    assert depth.problem.startswith("The quality gate failed (depth 0.50)")
    before = [work.critique.passed for work in checker.works if work.critique]
    assert before == [False, True]
    first, second = result.analytics.iterations()
    assert (first.quality_score, second.quality_score) == (0.0, 1.0)
