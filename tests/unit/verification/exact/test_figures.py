"""Each figure of a claim is equal, rounded, derived, different or absent in a passage."""

from __future__ import annotations

import pytest
from foureyes.datatypes import SlotOutcome
from foureyes.verification.exact.derivation import check_figure
from foureyes.verification.exact.model import FigureCheck
from foureyes.verification.passages.figures import find_figures
from foureyes.verification.registry import load_registry

REGISTRY = load_registry()
TABLE = "- Type: Container; 2024: 171; 2025: 188\n- Type: Total; 2024: 807; 2025: 826"


def check(claim: str, passage: str) -> list[FigureCheck]:
    lexicon = REGISTRY.lexicon
    claimed, found = find_figures(claim, lexicon), find_figures(passage, lexicon)
    numbers = REGISTRY.verification.numbers
    return [check_figure(one, found, lexicon, numbers) for one in claimed]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("826 ships called.", TABLE),
        ("They ran 26 miles.", "The course is 42 km long, or 26 miles."),
        ("It cost 1.5 million euros.", "It cost €1,500,000."),
        ("It opened in May 2024.", "It opened on 4 May 2024."),
        ("The figure is for 2025.", TABLE),
        ("Approved budget: 27.5.", "The budget is 27.5 million marks."),
        ("They lost 12.5 million crowns.", "- Club: All; Result before tax: −12.5"),
        ("It closes at 10 pm.", "Open until 22:00."),
        ("It started at 9.30 a.m.", "- time: 09:30; source: pager"),
        ("Revenue was 296 million.", "- Club: All; Revenue: 296.0"),
        ("At 32 degrees water is due.", "Where the index is 32 °C, water is due."),
        ("They received 12 cents a share.", "A dividend of €0.12 a share was paid."),
        ("None had more than 18% covered.", "Arrays covered 3 to 18% of the surface."),
        ("One field in fourteen failed.", "Last season 7% of the fields failed."),
        ("They asked in February 2025.", "Port, 4 April 2025. They asked on nights in February."),
    ],
)
def test_a_printed_figure_is_found(claim: str, passage: str) -> None:
    assert all(one.is_printed for one in check(claim, passage))


@pytest.mark.parametrize(
    ("claim", "passage", "change"),
    [
        ("It handled 3.05 million tonnes.", "It handled 2.91 million tonnes.", 0.048),
        ("The limit is 8 km/h.", "The limit is 8 knots.", -0.46),
        ("At 34 degrees water is due.", "Where the index is 32 °C, water is due.", 0.06),
        ("One field in twelve failed.", "Last season 7% of the fields failed.", 0.19),
    ],
)
def test_a_different_figure_of_the_same_sort_is_named(
    claim: str, passage: str, change: float
) -> None:
    (found,) = check(claim, passage)
    assert found.outcome is SlotOutcome.MISMATCH
    assert found.change == pytest.approx(change, abs=0.01)


def test_a_figure_of_a_sort_that_the_passage_lacks_is_absent() -> None:
    (found,) = check("It weighs 40 kg.", "It was built in 1990.")
    assert (found.outcome, found.found) == (SlotOutcome.ABSENT, None)
