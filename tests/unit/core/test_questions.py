"""Putting questions: independent groups, few at once, and failures that tell nothing."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest
from foureyes import StorageError
from foureyes.core._challenges import independent_groups, put_questions
from foureyes.core.evidence_parts import AnswersUnavailable
from foureyes.verification.challenge.answers import build_probes, shows
from foureyes.verification.challenge.model import Answer, Probe, Question, Reply
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
    """An answerer that remembers what it was asked, and may fail."""

    name = "listener"

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[tuple[str, ...]] = []
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


async def test_every_question_is_put_once_and_answers_keep_its_order() -> None:
    listener, asked = Listener(), probes()
    told = await put_questions(asked, INDEX, listener, at_once=4)
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
    await put_questions(probes(), INDEX, listener, at_once=2)
    assert listener.most == 2


async def test_who_gives_no_answer_is_on_record_and_changes_nothing() -> None:
    silent = Listener(AnswersUnavailable("no budget"))
    told = await put_questions(probes(), INDEX, silent, at_once=4)
    assert (told.answers, told.failures) == ((), ("listener: no budget",))


async def test_a_disk_that_refuses_ends_the_inquiry() -> None:
    broken = Listener(StorageError("the disk is full"))
    with pytest.raises(StorageError, match="full"):
        await put_questions(probes(), INDEX, broken, at_once=4)
