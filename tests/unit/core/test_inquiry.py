"""Asking outside: independent groups, few at once, and failures that tell nothing."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest
from foureyes import SearchUnavailable, StorageError
from foureyes.core.inquiry import AnswersUnavailable, independent_groups, inquire
from foureyes.datatypes import Source
from foureyes.verification.challenge.model import Answer, Probe, Question, Reply
from foureyes.verification.challenge.questions import build_probes, shows
from foureyes.verification.passages.retrieval import SourceIndex
from support.agent_kit import evidence_of, registry, source_set

PAGE = "https://port.example/a"
INDEX = SourceIndex(source_set({PAGE: "The Arlen Bridge opened in 1936."}), registry().lexicon)
TEXT = f"""# Bridges

The Arlen Bridge opened for 40 ships in 1932 ({PAGE}). The Selle Bridge is 1,149 metres long
({PAGE}). The Norrvik Bridge, which is 812 metres long, opened in 1932 ({PAGE}).
"""


def probes() -> list[Probe]:
    claims = evidence_of(TEXT, {PAGE: "x"}).claims
    return [probe for claim in claims for probe in build_probes(claim, registry().lexicon, 5)]


class Listener:
    """An answerer and a provider that remember what they were asked, and may fail."""

    name = "listener"

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[tuple[str, ...]] = []
        self.queries: list[str] = []
        self.now = self.most = 0

    async def _busy(self) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await anyio.sleep(0.01)
        self.now -= 1
        if self.failure is not None:
            raise self.failure

    async def answer(
        self, questions: Sequence[Question], sources: SourceIndex
    ) -> tuple[Answer, ...]:
        assert sources is INDEX
        self.asked.append(tuple(question.text for question in questions))
        await self._busy()
        return tuple(Answer(question.id, self.name, Reply.NONE) for question in questions)

    async def search(self, query: str) -> tuple[Source, ...]:
        self.queries.append(query)
        await self._busy()
        return (INDEX.sources.source(PAGE),)


POLICY = registry().challenge


async def test_every_question_is_put_once_and_answers_keep_its_order() -> None:
    listener, asked = Listener(), probes()
    told = await inquire(asked, {}, INDEX, POLICY, answerer=listener)
    assert sorted(text for group in listener.asked for text in group) == sorted(
        probe.question.text for probe in asked
    )
    grouped = [p.question.id for group in independent_groups(asked, INDEX.lexicon) for p in group]
    assert [answer.question_id for answer in told.answers] == grouped


def test_no_group_helps_with_one_of_its_questions() -> None:
    groups = independent_groups(probes(), INDEX.lexicon)
    assert len(groups) > 1
    for group in groups:
        assert len({probe.claim_id for probe in group}) == len(group)
        for one in group:
            for other in group:
                apart = not shows(one.question.text, other.words, INDEX.lexicon)
                assert apart or one is other


async def test_no_more_are_asked_at_once_than_allowed() -> None:
    listener = Listener()
    queries = {"c-1": [f"query {n}" for n in range(6)]}
    policy = POLICY.model_copy(update={"parallel": 2})
    told = await inquire(probes(), queries, INDEX, policy, answerer=listener, provider=listener)
    assert listener.most == 2
    assert [one.query for one in told.searches] == queries["c-1"]
    assert [source.url for source in told.sources] == [PAGE]


async def test_who_gives_no_answer_is_on_record_and_changes_nothing() -> None:
    told = await inquire(
        probes(), {}, INDEX, POLICY, answerer=Listener(AnswersUnavailable("no budget"))
    )
    assert (told.answers, told.failures) == ((), ("listener: no budget",))
    closed = SearchUnavailable("library", "it is closed")
    told = await inquire([], {"c-1": ["a query"]}, INDEX, POLICY, provider=Listener(closed))
    assert [one.failure for one in told.searches] == [str(closed)]


@pytest.mark.parametrize("role", ["answerer", "provider"])
async def test_a_disk_that_refuses_ends_the_inquiry(role: str) -> None:
    broken = Listener(StorageError("the disk is full"))
    answerer = broken if role == "answerer" else None
    provider = broken if role == "provider" else None
    with pytest.raises(StorageError, match="full"):
        await inquire(probes(), {"c": ["q"]}, INDEX, POLICY, answerer=answerer, provider=provider)
