"""Answers beside what a claim says: code compares the values, and believes no answer as such."""

from __future__ import annotations

import pytest
from foureyes import Stance
from foureyes.datatypes import Evidence
from foureyes.verification.challenge.answers import build_probes, check_answer, same_words
from foureyes.verification.challenge.model import Answer, AnswerOutcome, Probe, Reply
from foureyes.verification.passages.retrieval import SourceIndex
from support.agent_kit import evidence_of, registry, source_set

PAGE = "https://port.example/a"
O = AnswerOutcome  # noqa: E741 - as short as the table needs it


def probe(claim: str, number: int = 0) -> Probe:
    (found, *_) = evidence_of(f"# Locks\n\n{claim[:-1]} ({PAGE}).\n", {PAGE: claim}).claims
    return build_probes(found, registry().lexicon, 5)[number]


def answer(asked: Probe, quote: str, said: str, *, text: str = "", certain: bool = True) -> Answer:
    sha256 = next(iter(source_set({PAGE: text or quote}).texts))
    evidence = Evidence(PAGE, sha256, quote, 0, len(quote), Stance.NEUTRAL)
    return Answer(
        asked.question.id, "tester", Reply.FOUND, said=said, evidence=evidence, certain=certain
    )


def outcome(asked: Probe, given: Answer, text: str) -> AnswerOutcome:
    index = SourceIndex(source_set({PAGE: text}), registry().lexicon)
    return check_answer(asked, given, index, registry()).outcome


LONG = "The Arlen Bridge is 1,149 metres long."
OPENED = "The Arlen Bridge opened in 1932."
SHIPS = "In 2021 the lock passed 1,240 ships."
CASES = [
    (LONG, 0, "The bridge is 1,149 metres long.", "1,149 metres", O.CONFIRMS),
    (LONG, 0, "The bridge is 1.149 kilometres long.", "1.149 kilometres", O.CONFIRMS),
    (LONG, 0, "The bridge is 1,210 metres long.", "1,210 metres", O.DIFFERS),
    (LONG, 0, "The bridge is 1,210 metres long.", "1,210", O.DIFFERS),
    (LONG, 0, "The bridge carries 40,000 cars.", "40,000", O.UNCLEAR),
    (LONG, 0, "It is 1,210 metres long, its deck 1,149 metres.", "1,210 metres", O.UNCLEAR),
    (LONG, 0, "The bridge is very long.", "very long", O.UNCLEAR),
    (OPENED, 0, "It was opened on 3 May 1932.", "3 May 1932", O.CONFIRMS),
    (OPENED, 0, "It was opened on 3 May 1936.", "3 May 1936", O.DIFFERS),
    (OPENED, 0, "It was opened on 3 May 1936.", "3 May 1939", O.UNCLEAR),
    (SHIPS, 1, "The lock passed 1,310 ships.", "1,310", O.DIFFERS),
    (SHIPS, 1, "The lock passed 1,310 trucks.", "1,310", O.UNCLEAR),
]


@pytest.mark.parametrize(("claim", "number", "quote", "said", "expected"), CASES)
def test_an_answer_is_compared_by_its_value(
    claim: str, number: int, quote: str, said: str, expected: AnswerOutcome
) -> None:
    asked = probe(claim, number)
    assert outcome(asked, answer(asked, quote, said), quote) is expected


def test_a_quote_that_is_not_in_its_snapshot_shows_nothing() -> None:
    asked, text = probe(OPENED), "It was opened in 1931, they say."
    forged = answer(asked, "It was opened in 1936.", "1936", text=text)
    assert outcome(asked, forged, text) is O.UNCLEAR


def test_an_uncertain_answer_may_confirm_and_not_differ() -> None:
    asked = probe(OPENED)
    for said, expected in (("1932", O.CONFIRMS), ("1936", O.UNCLEAR)):
        quote = f"It was opened in {said}."
        assert outcome(asked, answer(asked, quote, said, certain=False), quote) is expected


def test_silence_is_not_the_same_as_no_answer() -> None:
    asked = probe(OPENED)
    for reply, expected in ((Reply.NOT_STATED, O.SILENT), (Reply.NONE, O.UNCLEAR)):
        given = Answer(asked.question.id, "tester", reply)
        assert outcome(asked, given, "Nothing of it.") is expected


NAMES = [
    ("Ida Brandt", "Brandt", True),
    ("World Health Organization", "WHO", True),
    ("Ida Brandt", "Karl Moe", False),
]


@pytest.mark.parametrize(("name", "other", "same"), NAMES)
def test_names_are_one_by_a_common_word_or_their_initials(
    name: str, other: str, same: bool
) -> None:
    assert same_words(name, other, registry().lexicon) is same
    claim = "Ida Brandt designed the new lock for the Norrvik Council."
    asked = probe(claim)
    quote = f"The lock was designed by {other}."
    expected = O.CONFIRMS if same and "Brandt" in name else O.DIFFERS
    assert outcome(asked, answer(asked, quote, other), quote) is expected
