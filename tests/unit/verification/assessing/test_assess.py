"""What the sources together say about a claim, and the findings that follow."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes import IssueType, Severity, Stance, Verdict
from foureyes.datatypes import CitationState, SourceState
from support.claim_kit import PAGE, assess, check, cited, judged, source, sources

OTHER = "https://example.net/other"
FACT = "In 2024 the Norrvik ferry carried 187,400 passengers."
WRONG = "In 2024 the Norrvik ferry carried 231,000 passengers."
SILENT = "The harbour is open all year round."


@pytest.mark.parametrize(
    ("draft", "type_", "severity"),
    [
        ("Our pilot with 500 students was a success.", "fabricated", "critical"),
        ("87% of students use tablets.", "unsourced", "high"),
        ("The market is worth $50 billion.", "unsourced", "high"),
        ("Acme's revenue was $12 million.", "unsourced", "medium"),
        ("Five ships are in use.", "unsourced", "low"),
        ('The coach said "we ran out of legs today".', "unsourced", "medium"),
        ("We estimate 400 users, based on the sign-ups of May.", "unsourced", "low"),
        ("About 87% of students use tablets.", "unsourced", "high"),
        ("We estimate from our pilot, based on May, 400 users.", "fabricated", "critical"),
    ],
)
def test_an_uncited_claim_is_held_to_its_category(draft: str, type_: str, severity: str) -> None:
    assessment = assess(draft, sources({}))
    assert (assessment.verdict, assessment.citation_state) == (
        Verdict.UNVERIFIABLE,
        CitationState.NONE,
    )
    assert assessment.decided
    assert [(f.type, f.severity) for f in assessment.findings] == [(type_, severity)]


BUILT = "# History\n\nThe dam was finished in 1962 after nine years of work.\n"
SUPPLY = "# Works\n\nThe dam supplies 52,000 homes.\n"
BOTH = "The dam was finished in 1962, and it supplies 52,000 homes."


def test_two_cited_sources_bear_out_together_what_neither_does_alone() -> None:
    found = assess(cited(BOTH, PAGE, OTHER), sources({PAGE: BUILT, OTHER: SUPPLY}))
    assert found.verdict is Verdict.SUPPORTED
    shown = {one.url: one.quote for one in found.evidence}
    assert "1962" in shown[PAGE]
    assert "52,000" in shown[OTHER]


@pytest.mark.parametrize("texts", [(BUILT, SILENT), (SILENT, SUPPLY)])
def test_a_part_that_none_of_the_cited_sources_has_is_not_borne_out(texts: tuple[str, str]) -> None:
    found = assess(cited(BOTH, PAGE, OTHER), sources(dict(zip((PAGE, OTHER), texts, strict=True))))
    assert found.verdict is not Verdict.SUPPORTED


def test_an_excluded_claim_is_not_checkable() -> None:
    assessment = assess("Suppose that each visit takes 12 minutes.", sources({}))
    assert (assessment.verdict, assessment.findings) == (Verdict.NOT_CHECKABLE, ())
    assert assessment.decided
    assert "hypothetical" in assessment.reason


def test_support_comes_with_the_exact_words_and_their_place() -> None:
    text = f"Report.\n\nIt rained. {FACT} It snowed."
    assessment = assess(cited(FACT), sources({PAGE: text}))
    (evidence,) = assessment.evidence
    assert (evidence.url, evidence.sha256, evidence.stance) == (
        PAGE,
        f"sha of {PAGE}",
        Stance.SUPPORTS,
    )
    assert text[evidence.start : evidence.end] == evidence.quote == FACT
    assert assessment.passages == ()


def test_a_contradiction_gives_both_figures_and_the_correction() -> None:
    assessment = judged(
        "The market was worth $50 billion in 2024.",
        "Size\n\nThe market was worth $30 billion in 2024.",
    )
    (finding,) = assessment.findings
    assert finding.type is IssueType.NUMERIC_ERROR
    assert finding.evidence == (
        f"source: $30 billion; claim: $50 billion; +67 % against the source ({PAGE})"
    )
    assert finding.correction is not None
    assert finding.correction.replacement == "$30 billion"
    assert finding.origin == "engine"
    assert finding.claim_id == assessment.claim_id
    assert assessment.evidence[0].stance is Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("claimed", "severity"),
    [("204", "low"), ("220", "medium"), ("240", "medium"), ("241", "high"), ("120", "high")],
)
def test_a_numeric_error_is_graded_against_the_source(claimed: str, severity: str) -> None:
    draft = cited(f"Harbour report\n\nThe ferry made {claimed} calls at Norrvik in May.")
    (finding,) = assess(
        "# Log\n\nIt was so.\n\n" + draft.split("\n\n")[1],
        sources({PAGE: "Log\n\nThe ferry made 200 calls at Norrvik in May."}),
    ).findings
    assert (finding.type, finding.severity) == (IssueType.NUMERIC_ERROR, Severity(severity))


def test_a_load_bearing_numeric_error_is_at_least_medium() -> None:
    (finding,) = judged(
        "The ferry made 204 calls at Norrvik in May.", "The ferry made 200 calls at Norrvik in May."
    ).findings
    assert finding.severity is Severity.MEDIUM


def test_a_source_with_neither_the_year_nor_the_name_says_nothing_on_the_claim() -> None:
    (finding,) = assess(
        "# Log\n\nIt was so.\n\n"
        + cited("Since 2018, the port council has been chaired by Ida Marek."),
        sources({PAGE: "The port council: annual review\n\nThe port council met in May."}),
    ).findings
    assert (finding.type, finding.severity) == (IssueType.UNVERIFIABLE, Severity.MEDIUM)
    assert finding.problem == "the cited source does not state this"


@pytest.mark.parametrize(
    ("state", "type_", "severity"),
    [
        (SourceState.DEAD, IssueType.DEAD_CITATION, Severity.HIGH),
        (SourceState.SOFT_404, IssueType.DEAD_CITATION, Severity.HIGH),
        (SourceState.BLOCKED, IssueType.UNVERIFIABLE, Severity.HIGH),
        (SourceState.PAYWALLED, IssueType.UNVERIFIABLE, Severity.MEDIUM),
        (SourceState.NO_TEXT, IssueType.UNVERIFIABLE, Severity.MEDIUM),
        (SourceState.TIMEOUT, IssueType.UNVERIFIABLE, Severity.MEDIUM),
        (SourceState.RATE_LIMITED, IssueType.UNVERIFIABLE, Severity.MEDIUM),
    ],
)
def test_an_unreadable_source_is_graded_by_its_state(
    state: SourceState, type_: IssueType, severity: Severity
) -> None:
    assessment = assess(cited(FACT), sources({}, source(PAGE, state)))
    assert (assessment.verdict, assessment.unchecked) == (Verdict.SOURCE_UNAVAILABLE, False)
    assert [(f.type, f.severity) for f in assessment.findings] == [(type_, severity)]
    assert state.value in assessment.findings[0].problem


@pytest.mark.parametrize("state", [SourceState.NOT_FETCHED, SourceState.REFUSED_BY_POLICY])
def test_what_policy_kept_unread_is_unchecked_and_no_issue(state: SourceState) -> None:
    assessment = assess(cited(FACT), sources({}, source(PAGE, state)))
    assert (assessment.verdict, assessment.unchecked) == (Verdict.SOURCE_UNAVAILABLE, True)
    refused = state is SourceState.REFUSED_BY_POLICY
    # What is refused is said, with the option that allows it.
    assert [one.severity for one in assessment.findings] == [Severity.LOW] * refused


def test_the_worst_of_several_unreadable_sources_counts() -> None:
    found = sources({}, source(PAGE, SourceState.TIMEOUT), source(OTHER, SourceState.DEAD))
    assessment = assess(cited(FACT, PAGE, OTHER), found)
    assert [f.severity for f in assessment.findings] == [Severity.HIGH]


@pytest.mark.parametrize(
    ("texts", "verdict"),
    [
        ((FACT, SILENT), Verdict.SUPPORTED),
        ((SILENT, FACT), Verdict.SUPPORTED),
        ((WRONG, SILENT), Verdict.CONTRADICTED),
        ((FACT, WRONG), Verdict.DISPUTED),
        ((SILENT, SILENT), Verdict.UNVERIFIABLE),
    ],
)
def test_several_citations_are_taken_together(texts: tuple[str, str], verdict: Verdict) -> None:
    assessment = assess(cited(FACT, PAGE, OTHER), sources({PAGE: texts[0], OTHER: texts[1]}))
    assert assessment.verdict is verdict
    expected = 2 if verdict is Verdict.DISPUTED else 0 if verdict is Verdict.UNVERIFIABLE else 1
    assert len(assessment.evidence) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (FACT, [("dead_citation", "low")]),
        (WRONG, [("numeric_error", "medium"), ("dead_citation", "low")]),
        (SILENT, [("unverifiable", "medium"), ("dead_citation", "low")]),
    ],
)
def test_a_dead_citation_beside_a_working_one_is_low(
    text: str, found: list[tuple[str, str]]
) -> None:
    assessment = assess(
        cited(FACT, PAGE, OTHER), sources({PAGE: text}, source(OTHER, SourceState.DEAD))
    )
    assert [(f.type, f.severity) for f in assessment.findings] == found


def test_a_dead_citation_counts_where_it_stands_and_is_low_where_it_is_carried() -> None:
    draft = f"{cited(FACT, PAGE)} The town has 4,200 inhabitants in all."
    report = check(draft, sources({}, source(PAGE, SourceState.DEAD)))
    found = [(one.type, one.severity) for one in report.findings]
    assert sorted(found) == [("dead_citation", "high"), ("dead_citation", "low")]


def test_one_finding_of_a_type_is_enough() -> None:
    found = sources({PAGE: SILENT}, source(OTHER, SourceState.BLOCKED))
    assert len(assess(cited(FACT, PAGE, OTHER), found).findings) == 1


def test_a_neighbours_citation_without_an_address_is_a_low_finding() -> None:
    draft = (
        f"{FACT[:-1]} [7]. The town has 4,200 inhabitants in all.\n\n# References\n\n[7] A book.\n"
    )
    found = [(one.type, one.severity) for one in check(draft, sources({})).findings]
    assert sorted(found) == [("incomplete_citation", "low"), ("incomplete_citation", "medium")]


def test_a_citation_without_an_address_is_incomplete() -> None:
    alone = assess(f"{FACT[:-1]} [7].\n\n# References\n\n[7] A book.\n", sources({}))
    assert (alone.verdict, alone.decided) == (Verdict.UNVERIFIABLE, True)
    assert [(f.type, f.severity) for f in alone.findings] == [("incomplete_citation", "medium")]
    both = assess(
        f"{FACT[:-1]} [7] ({PAGE}).\n\n# References\n\n[7] A book.\n", sources({PAGE: FACT})
    )
    assert both.verdict is Verdict.SUPPORTED
    assert [(f.type, f.severity) for f in both.findings] == [("incomplete_citation", "low")]


@pytest.mark.parametrize(
    ("text", "severity", "problem"),
    [
        (SILENT, "medium", "the cited source does not state this"),
        (
            "The captain walks his dog on the ferry every morning.",
            "low",
            "this could not be confirmed in the cited source",
        ),
    ],
)
def test_a_source_on_something_else_is_no_source_even_of_a_general_claim(
    text: str, severity: str, problem: str
) -> None:
    draft = "# One\n\nIt was so.\n\n" + cited("The captain owns a dog.")
    (finding,) = assess(draft, sources({PAGE: text})).findings
    assert (finding.type, finding.severity) == (IssueType.UNVERIFIABLE, severity)
    assert finding.problem == problem


def test_a_source_that_nearly_says_it_and_lacks_the_figure_is_no_contradiction() -> None:
    assessment = judged(FACT, FACT.replace("187,400 ", ""))
    (finding,) = assessment.findings
    assert (assessment.verdict, finding.severity) == (Verdict.UNVERIFIABLE, Severity.MEDIUM)
    assert "does not state 187,400" in finding.evidence


def test_an_inherited_citation_costs_at_most_a_medium_issue() -> None:
    draft = f"# One\n\nIt was so.\n\n{WRONG} The harbour is open all year ({PAGE})."
    found = sources({PAGE: FACT})
    report = check(draft, found)
    (first,) = (a for a in report.assessments if a.citation_state is CitationState.INHERITED)
    assert first.verdict is Verdict.CONTRADICTED
    assert [f.severity for f in first.findings] == [Severity.MEDIUM]


def test_an_own_result_does_not_borrow_the_next_citation() -> None:
    draft = f"Our pilot with 500 students gained 73%. The ferry is new ({PAGE})."
    for found in (sources({PAGE: "The ferry is new."}), sources({})):
        first = check(draft, found).assessments[0]
        assert first.citation_state is CitationState.INHERITED
        assert [(f.type, f.severity) for f in first.findings] == [("fabricated", "critical")]
    carried = f"The ferry is new ({PAGE}). Our pilot with 500 students gained 73%."
    own = check(carried, sources({PAGE: "The ferry is new."})).assessments[1]
    assert own.citation_state is CitationState.CARRIED
    assert [(f.type, f.severity) for f in own.findings] == [("fabricated", "critical")]
    assert "the citation of an earlier sentence" in own.findings[0].evidence
    text = "Our pilot with 500 students gained 73%. The ferry is new."
    assert check(draft, sources({PAGE: text})).assessments[0].findings == ()


def test_another_figure_for_the_same_period_is_named_and_weighs_by_its_size() -> None:
    text = "The service costs $9 per month. There is no annual plan."
    (found,) = judged("The service costs $4/month or $44/year.", text).findings
    assert (found.type, found.severity) == ("numeric_error", "high")
    assert "source: $9; claim: $4;" in found.evidence


HEAD = "The chief executive of Bluewater is Jane Roe."
THEN, LATER = date(2022, 3, 1), date(2025, 5, 1)
NO_MORE = "The chief executive of Bluewater is John Doe. Bluewater has 900 employees."


@pytest.mark.parametrize(
    ("sentence", "text", "written", "right"),
    [
        (
            HEAD,
            "Jane Roe was the chief executive of Bluewater from 2015 to 1 May 2023.",
            THEN,
            True,
        ),
        (HEAD, "Jane Roe was the chief executive of Bluewater until 1 May 2021.", THEN, False),
        (HEAD, "Jane Roe was the chief executive of Bluewater from 2024 to 2025.", THEN, False),
        (HEAD, "Jane Roe was not the chief executive of Bluewater until 2023.", THEN, False),
        (HEAD, "Jane Roe was the chief executive of Bluewater until 1 May 2023.", None, False),
        (
            HEAD,
            "John Doe was chief executive of Bluewater until 2023, after Jane Roe.",
            THEN,
            False,
        ),
        ("The plant has 40 employees.", "The plant had 40 employees in 2022.", THEN, True),
        ("The plant has 40 employees.", "The plant had 40 employees in 2010.", THEN, False),
        ("The plant had 40 employees.", "The plant had 60 employees in 2022.", THEN, False),
        ("The limit is 30 kg.", "The limit was raised to 45 kg in 2024, 30 kg before.", THEN, True),
        ("The limit is 30 kg.", "In 2024 the limit rose from 30 kg to 45 kg.", THEN, True),
        ("The limit is 45 kg.", "In 2024 the limit rose from 30 kg to 45 kg.", THEN, False),
        ("The limit is 30 kg.", "In 2019 the limit rose from 30 kg to 45 kg.", THEN, False),
        ("The fine is 30 kg.", "In 2024 the limit rose from 30 kg to 45 kg.", THEN, False),
    ],
)
def test_what_was_so_on_the_documents_day_is_supported_and_said_to_have_changed(
    sentence: str, text: str, written: date | None, right: bool
) -> None:
    found = sources({PAGE: text}, source(PAGE, published=LATER))
    assessment = assess(cited(sentence), found, written=written)
    changed = [(one.type, one.severity) for one in assessment.findings if one.type == "outdated"]
    assert (assessment.verdict is Verdict.SUPPORTED, changed) == (
        right,
        [("outdated", "medium")] if right else [],
    )


@pytest.mark.parametrize(
    ("old", "new", "written", "changed"),
    [
        (date(2022, 2, 1), LATER, THEN, True),
        (date(2022, 2, 1), LATER, None, False),
        (date(2022, 2, 1), date(2022, 2, 20), THEN, False),
        (LATER, LATER, THEN, False),
        (None, LATER, THEN, False),
    ],
)
def test_a_later_source_that_names_another_holder_shows_that_it_has_changed(
    old: date | None, new: date, written: date | None, changed: bool
) -> None:
    other = "https://example.com/new"
    found = sources(
        {PAGE: "Jane Roe is the chief executive of Bluewater.", other: NO_MORE},
        source(PAGE, published=old),
        source(other, published=new),
    )
    assessment = assess(cited(HEAD, PAGE, other), found, written=written)
    outdated = [one.type for one in assessment.findings if one.type == "outdated"]
    assert (assessment.verdict, outdated) == (
        (Verdict.SUPPORTED, ["outdated"]) if changed else (Verdict.DISPUTED, [])
    )


def test_a_holder_named_after_the_documents_day_proves_nothing_about_that_day() -> None:
    found = sources({PAGE: NO_MORE}, source(PAGE, published=LATER))
    assert assess(cited(HEAD), found, written=THEN).verdict is Verdict.UNVERIFIABLE
    assert assess(cited(HEAD), found).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("sentence", "published", "outdated"),
    [
        ("The market is worth $50 billion.", date(2023, 1, 1), True),
        ("The market is worth $50 billion.", date(2025, 1, 1), False),
        ("The market was worth $50 billion.", date(2023, 1, 1), False),
        ("The market is worth $50 billion.", None, False),
        ("The bridge is 50 metres long.", date(2023, 1, 1), False),
    ],
)
def test_an_old_source_for_the_present_of_a_market_is_outdated(
    sentence: str, published: date | None, outdated: bool
) -> None:
    found = sources({PAGE: sentence}, source(PAGE, published=published))
    assessment = assess(cited(sentence), found)
    assert assessment.verdict is Verdict.SUPPORTED
    expected = [("outdated", "medium")] if outdated else []
    assert [(f.type, f.severity) for f in assessment.findings] == expected


@pytest.mark.parametrize(
    ("sentence", "text", "verdict"),
    [
        (
            "Die Fähre fuhr 2024 genau 3,5 Stunden.",
            "Die Fähre fuhr 2024 genau 3,5 Stunden.",
            "supported",
        ),
        (
            'Er sagte "das Schiff war nie schuld".',
            "„Das Schiff war nie schuld“, sagte er.",
            "supported",
        ),
        ("Die Fähre fuhr 2024 vier Stunden.", "Die Fähre fuhr 2024 drei Stunden.", "not_checkable"),
        ('Er sagte "das Schiff war nie schuld".', "Nichts davon.", "not_checkable"),
    ],
)
def test_other_languages_are_compared_by_exact_words_alone(
    sentence: str, text: str, verdict: str
) -> None:
    for languages in (("de", "de"), ("en", "de"), ("de", "en")):
        found = sources({PAGE: text}, source(PAGE, language=languages[1]))
        assessment = assess(cited(sentence), found, language=languages[0])
        assert assessment.verdict == verdict
        assert assessment.findings == ()
        assert assessment.unchecked is (verdict == "not_checkable")


def test_an_unknown_language_counts_as_english() -> None:
    found = sources({PAGE: FACT}, source(PAGE, language="und"))
    assert assess(cited(FACT), found, language="und").verdict is Verdict.SUPPORTED
