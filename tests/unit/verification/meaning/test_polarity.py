"""What two sentences deny, by scope."""

from __future__ import annotations

import pytest
from foureyes.claims.lexicon import load_lexicon
from foureyes.verification.meaning.objection import Objection, ObjectionKind
from foureyes.verification.meaning.polarity import Parity, Statement
from hypothesis import given
from hypothesis import strategies as st

BOOK = load_lexicon().words


def statement(text: str) -> Statement:
    return Statement(tuple(BOOK.tokens(text)), text, BOOK)


def differences(claim: str, passage: str) -> list[Objection]:
    return list(Parity(statement(claim), statement(passage)).objections())


def denied(text: str) -> list[str]:
    found = statement(text)
    return [found.tokens[place].word for place, sign in sorted(found.turned.items()) if sign < 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The board did not approve the plan.", ["approve"]),
        ("No trains were cancelled.", ["trains", "cancelled"]),
        ("The rule no longer applies.", ["applies"]),
        ("She failed to sign the treaty.", ["sign"]),
        ("He did not fail to sign.", []),
        ("Not only the mayor resigned.", []),
        ("No fewer than nine bridges closed.", []),
        ("See No. 5 of the register.", []),
        ("The town lacks a hospital, but the county has three.", ["hospital"]),
        ("The bridge was closed without warning.", ["warning"]),
    ],
)
def test_a_negation_turns_the_words_in_its_scope(text: str, words: list[str]) -> None:
    assert denied(text) == words


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The board did not approve the plan.", "The board approved the plan in May."),
        ("The board approved the plan.", "The board did not approve the plan."),
        ("The rule still applies to boats.", "The rule no longer applies to boats."),
        ("No trains were cancelled.", "In all, 38 trains were cancelled."),
        ("None of the wells exceeded the limit.", "Nine wells exceeded the limit."),
        ("Cheese cannot be sold abroad.", "Cheese can be sold abroad."),
        ("Ridership rose on the harbour line.", "Ridership fell on the harbour line."),
        ("The court accepted the appeal.", "The court rejected the appeal."),
        ("The upper pond is safe.", "The upper pond is unsafe."),
        ("A copy of a plain disk is itself encrypted.", "A copy of a plain disk is not encrypted."),
        (
            "The east wing has a lift.",
            "The east wing has no lift, but the west one has a lift.",
        ),
        ("Entry is charged for.", "Entry is not charged for, although tours are charged for."),
        ("Grants may go to rent.", "Grants may go to staff. They may not go to rent."),
        ("The report accuses Moe.", "He says the report accuses Moe. It has no such accusation."),
        ("She learned to swim.", "She never really learned to swim."),
    ],
)
def test_what_only_one_of_the_two_denies_is_flipped(claim: str, passage: str) -> None:
    assert any(difference.flipped for difference in differences(claim, passage))


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The board did not approve the plan.", "The board rejected the plan."),
        ("The board rejected the plan.", "The board did not accept the plan."),
        ("Nobody was hurt in the fire.", "In the fire, no one was hurt."),
        ("The ferry was never repaired.", "The ferry was not repaired."),
        ("The rate fell and did not rise.", "The rate fell."),
        ("Visitors fell while prices rose.", "Prices rose and visitors fell."),
        ("The mill was sold.", "The mill was sold. The barn was not repaired."),
        ("Cadets failed to finish the course.", "The course was never finished by the cadets."),
        ("The union lost.", "The union lost. No journalists came."),
        (
            "The west wing has a lift.",
            "The east wing has no lift, but the west one has a lift.",
        ),
        (
            "Hydrogen atoms in water have a positive charge.",
            "There is no overall charge to water, but there is a positive charge on each hydrogen.",
        ),
        ("Tours are charged for.", "Entry is not charged for, although tours are charged for."),
        ("He was guilty of theft.", "Of arson he was not guilty. Of theft he was guilty."),
        ("Pear sales halved.", "Sales of plums rose, whereas sales of pears fell to 40."),
        ("The wait is less long.", "The wait has become shorter."),
        ("The limit is 40, once 60.", "The limit is 40 instead of 60."),
        ("Varn bought the depot.", "The depot was sold to Varn."),
    ],
)
def test_what_both_deny_in_other_words_is_the_same(claim: str, passage: str) -> None:
    assert not any(difference.flipped for difference in differences(claim, passage))


def test_a_denied_year_does_not_contradict_another_year() -> None:
    found = differences("The hall was not built in 2018.", "The hall was built in 2014.")
    assert found
    assert not any(difference.flipped for difference in found)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Had the door not been open, they would have known.", "The door was open."),
        ("No one sold more pears than Moe.", "Moe sold 80 pears, Holt 60."),
        ("The bishop arrived on Friday.", "The bishop did not arrive until Friday."),
        ("A charge was made.", "No hidden charge was made."),
    ],
)
def test_what_may_be_meant_otherwise_is_doubted(claim: str, passage: str) -> None:
    assert all(difference.strength < 0.5 for difference in differences(claim, passage))


def test_a_contrast_is_no_denial_of_the_sentence() -> None:
    found = differences("Ida Berg, and not the mayor, paid the bill.", "The bill was paid by Berg.")
    assert not any(difference.flipped for difference in found)


def test_the_opposite_word_is_named_on_both_sides() -> None:
    (found,) = differences("Ridership rose on the line.", "Ridership plunged on the line.")
    assert (found.kind, found.claimed, found.found) == (
        ObjectionKind.OPPOSITE,
        "rose",
        "plunged",
    )


@pytest.mark.parametrize(
    "passage",
    [
        "He broke up the band.",
        "The talks led up to a treaty.",
        "The band was set up by the talks.",
        "The firm put up 28 bands.",
    ],
)
def test_a_particle_is_no_direction(passage: str) -> None:
    assert not differences("The number of bands and talks fell.", passage)


@given(st.text(max_size=80))
def test_a_text_never_differs_from_itself(text: str) -> None:
    assert not any(difference.flipped for difference in differences(text, text))
