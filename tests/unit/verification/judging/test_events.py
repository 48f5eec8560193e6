"""The date that stands by the verb of the claim's event, beside dates of other events."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

MILL = (
    "The windmill at Harnow is a tower mill of six floors. Plans for it were drawn in May 1818; it "
    "was completed on 3 August 1823. In 1871 a storm tore off two sails. The machinery was removed "
    "in 1912, and the tower was listed in the spring of 1964."
)
PERMIT = (
    "Permits for the dunes. Dogs had to be registered by 1 March. After a fault in the portal the "
    "date was moved to 20 April. The dunes were closed to riders in 2009."
)


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The windmill at Harnow was completed in May 1818.", MILL, C),
        ("The windmill at Harnow was completed in August 1823.", MILL, S),
        ("The tower at Harnow was listed in the 1870s.", MILL, C),
        ("The tower at Harnow was listed in the 1960s.", MILL, S),
        ("The windmill at Harnow was completed in the eighteenth century.", MILL, C),
        ("In 1964 the machinery of the windmill was removed.", MILL, C),
        ("In 1912 the machinery of the windmill was removed.", MILL, S),
        ("The dunes were closed to riders in the 1990s.", PERMIT, C),
        ("Dogs for the dunes have to be registered by 20 April.", PERMIT, U),
        ("The windmill at Harnow was painted in 1871.", MILL, U),
    ],
)
def test_the_date_of_the_claimed_event_decides(claim: str, source: str, verdict: Verdict) -> None:
    assert judged(claim, source).verdict is verdict
