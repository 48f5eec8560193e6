"""How long it is between two dates."""

from __future__ import annotations

import pytest
from foureyes.claims.quantity.quantities import find_slots
from foureyes.claims.temporal.yearless import with_yearless
from foureyes.verification.values.elapsed import Stretch, elapsed
from support.claim_kit import registry

LEXICON = registry().lexicon


def stretch(claim: str, passage: str) -> Stretch | None:
    claimed = find_slots(claim, LEXICON)[0][0]
    return elapsed(claimed, with_yearless(passage, *find_slots(passage, LEXICON), LEXICON)[1])


@pytest.mark.parametrize(
    ("claim", "passage", "working"),
    [
        ("for forty-four years", "It began on 1 March 1987. It runs out on 1 March 2031.",
         "1 March 1987 to 1 March 2031: 44 years"),
        ("after six weeks", "They ate on 14 June. They had begun on 3 May.",
         "3 May to 14 June: 6 weeks"),
        ("It took four years", "Applied in March 2016, issued on 11 March 2020.",
         "March 2016 to 11 March 2020: 4 years"),
        ("nearly three months", "From 2 May 2021 to 28 July 2021 it was shut.",
         "2 May 2021 to 28 July 2021: 2.9 months"),
        ("more than 80 days", "From 2 May 2021 to 28 July 2021 it was shut.",
         "2 May 2021 to 28 July 2021: 87 days"),
        ("less than 90 days", "From 2 May 2021 to 28 July 2021 it was shut.",
         "2 May 2021 to 28 July 2021: 87 days"),
    ],
)  # fmt: skip
def test_a_duration_follows_from_its_ends(claim: str, passage: str, working: str) -> None:
    found = stretch(claim, passage)
    assert found is not None
    assert found.working == working


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("for forty-three years", "It began on 1 March 1987. It runs out on 1 March 2031."),
        ("for 36 years", "Built in 1988, scrapped in 2024."),
        ("after six weeks", "They ate on 14 June 2020. They had begun on 3 May."),
        ("for six metres", "They ate on 14 June. They had begun on 3 May."),
        ("for 2 to 6 weeks", "They ate on 14 June. They had begun on 3 May."),
        ("for six weeks", "They ate on 14 June."),
    ],
)
def test_nothing_else_does(claim: str, passage: str) -> None:
    assert stretch(claim, passage) is None
