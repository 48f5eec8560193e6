"""Figures of a source: those in brackets, times of day, and table cells with their units."""

from __future__ import annotations

import pytest
from foureyes.claims.model import Figure
from foureyes.verification.passages.figures import find_figures, find_row_figures
from foureyes.verification.registry import load_registry

LEXICON = load_registry().lexicon


def shown(figures: tuple[Figure, ...]) -> list[str]:
    return [figure.text for figure in figures]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Electricians 410 (358), carers 620 (576).", ["410", "358", "620", "576"]),
        ("Rents are highest in the Old Town (15.20) [3], says the report (4).", ["15.20"]),
        ("It began at 14:20 and ended at 3.30 p.m.", ["14:20", "3.30 p.m"]),
        ("She ran it in 2:45 and won the set 6:21, until 9:30.", ["9:30"]),
        ("It is open from 9 am to 10 pm.", ["9 am", "10 pm"]),
        ("It won 3:1 with a screen of 16:10.", ["3:1", "16:10"]),
        ("The record is of 2024-05-03T10:15:00Z.", ["2024-05-03"]),
    ],
)
def test_figures_of_a_sentence(text: str, figures: list[str]) -> None:
    assert shown(find_figures(text, LEXICON)) == figures


@pytest.mark.parametrize(
    ("row", "figures"),
    [
        ("- Plant: All; Output 2024 (MWh): 4,612", ["2024", "4,612 MWh"]),
        (
            "- Average stay (minutes); 2021: 81; 2024: 94",
            ["2021", "81 minutes", "2024", "94 minutes"],
        ),
        ("- Income; Million crowns: 6.05", ["6.05 Million crowns"]),
        ("- Part; Lead time, in weeks: 31; Price: 4 euros", ["31 weeks", "4 euros"]),
        ("- Depth (m): 10; Temperature: 12; Salinity: 35", ["10 m", "12", "35"]),
        ("- Part (old); Number (2024): 31", ["2024", "31"]),
        ("- Item: Paths; 2024 (EUR million): 6.2", ["2024", "EUR 6.2 million"]),
        ("- Item: Paths; 2024 (€m): 6.2", ["2024", "€6.2m"]),
        ("- Item: Paths; Cost ($000): 6.2", ["$6.2 thousand"]),
        ("- Item: Paths; Passengers (millions): 6.2", ["6.2 million"]),
        ("- Item: Paths; Share of trips, per cent: 6.2", ["6.2 per cent"]),
        ("- Item: Paths; Cost, EUR m: 6.2", ["EUR 6.2 m"]),
        ("- Million crowns: Café; 2024: 8.3", ["2024", "8.3 Million crowns"]),
        ("- In million euros: Café; 2024: 8.3", ["2024", "8.3 million euros"]),
    ],
)
def test_a_bare_cell_has_the_unit_of_its_column_or_row(row: str, figures: list[str]) -> None:
    assert shown(find_row_figures(row, LEXICON)) == figures
