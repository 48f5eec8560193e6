"""The answerer: it sees questions and passages, and code finds the place of every answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import (
    Error,
    FactCheckerConfig,
    FailureKind,
    PromptLibrary,
    TemplateLibrary,
    ToolFailure,
)
from foureyes.agents.answerer import AnswererAgent, ModelAnswerer
from foureyes.core.evidence_parts import AnswersUnavailable
from foureyes.verification.challenge.answers import build_probes
from foureyes.verification.challenge.model import Answer, Question, Reply
from foureyes.verification.passages.retrieval import SourceIndex
from pydantic import JsonValue
from support.agent_kit import evidence_of, registry, source_set
from support.evidence_run import services
from support.scripted_backend import Fail, Fill, Move, ScriptedBackend

PAGE, OTHER = "https://port.example/a", "https://other.example/b"
CLAIM = "The Arlen Bridge was opened for the traffic of the port in 1934."
TEXT = "The Arlen Bridge was opened for the traffic of the port in 1936."
ASIDE = "Elsewhere it is said that the first carts crossed over on 3 May 1937."
INDEX = SourceIndex(source_set({PAGE: TEXT, OTHER: ASIDE}), registry().lexicon)


def questions() -> tuple[Question, ...]:
    (claim, *_) = evidence_of(f"# Bridges\n\n{CLAIM[:-1]} ({PAGE}).\n", {PAGE: TEXT}).claims
    return tuple(probe.question for probe in build_probes(claim, registry().lexicon, 1))


def filled(stated: str, answer: str = "", passage: str = "") -> Fill:
    values: dict[str, JsonValue] = {
        "/answers/Q1/stated": stated,
        "/answers/Q1/answer": answer,
        "/answers/Q1/passage": passage,
    }
    return Fill(values)


async def asked(folder: Path, *moves: Move) -> tuple[tuple[Answer, ...], ScriptedBackend]:
    backend = ScriptedBackend(moves, independent=True)
    config = FactCheckerConfig(retries=0)
    agent = AnswererAgent(config, backend, PromptLibrary(), TemplateLibrary())
    answerer = ModelAnswerer(agent, 1, services(folder))
    return await answerer.answer(questions(), INDEX), backend


PLACES = [
    ("a passage by its id", "1936", "P1", PAGE, TEXT),
    ("words of any source", "3 May 1937", ASIDE, OTHER, ASIDE),
]


@pytest.mark.parametrize(
    ("said", "passage", "url", "quote"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES]
)
async def test_an_answer_comes_with_the_exact_place_that_states_it(
    said: str, passage: str, url: str, quote: str, tmp_path: Path
) -> None:
    ((answer,), _) = await asked(tmp_path, filled("yes", said, passage))
    assert (answer.reply, answer.said, answer.by) == (Reply.FOUND, said, "answerer")
    assert answer.evidence is not None
    assert (answer.evidence.url, answer.evidence.quote) == (url, quote)


@pytest.mark.parametrize(("word", "reply"), [("no", Reply.NOT_STATED), ("Unsure", Reply.NONE)])
async def test_it_may_find_nothing_or_be_unsure(word: str, reply: Reply, tmp_path: Path) -> None:
    ((answer,), _) = await asked(tmp_path, filled(word))
    assert (answer.reply, answer.evidence) == (reply, None)


async def test_nothing_that_it_is_given_holds_the_claim(tmp_path: Path) -> None:
    _, backend = await asked(tmp_path, filled("unsure"))
    (task,), (files,) = backend.tasks, backend.files
    shown = "\n".join((task.system_prompt, task.user_prompt, task.name, *files.values()))
    assert "was opened for the traffic of the port in which year?" in shown
    assert "1934" not in shown
    assert questions()[0].id.partition("/")[0] not in shown
    assert [tool.name for tool in task.tools] == ["read_source"]
    assert not task.to_do_list


async def test_its_one_tool_reads_stored_sources_and_nothing_else(tmp_path: Path) -> None:
    _, backend = await asked(tmp_path, filled("unsure"))
    (tool,) = backend.tasks[0].tools
    sha256 = INDEX.sources.source(OTHER).snapshot
    assert sha256 is not None
    text = await tool.handler({"sha256": sha256.sha256, "offset": 10})
    assert ASIDE[10:] in text
    with pytest.raises(ToolFailure, match="no such snapshot"):
        await tool.handler({"sha256": "0" * 64})


WRONG = [
    ("an unknown passage", filled("yes", "1936", "P9"), "neither the id"),
    ("words of no source", filled("yes", "1936", "It was opened in 1936, all agree."), "neither"),
    ("an answer beside the passage", filled("yes", "1938", "P1"), "not words of the passage"),
    ("no word of the form", filled("perhaps"), "none of yes, no, unsure"),
]


@pytest.mark.parametrize(("move", "told"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
async def test_what_cannot_be_shown_is_no_answer(move: Fill, told: str, tmp_path: Path) -> None:
    with pytest.raises(AnswersUnavailable, match=told):
        await asked(tmp_path, move, move, move)


async def test_a_failed_turn_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(AnswersUnavailable, match="timeout: too late"):
        await asked(tmp_path, Fail(Error(FailureKind.TIMEOUT, "too late")))
