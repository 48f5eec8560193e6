"""What is to be done about each finding."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Finding, IssueType, Repair, ReviewCriterion, Severity, Verdict
from foureyes.datatypes import CheckReport, ClaimAssessment, RepairKind, SourceState
from foureyes.documents.parse import parse_document
from foureyes.verification.check import check_document
from foureyes.verification.elsewhere import OtherSources
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.repair.planning import apply_repairs, changes, plan_repairs, quoted
from support.claim_kit import AS_OF, PAGE, check, cited, claims_of, registry, source, sources

OTHER, GONE = "https://example.net/log", "https://example.com/gone"
TEXT = (
    "Log of the ferry\n\nThe mean crossing took 45 minutes. The ferry made 200 calls at Norrvik in "
    "May 2024. The hull of the ferry was built by Vastervik Works. The pier was opened on 14 May "
    "2019. “We sail in all weathers and carry every sort of freight,” said the captain. Olden "
    "Marine painted it."
)
PAGES = {PAGE: "A page about cheese.", OTHER: TEXT}
DEAD = source(GONE, SourceState.DEAD)
CLOSED, SLOW = "https://paper.example/a", "https://slow.example/a"
UNREAD = (DEAD, source(CLOSED, SourceState.PAYWALLED), source(SLOW, SourceState.TIMEOUT))


def report(draft: str, pages: dict[str, str] = PAGES) -> CheckReport:
    return check(draft, sources(pages, *UNREAD))


def repaired(draft: str, pages: dict[str, str] = PAGES) -> tuple[Repair, str]:
    """The only repair of a draft, and the draft after it."""
    (repair,) = report(draft, pages).repairs
    return repair, apply_repairs(draft, [repair])


CALLS = "The ferry made 200 calls at Norrvik in May 2024"
AUTOMATIC = [
    (
        "a number",
        cited("The ferry made 260 calls at Norrvik in May 2024.", OTHER),
        cited("The ferry made 200 calls at Norrvik in May 2024.", OTHER),
    ),
    (
        "a date",
        cited("The pier was opened on 14 March 2019.", OTHER),
        cited("The pier was opened on 14 May 2019.", OTHER),
    ),
    (
        "a date in part in bold type",
        cited("The pier was opened on **14 March** 2019.", OTHER),
        cited("The pier was opened on **14 May** 2019.", OTHER),
    ),
    (
        "a name",
        cited("The hull of the ferry was built by Olden Marine.", OTHER),
        cited("The hull of the ferry was built by Vastervik Works.", OTHER),
    ),
    (
        "a quotation",
        cited(
            "The captain said that “we sail in most weathers and carry every sort of freight”.",
            OTHER,
        ),
        cited(
            "The captain said that “We sail in all weathers and carry every sort of freight”.",
            OTHER,
        ),
    ),
    (
        "a missing citation",
        "The mean crossing took 45 minutes.\n",
        f"The mean crossing took 45 minutes ({OTHER}).\n",
    ),
    (
        "a missing citation, with the label there is",
        f"{CALLS} [4].\n\n## Time\n\nThe mean crossing took 45 minutes.\n\n[4] <{OTHER}>\n",
        f"{CALLS} [4].\n\n## Time\n\nThe mean crossing took 45 minutes [4].\n\n[4] <{OTHER}>\n",
    ),
    (
        "a source that does not state it",
        cited("The mean crossing took 45 minutes.", PAGE),
        f"The mean crossing took 45 minutes ({PAGE}) ({OTHER}).",
    ),
    (
        "a dead citation",
        cited("The mean crossing took 45 minutes.", GONE),
        cited("The mean crossing took 45 minutes.", OTHER),
    ),
    (
        "a dead citation by its label",
        f"The mean crossing took 45 minutes [1].\n\n[1] <{GONE}>\n",
        f"The mean crossing took 45 minutes ({OTHER}).\n\n[1] <{GONE}>\n",
    ),
    (
        "a dead source in a note behind the stop",
        f"The mean crossing took 45 minutes.[^1]\n\n[^1]: <{GONE}>\n",
        f"The mean crossing took 45 minutes. ({OTHER})\n\n[^1]: <{GONE}>\n",
    ),
    (
        "a citation of a closed page",
        cited("The mean crossing took 45 minutes.", CLOSED),
        cited("The mean crossing took 45 minutes.", OTHER),
    ),
    (
        "a citation without an address",
        "The mean crossing took 45 minutes [9].\n\n[9] Marek, I. (2020). The log.\n",
        f"The mean crossing took 45 minutes ({OTHER}).\n\n[9] Marek, I. (2020). The log.\n",
    ),
]


@pytest.mark.parametrize(("what", "draft", "after"), AUTOMATIC, ids=[c[0] for c in AUTOMATIC])
def test_what_one_source_settles_is_repaired_automatically(
    what: str, draft: str, after: str
) -> None:
    repair, text = repaired(draft)
    assert repair.automatic
    assert text == after
    assert repair.source == OTHER
    assert repair.quote in TEXT
    assert repair.instruction == f"{repair.action} ({OTHER}: {quoted(repair.quote)})"
    assert not report(after).repairs


MANUAL = [
    ("a number without a source", "The crew numbers 34 people.\n", RepairKind.CITE, "own estimate"),
    ("a statement without a source", "The law of 1990 is in force.\n", RepairKind.REPHRASE, "view"),
    (
        "an own result",
        "Our pilot with 500 guests showed a 73 % improvement.\n",
        RepairKind.REMOVE,
        "remove the result",
    ),
    ("a silent source", cited("The crew numbers 34 people.", OTHER), RepairKind.CITE, "states 34"),
    (
        "a source without the date",
        cited("The mean crossing took 45 minutes in 1998.", OTHER),
        RepairKind.CITE,
        "states 1998",
    ),
    ("a dead source", cited("The crew numbers 34 people.", GONE), RepairKind.CITE, "working"),
    (
        "an uncited claim that a source at hand contradicts",
        "The mean crossing took 55 minutes.\n",
        RepairKind.CORRECT,
        "a source at hand says otherwise (source: 45 minutes; claim: 55 minutes",
    ),
    (
        "two values that differ",
        cited("The ferry made 260 calls at Norrvik in May 2019, all of them in 9 weeks.", OTHER),
        RepairKind.CORRECT,
        "what the source says",
    ),
    (
        "a value that the source gives twice and differently",
        cited("The mill at Lenk has 40 looms.", "https://example.org/mill"),
        RepairKind.CORRECT,
        "what the source says",
    ),
    (
        "a value that the source only quotes",
        cited("The mill at Osk has 40 looms.", "https://example.org/osk"),
        RepairKind.CORRECT,
        "replace “40” with “30”",
    ),
    (
        "a name where the source has both",
        cited("Ida Wolk runs the mill at Enna.", "https://example.org/enna"),
        RepairKind.CORRECT,
        "replace “Enna” with “Ulm”",
    ),
    (
        "own figures that do not add up",
        cited("The club repaired 48 of 60 boats, or 85 percent.", "https://example.org/own"),
        RepairKind.CORRECT,
        "correct the result",
    ),
]


@pytest.mark.parametrize(("what", "draft", "kind", "words"), MANUAL, ids=[c[0] for c in MANUAL])
def test_everything_else_is_left_to_a_person_with_a_precise_instruction(
    what: str, draft: str, kind: RepairKind, words: str
) -> None:
    pages = {
        **PAGES,
        "https://example.org/own": "The club repaired 48 of 60 boats, or 85 percent.",
        "https://example.org/mill": (
            "# 1990\n\nThe mill at Lenk has 30 looms.\n\n# 2020\n\nThe mill at Lenk has 45 looms."
        ),
        "https://example.org/enna": (
            "Jan Orth runs the mill at Enna. Ida Wolk runs the mill at Ulm."
        ),
        "https://example.org/osk": "A wrong sentence is: “The mill at Osk has 30 looms.”",
    }
    repair, text = repaired(draft, pages)
    assert (repair.automatic, repair.kind) == (False, kind)
    assert words in repair.action
    assert text == draft


def test_a_source_on_another_bridge_does_not_stand_in_the_way() -> None:
    draft = "The bridge at Corrin was opened on 3 June 2014.\n"
    pages = {
        OTHER: "On 3 June 2014 the bridge at Corrin was opened.",
        PAGE: "The bridge at Halden was opened on 5 May 2008.",
    }
    repair, text = repaired(draft, pages)
    assert (repair.source, text) == (OTHER, draft.replace("2014.", f"2014 ({OTHER})."))
    against, _ = repaired(draft, {**pages, PAGE: "The bridge at Corrin was opened on 5 May 2014."})
    assert (against.source, against.automatic) == (PAGE, False)


def test_a_row_is_not_held_against_the_tables_of_other_sources() -> None:
    draft = "| Staff | Number |\n|---|---|\n| Nurses | 4 |\n"
    other = "| Staff | Number |\n|---|---|\n| Nurses | 6 |\n"
    repair, _ = repaired(draft, {OTHER: other})
    assert (repair.kind, repair.source) == (RepairKind.CITE, "")


def test_a_disputed_claim_is_to_be_told_as_such() -> None:
    draft = cited("The mean crossing took 45 minutes.", OTHER, PAGE)
    repair, _ = repaired(draft, {OTHER: TEXT, PAGE: TEXT.replace("45", "65")})
    assert repair.kind is RepairKind.QUALIFY
    assert "disagree" in repair.action
    assert repair.source == PAGE


def test_findings_ask_for_what_the_repair_says() -> None:
    found = report(cited("The ferry made 260 calls at Norrvik in May 2024.", OTHER))
    (finding,), (repair,) = found.findings, found.repairs
    assert finding.recommendation == repair.instruction
    assert finding.correction == repair.correction
    assert (repair.finding_id, repair.claim_id) == (finding.id, finding.claim_id)


def test_a_source_that_is_the_document_is_not_offered() -> None:
    draft = parse_document("The mean crossing took 45 minutes.\n")
    found = check_document(
        draft, sources({OTHER: TEXT}), registry(), as_of=AS_OF, not_citable={OTHER}
    )
    assert [repair.source for repair in found.repairs] == [""]


def test_nothing_is_repaired_automatically_in_another_language() -> None:
    draft = (
        "Die Fähre hat im Mai in Norrvik 200 Anläufe gemacht. Die mittlere Überfahrt dauerte 45 "
        "Minuten, und der Rumpf wurde von einer Werft im Süden des Landes gebaut.\n"
    )
    assert not any(repair.automatic for repair in report(draft).repairs)


def test_a_citation_that_leads_nowhere_beside_one_that_can_be_read_is_left_to_a_person() -> None:
    draft = f"The mean crossing took 45 minutes [9] ({PAGE}).\n\n[9] Marek, I. (2020). The log.\n"
    assert [repair.automatic for repair in report(draft).repairs] == [True, False]
    assert len(changes(report(draft).repairs)) == 1


def test_the_parts_of_one_sentence_share_the_mark_that_states_them_all() -> None:
    both = "The mean crossing took 45 minutes, and the pier was opened on 14 May 2019.\n"
    repairs = report(both).repairs
    assert apply_repairs(both, repairs) == both.replace("2019.", f"2019 ({OTHER}).")
    other = "The mean crossing took 45 minutes, and the crew numbers 34 people.\n"
    assert not changes(report(other).repairs)


def test_of_two_changes_of_one_place_the_first_stands() -> None:
    one = Repair(RepairKind.CORRECT, "f-1", "c-1", 4, 7, "two", "a", "b", automatic=True)
    other = Repair(RepairKind.CORRECT, "f-2", "c-2", 5, 9, "x", "a", "b", automatic=True)
    assert apply_repairs("The one day.", [other, one]) == "The two day."


@pytest.mark.parametrize("type_", [*IssueType, *ReviewCriterion])
def test_every_type_of_finding_has_a_repair(type_: IssueType | ReviewCriterion) -> None:
    document = parse_document("The crew numbers 34 people.\n")
    (claim,) = claims_of(document.text)
    finding = Finding(
        "f-1", Severity.LOW, type_, claim.text, "wrong", origin="x", recommendation="do better"
    )
    answer = ClaimAssessment(claim.id, Verdict.UNVERIFIABLE, claim.citation_state, "no")
    index = SourceIndex(sources({}), registry().lexicon)
    judged = [replace(answer, findings=(finding,))]
    (repair,) = plan_repairs(
        document, [claim], judged, OtherSources(index, registry()), written=None
    )
    assert repair.action
    assert not repair.automatic


def test_a_long_quote_is_cut() -> None:
    assert quoted("a\n b") == "“a b”"
    assert len(quoted("word " * 100)) == 300 + 2


WORKS = "The northern works pumped 6,837 megalitres in 2021. The southern works pumped 1,237 then."


@pytest.mark.parametrize(
    ("draft", "after"),
    [
        (
            "In 2021 the northern works pumped 1,237 megalitres and the southern works 6,837.",
            "In 2021 the northern works pumped 1,237 megalitres and the southern works 6,837.",
        ),
        (
            "The northern works pumped 5,500 megalitres in 2021.",
            "The northern works pumped 6,837 megalitres in 2021.",
        ),
    ],
    ids=["names or values", "one value"],
)
def test_a_sentence_is_mended_only_where_one_thing_in_it_differs(draft: str, after: str) -> None:
    text = cited(draft, OTHER)
    repairs = report(text, {OTHER: WORKS}).repairs
    assert apply_repairs(text, repairs) == cited(after, OTHER)


@pytest.mark.parametrize(
    ("page", "automatic"),
    [
        ("Of the 4,609 sleepers that Tamarin has to lay, 333 have been laid.", False),
        ("Tamarin still has 4,276 sleepers to lay.", True),
    ],
)
def test_what_is_left_is_not_corrected_to_what_there_was(page: str, automatic: bool) -> None:
    (repair,) = report(
        cited("Tamarin still has 3,635 sleepers to lay.", OTHER), {OTHER: page}
    ).repairs
    assert repair.automatic is automatic


def test_a_page_that_does_not_answer_for_now_stays_cited() -> None:
    repair, text = repaired(cited("The mean crossing took 45 minutes.", SLOW))
    assert repair.automatic
    assert text == f"The mean crossing took 45 minutes ({SLOW}) ({OTHER})."
