"""Questions built from claims: grammatical enough, about one thing, and silent on the answer."""

from __future__ import annotations

import pytest
from foureyes.verification.challenge.answers import build_probes, shows
from foureyes.verification.challenge.model import Asked, Probe
from support.agent_kit import evidence_of, registry

PAGE = "https://port.example/a"
CASES = [
    ("The Arlen Bridge opened in 1932.",
     [("The Arlen Bridge opened in which year?", "1932", Asked.DATE)]),
    ("On 3 May 1932 the Arlen Bridge was opened by the king.",
     [("On which date the Arlen Bridge was opened by the king?", "3 May 1932", Asked.DATE)]),
    ("The Arlen Bridge is about 1,149 metres long.",
     [("The Arlen Bridge is how many metres long?", "1,149 metres", Asked.NUMBER)]),
    ("More than 1,200 ships passed the lock in May 2021.",
     [("How many ships passed the lock in May 2021?", "1,200", Asked.NUMBER),
      ("More than 1,200 ships passed the lock in which month?", "May 2021", Asked.DATE)]),
    ("The lock saves 12 per cent of the time.",
     [("The lock saves what percentage of the time?", "12 per cent", Asked.NUMBER)]),
    ("The lock on the Selle cost $4.2 billion.",
     [("The lock on the Selle cost how much money?", "$4.2 billion", Asked.NUMBER)]),
    ("Ida Brandt designed the new lock for the Norrvik Council.",
     [("Who or what designed the new lock for the Norrvik Council?", "Ida Brandt", Asked.NAME),
      ("Ida Brandt designed the new lock for who or what?", "Norrvik Council",
       Asked.NAME)]),
]  # fmt: skip


def probes(text: str, most: int = 5) -> tuple[Probe, ...]:
    (claim, *_) = evidence_of(f"# Locks\n\n{text[:-1]} ({PAGE}).\n", {PAGE: text}).claims
    return build_probes(claim, registry().lexicon, most)


@pytest.mark.parametrize(("text", "asked"), CASES, ids=[case[0] for case in CASES])
def test_each_value_of_a_claim_is_asked_for_with_the_others_left_in(
    text: str, asked: list[tuple[str, str, Asked]]
) -> None:
    made = [(p.question.text, p.words, p.question.asks) for p in probes(text)]
    assert made == asked


@pytest.mark.parametrize("text", [case[0] for case in CASES])
def test_no_question_shows_its_answer_and_the_answer_makes_the_claim_again(text: str) -> None:
    for probe in probes(text):
        question = probe.question
        assert not shows(question.text, probe.words, registry().lexicon)
        asking = question.text[question.start : question.end]
        assert asking.split()[0].lower() in ("how", "which", "what", "who")
        # What qualifies a number ("about") goes with it, as does the article of a name.
        words = question.filled(probe.words).lower().split()
        assert set(words) <= set(text.lower().split())


SILENT = [
    ("the answer stands twice", "In 1932 the Arlen Bridge of 1932 was opened."),
    ("a part of a name", "The Arlen Bridge follows the 1932 agreement of its owners."),
    ("a quotation", "The port called 2024 “the best of all years in memory”."),
    ("a small count in words", "The Arlen Bridge has three lanes for its traffic."),
    ("an average of others", "On average each of the bridges cost $40,000."),
    ("counted from another day", "The Arlen Bridge was closed last year."),
]


@pytest.mark.parametrize("text", [case[1] for case in SILENT], ids=[case[0] for case in SILENT])
def test_what_cannot_be_asked_for_fairly_is_not_asked(text: str) -> None:
    assert [p.words for p in probes(text) if p.question.asks is not Asked.NAME] == []


def test_numbers_and_dates_come_before_names_where_there_is_room_for_few() -> None:
    text = "Ida Brandt built the Arlen Bridge for $40 million in 1932."
    assert [p.words for p in probes(text, most=2)] == ["$40 million", "1932"]


def test_a_table_row_is_not_asked_about() -> None:
    draft = f"# Locks\n\n| Lock | Ships |\n|---|---|\n| Arlen ({PAGE}) | 812 |\n"
    claims = evidence_of(draft, {PAGE: "Arlen: 812 ships."}).claims
    assert claims
    assert not any(build_probes(claim, registry().lexicon, 3) for claim in claims)
