"""What the passages of a source, taken together, say about the values of a claim."""

from __future__ import annotations

from foureyes.claims.detect import detect_claims
from foureyes.documents.parse import parse_document
from foureyes.verification.judging.alignment import Aligner, Alignment
from foureyes.verification.judging.implied import weighed
from foureyes.verification.model import SlotOutcome
from foureyes.verification.reading.form import claim_form
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.values.slots import SlotMatch
from support.claim_kit import AS_OF, registry

LEXICON = registry().lexicon
MATCH, MISMATCH, ABSENT = SlotOutcome.MATCH, SlotOutcome.MISMATCH, SlotOutcome.ABSENT


def laid(claim: str, source: str) -> list[Alignment]:
    """The claim over each passage of the source."""
    document = parse_document(f"{claim.rstrip('.')} (https://example.org/page).\n")
    (one, *_) = detect_claims(document, LEXICON, as_of=AS_OF)
    index = TextIndex(source, LEXICON)
    aligner = Aligner(claim_form(one, LEXICON), index, LEXICON, registry().verification)
    return weighed(aligner, aligner.alignments())


def slots(claim: str, source: str) -> list[SlotMatch]:
    """What the passage that covers most of the claim offers for each of its values."""
    found = laid(claim, source)
    best = max(found, key=lambda one: (one.coverage, any(m.working for m in one.slots)))
    return list(best.slots)


def test_a_value_beside_other_words_than_the_claims_is_absent() -> None:
    source = (
        "The new bell of Norrvik church weighs 2,400 kilograms.\n\n"
        "Before it came, the tower was strengthened with 24 tonnes of steel."
    )
    (match,) = slots("The new bell of Norrvik church weighs 24 tonnes.", source)
    assert (match.outcome, match.found and match.found.value.text) == (MISMATCH, "2,400 kilograms")


def test_a_difference_is_none_where_the_claimed_value_stands_as_near() -> None:
    source = "The north pier is 40 metres long. The south pier is 55 metres long."
    (match,) = slots("The south pier is 55 metres long.", source)
    assert match.outcome is MATCH


def test_a_total_is_worked_out_from_neighbouring_values() -> None:
    source = "The north pier took 310 ships in May. The south pier took 455. The old one took 240."
    (match,) = slots("The piers took 1,005 ships in May in total.", source)[:1]
    assert (match.outcome, match.working) == (MATCH, "310 + 455 + 240 = 1,005")


def test_points_taken_for_per_cent_are_a_difference() -> None:
    source = "The share of organic farmland was 12 per cent five years ago and is 15 per cent now."
    (match, *_) = slots("The share of organic farmland grew by 3 percent.", source)
    assert (match.outcome, match.working) == (MISMATCH, "12 to 15: 3, or 25 %")


def test_a_duration_is_worked_out_from_its_dates() -> None:
    source = "The reactor began operation on 1 March 1987. Its licence runs out on 1 March 2031."
    (match,) = slots(
        "When its licence runs out, the reactor will have been in operation for 44 years.", source
    )
    assert (match.outcome, match.working) == (MATCH, "1 March 1987 to 1 March 2031: 44 years")


def test_a_change_is_held_against_the_values_that_the_claim_gives_itself() -> None:
    source = "A flat in Wrenfield sold for £216,000 on average, against £180,000 before."
    found = slots("A flat in Wrenfield went up by 30% from £180,000 to £216,000.", source)
    by_text = {match.slot.value.text: match for match in found}
    assert by_text["30%"].outcome is MISMATCH
    assert by_text["30%"].working.endswith("%")
    right = slots("A flat in Wrenfield went up by 20% from £180,000 to £216,000.", source)
    assert all(match.filled for match in right)


def test_the_value_of_another_year_fills_nothing() -> None:
    source = "Whitefish landings on the lake fell to 31 tonnes, against 47 tonnes in 2022."
    match, _ = slots("Whitefish landings on the lake came to 47 tonnes in 2023.", source)
    assert not match.filled


def test_the_same_figure_for_another_thing_is_a_difference() -> None:
    source = "Heating the rooms costs 96 euros per bed and month."
    (match,) = slots("Heating the rooms costs 96 euros per square metre a month.", source)
    assert match.outcome is MISMATCH


def test_the_same_digits_in_another_currency_are_a_difference() -> None:
    source = "In May the park exported panels worth 6.4 million dollars (about 230 million baht)."
    (match, _) = slots("In May the park exported panels worth 6.4 billion baht.", source)
    assert (match.outcome, match.found and match.found.value.text) == (
        MISMATCH,
        "6.4 million dollars",
    )


def test_a_date_is_that_of_the_verb_beside_it() -> None:
    source = "The canal act was passed on 26 May 2021 and came into force on 1 September 2021."
    (match,) = slots("The canal act was passed in September 2021.", source)
    assert (match.outcome, match.found and match.found.value.text) == (MISMATCH, "26 May 2021")
    (match,) = slots("The canal act came into force in September 2021.", source)
    assert match.outcome is not MISMATCH


def test_values_of_two_sentences_are_not_the_other_way_round() -> None:
    source = (
        "The harbour had budgeted for 31,000 guests and hoped for 28,000. "
        "In the end 36,412 came, 900 of them by boat."
    )
    claim = "With 36,412 guests the harbour did better than the 31,000 for which it had budgeted."
    assert not any(alignment.swapped for alignment in laid(claim, source))


def test_a_level_says_nothing_of_a_change() -> None:
    source = "The margin of the group stood at 15 per cent."
    (match,) = slots("The margin of the group rose by 8 per cent.", source)
    assert match.outcome is ABSENT


def test_a_fiscal_year_is_that_of_the_source() -> None:
    source = (
        "The fiscal year of the agency starts on 1 October and is named after the year in which "
        "it ends. In fiscal 2024 the agency planted 61 million seedlings."
    )
    claim = "Between October 2023 and September 2024 the agency planted 61 million seedlings."
    assert all(match.filled for match in slots(claim, source))
    (number, year) = slots("In calendar year 2024 the agency planted 61 million seedlings.", source)
    assert not (number.filled and year.filled)


def test_a_date_without_a_year_is_compared_by_day_and_month() -> None:
    source = "Applications for the grant must reach the office by 31 August."
    (match,) = slots("Applications for the grant must reach the office by 31 October.", source)
    assert match.outcome is MISMATCH
    (match,) = slots(
        "Applications for the grant must reach the office in the third quarter.", source
    )
    assert match.outcome is MATCH
