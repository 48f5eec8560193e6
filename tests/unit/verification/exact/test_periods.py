"""An amount for one period is not the same amount for another one."""

from __future__ import annotations

import pytest
from foureyes.verification._signals import collect
from foureyes.verification.exact.words import periods_after
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.model import NoReader
from support.claim_kit import cited, claims_of, registry


@pytest.mark.parametrize(
    ("text", "figure", "period"),
    [
        ("They are paid 420 crowns per hectare and year until 2031.", "420 crowns", "year"),
        ("They receive 420 crowns per hectare every month.", "420 crowns", "month"),
        ("The mill makes 4,000 tonnes of flour annually.", "4,000 tonnes", "year"),
        ("Each year the mill makes 4,000 tonnes of flour.", "4,000 tonnes", "year"),
        ("It makes 4,000 tonnes and uses 60 litres an hour.", "4,000 tonnes", ""),
        ("It won 5 medals and second place.", "5", ""),
        ("Requests are limited to 60/minute.", "60", "minute"),
    ],
)
def test_the_periods_of_a_figure(text: str, figure: str, period: str) -> None:
    found = periods_after(text, text.index(figure) + len(figure))
    assert found == ({period} if period else set())


def in_other_unit(sentence: str, page: str) -> bool:
    (claim,) = claims_of(cited(sentence))
    rules = registry().with_reader(NoReader())
    source = SourceText(page, rules.lexicon)
    return bool(collect(claim, source, rules).other_unit)


@pytest.mark.parametrize(
    ("sentence", "page", "differs"),
    [
        ("They get 420 crowns a month.", "They get 420 crowns per hectare and year.", True),
        (
            "The mill makes 4,000 tonnes of flour a year.",
            "The mill makes 4,000 tonnes of flour annually and uses 60 litres of oil a year.",
            False,
        ),
        (
            "The mill makes 4,000 tonnes of flour a year.",
            "Each year the mill makes 4,000 tonnes of flour. It uses 60 litres of oil a year.",
            False,
        ),
        (
            "Carers get 310 crowns a month.",
            "Every month carers get 310 crowns, plus 25 crowns a month for the lodging.",
            False,
        ),
    ],
)
def test_another_period_is_told_from_another_way_to_say_it(
    sentence: str, page: str, differs: bool
) -> None:
    assert in_other_unit(sentence, f"# Report\n\n{page}\n") is differs
