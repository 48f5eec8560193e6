"""Questions answered from snapshots by code: what one source states, and only if it is sure."""

from __future__ import annotations

import pytest
from foureyes.agents.answerer import question_passages
from foureyes.verification.challenge.answers import build_probes, find_answers
from foureyes.verification.challenge.model import Answer, Question
from foureyes.verification.passages.retrieval import SourceIndex
from support.agent_kit import evidence_of, registry, source_set

PAGE, OTHER = "https://port.example/a", "https://other.example/b"


def question(claim: str) -> Question:
    (found, *_) = evidence_of(f"# Locks\n\n{claim[:-1]} ({PAGE}).\n", {PAGE: claim}).claims
    return build_probes(found, registry().lexicon, 5)[0].question


def read(claim: str, *texts: str) -> tuple[Answer, ...]:
    urls = (PAGE, OTHER)
    index = SourceIndex(source_set(dict(zip(urls, texts, strict=False))), registry().lexicon)
    return tuple(find_answers(question(claim), index, registry()))


OPENED = "The Arlen Bridge opened in 1932."
CASES: list[tuple[str, str, list[tuple[str, bool]]]] = [
    ("the claim's own value", "The Arlen Bridge opened in 1932.", [("1932", True)]),
    ("another value", "The Arlen Bridge opened in 1936.", [("1936", True)]),
    ("a finer one", "The Arlen Bridge opened on 4 May 1936.", [("4 May 1936", True)]),
    ("two of them", "The Arlen Bridge opened in 1936. The Arlen Bridge opened in 1938.", []),
    ("about another thing", "The Norrvik tunnel opened in 1936.", []),
    (
        "a date that needs another",
        "The Arlen Bridge, begun in 1931, opened last year.",
        [("1931", False)],
    ),
    ("none at all", "The Arlen Bridge opened to great applause.", []),
]


@pytest.mark.parametrize(("text", "said"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_source_answers_with_the_one_value_that_it_states(
    text: str, said: list[tuple[str, bool]]
) -> None:
    answers = read(OPENED, text)
    assert [(one.said, one.certain) for one in answers] == said
    for one in answers:
        assert one.evidence is not None
        assert text[one.evidence.start : one.evidence.end] == one.evidence.quote


def test_each_source_answers_for_itself() -> None:
    texts = "The Arlen Bridge opened in 1932.", "The Arlen Bridge opened in 1936."
    assert sorted(one.said for one in read(OPENED, *texts)) == ["1932", "1936"]


def test_the_passages_of_a_question_come_from_every_source() -> None:
    pages = {PAGE: "The Arlen Bridge opened in 1936.", OTHER: "The Arlen Bridge opened late."}
    index = SourceIndex(source_set(pages), registry().lexicon)
    found = question_passages(question(OPENED), index, registry())
    assert {passage.url for passage in found} == {PAGE, OTHER}
