"""Close copies of a claim that its source takes back, doubts or limits."""

from __future__ import annotations

import pytest
from foureyes import Verdict
from support.claim_kit import judged

CLAIM = "The slipway was painted green in 2016."
SAID = "the slipway was painted green in 2016"


@pytest.mark.parametrize(
    "source",
    [
        f"Nobody knows whether {SAID}.",
        f"Critics claimed that {SAID}, but it was painted in 2018.",
        f"It is not so that, as some say, {SAID}.",
        f"No source says {SAID}.",
        "Had the money come, the slipway was to be painted green in 2016.",
        "The slipway was to be painted green in 2016.",
        "If the town had paid, the slipway would have been painted green in 2016.",
        f"In the novel, {SAID}.",
        f"The mayor wrongly said that {SAID}.",
        f"The mayor denied that {SAID}.",
        f"It is a common error that {SAID}.",
        "Exercise 3. Find the mistakes: The slipway was painted green in 2016.",
        "True or false? The slipway was painted green in 2016.",
        "“The slipway was painted green in 2016,” said Mr Berg, who later admitted that he made "
        "this up.",
        f"An earlier version of this page said that {SAID}; this was wrong.",
        f"April fool: {SAID}.",
        f"Reader's comment: {SAID}.",
        f"Rumour has it that {SAID}.",
        "The slipway was painted green in 2016. The tower is blue. Both statements are false.",
        "## Comments\n\nThe slipway was painted green in 2016.",
    ],
)
def test_no_claim_rests_on_what_its_source_takes_back(source: str) -> None:
    page = f"# Harbour\n\nThe harbour has a slipway.\n\n{source}\n"
    assert judged(CLAIM, page).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    "source",
    [
        "The slipway was painted green in 2016.",
        f"The harbour master said that {SAID}.",
        "“The slipway was painted green in 2016,” said the harbour master.",
        f"Records show that {SAID}.",
        f"According to the annual report, {SAID}.",
        f"It was cold, but {SAID}.",
        "The slipway, built in 1980, was painted green in 2016.",
        "## Readers' comments\n\nHow nice.\n\n## History\n\nThe slipway was painted green in 2016.",
    ],
)
def test_what_a_source_says_of_its_own_accord_counts(source: str) -> None:
    page = f"# Harbour\n\nThe harbour has a slipway.\n\n{source}\n"
    assert judged(CLAIM, page).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The plant failed to make 5,000 tonnes.", "The plant made 5,000 tonnes in all."),
        ("The plant made 5,000 tonnes.", "The plant failed to make 5,000 tonnes."),
        ("The plant made 5,000 tonnes.", "The plant could have made 5,000 tonnes."),
        ("All wards passed the inspection.", "All wards but one passed the inspection."),
        ("The bridge is open to traffic.", "The bridge was open to traffic until 2019."),
    ],
)
def test_what_only_one_of_the_two_limits_is_not_borne_out(claim: str, source: str) -> None:
    assert judged(claim, f"# Page\n\n{source}\n").verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "source", "stands"),
    [
        ("The plant has 40 employees.", "The plant had 40 employees in 2010.", False),
        ("The plant has 40 employees.", "The plant has 40 employees.", True),
        ("The plant had 40 employees in 2010.", "The plant had 40 employees in 2010.", True),
    ],
)
def test_what_was_so_in_a_past_year_is_no_support_for_the_present(
    claim: str, source: str, stands: bool
) -> None:
    page = f"# Plant\n\nThe plant lies by the river.\n\n{source}\n"
    assert (judged(claim, page).verdict is Verdict.SUPPORTED) is stands
