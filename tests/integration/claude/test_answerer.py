"""The answerer over the real CLI: what only the fact checker vouches for is asked about again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from foureyes import PipelineResult, run_analysis_async
from support.claude_turn import DUMMY_KEY
from support.messages_server import MessagesServer, Request
from support.model_rules import Plan, plays
from support.runs import BRIEF, GOOD_DRAFT, write_case

pytestmark = pytest.mark.cli

CLAIM = "The plant of Arnsund has fed the grid without a break since 4 May 2019"
DRAFT = GOOD_DRAFT.replace("## Overview\n", f"## Summary\n\n{CLAIM} [1].\n\n## Overview\n")


class Desk:
    """One run over a small case, asked of the loopback model."""

    def __init__(self, server: MessagesServer, folder: Path) -> None:
        self.server = server
        self.folder = folder

    async def run(self, plan: Plan, **flags: Any) -> PipelineResult:
        write_case(self.folder, DRAFT)
        self.server.default = plays(plan)
        given: dict[str, Any] = {
            "backend": "claude",
            "base_url": self.server.url,
            "api_key_env": "TEST_KEY",
            "with_fact_checker": True,
            "out": self.folder / "runs",
            "as_of": "2026-01-02",
            "max_iterations": 1,
            **flags,
        }
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TEST_KEY", DUMMY_KEY)
            sources = [self.folder / "sources"]
            return await run_analysis_async(BRIEF, draft=DRAFT, sources=sources, **given)

    def artefact(self, name: str) -> Any:
        (run_dir,) = (self.folder / "runs").glob("2*")
        return json.loads((run_dir / name).read_bytes())

    @property
    def asked(self) -> list[Request]:
        return [request for request in self.server.requests if "/answerer/" in request.turn]

    def entry(self) -> Any:
        entries = self.artefact("verify/claim_ledger.json")["entries"]
        (entry,) = [entry for entry in entries if entry["text"].startswith(CLAIM)]
        return entry


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Generator[Desk]:
    """A run whose answerer finds in no source what the fact checker called supported."""
    with MessagesServer() as server:
        desk = Desk(server, tmp_path_factory.mktemp("silent"))
        asyncio.run(desk.run(Plan(answers={"since which date": ""})))
        yield desk


def test_a_claim_that_an_independent_answerer_cannot_find_is_unverifiable(silent: Desk) -> None:
    entry = silent.entry()
    assert entry["verdict"] == "unverifiable"
    way = [(step["after"], step["by"]) for step in entry["history"]]
    assert way == [
        ("unsettled", "engine"),
        ("supported", "fact_checker"),
        ("unsettled", "engine"),
    ]
    (claim,) = silent.artefact("verify/challenge.json")["claims"]
    (question,) = claim["questions"]
    assert [one["answer"]["by"] for one in question["answers"]] == ["answerer"]
    assert question["question"]["text"].endswith("since which date?")


def test_the_answerer_is_shown_no_word_of_the_claim_that_is_asked_for(silent: Desk) -> None:
    assert silent.asked
    for request in silent.asked:
        assert "4 May 2019" not in request.prompt
        forms = [e.result for e in request.exchanges if "answers.json" in str(e.call.input)]
        assert not any("4 May 2019" in form for form in forms)
        assert not any(exchange.is_error for exchange in request.exchanges)


async def test_nobody_is_asked_where_questions_are_switched_off(
    server: MessagesServer, tmp_path: Path
) -> None:
    desk = Desk(server, tmp_path)
    await desk.run(Plan(), skip_challenges="questions")
    assert (desk.asked, desk.entry()["verdict"]) == ([], "supported")
