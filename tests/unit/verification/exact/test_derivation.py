"""A figure that no passage prints may follow from others, more or less likely by accident."""

from __future__ import annotations

import pytest
from foureyes.verification.exact.derivation import Operands, derive
from foureyes.verification.exact.model import Derivation
from foureyes.verification.passages.figures import column_totals, find_figures
from foureyes.verification.passages.units import split_units
from foureyes.verification.registry import load_registry

REGISTRY = load_registry()
LEXICON = REGISTRY.lexicon
TABLE = "- Type: Container; 2024: 171; 2025: 188\n- Type: Total; 2024: 807; 2025: 826"


def derivation(claim: str, passage: str) -> Derivation | None:
    (value,) = find_figures(claim, LEXICON)
    operands = Operands(find_figures(passage, LEXICON), [passage])
    return derive(value, claim, operands, LEXICON, REGISTRY.verification.numbers)


@pytest.mark.parametrize(
    ("claim", "passage", "working"),
    [
        ("That is 19 more than a year before.", TABLE, "826 − 807 = 19"),
        ("Container calls rose by about a tenth.", TABLE, "171 to 188 = 9.94"),
        ("The scheme lacks 135 million.", "Assets: 3,620. Liabilities: 3,755.", "= 135"),
        (
            "It bears about 60 per cent.",
            "It costs 4.2 million crowns; the fund 2.5 million.",
            "59.5",
        ),
        ("There are 1.4 members each.", "Members: 21,300. Pensioners: 14,900.", "1.43"),
        ("It is a rise of 50 per cent.", "The fee was 20 crowns and is 30 crowns.", "20 to 30"),
        ("It fell by a third.", "The fee was 30 crowns and is 20 crowns.", "30 to 20"),
        ("Together they make 997 calls.", TABLE, "171 + 826 = 997"),
        ("It took 76 days.", "Reported on 2 July 2024, public on 16 September.", "= 76"),
        ("They waited four years.", "It was ordered in 2019 and came in 2023.", "= 4"),
        ("The bus takes 21 minutes longer.", "The bus takes 52 minutes; the train 31.", "= 21"),
        ("Rooms were 0.7 degrees warmer.", "They had 20.1 °C, against 19.4 °C before.", "= 0.7"),
        ("It lasted 95 minutes.", "Down at 07:42, up again at 09:17.", "09:17 − 07:42 = 95"),
        ("The region bears 17.4 million euros.", "It bears 30 % of 58 million euros.", "30 %"),
        ("Buses cost 920,400 crowns.", "312 sessions at 2,950 crowns each.", "312 × 2,950"),
        ("Output fell by 6 per cent.", "It was 4,905 MWh and is 4.612 GWh.", "4,905 to 4,612"),
        ("1,720 were lost.", "Of 61,400 gifts 57,900 were given and 1,780 kept.", "− 1,780"),
        (
            "It put on 46 per cent itself.",
            "63 plays: 22 by guests, 29 by its own players.",
            "29 / 63",
        ),
        ("They paid 42 per cent.", "Sponsors 48 %, towns 30 %, the region 12 %.", "30 + 12"),
        ("15% saw no difference.", "54% liked it better, 31% liked it less.", "100 − 54 − 31"),
        ("A pallet has 720 bags.", "Cases of 12 bags, 60 cases a pallet.", "12 × 60"),
        ("It had 5.00 francs a head.", "Grants came to 24.0 and heads to 4.8.", "24 / 4.8"),
        (
            "The net gain is 5.8 million.",
            "Cost 9.4 million francs, gain 15.2 million francs.",
            "9,400,000",
        ),
        ("The change is -20,700.", "Budget: 118,000; spent: 97,300", "118,000 − 97,300"),
        ("Nearly nine in ten came.", "Of 1,174 guests, 1,021 came.", "1,021 / 1,174"),
        (
            "It is about nine times as much.",
            "One cost 186,000 crowns, one 1.7 million crowns.",
            "9.14",
        ),
    ],
)
def test_a_figure_follows_by_one_step(claim: str, passage: str, working: str) -> None:
    found = derivation(claim, passage)
    assert found is not None
    assert working in found.working


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("About 1,100 ships called.", TABLE),
        ("It weighs 40 kg.", "It was 12 m long and cost 52 euros."),
        ("It took 40 minutes.", "It is 52 km long; 12 people work there."),
        ("The seven plants ran.", "One gave 2.4 and one 4.86."),
        ("The first two sites ran.", "One holds 620 places and one 280."),
        ("It is a rise of 33 per cent.", "The fee was 20 crowns and is 30 crowns."),
        ("It is a fall of 50 per cent.", "The fee was 30 crowns and is 20 crowns."),
        ("It is a rise of 33 per cent.", "After three seasons there are four more."),
        ("It ends in 2027.", "It began in 2009 and runs for 20 years."),
        ("It opened in May 2024.", "Begun in May 2022, it took two years."),
    ],
)
def test_what_does_not_come_out_or_is_of_another_unit_does_not_follow(
    claim: str, passage: str
) -> None:
    assert derivation(claim, passage) is None


def test_a_coarse_figure_among_many_fits_by_accident_more_likely_than_a_fine_one() -> None:
    fine = derivation("It rose by 9.94 per cent.", TABLE)
    coarse = derivation("It rose by about 10 per cent.", TABLE)
    assert fine is not None
    assert coarse is not None
    assert 0 <= fine.chance < coarse.chance <= 1


def test_a_column_of_a_table_has_a_total() -> None:
    table = (
        "| Club | Loss | Debt |\n|---|---|---|\n| A | 1.5 | 7 |\n| B | 2.0 | – |\n| C | 4.1 | 9 |\n"
    )
    (total,) = column_totals(split_units(table), LEXICON)
    assert (float(total.low), total.text) == (7.6, "1.5 + 2.0 + 4.1 = 7.6")


@pytest.mark.parametrize(
    "rows", ["| A | 1.5 |\n| B | 2.0 |", "| A | 1 km |\n| B | 2 kg |\n| C | 3 |"]
)
def test_two_rows_or_mixed_units_have_no_total(rows: str) -> None:
    assert not column_totals(split_units(f"| Club | Loss |\n|---|---|\n{rows}\n"), LEXICON)
