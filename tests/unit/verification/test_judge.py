"""A claim is judged by what is proved first, then by what is read and checked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Verdict
from foureyes.datatypes import Basis
from foureyes.verification.exact.model import Judgement
from foureyes.verification.judge import judge
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.model import NoReader
from support.claim_kit import cited, claims_of, registry

PAGE = """# Port of Ostrand, third quarter of 2025

Ship calls rose to 826 from July to September, 19 more than a year before. Ferries made 412 of them.
The speed limit in the inner harbour has been lowered to 8 knots to reduce wash along the Long Mole.
"The harbour is busier than ever," said the harbour master, Lena Farrow. The board will decide on a
second crane in January.

| Type | Q3 2024 | Q3 2025 |
|---|---|---|
| Container | 171 | 188 |
| Tanker | 102 | 94 |
"""


def judged(sentence: str, page: str = PAGE, *, read: bool = True) -> Judgement:
    (claim,) = claims_of(cited(sentence))
    rules = registry() if read else registry().with_reader(NoReader())
    return judge(claim, SourceText(page, rules.lexicon), rules)


@pytest.mark.parametrize(
    "sentence",
    [
        "The speed limit in the inner harbour has been lowered to 9 knots to reduce wash along the"
        " Long Mole.",
        "The harbour master said that “the harbour is quieter than ever”.",
    ],
)
@pytest.mark.parametrize("read", [True, False])
def test_an_edited_figure_or_quotation_is_proved_wrong_with_and_without_a_reader(
    sentence: str, read: bool
) -> None:
    found = judged(sentence, read=read)
    assert (found.verdict, found.basis) == (Verdict.CONTRADICTED, Basis.PROVED)
    assert found.decided


def test_a_sentence_that_stands_there_is_supported_by_its_words_alone() -> None:
    found = judged("Ship calls rose to 826 from July to September, 19 more than a year before.")
    assert (found.verdict, found.basis) == (Verdict.SUPPORTED, Basis.EXACT)


def test_a_sentence_that_the_source_denies_is_not_supported_by_standing_there() -> None:
    page = "# Rumours\n\nFerries made 412 calls in the third quarter. That is not true.\n"
    found = judged("Ferries made 412 calls in the third quarter.", page)
    assert found.verdict is not Verdict.SUPPORTED


def test_a_reworded_claim_is_read_and_its_figures_are_found() -> None:
    found = judged("Ship calls rose to 826 in the months from July to September.")
    assert (found.verdict, found.basis) == (Verdict.SUPPORTED, Basis.READ_AND_EXACT)
    assert "826" in PAGE[found.start : found.end]
    assert found.probabilities is not None
    assert found.probabilities.reasons


def test_a_number_with_another_unit_is_wrong_though_the_reader_overlooks_it() -> None:
    page = (
        "# Barn\n\nThe batteries of the old buses stand in the barn. All together, they hold 1,820"
        " kWh, enough for a small village.\n"
    )
    found = judged("Together they store 1,820 MWh.", page)
    assert (found.verdict, found.basis) == (Verdict.CONTRADICTED, Basis.READ)
    assert found.reason == "source: 1,820 kWh; claim: 1,820 MWh"


@pytest.mark.parametrize(
    ("sentence", "page"),
    [
        ("Fry are fed 8-10 times a day.", "Fry need small meals, from eight to ten every day."),
        ("Nobody may fly solo with fewer than 40 launches.", "A solo needs at least 40 launches."),
        ("The club met on the 11th.", "| Day | Met |\n|---|---|\n| 2024-08-11 | the club |"),
        ("The plan of the club begins in 2024.", "The club has a plan for 2024–2026."),
    ],
)
def test_a_figure_that_stands_there_in_another_form_is_not_said_to_be_missing(
    sentence: str, page: str
) -> None:
    assert "does not state" not in judged(sentence, page).reason


def test_what_is_only_read_as_contradicted_may_be_lifted() -> None:
    page = "# Pier\n\nThe new pier has not opened. Its opening was put off to next year.\n"
    found = judged("The new pier of Ostrand has opened to visitors.", page)
    assert found.verdict is not Verdict.SUPPORTED
    assert not found.decided


def test_without_a_passage_on_it_the_claim_is_unverifiable() -> None:
    found = judged("Zebras graze in Kenya by the thousands, 90,000 of them.")
    assert found.verdict is Verdict.UNVERIFIABLE
    assert not found.decided


def test_a_derived_figure_is_supported_with_its_working() -> None:
    found = judged("Tanker calls fell by eight, from 102 to 94.")
    assert found.verdict is not Verdict.CONTRADICTED
    working = {slot.claimed: slot.found for slot in found.slots}
    assert working["eight"] == "102 − 94 = 8"


@pytest.mark.parametrize(("fewer", "verdict"), [(35, "supported"), (45, "contradicted")])
def test_a_difference_in_place_of_the_other_figure_is_worked_out(fewer: int, verdict: str) -> None:
    page = "In 2024 there were 212 crashes involving a cyclist, compared with 247 in 2023.\n"
    found = judged(
        f"In 2024 there were 212 crashes involving a cyclist, {fewer} fewer than in 2023.", page
    )
    assert found.verdict == verdict


def test_equal_texts_get_equal_judgements() -> None:
    sentence = "In the third quarter 826 ships called at Ostrand."
    assert judged(sentence) == judged(sentence)


def test_a_number_of_other_things_is_no_contrary() -> None:
    page = "# Station\n\nIts 24 turbines have a capacity of 96 megawatts.\n"
    found = judged("The station employs 140 people.", page)
    assert found.verdict is not Verdict.CONTRADICTED


RUMOUR = """# Rumours of the week

