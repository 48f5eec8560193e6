"""Corrections in the words of the claim, at the right place of the document."""

from __future__ import annotations

import pytest
from foureyes.claims.quantity.quantities import find_slots
from foureyes.verification.assessing.corrections import restyle_date, restyle_quantity
from support.claim_kit import PAGE, assess, cited, registry, sources

LEXICON = registry().lexicon


@pytest.mark.parametrize(
    ("claimed", "found", "text"),
    [
        ("$50 billion", "$30 billion", "$30 billion"),
        ("$50 billion", "$30.5 billion", "$30.5 billion"),
        ("$50bn", "30 billion dollars", "$30bn"),
        ("58 percent", "54 per cent", "54 percent"),
        ("58%", "54.25 %", "54.25%"),
        ("12,400 firms", "9800 firms", "9,800"),
        ("5,000 km", "12000 km", "12,000 km"),
        ("some 40 firms", "41 firms", "41"),
        ("3,900 km", "3,900 nautical miles", "3,900 nautical miles"),
        ("five firms", "seven firms", "seven"),
        ("$50 million", "$30 billion", "$30 billion"),
        ("5 million firms", "1,234 firms", "1,234"),
        ("$56 billion", "$56 million", "$56 million"),
        ("$3.5 billion", "$0.4 billion", "$0.4 billion"),
        ("4 %", "3.14159 %", "3.14159 %"),
        ("40 firms", "10–12 firms", "10–12"),
    ],
)
def test_a_number_is_put_as_the_claim_puts_it(claimed: str, found: str, text: str) -> None:
    (left,), (right,) = (find_slots(words, LEXICON)[0] for words in (claimed, found))
    assert restyle_quantity(left, right) == text


@pytest.mark.parametrize(
    ("claimed", "found", "text"),
    [
        ("14 March 2025", "May 14, 2025", "14 May 2025"),
        ("March 14, 2025", "14 May 2025", "May 14, 2025"),
        ("14 Mar 2025", "14 September 2025", "14 Sep 2025"),
        ("14 May 2025", "3 June 2025", "3 June 2025"),
        ("2025-03-14", "14 May 2025", "2025-05-14"),
        ("March 2025", "14 May 2025", "May 2025"),
        ("March 2025", "2024", "2024"),
        ("in 2025", "14 May 2024", "2024"),
        ("Q1 2025", "14 May 2025", "14 May 2025"),
        ("in 2025", "FY2024", "FY2024"),
        ("14 March 2025", "May 2025", "May 2025"),
    ],
)
def test_a_date_is_put_as_the_claim_puts_it(claimed: str, found: str, text: str) -> None:
    (left,), (right,) = (find_slots(words, LEXICON)[1] for words in (claimed, found))
    assert restyle_date(left, right) == text


@pytest.mark.parametrize(
    ("sentence", "page", "corrected"),
    [
        (
            "The *Alma* was built in Ostby on **14 March** 2019.",
            "The Alma was built in Ostby on 14 May 2019.",
            "The *Alma* was built in Ostby on **14 May 2019.",
        ),
        (
            "The mean crossing took 63 minutes in 2024.",
            "In 2024 the mean crossing took 45 minutes.",
            "The mean crossing took 45 minutes in 2024.",
        ),
        (
            'The head, Ida Moen, said: "The old pumps always ran well."',
            '"The old pumps never ran well, to be fair," the head, Ida Moen, said.',
            'The head, Ida Moen, said: "The old pumps never ran well."',
        ),
        (
            "The Lasso interceptor is made by Delmar\nDynamics.",
            "The Lasso interceptor is made by Rautio Systems.",
            "The Lasso interceptor is made by Rautio Systems.",
        ),
        (
            "Delays were shorter in winter than in summer.",
            "Delays were LONGER in winter than in summer.",
            "Delays were longer in winter than in summer.",
        ),
    ],
)
def test_the_correction_stands_where_the_document_errs(
    sentence: str, page: str, corrected: str
) -> None:
    draft = cited(sentence)
    (finding,) = assess(draft, sources({PAGE: page})).findings
    fix = finding.correction
    assert fix is not None
    assert draft[: fix.start] + fix.replacement + draft[fix.end :] == cited(corrected)
    assert fix.replacement in finding.recommendation


@pytest.mark.parametrize(
    ("sentence", "page", "corrected"),
    [
        ("The stock of cod declined by 9%.", "The stock of cod rose by 9%.", "rose"),
        ("The stock of cod fell by 9%.", "The stock of cod went up by 9%.", None),
        ("The cod saw a decline of 9%.", "The cod saw an increase of 9%.", "an increase"),
        ("The cod saw a decline of 9%.", "The cod increased by 9%.", None),
        ("Catches went up by 9% in 2024.", "Catches fell by 9% in 2024.", None),
        ("Catches went up by 9% in 2024.", "Catches went down by 9% in 2024.", "down"),
    ],
)
def test_a_turn_is_corrected_only_where_the_word_of_the_source_fits(
    sentence: str, page: str, corrected: str | None
) -> None:
    (finding,) = assess(cited(sentence), sources({PAGE: page})).findings
    fix = finding.correction
    assert (fix.replacement if fix else None) == corrected


@pytest.mark.parametrize(
    ("sentence", "page"),
    [
        (
            "Delays were shorter in winter than in summer.",
            "Delays were longer in winter than in summer, longer than ever.",
        ),
        (
            "The budget gives 418 crowns for hulls and 265 crowns for engines.",
            "The budget gives 265 crowns for hulls and 418 crowns for engines.",
        ),
    ],
)
def test_nothing_is_corrected_unless_one_part_differs(sentence: str, page: str) -> None:
    (finding,) = assess(cited(sentence), sources({PAGE: page})).findings
    assert finding.type in ("verified_false", "numeric_error")
    assert finding.correction is None


@pytest.mark.parametrize(
    ("row", "page", "corrected"),
    [
        (
            "| Range | 3,900 kilometres at 14 knots |",
            "| Range | 3,900 nautical miles at 14 knots |",
            "| Range | 3,900 nautical miles at 14 knots |",
        ),
        ("| Length | 62 metres |", "| Length | 58 metres |", "| Length | 58 metres |"),
        ("| Opened | 14 March 2019 |", "| Opened | May 14, 2019 |", "| Opened | 14 May 2019 |"),
        ("| Range | 90 km at 14 knots |", "| Range | 80 km at 15 knots |", None),
    ],
)
def test_a_row_is_corrected_by_the_row_of_its_source(
    row: str, page: str, corrected: str | None
) -> None:
    draft = f"| Item | Value | Source |\n|---|---|---|\n{row} {PAGE} |\n"
    table = f"The Alma\n\n| Item | Value |\n|---|---|\n| Crew | 34 people |\n{page}\n"
    (finding,) = assess(draft, sources({PAGE: table})).findings
    fix = finding.correction
    after = draft[: fix.start] + fix.replacement + draft[fix.end :] if fix else None
    assert after == (draft.replace(row, corrected) if corrected else None)
