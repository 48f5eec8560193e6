"""An entry of a table or list, and the line of a source that has the very same words."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.repair.planning import RepairKind, apply_repairs
from support.claim_kit import PAGE, check, sources

FLEET = """Harbour log 2025

SUMMER, per depot
  Tugs                       5
  Pilot boats                3
  Crane                      1  (lent to two yards)

WINTER, per depot
  Tugs                       2
  Pilot boats                3
  Launches                   4
  Tugs, chartered            7
"""
MARKED = """# Fleet

## Summer

- Tugs: 5
- Launches: 1

## Winter

- Tugs: 2
- Launches: 4
"""
ROADS = "Road register\n\nKell to Marsh: 42 km\nKell to Dunmore: 17 km\nTotal: 59 km\n"
WINTER, SUMMER = "Craft in winter", "Craft in summer"


def verdict(row: str, title: str, text: str) -> Verdict:
    """What becomes of a row under `title` whose last cell cites a page with `text`."""
    draft = f"# Report\n\n| Item | {title} | Source |\n|---|---|---|\n| {row} | {PAGE} |\n"
    (assessment,) = check(draft, sources({PAGE: text})).assessments
    return assessment.verdict


@pytest.mark.parametrize(
    ("row", "title", "text"),
    [
        ("Tugs | 2", WINTER, FLEET),
        ("Tugs | 5", SUMMER, FLEET),
        ("Pilot boats | 3", WINTER, FLEET),
        ("Crane (lent to two yards) | 1", SUMMER, FLEET),
        ("Tugs, chartered | 7", WINTER, FLEET),
        ("Tugs | 2", WINTER, MARKED),
        ("Launches | 1", SUMMER, MARKED),
        ("Kell to Marsh | 42", "Length (km)", ROADS),
    ],
)
def test_a_row_is_the_line_with_its_words_under_the_heading_of_its_title(
    row: str, title: str, text: str
) -> None:
    assert verdict(row, title, text) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("row", "title", "text"),
    [
        ("Tugs | 5", WINTER, FLEET),
        ("Tugs | 2", SUMMER, FLEET),
        ("Tugs | 5", WINTER, MARKED),
        ("Launches | 4", SUMMER, MARKED),
    ],
)
def test_the_figure_of_another_heading_contradicts_a_row(row: str, title: str, text: str) -> None:
    assert verdict(row, title, text) is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("row", "title", "text"),
    [
        ("Tugs | 9", WINTER, FLEET),
        ("Crane (lent to three yards) | 1", SUMMER, FLEET),
        ("Crane (lent to two yards) | 2", SUMMER, FLEET),
        ("Ferries | 2", WINTER, FLEET),
        ("Kell to Dunmore | 27", "Length (km)", ROADS),
    ],
)
def test_no_line_bears_out_a_row_with_a_figure_or_words_of_its_own(
    row: str, title: str, text: str
) -> None:
    assert verdict(row, title, text) is not Verdict.SUPPORTED


def test_an_uncited_row_that_a_source_at_hand_bears_out_is_given_its_citation() -> None:
    draft = f"""# Report

| Craft | Number in winter |
|---|---|
| Tugs | 2 |
| Launches | 9 |
| Ferries | 6 |

The harbour log was kept in 2025 ({PAGE}).
"""
    repairs = check(draft, sources({PAGE: FLEET})).repairs
    text = apply_repairs(draft, repairs)
    assert f"| Tugs | 2 ({PAGE}) |" in text
    assert "| Launches | 9 |" in text
    assert "| Ferries | 6 |" in text
    cited = [repair for repair in repairs if repair.automatic and repair.kind is RepairKind.CITE]
    assert len(cited) == 1


def test_a_list_under_a_lead_in_is_read_like_a_table() -> None:
    draft = f"# Report\n\nCraft in winter ({PAGE}):\n\n- Tugs: 2\n- Launches: 9\n"
    report = check(draft, sources({PAGE: FLEET}))
    found = {c.text: a.verdict for c, a in zip(report.claims, report.assessments, strict=True)}
    assert found["Tugs: 2"] is Verdict.SUPPORTED
    assert found["Launches: 9"] is not Verdict.SUPPORTED