A message that was shared 40,000 times says: Olm Foods recalled all its honey in May 2024.

The agency for food knows of no recall, and the firm says its honey is on sale everywhere.
"""
RECALL = """# Recalls of the week

Olm Foods recalled all its honey in May 2024.

The agency for food confirms the recall, and the firm says its honey is off sale everywhere.
"""


@pytest.mark.parametrize(
    ("page", "verdict"), [(RUMOUR, Verdict.UNVERIFIABLE), (RECALL, Verdict.SUPPORTED)]
)
def test_a_passage_supports_only_what_its_page_bears_out(page: str, verdict: Verdict) -> None:
    rules = registry()
    fitted = rules.decision.with_reader
    limits = fitted.thresholds.model_copy(update={"page": 0.5})
    careful = fitted.model_copy(update={"thresholds": limits})
    rules = replace(rules, decision=rules.decision.model_copy(update={"with_reader": careful}))
    (claim,) = claims_of(cited("Olm Foods recalled all its honey in May 2024."))
    assert judge(claim, SourceText(page, rules.lexicon), rules).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "page", "another"),
    [
        ("Rune Falk is the mayor of Osk.", "The mayor of Osk is Ann Roe.", True),
        ("Rune Falk is the mayor of Osk.", "Ann Roe, a lawyer, is the mayor of Osk.", True),
        ("The mayor of Osk is R. Falk.", "Rune Falk is the mayor of Osk.", False),
        ("The mayor of Osk is Bob Falk.", "Robert Falk is the mayor of Osk.", False),
        ("The largest shop is IGW.", "Inland Grain Works is the largest shop.", False),
        ("Rune Falk is the mayor of Osk.", "Ann Roe is the mayor of Arn.", False),
        (
            "Portsmouth Naval Shipyard is the oldest shipyard in the country.",
            "The Norfolk Naval Shipyard, built in 1767, is the oldest shipyard in the country.",
            True,
        ),
    ],
)  # fmt: skip
def test_the_only_one_of_its_kind_is_not_another_one(claim: str, page: str, another: bool) -> None:
    assert (judged(claim, page).verdict is Verdict.CONTRADICTED) is another


def test_who_somebody_is_may_be_said_from_either_end() -> None:
    found = judged("The mayor of Osk is Rune Falk.", "Rune Falk is the mayor of Osk.")
    assert (found.verdict, found.basis) == (Verdict.SUPPORTED, Basis.EXACT)
