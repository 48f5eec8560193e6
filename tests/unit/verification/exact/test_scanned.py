"""Whether a figure is printed in a source is the same by its size as by comparing it with all."""

from __future__ import annotations

import time

import pytest
from foureyes.base.vocabulary import SourceState
from foureyes.claims.model import Quantity
from foureyes.datatypes import SourceSet
from foureyes.sources.model import Source
from foureyes.verification.exact.derivation import check_figure
from foureyes.verification.exact.scanned import ScannedFigures
from foureyes.verification.passages.figures import find_figures
from foureyes.verification.passages.retrieval import SourceIndex, SourceText
from foureyes.verification.registry import load_registry
from hypothesis import given
from hypothesis import strategies as st

REGISTRY = load_registry()
LEXICON, NUMBERS = REGISTRY.lexicon, REGISTRY.verification.numbers
FIGURES = (
    *("5 km", "5,000 m", "3 miles", "26,000", "25,963 people", "about 26,000", "at least 40 ships"),
    *("more than 30", "31 ships", "7 %", "7.1 %", "one in fourteen", "25 basis points", "0.25 %"),
    *("$5 million", "5.2 million dollars", "50 cents", "$0.50", "905 million", "905", "27.5"),
    *("27.5 million marks", "30 degrees Celsius", "30 degrees", "86 degrees Fahrenheit", "5–7 km"),
    *("between 5 and 9 km", "half of the ships", "50 %", "two thirds", "14:20", "2.20 pm", "-12.5"),
    *("on 4 April 2025", "4 April", "in April 2025", "in 2025", "2024–2026", "FY2025", "the 1990s"),
    *("2024-08-11", "the 11th", "in the first quarter of 2025", "0", "0.3 mg", "300 micrograms"),
    *("10 points", "10 percentage points", "1,000 kg", "1 tonne", "12 months", "a year", "8 knots"),
)


@given(st.sampled_from(FIGURES), st.lists(st.sampled_from(FIGURES), max_size=12))
def test_a_figure_is_found_by_its_size_just_where_a_comparison_finds_it(
    claimed: str, printed: list[str]
) -> None:
    source = SourceText("\n\n".join(f"It was {one} then." for one in printed), LEXICON)
    everything = [value for unit in source.units for value in source.figures(unit)]
    scanned = ScannedFigures(source)
    for value in find_figures(f"It was {claimed} then.", LEXICON):
        checked = check_figure(value, everything, LEXICON, NUMBERS)
        assert scanned.is_printed(value, NUMBERS) == checked.is_printed
        if isinstance(value, Quantity):
            assert scanned.printing(value, NUMBERS) == [
                unit
                for unit in source.units
                if check_figure(value, source.figures(unit), LEXICON, NUMBERS).is_printed
            ]


@pytest.mark.usefixtures("uncounted")
def test_a_thousand_addresses_that_were_not_read_are_passed_over_at_once() -> None:
    urls = [f"https://a.example/{number}" for number in range(1000)]
    sources = {url: Source(url, SourceState.NOT_FETCHED, "") for url in urls}
    index = SourceIndex(SourceSet(sources), LEXICON)
    begun = time.process_time()
    for number in range(2000):
        assert index.likely(f"The mill made {number} tonnes of steel.") == []
    assert time.process_time() - begun < 2
