"""The table of phase 4c: what the review had caught of what the web contradicts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from foureyes import Severity, Stance
from foureyes.datatypes import (
    CompiledFinding,
    CrossMetrics,
    CrossReference,
    Drift,
    Evidence,
    Lens,
    RedFinding,
    WebResult,
    WebSource,
    WebVerdict,
)
from foureyes.documents.parse import parse_document
from foureyes.review.compiling import cross_reference
from foureyes.review.extraction import detect_document_claims, extracted_claim
from support.claim_kit import registry

LEXICON = registry().lexicon
DOCUMENT = parse_document(
    "# Quay\n\nGuam lies 1,700 nautical miles from Taiwan.\n\n"
    "The Alden Office employs 240 people. The ferry carried 12,000 people in 2024.\n\n"
    "The way from Guam is long.\n"
)
DETECTED = detect_document_claims(DOCUMENT, LEXICON, as_of=date(2026, 1, 1))
CLAIMS = {claim.id: claim for claim in DETECTED.claims}
EXTRACTED = [extracted_claim(claim, DOCUMENT) for claim in CLAIMS.values()]
GUAM, OFFICE, FERRY = (one.id for one in EXTRACTED[:3])


def finding(number: str, quote: str, line: int, problem: str) -> CompiledFinding:
    red = RedFinding(number, Lens.TEXTUAL, quote, line, "issue", problem, Severity.HIGH)
    return CompiledFinding(number, red, None)


def source(quote: str) -> WebSource:
    return WebSource(
        "T1", Evidence("https://a.org/", "ab", quote, 0, len(quote), Stance.CONTRADICTS), False
    )


def result(claim: str, verdict: WebVerdict) -> WebResult:
    return WebResult(claim, verdict, "a reason")


def laid(results: list[WebResult], *findings: CompiledFinding) -> CrossReference:
    return cross_reference(EXTRACTED, results, findings, CLAIMS, DETECTED)


CAUGHT = [
    ("its words", "1,700 nautical miles", 3, "no source", True),
    ("words of which it is a part", "Guam lies 1,700 nautical miles from\nTaiwan.", 3, "x", True),
    ("entity and value elsewhere", "The way from Guam is long.", 7, "1,700 NM is doubtful", True),
    ("the entity alone", "The way from Guam is long.", 7, "how long is not said", False),
    ("the value alone", "The way from Guam is long."[:7], 7, "1,700 nautical miles?", False),
    ("another place", "The ferry carried 12,000 people", 5, "no source", False),
]


@pytest.mark.parametrize(
    ("quote", "line", "problem", "caught"), [c[1:] for c in CAUGHT], ids=[c[0] for c in CAUGHT]
)
def test_red_caught_what_a_finding_quotes_or_names_with_its_value(
    quote: str, line: int, problem: str, caught: bool
) -> None:
    table = laid([result(GUAM, WebVerdict.CONTRADICTED)], finding("T-13", quote, line, problem))
    (row,) = table.rows
    assert (row.red_caught, row.findings) == (caught, ("T-13",) if caught else ())
    assert table.metrics.red_catch_rate == float(caught)
    assert table.metrics.web_only_discoveries == 1 - caught


@pytest.mark.parametrize(
    ("verdict", "caught"),
    [
        (WebVerdict.CONTRADICTED, True),
        (WebVerdict.DISPUTED, True),
        (WebVerdict.CONFIRMED, None),
        (WebVerdict.UNVERIFIABLE, None),
    ],
)
def test_there_is_nothing_to_catch_where_the_web_does_not_disagree(
    verdict: WebVerdict, caught: bool | None
) -> None:
    (row,) = laid([result(GUAM, verdict)], finding("A-1", EXTRACTED[0].quote, 3, "x")).rows
    assert (row.red_caught, row.findings) == (caught, ("A-1",))


def test_the_metrics_count_what_the_results_say() -> None:
    results = [
        result(GUAM, WebVerdict.CONTRADICTED),
        replace(result(OFFICE, WebVerdict.CONFIRMED), drift=Drift.OUTDATED, circular=True),
        replace(result(FERRY, WebVerdict.CONTRADICTED), drift=Drift.NEVER_TRUE),
    ]
    table = laid(results, finding("T-1", "1,700", 3, "x"))
    assert table.metrics == CrossMetrics(3, 2, 1, 0.5, 1, 1, 1)


def test_a_rate_over_nothing_is_none() -> None:
    assert laid([]).metrics == CrossMetrics(0, 0, 0, None, 0, 0, 0)
    assert laid([result(GUAM, WebVerdict.DISPUTED)]).metrics.red_catch_rate is None


def test_a_row_says_the_value_found_else_the_words_else_why_there_are_none() -> None:
    contradicted = replace(
        result(GUAM, WebVerdict.CONTRADICTED), sources=(source("It is\n1,500 away."),)
    )
    says = [
        laid([one]).rows[0].web_says
        for one in (
            replace(contradicted, found="1,500 nautical miles"),
            contradicted,
            result(GUAM, WebVerdict.UNVERIFIABLE),
            replace(contradicted, sources=(source("word " * 100),)),
        )
    ]
    assert says[:3] == ["1,500 nautical miles", "It is 1,500 away.", "a reason"]
    assert says[3].endswith("[…]")
    assert len(says[3]) < 210


def test_a_finding_about_an_abbreviation_has_not_caught_a_wrong_figure() -> None:
    table = laid(
        [result(GUAM, WebVerdict.CONTRADICTED)], finding("T-1", "NM", 3, "never spelled out")
    )
    assert (table.rows[0].red_caught, table.metrics.red_catch_rate) == (False, 0.0)
