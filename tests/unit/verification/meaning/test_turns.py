"""What a claim may leave out of its source, and what it may not add."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.claims.words import Key
from foureyes.verification.meaning.turns import Turns
from support.claim_kit import judged


def turns(own: Key | None, theirs: Key | None, *, reports: bool = False) -> Turns:
    return Turns(
        {own: "own word"} if own else {},
        {theirs: "their word"} if theirs else {},
        {theirs: "their word"} if theirs else {},
        reports=reports,
        dated=True,
    )


ALL, MOST, SOME, FEW = (("quantifier", group) for group in ("all", "most", "some", "few"))
MUST, SHOULD, MAY = (("modality", group) for group in ("must", "should", "may"))
FUTURE, SAID, NOW = ("forecast", "future"), ("attribution", "said"), ("currency", "now")


@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        (MOST, ALL),
        (SOME, ALL),
        (SOME, MOST),
        (SHOULD, MUST),
        (MAY, MUST),
        (MAY, None),
        (SOME, None),
        (None, ALL),
        (FUTURE, FUTURE),
        (NOW, NOW),
        (None, NOW),
    ],
)
def test_a_claim_may_say_less_than_its_source(own: Key | None, theirs: Key | None) -> None:
    assert not list(turns(own, theirs).objections())


@pytest.mark.parametrize(
    ("own", "theirs", "flipped"),
    [
        (ALL, MOST, True),
        (ALL, SOME, True),
        (MOST, FEW, True),
        (FEW, MOST, True),
        (MUST, SHOULD, True),
        (MUST, MAY, True),
        (MOST, SOME, False),
        (ALL, None, False),
        (None, SOME, False),
        (None, MAY, False),
        (None, FUTURE, False),
        (None, SAID, False),
        (SAID, None, False),
        (NOW, None, False),
        (("condition", "if"), None, False),
        (None, ("condition", "if"), False),
        (("cause", "because"), None, False),
    ],
)
def test_a_claim_that_says_more_is_objected_to(
    own: Key | None, theirs: Key | None, flipped: bool
) -> None:
    (objection,) = turns(own, theirs).objections()
    assert objection.flipped is flipped
    assert 0 < objection.strength <= 1


@pytest.mark.parametrize("theirs", [FUTURE, SAID, MAY])
def test_a_claim_that_reports_its_source_may_leave_out_that_it_does(theirs: Key) -> None:
    assert not list(turns(None, theirs, reports=True).objections())


def test_a_source_without_a_date_is_of_now() -> None:
    undated = Turns({NOW: "now"}, {}, {}, reports=False, dated=False)
    assert not list(undated.objections())


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("All of the wells were closed in May.", "Some of the wells were closed in May."),
        ("The pier opened in the harbour.", "The pier is expected to open in the harbour."),
        ("The pier was sold to the town.", "The pier could be sold to the town."),
        ("The pier will be built of oak.", "The council is considering a pier built of oak."),
        ("Boats are let on Sundays.", "Boats are let on Sundays unless the wind is strong."),
        ("Two ships were overloaded in May.", "Two ships were allegedly overloaded in May."),
        ("Most guests are surprising.", "The most surprising guests are two swans."),
        ("A motion lapses if two members second it.", "A motion lapses unless two second it."),
        ("Overtime is double for all staff.", "For cooks overtime is double, for all others not."),
        ("The frost was the reason why the pier took 40 days.", "Despite frost it took 40 days."),
        ("The club has 240 members today.", "May 2008. The club has 240 members. Dues still rise."),
    ],
)
def test_a_stronger_claim_is_never_supported(claim: str, page: str) -> None:
    assert judged(claim, page).verdict is not Verdict.SUPPORTED
